/** The global step: how many training steps were made. */
import {answeredNumbers, checked, done, raise, wasm} from '../../module.js';
import {InvalidArgumentError, runtimeError, valueError} from './errors.js';
import {getDefaultGraph} from './graph.js';
import type {Graph} from './graph.js';
import {consoleLog} from './clock.js';

const half = 2n ** 32n;
const most = 2n ** 63n - 1n;

// Reachable for ever: a registry that is collected calls nobody.
const registry = new FinalizationRegistry<number>((counter) => {
  wasm.counterClose(counter);
});

/**
 * An int64 that counts training steps. The number is in C++, from the first
 * time that it is used; it is freed with this object.
 */
export class GlobalStep {
  static readonly className: string = 'GlobalStep';
  readonly name = 'global_step';
  readonly dtype = 'int64';
  readonly shape: readonly number[] = [];
  readonly trainable = false;
  #counter = 0;

  // Late: a graph is often declared before the core is there.
  #id(): number {
    if (this.#counter === 0) {
      this.#counter = checked(wasm.counterOpen(), this.name);
      registry.register(this, this.#counter);
    }
    return this.#counter;
  }

  /** The exact value. */
  get bigint(): bigint {
    if (this.#counter === 0) return 0n;
    done(wasm.counterRead(this.#counter), this.name);
    const [high, low] = answeredNumbers(2) as [number, number];
    return BigInt(high) * half + BigInt(low);
  }

  /** The value. Errors: more than a number can tell exactly. */
  get number(): number {
    const value = this.bigint;
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) {
      throw new InvalidArgumentError(
          `global_step: ${value} is more than a number holds exactly: ` +
              'read .bigint');
    }
    return Number(value);
  }

  /** Sets the value. Errors: no whole number from 0 to 2^63 - 1. */
  assign(value: number | bigint): void {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) {
      throw new InvalidArgumentError(`global_step: ${value} is no whole number`);
    }
    const exact = BigInt(value);
    if (exact < 0n || exact > most) {
      throw new InvalidArgumentError(`global_step: ${value} is out of range`);
    }
    done(wasm.counterAssign(
        this.#id(), Number(exact / half), Number(exact % half)), this.name);
  }

  /** One step more. Errors: it is 2^63 - 1. */
  increment(): void {
    if (wasm.counterIncrement(this.#id()) === 1) return;
    if (this.bigint < most) raise(this.name);
    throw new InvalidArgumentError(
        `global_step: ${most} + 1 is out of range`);
  }

  toString(): string {
    return String(this.bigint);
  }
}

/** How many global steps C++ has numbers of. */
export function liveGlobalSteps(): number {
  return wasm.counterCount();
}

/** The collection that the global step is in. */
export const globalStepKey = 'global_step';

/**
 * The global step of a graph, or null where none was made.
 *
 * ```js
 * new tf.Graph().asDefault(() => tf.train.getGlobalStep()); // => null
 * ```
 */
export function getGlobalStep(graph: Graph = getDefaultGraph()): GlobalStep | null {
  const found = graph.getCollection(globalStepKey);
  if (found.length > 1) {
    consoleLog('Multiple tensors in global_step collection.', 'error');
    return null;
  }
  if (found.length === 0) return null;
  if (!(found[0] instanceof GlobalStep)) {
    throw new InvalidArgumentError(
        'global_step: what the collection has is no global step');
  }
  return found[0];
}

/**
 * Makes the global step of a graph, which starts at 0. Errors: it is there.
 *
 * ```js
 * new tf.Graph().asDefault(() => tf.train.createGlobalStep().number); // => 0
 * ```
 */
export function createGlobalStep(graph: Graph = getDefaultGraph()): GlobalStep {
  if (getGlobalStep(graph) !== null) {
    throw valueError('"global_step" already exists.');
  }
  const step = new GlobalStep();
  graph.addToCollection(globalStepKey, step);
  return step;
}

/**
 * The global step of a graph, made if there is none. Steps call it.
 *
 * ```js
 * new tf.Graph().asDefault(() => {
 *   const step = tf.train.getOrCreateGlobalStep();
 *   return tf.train.getGlobalStep() === step;
 * }); // => true
 * ```
 */
export function getOrCreateGlobalStep(
    graph: Graph = getDefaultGraph()): GlobalStep {
  return getGlobalStep(graph) ?? createGlobalStep(graph);
}

/** The global step of a graph. Errors: there is none. */
export function needGlobalStep(graph: Graph, who: string): GlobalStep {
  const step = getGlobalStep(graph);
  if (step === null) {
    throw runtimeError(`Global step should be created to use ${who}.`);
  }
  return step;
}
