/** Objects to configs and back: names, registries, and the keys of JSON. */
import {TensorError} from '../errors.js';
import {globalState} from './global_state.js';
import type {CustomObjects} from './global_state.js';

export type {CustomObjects} from './global_state.js';

/** Settings as plain values. */
export interface ConfigDict {
  [key: string]: unknown;
}

/** A class name and settings: what `deserialize` makes an object of. */
export interface ClassConfig {
  className: string;
  config: ConfigDict;
}

/** A class whose objects can be saved by name and settings. */
export interface SerializableConstructor<T = unknown> {
  readonly className: string;
  new (...args: never[]): T;
  fromConfig?(
      cls: SerializableConstructor<T>, config: ConfigDict,
      customObjects?: CustomObjects): T;
}

/** What can be saved by the name of its class and its settings. */
export abstract class Serializable {
  /** The name that configs are saved under. */
  static readonly className: string = 'Serializable';

  /** The name that configs are saved under; it survives minification. */
  getClassName(): string {
    return (this.constructor as typeof Serializable).className;
  }

  /** The settings. */
  abstract getConfig(): ConfigDict;

  /** Makes an object of the settings another one gave. */
  static fromConfig<T>(
      cls: SerializableConstructor<T>, config: ConfigDict,
      _customObjects?: CustomObjects): T {
    return construct(cls, config);
  }
}

/** An object of a class, made of settings. */
export function construct<T>(
    cls: SerializableConstructor<T>, config: unknown): T {
  return new (cls as unknown as new (config: unknown) => T)(config);
}

// These stay through `clear_session`: whoever registers, registers for good.
const classes = new Map<string, SerializableConstructor>();
const packaged = new Map<string, SerializableConstructor>();
const packagedNames = new WeakMap<object, string>();

/** The class' own name: one that it inherits is that of another class. */
function ownClassName(cls: unknown): string | undefined {
  if (typeof cls !== 'function' || !Object.hasOwn(cls, 'className')) {
    return undefined;
  }
  const {className} = cls as {className?: unknown};
  return typeof className === 'string' && className !== '' ?
    className : undefined;
}

/**
 * Makes a class known by its `className`, so that models with its objects can
 * be loaded. Errors: no `static className` of its own.
 *
 * ```js
 * class Twice extends tf.layers.Layer {
 *   static className = 'Twice';
 *   call(x) { return tf.mul(Array.isArray(x) ? x[0] : x, 2); }
 * }
 * tf.serialization.registerClass(Twice);
 * tf.serialization.getRegisteredName(Twice); // => 'Custom>Twice'
 * ```
 */
export function registerClass<T>(
    cls: SerializableConstructor<T>, pkg = 'Custom',
    name?: string): SerializableConstructor<T> {
  const className = ownClassName(cls);
  if (className === undefined) {
    const inherited = cls?.className as unknown;
    throw new TensorError(
        'argument', `registerClass: the class ${cls?.name ?? String(cls)} has ` +
            'no static className of its own, which must be a string that is ' +
            'not empty' + (typeof inherited === 'string' && inherited !== '' ?
          `; it inherits '${inherited}', the name of another class` : ''));
  }
  classes.set(className, cls);
  const full = `${pkg}>${name ?? className}`;
  packaged.set(full, cls);
  packagedNames.set(cls, full);
  return cls;
}

/** Makes a class of the library known, unless another has taken its name. */
export function registerBuiltIn(cls: SerializableConstructor): void {
  if (!classes.has(cls.className)) registerClass(cls);
}

/** The package and name that a class was registered under, else its own. */
export function getRegisteredName(cls: SerializableConstructor): string {
  return packagedNames.get(cls) ?? cls.className;
}

/** The registry as TensorFlow.js shows it. */
export class SerializationMap {
  /** Registers a class under its name. */
  static register(cls: SerializableConstructor): void {
    registerClass(cls);
  }

  /** The registered classes by name. */
  static getMap(): {classNameMap: Record<string, SerializableConstructor>} {
    return {classNameMap: Object.fromEntries(classes)};
  }
}

/**
 * The class or function of a name: given ones first, then those of open
 * scopes, the innermost first, then registered ones.
 */
export function lookUp(
    name: string, customObjects: CustomObjects = {}): unknown {
  if (Object.hasOwn(customObjects, name)) return customObjects[name];
  for (const scope of [...globalState().customObjects].reverse()) {
    if (Object.hasOwn(scope, name)) return scope[name];
  }
  return permanent[name] ?? packaged.get(name) ?? classes.get(name);
}

const permanent: CustomObjects = Object.create(null) as CustomObjects;

/** Objects that configs may always name; `get_custom_objects` gives it. */
export function permanentObjects(): CustomObjects {
  return permanent;
}

/** An open scope in which configs may name given objects. */
export class CustomObjectScope {
  readonly #objects: CustomObjects;
  #stack: CustomObjects[] | undefined;

  constructor(objects: CustomObjects) {
    this.#objects = objects;
  }

  /** Opens the scope. */
  enter(): this {
    this.#stack = globalState().customObjects;
    this.#stack.push(this.#objects);
    return this;
  }

  /** Closes the scope; does nothing if it is gone already. */
  exit(): void {
    const at = this.#stack?.lastIndexOf(this.#objects) ?? -1;
    if (at >= 0) this.#stack!.length = at;
    this.#stack = undefined;
  }

  [Symbol.dispose](): void {
    this.exit();
  }
}

// An inherited name would come back as another class. Models may: they are what
// their layers are.
function assertNamed(object: Serializable): void {
  const cls = object.constructor as typeof Serializable;
  const className = object.getClassName();
  if (ownClassName(cls) !== undefined || className !== cls.className ||
      'toJSON' in object) {
    return;
  }
  throw new TensorError(
      'argument', `The class ${cls.name} cannot be saved: it has no static ` +
          'className of its own, and a file would have it as ' +
          `'${className}', another class`);
}

/**
 * The class name and settings of a serializable object. Errors: its class has
 * no `className` of its own.
 */
export function serialize(object: Serializable): ClassConfig {
  assertNamed(object);
  return {className: object.getClassName(), config: object.getConfig()};
}

function asClassConfig(value: object): ClassConfig | undefined {
  const {className, class_name: pythonic, config} = value as {
    className?: unknown, class_name?: unknown, config?: unknown,
  };
  const name = className ?? pythonic;
  if (typeof name !== 'string') return undefined;
  return {className: name, config: (config ?? {}) as ConfigDict};
}

/**
 * Makes an object of a name or of a class name and settings; objects of other
 * kinds pass. `kind` is what messages call it. Errors: an unknown name.
 */
export function deserialize<T>(
    kind: string, identifier: unknown, customObjects: CustomObjects = {}): T {
  const found = typeof identifier === 'string' ?
    {className: identifier, config: {}} :
    typeof identifier === 'object' && identifier !== null ?
      asClassConfig(identifier) : undefined;
  if (found === undefined) {
    if (typeof identifier === 'object' && identifier !== null) {
      return identifier as T;
    }
    throw new TensorError(
        'argument', `${kind}: expected a name or {className, config}, got ` +
            String(identifier));
  }
  const cls = lookUp(found.className, customObjects) as
      SerializableConstructor<T> | undefined;
  if (typeof cls !== 'function') {
    throw new TensorError(
        'argument', `Unknown ${kind}: ${found.className}. It may be a class ` +
            'of your own (register it with tf.serialization.registerClass) ' +
            'or one that this library has not yet.');
  }
  return cls.fromConfig ?
    cls.fromConfig(cls, found.config, customObjects) :
    construct(cls, found.config);
}
