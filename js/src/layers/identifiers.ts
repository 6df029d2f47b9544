/** Initializers, regularizers, constraints and activations by name. */
import {TensorError} from '../errors.js';
import {lookUp} from './serialization.js';
import type {
  ConfigDict, CustomObjects, SerializableConstructor,
} from './serialization.js';

/** An object, its name, or the class name and settings of one. */
export type Identifier<T> = string | T | ConfigDict;

/**
 * One spelling for `glorotUniform`, `glorot_uniform` and `GlorotUniform`: names
 * are TensorFlow.js' or Keras'.
 */
export const plainName = (name: string): string =>
  name.replace(/_/g, '').toLowerCase();

/** The built-in classes of one kind, by plain name. */
export type KnownClasses<T> = ReadonlyMap<string, SerializableConstructor<T>>;

/** Classes by their own names and by others that mean the same. */
export function knownClasses<T>(
    classes: readonly SerializableConstructor<T>[],
    aliases: Record<string, SerializableConstructor<T>> = {}): KnownClasses<T> {
  return new Map([
    ...classes.map((cls) => [plainName(cls.className), cls] as const),
    ...Object.entries(aliases).map(([name, cls]) =>
      [plainName(name), cls] as const),
  ]);
}

// Layers are registered beside the rest, and some share a name with these.
const fits = (cls: unknown): cls is SerializableConstructor => {
  if (typeof cls !== 'function') return false;
  const made = cls.prototype as object | undefined;
  return made !== undefined && 'apply' in made && !('call' in made);
};

/**
 * The object an identifier means; classes of one's own come before built-in
 * ones. `kind` is what messages call it. Errors: an unknown name, settings the
 * class refuses, a value that is no identifier.
 */
export function resolve<T extends object>(
    kind: string, identifier: unknown, known: KnownClasses<T>,
    customObjects: CustomObjects = {}): T {
  if (typeof identifier === 'string') {
    return make(kind, identifier, {}, known, customObjects);
  }
  if (typeof identifier === 'object' && identifier !== null) {
    if ('apply' in identifier) return identifier as T;
    const given = identifier as Record<string, unknown>;
    const name = given['className'] ?? given['class_name'];
    if (typeof name === 'string') {
      return make(kind, name, (given['config'] ?? {}) as ConfigDict, known,
          customObjects);
    }
  }
  const shown = typeof identifier === 'function' ? 'a function' :
    JSON.stringify(identifier);
  throw new TensorError(
      'argument', `${kind}: expected a name, an object with the method apply, ` +
          `or {className, config}, got ${shown}`);
}

function make<T>(
    kind: string, name: string, config: ConfigDict, known: KnownClasses<T>,
    customObjects: CustomObjects): T {
  const own = lookUp(name, customObjects);
  const cls = fits(own) ? own as SerializableConstructor<T> :
    known.get(plainName(name));
  if (cls === undefined) {
    throw new TensorError(
        'argument', `Unknown ${kind}: ${name}. It may be one of your own ` +
            '(register its class with tf.serialization.registerClass) or one ' +
            `that this library has not: it has ${[...new Set(
                [...known.values()].map(({className}) => className))].join(
                ', ')}.`);
  }
  return cls.fromConfig ? cls.fromConfig(cls, config, customObjects) :
    new (cls as unknown as new (config: ConfigDict) => T)(config);
}
