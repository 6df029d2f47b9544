/** Activation functions. */
import {wasm} from '../module.js';
import {op} from '../op.js';
import type {TensorLike} from '../op.js';
import type {Tensor} from '../tensor.js';

/**
 * `x` where it is positive and `e^x - 1` elsewhere.
 *
 * Errors: `x` is not float32.
 *
 * ```js
 * tf.elu([2, -Infinity]).arraySync(); // => [2, -1]
 * ```
 */
export function elu<T extends Tensor>(x: T | TensorLike): T {
  return op('elu', (arg) => wasm.elu(arg('x', x, 'float32')));
}

/**
 * `x` where it is not negative and `alpha * x` elsewhere.
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
 * Computes `log(sigmoid(x))` without underflow.
 *
 * ```js
 * tf.logSigmoid([-1000, 1000]).arraySync(); // => [-1000, 0]
 * ```
 */
export function logSigmoid<T extends Tensor>(x: T | TensorLike): T {
  return op('logSigmoid', (arg) => wasm.logSigmoid(arg('x', x)));
}

/**
 * `x` where it is not negative and `alpha * x` elsewhere, with a factor for
 * each element: `alpha` is broadcast.
 *
 * ```js
 * tf.prelu([[-2, 2], [-4, 4]], [0.5, 1]).arraySync(); // => [[-1, 2], [-2, 4]]
 * ```
 */
export function prelu<T extends Tensor>(
    x: T | TensorLike, alpha: T | TensorLike): T {
  return op('prelu', (arg) => wasm.prelu(arg('x', x), arg('alpha', alpha)));
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
 * Computes `min(max(x, 0), 6)`; NaN stays NaN.
 *
 * ```js
 * tf.relu6([-1, 2, 8]).arraySync(); // => [0, 2, 6]
 * ```
 */
export function relu6<T extends Tensor>(x: T | TensorLike): T {
  return op('relu6', (arg) => wasm.relu6(arg('x', x)));
}

/**
 * The scaled exponential unit of self-normalising networks.
 *
 * ```js
 * tf.selu([0]).arraySync(); // => [0]
 * ```
 */
export function selu<T extends Tensor>(x: T | TensorLike): T {
  return op('selu', (arg) => wasm.selu(arg('x', x)));
}

/**
 * Computes `1 / (1 + e^-x)`.
 *
 * Errors: `x` is not float32.
 *
 * ```js
 * tf.sigmoid([0, 1000]).arraySync(); // => [0.5, 1]
 * ```
 */
export function sigmoid<T extends Tensor>(x: T | TensorLike): T {
  return op('sigmoid', (arg) => wasm.sigmoid(arg('x', x, 'float32')));
}

/**
 * Computes `log(1 + e^x)` without overflow.
 *
 * ```js
 * tf.softplus([-1000, 1000]).arraySync(); // => [0, 1000]
 * ```
 */
export function softplus<T extends Tensor>(x: T | TensorLike): T {
  return op('softplus', (arg) => wasm.softplus(arg('x', x)));
}
