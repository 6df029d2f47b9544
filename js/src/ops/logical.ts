/** Comparisons and logic, giving bool; operands are broadcast. */
import {wasm} from '../module.js';
import {op} from '../op.js';
import type {TensorLike} from '../op.js';
import type {Tensor} from '../tensor.js';

/**
 * True where `a == b`; NaN equals nothing.
 *
 * Errors: shapes that do not broadcast.
 *
 * ```js
 * tf.equal([1, 2], 2).arraySync(); // => [0, 1]
 * ```
 */
export function equal<T extends Tensor>(
    a: Tensor | TensorLike, b: Tensor | TensorLike): T {
  return op('equal', (arg) => wasm.equal(arg('a', a), arg('b', b)));
}

/**
 * True where `a != b`.
 *
 * Errors: shapes that do not broadcast.
 *
 * ```js
 * tf.notEqual([1, 2], 2).arraySync(); // => [1, 0]
 * ```
 */
export function notEqual<T extends Tensor>(
    a: Tensor | TensorLike, b: Tensor | TensorLike): T {
  return op('notEqual', (arg) => wasm.notEqual(arg('a', a), arg('b', b)));
}

/**
 * True where `a > b`.
 *
 * Errors: shapes that do not broadcast.
 *
 * ```js
 * tf.greater([1, 3], 2).arraySync(); // => [0, 1]
 * ```
 */
export function greater<T extends Tensor>(
    a: Tensor | TensorLike, b: Tensor | TensorLike): T {
  return op('greater', (arg) => wasm.greater(arg('a', a), arg('b', b)));
}

/**
 * True where `a >= b`.
 *
 * Errors: shapes that do not broadcast.
 *
 * ```js
 * tf.greaterEqual([1, 2], 2).arraySync(); // => [0, 1]
 * ```
 */
export function greaterEqual<T extends Tensor>(
    a: Tensor | TensorLike, b: Tensor | TensorLike): T {
  return op('greaterEqual', (arg) =>
    wasm.greaterEqual(arg('a', a), arg('b', b)));
}

/**
 * True where `a < b`.
 *
 * Errors: shapes that do not broadcast.
 *
 * ```js
 * tf.less([1, 2], 2).arraySync(); // => [1, 0]
 * ```
 */
export function less<T extends Tensor>(
    a: Tensor | TensorLike, b: Tensor | TensorLike): T {
  return op('less', (arg) => wasm.less(arg('a', a), arg('b', b)));
}

/**
 * True where `a <= b`.
 *
 * Errors: shapes that do not broadcast.
 *
 * ```js
 * tf.lessEqual([2, 3], 2).arraySync(); // => [1, 0]
 * ```
 */
export function lessEqual<T extends Tensor>(
    a: Tensor | TensorLike, b: Tensor | TensorLike): T {
  return op('lessEqual', (arg) => wasm.lessEqual(arg('a', a), arg('b', b)));
}

/**
 * True where both are.
 *
 * Errors: shapes that do not broadcast, operands that are not bool.
 *
 * ```js
 * tf.logicalAnd([true, true], [true, false]).arraySync(); // => [1, 0]
 * ```
 */
export function logicalAnd<T extends Tensor>(
    a: Tensor | TensorLike, b: Tensor | TensorLike): T {
  return op('logicalAnd', (arg) =>
    wasm.logicalAnd(arg('a', a, 'bool'), arg('b', b, 'bool')));
}

/**
 * True where either is.
 *
 * Errors: shapes that do not broadcast, operands that are not bool.
 *
 * ```js
 * tf.logicalOr([true, false], false).arraySync(); // => [1, 0]
 * ```
 */
export function logicalOr<T extends Tensor>(
    a: Tensor | TensorLike, b: Tensor | TensorLike): T {
  return op('logicalOr', (arg) =>
    wasm.logicalOr(arg('a', a, 'bool'), arg('b', b, 'bool')));
}

/**
 * True where one is and the other is not.
 *
 * Errors: shapes that do not broadcast, operands that are not bool.
 *
 * ```js
 * tf.logicalXor([true, false], true).arraySync(); // => [0, 1]
 * ```
 */
export function logicalXor<T extends Tensor>(
    a: Tensor | TensorLike, b: Tensor | TensorLike): T {
  return op('logicalXor', (arg) =>
    wasm.logicalXor(arg('a', a, 'bool'), arg('b', b, 'bool')));
}

/**
 * True where `x` is not.
 *
 * Errors: `x` is not bool.
 *
 * ```js
 * tf.logicalNot([true, false]).arraySync(); // => [0, 1]
 * ```
 */
export function logicalNot<T extends Tensor>(x: T | TensorLike): T {
  return op('logicalNot', (arg) => wasm.logicalNot(arg('x', x, 'bool')));
}
