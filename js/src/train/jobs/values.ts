/** Values of variables and gradients on their way between realms. */
import {tensor} from '../../ops/creation.js';
import {tidy} from '../../scope.js';
import {isTensor} from '../../tensor.js';
import type {Tensor} from '../../tensor.js';
import {InvalidArgumentError} from '../session/errors.js';
import type {Graph} from '../session/graph.js';
import type {
  Contribution, Place, StepPart, Update, Values, Weights,
} from './messages.js';

/** A tensor's values; its buffer is their own and can be given away. */
export function valuesOf(name: string, x: Tensor): Values {
  return {
    name, dtype: x.dtype, shape: x.shape, values: x.dataSync(),
  };
}

/** The values as a tensor. */
export function tensorOf({dtype, shape, values}: Values): Tensor {
  return tensor(values as never, [...shape], dtype);
}

/** All variables of a graph in one buffer. */
export function packWeights(graph: Graph): Weights {
  const places: Place[] = [];
  const all: Uint8Array[] = [];
  let offset = 0;
  for (const [name, v] of graph.variables) {
    const bytes = v.bytesSync();
    places.push({name, dtype: v.dtype, shape: v.shape, offset});
    all.push(bytes);
    offset += Math.ceil(bytes.length / 4) * 4;
  }
  const packed = new Uint8Array(offset);
  all.forEach((bytes, i) => packed.set(bytes, places[i]!.offset));
  return {places, bytes: packed.buffer};
}

/**
 * Gives a graph's variables the packed values. Errors: the graph has others
 * than the one they come from.
 */
export function unpackWeights(graph: Graph, {places, bytes}: Weights): void {
  const own = graph.variables;
  for (const {name} of places) own.delete(name);
  const extra = [...own].find(([, v]) => v.trainable)?.[0];
  if (extra !== undefined) throw differs(extra, 'this worker', 'the chief');
  for (const place of places) {
    const v = graph.variableNamed(place.name);
    if (v === undefined) throw differs(place.name, 'the chief', 'this worker');
    if (String(v.shape) !== String(place.shape) || v.dtype !== place.dtype) {
      throw new InvalidArgumentError(
          `the variable '${place.name}' is ${place.dtype} [${place.shape}] on ` +
              `the chief and ${v.dtype} [${v.shape}] on this worker`);
    }
    const Kind = place.dtype === 'float32' ? Float32Array :
      place.dtype === 'int32' ? Int32Array : Uint8Array;
    const size = place.shape.reduce((a, n) => a * n, 1);
    tidy(() => v.assign(tensorOf(
        {...place, values: new Kind(bytes, place.offset, size)})));
  }
}

function differs(name: string, has: string, lacks: string): Error {
  return new InvalidArgumentError(
      `${has} has a variable '${name}' that ${lacks} has not: chief and ` +
          'workers run the same module, and all variables must be made before ' +
          'the session is');
}

/** A result with its scalars as numbers and null for everything else. */
export function scalarsOf(result: unknown): unknown {
  if (isTensor(result)) {
    return result.rank === 0 ? Number(result.dataSync()[0]) : null;
  }
  if (typeof result === 'number') return result;
  if (Array.isArray(result)) return (result as unknown[]).map(scalarsOf);
  if (typeof result !== 'object' || result === null ||
      ArrayBuffer.isView(result)) {
    return null;
  }
  return Object.fromEntries(
      Object.entries(result).map(([key, x]) => [key, scalarsOf(x)]));
}

/** What workers did in one step, each weighed by its examples. */
export function average(
    given: readonly Contribution[], name: string): StepPart {
  const total = given.reduce((sum, {count}) => sum + count, 0);
  const shares = given.map(({count}) => count / total);
  const parts = given.map(({parts}) => parts[name]!);
  const first = parts[0]!;
  for (const {updates} of parts) {
    const same = updates.length === first.updates.length &&
        updates.every(({optimizer, kind}, i) =>
          optimizer === first.updates[i]!.optimizer &&
          kind === first.updates[i]!.kind);
    if (!same) {
      throw new InvalidArgumentError(
          `the workers' steps '${name}' update with different optimizers`);
    }
  }
  return {
    updates: first.updates.map((update, i): Update => ({
      ...update,
      gradients: blend(parts.map((p) => p.updates[i]!.gradients), shares),
    })),
    assigned: mean(parts.map((p) => p.assigned), shares),
    scalars: blendScalars(parts.map((p) => p.scalars), shares),
    // Those of the first worker: histograms and images have no mean.
    summaries: first.summaries,
  };
}

// Of each name the weighted sum: whoever has no gradient adds none.
function blend(
    lists: readonly (readonly Values[])[],
    shares: readonly number[]): Values[] {
  if (lists.length === 1) return [...lists[0]!];
  const sums = new Map<string, Values>();
  lists.forEach((list, i) => {
    const share = shares[i]!;
    for (const {name, dtype, shape, values} of list) {
      let sum = sums.get(name)?.values;
      if (sum === undefined) {
        sum = dtype === 'float32' ? new Float32Array(values.length) :
          values.slice();
        sums.set(name, {name, dtype, shape, values: sum});
      }
      // Counters and flags are the first worker's.
      if (dtype !== 'float32') continue;
      for (let k = 0; k < values.length; k++) sum[k]! += share * values[k]!;
    }
  });
  return [...sums.values()];
}

// Of each name the weighted mean of those that have it.
function mean(
    lists: readonly (readonly Values[])[],
    shares: readonly number[]): Values[] {
  return blend(lists, shares).map((blended) => {
    let present = 0;
    lists.forEach((list, i) => {
      if (list.some(({name}) => name === blended.name)) present += shares[i]!;
    });
    if (blended.dtype !== 'float32' || lists.length === 1) return blended;
    return {...blended, values: blended.values.map((x) => x / present)};
  });
}

function blendScalars(
    all: readonly unknown[], shares: readonly number[]): unknown {
  const [first] = all;
  if (typeof first === 'number') {
    return all.reduce<number>(
        (sum, x, i) => sum + shares[i]! * (typeof x === 'number' ? x : NaN), 0);
  }
  if (Array.isArray(first)) {
    return first.map((_, i) =>
      blendScalars(all.map((x) => (x as unknown[] | null)?.[i]), shares));
  }
  if (typeof first !== 'object' || first === null) return null;
  return Object.fromEntries(Object.keys(first).map((key) => [
    key,
    blendScalars(
        all.map((x) => (x as Record<string, unknown> | null)?.[key]), shares),
  ]));
}

/** The buffers of a contribution, to be given away. */
export function buffersOf(parts: Readonly<Record<string, StepPart>>): ArrayBuffer[] {
  return Object.values(parts).flatMap(({updates, assigned}) =>
    [...updates.flatMap(({gradients}) => gradients), ...assigned]
        .map(({values}) => values.buffer as ArrayBuffer));
}
