/** Products of matrices and vectors. */
import {wasm} from '../module.js';
import {assert, handles, list, op} from '../op.js';
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

// "ij,jk->ik" as labels per operand and of the result.
function parseEquation(equation: string): {inputs: string[], output: string} {
  const [left, output, ...more] = equation.replace(/\s/g, '').split('->');
  assert(output !== undefined,
         () => 'Equations without an arrow are not supported.');
  assert(more.length === 0,
         () => 'Equation must contain exactly one arrow ("->").');
  assert(!equation.includes('...'),
         () => 'The ellipsis notation ("...") is not supported yet.');
  const inputs = left!.split(',');
  assert(inputs.length <= 2,
         () => 'Support for more than 2 input tensors is not implemented yet.');
  for (const labels of [...inputs, output]) {
    assert(new Set(labels).size === labels.length,
           () => `Support for duplicate axes (${labels}) is not implemented ` +
               'yet.');
  }
  for (const label of output) {
    assert(inputs.some((labels) => labels.includes(label)),
           () => `Output subscripts contain the label ${label} not present in ` +
               'the input subscripts.');
  }
  return {inputs, output};
}

/**
 * Einstein's summation of one or two tensors: products summed over the labels
 * that the result does not have.
 *
 * Errors: an equation without exactly one arrow, with `...`, or with a label
 * twice in one operand; more than two tensors; sizes that differ under one
 * label.
 *
 * ```js
 * const a = tf.tensor2d([[1, 2], [3, 4]]);
 * tf.einsum('ij,jk->ik', a, a).arraySync(); // => [[7, 10], [15, 22]]
 * tf.einsum('ij->j', a).arraySync(); // => [4, 6]
 * ```
 */
export function einsum(
    equation: string, ...tensors: (Tensor | TensorLike)[]): Tensor {
  const {inputs, output} = parseEquation(equation);
  assert(inputs.length === tensors.length,
         () => `Expected ${inputs.length} input tensors, received ` +
             `${tensors.length}`);
  const codes = (labels = ''): number[] =>
    Array.from(labels, (label) => label.codePointAt(0)!);
  return op('einsum', (arg) => {
    const xs = handles(arg, 'tensors', tensors);
    return wasm.einsum(xs, list(codes(inputs[0])), list(codes(inputs[1])),
        list(codes(output)));
  });
}
