/** Functions about the library as a whole. */
import {env} from './environment.js';
import {TensorError} from './errors.js';
import {installFormatter} from './inspect.js';
import {load} from './module.js';
import type {InitOptions} from './module.js';

/** Versions, by package. */
export const version = {tidemark: '0.1.0'} as const;
/** The version of this package. */
export const version_core: string = version.tidemark;

/**
 * Loads the library's WebAssembly core; await it once before the first op.
 *
 * ```js
 * await tf.ready();
 * tf.add(1, 2).arraySync(); // => 3
 * ```
 */
export async function ready(options?: InitOptions): Promise<void> {
  installFormatter();
  await load(options);
}

/**
 * Accepts the name of a CPU backend (`'wasm'` or `'cpu'`; there is one engine)
 * and resolves to true when it is ready. Other names are refused.
 *
 * ```js
 * await tf.setBackend('wasm'); // => true
 * ```
 */
export async function setBackend(name: string): Promise<boolean> {
  if (name !== 'wasm' && name !== 'cpu') {
    throw new TensorError(
        'argument', `Backend name '${name}' not found in registry: Tidemark ` +
            "is one engine, 'wasm'");
  }
  await load();
  return true;
}

/**
 * The name of the backend, always `'wasm'`.
 *
 * ```js
 * tf.getBackend(); // => 'wasm'
 * ```
 */
export function getBackend(): string {
  return 'wasm';
}

/** Facts about the engine that TensorFlow.js asks of a backend. */
export interface Backend {
  /** Bits of a float. */
  floatPrecision(): 16 | 32;
  /** The smallest number that is safe to add to a divisor. */
  epsilon(): number;
  /** Buffers in use. */
  numDataIds(): number;
}

/**
 * Resolves at the next animation frame, or soon where there are none: lets the
 * page breathe in a long loop.
 *
 * ```js
 * await tf.nextFrame();
 * ```
 */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestAnimationFrame === 'function') {
      requestAnimationFrame(() => resolve());
    } else {
      setTimeout(resolve);
    }
  });
}

/**
 * Turns checks off that cost time.
 *
 * ```js
 * tf.enableProdMode();
 * tf.env().getBool('PROD'); // => true
 * tf.env().set('PROD', false);
 * ```
 */
export function enableProdMode(): void {
  env().set('PROD', true);
}

/**
 * Logs every kernel with its time and warns of NaN and infinity in results.
 *
 * ```js
 * tf.enableDebugMode();
 * tf.env().getBool('DEBUG'); // => true
 * tf.env().set('DEBUG', false);
 * ```
 */
export function enableDebugMode(): void {
  env().set('DEBUG', true);
}

/**
 * Stops warnings about deprecated functions.
 *
 * ```js
 * tf.disableDeprecationWarnings();
 * tf.env().getBool('DEPRECATION_WARNINGS_ENABLED'); // => false
 * tf.env().set('DEPRECATION_WARNINGS_ENABLED', true);
 * ```
 */
export function disableDeprecationWarnings(): void {
  env().set('DEPRECATION_WARNINGS_ENABLED', false);
  console.warn('TensorFlow.js deprecation warnings have been disabled.');
}

/**
 * Warns that something is deprecated, unless such warnings are off.
 *
 * ```js
 * tf.env().set('DEPRECATION_WARNINGS_ENABLED', false);
 * tf.deprecationWarn('old() is deprecated.'); // => undefined
 * tf.env().set('DEPRECATION_WARNINGS_ENABLED', true);
 * ```
 */
export function deprecationWarn(message: string): void {
  if (env().getBool('DEPRECATION_WARNINGS_ENABLED')) {
    console.warn(`${message} You can disable deprecation warnings with ` +
        'tf.disableDeprecationWarnings().');
  }
}
