// Pictures of every kind that a page has, to tensors and back.
import { expect, test } from '@playwright/test';
import type * as Tidemark from '../../js/src/index.js';

type Api = typeof Tidemark;

test('every kind of picture gives the same tensor', async ({ page }) => {
  await page.goto('/pages/blank.html');
  const answer = await page.evaluate(async () => {
    const path = '/dist/index.js';
    const tf = (await import(path)) as Api;
    await tf.ready();
    const before = tf.memory().numTensors;
    const pixels = [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255];
    const image = new ImageData(new Uint8ClampedArray(pixels), 2, 2);
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [2, 2];
    canvas.getContext('2d')!.putImageData(image, 0, 0);
    const offscreen = new OffscreenCanvas(2, 2);
    offscreen.getContext('2d')!.putImageData(image, 0, 0);
    const img = new Image();
    img.src = canvas.toDataURL('image/png');
    await img.decode();
    const sources = { image, canvas, offscreen, img, bitmap: await createImageBitmap(image), plain: { data: pixels, width: 2, height: 2 } };
    const read: Record<string, unknown> = {};
    for (const [name, source] of Object.entries(sources)) {
      const x = tf.browser.fromPixels(source, 3);
      const y = await tf.browser.fromPixelsAsync(source, 3);
      read[name] = [x.shape, x.dtype, x.arraySync(), JSON.stringify(x.arraySync()) === JSON.stringify(y.arraySync())];
      tf.dispose([x, y]);
    }
    const drawn = document.createElement('canvas');
    const x = tf.browser.fromPixels(image, 4);
    const bytes = Array.from(await tf.browser.toPixels(x, drawn));
    const back = Array.from(drawn.getContext('2d')!.getImageData(0, 0, 2, 2).data);
    x.dispose();
    const video = document.createElement('video');
    let unready = '';
    try {
      tf.browser.fromPixels(video);
    } catch (error) {
      unready = (error as Error).message;
    }
    return { read, bytes, back, pixels, unready, left: tf.memory().numTensors - before };
  });
  const expected = [[2, 2, 3], 'int32', [[[255, 0, 0], [0, 255, 0]], [[0, 0, 255], [255, 255, 255]]], true];
  for (const [name, value] of Object.entries(answer.read)) expect(value, name).toEqual(expected);
  expect(Object.keys(answer.read)).toHaveLength(6);
  expect(answer.bytes).toEqual(answer.pixels);
  expect(answer.back).toEqual(answer.pixels);
  expect(answer.unready).toContain('The video element has not loaded data yet');
  expect(answer.left).toBe(0);
});
