/**
 * Classes as Keras has them: called with or without `new`, the first settings
 * by position, the others in an object, in camelCase or snake_case. What they
 * make is named in Keras' way.
 */
import {toCamelCase} from './key_case.js';
import {withNamingStyle} from './naming.js';
import type {Arguments} from '../train/session/options.js';

export {twins} from '../train/session/options.js';
export type {
  Arguments as KerasArgs, EitherCase, Snake, Twins,
} from '../train/session/options.js';

/** A class that may be called. */
export interface KerasClass<A, K extends readonly unknown[], T> {
  (...args: Arguments<A, K>): T;
  new (...args: Arguments<A, K>): T;
  readonly className: string;
  readonly prototype: T;
}

function isSettings(x: unknown): x is Record<string, unknown> {
  if (typeof x !== 'object' || x === null) return false;
  const prototype: unknown = Object.getPrototypeOf(x);
  return (prototype === Object.prototype || prototype === null) &&
      !('className' in x || 'class_name' in x);
}

/** Arguments by position and by name as one object of settings. */
export function settingsOf(
    args: readonly unknown[],
    names: readonly string[]): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  args.forEach((value, i) => {
    if (i === args.length - 1 && isSettings(value)) {
      for (const [key, x] of Object.entries(value)) {
        settings[toCamelCase(key)] = x;
      }
    } else if (value !== undefined && names[i] !== undefined) {
      settings[names[i]] = value;
    }
  });
  return settings;
}

/** A class as Keras has it; `names` are its positional parameters. */
export function kerasClass<
  A, T, const K extends readonly (keyof NonNullable<A> & string)[]>(
    cls: abstract new (args: A) => T,
    ...names: K): KerasClass<NonNullable<A>, K, T> {
  const make = (args: readonly unknown[], target: object): object =>
    withNamingStyle('keras', () => Reflect.construct(
        cls as unknown as new (args: unknown) => object,
        [settingsOf(args, names)], target as new () => object));
  const proxy: unknown = new Proxy(cls, {
    apply: (_, _self, args: unknown[]) => make(args, cls),
    // Subclasses come this way too: the target is theirs.
    construct: (_, args: unknown[], target) =>
      make(args, target === proxy ? cls : target),
  });
  return proxy as KerasClass<NonNullable<A>, K, T>;
}
