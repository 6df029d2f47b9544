// The network: pixels of a tile in, twice as many a side out. The worker and
// the tests both run exactly this file.
import * as tf from 'tidemark';

import { SCALE } from './scale.js';
import type { Tile } from './tiles.js';

/**
 * Upscales what `pixels` (RGBA, of the tile's outer box) shows of the inner
 * box. Returns RGBA; opacity is the caller's affair. Leaves no tensor.
 */
export function upscaleTile(
  model: tf.LayersModel,
  pixels: ImageData,
  { inner, outer }: Tile,
): Uint8ClampedArray<ArrayBuffer> {
  const values = tf.tidy(() => {
    // The network works on 0 to 255.
    const input = tf.browser.fromPixels(pixels).toFloat().expandDims(0);
    const made = (model.predict(input) as tf.Tensor4D).squeeze([0]);
    const from = [
      (inner.y - outer.y) * SCALE, (inner.x - outer.x) * SCALE, 0,
    ];
    const size = [inner.height * SCALE, inner.width * SCALE, 3];
    return made.slice(from, size).dataSync();
  });
  const bytes = new Uint8ClampedArray((values.length / 3) * 4);
  for (let i = 0, at = 0; i < values.length; at += 4) {
    bytes[at] = values[i++]!;
    bytes[at + 1] = values[i++]!;
    bytes[at + 2] = values[i++]!;
    bytes[at + 3] = 255;
  }
  return bytes;
}
