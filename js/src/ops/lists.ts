/** Elementwise ops on lists of tensors. */
import {TensorError} from '../errors.js';
import {wasm} from '../module.js';
import {handles, op} from '../op.js';
import type {TensorLike} from '../op.js';
import type {Tensor} from '../tensor.js';

/**
 * The sum of tensors of the same shape and dtype.
 *
 * Errors: no tensors; different shapes or dtypes.
 *
 * ```js
 * tf.addN([[1, 2], [3, 4], [5, 6]]).arraySync(); // => [9, 12]
 * ```
 */
export function addN<T extends Tensor>(
    tensors: readonly (T | TensorLike)[]): T {
  return op('addN', (arg) => {
    if (!Array.isArray(tensors)) {
      throw new TensorError(
          'argument',
          'The argument passed to tf.addN() must be a list of tensors');
    }
    return wasm.addN(handles(arg, 'tensors', tensors));
  });
}
