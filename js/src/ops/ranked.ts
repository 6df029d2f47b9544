/** TensorFlow.js's older names for ops on tensors of one rank. */
import {assert} from '../op.js';
import type {TensorLike} from '../op.js';
import type {
  Tensor, Tensor1D, Tensor2D, Tensor3D, Tensor4D,
} from '../tensor.js';
import type {
  TensorLike1D, TensorLike2D, TensorLike3D, TensorLike4D,
} from '../types.js';
import {concat} from './concat.js';
import {pad} from './pad.js';
import {shapeOf} from './shape.js';
import {reverse, slice} from './slice.js';

type Pair = [number, number];

function expectRank(
    name: string, x: Tensor | TensorLike, rank: number): void {
  const {length} = shapeOf(x);
  assert(length === rank,
         () => `${name} expects a rank-${rank} tensor, but got a ` +
             `rank-${length} tensor`);
}

function reversed<T extends Tensor>(
    rank: number, x: T | TensorLike, axis?: number | number[]): T {
  const {length} = shapeOf(x);
  assert(length === rank,
         () => `Error in reverse${rank}D: x must be rank ${rank} but got ` +
             `rank ${length}.`);
  return reverse(x, axis);
}

/**
 * `slice` of a vector.
 *
 * ```js
 * tf.slice1d([1, 2, 3], 1, 2).arraySync(); // => [2, 3]
 * ```
 */
export function slice1d(
    x: Tensor1D | TensorLike, begin: number, size: number): Tensor1D {
  expectRank('slice1d', x, 1);
  return slice(x, [begin], [size]);
}

/**
 * `slice` of a matrix.
 *
 * ```js
 * tf.slice2d([[1, 2], [3, 4]], [0, 1], [2, 1]).arraySync(); // => [[2], [4]]
 * ```
 */
export function slice2d(
    x: Tensor2D | TensorLike, begin: Pair, size: Pair): Tensor2D {
  expectRank('slice2d', x, 2);
  return slice(x, begin, size);
}

/**
 * `slice` of a tensor of rank 3.
 *
 * ```js
 * tf.slice3d([[[1, 2]]], [0, 0, 1], [1, 1, 1]).arraySync(); // => [[[2]]]
 * ```
 */
export function slice3d(
    x: Tensor3D | TensorLike, begin: [number, number, number],
    size: [number, number, number]): Tensor3D {
  expectRank('slice3d', x, 3);
  return slice(x, begin, size);
}

/**
 * `slice` of a tensor of rank 4.
 *
 * ```js
 * tf.slice4d([[[[1, 2]]]], [0, 0, 0, 1], [1, 1, 1, 1]).arraySync(); // => [[[[2]]]]
 * ```
 */
export function slice4d(
    x: Tensor4D | TensorLike, begin: [number, number, number, number],
    size: [number, number, number, number]): Tensor4D {
  expectRank('slice4d', x, 4);
  return slice(x, begin, size);
}

/**
 * Vectors one after the other.
 *
 * ```js
 * tf.concat1d([[1], [2, 3]]).arraySync(); // => [1, 2, 3]
 * ```
 */
export function concat1d(
    tensors: Array<Tensor1D | TensorLike>): Tensor1D {
  return concat(tensors, 0);
}

/**
 * `concat` of matrices.
 *
 * ```js
 * tf.concat2d([[[1]], [[2]]], 1).arraySync(); // => [[1, 2]]
 * ```
 */
export function concat2d(
    tensors: Array<Tensor2D | TensorLike>, axis: number): Tensor2D {
  return concat(tensors, axis);
}

/**
 * `concat` of tensors of rank 3.
 *
 * ```js
 * tf.concat3d([[[[1]]], [[[2]]]], 2).arraySync(); // => [[[1, 2]]]
 * ```
 */
export function concat3d(
    tensors: Array<Tensor3D | TensorLike>, axis: number): Tensor3D {
  return concat(tensors, axis);
}

/**
 * `concat` of tensors of rank 4.
 *
 * ```js
 * tf.concat4d([[[[[1]]]], [[[[2]]]]], 3).arraySync(); // => [[[[1, 2]]]]
 * ```
 */
export function concat4d(
    tensors: Array<Tensor4D | TensorLike>, axis: number): Tensor4D {
  return concat(tensors, axis);
}

/**
 * `pad` of a vector.
 *
 * ```js
 * tf.pad1d([1, 2], [1, 1]).arraySync(); // => [0, 1, 2, 0]
 * ```
 */
export function pad1d(
    x: Tensor1D | TensorLike, paddings: Pair, constantValue = 0): Tensor1D {
  assert(paddings.length === 2,
         () => 'Invalid number of paddings. Must be length of 2.');
  return pad(x, [paddings], constantValue);
}

function padded<T extends Tensor>(
    rank: number, x: T | TensorLike, paddings: Pair[], value: number): T {
  assert(paddings.length === rank && paddings.every((p) => p.length === 2),
         () => 'Invalid number of paddings. Must be length of 2 each.');
  return pad(x, paddings, value);
}

/**
 * `pad` of a matrix.
 *
 * ```js
 * tf.pad2d([[1]], [[0, 1], [1, 0]]).arraySync(); // => [[0, 1], [0, 0]]
 * ```
 */
export function pad2d(
    x: Tensor2D | TensorLike, paddings: [Pair, Pair],
    constantValue = 0): Tensor2D {
  return padded(2, x, paddings, constantValue);
}

/**
 * `pad` of a tensor of rank 3.
 *
 * ```js
 * tf.pad3d([[[1]]], [[0, 0], [0, 0], [1, 0]]).arraySync(); // => [[[0, 1]]]
 * ```
 */
export function pad3d(
    x: Tensor3D | TensorLike, paddings: [Pair, Pair, Pair],
    constantValue = 0): Tensor3D {
  return padded(3, x, paddings, constantValue);
}

/**
 * `pad` of a tensor of rank 4.
 *
 * ```js
 * tf.pad4d([[[[1]]]], [[0, 0], [0, 0], [0, 0], [1, 0]]).arraySync();
 * // => [[[[0, 1]]]]
 * ```
 */
export function pad4d(
    x: Tensor4D | TensorLike, paddings: [Pair, Pair, Pair, Pair],
    constantValue = 0): Tensor4D {
  return padded(4, x, paddings, constantValue);
}

/**
 * A vector turned around.
 *
 * ```js
 * tf.reverse1d([1, 2, 3]).arraySync(); // => [3, 2, 1]
 * ```
 */
export function reverse1d(x: Tensor1D | TensorLike1D): Tensor1D {
  return reversed<Tensor1D>(1, x, 0);
}

/**
 * `reverse` of a matrix.
 *
 * ```js
 * tf.reverse2d([[1, 2], [3, 4]], 0).arraySync(); // => [[3, 4], [1, 2]]
 * ```
 */
export function reverse2d(
    x: Tensor2D | TensorLike2D, axis?: number | number[]): Tensor2D {
  return reversed<Tensor2D>(2, x, axis);
}

/**
 * `reverse` of a tensor of rank 3.
 *
 * ```js
 * tf.reverse3d([[[1, 2]]], 2).arraySync(); // => [[[2, 1]]]
 * ```
 */
export function reverse3d(
    x: Tensor3D | TensorLike3D, axis?: number | number[]): Tensor3D {
  return reversed<Tensor3D>(3, x, axis);
}

/**
 * `reverse` of a tensor of rank 4.
 *
 * ```js
 * tf.reverse4d([[[[1, 2]]]], 3).arraySync(); // => [[[[2, 1]]]]
 * ```
 */
export function reverse4d(
    x: Tensor4D | TensorLike4D, axis?: number | number[]): Tensor4D {
  return reversed<Tensor4D>(4, x, axis);
}
