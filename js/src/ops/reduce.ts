/** Reductions over axes. */
import {wasm} from '../module.js';
import {list, op} from '../op.js';
import type {TensorLike} from '../op.js';
import type {Tensor} from '../tensor.js';

const axes = (axis?: number | readonly number[] | null): readonly number[] =>
  axis === undefined || axis === null ? [] :
  typeof axis === 'number' ? [axis] : axis;

/**
 * The sum over `axis` (one, several, or all dimensions).
 *
 * ```js
 * tf.sum([[1, 2], [3, 4]]).arraySync(); // => 10
 * tf.sum([[1, 2], [3, 4]], 0).arraySync(); // => [4, 6]
 * ```
 */
export function sum<T extends Tensor>(
    x: Tensor | TensorLike, axis?: number | number[] | null,
    keepDims = false): T {
  return op('sum', (arg) =>
    wasm.sum(arg('x', x), list(axes(axis)), keepDims ? 1 : 0));
}
