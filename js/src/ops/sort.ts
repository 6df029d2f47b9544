/** Order and equality of elements. */
import {wasm} from '../module.js';
import {assert, op, ops} from '../op.js';
import type {TensorLike} from '../op.js';
import {isTensor} from '../tensor.js';
import type {Tensor} from '../tensor.js';
import {shapeOf} from './shape.js';

/**
 * The `k` largest elements along the last dimension and their int32 indices,
 * largest first (also when `sorted` is false); of equals the lower index comes
 * first, and NaN counts as the largest. Errors: k below 0 or above the
 * dimension.
 *
 * ```js
 * tf.topk([3, 9, 5], 2).values.arraySync(); // => [9, 5]
 * tf.topk([3, 9, 5], 2).indices.arraySync(); // => [1, 2]
 * ```
 */
export function topk<T extends Tensor>(
    x: T | TensorLike, k = 1, _sorted = true): {values: T; indices: T} {
  const [values, indices] = ops<T>('topk', (arg) => wasm.topk(arg('x', x), k));
  return {values: values!, indices: indices!};
}

/**
 * The different slices of `x` along `axis` in order of appearance, and for
 * each slice of `x` the int32 index of its like. NaN equals NaN.
 *
 * ```js
 * tf.unique([4, 1, 4]).values.arraySync(); // => [4, 1]
 * tf.unique([4, 1, 4]).indices.arraySync(); // => [0, 1, 0]
 * ```
 */
export function unique<T extends Tensor>(
    x: T | TensorLike, axis = 0): {values: T; indices: Tensor} {
  const [values, indices] =
      ops<T>('unique', (arg) => wasm.unique(arg('x', x), axis ?? 0));
  return {values: values!, indices: indices!};
}

/**
 * For each of `values` the place in the sorted sequence (last dimension) where
 * it would go: before its equals, or after them for side `right`. Int32, of
 * the values' shape.
 *
 * ```js
 * tf.searchSorted([1, 3, 3, 5], [3, 6]).arraySync(); // => [1, 4]
 * tf.searchSorted([1, 3, 3, 5], [3, 6], 'right').arraySync(); // => [3, 4]
 * ```
 */
export function searchSorted(
    sortedSequence: Tensor | TensorLike, values: Tensor | TensorLike,
    side: 'left' | 'right' = 'left'): Tensor {
  return op('searchSorted', (arg) => {
    assert(side === 'left' || side === 'right',
           () => `side must be 'left' or 'right', but got ${side}`);
    return wasm.searchSorted(
        arg('sortedSequence', sortedSequence), arg('values', values),
        side === 'right' ? 1 : 0);
  });
}

/**
 * `searchSorted` before equals.
 *
 * ```js
 * tf.lowerBound([1, 3, 3, 5], [3]).arraySync(); // => [1]
 * ```
 */
export function lowerBound(
    sortedSequence: Tensor | TensorLike,
    values: Tensor | TensorLike): Tensor {
  return searchSorted(sortedSequence, values, 'left');
}

/**
 * `searchSorted` after equals.
 *
 * ```js
 * tf.upperBound([1, 3, 3, 5], [3]).arraySync(); // => [3]
 * ```
 */
export function upperBound(
    sortedSequence: Tensor | TensorLike,
    values: Tensor | TensorLike): Tensor {
  return searchSorted(sortedSequence, values, 'right');
}

/**
 * A promise of the elements of vector `x` that vector `y` lacks, and of their
 * int32 indices. Errors: other ranks, different dtypes.
 *
 * ```js
 * const [rest, at] = await tf.setdiff1dAsync([1, 2, 3, 4], [1, 3]);
 * rest.arraySync(); // => [2, 4]
 * at.arraySync(); // => [1, 3]
 * ```
 */
export async function setdiff1dAsync(
    x: Tensor | TensorLike,
    y: Tensor | TensorLike): Promise<[Tensor, Tensor]> {
  const [rest, at] = ops('setdiff1d', (arg) => {
    const [a, b] = [arg('x', x), arg('y', y)];
    assert(!isTensor(x) || !isTensor(y) || x.dtype === y.dtype,
           () => 'x and y should have the same dtype, but got x ' +
               `(${(x as Tensor).dtype}) and y (${(y as Tensor).dtype}).`);
    for (const [name, vector] of [['x', x], ['y', y]] as const) {
      assert(shapeOf(vector).length === 1,
             () => `${name} should be 1D tensor, but got ${name} ` +
                 `(${shapeOf(vector)}).`);
    }
    return wasm.setdiff1d(a, b);
  });
  return [rest!, at!];
}
