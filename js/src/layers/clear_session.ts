/** `clear_session`: names and settings start over; nothing in use is touched. */
import {TensorError} from '../errors.js';
import {drainAll} from '../finalizer.js';
import {memory} from '../memory.js';
import {isLoaded} from '../module.js';
import {checkNotNested, resetDefaultGraph} from '../train/session/graph.js';
import {forgetGlobalState} from './global_state.js';

/** What {@link clearSession} does beside forgetting. */
export interface ClearSessionOptions {
  /** Whether to free what memory can be freed; true by default. */
  freeMemory?: boolean;
  /** Keras' spelling. */
  free_memory?: boolean;
}

/** Frees what only a collector, a finalizer or the pool still holds. */
function collect(): void {
  (globalThis as {gc?: () => void}).gc?.();
  if (!isLoaded()) return;  // models may be built before the core is there
  drainAll();
  memory.trim();
}

/**
 * Makes everything that counts or remembers on behalf of layers start over:
 * automatic names, the seed and the dtype policy that were set, and scopes that
 * are open; what training sessions know is declared in a new default graph.
 * Models, layers, optimizers, sessions and tensors in use keep working, their
 * names included; floatx and registered classes stay. Errors: within
 * `graph.asDefault`.
 *
 * Takes `{freeMemory}` or a boolean. Unless it is false, JavaScript's collector
 * is asked to run where it can be (`node --expose-gc`) and buffers kept for
 * reuse go back to the WebAssembly heap, which itself never shrinks. Tensors
 * that a handle may still reach are never freed.
 *
 * ```js
 * tf.keras.backend.clear_session();
 * tf.keras.layers.Dense(10).name; // => 'dense'
 * tf.keras.layers.Dense(10).name; // => 'dense_1'
 * tf.keras.backend.clear_session();
 * tf.keras.layers.Dense(10).name; // => 'dense'
 * ```
 */
export function clearSession(
    options: ClearSessionOptions | boolean = {}): void {
  const given: unknown = options;
  if (typeof given !== 'boolean' &&
      (typeof given !== 'object' || given === null)) {
    throw new TensorError(
        'argument', 'clearSession: expected {freeMemory} or a boolean, got ' +
            String(given));
  }
  checkNotNested();
  forgetGlobalState();
  resetDefaultGraph();
  const freeMemory = typeof options === 'boolean' ? options :
    options.freeMemory ?? options.free_memory ?? true;
  if (freeMemory) collect();
}
