/** What is alive, and how much of it. */
import {heapBytes, wasm} from './module.js';

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
  /** Bytes of the whole WebAssembly memory. */
  heapBytes: number;
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
  };
}
