/** Placeholders: where a run's values come in. */
import {TensorError, shown} from '../../errors.js';
import {isTypedArray, isWide} from '../../nest.js';
import {tensor} from '../../ops/creation.js';
import {isTensor} from '../../tensor.js';
import type {Tensor} from '../../tensor.js';
import {dtypes} from '../../types.js';
import type {DataType} from '../../types.js';
import {InvalidArgumentError, valueError} from './errors.js';
import {getDefaultGraph} from './graph.js';
import type {Graph, Placeholder} from './graph.js';

/** What can be fed: a tensor, which stays yours, or plain values. */
export type FeedValue = unknown;
/** Feeds by placeholder or by name. */
export type Feeds =
  ReadonlyMap<Placeholder | string, FeedValue> |
  Readonly<Record<string, FeedValue>>;

/**
 * Declares where values come in. `shape` has null where a length may be any.
 *
 * Errors: an unknown dtype; a name that is taken.
 *
 * ```js
 * const x = new tf.Graph().asDefault(
 *     () => tf.placeholder('float32', [null, 2], 'x'));
 * x.shape; // => [null, 2]
 * ```
 */
export function placeholder(
    dtype: DataType, shape: readonly (number | null)[] = [],
    name?: string): Placeholder {
  if (!dtypes.includes(dtype)) {
    throw new TensorError(
        'dtype', `placeholder: dtype '${String(dtype)}' is not supported, ` +
            `only ${dtypes.join(', ')}`);
  }
  const lengths: unknown = shape;
  if (!Array.isArray(lengths) ||
      !lengths.every((n) => n === null || (Number.isInteger(n) && n >= 0))) {
    throw new InvalidArgumentError(
        `placeholder: shape must be a list of lengths and nulls, got ${
          JSON.stringify(lengths)}`);
  }
  const graph = getDefaultGraph();
  const made: Placeholder = {
    name: name ?? graph.uniqueName('Placeholder'),
    dtype,
    shape: [...shape],
    toString: () => made.name,
  };
  graph.addPlaceholder(made);
  return made;
}

const bare = (name: string): string => name.replace(/:0$/, '');

/** Feeds by placeholder. Errors: no such placeholder; one fed twice. */
export function resolveFeeds(
    graph: Graph, feeds: Feeds | null | undefined):
    Map<Placeholder, FeedValue> {
  const out = new Map<Placeholder, FeedValue>();
  if (feeds === null || feeds === undefined) return out;
  if (typeof feeds !== 'object' || Array.isArray(feeds) || isTensor(feeds)) {
    throw new InvalidArgumentError(
        'feed: expected an object or a Map, by placeholders or their names');
  }
  const entries: [unknown, unknown][] =
      feeds instanceof Map ? [...feeds] : Object.entries(feeds);
  for (const [key, value] of entries) {
    const name = bare(String(key));
    const found = graph.placeholderNamed(name);
    if (found === undefined ||
        (typeof key !== 'string' && key !== found)) {
      throw new InvalidArgumentError(
          `feed: the graph has no placeholder '${name}'`);
    }
    if (out.has(found)) {
      throw new InvalidArgumentError(`feed: '${name}' is fed twice`);
    }
    out.set(found, value);
  }
  return out;
}

/** Errors: values that a dtype has not, and text, null and the like. */
function checkValues(p: Placeholder, value: unknown, depth = 0): void {
  // What is deeper is no tensor either.
  if (depth > 32) return;
  if (Array.isArray(value) || isTypedArray(value)) {
    const typed = isTypedArray(value);
    if (typed && (p.dtype !== 'int32' || value instanceof Int32Array)) return;
    const narrow = p.dtype === 'int32';
    for (const x of value as unknown[]) {
      // Most are numbers, and there may be many.
      if (typeof x !== 'number' || (narrow && x !== (x | 0))) {
        checkValues(p, x, depth + 1);
      }
    }
    return;
  }
  const number = Number(
      typeof value === 'boolean' || typeof value === 'bigint' ? value :
        typeof value === 'number' ? value : undefined);
  const none = typeof value !== 'number' && Number.isNaN(number);
  if (!none && (p.dtype !== 'int32' || number === (number | 0))) return;
  throw new InvalidArgumentError(
      `feed: '${p.name}' takes ${p.dtype}, got ${shown(value)}` +
          (none ? '' : ', which is no whole number from -2^31 to 2^31 - 1'));
}

/** A fed value as a tensor; plain values belong to the current scope. */
export function fedTensor(p: Placeholder, value: FeedValue): Tensor {
  let fed: Tensor;
  if (isTensor(value)) {
    fed = value;
    if (fed.dtype !== p.dtype) {
      throw new InvalidArgumentError(
          `feed: '${p.name}' takes ${p.dtype}, got ${fed.dtype}`);
    }
  } else {
    checkValues(p, value);
    try {
      const flat = ArrayBuffer.isView(value) && fits(p, value);
      fed = tensor(
          isWide(value) ? Array.from(value, Number) : value as number[],
          flat || undefined, p.dtype);
    } catch (error) {
      if (!(error instanceof TensorError)) throw error;
      throw new InvalidArgumentError(`feed: '${p.name}': ${error.message}`);
    }
  }
  const shape = fed.shape as number[];
  const same = shape.length === p.shape.length &&
      p.shape.every((n, i) => n === null || n === shape[i]);
  if (!same) {
    throw new InvalidArgumentError(
        `Cannot feed value of shape [${shape}] for placeholder '${p.name}', ` +
            `which has shape [${p.shape.map((n) => n ?? '?')}]`);
  }
  return fed;
}

/** The shape flat values take: all lengths but one must be known. */
function fits(p: Placeholder, value: ArrayBufferView): number[] | false {
  const length = (value as Float32Array).length;
  const open = p.shape.filter((n) => n === null).length;
  const known = p.shape.reduce<number>((a, n) => a * (n ?? 1), 1);
  if (open > 1 || (open === 0 ? known !== length : length % known !== 0)) {
    return false;
  }
  return p.shape.map((n) => n ?? length / known);
}

/** Checks what `step` and `fetch` were given as feeds. */
export function checkPlaceholders(
    what: string, feeds: Readonly<Record<string, Placeholder>>,
    graph: Graph): void {
  for (const [key, p] of Object.entries(feeds)) {
    if (graph.placeholderNamed(p?.name) !== p) {
      throw valueError(`${what}: '${key}' is no placeholder of the graph`);
    }
  }
}
