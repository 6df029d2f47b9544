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

function isPlaceholder(x: object): x is Placeholder {
  return Object.hasOwn(x, 'toString') && 'dtype' in x && 'shape' in x;
}

/** Calls `f` for each leaf and gives what it answers the same nesting. */
export function mapFetches(
    fetches: unknown, f: (leaf: unknown) => unknown): unknown {
  if (isLeaf(fetches)) return f(fetches);
  if (Array.isArray(fetches)) {
    return (fetches as unknown[]).map((x) => mapFetches(x, f));
  }
  const out: Record<string, unknown> = {};
  for (const [key, x] of Object.entries(fetches as object)) {
    out[key] = mapFetches(x, f);
  }
  return out;
}

/** The leaves, in order. */
export function leavesOf(fetches: unknown): unknown[] {
  const leaves: unknown[] = [];
  mapFetches(fetches, (leaf) => {
    leaves.push(leaf);
    return null;
  });
  return leaves;
}

/** Checks that all of them can be fetched. */
export function checkLeaves(leaves: readonly unknown[]): void {
  for (const leaf of leaves) {
    const good = leaf === null || typeof leaf === 'string' ||
        leaf instanceof GraphFunction || leaf instanceof Variable ||
        leaf instanceof GlobalStep ||
        (typeof leaf === 'object' && isPlaceholder(leaf));
    if (good) continue;
    throw new InvalidArgumentError(
        `run: ${isTensor(leaf) ? 'a tensor' : shown(leaf)} cannot be ` +
            'fetched: give a step, a fetch, a variable or a name');
  }
}

/** A function's result as plain values. */
export function hostValue(x: unknown): unknown {
  if (isTensor(x)) return x.arraySync();
  if (x === undefined || x === null) return null;
  if (typeof x !== 'object' || ArrayBuffer.isView(x)) return x;
  if (Array.isArray(x)) return (x as unknown[]).map(hostValue);
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(x)) out[key] = hostValue(value);
  return out;
}
