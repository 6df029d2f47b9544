/**
 * Container: a layer that is a graph of layers. What it computes, and its
 * weights, losses, masks and shapes, are those of its layers.
 */
import {TensorError} from '../errors.js';
import {cast, clone} from '../ops/creation.js';
import {isTensor} from '../tensor.js';
import type {Scalar, Tensor} from '../tensor.js';
import {Graph} from './graph.js';
import {Layer} from './layer.js';
import type {Kwargs, LayerArgs} from './layer.js';
import type {Node} from './node.js';
import type {ConfigDict} from './serialization.js';
import {formatShape, isShapeList, shapeList, single, toList} from './shape.js';
import type {Shape} from './shape.js';
import type {SymbolicTensor} from './symbolic.js';
import type {LayerVariable} from './weight.js';

/** The ends of a graph of layers, and its name. */
export interface ContainerArgs {
  inputs: SymbolicTensor | SymbolicTensor[];
  outputs: SymbolicTensor | SymbolicTensor[];
  name?: string;
  trainable?: boolean;
}

export type Mask = Tensor | null;
type Masks = Tensor | Mask[] | null;

/** A layer made of layers. */
export abstract class Container extends Layer {
  #graph: Graph | null = null;
  readonly #shapes = new Map<string, Shape | Shape[]>();
  readonly #warned = new Set<Layer>();

  constructor(args: ContainerArgs | LayerArgs) {
    super({
      ...(args.name === undefined ? {} : {name: args.name}),
      ...(args.trainable === undefined ? {} : {trainable: args.trainable}),
    });
    if ('inputs' in args) {
      this.setGraph(new Graph(toList(args.inputs), toList(args.outputs)));
      for (const layer of this.layers) layer.retain(this);
      // `trainable: false` counts for layers that know nothing of it yet.
      if (args.trainable === false) this.trainable = false;
    }
  }

  /** Takes a graph in place of the one there was. */
  protected setGraph(graph: Graph | null): void {
    this.#graph = graph;
    this.#shapes.clear();
    this.inboundNodes.length = 0;
    this.built = graph !== null;
    if (graph === null) return;
    // The application of the container to its own inputs: others are counted
    // from 1, here as in the files of Keras and TensorFlow.js.
    this.addOwnNode(graph);
  }

  // Not `addInboundNode`: the outputs stay those of the layers inside.
  protected addOwnNode(graph: Graph): void {
    const [inputs, outputs] = [[...graph.inputs], [...graph.outputs]];
    const places = outputs.map((x) => [x.nodeIndex, x.tensorIndex] as const);
    this.addInboundNode(
        inputs, outputs, single(inputs.map(({shape}) => shape)),
        single(outputs.map(({shape}) => shape)));
    outputs.forEach((x, i) => {
      [x.nodeIndex, x.tensorIndex] = places[i]!;
    });
  }

  /** The graph. Errors: a Sequential that nothing tells the input shape of. */
  protected graph(): Graph {
    if (this.#graph === null) {
      throw new TensorError(
          'state', `The model ${this.name} is not built yet: give its first ` +
              'layer an inputShape, call build(), or apply it to something.');
    }
    return this.#graph;
  }

  /** True when the graph is there. */
  protected hasGraph(): boolean {
    return this.#graph !== null;
  }

  /**
   * Puts a model together whose input shapes were not given, for inputs of
   * `shapes`; does nothing to others.
   */
  ensureBuilt(_shapes?: Shape | Shape[]): void {
    this.graph();
  }

  /** The applications of layers, in the order they run. */
  get nodes(): readonly Node[] {
    return this.graph().nodes;
  }

  /** True when an application of a layer belongs to the graph. */
  hasNode(node: Node): boolean {
    return this.hasGraph() && this.graph().has(node);
  }

  /** The layers in the order they run. */
  get layers(): Layer[] {
    return this.hasGraph() ? [...this.graph().layers] : [];
  }

  get inputs(): SymbolicTensor[] {
    return this.hasGraph() ? [...this.graph().inputs] : [];
  }

  get outputs(): SymbolicTensor[] {
    return this.hasGraph() ? [...this.graph().outputs] : [];
  }

  override get input(): SymbolicTensor | SymbolicTensor[] {
    return single([...this.graph().inputs]);
  }

  override get output(): SymbolicTensor | SymbolicTensor[] {
    return single([...this.graph().outputs]);
  }

  override get outputShape(): Shape | Shape[] {
    return single(this.graph().outputs.map(({shape}) => shape));
  }

  get inputLayers(): Layer[] {
    return this.inputs.map(({sourceLayer}) => sourceLayer);
  }

  get outputLayers(): Layer[] {
    return this.outputs.map(({sourceLayer}) => sourceLayer);
  }

  /** The names of the layers behind the inputs. */
  get inputNames(): string[] {
    return this.inputLayers.map(({name}) => name);
  }

  /** The names of the layers that give the outputs. */
  get outputNames(): string[] {
    return this.outputLayers.map(({name}) => name);
  }

  get feedInputNames(): string[] {
    return this.inputNames;
  }

  get feedInputShapes(): Shape[] {
    return this.inputs.map(({shape}) => shape);
  }

  get internalOutputShapes(): Shape[] {
    return this.outputs.map(({shape}) => shape);
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor | Tensor[] {
    const masks = toMasks(kwargs['mask'], toList(inputs).length);
    return single(this.run(toList(inputs), masks, kwargs).outputs);
  }

  override computeMask(
      inputs: Tensor | Tensor[], mask?: Masks): Masks {
    const list = toList(inputs);
    return single(this.run(list, toMasks(mask, list.length), {}).masks);
  }

  /**
   * Runs the graph. Call it in a tidy: all but the outputs is left to it,
   * except that what no layer needs any more is freed on the way.
   */
  run(
      inputs: Tensor[], masks: readonly Mask[],
      kwargs: Kwargs): {outputs: Tensor[], masks: Mask[]} {
    const graph = this.graph();
    const values = new Map<SymbolicTensor, Tensor>();
    const maskOf = new Map<SymbolicTensor, Mask>();
    const left = new Map(graph.uses);
    this.#feed(inputs).forEach((value, i) => {
      values.set(graph.inputs[i]!, value);
      maskOf.set(graph.inputs[i]!, masks[i] ?? null);
    });
    const fed = new Set(graph.inputs);
    for (const node of graph.nodes) {
      if (node.outputTensors.every((x) => fed.has(x))) continue;
      const result = this.#runNode(
          node, node.inputTensors.map((x) => values.get(x)!),
          node.inputTensors.map((x) => maskOf.get(x)!), kwargs);
      node.outputTensors.forEach((x, i) => {
        values.set(x, result.outputs[i]!);
        maskOf.set(x, result.masks[i] ?? null);
      });
      // In training the tape needs nearly all of them.
      if (kwargs['training'] === true) continue;
      for (const x of node.inputTensors) {
        const uses = left.get(x)! - 1;
        left.set(x, uses);
        if (uses > 0 || fed.has(x)) continue;
        const value = values.get(x)!;
        if (!value.kept) value.dispose();
      }
    }
    // Each output is a tensor of its own, and none is an input.
    const taken = new Set(graph.inputs.map((x) => values.get(x)!));
    const own = (value: Tensor): Tensor => {
      if (taken.has(value)) return clone(value);
      taken.add(value);
      return value;
    };
    return {
      outputs: graph.outputs.map((x) => own(values.get(x)!)),
      masks: graph.outputs.map((x) => maskOf.get(x)!),
    };
  }

  #runNode(
      node: Node, inputs: Tensor[], masks: Mask[],
      kwargs: Kwargs): {outputs: Tensor[], masks: Mask[]} {
    const layer = node.outboundLayer;
    const args: Kwargs = {...node.callArgs, ...kwargs};
    delete args['mask'];
    if (layer instanceof Container && layer.call === Container.prototype.call) {
      return layer.run(inputs, masks, args);
    }
    if (masks.some((mask) => mask !== null)) {
      if (layer.supportsMasking) args['mask'] = single(masks);
      else this.#warnOfMask(layer);
    }
    const outputs = layer.apply(single(inputs), args) as Tensor | Tensor[];
    const out = layer.computeMask(single(inputs), single(masks));
    return {outputs: toList(outputs), masks: toList<Mask>(out)};
  }

  #warnOfMask(layer: Layer): void {
    if (this.#warned.has(layer)) return;
    this.#warned.add(layer);
    console.warn(
        `The layer ${layer.name} (${layer.getClassName()}) does not support ` +
        'masks and was given a masked input: the mask ends there.');
  }

  /** The inputs, checked and in the dtypes the graph was made for. */
  #feed(inputs: Tensor[]): Tensor[] {
    const wanted = this.graph().inputs;
    if (inputs.length !== wanted.length) {
      throw new TensorError(
          'argument', `The model ${this.name} has ${wanted.length} inputs, but ` +
              `was given ${inputs.length}.`);
    }
    return inputs.map((value, i) => {
      const {shape, dtype, name} = wanted[i]!;
      const given = value.shape as number[];
      if (given.length !== shape.length ||
          shape.some((n, d) => n !== null && n !== given[d])) {
        throw new TensorError(
            'shape', `The model ${this.name} needs an input of the shape ` +
                `${formatShape(shape)} at ${name}, but was given ` +
                `${formatShape(given)}.`);
      }
      return value.dtype === dtype ? value : cast(value, dtype);
    });
  }

  override computeOutputShape(inputShape: Shape | Shape[]): Shape | Shape[] {
    const key = formatShape(inputShape);
    const known = this.#shapes.get(key);
    if (known !== undefined) return known;
    const graph = this.graph();
    const shapes = new Map<SymbolicTensor, Shape>();
    shapeList(inputShape).forEach((s, i) => shapes.set(graph.inputs[i]!, s));
    for (const node of graph.nodes) {
      if (node.outputTensors.every((x) => shapes.has(x))) continue;
      const given = node.inputTensors.map((x) => shapes.get(x)!);
      const made = node.outboundLayer.computeOutputShape(single(given));
      const list = isShapeList(made) ? made : [made];
      node.outputTensors.forEach((x, i) => shapes.set(x, list[i]!));
    }
    const result = single(graph.outputs.map((x) => shapes.get(x)!));
    this.#shapes.set(key, result);
    return result;
  }

  override get trainable(): boolean {
    return super.trainable;
  }

  override set trainable(trainable: boolean) {
    for (const layer of this.layers) layer.trainable = trainable;
    super.trainable = trainable;
  }

  override get trainableWeights(): LayerVariable[] {
    if (!this.trainable_) return [];
    return unique([
      ...this.layers.flatMap((layer) => layer.trainableWeights),
      ...super.trainableWeights,
    ]);
  }

  override get nonTrainableWeights(): LayerVariable[] {
    const frozen = this.trainable_ ? [] :
      this.layers.flatMap((layer) => layer.trainableWeights);
    return unique([
      ...frozen,
      ...this.layers.flatMap((layer) => layer.nonTrainableWeights),
      ...super.nonTrainableWeights,
    ]);
  }

  override get losses(): (() => Scalar)[] {
    return [
      ...super.losses, ...this.layers.flatMap((layer) => layer.losses),
    ];
  }

  override get stateful(): boolean {
    return this.layers.some((layer) => layer.stateful);
  }

  override set stateful(_stateful: boolean) {
    throw new TensorError(
        'state', `The model ${this.name} is stateful if a layer of it is.`);
  }

  /** Forgets what stateful layers keep between batches. */
  override resetStates(): void {
    for (const layer of this.layers) if (layer.stateful) layer.resetStates();
  }

  /** The layer of a name, or at a place. Errors: none there. */
  getLayer(name: string): Layer;
  getLayer(index: number): Layer;
  getLayer(name: string, index: number): Layer;
  getLayer(nameOrIndex?: string | number, index?: number): Layer {
    const place = index ??
        (typeof nameOrIndex === 'number' ? nameOrIndex : undefined);
    if (place !== undefined) {
      const layer = this.layers[place];
      if (layer === undefined) {
        throw new TensorError(
            'argument', 'Was asked to retrieve layer at index ' +
                `${place}, but model only has ${this.layers.length} layer(s).`);
      }
      return layer;
    }
    if (nameOrIndex === undefined) {
      throw new TensorError(
          'argument', 'Provide either a layer name or layer index');
    }
    const layer = this.layers.find(({name}) => name === nameOrIndex);
    if (layer === undefined) {
      throw new TensorError('argument', `No such layer: ${nameOrIndex}`);
    }
    return layer;
  }

  protected override disposeWeights(): number {
    let count = super.disposeWeights();
    for (const layer of this.layers) {
      layer.release(this);
      // The user may have freed some himself.
      if (layer.refCount > 0 || layer.isDisposed) continue;
      count += layer.dispose().numDisposedVariables;
    }
    return count;
  }

  abstract override getConfig(): ConfigDict;
}

const unique = <T>(items: T[]): T[] => [...new Set(items)];

function toMasks(mask: unknown, count: number): Mask[] {
  const list = mask === undefined || mask === null ? [] : toList(mask);
  return Array.from({length: count}, (_, i) =>
    (isTensor(list[i]) ? list[i] : null));
}
