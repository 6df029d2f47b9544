/** Ops on images: `tf.image`. */
import {wasm} from '../module.js';
import {list, op} from '../op.js';
import type {TensorLike} from '../op.js';
import type {Tensor3D, Tensor4D} from '../tensor.js';

/**
 * Resizes images, interpolating between pixels.
 *
 * `images` is `[batch, height, width, channels]` or without batch, `size` is
 * `[height, width]`; the result is float32. `alignCorners` makes the corner
 * pixels' centres coincide; `halfPixelCenters` maps pixel centres.
 *
 * ```js
 * const x = tf.tensor3d([0, 10], [1, 2, 1]);
 * tf.image.resizeBilinear(x, [1, 4]).flatten().arraySync();
 * // => [0, 5, 10, 10]
 * ```
 */
export function resizeBilinear<T extends Tensor3D | Tensor4D>(
    images: T | TensorLike, size: [number, number], alignCorners = false,
    halfPixelCenters = false): T {
  return op('resizeBilinear', (arg) => wasm.resizeBilinear(
      arg('images', images), list(size), alignCorners ? 1 : 0,
      halfPixelCenters ? 1 : 0));
}

/**
 * Resizes images, taking the nearest pixel.
 *
 * As `resizeBilinear`; int32 images stay int32.
 *
 * ```js
 * const x = tf.tensor3d([0, 10], [1, 2, 1]);
 * tf.image.resizeNearestNeighbor(x, [1, 4]).flatten().arraySync();
 * // => [0, 0, 10, 10]
 * ```
 */
export function resizeNearestNeighbor<T extends Tensor3D | Tensor4D>(
    images: T | TensorLike, size: [number, number], alignCorners = false,
    halfPixelCenters = false): T {
  return op('resizeNearestNeighbor', (arg) => wasm.resizeNearestNeighbor(
      arg('images', images), list(size), alignCorners ? 1 : 0,
      halfPixelCenters ? 1 : 0));
}
