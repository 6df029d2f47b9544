/** What a run is asked for: nested fetches, and the values in their place. */
import {shown} from '../../errors.js';
import type {ArrayMap} from '../../types.js';
import {Variable} from '../../variable.js';
import {Tensor, isTensor} from '../../tensor.js';
import {InvalidArgumentError} from './errors.js';
import {GlobalStep} from './global_step.js';
import type {Placeholder} from './graph.js';
import {isPlain} from './options.js';
import {GraphFunction} from './step.js';

/** One thing to fetch; strings name variables, `global_step`, `fn/key`. */
export type Fetch =
  GraphFunction | Variable | GlobalStep | Placeholder | string | null;
/** Fetches in arrays and objects. */
export type Fetches =
  Fetch | readonly Fetches[] | {readonly [key: string]: Fetches};

/** A function's results as plain values. */
export type Host<R> =
  R extends Tensor<infer K> ? ArrayMap[K] :
    R extends number | string | boolean | null ? R :
      R extends void ? null :
        R extends readonly (infer E)[] ? Host<E>[] :
          R extends object ? {[K in keyof R]: Host<R[K]>} : unknown;

/** What fetching gives: plain values in the same nesting. */
export type Fetched<F> =
  F extends GraphFunction<infer R> ? Host<R> :
    F extends Variable<infer K> ? ArrayMap[K] :
      F extends GlobalStep ? number :
        F extends string ? unknown :
          F extends null | undefined ? null :
            F extends readonly unknown[] ? {-readonly [K in keyof F]: Fetched<F[K]>} :
              F extends object ? {[K in keyof F]: Fetched<F[K]>} : unknown;

// Maps, dates and the like hold nothing that could be fetched.
const isLeaf = (x: unknown): boolean =>
  !(Array.isArray(x) || isPlain(x)) || isPlaceholder(x);

/** True for what `tf.placeholder` made. */
export function isPlaceholder(x: unknown): x is Placeholder {
  return typeof x === 'object' && x !== null &&
      Object.hasOwn(x, 'toString') && 'dtype' in x && 'shape' in x;
}

/**
 * Calls `f` for each leaf and gives what it answers the same nesting. Errors:
 * an array or object that holds itself.
 */
export function mapFetches(
    fetches: unknown, f: (leaf: unknown) => unknown,
    cycle = () => 'run: what is fetched holds itself',
    within: readonly unknown[] = []): unknown {
  if (isLeaf(fetches)) return f(fetches);
  if (within.includes(fetches)) throw new InvalidArgumentError(cycle());
  const around = [...within, fetches];
  const inner = (x: unknown): unknown => mapFetches(x, f, cycle, around);
  if (Array.isArray(fetches)) return (fetches as unknown[]).map(inner);
  const out: Record<string, unknown> = {};
  for (const [key, x] of Object.entries(fetches as object)) out[key] = inner(x);
  return out;
}

/** The leaves, in order. */
export function leavesOf(fetches: unknown): unknown[] {
  // Most are one step or name, and every run asks.
  if (isLeaf(fetches)) return [fetches];
  const leaves: unknown[] = [];
  mapFetches(fetches, (leaf) => leaves.push(leaf));
  return leaves;
}

/** Errors: something that cannot be fetched. */
export function checkLeaf(who: string, leaf: unknown): void {
  const good = leaf === null || typeof leaf === 'string' ||
      leaf instanceof GraphFunction || leaf instanceof Variable ||
      leaf instanceof GlobalStep || isPlaceholder(leaf);
  if (good) return;
  throw new InvalidArgumentError(
      `${who}: ${isTensor(leaf) ? 'a tensor' : shown(leaf)} cannot be ` +
          'fetched: give a step, a fetch, a variable or a name');
}

/**
 * What a function returned with null for each value. Errors: what cannot be
 * fetched then, as Maps and instances of classes.
 */
export function outlineOf(
    name: string, result: unknown, more: () => string): unknown {
  return mapFetches(result, (leaf) => {
    const good = typeof leaf !== 'object' || leaf === null || isTensor(leaf) ||
        ArrayBuffer.isView(leaf);
    if (good) return leaf === undefined ? undefined : null;
    throw new InvalidArgumentError(
        `run: '${name}' returned ${shown(leaf)}: return tensors, plain ` +
            'values, and arrays and plain objects of these' + more());
  }, () => `run: what '${name}' returned holds itself${more()}`) ?? null;
}

/** A function's result as plain values. */
export function hostValue(x: unknown): unknown {
  return mapFetches(
      x, (leaf) => (isTensor(leaf) ? leaf.arraySync() : leaf ?? null));
}
