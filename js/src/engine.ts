/** The engine as TensorFlow.js's `engine()` shows it. */
import {setEscaping} from './finalizer.js';
import {resetGradients} from './gradients.js';
import {getBackend, ready, setBackend} from './globals.js';
import type {Backend} from './globals.js';
import {memory} from './memory.js';
import type {MemoryInfo} from './memory.js';
import {isLoaded, wasm} from './module.js';
import {profile, time} from './profile.js';
import type {ProfileInfo, TimingInfo} from './profile.js';
import {dispose, endScope, keep, startScope, tidy} from './scope.js';
import type {TensorContainer} from './container.js';
import type {Tensor} from './tensor.js';
import {
  disposeVariables, forgetVariables, nextVariableId, registeredVariables,
} from './variable.js';
import type {Variable} from './variable.js';

const onlyBackend: Backend = {
  floatPrecision: () => 32,
  epsilon: () => 1e-7,
  numDataIds: () => (isLoaded() ? wasm.numBuffers() : 0),
};

/** Scopes, memory and variables in one object; see {@link engine}. */
export class Engine {
  #nextTensorId = 0;
  readonly backend: Backend = onlyBackend;
  readonly backendName = getBackend();

  /** Opens a scope; `endScope` frees what was made in it. */
  startScope(name?: string): void {
    startScope(name);
  }

  /** Closes the innermost scope; tensors in `result` move to its parent. */
  endScope(result?: TensorContainer): void {
    endScope(result);
  }

  tidy<T extends TensorContainer>(
      nameOrFn: string | (() => T), fn?: () => T): T {
    return tidy(nameOrFn, fn);
  }

  keep<T extends Tensor>(tensor: T): T {
    return keep(tensor);
  }

  dispose(container: TensorContainer): void {
    dispose(container);
  }

  /** True while a gradient function records. */
  isTapeOn(): boolean {
    return isLoaded() && wasm.tapeDepth() > 0;
  }

  memory(): MemoryInfo {
    return memory();
  }

  profile<T>(f: () => T | Promise<T>): Promise<ProfileInfo<T>> {
    return profile(f);
  }

  time(f: () => unknown): Promise<TimingInfo> {
    return time(f);
  }

  get registeredVariables(): Record<string, Variable> {
    return registeredVariables();
  }

  disposeVariables(): void {
    disposeVariables();
  }

  /** A number that no earlier call gave. */
  nextTensorId(): number {
    return this.#nextTensorId++;
  }

  nextVariableId(): number {
    return nextVariableId();
  }

  ready(): Promise<void> {
    return ready();
  }

  setBackend(name: string): Promise<boolean> {
    return setBackend(name);
  }

  /** Frees every tensor and variable and closes every scope. */
  reset(): void {
    forgetVariables();
    if (!isLoaded()) return;
    resetGradients();
    wasm.reset();
    setEscaping(wasm.collecting());
  }
}

const theEngine = new Engine();

/**
 * The engine: scopes opened and closed by hand, and the state behind
 * `tf.memory()`.
 *
 * ```js
 * const before = tf.memory().numTensors;
 * tf.engine().startScope();
 * tf.tensor1d([1, 2]).square();
 * tf.engine().endScope();
 * tf.memory().numTensors - before; // => 0
 * ```
 */
export function engine(): Engine {
  return theEngine;
}

/**
 * Facts about the engine that TensorFlow.js asks of a backend.
 *
 * ```js
 * tf.backend().floatPrecision(); // => 32
 * ```
 */
export function backend(): Backend {
  return onlyBackend;
}
