/** Blocks of a tensor. */
import {wasm} from '../module.js';
import {assert, list, op} from '../op.js';
import type {TensorLike} from '../op.js';
import type {Tensor} from '../tensor.js';
import type {Rank} from '../types.js';

const listed = (x: number | readonly number[]): readonly number[] =>
  typeof x === 'number' ? [x] : x;

/**
 * The block of `x` that starts at `begin` and has `size` elements along each
 * dimension; what is not given starts at 0 and takes all that remains, and so
 * does a size of -1. Errors: a negative begin, a block that does not fit.
 *
 * ```js
 * tf.slice([1, 2, 3, 4], 1, 2).arraySync(); // => [2, 3]
 * tf.slice([[1, 2], [3, 4]], [0, 1]).arraySync(); // => [[2], [4]]
 * ```
 */
export function slice<R extends Rank, T extends Tensor<R>>(
    x: T | TensorLike, begin: number | number[],
    size?: number | number[]): T {
  return op('slice', (arg) => wasm.slice(
      arg('x', x), list(listed(begin)), list(listed(size ?? []))));
}

/**
 * NumPy's `x[begin:end:strides]`. Bit i of a mask concerns entry i: `beginMask`
 * and `endMask` ignore the given bound, `ellipsisMask` lets the entry stand for
 * all dimensions that are left, `newAxisMask` inserts a dimension of 1,
 * `shrinkAxisMask` takes one index and drops the dimension. Negative bounds
 * count from the end; negative strides go backwards.
 *
 * ```js
 * tf.stridedSlice([1, 2, 3, 4, 5], [1], [5], [2]).arraySync(); // => [2, 4]
 * tf.stridedSlice([1, 2, 3], [-1], [-4], [-1]).arraySync(); // => [3, 2, 1]
 * ```
 */
export function stridedSlice(
    x: Tensor | TensorLike, begin: number[], end: number[],
    strides?: number[], beginMask = 0, endMask = 0, ellipsisMask = 0,
    newAxisMask = 0, shrinkAxisMask = 0): Tensor {
  return op('stridedSlice', (arg) => wasm.stridedSlice(
      arg('x', x), list(begin), list(end), list(strides ?? []), beginMask,
      endMask, ellipsisMask, newAxisMask, shrinkAxisMask));
}

/**
 * `x` with the order along `axis` (all dimensions when not given) turned
 * around.
 *
 * ```js
 * tf.reverse([[1, 2], [3, 4]], 1).arraySync(); // => [[2, 1], [4, 3]]
 * ```
 */
export function reverse<T extends Tensor>(
    x: T | TensorLike, axis?: number | number[]): T {
  const axes = listed(axis ?? []);
  return op('reverse', (arg) => {
    assert(axes.every(Number.isInteger),
           () => 'All values in axis param must be integers but got axis ' +
               axes.join(','));
    // No axes at all turn nothing; the core takes an empty list for all.
    const handle = arg('x', x);
    return axis !== undefined && axis !== null && axes.length === 0 ?
      wasm.clone(handle) : wasm.reverse(handle, list(axes));
  });
}
