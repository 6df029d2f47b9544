/** Settings, counters and scopes by Keras' names. */
import {TensorError} from '../errors.js';
import {dtypePolicy, policyOf, setDtypePolicy} from './dtype_policy.js';
import {
  globalState, setRandomSeed as seed, settings,
} from './global_state.js';
import type {CustomObjects} from './global_state.js';
import {
  NameScope, checkLayerName, kerasUid, resetUids, setNamingStyle,
} from './naming.js';
import {
  CustomObjectScope, getRegisteredName, lookUp, permanentObjects, registerClass,
} from './serialization.js';
import type {SerializableConstructor} from './serialization.js';

/**
 * The next number of a prefix: 1, 2, 3, … It is counted with the names: after
 * `get_uid('dense')` the next dense layer is `dense_1`.
 *
 * ```js
 * tf.keras.backend.clear_session();
 * tf.keras.backend.get_uid('dense'); // => 1
 * tf.keras.backend.get_uid('dense'); // => 2
 * ```
 */
export function getUid(prefix = ''): number {
  return kerasUid(prefix);
}

export {resetUids, setNamingStyle};

/**
 * Runs `f` with `name/` before the names of the weights made in it. Without
 * `f`, opens the scope and returns it: its `exit()`, or `using`, closes it.
 *
 * Errors: a name that is no string or has a `/`.
 *
 * ```js
 * const scope = tf.keras.backend.name_scope('block');
 * tf.keras.backend.clear_session();
 * scope.exit(); // => undefined
 * ```
 */
export function nameScope(name: string): NameScope;
export function nameScope<T>(name: string, f: () => T): T;
export function nameScope<T>(name: string, f?: () => T): NameScope | T {
  checkLayerName('nameScope', name);
  const scope = new NameScope(name).enter();
  if (f === undefined) return scope;
  try {
    return f();
  } finally {
    scope.exit();
  }
}

/**
 * Lets configs name `objects` while `f` runs. Without `f`, opens the scope and
 * returns it: its `exit()`, or `using`, closes it.
 *
 * ```js
 * class Twice extends tf.keras.layers.Layer {
 *   static className = 'Twice';
 *   call(x) { return tf.mul(Array.isArray(x) ? x[0] : x, 2); }
 * }
 * const json = tf.keras.Sequential([new Twice({inputShape: [2]})]).toJSON();
 * const copy = tf.keras.utils.custom_object_scope({Twice}, () =>
 *   tf.keras.models.model_from_json(json));
 * copy.layers[0].getClassName(); // => 'Twice'
 * ```
 */
export function customObjectScope(objects: CustomObjects): CustomObjectScope;
export function customObjectScope<T>(objects: CustomObjects, f: () => T): T;
export function customObjectScope<T>(
    objects: CustomObjects, f?: () => T): CustomObjectScope | T {
  const scope = new CustomObjectScope(objects).enter();
  if (f === undefined) return scope;
  try {
    return f();
  } finally {
    scope.exit();
  }
}

/** The objects that configs may always name; put yours in. */
export function getCustomObjects(): CustomObjects {
  return permanentObjects();
}

/** The class or function that configs mean by a name; null if none. */
export function getRegisteredObject(
    name: string, customObjects?: CustomObjects): unknown {
  return lookUp(name, customObjects) ?? null;
}

export {getRegisteredName};

/**
 * A decorator that registers a class, so that files may name it.
 *
 * ```js
 * class Half extends tf.keras.layers.Layer {
 *   static className = 'Half';
 * }
 * tf.keras.utils.register_keras_serializable('mine')(Half);
 * tf.keras.utils.get_registered_name(Half); // => 'mine>Half'
 * ```
 */
export function registerKerasSerializable(pkg = 'Custom', name?: string):
    <C extends SerializableConstructor>(cls: C) => C {
  return (cls) => {
    registerClass(cls, pkg, name);
    return cls;
  };
}

/**
 * Makes what layers and initializers draw without a seed of their own a
 * function of `seed`, until `clear_session` or the next call.
 *
 * Errors: no whole number.
 *
 * ```js
 * const draw = () => {
 *   tf.keras.utils.set_random_seed(7);
 *   const layer = tf.keras.layers.Dense(1);
 *   layer.build([null, 1]);
 *   return layer.getWeights()[0].arraySync()[0][0];
 * };
 * draw() === draw(); // => true
 * ```
 */
export function setRandomSeed(value: number): void {
  if (!Number.isInteger(value)) {
    throw new TensorError(
        'argument', 'setRandomSeed: expected seed argument to be an integer. ' +
            `Received: seed=${String(value)}`);
  }
  seed(value);
}

/** What `set_random_seed` was given; null if nothing since `clear_session`. */
export function getRandomSeed(): number | null {
  return globalState().randomSeed ?? null;
}

/** The default dtype's name. It survives `clear_session`. */
export function floatx(): string {
  return settings.floatx;
}

/** Sets the default dtype's name; all computes in float32. Errors: no float. */
export function setFloatx(value: string): void {
  if (!['float16', 'float32', 'float64', 'bfloat16'].includes(value)) {
    throw new TensorError(
        'argument', `setFloatx: unknown floatx value ${String(value)}, ` +
            'expected float16, float32, float64 or bfloat16');
  }
  settings.floatx = value;
}

/** The number that keeps divisors from being 0. It survives `clear_session`. */
export function epsilon(): number {
  return settings.epsilon;
}

/** Sets that number. */
export function setEpsilon(value: number): void {
  if (!(value >= 0)) {
    throw new TensorError(
        'argument', `setEpsilon: expected a number, got ${String(value)}`);
  }
  settings.epsilon = value;
}

const formats = {
  channelsLast: 'channels_last', channelsFirst: 'channels_first',
} as const;

/** Where channels are in images by default, as Keras spells it. */
export function imageDataFormat(): 'channels_last' | 'channels_first' {
  return formats[settings.imageDataFormat];
}

/** Sets where channels are in images. Errors: an unknown format. */
export function setImageDataFormat(value: string): void {
  const plain = value === 'channels_last' ? 'channelsLast' :
    value === 'channels_first' ? 'channelsFirst' : value;
  if (plain !== 'channelsLast' && plain !== 'channelsFirst') {
    throw new TensorError(
        'argument', `setImageDataFormat: expected channels_last or ` +
            `channels_first, got ${String(value)}`);
  }
  settings.imageDataFormat = plain;
}

export {dtypePolicy, policyOf, setDtypePolicy};
