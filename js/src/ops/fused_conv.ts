/** Convolutions with bias and activation in one pass: `tf.fused`. */
import {wasm} from '../module.js';
import {op, optional} from '../op.js';
import type {TensorLike} from '../op.js';
import type {Tensor, Tensor3D, Tensor4D} from '../tensor.js';
import {activationNumber} from './activation_name.js';
import type {Activation} from './activation_name.js';
import {windowList} from './window.js';
import type {WindowOptions} from './window.js';

export interface FusedConvOptions<T extends Tensor> extends WindowOptions {
  x: T | TensorLike;
  filter: Tensor4D | TensorLike;
  bias?: Tensor | TensorLike | null;
  activation?: Activation;
  preluActivationWeights?: Tensor | TensorLike | null;
  leakyreluAlpha?: number;
}

function fused<T extends Tensor>(
    name: 'fused conv2d' | 'fused depthwiseConv2d',
    o: FusedConvOptions<T>): T {
  // The parts are known by their own names.
  return op(name.replace('fused ', ''), (arg) => {
    const call = name === 'fused conv2d' ? wasm.fusedConv2d :
      wasm.fusedDepthwiseConv2d;
    const weights = o.activation === 'prelu' ?
      optional(arg, 'prelu weights', o.preluActivationWeights) : 0;
    return call(
        arg('x', o.x, 'float32'), arg('filter', o.filter, 'float32'),
        windowList(name, o), optional(arg, 'bias', o.bias),
        activationNumber(o.activation ?? 'linear', weights !== 0), weights,
        o.leakyreluAlpha ?? 0.2);
  });
}

/**
 * `activation(conv2d(x, filter) + bias)`.
 *
 * Options as for `conv2d`; `bias` has one value per output channel (or any
 * shape that broadcasts), `activation` is `linear`, `relu`, `relu6`, `elu`,
 * `leakyrelu` (with `leakyreluAlpha`), `sigmoid` or `prelu` (with
 * `preluActivationWeights`).
 *
 * ```js
 * tf.fused.conv2d({
 *   x: tf.ones([1, 2, 2, 1]), filter: tf.ones([2, 2, 1, 1]), strides: 1,
 *   pad: 'valid', bias: [-5], activation: 'relu',
 * }).arraySync(); // => [[[[0]]]]
 * ```
 */
export function conv2d<T extends Tensor3D | Tensor4D>(
    options: FusedConvOptions<T>): T {
  return fused('fused conv2d', options);
}

/**
 * `activation(depthwiseConv2d(x, filter) + bias)`.
 *
 * Options as for `fused.conv2d`.
 *
 * ```js
 * tf.fused.depthwiseConv2d({
 *   x: tf.ones([1, 2, 2, 1]), filter: tf.ones([2, 2, 1, 1]), strides: 1,
 *   pad: 'valid', bias: [1], activation: 'linear',
 * }).arraySync(); // => [[[[5]]]]
 * ```
 */
export function depthwiseConv2d<T extends Tensor3D | Tensor4D>(
    options: FusedConvOptions<T>): T {
  return fused('fused depthwiseConv2d', options);
}
