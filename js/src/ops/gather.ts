/** Elements by index, and their transposes. */
import {wasm} from '../module.js';
import {inferDtype, list, op} from '../op.js';
import type {TensorLike} from '../op.js';
import {isTensor} from '../tensor.js';
import type {Scalar, Tensor, Tensor1D} from '../tensor.js';
import type {DataType, Rank, ScalarLike, ShapeMap} from '../types.js';
import {checkShape} from './shape.js';

/**
 * The slices of `x` along `axis` that the int32 `indices` name; the first
 * `batchDims` dimensions of both go together. Error: an index outside.
 *
 * ```js
 * tf.gather([10, 20, 30], [2, 0]).arraySync(); // => [30, 10]
 * ```
 */
export function gather<T extends Tensor>(
    x: T | TensorLike, indices: Tensor | TensorLike, axis = 0,
    batchDims = 0): T {
  return op('gather', (arg) => wasm.gather(
      arg('x', x), arg('indices', indices, 'int32'), axis, batchDims));
}

/**
 * Sums of the slices of `x` by their segment id: a tensor of `numSegments`
 * slices. Ids outside are dropped.
 *
 * ```js
 * tf.unsortedSegmentSum([1, 2, 3], tf.tensor1d([1, 0, 1], 'int32'), 2)
 *     .arraySync(); // => [2, 4]
 * ```
 */
export function unsortedSegmentSum<T extends Tensor>(
    x: T | TensorLike, segmentIds: Tensor1D | TensorLike,
    numSegments: number): T {
  return op('unsortedSegmentSum', (arg) => wasm.unsortedSegmentSum(
      arg('x', x), arg('segmentIds', segmentIds, 'int32'), numSegments));
}

/**
 * The slices of `x` at the positions that the last dimension of the int32
 * `indices` holds. Error: a position outside.
 *
 * ```js
 * tf.gatherND([[1, 2], [3, 4]], [[0, 1], [1, 0]]).arraySync(); // => [2, 3]
 * ```
 */
export function gatherND(
    x: Tensor | TensorLike, indices: Tensor | TensorLike): Tensor {
  return op('gatherND', (arg) =>
    wasm.gatherND(arg('x', x), arg('indices', indices, 'int32')));
}

/**
 * Zeros of `shape` with `updates` added at the positions in the last dimension
 * of the int32 `indices` (a flat list names places in the first dimension of
 * the result); duplicates add up.
 *
 * ```js
 * tf.scatterND([[1], [1]], [10, 5], [3]).arraySync(); // => [0, 15, 0]
 * ```
 */
export function scatterND<R extends Rank>(
    indices: Tensor | TensorLike, updates: Tensor | TensorLike,
    shape: ShapeMap[R]): Tensor<R> {
  return op('scatterND', (arg) => wasm.scatterND(
      arg('indices', indices, 'int32'), arg('updates', updates),
      list(checkShape(shape))));
}

/**
 * `tensor` with the slices at `indices` replaced by `updates`; of duplicates
 * the last one stays.
 *
 * ```js
 * tf.tensorScatterUpdate([1, 2, 3], [[1]], [9]).arraySync(); // => [1, 9, 3]
 * ```
 */
export function tensorScatterUpdate<R extends Rank>(
    tensor: Tensor<R> | TensorLike, indices: Tensor | TensorLike,
    updates: Tensor | TensorLike): Tensor<R> {
  return op('tensorScatterUpdate', (arg) => wasm.tensorScatterUpdate(
      arg('tensor', tensor), arg('indices', indices, 'int32'),
      arg('updates', updates)));
}

/**
 * A tensor of `outputShape` with `sparseValues` at `sparseIndices` (`[n, rank]`,
 * `[n]` or `[]`, int32) and `defaultValue`, of the values' dtype, elsewhere.
 *
 * ```js
 * tf.sparseToDense(tf.tensor1d([0, 2], 'int32'), [5, 6], [4]).arraySync();
 * // => [5, 0, 6, 0]
 * ```
 */
export function sparseToDense<R extends Rank>(
    sparseIndices: Tensor | TensorLike, sparseValues: Tensor | TensorLike,
    outputShape: ShapeMap[R],
    defaultValue: Scalar | ScalarLike = 0): Tensor<R> {
  return op('sparseToDense', (arg) => {
    const values = arg('sparseValues', sparseValues);
    return wasm.sparseToDense(
        arg('sparseIndices', sparseIndices, 'int32'), values,
        list(checkShape(outputShape)),
        arg('defaultValue', defaultValue, dtypeOf(sparseValues)));
  });
}

const dtypeOf = (x: Tensor | TensorLike): DataType =>
  isTensor(x) ? x.dtype : inferDtype(x);

/**
 * The tensor of shape `[...s, ...s]` that has `x`, of shape s, on its diagonal
 * and zeros elsewhere.
 *
 * ```js
 * tf.diag(tf.tensor([1, 2])).arraySync(); // => [[1, 0], [0, 2]]
 * ```
 */
export function diag(x: Tensor | TensorLike): Tensor {
  return op('diag', (arg) => wasm.diag(arg('x', x)));
}
