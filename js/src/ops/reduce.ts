/** Reductions and running results over axes. */
import {wasm} from '../module.js';
import {list, op, ops} from '../op.js';
import type {Arg, TensorLike} from '../op.js';
import type {Tensor} from '../tensor.js';
import {axes} from './axes.js';
import type {AxisLike} from './axes.js';

type Reduce = (x: number, axes: number, keepDims: number) => number;

// The axis list is written after the tensors are made.
function reduce<T extends Tensor>(
    name: string, f: Reduce, x: (arg: Arg) => number,
    axis: AxisLike, keepDims: boolean): T {
  return op(name, (arg) => {
    const handle = x(arg);
    return f(handle, list(axes(axis)), keepDims ? 1 : 0);
  });
}

/**
 * The sum over `axis` (one, several, or all dimensions). int32 stays int32 and
 * is exact (it wraps at 2^32); bool counts as int32.
 *
 * ```js
 * tf.sum([[1, 2], [3, 4]]).arraySync(); // => 10
 * tf.sum([[1, 2], [3, 4]], 0).arraySync(); // => [4, 6]
 * ```
 */
export function sum<T extends Tensor>(
    x: Tensor | TensorLike, axis?: number | number[] | null,
    keepDims = false): T {
  return reduce('sum', wasm.sum, (arg) => arg('x', x), axis, keepDims);
}

/**
 * The mean over `axis` (one, several, or all dimensions), always float32.
 *
 * ```js
 * tf.mean([[1, 2], [3, 4]]).arraySync(); // => 2.5
 * tf.mean([[1, 2], [3, 4]], 1).arraySync(); // => [1.5, 3.5]
 * ```
 */
export function mean<T extends Tensor>(
    x: Tensor | TensorLike, axis?: number | number[] | null,
    keepDims = false): T {
  return reduce('mean', wasm.mean, (arg) => arg('x', x), axis, keepDims);
}

/**
 * The product over `axis` (one, several, or all dimensions). int32 stays
 * int32; the gradient is right where elements are zero.
 *
 * ```js
 * tf.prod([[1, 2], [3, 4]]).arraySync(); // => 24
 * ```
 */
export function prod<T extends Tensor>(
    x: Tensor | TensorLike, axis?: number | number[] | null,
    keepDims = false): T {
  return reduce('prod', wasm.prod, (arg) => arg('x', x), axis, keepDims);
}

/**
 * The largest element over `axis`; NaN if there is one.
 *
 * ```js
 * tf.max([[1, 4], [3, 2]]).arraySync(); // => 4
 * tf.max([[1, 4], [3, 2]], 1, true).arraySync(); // => [[4], [3]]
 * ```
 */
export function max<T extends Tensor>(
    x: Tensor | TensorLike, axis?: number | number[] | null,
    keepDims = false): T {
  return reduce('max', wasm.max, (arg) => arg('x', x), axis, keepDims);
}

/**
 * The smallest element over `axis`; NaN if there is one.
 *
 * ```js
 * tf.min([[1, 4], [3, 2]], 0).arraySync(); // => [1, 2]
 * ```
 */
export function min<T extends Tensor>(
    x: Tensor | TensorLike, axis?: number | number[] | null,
    keepDims = false): T {
  return reduce('min', wasm.min, (arg) => arg('x', x), axis, keepDims);
}

/**
 * Whether any element of a bool tensor is true over `axis`. Errors: `x` is not
 * bool.
 *
 * ```js
 * tf.any([false, true]).arraySync(); // => 1
 * ```
 */
export function any<T extends Tensor>(
    x: Tensor | TensorLike, axis?: number | number[] | null,
    keepDims = false): T {
  return reduce('any', wasm.any, (arg) => arg('x', x, 'bool'), axis, keepDims);
}

/**
 * Whether all elements of a bool tensor are true over `axis`. Errors: `x` is
 * not bool.
 *
 * ```js
 * tf.all([false, true]).arraySync(); // => 0
 * ```
 */
export function all<T extends Tensor>(
    x: Tensor | TensorLike, axis?: number | number[] | null,
    keepDims = false): T {
  return reduce('all', wasm.all, (arg) => arg('x', x, 'bool'), axis, keepDims);
}

/**
 * The index of the largest element along `axis`, the first of equal ones, as
 * int32.
 *
 * ```js
 * tf.argMax([[1, 4], [3, 2]], 1).arraySync(); // => [1, 0]
 * ```
 */
export function argMax<T extends Tensor>(
    x: Tensor | TensorLike, axis = 0): T {
  return op('argMax', (arg) => wasm.argMax(arg('x', x), axis ?? 0));
}

/**
 * The index of the smallest element along `axis`, the first of equal ones, as
 * int32.
 *
 * ```js
 * tf.argMin([[1, 4], [3, 2]], 1).arraySync(); // => [0, 1]
 * ```
 */
export function argMin<T extends Tensor>(
    x: Tensor | TensorLike, axis = 0): T {
  return op('argMin', (arg) => wasm.argMin(arg('x', x), axis ?? 0));
}

/**
 * `log(sum(exp(x)))` over `axis`, without overflow.
 *
 * ```js
 * tf.logSumExp([1000, -1000]).arraySync(); // => 1000
 * ```
 */
export function logSumExp<T extends Tensor>(
    x: Tensor | TensorLike, axis?: number | number[] | null,
    keepDims = false): T {
  return reduce(
      'logSumExp', wasm.logSumExp, (arg) => arg('x', x), axis, keepDims);
}

/**
 * Mean and variance (of the population) over `axis`.
 *
 * ```js
 * const {mean, variance} = tf.moments([1, 3]);
 * [mean.arraySync(), variance.arraySync()]; // => [2, 1]
 * ```
 */
export function moments(
    x: Tensor | TensorLike, axis?: number | number[] | null,
    keepDims = false): {mean: Tensor, variance: Tensor} {
  const [mean, variance] = ops('moments', (arg) => {
    const handle = arg('x', x);
    return wasm.moments(handle, list(axes(axis)), keepDims ? 1 : 0);
  });
  return {mean: mean!, variance: variance!};
}

/**
 * Sums of the elements up to each one along `axis`: without the element itself
 * when `exclusive`, from the end when `reverse`.
 *
 * ```js
 * tf.cumsum([1, 2, 3]).arraySync(); // => [1, 3, 6]
 * tf.cumsum([1, 2, 3], 0, true).arraySync(); // => [0, 1, 3]
 * ```
 */
export function cumsum<T extends Tensor>(
    x: Tensor | TensorLike, axis = 0, exclusive = false, reverse = false): T {
  return op('cumsum', (arg) =>
    wasm.cumsum(arg('x', x), axis, exclusive ? 1 : 0, reverse ? 1 : 0));
}

/**
 * Products of the elements up to each one along `axis`: without the element
 * itself when `exclusive`, from the end when `reverse`.
 *
 * ```js
 * tf.cumprod([1, 2, 3]).arraySync(); // => [1, 2, 6]
 * tf.cumprod([1, 2, 3], 0, false, true).arraySync(); // => [6, 6, 3]
 * ```
 */
export function cumprod<T extends Tensor>(
    x: Tensor | TensorLike, axis = 0, exclusive = false, reverse = false): T {
  return op('cumprod', (arg) =>
    wasm.cumprod(arg('x', x), axis, exclusive ? 1 : 0, reverse ? 1 : 0));
}
