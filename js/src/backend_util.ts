/** Helpers that TensorFlow.js shows as `tf.backend_util`. */
import {TensorError} from './errors.js';

/** The size from which TensorFlow.js splits reductions; ours need no split. */
export const PARALLELIZE_THRESHOLD = 30;

/** The constants of `tf.selu` (Klambauer et al. 2017). */
export const SELU_SCALEALPHA = 1.7580993408473766;
export const SELU_SCALE = 1.0507009873554805;

/** The shape that two shapes are broadcast to. */
export function assertAndGetBroadcastShape(
    a: readonly number[], b: readonly number[]): number[] {
  const rank = Math.max(a.length, b.length);
  return Array.from({length: rank}, (_, i) => {
    const x = a[a.length - rank + i] ?? 1;
    const y = b[b.length - rank + i] ?? 1;
    if (x !== y && x !== 1 && y !== 1) {
      throw new TensorError(
          'shape', 'Operands could not be broadcast together with shapes ' +
              `${a} and ${b}.`);
    }
    return x === 1 ? y : x;
  });
}

/** The dimensions of `input` that are repeated in `output`. */
export function getBroadcastDims(
    input: readonly number[], output: readonly number[]): number[] {
  const dims: number[] = [];
  for (let i = 1; i <= input.length; i++) {
    const size = input[input.length - i] ?? 1;
    if (size === 1 && (output[output.length - i] ?? 1) > 1) {
      dims.unshift(input.length - i);
    }
  }
  return dims;
}
