/** Products with bias and activation in one pass: `tf.fused`. */
import {wasm} from '../module.js';
import {op, optional} from '../op.js';
import type {TensorLike} from '../op.js';
import type {Tensor} from '../tensor.js';
import {activationNumber} from './activation_name.js';
import type {Activation} from './activation_name.js';

export type {Activation} from './activation_name.js';
export * from './fused_conv.js';

/**
 * `activation(matMul(a, b) + bias)` in one pass.
 *
 * `bias` broadcasts to the product; `preluActivationWeights` are prelu's
 * slopes, `leakyreluAlpha` is leaky relu's. Errors: those of `matMul`, an
 * unknown activation.
 *
 * ```js
 * tf.fused.matMul({
 *   a: [[1, 2]], b: [[3, -3], [4, -4]], bias: [1, 1], activation: 'relu',
 * }).arraySync(); // => [[12, 0]]
 * ```
 */
export function matMul({
  a, b, transposeA = false, transposeB = false, bias, activation = 'linear',
  preluActivationWeights, leakyreluAlpha = 0.2,
}: {
  a: Tensor | TensorLike, b: Tensor | TensorLike, transposeA?: boolean,
  transposeB?: boolean, bias?: Tensor | TensorLike, activation?: Activation,
  preluActivationWeights?: Tensor | TensorLike, leakyreluAlpha?: number,
}): Tensor {
  return op('fused matMul', (arg) => {
    const weights = activation === 'prelu' ?
      optional(arg, 'prelu weights', preluActivationWeights) : 0;
    return wasm.fusedMatMul(
        arg('a', a), arg('b', b), transposeA ? 1 : 0, transposeB ? 1 : 0,
        optional(arg, 'bias', bias), activationNumber(activation, weights !== 0),
        weights, leakyreluAlpha);
  });
}
