/** Matrices taken apart and made orthogonal: `tf.linalg`. */
import {wasm} from '../module.js';
import {assert, handles, op, ops} from '../op.js';
import type {TensorLike} from '../op.js';
import {isTensor} from '../tensor.js';
import type {Scalar, Tensor, Tensor1D, Tensor2D} from '../tensor.js';

function limit(name: string, value: number | Scalar): number {
  const n = isTensor(value) ? value.dataSync()[0]! : value;
  assert(Number.isInteger(n),
         () => `bandPart(): ${name} must be an integer, got ${n}.`);
  return n;
}

/**
 * The matrices in the last two dimensions of `a` with zeros outside the band
 * of `numLower` diagonals below the main one and `numUpper` above it; a
 * negative number keeps them all.
 *
 * Errors: a rank below 2, more diagonals than rows or columns.
 *
 * ```js
 * const x = tf.tensor2d([[1, 2, 3], [4, 5, 6], [7, 8, 9]]);
 * tf.linalg.bandPart(x, 0, -1).arraySync();
 * // => [[1, 2, 3], [0, 5, 6], [0, 0, 9]]
 * tf.linalg.bandPart(x, 1, 0).arraySync();
 * // => [[1, 0, 0], [4, 5, 0], [0, 8, 9]]
 * ```
 */
export function bandPart<T extends Tensor>(
    a: T | TensorLike, numLower: number | Scalar,
    numUpper: number | Scalar): T {
  return op('bandPart', (arg) => wasm.bandPart(
      arg('a', a), limit('numLower', numLower), limit('numUpper', numUpper)));
}

/**
 * Vectors of one length, made orthogonal to each other and of length 1; a
 * matrix stands for its rows and gives a matrix.
 *
 * Errors: no vector, lengths that differ, more vectors than dimensions.
 *
 * ```js
 * tf.linalg.gramSchmidt(tf.tensor2d([[2, 0], [5, 3]])).arraySync();
 * // => [[1, 0], [0, 1]]
 * ```
 */
export function gramSchmidt<T extends Tensor1D[] | Tensor2D>(xs: T): T {
  const one = isTensor(xs);
  const result = ops<Tensor>('gramSchmidt', (arg) => wasm.gramSchmidt(
      handles(arg, 'xs', one ? [xs] : xs)));
  return (one ? result[0] : result) as T;
}

/**
 * The factors `[q, r]` of `x = q r`: the columns of `q` are orthonormal, `r` is
 * upper triangular.
 *
 * Shapes: `x` `[..., m, n]` gives `q` `[..., m, k]` and `r` `[..., k, n]`, where
 * `k` is `min(m, n)`, or `m` with `fullMatrices`. Errors: a rank below 2; the
 * gradient of a full `q` with more rows than columns does not exist.
 *
 * ```js
 * const [q, r] = tf.linalg.qr(tf.tensor2d([[3, 1], [4, 2]]));
 * r.arraySync(); // => [[-5, -2.2], [0, -0.4]]
 * q.matMul(r).arraySync(); // => [[3, 1], [4, 2]]
 * ```
 */
export function qr(
    x: Tensor | TensorLike, fullMatrices = false): [Tensor, Tensor] {
  return ops('qr', (arg) => wasm.qr(arg('x', x), fullMatrices ? 1 : 0)) as
      [Tensor, Tensor];
}
