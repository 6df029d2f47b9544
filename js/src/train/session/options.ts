/** Arguments by position or by name, in either case. */
import {shown} from '../../errors.js';
import {valueError} from './errors.js';
import {checkKinds, snakeCase} from './kinds.js';

export {snakeCase};

/** Stands for an argument's default, as undefined does. */
export const USE_DEFAULT: unique symbol = Symbol('USE_DEFAULT');

/** `save_secs` as `saveSecs`. */
export function camelCase(key: string): string {
  return key.replace(/(?<=.)_([a-z0-9])/g, (_, c: string) => c.toUpperCase());
}

/** True for objects without a class. */
export function isPlain(x: unknown): x is Record<string, unknown> {
  if (typeof x !== 'object' || x === null) return false;
  const prototype: unknown = Object.getPrototypeOf(x);
  return prototype === Object.prototype || prototype === null;
}

/** How many letters differ. */
function distance(a: string, b: string): number {
  let above = Array.from({length: b.length + 1}, (_, i) => i);
  for (let i = 0; i < a.length; i++) {
    const row = [i + 1];
    for (let j = 0; j < b.length; j++) {
      row.push(Math.min(
          row[j]! + 1, above[j + 1]! + 1, above[j]! + Number(a[i] !== b[j])));
    }
    above = row;
  }
  return above.at(-1)!;
}

/** The one that `name` may be a misspelling of: a letter in four may differ. */
export function nearest(
    name: string, known: readonly string[]): string | undefined {
  const plain = (x: string): string => x.replace(/_/g, '').toLowerCase();
  const [best] = known
      .map((to) => [to, distance(plain(name), plain(to))] as const)
      .filter(([to, d]) => d <= plain(to).length / 4)
      .sort(([, a], [, b]) => a - b);
  return best?.[0];
}

/**
 * Settings from arguments: `positional` names the first ones; a last object
 * has settings by name, in either case, unless it stands where one of `objects`
 * does and has other keys. Undefined is as if not given. Errors: too many; an
 * unknown name; one that is given twice; what is not as its name says.
 */
export function optionsOf<T extends object>(
    what: string, given: readonly unknown[], positional: readonly string[],
    others: readonly string[] = [], objects: readonly string[] = []): T {
  const known = new Set([...positional, ...others]);
  const last = given.at(-1);
  // Some positional arguments are plain objects themselves.
  const mayBeValue = objects.includes(positional[given.length - 1] ?? '');
  const named = isPlain(last) && (!mayBeValue ||
      (Object.keys(last).length > 0 &&
       Object.keys(last).every((key) => known.has(camelCase(key)))));
  const byPosition = named ? given.slice(0, -1) : given;
  if (byPosition.length > positional.length) {
    throw valueError(positional.length === 0 ?
      `${what}: expected an object of options, got ${shown(last)}` :
      `${what}: ${byPosition.length} arguments are too many, it takes ` +
          positional.join(', '));
  }
  const out: Record<string, unknown> = {};
  const put = (name: string, value: unknown): void => {
    if (value === undefined || value === USE_DEFAULT) return;
    if (name in out) throw valueError(`${what}: '${name}' is given twice`);
    out[name] = value;
  };
  byPosition.forEach((value, i) => put(positional[i]!, value));
  if (named) {
    for (const [key, value] of Object.entries(last)) {
      const name = camelCase(key);
      if (!known.has(name)) {
        throw valueError(`${what}: there is no option '${key}', only ` +
            [...known].join(', '));
      }
      put(name, value);
    }
  }
  checkKinds(what, out);
  return out as T;
}

/** `saveSecs` in snake_case, as a type. */
export type Snake<S extends string> =
  S extends `${infer Head}${infer Tail}` ?
    `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${
      Snake<Tail>}` : S;

/** Functions under their own names and in snake_case. */
export type Twins<F> = F & {[K in keyof F as K extends string ? Snake<K> : K]: F[K]};

/** The functions, each under its own name and in snake_case. */
export function twins<F extends object>(functions: F): Twins<F> {
  const both = {...functions} as Record<string, unknown>;
  for (const [name, f] of Object.entries(functions)) both[snakeCase(name)] = f;
  return both as Twins<F>;
}

/** Settings under their names in either case. */
export type EitherCase<A> =
  Partial<A> & {[K in keyof A as K extends string ? Snake<K> : K]?: A[K]};

/** Some of the settings by position, then an object with the others. */
export type Arguments<A, K extends readonly unknown[]> =
  K extends readonly [infer First extends keyof A, ...infer Rest] ?
    [EitherCase<A>?] | [A[First], ...Arguments<A, Rest>] : [EitherCase<A>?];
