/**
 * Random tensors. The numbers are a function of the seed alone; without one, a
 * fresh seed is taken from `Math.random()`.
 */
import {wasm} from '../module.js';
import {dtypeNumber, list, op} from '../op.js';
import type {TensorLike} from '../op.js';
import type {Tensor, Tensor1D, Tensor2D} from '../tensor.js';
import type {DataType, Rank, ShapeMap} from '../types.js';
import {checkedShape} from './checks.js';
import {tensor} from './creation.js';

/** A seed as a number: text is hashed (FNV-1a), nothing is drawn. */
function seedNumber(seed: number | string | null | undefined): number {
  if (seed === undefined || seed === null) return Math.random();
  if (typeof seed === 'number') return seed;
  let hash = 0x811c9dc5;
  for (const unit of seed) {
    hash = Math.imul(hash ^ unit.codePointAt(0)!, 0x01000193) >>> 0;
  }
  return hash;
}

const typeNumber = (dtype: DataType | null | undefined): number =>
  dtypeNumber(dtype ?? 'float32');

/**
 * A tensor of `shape` filled with the results of `randFunction()`.
 *
 * ```js
 * tf.rand([2], () => 0.5).arraySync(); // => [0.5, 0.5]
 * ```
 */
export function rand<R extends Rank>(
    shape: ShapeMap[R], randFunction: () => number,
    dtype?: DataType): Tensor<R> {
  const size = checkedShape(shape).reduce((a, b) => a * b, 1);
  return tensor(
      Array.from({length: size}, () => randFunction()), shape,
      dtype ?? 'float32');
}

/**
 * Numbers spread evenly over `[minval, maxval)`; whole ones for int32, and for
 * bool whether they are at least 1/2.
 *
 * Errors: a shape that is not of whole numbers.
 *
 * ```js
 * tf.randomUniform([2, 3], 0, 10).shape; // => [2, 3]
 * tf.randomUniform([9], 5, 6, 'int32').min().arraySync(); // => 5
 * ```
 */
export function randomUniform<R extends Rank>(
    shape: ShapeMap[R], minval = 0, maxval = 1, dtype: DataType = 'float32',
    seed?: number | string): Tensor<R> {
  return op('randomUniform', () => wasm.randomUniform(
      list(checkedShape(shape)), minval, maxval, typeNumber(dtype),
      seedNumber(seed)));
}

/**
 * Whole numbers spread evenly over `[minval, maxval)`, as int32.
 *
 * Errors: a shape that is not of whole numbers.
 *
 * ```js
 * tf.randomUniformInt([2], 7, 8).arraySync(); // => [7, 7]
 * ```
 */
export function randomUniformInt<R extends Rank>(
    shape: ShapeMap[R], minval: number, maxval: number,
    seed?: number | string): Tensor<R> {
  return randomUniform(shape, minval, maxval, 'int32', seed);
}

/**
 * Normally distributed numbers; rounded for int32.
 *
 * Errors: dtype bool; a shape that is not of whole numbers.
 *
 * ```js
 * tf.randomNormal([2, 3], 5, 0.1).shape; // => [2, 3]
 * tf.randomNormal([2], 5, 0).arraySync(); // => [5, 5]
 * ```
 */
export function randomNormal<R extends Rank>(
    shape: ShapeMap[R], mean = 0, stdDev = 1,
    dtype?: 'float32' | 'int32', seed?: number): Tensor<R> {
  return op('randomNormal', () => wasm.randomNormal(
      list(checkedShape(shape)), mean, stdDev, typeNumber(dtype),
      seedNumber(seed)));
}

/**
 * Normally distributed numbers with mean 0 and standard deviation 1.
 *
 * Errors: dtype bool; a shape that is not of whole numbers.
 *
 * ```js
 * tf.randomStandardNormal([2, 3]).shape; // => [2, 3]
 * ```
 */
export function randomStandardNormal<R extends Rank>(
    shape: ShapeMap[R], dtype?: 'float32' | 'int32',
    seed?: number): Tensor<R> {
  return randomNormal(shape, 0, 1, dtype, seed);
}

/**
 * Normally distributed numbers, none further than two standard deviations
 * from the mean.
 *
 * Errors: dtype bool; a shape that is not of whole numbers.
 *
 * ```js
 * tf.truncatedNormal([100]).abs().max().arraySync() <= 2; // => true
 * ```
 */
export function truncatedNormal<R extends Rank>(
    shape: ShapeMap[R], mean = 0, stdDev = 1,
    dtype?: 'float32' | 'int32', seed?: number): Tensor<R> {
  return op('truncatedNormal', () => wasm.truncatedNormal(
      list(checkedShape(shape)), mean, stdDev, typeNumber(dtype),
      seedNumber(seed)));
}

/**
 * Numbers of the gamma distribution with shape `alpha` and rate `beta`.
 *
 * Errors: parameters that are not positive; dtype bool; a shape that is not of
 * whole numbers.
 *
 * ```js
 * tf.randomGamma([2, 3], 2).shape; // => [2, 3]
 * ```
 */
export function randomGamma<R extends Rank>(
    shape: ShapeMap[R], alpha: number, beta = 1,
    dtype: 'float32' | 'int32' = 'float32', seed?: number): Tensor<R> {
  return op('randomGamma', () => wasm.randomGamma(
      list(checkedShape(shape)), alpha, beta ?? 1, typeNumber(dtype),
      seedNumber(seed)));
}

/**
 * Draws outcomes with the (unnormalised log-) probabilities in each row of
 * `logits`: int32 `[numSamples]`, or `[batch, numSamples]`.
 *
 * Errors: fewer than two outcomes; `logits` of rank 3 or more.
 *
 * ```js
 * tf.multinomial([0, 1], 3, 7, true).arraySync(); // => [1, 1, 1]
 * ```
 */
export function multinomial<T extends Tensor1D | Tensor2D>(
    logits: T | TensorLike, numSamples: number, seed?: number,
    normalized = false): T {
  return op('multinomial', (arg) => wasm.multinomial(
      arg('logits', logits), numSamples, seedNumber(seed),
      normalized ? 1 : 0));
}

/**
 * `x` with a random share `rate` of its elements set to 0 and the others
 * scaled by `1 / (1 - rate)`. Along dimensions where `noiseShape` is 1 elements
 * live and die together; null stands for the dimension of `x`.
 *
 * Errors: `x` is not float32; `rate` is outside `[0, 1)`.
 *
 * ```js
 * tf.dropout([1, 2, 3], 0).arraySync(); // => [1, 2, 3]
 * ```
 */
export function dropout<T extends Tensor>(
    x: T | TensorLike, rate: number,
    noiseShape?: readonly (number | null)[] | null,
    seed?: number | string): T {
  return op('dropout', (arg) => wasm.dropout(
      arg('x', x), rate, list((noiseShape ?? []).map((d) => d ?? -1)),
      seedNumber(seed)));
}
