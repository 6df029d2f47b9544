/**
 * A graph as TensorFlow and TensorBoard read it: placeholders, variables, and
 * each function with what its first run did, under its own name.
 */
import {
  encodeGraph, encodeMetaGraph, variableDef,
} from '../../io/checkpoint/graph.js';
import type {
  Attr, Collection, GraphNode, GraphShape,
} from '../../io/checkpoint/graph.js';
import type {BundleDtype} from '../../io/checkpoint/bundle.js';
import {Variable} from '../../variable.js';
import type {DataType} from '../../types.js';
import {GlobalStep, getGlobalStep} from './global_step.js';
import {isNodeName} from './graph.js';
import type {Declared, Graph} from './graph.js';
import type {RecordedKernel, Recording, Source} from './recorder.js';
import {saveablesOf} from './saveables.js';
import type {Saveable, Saveables} from './saveables.js';
import {addKernel, opName} from './twins.js';

/** Names of the nodes of a variable. */
interface VariableNodes {
  readonly name: string;
  readonly initial: string;
  readonly assign: string;
  readonly read: string;
  readonly dtype: BundleDtype;
  readonly shape: readonly number[];
  readonly trainable: boolean;
}

/** Nodes under construction, with unique names. */
class Nodes {
  readonly all: GraphNode[] = [];
  readonly variables = new Map<string, VariableNodes>();
  readonly #taken = new Set<string>();
  // The number to try next: of a name that is taken often, none twice.
  readonly #next = new Map<string, number>();

  /** Keeps a name for what is known by it. */
  reserve(name: string): string {
    this.#taken.add(name);
    return name;
  }

  /** The name if it is free, else the name and a number. */
  unique(name: string): string {
    let free = name;
    let n = this.#next.get(name) ?? 1;
    for (; this.#taken.has(free); n++) free = `${name}_${n}`;
    this.#next.set(name, n);
    return this.reserve(free);
  }

  add(
      name: string, op: string, inputs: readonly string[],
      attrs: Readonly<Record<string, Attr>>,
      outputShapes: readonly GraphShape[]): string {
    // What a node only waits for comes last, once.
    const data = inputs.filter((input) => !input.startsWith('^'));
    const control = new Set(inputs.filter((input) => input.startsWith('^')));
    this.all.push({name, op, inputs: [...data, ...control], attrs, outputShapes});
    return name;
  }

  constant(
      name: string, dtype: BundleDtype, shape: readonly number[],
      bytes: Uint8Array): string {
    return this.add(name, 'Const', [], {
      dtype: {type: dtype}, value: {tensor: {dtype, shape, bytes}},
    }, [shape]);
  }

  variable(
      name: string, dtype: BundleDtype, shape: readonly number[],
      trainable: boolean): void {
    const v: VariableNodes = {
      name, dtype, shape, trainable,
      initial: this.unique(`${name}/Initializer/initial_value`),
      assign: this.unique(`${name}/Assign`),
      read: this.unique(`${name}/Read/ReadVariableOp`),
    };
    this.variables.set(name, v);
    const type = {dtype: {type: dtype}};
    const attrs = {...type, shape: {shape}};
    this.add(v.initial, 'Placeholder', [], attrs, [shape]);
    this.add(name, 'VarHandleOp', [], {...attrs, shared_name: {s: name}}, [[]]);
    this.add(v.assign, 'AssignVariableOp', [name, v.initial], type, []);
    this.add(v.read, 'ReadVariableOp', [name], type, [shape]);
  }
}

/** Elements as the bytes of a tensor. */
function bytesOfValues(
    dtype: DataType, values: readonly number[]): Uint8Array {
  if (dtype === 'bool') return Uint8Array.from(values, Number);
  const array = dtype === 'int32' ?
    Int32Array.from(values) : Float32Array.from(values);
  return new Uint8Array(array.buffer);
}

/** Adds the nodes of one function. */
class FunctionNodes {
  readonly #f: Declared;
  readonly #nodes: Nodes;
  readonly #recording: Recording;
  // By number of the kernel, and of the tensor.
  readonly #kernels: string[] = [];
  readonly #tensors = new Map<number, string>();
  readonly #lost = new Map<string, string>();
  readonly #used = new Set<string>();

  constructor(f: Declared, recording: Recording, nodes: Nodes) {
    this.#f = f;
    this.#recording = recording;
    this.#nodes = nodes;
  }

  add(): void {
    const {name, inputs, kind, outputs} = this.#f;
    const nodes = this.#nodes;
    // Results have the names that hooks ask for.
    const parts = outputs
        .filter(({path}) => path !== '' && isNodeName(`${name}/${path}`))
        .map((output) => ({
          ...output, node: nodes.unique(`${name}/${output.path}`),
        }));
    this.#recording.kernels.forEach((k) => this.#kernel(k));
    const results = parts.map(({node, dtype, shape, source}) => nodes.add(
        node, 'Identity', [this.#ref(source)], {T: {type: dtype}}, [shape]));
    const whole = outputs.find(({path}) => path === '');
    const value = whole === undefined ? [] : [this.#ref(whole.source)];
    const waits = [
      ...Object.values(inputs).map((p) => p.name), ...results,
      ...this.#assigns(),
      // What nobody takes is done all the same.
      ...this.#kernels.filter((kernel) => !this.#used.has(kernel)),
    ].map((node) => `^${node}`);
    if (kind === 'step') waits.push(...this.#count(waits));
    if (whole === undefined) {
      nodes.add(name, 'NoOp', waits, {}, []);
    } else {
      nodes.add(name, 'Identity', [...value, ...waits],
          {T: {type: whole.dtype}}, [whole.shape]);
    }
  }

  #kernel(k: RecordedKernel): void {
    const nodes = this.#nodes;
    const inputs = k.inputs
        .filter((source) => source !== null).map((source) => this.#ref(source));
    const own = nodes.unique(`${this.#f.name}/${opName(k.name)}`);
    this.#kernels.push(own);
    addKernel(k, inputs, {
      own: (op, inputs, attrs) => {
        nodes.add(own, op, inputs, attrs, k.outputShapes);
      },
      below: (label, op, inputs, attrs, shape) => nodes.add(
          nodes.unique(`${own}/${label}`), op, inputs, attrs, [shape]),
      constant: (label, dtype, shape, values) => nodes.constant(
          nodes.unique(`${own}/${label}`), dtype, shape,
          bytesOfValues(dtype, values)),
    });
  }

  /** What a node is given to take a tensor. */
  #ref(source: Source): string {
    if ('placeholder' in source) return source.placeholder;
    if ('variable' in source) {
      return this.#nodes.variables.get(source.variable)?.read ??
          this.#gone(source.variable);
    }
    if ('tensor' in source) return this.#tensor(source.tensor);
    const name = this.#kernels[source.kernel]!;
    this.#used.add(name);
    return source.output === 0 ? name : `${name}:${source.output}`;
  }

  /** A variable that was disposed since. */
  #gone(variable: string): string {
    const name = this.#lost.get(variable) ?? this.#nodes.add(
        this.#nodes.unique(`${this.#f.name}/Captured`), 'Tidemark>Captured', [],
        {variable: {s: variable}}, [undefined]);
    this.#lost.set(variable, name);
    return name;
  }

  #tensor(at: number): string {
    let name = this.#tensors.get(at);
    if (name !== undefined) return name;
    const {dtype, shape, bytes} = this.#recording.tensors[at]!;
    const nodes = this.#nodes;
    if (bytes !== undefined) {
      name = nodes.constant(
          nodes.unique(`${this.#f.name}/Const`), dtype, shape, bytes);
    } else {
      name = nodes.add(nodes.unique(`${this.#f.name}/Captured`),
          'Tidemark>Captured', [],
          {dtype: {type: dtype}, shape: {shape}}, [shape]);
    }
    this.#tensors.set(at, name);
    return name;
  }

  /** Assignments, each after the last one of its variable and after reads. */
  #assigns(): string[] {
    const last = new Map<string, string>();
    return this.#recording.assigns.flatMap(({variable, dtype, value}) => {
      const nodes = this.#nodes.variables.get(variable);
      if (nodes === undefined) return [];
      const {name, read} = nodes;
      const node = this.#nodes.add(
          this.#nodes.unique(`${this.#f.name}/AssignVariableOp`),
          'AssignVariableOp',
          [name, this.#ref(value), `^${last.get(name) ?? read}`],
          {dtype: {type: dtype}}, []);
      last.set(name, node);
      return node;
    });
  }

  /** A step counts when all else is done. */
  #count(waits: readonly string[]): string[] {
    const step = this.#nodes.variables.get('global_step');
    if (step === undefined) return [];
    const nodes = this.#nodes;
    const one = nodes.constant(
        nodes.unique(`${this.#f.name}/global_step/value`), 'int64', [],
        new Uint8Array(BigInt64Array.of(1n).buffer));
    const node = nodes.add(
        nodes.unique(`${this.#f.name}/global_step/AssignAddVariableOp`),
        'AssignAddVariableOp', [step.name, one, `^${step.read}`, ...waits],
        {dtype: {type: 'int64'}}, []);
    return [`^${node}`];
  }
}

function nodesOf(graph: Graph, saved: Saveables): Nodes {
  const nodes = new Nodes();
  for (const {name} of [...graph.placeholders, ...graph.functions]) {
    nodes.reserve(name);
  }
  for (const name of saved.keys()) nodes.reserve(name);
  for (const {name, dtype, shape} of graph.placeholders) {
    const lengths = shape.map((n) => n ?? -1);
    nodes.add(name, 'Placeholder', [],
        {dtype: {type: dtype}, shape: {shape: lengths}}, [lengths]);
  }
  for (const [name, s] of saved) {
    nodes.variable(name, s.dtype, shapeOf(s), isTrainable(graph, name, s));
  }
  for (const f of graph.functions) {
    if (f.recorded !== undefined) {
      new FunctionNodes(f, f.recorded, nodes).add();
    } else {
      const inputs = Object.values(f.inputs).map(({name}) => `^${name}`);
      nodes.add(f.name, 'NoOp', inputs, {}, []);
    }
  }
  return nodes;
}

const shapeOf = (s: Saveable): readonly number[] =>
  (s instanceof Variable ? s.shape : []);

// Slots are variables too, but none of the graph's.
const isTrainable = (graph: Graph, name: string, s: Saveable): boolean =>
  s instanceof Variable && s.trainable && graph.variableNamed(name) === s;

const defOf = (v: VariableNodes): Uint8Array =>
  variableDef(v.name, v.trainable, v);

/** Makes the bytes of what was, when the file formats are loaded. */
export type Encode = () => Uint8Array;

/** The nodes of a graph as it was, and its files. */
class Snapshot {
  readonly nodes: Nodes;
  readonly #steps: string[];
  readonly #globalStep: string | undefined;
  #graphDef: Uint8Array | undefined;
  #metaGraphDef: Uint8Array | undefined;

  constructor(graph: Graph, saved: Saveables) {
    this.nodes = nodesOf(graph, saved);
    this.#steps = graph.functions.filter(({kind}) => kind === 'step')
        .map(({name}) => name);
    const step = getGlobalStep(graph);
    this.#globalStep = step instanceof GlobalStep ? step.name : undefined;
  }

  #nodesDef(): Uint8Array {
    return this.#graphDef ??= encodeGraph({nodes: this.nodes.all});
  }

  // Copies: whoever writes a file may hand the bytes to another realm.
  readonly graphDef: Encode = () => this.#nodesDef().slice();

  readonly metaGraphDef: Encode = () => {
    this.#metaGraphDef ??= encodeMetaGraph({
      graphDef: this.#nodesDef(), collections: this.#collections(),
    });
    return this.#metaGraphDef.slice();
  };

  #collections(): Record<string, Collection> {
    const variables = [...this.nodes.variables.values()];
    const trainable = variables.filter((v) => v.trainable);
    const step = variables.find(({name}) => name === this.#globalStep);
    return {
      variables: {bytes: variables.map(defOf)},
      trainable_variables: {bytes: trainable.map(defOf)},
      ...(step ? {global_step: {bytes: [defOf(step)]}} : {}),
      ...(this.#steps.length > 0 ? {train_op: {nodes: this.#steps}} : {}),
    };
  }
}

// Each save writes the graph, which seldom changes.
const snapshots = new WeakMap<Graph, {key: string, snapshot: Snapshot}>();

function snapshotOf(graph: Graph): Snapshot {
  const saved = saveablesOf(graph, true);
  // With the version, all that the nodes are made of.
  const key = [graph.version, ...[...saved].map(([name, s]) =>
    [name, s.dtype, shapeOf(s), isTrainable(graph, name, s)].join())].join('\n');
  const last = snapshots.get(graph);
  if (last?.key === key) return last.snapshot;
  const snapshot = new Snapshot(graph, saved);
  snapshots.set(graph, {key, snapshot});
  return snapshot;
}

/** The nodes of a graph; every input names a node that is there. */
export function graphNodes(graph: Graph): GraphNode[] {
  return snapshotOf(graph).nodes.all;
}

/** The GraphDef of a graph as it is now. */
export function frozenGraphDef(graph: Graph): Encode {
  return snapshotOf(graph).graphDef;
}

/**
 * Its MetaGraphDef, with the collections that TensorFlow makes a Saver,
 * gradients and the global step of. TensorFlow takes it when every kernel has a
 * twin there.
 */
export function frozenMetaGraphDef(graph: Graph): Encode {
  return snapshotOf(graph).metaGraphDef;
}

/** The bytes of a graph's GraphDef. */
export function graphDef(graph: Graph): Uint8Array {
  return frozenGraphDef(graph)();
}

/** The bytes of its MetaGraphDef. */
export function metaGraphDef(graph: Graph): Uint8Array {
  return frozenMetaGraphDef(graph)();
}
