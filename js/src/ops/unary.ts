/** Elementwise arithmetic, rounding and questions on one tensor. */
import {wasm} from '../module.js';
import {op} from '../op.js';
import type {TensorLike} from '../op.js';
import type {Tensor} from '../tensor.js';

/**
 * The distance from zero, `|x|`; int32 stays int32.
 *
 * ```js
 * tf.abs([-1, 2]).arraySync(); // => [1, 2]
 * ```
 */
export function abs<T extends Tensor>(x: T | TensorLike): T {
  return op('abs', (arg) => wasm.abs(arg('x', x)));
}

/**
 * The smallest whole number that is not below `x`.
 *
 * Errors: `x` is not float32.
 *
 * ```js
 * tf.ceil([1.2, -1.2]).arraySync(); // => [2, -1]
 * ```
 */
export function ceil<T extends Tensor>(x: T | TensorLike): T {
  return op('ceil', (arg) => wasm.ceil(arg('x', x, 'float32')));
}

/**
 * `x` where it lies between the limits, else the nearer limit; NaN stays NaN.
 *
 * Errors: `clipValueMin` is greater than `clipValueMax`.
 *
 * ```js
 * tf.clipByValue([-1, 2, 9], 0, 3).arraySync(); // => [0, 2, 3]
 * ```
 */
export function clipByValue<T extends Tensor>(
    x: T | TensorLike, clipValueMin: number, clipValueMax: number): T {
  return op('clipByValue', (arg) =>
    wasm.clipByValue(arg('x', x), clipValueMin, clipValueMax));
}

/**
 * The largest whole number that is not above `x`.
 *
 * Errors: `x` is not float32.
 *
 * ```js
 * tf.floor([1.2, -1.2]).arraySync(); // => [1, -2]
 * ```
 */
export function floor<T extends Tensor>(x: T | TensorLike): T {
  return op('floor', (arg) => wasm.floor(arg('x', x, 'float32')));
}

/**
 * True where `x` is neither infinite nor NaN.
 *
 * ```js
 * tf.isFinite([1, NaN, Infinity]).arraySync(); // => [1, 0, 0]
 * ```
 */
export function isFinite<T extends Tensor>(x: T | TensorLike): T {
  return op('isFinite', (arg) => wasm.isFinite(arg('x', x)));
}

/**
 * True where `x` is infinite.
 *
 * ```js
 * tf.isInf([1, NaN, -Infinity]).arraySync(); // => [0, 0, 1]
 * ```
 */
export function isInf<T extends Tensor>(x: T | TensorLike): T {
  return op('isInf', (arg) => wasm.isInf(arg('x', x)));
}

/**
 * True where `x` is NaN.
 *
 * ```js
 * tf.isNaN([1, NaN, Infinity]).arraySync(); // => [0, 1, 0]
 * ```
 */
export function isNaN<T extends Tensor>(x: T | TensorLike): T {
  return op('isNaN', (arg) => wasm.isNan(arg('x', x)));
}

/**
 * The negative, `-x`; int32 stays int32.
 *
 * ```js
 * tf.neg([1, -2]).arraySync(); // => [-1, 2]
 * ```
 */
export function neg<T extends Tensor>(x: T | TensorLike): T {
  return op('neg', (arg) => wasm.neg(arg('x', x)));
}

/**
 * The reciprocal, `1 / x`.
 *
 * ```js
 * tf.reciprocal([2, -4]).arraySync(); // => [0.5, -0.25]
 * ```
 */
export function reciprocal<T extends Tensor>(x: T | TensorLike): T {
  return op('reciprocal', (arg) => wasm.reciprocal(arg('x', x)));
}

/**
 * `x` rounded to the nearest whole number, halves to the even one.
 *
 * ```js
 * tf.round([0.5, 1.5, 2.6]).arraySync(); // => [0, 2, 3]
 * ```
 */
export function round<T extends Tensor>(x: T | TensorLike): T {
  return op('round', (arg) => wasm.round(arg('x', x)));
}

/**
 * The reciprocal of the square root, `1 / sqrt(x)`.
 *
 * Errors: `x` is not float32.
 *
 * ```js
 * tf.rsqrt([4, 16]).arraySync(); // => [0.5, 0.25]
 * ```
 */
export function rsqrt<T extends Tensor>(x: T | TensorLike): T {
  return op('rsqrt', (arg) => wasm.rsqrt(arg('x', x, 'float32')));
}

/**
 * -1, 0 or 1 as `x` is negative, zero or positive; 0 for NaN.
 *
 * ```js
 * tf.sign([-3, 0, 2]).arraySync(); // => [-1, 0, 1]
 * ```
 */
export function sign<T extends Tensor>(x: T | TensorLike): T {
  return op('sign', (arg) => wasm.sign(arg('x', x)));
}

/**
 * The square root; NaN below zero.
 *
 * Errors: `x` is not float32.
 *
 * ```js
 * tf.sqrt([4, 9]).arraySync(); // => [2, 3]
 * ```
 */
export function sqrt<T extends Tensor>(x: T | TensorLike): T {
  return op('sqrt', (arg) => wasm.sqrt(arg('x', x, 'float32')));
}

/**
 * The square, `x * x`; int32 stays int32.
 *
 * ```js
 * tf.square([1, -2]).arraySync(); // => [1, 4]
 * ```
 */
export function square<T extends Tensor>(x: T | TensorLike): T {
  return op('square', (arg) => wasm.square(arg('x', x)));
}

/**
 * 1 where `x > 0`, else `alpha`; NaN stays NaN.
 *
 * ```js
 * tf.step([-1, 2], 0.5).arraySync(); // => [0.5, 1]
 * ```
 */
export function step<T extends Tensor>(x: T | TensorLike, alpha = 0.0): T {
  return op('step', (arg) => wasm.step(arg('x', x), alpha));
}
