/** Joining tensors and taking them apart. */
import {TensorError} from '../errors.js';
import {wasm} from '../module.js';
import {handles, list, op, ops} from '../op.js';
import type {TensorLike} from '../op.js';
import type {Tensor} from '../tensor.js';
import {shapeOf} from './shape.js';

/**
 * The tensors one after the other along `axis`; their other dimensions must
 * agree. Different dtypes meet in the widest (bool, int32, float32).
 *
 * ```js
 * tf.concat([[1, 2], [3]]).arraySync(); // => [1, 2, 3]
 * tf.concat([[[1], [2]], [[3], [4]]], 1).arraySync(); // => [[1, 3], [2, 4]]
 * ```
 */
export function concat<T extends Tensor>(
    tensors: Array<T | TensorLike>, axis = 0): T {
  return op('concat', (arg) =>
    wasm.concat(handles(arg, 'tensors', tensors), axis));
}

/**
 * Tensors of one shape and dtype joined along a new dimension `axis`.
 *
 * ```js
 * tf.stack([[1, 2], [3, 4]], 1).arraySync(); // => [[1, 3], [2, 4]]
 * ```
 */
export function stack<T extends Tensor>(
    tensors: Array<T | TensorLike>, axis = 0): Tensor {
  return op('stack', (arg) =>
    wasm.stack(handles(arg, 'tensors', tensors), axis));
}

/**
 * `x` cut along `axis`: into that many equal pieces, or into pieces of the
 * given sizes, one of which may be -1 for what remains.
 *
 * ```js
 * tf.split([1, 2, 3, 4], 2)[1].arraySync(); // => [3, 4]
 * tf.split([1, 2, 3, 4], [1, -1])[1].arraySync(); // => [2, 3, 4]
 * ```
 */
export function split<T extends Tensor>(
    x: Tensor | TensorLike, numOrSizeSplits: number[] | number,
    axis = 0): T[] {
  const even = typeof numOrSizeSplits === 'number';
  return ops('split', (arg) => wasm.split(
      arg('x', x), list(even ? [] : numOrSizeSplits),
      even ? numOrSizeSplits : 0, axis));
}

/**
 * The slices of `x` along `axis`, without that dimension.
 *
 * ```js
 * tf.unstack([[1, 2], [3, 4]])[1].arraySync(); // => [3, 4]
 * ```
 */
export function unstack(x: Tensor | TensorLike, axis = 0): Tensor[] {
  return ops('unstack', (arg) => {
    const handle = arg('x', x);
    const rank = shapeOf(x).length;
    if (axis < -rank || axis >= rank) {
      throw new TensorError(
          'argument', `Axis = ${axis} is not in [-${rank}, ${rank})`);
    }
    return wasm.unstack(handle, axis);
  });
}

/**
 * `x` repeated `reps[i]` times along each dimension i.
 *
 * ```js
 * tf.tile([1, 2], [2]).arraySync(); // => [1, 2, 1, 2]
 * ```
 */
export function tile<T extends Tensor>(
    x: T | TensorLike, reps: number[]): T {
  return op('tile', (arg) => wasm.tile(arg('x', x), list(reps)));
}
