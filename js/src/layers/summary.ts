/** A model as a table, the way TensorFlow.js prints it. */
import type {Container} from './container.js';
import type {Layer} from './layer.js';
import {formatShape, shapeList} from './shape.js';
import {countParamsIn} from './weight.js';

export type PrintFn = (message?: unknown, ...rest: unknown[]) => void;

/** True if every layer has one input, from the layer before. */
function isChain(model: Container): boolean {
  if (!model.nodes.every(({inboundLayers}) => inboundLayers.length <= 1)) {
    return false;
  }
  const used = new Set<Layer>();
  for (const {inboundLayers} of model.nodes) {
    for (const layer of inboundLayers) {
      if (used.has(layer)) return false;
      used.add(layer);
    }
  }
  return model.layers.every((layer) =>
    layer.inboundNodes.filter((node) => model.hasNode(node)).length <= 1);
}

function row(fields: readonly string[], positions: readonly number[]): string {
  let line = '';
  fields.forEach((field, i) => {
    if (i > 0) line = `${line.slice(0, line.length - 1)} `;
    line += field;
    line = line.slice(0, positions[i]);
    line += ' '.repeat(positions[i]! - line.length);
  });
  return line;
}

/** The shapes a layer takes and gives in the model. */
function shapes(layer: Layer, model: Container): [string, string] {
  const nodes = layer.inboundNodes.filter((node) =>
    model.hasNode(node) || !model.built);
  const input = nodes.map(({inputShapes}) =>
    formatShape(shapeList(inputShapes))).join(',') || '?';
  const outputs = new Set(nodes.map(({outputShapes}) =>
    formatShape(outputShapes)));
  const [output = '?'] = outputs;
  return [input, outputs.size > 1 ? 'multiple' : output];
}

/** Where each input of a layer comes from: layer, node, output. */
function connections(layer: Layer, model: Container): string[] {
  return layer.inboundNodes.filter((node) => model.hasNode(node))
      .flatMap((node) => node.inputTensors.map((x) =>
        `${x.sourceLayer.name}[${x.nodeIndex}][${x.tensorIndex}]`));
}

/** Prints a table of the layers; see `LayersModel.summary`. */
export function printSummary(
    model: Container, lineLength: number | undefined,
    positions: readonly number[] | undefined, print: PrintFn): void {
  const chain = !model.built || isChain(model);
  const length = lineLength ?? (chain ? 90 : 115);
  const ends = positions ??
      (chain ? [0.32, 0.61, 0.89, 1] : [0.24, 0.48, 0.7, 0.8, 1]);
  const columns = ends.at(-1)! <= 1 ?
    ends.map((end) => Math.floor(length * end)) : ends;
  const titles = ['Layer (type)', 'Input Shape', 'Output shape', 'Param #'];
  print('_'.repeat(length));
  print(row(chain ? titles : [...titles, 'Receives inputs'], columns));
  print('='.repeat(length));
  const {layers} = model;
  layers.forEach((layer, i) => {
    const type = `${layer.name} (${layer.getClassName()})`;
    const params = String(layer.countParams());
    const [first = '', ...rest] = chain ? [] : connections(layer, model);
    const fields = [type, ...shapes(layer, model), params];
    print(row(chain ? fields : [...fields, first], columns));
    for (const from of rest) print(row(['', '', '', '', from], columns));
    print((i === layers.length - 1 ? '=' : '_').repeat(length));
  });
  const trainable = countParamsIn(model.trainableWeights);
  const others = countParamsIn(model.nonTrainableWeights);
  print(`Total params: ${trainable + others}`);
  print(`Trainable params: ${trainable}`);
  print(`Non-trainable params: ${others}`);
  print('_'.repeat(length));
}
