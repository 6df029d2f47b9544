/** Products of matrices and vectors. */
import {wasm} from '../module.js';
import {op} from '../op.js';
import type {TensorLike} from '../op.js';
import type {Tensor, Tensor1D, Tensor2D} from '../tensor.js';

/**
 * The matrix product over the last two dimensions; dimensions before them are
 * batches and broadcast. int32 matrices are multiplied exactly in int32.
 *
 * Shapes: `[..., m, k]` and `[..., k, n]` give `[..., m, n]`, each factor
 * transposed first when asked. Errors: a factor of rank below 2, inner
 * dimensions that differ.
 *
 * ```js
 * tf.matMul([[1, 2]], [[3], [4]]).arraySync(); // => [[11]]
 * tf.matMul([[1, 2]], [[3, 4]], true).arraySync(); // => [[3, 4], [6, 8]]
 * ```
 */
export function matMul<T extends Tensor>(
    a: Tensor | TensorLike, b: Tensor | TensorLike, transposeA = false,
    transposeB = false): T {
  return op('matMul', (arg) =>
    wasm.matMul(arg('a', a), arg('b', b), transposeA ? 1 : 0,
        transposeB ? 1 : 0));
}

/**
 * The inner product of two vectors, a matrix times a vector, a vector times a
 * matrix, or the matrix product. Errors: ranks other than 1 and 2, inner
 * dimensions that differ.
 *
 * ```js
 * tf.dot([1, 2], [3, 4]).arraySync(); // => 11
 * tf.dot([[1, 2], [3, 4]], [1, 1]).arraySync(); // => [3, 7]
 * ```
 */
export function dot<T extends Tensor>(
    t1: Tensor | TensorLike, t2: Tensor | TensorLike): T {
  return op('dot', (arg) => wasm.dot(arg('t1', t1), arg('t2', t2)));
}

/**
 * The products of all pairs of elements of two vectors.
 *
 * ```js
 * tf.outerProduct([1, 2], [3, 4]).arraySync(); // => [[3, 4], [6, 8]]
 * ```
 */
export function outerProduct(
    v1: Tensor1D | TensorLike, v2: Tensor1D | TensorLike): Tensor2D {
  return op('outerProduct', (arg) =>
    wasm.outerProduct(arg('v1', v1), arg('v2', v2)));
}
