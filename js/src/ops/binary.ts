/** Elementwise arithmetic of two tensors, broadcast together. */
import {wasm} from '../module.js';
import {op} from '../op.js';
import type {TensorLike} from '../op.js';
import type {Tensor} from '../tensor.js';

/**
 * The sum `a + b`.
 *
 * Errors: shapes that do not broadcast.
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
 * The difference `a - b`.
 *
 * Errors: shapes that do not broadcast.
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
 * The product `a * b`.
 *
 * Errors: shapes that do not broadcast.
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
 * The quotient `a / b`; between int32 tensors rounded down, 0 for `x / 0`.
 *
 * Errors: shapes that do not broadcast.
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
 * The quotient `a / b`, and 0 where `b` is 0.
 *
 * Errors: shapes that do not broadcast.
 *
 * ```js
 * tf.divNoNan([1, 3], [2, 0]).arraySync(); // => [0.5, 0]
 * ```
 */
export function divNoNan<T extends Tensor>(
    a: Tensor | TensorLike, b: Tensor | TensorLike): T {
  return op('divNoNan', (arg) => wasm.divNoNan(arg('a', a), arg('b', b)));
}

/**
 * The quotient `a / b` rounded down, as int32; 0 where `b` is 0.
 *
 * Errors: shapes that do not broadcast.
 *
 * ```js
 * tf.floorDiv([7, -7], 2).arraySync(); // => [3, -4]
 * ```
 */
export function floorDiv<T extends Tensor>(
    a: Tensor | TensorLike, b: Tensor | TensorLike): T {
  return op('floorDiv', (arg) => wasm.floorDiv(arg('a', a), arg('b', b)));
}

/**
 * The remainder of `a / b`, with the sign of `b`.
 *
 * Errors: shapes that do not broadcast.
 *
 * ```js
 * tf.mod([7, -7], 3).arraySync(); // => [1, 2]
 * ```
 */
export function mod<T extends Tensor>(
    a: Tensor | TensorLike, b: Tensor | TensorLike): T {
  return op('mod', (arg) => wasm.mod(arg('a', a), arg('b', b)));
}

/**
 * `base` to the power of `exp`.
 *
 * Errors: shapes that do not broadcast.
 *
 * ```js
 * tf.pow([2, 3], 2).arraySync(); // => [4, 9]
 * ```
 */
export function pow<T extends Tensor>(
    base: Tensor | TensorLike, exp: Tensor | TensorLike): T {
  return op('pow', (arg) => wasm.pow(arg('base', base), arg('exp', exp)));
}

/**
 * The larger of `a` and `b`; NaN where either is.
 *
 * Errors: shapes that do not broadcast.
 *
 * ```js
 * tf.maximum([1, 5], 3).arraySync(); // => [3, 5]
 * ```
 */
export function maximum<T extends Tensor>(
    a: Tensor | TensorLike, b: Tensor | TensorLike): T {
  return op('maximum', (arg) => wasm.maximum(arg('a', a), arg('b', b)));
}

/**
 * The smaller of `a` and `b`; NaN where either is.
 *
 * Errors: shapes that do not broadcast.
 *
 * ```js
 * tf.minimum([1, 5], 3).arraySync(); // => [1, 3]
 * ```
 */
export function minimum<T extends Tensor>(
    a: Tensor | TensorLike, b: Tensor | TensorLike): T {
  return op('minimum', (arg) => wasm.minimum(arg('a', a), arg('b', b)));
}

/**
 * Computes `x & y` bit by bit, broadcast; both must be int32.
 *
 * ```js
 * tf.bitwiseAnd(tf.tensor1d([12, 5], 'int32'), tf.scalar(4, 'int32'))
 *     .arraySync(); // => [4, 4]
 * ```
 */
export function bitwiseAnd<T extends Tensor>(x: T, y: T): T {
  return op('bitwiseAnd', (arg) => wasm.bitwiseAnd(
      arg('x', x, 'int32'), arg('y', y, 'int32')));
}

/**
 * The square of the difference, `(a - b)^2`.
 *
 * Errors: shapes that do not broadcast.
 *
 * ```js
 * tf.squaredDifference([1, 5], 3).arraySync(); // => [4, 4]
 * ```
 */
export function squaredDifference<T extends Tensor>(
    a: Tensor | TensorLike, b: Tensor | TensorLike): T {
  return op('squaredDifference', (arg) =>
    wasm.squaredDifference(arg('a', a), arg('b', b)));
}

/**
 * The angle of the point `(b, a)`, in `[-pi, pi]`.
 *
 * Errors: shapes that do not broadcast.
 *
 * ```js
 * tf.atan2([0], [1]).arraySync(); // => [0]
 * ```
 */
export function atan2<T extends Tensor>(
    a: Tensor | TensorLike, b: Tensor | TensorLike): T {
  return op('atan2', (arg) => wasm.atan2(arg('a', a), arg('b', b)));
}
