/** Arguments by position or by name, in either case. */
import {shown} from '../../errors.js';
import {valueError} from './errors.js';

/** `save_secs` as `saveSecs`. */
export function camelCase(key: string): string {
  return key.replace(/(?<=.)_([a-z0-9])/g, (_, c: string) => c.toUpperCase());
}

/** `saveSecs` as `save_secs`. */
export function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
}

/** Errors: settings that are given but no numbers. */
export function checkNumbers(
    what: string, settings: Readonly<Record<string, unknown>>): void {
  for (const [name, x] of Object.entries(settings)) {
    if (x === undefined || x === null) continue;
    if (typeof x === 'number' && !Number.isNaN(x)) continue;
    throw valueError(
        `${what}: ${snakeCase(name)} must be a number, got ${shown(x)}`);
  }
}

// Settings that are called, by what is called of them.
const called: Readonly<Record<string, readonly string[]>> = {
  clock: ['now', 'wallTime', 'sleep'],
  ...Object.fromEntries(['onLog', 'open', 'formatter', 'spawn', 'onEvent']
      .map((name) => [name, ['call']])),
};

/** True for objects without a class. */
export function isPlain(x: unknown): x is Record<string, unknown> {
  if (typeof x !== 'object' || x === null) return false;
  const prototype: unknown = Object.getPrototypeOf(x);
  return prototype === Object.prototype || prototype === null;
}

/**
 * Settings from arguments: `positional` names the first ones; a last object
 * has settings by name, in either case, unless it stands where one of `objects`
 * does and has other keys. Undefined is as if not given. Errors: too many; an
 * unknown name; a clock or a log that is none.
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
    throw valueError(
        `${what}: ${byPosition.length} arguments are too many, it takes ` +
            positional.join(', '));
  }
  const out: Record<string, unknown> = {};
  byPosition.forEach((value, i) => {
    if (value !== undefined) out[positional[i]!] = value;
  });
  if (named) {
    for (const [key, value] of Object.entries(last)) {
      const name = camelCase(key);
      if (!known.has(name)) {
        throw valueError(`${what}: there is no option '${key}', only ` +
            [...known].join(', '));
      }
      if (value !== undefined) out[name] = value;
    }
  }
  for (const name of Object.keys(out).filter((key) => key in called)) {
    const value = out[name] as Record<string, unknown> | null;
    if (value === null) delete out[name];
    else if (called[name]!.some((f) => typeof value[f] !== 'function')) {
      const kind = name === 'clock' ? 'Clock' : 'function';
      throw valueError(
          `${what}: ${snakeCase(name)} must be a ${kind}, got ${shown(value)}`);
    }
  }
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
