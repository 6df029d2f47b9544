/**
 * The graph between symbolic inputs and outputs: which applications of layers
 * it takes, and in which order. The order of layers is Keras': from the inputs
 * down, by the longest way to an output, then by the order of discovery.
 */
import {TensorError} from '../errors.js';
import type {Layer} from './layer.js';
import type {Node} from './node.js';
import {SymbolicTensor} from './symbolic.js';

const nodeOf = (x: SymbolicTensor): Node =>
  x.sourceLayer.inboundNodes[x.nodeIndex]!;

function check(what: string, tensors: SymbolicTensor[]): void {
  if (tensors.length === 0 ||
      !tensors.every((x) => x instanceof SymbolicTensor)) {
    throw new TensorError(
        'argument', `Model: ${what} must be one or several SymbolicTensors, ` +
            'as tf.input and layer.apply give them');
  }
}

/** Applications of layers in the order they run. */
export class Graph {
  readonly inputs: readonly SymbolicTensor[];
  readonly outputs: readonly SymbolicTensor[];
  /** Inputs first; no application comes before what it needs. */
  readonly nodes: readonly Node[];
  readonly layers: readonly Layer[];
  /** How often each tensor is used, as an output too. */
  readonly uses: ReadonlyMap<SymbolicTensor, number>;

  constructor(inputs: SymbolicTensor[], outputs: SymbolicTensor[]) {
    check('inputs', inputs);
    check('outputs', outputs);
    if (new Set(inputs).size !== inputs.length) {
      throw new TensorError(
          'argument', 'The list of inputs passed to the model is redundant. ' +
              'All inputs should only appear once. Found: ' +
              inputs.map(({name}) => name).join(', '));
    }
    for (const {sourceLayer, name, inputs: sources} of inputs) {
      if (sources.length > 0 || !('sparse' in sourceLayer)) {
        throw new TensorError(
            'argument', 'Model: the inputs must come from tf.input, but ' +
                `${name} comes from the layer ${sourceLayer.name}`);
      }
    }
    this.inputs = inputs;
    this.outputs = outputs;
    const {order, found} = discover(inputs, outputs);
    const depths = depthsOf(order);
    const byDepth = (a: number, b: number): number => b - a;
    this.nodes = [...order].sort((a, b) =>
      byDepth(depths.nodes.get(a)!, depths.nodes.get(b)!));
    this.layers = [...found].sort((a, b) =>
      byDepth(depths.layers.get(a)!, depths.layers.get(b)!));
    this.uses = countUses(this.nodes, outputs);
    assertUniqueNames(this.layers);
  }

  /** True when an application belongs to the graph. */
  has(node: Node): boolean {
    return this.nodes.includes(node);
  }
}

/** Every application needed, what it needs before it; layers as met. */
function discover(
    inputs: SymbolicTensor[], outputs: SymbolicTensor[]):
    {order: Node[], found: Set<Layer>} {
  const order: Node[] = [];
  const done = new Set<Node>();
  const open = new Set<Node>();
  const found = new Set<Layer>();
  const fed = new Set(inputs);
  // A stack of its own: deep models would overflow the engine's.
  const visit = (first: Node): void => {
    const stack: {node: Node, next: number}[] = [];
    const enter = (node: Node): void => {
      if (done.has(node)) return;
      if (open.has(node)) {
        throw new TensorError(
            'argument', `The tensor ${node.outputTensors[0]?.name} at layer ` +
                `"${node.outboundLayer.name}" is part of a cycle.`);
      }
      open.add(node);
      found.add(node.outboundLayer);
      stack.push({node, next: 0});
    };
    enter(first);
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const source = top.node.inputTensors[top.next++];
      if (source !== undefined) {
        enter(nodeOf(source));
        continue;
      }
      stack.pop();
      open.delete(top.node);
      done.add(top.node);
      order.push(top.node);
      if (top.node.inputTensors.length === 0 &&
          !top.node.outputTensors.some((x) => fed.has(x))) {
        const {name, sourceLayer} = top.node.outputTensors[0]!;
        throw new TensorError(
            'argument', 'Graph disconnected: cannot obtain value for tensor ' +
                `${name} at layer "${sourceLayer.name}". It is not among the ` +
                'model\'s inputs.');
      }
    }
  };
  for (const output of outputs) visit(nodeOf(output));
  for (const source of inputs) visit(nodeOf(source));
  return {order, found};
}

/** The longest way from each node, and each layer's last node, to an output. */
function depthsOf(order: Node[]):
    {nodes: Map<Node, number>, layers: Map<Layer, number>} {
  const nodes = new Map<Node, number>();
  const layers = new Map<Layer, number>();
  for (const node of [...order].reverse()) {
    const depth =
        Math.max(nodes.get(node) ?? 0, layers.get(node.outboundLayer) ?? 0);
    nodes.set(node, depth);
    layers.set(node.outboundLayer, depth);
    for (const source of node.inputTensors) {
      const inbound = nodeOf(source);
      nodes.set(inbound, Math.max(nodes.get(inbound) ?? 0, depth + 1));
    }
  }
  return {nodes, layers};
}

function countUses(
    nodes: readonly Node[],
    outputs: SymbolicTensor[]): Map<SymbolicTensor, number> {
  const uses = new Map<SymbolicTensor, number>();
  const all = [...nodes.flatMap(({inputTensors}) => inputTensors), ...outputs];
  for (const x of all) uses.set(x, (uses.get(x) ?? 0) + 1);
  return uses;
}

/** Throws if two layers have one name: weights are saved by name. */
export function assertUniqueNames(layers: readonly Layer[]): void {
  const counts = new Map<string, number>();
  for (const {name} of layers) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const [name, count] of counts) {
    if (count > 1) {
      throw new TensorError(
          'argument', `The name "${name}" is used ${count} times in the model. ` +
              'All layer names should be unique. Layer names: ' +
              JSON.stringify(layers.map((layer) => layer.name)));
    }
  }
}
