/** Pooling. */
import {TensorError} from '../errors.js';
import {wasm} from '../module.js';
import {list, op} from '../op.js';
import type {TensorLike} from '../op.js';
import type {Tensor3D, Tensor4D} from '../tensor.js';
import {pair, windowList} from './window.js';
import type {Pad, RoundingMode} from './window.js';

/**
 * The largest value of every window.
 *
 * `x` is `[batch, height, width, channels]` or without batch. Padding takes no
 * part; a window that holds NaN gives NaN.
 *
 * ```js
 * const x = tf.tensor4d([1, 2, 3, 4], [1, 2, 2, 1]);
 * tf.maxPool(x, 2, 1, 'valid').arraySync(); // => [[[[4]]]]
 * ```
 */
export function maxPool<T extends Tensor3D | Tensor4D>(
    x: T | TensorLike, filterSize: number | [number, number],
    strides: number | [number, number], pad: Pad,
    dimRoundingMode?: RoundingMode): T {
  return op('maxPool', (arg) => wasm.maxPool(
      arg('x', x), list(pair(filterSize, 'maxPool', 'filterSize')),
      windowList('maxPool', {strides, pad, dimRoundingMode})));
}

/**
 * The mean of every window; padding does not count.
 *
 * `x` is `[batch, height, width, channels]` or without batch.
 *
 * ```js
 * const x = tf.tensor4d([1, 2, 3, 4], [1, 2, 2, 1]);
 * tf.avgPool(x, 2, 1, 'valid').arraySync(); // => [[[[2.5]]]]
 * ```
 */
export function avgPool<T extends Tensor3D | Tensor4D>(
    x: T | TensorLike, filterSize: number | [number, number],
    strides: number | [number, number], pad: Pad,
    dimRoundingMode?: RoundingMode): T {
  return op('avgPool', (arg) => wasm.avgPool(
      arg('x', x, 'float32'), list(pair(filterSize, 'avgPool', 'filterSize')),
      windowList('avgPool', {strides, pad, dimRoundingMode})));
}

/**
 * Pooling with dilated windows.
 *
 * Strides and dilations cannot both be above 1.
 *
 * ```js
 * const x = tf.tensor4d([1, 2, 3, 4], [1, 2, 2, 1]);
 * tf.pool(x, 2, 'max', 'valid').arraySync(); // => [[[[4]]]]
 * ```
 */
export function pool<T extends Tensor3D | Tensor4D>(
    input: T | TensorLike, windowShape: number | [number, number],
    poolingType: 'avg' | 'max', pad: Pad,
    dilations: number | [number, number] = [1, 1],
    strides: number | [number, number] = 1,
    dimRoundingMode?: RoundingMode): T {
  if (poolingType !== 'avg' && poolingType !== 'max') {
    throw new TensorError(
        'argument', `pool: poolingType is 'avg' or 'max', got ` +
            `${String(poolingType)}`);
  }
  return op('pool', (arg) => {
    const x = arg('x', input);
    const window = list(pair(windowShape, 'pool', 'windowShape'));
    const options = windowList(
        'pool', {strides, pad, dilations, dimRoundingMode});
    return poolingType === 'max' ? wasm.maxPool(x, window, options) :
      wasm.avgPool(x, window, options);
  });
}
