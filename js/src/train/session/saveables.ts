/** What a checkpoint of a graph has: the keys, and values back from it. */
import type {BundleEntry} from '../../io/checkpoint/bundle.js';
import {tensor} from '../../ops/creation.js';
import {keep, tidy} from '../../scope.js';
import type {Tensor} from '../../tensor.js';
import {Variable, variableNamed} from '../../variable.js';
import type {Optimizer, OptimizerSlot} from '../optimizer.js';
import type {CheckpointReader, HostTensor} from './checkpoint_reader.js';
import {InvalidArgumentError, NotFoundError, valueError} from './errors.js';
import {GlobalStep, getGlobalStep} from './global_step.js';
import {isNodeName} from './graph.js';
import type {Graph} from './graph.js';

/** Variables, the global step, or counters by the names they are saved under. */
export type Saveables = ReadonlyMap<string, Saveable>;
/** A counter that is kept as a tensor of one element. */
export interface Counter {
  readonly dtype: 'float32' | 'int64';
  read(): number | bigint;
  /** Undefined where the checkpoint has none. */
  write(value: number | bigint | undefined, reader: ReadCounter): void;
  /** True when a checkpoint may be without it. */
  readonly optional: boolean;
  /** Keys that tell it too. */
  readonly others: readonly string[];
}
type ReadCounter = (key: string) => number | undefined;
export type Saveable = Variable | GlobalStep | Counter;

/** True for the counters of optimizers. */
export const isCounter = (s: Saveable): s is Counter => 'write' in s;

// Slots that no checkpoint of before can have: how to begin anew with them.
const late = new WeakMap<Saveable, () => void>();
// The steps an optimizer had made when it came late.
const starts = new WeakMap<Optimizer, number>();

function checkKey(key: string): void {
  if (/^\d+$/.test(key) || !isNodeName(key)) {
    throw valueError(
        `Saver: '${key}' is no name that a later run could find a variable ` +
            "by: name it, as in tf.variable(x, true, 'weights'), of letters, " +
            'digits and _ . - / >, and a letter, a digit or . first');
  }
}

/** Saveables that a program has listed or named. */
export function givenSaveables(
    graph: Graph,
    given: readonly (Variable | GlobalStep)[] |
      Readonly<Record<string, Variable | GlobalStep>>): Saveables {
  const inGraph = namesIn(graph);
  const pairs = Array.isArray(given) ?
    (given as (Variable | GlobalStep)[]).map((v) =>
      [v instanceof GlobalStep ? v.name : inGraph.get(v) ?? v.givenName, v] as const) :
    Object.entries(given as Record<string, Variable | GlobalStep>);
  const out = new Map<string, Saveable>();
  for (const [key, v] of pairs) {
    if (!(v instanceof Variable) && !(v instanceof GlobalStep)) {
      throw valueError(`Saver: what '${key}' names is no variable`);
    }
    // Names that a program gives itself may be any.
    if (Array.isArray(given)) checkKey(key);
    if (key === '' || out.has(key)) {
      throw valueError(
          key === '' ? 'Saver: a name is empty' :
            `Saver: At least two variables have the same name: ${key}`);
    }
    out.set(key, v);
  }
  return out;
}

function namesIn(graph: Graph): Map<Variable, string> {
  return new Map([...graph.variables].map(([name, v]) => [v, name]));
}

/**
 * All there is to save of a graph: variables, slots, counters, the step.
 * Errors: a name that no later run would find, unless it is `lenient`: then
 * names that are no names of nodes are left out.
 */
export function saveablesOf(graph: Graph, lenient = false): Saveables {
  const out = new Map<string, Saveable>();
  for (const [name, v] of graph.variables) {
    if (!lenient) checkKey(name);
    else if (!isNodeName(name)) continue;
    out.set(name, v);
  }
  const step = getGlobalStep(graph);
  if (step !== null && out.has(step.name) && !lenient) {
    throw valueError(`Saver: a variable is named '${step.name}', as the count ` +
        'of steps is in checkpoints: give it another name');
  }
  if (step !== null) out.set(step.name, step);
  const unique = (key: string): string => {
    let free = key;
    for (let n = 1; out.has(free); n++) free = `${key}_${n}`;
    return free;
  };
  for (const optimizer of graph.optimizers) {
    addOptimizer(optimizer, graph, unique, (key, s) => out.set(key, s));
  }
  return out;
}

// What TensorFlow 1 calls the slots of its optimizers.
const tensorflowNames: Readonly<Record<string, string>> = {
  Adamax: 'AdaMax',
};
// TensorFlow numbers slots in the order it makes them.
const slotOrder: Readonly<Record<string, readonly string[]>> = {
  RMSProp: ['rms', 'mg', 'momentum'],
};
// Their steps do not depend on how many there were.
const stepless = new Set(['SGD', 'Momentum', 'Adagrad', 'Adadelta', 'RMSProp']);

function addOptimizer(
    optimizer: Optimizer, graph: Graph, unique: (key: string) => string,
    add: (key: string, s: Saveable) => void): void {
  const kind = optimizer.getClassName();
  const name = tensorflowNames[kind] ?? kind;
  const order = slotOrder[kind] ?? [];
  const names = namesIn(graph);
  const slots = optimizer.slots();
  const isLate = graph.isLate(optimizer) ||
      (slots.length > 0 && slots.every(({value}) => late.has(value)));
  const byKey = new Map<string, typeof slots>();
  for (const slot of slots) {
    const v = variableNamed(slot.owner);
    const key = v && names.get(v);
    if (key === undefined) continue;
    byKey.set(key, [...byKey.get(key) ?? [], slot]);
  }
  // Slots of one variable stay together, in TensorFlow's order.
  const place = ({slot}: {slot: string}): number => order.indexOf(slot);
  for (const [key, own] of byKey) {
    own.sort((a, b) => place(a) - place(b));
    for (const slot of own) {
      if (isLate) noteLate(optimizer, slot);
      add(unique(`${key}/${name}`), slot.value);
    }
  }
  if (!stepless.has(kind) && slots.length > 0) {
    addCounters(optimizer, name, isLate, unique, add);
  }
}

function noteLate(optimizer: Optimizer, slot: OptimizerSlot): void {
  if (late.has(slot.value)) return;
  late.set(slot.value, () => optimizer.resetSlot(slot));
}

/** The slots of a graph's variables: others are another graph's affair. */
export function slotsIn(graph: Graph, optimizer: Optimizer): OptimizerSlot[] {
  const own = new Set<unknown>(graph.variables.values());
  return optimizer.slots().filter(({owner}) => own.has(variableNamed(owner)));
}

/**
 * Takes note of slots that were made when checkpoints could be there already,
 * those of `fresh` variables, and of what an optimizer that has `joined` the
 * graph brings with it.
 */
export function noteArrival(
    optimizer: Optimizer, graph: Graph, fresh: readonly Variable[],
    joined: boolean): void {
  const names = new Set(fresh.map(({name}) => name));
  if (joined || optimizer.slots().every(({owner}) => names.has(owner))) {
    starts.set(optimizer, optimizer.iterations);
  }
  for (const slot of slotsIn(graph, optimizer)) {
    const {value} = slot;
    if (names.has(slot.owner)) {
      noteLate(optimizer, slot);
    } else if (joined) {
      const data = value.dataSync();
      late.set(value, () => tidy(() => value.assign(
          tensor(data, value.shape as never, value.dtype))));
    }
  }
}

/** Gives an optimizer that came late the steps it had made when it came. */
export function resetLate(optimizer: Optimizer): void {
  optimizer.resume(starts.get(optimizer) ?? 0);
}

/** The same for one of its slots: what it had. */
export function resetLateSlot(optimizer: Optimizer, slot: OptimizerSlot): void {
  const reset = late.get(slot.value);
  if (reset !== undefined) reset();
  else optimizer.resetSlot(slot);
}

function addCounters(
    optimizer: Optimizer, name: string, isLate: boolean,
    unique: (key: string) => string,
    add: (key: string, s: Saveable) => void): void {
  const config = optimizer.getConfig();
  const betas = (name === 'AdaMax' ? ['beta1'] : ['beta1', 'beta2'])
      .filter((beta) => typeof config[beta] === 'number')
      .map((beta) => ({
        key: unique(`${beta}_power`), beta: config[beta] as number,
      }));
  for (const {key, beta} of betas) {
    add(key, {
      dtype: 'float32',
      read: () => beta ** (optimizer.iterations + 1),
      write: () => {},
      optional: isLate,
      others: [],
    });
  }
  add(unique(`${name}/iterations`), {
    dtype: 'int64',
    read: () => BigInt(optimizer.iterations),
    write: (value, read) => optimizer.resume(
        value === undefined ? stepsOfPowers(betas, read) ??
          starts.get(optimizer) ?? 0 : Number(value)),
    // TensorFlow has the powers only.
    optional: isLate || betas.length > 0,
    others: betas.map(({key}) => key),
  });
}

// How often a beta was multiplied: the one nearest to 1 tells it longest.
function stepsOfPowers(
    betas: readonly {key: string, beta: number}[], read: ReadCounter)
    : number | undefined {
  const best = [...betas].sort((a, b) => b.beta - a.beta)
      .map(({key, beta}) => ({power: read(key), beta}))
      .find(({power, beta}) => power !== undefined && beta > 0 && beta < 1);
  if (best === undefined) return undefined;
  const power = Math.max(best.power!, 1e-45);
  return Math.max(0, Math.round(Math.log(power) / Math.log(best.beta)) - 1);
}

/** The element types a variable takes values of. */
const readableAs: Readonly<Record<string, readonly string[]>> = {
  float32: ['float32', 'float16', 'bfloat16'],
  int32: ['int32'],
  bool: ['bool'],
  int64: ['int64'],
};

type Typed = Pick<BundleEntry, 'dtype' | 'shape'>;

function checkEntry(
    name: string, entry: Typed, dtype: string,
    shape: readonly number[]): void {
  if (!readableAs[dtype]!.includes(entry.dtype)) {
    throw new InvalidArgumentError(
        `restore: '${name}' is ${entry.dtype} in the checkpoint and ${dtype} ` +
            'here. Read it with tf.train.loadCheckpoint(path), convert it ' +
            'and assign it yourself, or save it as ' + dtype);
  }
  const same = entry.shape.length === shape.length &&
      entry.shape.every((n, i) => n === shape[i]);
  if (same) return;
  throw new InvalidArgumentError(
      'Assign requires shapes of both tensors to match: ' +
          `'${name}' is [${shape}] here and [${entry.shape}] in the ` +
          'checkpoint. Was the model changed since?');
}

const wanted = (name: string, s: Saveable, reader: CheckpointReader)
    : BundleEntry | undefined => {
  const entry = reader.entries.get(name);
  if (entry !== undefined) return entry;
  if (isCounter(s) ? s.optional : late.has(s)) return undefined;
  throw new NotFoundError(
      `Key ${name} not found in checkpoint '${reader.path}'. If the names of ` +
          'layers or variables have changed because models were made before, ' +
          'call tf.keras.backend.clear_session() before making this one; else ' +
          'the checkpoint is of another model or optimizer');
};

/**
 * Gives saveables the values of a checkpoint: all of them or, on an error,
 * none.
 *
 * Errors: NotFound for what the checkpoint has not; InvalidArgument for other
 * dtypes and shapes; DataLoss where it is damaged.
 */
export async function restoreAll(
    saveables: Saveables, reader: CheckpointReader): Promise<void> {
  for (const [name, s] of saveables) {
    const entry = wanted(name, s, reader);
    if (entry !== undefined) check(name, s, entry);
  }
  const hosts = new Map<string, HostTensor>();
  const tensors = new Map<string, Tensor>();
  try {
    for (const [name, s] of saveables) {
      if (!reader.hasTensor(name)) continue;
      const host = await reader.getTensor(name);
      if (s instanceof Variable) tensors.set(name, made(host, s));
      else hosts.set(name, host);
    }
    for (const [name, s] of saveables) {
      if (!(s instanceof Variable)) continue;
      const value = tensors.get(name);
      if (value !== undefined) s.assign(value);
      else late.get(s)?.();
    }
  } finally {
    for (const value of tensors.values()) value.dispose();
  }
  count(saveables, hosts);
}

/** The same at once, of those that `hosts` has. Errors: other dtypes, shapes. */
export function restoreFrom(
    saveables: Saveables, hosts: ReadonlyMap<string, HostTensor>): void {
  const found = [...saveables].filter(([name]) => hosts.has(name));
  for (const [name, s] of found) check(name, s, hosts.get(name)!);
  for (const [name, s] of found) {
    if (!(s instanceof Variable)) continue;
    const value = made(hosts.get(name)!, s);
    s.assign(value);
    value.dispose();
  }
  count([...saveables].filter(([name, s]) => isCounter(s) &&
      [name, ...s.others].some((key) => hosts.has(key))), hosts);
}

function count(
    saveables: Iterable<readonly [string, Saveable]>,
    hosts: ReadonlyMap<string, HostTensor>): void {
  const value = (name: string): number | bigint | undefined =>
    (hosts.get(name)?.data as BigInt64Array | Float32Array | undefined)?.[0];
  const read: ReadCounter = (key) =>
    hosts.has(key) ? Number(value(key)) : undefined;
  for (const [name, s] of saveables) {
    if (s instanceof GlobalStep) s.assign(value(name)!);
    else if (isCounter(s)) s.write(value(name), read);
  }
}

function check(name: string, s: Saveable, entry: Typed): void {
  checkEntry(name, entry, s.dtype, s instanceof Variable ? s.shape : []);
}

function made({dtype, shape, data}: HostTensor, v: Variable): Tensor {
  const values = dtype === 'float16' || dtype === 'bfloat16' ?
    widened(data as Uint16Array, dtype) : data;
  return tidy(() => keep(tensor(
      values as Float32Array | Int32Array | Uint8Array, shape as never, v.dtype)));
}

/** Floats of 16 bits as floats of 32, which have all of their values. */
export function widened(
    bits: Uint16Array, dtype: 'float16' | 'bfloat16'): Float32Array {
  if (dtype === 'bfloat16') {
    return new Float32Array(Uint32Array.from(bits, (b) => b << 16).buffer);
  }
  return Float32Array.from(bits, (b) => {
    const sign = b & 0x8000 ? -1 : 1;
    const exponent = (b >> 10) & 31;
    const fraction = b & 1023;
    if (exponent === 31) return fraction ? NaN : sign * Infinity;
    return exponent === 0 ? sign * fraction * 2 ** -24 :
      sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  });
}
