// The built package in a page: as a module, in both variants, by script tag,
// and in a worker.
import { expect, test } from '@playwright/test';
import type * as Tidemark from '../../js/src/index.js';

type Api = typeof Tidemark;

/** Runs in the page: what the given build computes, and what it leaves behind. */
async function compute([source, variant]: [string, 'simd' | 'relaxed' | undefined]): Promise<unknown> {
  const tf: Api = source === 'global'
    ? (globalThis as unknown as { tidemark: Api }).tidemark
    : ((await import(source)) as Api);
  await tf.ready(variant ? { variant } : undefined);
  const before = tf.memory().numTensors;
  const values = tf.tidy(() => {
    const x = tf.tensor2d([[1, 2], [3, 4]]);
    return Array.from(x.mul(x).add(1).dataSync());
  });
  return { values, left: tf.memory().numTensors - before };
}

const expected = { values: [2, 5, 10, 17], left: 0 };

test('the page is cross-origin isolated', async ({ page }) => {
  await page.goto('/pages/blank.html');
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
});

for (const variant of ['simd', 'relaxed', undefined] as const) {
  test(`the module computes, variant ${variant ?? 'chosen by the loader'}`, async ({ page }) => {
    await page.goto('/pages/blank.html');
    expect(await page.evaluate(compute, ['/dist/index.js', variant] as [string, typeof variant])).toEqual(expected);
  });
}

test('the script tag defines `tidemark` and finds its wasm', async ({ page }) => {
  await page.goto('/pages/script-tag.html');
  expect(await page.evaluate(compute, ['global', undefined] as [string, undefined])).toEqual(expected);
});

test('a module worker computes', async ({ page }) => {
  await page.goto('/pages/blank.html');
  const answer = await page.evaluate(
    (body) =>
      new Promise((resolve, reject) => {
        const source = `const compute = ${body};
          compute([location.origin + '/dist/index.js']).then(postMessage, (error) => postMessage(String(error)));`;
        // A blob has its creator's origin, but no path to resolve against.
        const text = source.replace('location.origin', JSON.stringify(location.origin));
        const worker = new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })), { type: 'module' });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message || 'the worker failed'));
      }),
    compute.toString(),
  );
  expect(answer).toEqual(expected);
});
