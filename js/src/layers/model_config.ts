/**
 * Graphs of layers as configs and back. Written as TensorFlow.js and Keras 2
 * do; read as Keras 3 writes them, too.
 */
import {TensorError} from '../errors.js';
import {Container} from './container.js';
import type {Layer} from './layer.js';
import {layerFrom} from './layer_from_config.js';
import type {Node} from './node.js';
import {serialize} from './serialization.js';
import type {ConfigDict, CustomObjects} from './serialization.js';
import {single} from './shape.js';
import {SymbolicTensor} from './symbolic.js';

/** A place in a graph: the layer's name, its node, the node's output. */
type Reference = [string, number, number, ConfigDict?];

/** Where every application is among those that the graph keeps. */
function keptIndices(model: Container): Map<Node, number> {
  const kept = new Map<Node, number>();
  for (const layer of model.layers) {
    // The first node of a model is its own: see Container.setGraph.
    let n = layer instanceof Container ? 1 : 0;
    for (const node of layer.inboundNodes) {
      if (model.hasNode(node)) kept.set(node, n++);
    }
  }
  return kept;
}

/** What of a call's arguments a file can hold. */
function plainArgs(args: ConfigDict): ConfigDict {
  return Object.fromEntries(Object.entries(args).filter(([, value]) =>
    value === null || ['number', 'string', 'boolean'].includes(typeof value) ||
    (Array.isArray(value) && value.every((x) => typeof x !== 'object'))));
}

/** The config of a functional model. */
export function graphConfig(model: Container): ConfigDict {
  const kept = keptIndices(model);
  const place = (x: SymbolicTensor): [string, number, number] => [
    x.sourceLayer.name,
    kept.get(x.sourceLayer.inboundNodes[x.nodeIndex]!) ?? x.nodeIndex,
    x.tensorIndex,
  ];
  const layers = model.layers.map((layer) => ({
    name: layer.name,
    ...serialize(layer),
    inboundNodes: layer.inboundNodes
        .filter((node) => model.hasNode(node) && node.inputTensors.length > 0)
        .map((node) => node.inputTensors.map((x) =>
          [...place(x), plainArgs(node.callArgs)])),
  }));
  return {
    name: model.name, layers,
    inputLayers: model.inputs.map(place),
    outputLayers: model.outputs.map(place),
  };
}

/** One application of a layer, as a file tells it. */
interface Call {
  inputs: Reference[];
  kwargs: ConfigDict;
}

interface KerasTensor {
  className: '__keras_tensor__';
  config: {kerasHistory: [string, number, number]};
}

function isKerasTensor(x: unknown): x is KerasTensor {
  return typeof x === 'object' && x !== null &&
      (x as {className?: unknown}).className === '__keras_tensor__';
}

/** The application that Keras 3 describes by positional and named arguments. */
function keras3Call(node: {args?: unknown[], kwargs?: ConfigDict}): Call {
  const inputs: Reference[] = [];
  const collect = (x: unknown): void => {
    if (Array.isArray(x)) x.forEach(collect);
    else if (isKerasTensor(x)) {
      const place: unknown =
        (x.config as Partial<KerasTensor['config']> | null)?.kerasHistory;
      if (!Array.isArray(place)) throw noReference(place ?? x);
      inputs.push(place as [string, number, number]);
    }
  };
  collect(node.args ?? []);
  // Further tensors (initial states) are inputs here; masks come by themselves.
  for (const [key, value] of Object.entries(node.kwargs ?? {})) {
    if (key !== 'mask') collect(value);
  }
  return {inputs, kwargs: plainArgs(node.kwargs ?? {})};
}

function parseCall(node: unknown): Call {
  if (!Array.isArray(node)) {
    if (typeof node !== 'object' || node === null) throw noReference(node);
    return keras3Call(node);
  }
  for (const place of node) if (!Array.isArray(place)) throw noReference(place);
  const inputs = node as Reference[];
  return {inputs, kwargs: Object.assign({}, ...inputs.map((x) => x[3])) as
      ConfigDict};
}

function noReference(value: unknown): TensorError {
  return new TensorError(
      'argument', 'Model: a place in the graph must be [layer, node, tensor], ' +
          'got ' + JSON.stringify(value));
}

/** Places, whether one was given or several, in lists or under names. */
function places(value: unknown): Reference[] {
  if (Array.isArray(value)) {
    return typeof value[0] === 'string' ? [value as Reference] :
      value.flatMap(places);
  }
  if (typeof value !== 'object' || value === null) throw noReference(value);
  return Object.values(value).flatMap(places);
}

/** The ends of the graph that a config describes. */
export interface Rebuilt {
  inputs: SymbolicTensor[];
  outputs: SymbolicTensor[];
}

/**
 * Makes the layers of a config, applies them as it says, and gives `use` the
 * ends. What throws leaves no layer.
 */
export function rebuildGraph<T>(
    config: ConfigDict, customObjects: CustomObjects,
    use: (ends: Rebuilt) => T): T {
  const layers = new Map<string, Layer>();
  try {
    return use(rebuild(config, customObjects, layers));
  } catch (error) {
    for (const layer of layers.values()) if (!layer.isDisposed) layer.dispose();
    throw error;
  }
}

interface Item {
  name?: string;
  module?: string;
  config?: ConfigDict;
  inboundNodes?: unknown[];
}

/**
 * The names of the layers that the outputs need. Keras 3 writes how it makes
 * masks, too, which no one needs here.
 */
function neededFor(items: Item[], outputs: Reference[]): Set<string> {
  const inputsOf = new Map(items.map((item) => [
    item?.name ?? item?.config?.['name'] as string,
    callsOf(item).flatMap(({inputs}) => inputs.map(([name]) => name)),
  ]));
  const needed = new Set<string>();
  const left = outputs.map(([name]) => name);
  while (left.length > 0) {
    const name = left.pop()!;
    if (needed.has(name)) continue;
    needed.add(name);
    left.push(...inputsOf.get(name) ?? []);
  }
  return needed;
}

function callsOf(item: Item | null): Call[] {
  const nodes: unknown = item?.inboundNodes ?? [];
  if (!Array.isArray(nodes)) {
    throw new TensorError(
        'argument', `Model: inbound_nodes of "${item?.name}" must be a list, ` +
            'got ' + JSON.stringify(nodes));
  }
  return nodes
      .filter((node) => !Array.isArray(node) || node.length > 0)
      .map(parseCall);
}

function rebuild(
    config: ConfigDict, customObjects: CustomObjects,
    layers: Map<string, Layer>): Rebuilt {
  const items = config['layers'] as Item[] | undefined;
  if (!Array.isArray(items) || !config['inputLayers'] ||
      !config['outputLayers']) {
    throw new TensorError(
        'argument', 'Model: the config must have `layers`, `inputLayers` and ' +
            '`outputLayers`');
  }
  // Keras 3 counts the applications of a Sequential from 0.
  const fromZero = new Set<string>();
  const calls: {layer: Layer, calls: Call[]}[] = [];
  const needed = neededFor(items, places(config['outputLayers']));
  for (const [i, item] of items.entries()) {
    if (item?.module?.startsWith('keras.src.ops') && !needed.has(item.name!)) {
      continue;
    }
    const layer = layerFrom(`layers[${i}]`, item, customObjects);
    const name = item.name ?? layer.name;
    layers.set(name, layer);
    if (item.inboundNodes?.some((node) => !Array.isArray(node)) &&
        layer.getClassName() === 'Sequential') {
      fromZero.add(name);
    }
    calls.push({layer, calls: callsOf(item)});
  }
  const find = ([name, node, tensor]: Reference): SymbolicTensor | undefined => {
    const layer = layers.get(name);
    if (layer === undefined) {
      throw new TensorError(
          'argument', `Model: the config refers to the layer "${name}", which ` +
              'it does not describe');
    }
    return layer.inboundNodes[node + (fromZero.has(name) ? 1 : 0)]
        ?.outputTensors[tensor];
  };
  applyAll(calls, find);
  const demand = (reference: Reference): SymbolicTensor => {
    const found = find(reference);
    if (found === undefined) {
      throw new TensorError(
          'argument', `Model: the config has no output ${reference[2]} of ` +
              `application ${reference[1]} of the layer "${reference[0]}"`);
    }
    return found;
  };
  return {
    inputs: places(config['inputLayers']).map(demand),
    outputs: places(config['outputLayers']).map(demand),
  };
}

/** Applies layers in any order that their inputs allow. */
function applyAll(
    work: {layer: Layer, calls: Call[]}[],
    find: (reference: Reference) => SymbolicTensor | undefined): void {
  let left = work.filter(({calls}) => calls.length > 0);
  while (left.length > 0) {
    let progress = false;
    for (const entry of left) {
      // A layer's applications are numbered: they happen in order.
      while (entry.calls.length > 0) {
        const {inputs, kwargs} = entry.calls[0]!;
        const tensors = inputs.map(find);
        if (!tensors.every((x) => x instanceof SymbolicTensor)) break;
        entry.layer.apply(single(tensors), kwargs);
        entry.calls.shift();
        progress = true;
      }
    }
    left = left.filter(({calls}) => calls.length > 0);
    if (!progress && left.length > 0) {
      throw new TensorError(
          'argument', 'Model: the config gives no inputs for the layers ' +
              left.map(({layer}) => `"${layer.name}"`).join(', '));
    }
  }
}
