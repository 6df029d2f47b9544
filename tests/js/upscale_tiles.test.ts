// A picture in tiles must give what the whole gives, whatever the tiles.
import { expect, test } from '@jest/globals';

import { random } from '../../demo/src/digits.js';
import { tilesOf } from '../../demo/src/upscale/tiles.js';
import type { Box } from '../../demo/src/upscale/tiles.js';

const sizes: [number, number, number][] = [
  [1, 1, 16], [16, 16, 16], [17, 33, 16], [100, 7, 32], [65, 64, 64],
];

test.each(sizes)('%i x %i in tiles of %i', (width, height, size) => {
  const owners = new Uint8Array(width * height);
  for (const { inner, outer } of tilesOf(width, height, size)) {
    expect(Math.max(inner.width, inner.height)).toBeLessThanOrEqual(size);
    const [right, bottom] = [inner.x + inner.width, inner.y + inner.height];
    for (let y = inner.y; y < bottom; y++) {
      for (let x = inner.x; x < right; x++) owners[y * width + x]!++;
    }
    // Ten pixels of surroundings, or up to the picture's end.
    expect(outer.x).toBe(Math.max(0, inner.x - 10));
    expect(outer.y).toBe(Math.max(0, inner.y - 10));
    expect(outer.x + outer.width).toBe(Math.min(width, right + 10));
    expect(outer.y + outer.height).toBe(Math.min(height, bottom + 10));
  }
  expect(owners.every((count) => count === 1)).toBe(true);
});

const cutOf = (pixels: Uint8ClampedArray, width: number, box: Box) => {
  const data = new Uint8ClampedArray(4 * box.width * box.height);
  for (let y = 0; y < box.height; y++) {
    const from = 4 * ((box.y + y) * width + box.x);
    data.set(pixels.subarray(from, from + 4 * box.width), 4 * y * box.width);
  }
  return { data, width: box.width, height: box.height } as ImageData;
};

test('the network gives the same in tiles as at once', async () => {
  const tf = await import('tidemark');
  const { upscaleTile } = await import('../../demo/src/upscale/network.js');
  await tf.ready();
  const before = tf.memory().numTensors;
  const folder = new URL(
    '../../node_modules/@upscalerjs/default-model/models/', import.meta.url);
  const model = await tf.loadLayersModel(new URL('model.json', folder).href);
  const held = tf.memory().numTensors;
  const [width, height] = [45, 38];
  const next = random(3);
  const pixels = Uint8ClampedArray.from(
    { length: 4 * width * height }, () => 256 * next());
  const assemble = (size: number) => {
    const whole = new Uint8ClampedArray(16 * width * height);
    for (const tile of tilesOf(width, height, size)) {
      const made = upscaleTile(model, cutOf(pixels, width, tile.outer), tile);
      const row = 8 * tile.inner.width;
      for (let y = 0; y < 2 * tile.inner.height; y++) {
        const to = 4 * ((2 * tile.inner.y + y) * 2 * width + 2 * tile.inner.x);
        whole.set(made.subarray(y * row, (y + 1) * row), to);
      }
    }
    return whole;
  };
  const whole = assemble(64);
  const pieces = assemble(16);
  // Sums in another order may round a byte to its neighbour, no more.
  const off = pieces.reduce((most, v, i) => Math.max(most, Math.abs(v - whole[i]!)), 0);
  expect(off).toBeLessThanOrEqual(1);
  expect(new Set(whole).size).toBeGreaterThan(100);
  expect(tf.memory().numTensors).toBe(held);
  model.dispose();
  expect(tf.memory().numTensors).toBe(before);
}, 60_000);
