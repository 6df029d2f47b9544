/** What is alive, and how much of it. */
import {rescues, setBudgetOf} from './budget.js';
import type {Budget} from './budget.js';
import {tensorsIn} from './container.js';
import {TensorError, assertFunction} from './errors.js';
import {answer, checked, heapBytes, textAt, wasm} from './module.js';
import {strategies} from './session.js';
import type {ResourceCleanupStrategy} from './session.js';
import {handleOf} from './tensor.js';
import * as tracing from './trace.js';

/** What one session owns. */
export interface SessionMemory {
  name: string;
  strategy: ResourceCleanupStrategy;
  numTensors: number;
  numBytes: number;
}

export interface MemoryInfo {
  /** Tensors and variables that are not disposed. */
  numTensors: number;
  /** Buffers behind them; clones and reshapes share one. */
  numDataBuffers: number;
  /** Bytes of all tensors, shared memory counted for each. */
  numBytes: number;
  /** Always false: the numbers are exact. */
  unreliable: boolean;
  /** Why numbers would not be exact: nothing. */
  reasons: string[];
  /** Bytes of the buffers in use, padded as they lie in memory. */
  numBytesInPool: number;
  /** The most that `numBytesInPool` has been. */
  peakBytes: number;
  /** Bytes of the whole WebAssembly memory; it never shrinks. */
  heapBytes: number;
  /** Free bytes kept for reuse. */
  cachedBytes: number;
  /** The largest tensor that fits without growing the memory. */
  largestFreeBytes: number;
  /** Tensors that finalizers have named and that are not freed yet. */
  pendingFinalizers: number;
  /** Tensors freed because nobody referred to them, since the start. */
  reclaimed: number;
  /** Times a garbage collection was provoked to stay below a soft budget. */
  rescues: number;
  /** Those of them that freed next to nothing. */
  failedRescues: number;
  /** How long the last one took, waiting for turns included. */
  lastRescueMs: number;
  /** Bytes they freed together. */
  rescueFreedBytes: number;
  /** The open sessions, the default one first. */
  sessions: SessionMemory[];
}

/**
 * Counts of what is alive.
 *
 * ```js
 * const before = tf.memory().numTensors;
 * const x = tf.scalar(1);
 * tf.memory().numTensors - before; // => 1
 * x.dispose();
 * ```
 */
export function memory(): MemoryInfo {
  return {
    numTensors: wasm.numTensors(),
    numDataBuffers: wasm.numBuffers(),
    numBytes: wasm.numBytes(),
    unreliable: false,
    reasons: [],
    numBytesInPool: wasm.poolBytes(),
    peakBytes: wasm.peakBytes(),
    heapBytes: heapBytes(),
    cachedBytes: wasm.cachedBytes(),
    largestFreeBytes: wasm.largestFree(),
    pendingFinalizers: wasm.pending(),
    reclaimed: wasm.reclaimed(),
    rescues: rescues.count,
    failedRescues: rescues.failed,
    lastRescueMs: rescues.lastMs,
    rescueFreedBytes: rescues.freedBytes,
    sessions: answer(wasm.sessions()).map((root) => ({
      name: textAt(wasm.scopeLabel(root)),
      strategy: strategies[wasm.sessionStrategy(root)]!,
      numTensors: wasm.sessionTensors(root),
      numBytes: wasm.sessionBytes(root),
    })),
  };
}

/** Makes `peakBytes` what is in use now. */
function resetPeak(): void {
  wasm.resetPeak();
}

/** Gives free memory back to the system's allocator; returns the bytes. */
function trim(): number {
  return checked(wasm.trim());
}

/** Sets the default session's budget; what is not given stays. */
function setBudget(budget: Budget): void {
  setBudgetOf(0, budget);
}

/**
 * Runs `fn`, also an async one, and throws when tensors it made are still
 * alive: with where they were made. What it returns and what it keeps
 * (`tf.keep`, variables of a caller) is no leak.
 *
 * ```js
 * const leaky = () => { tf.ones([2, 2]); };
 * let message;
 * tf.tidy(() => {
 *   try {
 *     tf.memory.assertNoLeaks(leaky);
 *   } catch (e) {
 *     message = e.message;
 *   }
 * });
 * message.includes('float32[2,2]'); // => true
 * ```
 */
function assertNoLeaks<T>(fn: () => T): T {
  assertFunction('assertNoLeaks', fn);
  const before = tracing.snapshot();
  const untrace = tracing.traceMeanwhile();
  const end = (result: unknown): void => {
    try {
      const returned = new Set(tensorsIn(result).map(handleOf));
      const leaked = tracing.leakedSince(before).filter(
          (handle) => !returned.has(handle));
      if (leaked.length === 0) return;
      throw new TensorError('state', [
        `assertNoLeaks: ${leaked.length} tensors are left`,
        ...tracing.linesFor(leaked),
      ].join('\n  '));
    } finally {
      untrace();
    }
  };
  let result: T;
  try {
    result = fn();
  } catch (error) {
    untrace();
    throw error;
  }
  if (result instanceof Promise) {
    return result.then(
        (value: unknown) => {
          end(value);
          return value;
        },
        (error: unknown) => {
          untrace();
          throw error;
        }) as T;
  }
  end(result);
  return result;
}

memory.resetPeak = resetPeak;
memory.trim = trim;
memory.setBudget = setBudget;
memory.trace = tracing.trace;
memory.report = tracing.report;
memory.snapshot = tracing.snapshot;
memory.diff = tracing.diff;
memory.assertNoLeaks = assertNoLeaks;
