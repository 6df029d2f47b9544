/** Convolutions. */
import {TensorError} from '../errors.js';
import {wasm} from '../module.js';
import {list, op} from '../op.js';
import type {TensorLike} from '../op.js';
import type {Tensor, Tensor2D, Tensor3D, Tensor4D} from '../tensor.js';
import {windowList} from './window.js';
import type {DataFormat, Pad, RoundingMode} from './window.js';

/**
 * Convolves images with filters.
 *
 * `x` is `[batch, height, width, inChannels]` or without batch (`NCHW`:
 * `[batch, inChannels, height, width]`), `filter` is
 * `[height, width, inChannels, outChannels]`. `pad` is `'valid'`, `'same'`, a
 * number for all sides, or pads for each dimension; with explicit pads
 * `dimRoundingMode` rounds fractional sizes. Errors: ranks, channels that do
 * not match, strides and dilations both above 1.
 *
 * ```js
 * const x = tf.tensor4d([1, 2, 3, 4], [1, 2, 2, 1]);
 * const filter = tf.tensor4d([1, 1, 1, 1], [2, 2, 1, 1]);
 * tf.conv2d(x, filter, 1, 'valid').arraySync(); // => [[[[10]]]]
 * ```
 */
export function conv2d<T extends Tensor3D | Tensor4D>(
    x: T | TensorLike, filter: Tensor4D | TensorLike,
    strides: number | [number, number], pad: Pad,
    dataFormat: DataFormat = 'NHWC', dilations: number | [number, number] = 1,
    dimRoundingMode?: RoundingMode): T {
  return op('conv2d', (arg) => wasm.conv2d(
      arg('x', x, 'float32'), arg('filter', filter, 'float32'), windowList(
          'conv2d', {strides, pad, dataFormat, dilations, dimRoundingMode})));
}

/**
 * Convolves rows with filters.
 *
 * `x` is `[batch, width, inChannels]` or without batch, `filter` is
 * `[width, inChannels, outChannels]`. Only the `NWC` format exists.
 *
 * ```js
 * const x = tf.tensor3d([1, 2, 3], [1, 3, 1]);
 * const filter = tf.tensor3d([1, 1], [2, 1, 1]);
 * tf.conv1d(x, filter, 1, 'valid').arraySync(); // => [[[3], [5]]]
 * ```
 */
export function conv1d<T extends Tensor2D | Tensor3D>(
    x: T | TensorLike, filter: Tensor3D | TensorLike, stride: number, pad: Pad,
    dataFormat: 'NWC' | 'NCW' = 'NWC', dilation = 1,
    dimRoundingMode?: RoundingMode): T {
  if (dataFormat !== 'NWC') {
    throw new TensorError(
        'argument', `Error in conv1d: got dataFormat of ${dataFormat} but ` +
            'only NWC is currently supported.');
  }
  // One number pads the row's ends, not above and below it.
  const padded: Pad = typeof pad === 'number' ?
    [[0, 0], [0, 0], [pad, pad], [0, 0]] : pad;
  return op('conv1d', (arg) => wasm.conv1d(
      arg('x', x, 'float32'), arg('filter', filter, 'float32'), windowList(
          'conv1d', {
            strides: [1, stride], pad: padded, dilations: [1, dilation],
            dimRoundingMode,
          })));
}

/**
 * The transposed convolution ("deconvolution").
 *
 * `filter` is `[height, width, outChannels, inChannels]`; `outputShape` is
 * `[batch, height, width, outChannels]` or without batch. Errors: an output
 * shape that no convolution with these options maps to x's.
 *
 * ```js
 * const x = tf.tensor4d([2], [1, 1, 1, 1]);
 * const filter = tf.ones([2, 2, 1, 1]);
 * tf.conv2dTranspose(x, filter, [1, 2, 2, 1], 1, 'valid').shape;
 * // => [1, 2, 2, 1]
 * ```
 */
export function conv2dTranspose<T extends Tensor3D | Tensor4D>(
    x: T | TensorLike, filter: Tensor4D | TensorLike,
    outputShape: readonly number[], strides: number | [number, number],
    pad: Pad, dimRoundingMode?: RoundingMode): T {
  return op('conv2dTranspose', (arg) => wasm.conv2dTranspose(
      arg('x', x, 'float32'), arg('filter', filter, 'float32'),
      list(outputShape), windowList(
          'conv2dTranspose', {strides, pad, dimRoundingMode})));
}

/**
 * Convolves every channel with filters of its own.
 *
 * `filter` is `[height, width, inChannels, channelMultiplier]`; the result has
 * `inChannels * channelMultiplier` channels.
 *
 * ```js
 * const x = tf.ones([1, 2, 2, 2]);
 * const filter = tf.ones([2, 2, 2, 1]);
 * tf.depthwiseConv2d(x, filter, 1, 'valid').arraySync(); // => [[[[4, 4]]]]
 * ```
 */
export function depthwiseConv2d<T extends Tensor3D | Tensor4D>(
    x: T | TensorLike, filter: Tensor4D | TensorLike,
    strides: number | [number, number], pad: Pad,
    dataFormat: DataFormat = 'NHWC', dilations: number | [number, number] = 1,
    dimRoundingMode?: RoundingMode): T {
  return op('depthwiseConv2d', (arg) => wasm.depthwiseConv2d(
      arg('x', x, 'float32'), arg('filter', filter, 'float32'), windowList(
          'depthwiseConv2d',
          {strides, pad, dataFormat, dilations, dimRoundingMode})));
}

/**
 * A depthwise convolution followed by a 1x1 convolution.
 *
 * `depthwiseFilter` is `[height, width, inChannels, channelMultiplier]`,
 * `pointwiseFilter` is `[1, 1, inChannels * channelMultiplier, outChannels]`.
 *
 * ```js
 * const x = tf.ones([1, 2, 2, 1]);
 * tf.separableConv2d(
 *     x, tf.ones([2, 2, 1, 1]), tf.ones([1, 1, 1, 2]), 1, 'valid')
 *     .arraySync(); // => [[[[4, 4]]]]
 * ```
 */
export function separableConv2d<T extends Tensor3D | Tensor4D>(
    x: T | TensorLike, depthwiseFilter: Tensor4D | TensorLike,
    pointwiseFilter: Tensor4D | TensorLike,
    strides: number | [number, number], pad: Pad,
    dilation: number | [number, number] = [1, 1],
    dataFormat: DataFormat = 'NHWC'): T {
  return op('separableConv2d', (arg) => wasm.separableConv2d(
      arg('x', x), arg('depthwiseFilter', depthwiseFilter),
      arg('pointwiseFilter', pointwiseFilter), windowList(
          'separableConv2d',
          {strides, pad, dataFormat, dilations: dilation})));
}

/**
 * The gradient of `conv2d` at its input, whose shape is `xShape`.
 *
 * ```js
 * tf.conv2dDerInput([1, 2, 2, 1], tf.ones([1, 1, 1, 1]),
 *     tf.ones([2, 2, 1, 1]), 1, 'valid').shape; // => [1, 2, 2, 1]
 * ```
 */
export function conv2dDerInput<T extends Tensor3D | Tensor4D>(
    xShape: readonly number[], dy: T | TensorLike, filter: Tensor4D | TensorLike,
    strides: number | [number, number], pad: Pad,
    dataFormat: DataFormat = 'NHWC', dimRoundingMode?: RoundingMode): T {
  return op('conv2dDerInput', (arg) => wasm.conv2dDerInput(
      arg('dy', dy), arg('filter', filter), list(xShape), windowList(
          'conv2dDerInput', {strides, pad, dataFormat, dimRoundingMode})));
}

/**
 * The gradient of `conv2d` at its filter, whose shape is `filterShape`.
 *
 * ```js
 * tf.conv2dDerFilter(tf.ones([1, 2, 2, 1]), tf.ones([1, 1, 1, 1]),
 *     [2, 2, 1, 1], 1, 'valid').shape; // => [2, 2, 1, 1]
 * ```
 */
export function conv2dDerFilter<T extends Tensor3D | Tensor4D>(
    x: T | TensorLike, dy: T | TensorLike, filterShape: readonly number[],
    strides: number | [number, number], pad: Pad,
    dataFormat: DataFormat = 'NHWC',
    dimRoundingMode?: RoundingMode): Tensor4D {
  return op('conv2dDerFilter', (arg) => wasm.conv2dDerFilter(
      arg('x', x), arg('dy', dy), list(filterShape), windowList(
          'conv2dDerFilter', {strides, pad, dataFormat, dimRoundingMode})));
}

export type {Tensor};
