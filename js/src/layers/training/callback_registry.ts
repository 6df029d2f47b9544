/** Callbacks that every training gets, by how much it is to say. */
import {TensorError} from '../../errors.js';
import type {BaseCallback} from './callbacks.js';

/** A class of callbacks that takes no arguments. */
export type CallbackConstructor = new () => BaseCallback;

const constructors = new Map<CallbackConstructor, number>();

/**
 * Makes every later `fit` with at least this `verbose` use a new
 * `callbackConstructor()`. Errors: a level that is no whole number from 0 on, a
 * class that was registered before.
 *
 * ```js
 * class Quiet extends tf.Callback {}
 * tf.registerCallbackConstructor(1, Quiet);
 * try {
 *   tf.registerCallbackConstructor(2, Quiet);
 * } catch (e) {
 *   e.message; // => 'Duplicate callback constructor.'
 * }
 * tf.unregisterCallbackConstructor(Quiet);
 * ```
 */
export function registerCallbackConstructor(
    verbosityLevel: number, callbackConstructor: CallbackConstructor): void {
  if (!Number.isInteger(verbosityLevel) || verbosityLevel < 0) {
    throw new TensorError(
        'argument', 'Verbosity level is expected to be an integer >= 0, but ' +
            `got ${verbosityLevel}`);
  }
  if (constructors.has(callbackConstructor)) {
    throw new TensorError('argument', 'Duplicate callback constructor.');
  }
  constructors.set(callbackConstructor, verbosityLevel);
}

/**
 * Takes a registration back; a class that has none is ignored.
 *
 * ```js
 * class Quiet extends tf.Callback {}
 * tf.unregisterCallbackConstructor(Quiet); // => undefined
 * ```
 */
export function unregisterCallbackConstructor(
    callbackConstructor: CallbackConstructor): void {
  constructors.delete(callbackConstructor);
}

/** New callbacks of the classes registered up to `verbose`. */
export function registeredCallbacks(verbose: number): BaseCallback[] {
  return [...constructors].filter(([, level]) => verbose >= level)
      .map(([type]) => new type());
}
