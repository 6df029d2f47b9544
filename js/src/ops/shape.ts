/** Ops that rename dimensions or repeat elements without changing them. */
import {TensorError} from '../errors.js';
import {wasm} from '../module.js';
import {inferShape} from '../nest.js';
import {assert, list, op} from '../op.js';
import type {TensorLike} from '../op.js';
import {isTensor} from '../tensor.js';
import type {Tensor} from '../tensor.js';
import type {Rank, ShapeMap} from '../types.js';

/** The shape an argument has or will have, for checks before the call. */
export const shapeOf = (x: Tensor | TensorLike): readonly number[] =>
  isTensor(x) ? x.shape : inferShape(x);

/** Refuses shapes with fractions or negative dimensions. */
export function checkShape(shape: readonly number[]): readonly number[] {
  for (const d of shape) {
    assert(Number.isInteger(d) && d >= 0,
           () => 'Tensor must have a shape comprised of positive integers but ' +
               `got shape [${shape.join(',')}].`);
  }
  return shape;
}

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
 * `x` with a dimension of 1 put before `axis`, which may count from the end.
 *
 * ```js
 * tf.expandDims([1, 2]).shape; // => [1, 2]
 * tf.expandDims([1, 2], -1).shape; // => [2, 1]
 * ```
 */
export function expandDims<T extends Tensor>(
    x: Tensor | TensorLike, axis = 0): T {
  return op('expandDims', (arg) => wasm.expandDims(arg('x', x), axis));
}

/**
 * `x` without its dimensions of 1: all of them, or those in `axis`. Error: one
 * of `axis` is not 1.
 *
 * ```js
 * tf.squeeze([[[1], [2]]]).shape; // => [2]
 * tf.squeeze([[[1], [2]]], [0]).shape; // => [2, 1]
 * ```
 */
export function squeeze<T extends Tensor>(
    x: Tensor | TensorLike, axis?: number[]): T {
  return op('squeeze', (arg) => wasm.squeeze(arg('x', x), list(axis ?? [])));
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
    wasm.broadcastTo(arg('x', x), list(checkShape(shape))));
}

/**
 * `x` itself when it has `shape` (null stands for any length), else an error.
 *
 * ```js
 * tf.ensureShape(tf.tensor([1, 2]), [2]).arraySync(); // => [1, 2]
 * ```
 */
export function ensureShape<R extends Rank>(
    x: Tensor, shape: ShapeMap[R]): Tensor {
  const wanted = shape as readonly (number | null)[];
  const actual = x.shape as number[];
  if (actual.length !== wanted.length ||
      wanted.some((d, i) => d !== null && d !== actual[i])) {
    throw new TensorError(
        'shape', `EnsureShape: Shape of tensor ${actual} is not compatible ` +
            `with expected shape ${wanted}`);
  }
  return x;
}
