/** Ops that move or rename elements without changing them. */
import {wasm} from '../module.js';
import {list, op} from '../op.js';
import type {TensorLike} from '../op.js';
import type {Tensor} from '../tensor.js';
import type {Rank, ShapeMap} from '../types.js';

/**
 * `x` under another shape of the same size; one dimension may be -1. The
 * values are shared, not copied.
 *
 * ```js
 * tf.reshape([1, 2, 3, 4], [2, -1]).arraySync(); // => [[1, 2], [3, 4]]
 * ```
 */
export function reshape<R extends Rank>(
    x: Tensor | TensorLike, shape: ShapeMap[R]): Tensor<R> {
  return op('reshape', (arg) => wasm.reshape(arg('x', x), list(shape)));
}

/**
 * `x` repeated to `shape` by NumPy's broadcasting rule.
 *
 * ```js
 * tf.broadcastTo([1, 2], [2, 2]).arraySync(); // => [[1, 2], [1, 2]]
 * ```
 */
export function broadcastTo<R extends Rank>(
    x: Tensor | TensorLike, shape: ShapeMap[R]): Tensor<R> {
  return op('broadcastTo', (arg) =>
    wasm.broadcastTo(arg('x', x), list(shape)));
}
