/** Counting, and selection that depends on data. */
import {wasm} from '../module.js';
import {assert, op} from '../op.js';
import type {TensorLike} from '../op.js';
import type {Tensor, Tensor1D, Tensor2D} from '../tensor.js';
import {shapeOf} from './shape.js';

/**
 * How often each of 0 … size - 1 occurs in int32 `x`; with `weights`, of x's
 * size, the sum of those. Values from `size` on are dropped. The dtype is that
 * of `weights`. Error: a negative value.
 *
 * ```js
 * tf.bincount(tf.tensor1d([1, 1, 2], 'int32'), [], 3).arraySync(); // => [0, 2, 1]
 * ```
 */
export function bincount<T extends Tensor1D>(
    x: T | TensorLike, weights: T | TensorLike, size: number): T {
  return op('bincount', (arg) =>
    wasm.bincount(arg('x', x), arg('weights', weights), size));
}

/**
 * `bincount` of a vector, or of each row of a matrix; with `binaryOutput` 1 for
 * what occurs at all.
 *
 * ```js
 * tf.denseBincount(tf.tensor2d([[1, 1], [2, 0]], [2, 2], 'int32'), [], 3)
 *     .arraySync(); // => [[0, 2, 0], [1, 0, 1]]
 * ```
 */
export function denseBincount<T extends Tensor1D | Tensor2D>(
    x: T | TensorLike, weights: T | TensorLike, size: number,
    binaryOutput = false): T {
  return op('denseBincount', (arg) => wasm.denseBincount(
      arg('x', x), arg('weights', weights), size, binaryOutput ? 1 : 0));
}

/**
 * A promise of the slices of `tensor` whose place in `mask` is true; the
 * dimensions of `mask` stand for those of `tensor` from `axis` on.
 *
 * ```js
 * const kept = await tf.booleanMaskAsync([1, 2, 3], [true, false, true]);
 * kept.arraySync(); // => [1, 3]
 * ```
 */
export async function booleanMaskAsync(
    tensor: Tensor | TensorLike, mask: Tensor | TensorLike,
    axis?: number): Promise<Tensor> {
  return op('booleanMask', (arg) => {
    const [x, flags] = [arg('tensor', tensor), arg('mask', mask, 'bool')];
    const from = axis ?? 0;
    const [shape, cut] = [shapeOf(tensor), shapeOf(mask)];
    assert(cut.length > 0, () => 'mask cannot be scalar');
    assert(cut.every((d, i) => d === shape[from + i]) || from < 0,
           () => "mask's shape must match the first K dimensions of tensor's " +
               `shape, Shapes ${shape} and ${cut} must match`);
    return wasm.booleanMask(x, flags, from);
  });
}
