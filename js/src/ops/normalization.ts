/** Ops that rescale: softmax, batch and local response normalization, norms. */
import {TensorError} from '../errors.js';
import {wasm} from '../module.js';
import {assert, list, op, optional} from '../op.js';
import type {TensorLike} from '../op.js';
import type {
  Tensor, Tensor1D, Tensor2D, Tensor3D, Tensor4D,
} from '../tensor.js';
import {isTensor} from '../tensor.js';
import {inferShape} from '../nest.js';
import {axes} from './axes.js';

/**
 * `exp(x) / sum(exp(x))` along the last dimension, without overflow. Errors:
 * another dimension, a tensor that is not float32.
 *
 * ```js
 * tf.softmax([1, 1]).arraySync(); // => [0.5, 0.5]
 * ```
 */
export function softmax<T extends Tensor>(
    logits: T | TensorLike, dim = -1): T {
  return op('softmax', (arg) =>
    wasm.softmax(arg('logits', logits, 'float32'), dim));
}

/**
 * The logarithm of softmax along the last dimension, computed without it.
 *
 * ```js
 * tf.logSoftmax([1000, 0]).arraySync(); // => [0, -1000]
 * ```
 */
export function logSoftmax<T extends Tensor>(
    logits: T | TensorLike, axis = -1): T {
  return op('logSoftmax', (arg) =>
    wasm.logSoftmax(arg('logits', logits), axis));
}

/**
 * `(x - mean) / sqrt(variance + varianceEpsilon) * scale + offset`. The
 * parameters broadcast to `x`: most often one value per channel.
 *
 * ```js
 * tf.batchNorm([[1, 2], [3, 4]], [2, 2], [1, 4], null, null, 0).arraySync();
 * // => [[-1, 0], [1, 1]]
 * ```
 */
export function batchNorm<T extends Tensor>(
    x: T | TensorLike, mean: Tensor | TensorLike,
    variance: Tensor | TensorLike, offset?: Tensor | TensorLike | null,
    scale?: Tensor | TensorLike | null, varianceEpsilon?: number | null): T {
  return op('batchNorm', (arg) => wasm.batchNorm(
      arg('x', x), arg('mean', mean), arg('variance', variance),
      optional(arg, 'offset', offset), optional(arg, 'scale', scale),
      varianceEpsilon ?? 0.001));
}

const rankOf = (x: Tensor | TensorLike): number =>
  isTensor(x) ? x.rank : inferShape(x).length;

// Rank checks first: `x` has one rank, parameters that or 1.
function ranked<T extends Tensor>(
    rank: number, x: T | TensorLike, mean: Tensor | TensorLike,
    variance: Tensor | TensorLike, offset?: Tensor | TensorLike | null,
    scale?: Tensor | TensorLike | null, varianceEpsilon?: number | null): T {
  const check = (name: string, t: Tensor | TensorLike | null | undefined) => {
    if (t === null || t === undefined) return;
    const r = rankOf(t);
    assert(r === rank || (name !== 'x' && r === 1),
           () => `Error in batchNorm${rank}D: ${name} must be rank ${rank}` +
               `${name === 'x' ? '' : ' or rank 1'} but got rank ${r}.`);
  };
  check('x', x);
  check('mean', mean);
  check('variance', variance);
  check('offset', offset);
  check('scale', scale);
  return batchNorm(x, mean, variance, offset, scale, varianceEpsilon);
}

/**
 * `batchNorm` of a matrix.
 *
 * ```js
 * tf.batchNorm2d([[1], [3]], [2], [1], [5], [10], 0).arraySync();
 * // => [[-5], [15]]
 * ```
 */
export function batchNorm2d(
    x: Tensor2D | TensorLike, mean: Tensor2D | Tensor1D | TensorLike,
    variance: Tensor2D | Tensor1D | TensorLike,
    offset?: Tensor2D | Tensor1D | TensorLike | null,
    scale?: Tensor2D | Tensor1D | TensorLike | null,
    varianceEpsilon?: number | null): Tensor2D {
  return ranked(2, x, mean, variance, offset, scale, varianceEpsilon);
}

/**
 * `batchNorm` of a rank-3 tensor.
 *
 * ```js
 * tf.batchNorm3d([[[1], [3]]], [2], [1], null, null, 0).arraySync();
 * // => [[[-1], [1]]]
 * ```
 */
export function batchNorm3d(
    x: Tensor3D | TensorLike, mean: Tensor3D | Tensor1D | TensorLike,
    variance: Tensor3D | Tensor1D | TensorLike,
    offset?: Tensor3D | Tensor1D | TensorLike | null,
    scale?: Tensor3D | Tensor1D | TensorLike | null,
    varianceEpsilon?: number | null): Tensor3D {
  return ranked(3, x, mean, variance, offset, scale, varianceEpsilon);
}

/**
 * `batchNorm` of a batch of images.
 *
 * ```js
 * tf.batchNorm4d([[[[1], [3]]]], [2], [1], null, null, 0).arraySync();
 * // => [[[[-1], [1]]]]
 * ```
 */
export function batchNorm4d(
    x: Tensor4D | TensorLike, mean: Tensor4D | Tensor1D | TensorLike,
    variance: Tensor4D | Tensor1D | TensorLike,
    offset?: Tensor4D | Tensor1D | TensorLike | null,
    scale?: Tensor4D | Tensor1D | TensorLike | null,
    varianceEpsilon?: number | null): Tensor4D {
  return ranked(4, x, mean, variance, offset, scale, varianceEpsilon);
}

/**
 * `x / (bias + alpha * s) ** beta`, where `s` is the sum of squares of the
 * channels at most `depthRadius` away. `x` is `[height, width, channels]` or a
 * batch of that. Errors: another rank, a radius that is not whole.
 *
 * ```js
 * tf.localResponseNormalization([[[3, 4]]], 1, 0, 1, 0.5).arraySync();
 * // => [[[0.6, 0.8]]]
 * ```
 */
export function localResponseNormalization<T extends Tensor3D | Tensor4D>(
    x: T | TensorLike, depthRadius = 5, bias = 1, alpha = 1, beta = 0.5): T {
  assert(Number.isInteger(depthRadius) && depthRadius >= 0,
         () => 'Error in localResponseNormalization: depthRadius must be an ' +
             `integer but got depthRadius ${depthRadius}.`);
  return op('localResponseNormalization', (arg) =>
    wasm.localResponseNormalization(
        arg('x', x), depthRadius, bias, alpha, beta));
}

/** C++'s number (`ops::Norm`) of an order of vector or matrix norm. */
function normKind(ord: number | 'euclidean' | 'fro', matrix: boolean): number {
  if (ord === 'euclidean' || ord === (matrix ? 'fro' : 2)) return 0;
  const n = ([1, Infinity, -Infinity] as unknown[]).indexOf(ord);
  if (n < 0) {
    throw new TensorError(
        'argument', `Error in norm: invalid ord value: ${ord}`);
  }
  return n + 1;
}

/**
 * A norm of vectors (one axis), of matrices (two axes), or of all elements as
 * one vector (no axis).
 *
 * `ord` is `'euclidean'` (for vectors also 2, for matrices `'fro'`), 1,
 * `Infinity` or `-Infinity`. Errors: another `ord`, more than two axes.
 *
 * ```js
 * tf.norm([3, 4]).arraySync(); // => 5
 * tf.norm([[1, -2], [3, 4]], 1, [0, 1]).arraySync(); // => 6
 * ```
 */
export function norm(
    x: Tensor | TensorLike, ord: number | 'euclidean' | 'fro' = 'euclidean',
    axis: number | number[] | null = null, keepDims = false): Tensor {
  return op('norm', (arg) => {
    const over = axes(axis);
    const kind = normKind(ord, over.length === 2);
    const handle = arg('x', x);
    return wasm.norm(handle, kind, list(over), keepDims ? 1 : 0);
  });
}

/**
 * The root of the sum of squares over `axis`.
 *
 * ```js
 * tf.euclideanNorm([[3, 4], [6, 8]], 1).arraySync(); // => [5, 10]
 * ```
 */
export function euclideanNorm(
    x: Tensor | TensorLike, axis: number | number[] | null = null,
    keepDims = false): Tensor {
  return norm(x, 'euclidean', axis, keepDims);
}
