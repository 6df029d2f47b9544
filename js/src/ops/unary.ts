/** Elementwise functions of one tensor. */
import {wasm} from '../module.js';
import {op} from '../op.js';
import type {TensorLike} from '../op.js';
import type {Tensor} from '../tensor.js';

/**
 * Computes `-x`.
 *
 * ```js
 * tf.neg([1, -2]).arraySync(); // => [-1, 2]
 * ```
 */
export function neg<T extends Tensor>(x: T | TensorLike): T {
  return op('neg', (arg) => wasm.neg(arg('x', x)));
}

/**
 * Computes `x * x`.
 *
 * ```js
 * tf.square([1, -2]).arraySync(); // => [1, 4]
 * ```
 */
export function square<T extends Tensor>(x: T | TensorLike): T {
  return op('square', (arg) => wasm.square(arg('x', x)));
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
 * Computes `max(x, 0)`; NaN stays NaN.
 *
 * ```js
 * tf.relu([-1, 2]).arraySync(); // => [0, 2]
 * ```
 */
export function relu<T extends Tensor>(x: T | TensorLike): T {
  return op('relu', (arg) => wasm.relu(arg('x', x)));
}

/**
 * Computes `x` where it is not negative and `alpha * x` elsewhere.
 *
 * ```js
 * tf.leakyRelu([-2, 2], 0.5).arraySync(); // => [-1, 2]
 * ```
 */
export function leakyRelu<T extends Tensor>(
    x: T | TensorLike, alpha = 0.2): T {
  return op('leakyRelu', (arg) => wasm.leakyRelu(arg('x', x), alpha));
}

/**
 * 1 where `x > 0`, else `alpha`; NaN stays NaN.
 *
 * ```js
 * tf.step([-1, 2], 0.5).arraySync(); // => [0.5, 1]
 * ```
 */
export function step<T extends Tensor>(x: T | TensorLike, alpha = 0): T {
  return op('step', (arg) => wasm.step(arg('x', x), alpha));
}
