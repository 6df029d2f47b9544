/** Elementwise functions of two tensors, broadcast together. */
import {wasm} from '../module.js';
import {op} from '../op.js';
import type {TensorLike} from '../op.js';
import type {Tensor} from '../tensor.js';

/**
 * The sum `a + b`, broadcast.
 *
 * ```js
 * tf.add([1, 2], 3).arraySync(); // => [4, 5]
 * ```
 */
export function add<T extends Tensor>(
    a: Tensor | TensorLike, b: Tensor | TensorLike): T {
  return op('add', (arg) => wasm.add(arg('a', a), arg('b', b)));
}

/**
 * The difference `a - b`, broadcast.
 *
 * ```js
 * tf.sub([1, 2], 3).arraySync(); // => [-2, -1]
 * ```
 */
export function sub<T extends Tensor>(
    a: Tensor | TensorLike, b: Tensor | TensorLike): T {
  return op('sub', (arg) => wasm.sub(arg('a', a), arg('b', b)));
}

/**
 * The product `a * b`, broadcast.
 *
 * ```js
 * tf.mul([1, 2], 3).arraySync(); // => [3, 6]
 * ```
 */
export function mul<T extends Tensor>(
    a: Tensor | TensorLike, b: Tensor | TensorLike): T {
  return op('mul', (arg) => wasm.mul(arg('a', a), arg('b', b)));
}

/**
 * The quotient `a / b`, broadcast.
 *
 * ```js
 * tf.div([1, 3], 2).arraySync(); // => [0.5, 1.5]
 * ```
 */
export function div<T extends Tensor>(
    a: Tensor | TensorLike, b: Tensor | TensorLike): T {
  return op('div', (arg) => wasm.div(arg('a', a), arg('b', b)));
}

/**
 * The comparison `a > b`, broadcast.
 *
 * ```js
 * tf.greater([1, 3], 2).arraySync(); // => [0, 1]
 * ```
 */
export function greater<T extends Tensor>(
    a: Tensor | TensorLike, b: Tensor | TensorLike): T {
  return op('greater', (arg) => wasm.greater(arg('a', a), arg('b', b)));
}
