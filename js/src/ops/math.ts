/** Exponential, trigonometric and hyperbolic functions. */
import {wasm} from '../module.js';
import {op} from '../op.js';
import type {TensorLike} from '../op.js';
import type {Tensor} from '../tensor.js';

/**
 * The angle in `[0, pi]` whose cosine is `x`.
 *
 * ```js
 * tf.acos([1]).arraySync(); // => [0]
 * ```
 */
export function acos<T extends Tensor>(x: T | TensorLike): T {
  return op('acos', (arg) => wasm.acos(arg('x', x)));
}

/**
 * The number not below zero whose `cosh` is `x`; NaN below 1.
 *
 * ```js
 * tf.acosh([1]).arraySync(); // => [0]
 * ```
 */
export function acosh<T extends Tensor>(x: T | TensorLike): T {
  return op('acosh', (arg) => wasm.acosh(arg('x', x)));
}

/**
 * The angle in `[-pi/2, pi/2]` whose sine is `x`.
 *
 * ```js
 * tf.asin([0]).arraySync(); // => [0]
 * ```
 */
export function asin<T extends Tensor>(x: T | TensorLike): T {
  return op('asin', (arg) => wasm.asin(arg('x', x)));
}

/**
 * The number whose `sinh` is `x`.
 *
 * ```js
 * tf.asinh([0]).arraySync(); // => [0]
 * ```
 */
export function asinh<T extends Tensor>(x: T | TensorLike): T {
  return op('asinh', (arg) => wasm.asinh(arg('x', x)));
}

/**
 * The angle in `(-pi/2, pi/2)` whose tangent is `x`.
 *
 * ```js
 * tf.atan([0]).arraySync(); // => [0]
 * ```
 */
export function atan<T extends Tensor>(x: T | TensorLike): T {
  return op('atan', (arg) => wasm.atan(arg('x', x)));
}

/**
 * The number whose `tanh` is `x`; NaN beyond 1.
 *
 * ```js
 * tf.atanh([0, 1]).arraySync(); // => [0, Infinity]
 * ```
 */
export function atanh<T extends Tensor>(x: T | TensorLike): T {
  return op('atanh', (arg) => wasm.atanh(arg('x', x)));
}

/**
 * The cosine of `x` radians.
 *
 * Errors: `x` is not float32.
 *
 * ```js
 * tf.cos([0]).arraySync(); // => [1]
 * ```
 */
export function cos<T extends Tensor>(x: T | TensorLike): T {
  return op('cos', (arg) => wasm.cos(arg('x', x, 'float32')));
}

/**
 * The hyperbolic cosine, `(e^x + e^-x) / 2`.
 *
 * Errors: `x` is not float32.
 *
 * ```js
 * tf.cosh([0]).arraySync(); // => [1]
 * ```
 */
export function cosh<T extends Tensor>(x: T | TensorLike): T {
  return op('cosh', (arg) => wasm.cosh(arg('x', x, 'float32')));
}

/**
 * The error function, `2 / sqrt(pi)` times the integral of `e^(-t^2)`.
 *
 * ```js
 * tf.erf([0, 10]).arraySync(); // => [0, 1]
 * ```
 */
export function erf<T extends Tensor>(x: T | TensorLike): T {
  return op('erf', (arg) => wasm.erf(arg('x', x)));
}

/**
 * Computes `e^x`.
 *
 * ```js
 * tf.exp([0]).arraySync(); // => [1]
 * ```
 */
export function exp<T extends Tensor>(x: T | TensorLike): T {
  return op('exp', (arg) => wasm.exp(arg('x', x)));
}

/**
 * Computes `e^x - 1`, accurate near zero.
 *
 * ```js
 * tf.expm1([0]).arraySync(); // => [0]
 * ```
 */
export function expm1<T extends Tensor>(x: T | TensorLike): T {
  return op('expm1', (arg) => wasm.expm1(arg('x', x)));
}

/**
 * The natural logarithm; `-Infinity` at zero and NaN below.
 *
 * Errors: `x` is not float32.
 *
 * ```js
 * tf.log([1, 0]).arraySync(); // => [0, -Infinity]
 * ```
 */
export function log<T extends Tensor>(x: T | TensorLike): T {
  return op('log', (arg) => wasm.log(arg('x', x, 'float32')));
}

/**
 * Computes `log(1 + x)`, accurate near zero.
 *
 * ```js
 * tf.log1p([0, -1]).arraySync(); // => [0, -Infinity]
 * ```
 */
export function log1p<T extends Tensor>(x: T | TensorLike): T {
  return op('log1p', (arg) => wasm.log1p(arg('x', x)));
}

/**
 * The sine of `x` radians.
 *
 * Errors: `x` is not float32.
 *
 * ```js
 * tf.sin([0]).arraySync(); // => [0]
 * ```
 */
export function sin<T extends Tensor>(x: T | TensorLike): T {
  return op('sin', (arg) => wasm.sin(arg('x', x, 'float32')));
}

/**
 * The hyperbolic sine, `(e^x - e^-x) / 2`.
 *
 * ```js
 * tf.sinh([0]).arraySync(); // => [0]
 * ```
 */
export function sinh<T extends Tensor>(x: T | TensorLike): T {
  return op('sinh', (arg) => wasm.sinh(arg('x', x)));
}

/**
 * The tangent of `x` radians.
 *
 * Errors: `x` is not float32.
 *
 * ```js
 * tf.tan([0]).arraySync(); // => [0]
 * ```
 */
export function tan<T extends Tensor>(x: T | TensorLike): T {
  return op('tan', (arg) => wasm.tan(arg('x', x, 'float32')));
}

/**
 * The hyperbolic tangent, never beyond 1.
 *
 * Errors: `x` is not float32.
 *
 * ```js
 * tf.tanh([0, 100]).arraySync(); // => [0, 1]
 * ```
 */
export function tanh<T extends Tensor>(x: T | TensorLike): T {
  return op('tanh', (arg) => wasm.tanh(arg('x', x, 'float32')));
}
