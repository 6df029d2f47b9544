/** The part of the TensorFlow.js API that the cases use; both libraries have it. */
import type * as tfjs from '@tensorflow/tfjs';

export type Library = typeof tfjs;
export type Tensor = tfjs.Tensor;

/** Deterministic values in [-1, 1), the same for both libraries. */
export function noise(size: number, seed: number): Float32Array {
  const values = new Float32Array(size);
  let state = (seed * 2654435761 + 1) >>> 0;
  for (let i = 0; i < size; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    values[i] = state / 2147483648 - 1;
  }
  return values;
}

/** A float32 tensor of `noise`. */
export function random(tf: Library, shape: number[], seed = 1): Tensor {
  const size = shape.reduce((product, dim) => product * dim, 1);
  return tf.tensor(noise(size, seed), shape, 'float32');
}
