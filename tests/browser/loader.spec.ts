// The loader in pages: what a Content-Security-Policy does to it, and two
// copies of the library in one page.
import { expect, test } from '@playwright/test';
import type * as Tidemark from '../../js/src/index.js';

type Api = typeof Tidemark;

/** Runs in the page: an op's result, or the message of the error. */
async function add(source: string): Promise<unknown> {
  const tf = (await import(source)) as Api;
  try {
    await tf.ready();
    return tf.tidy(() => tf.add(1, 2).arraySync());
  } catch (error) {
    return (error as Error).message;
  }
}

test('a policy without wasm-unsafe-eval is named', async ({ page }) => {
  await page.goto('/pages/csp-strict.html');
  expect(await page.evaluate(add, '/dist/index.js')).toMatch(/Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval'/);
});

test('wasm-unsafe-eval is enough: nothing is evaluated', async ({ page }) => {
  await page.goto('/pages/csp-wasm.html');
  expect(await page.evaluate(add, '/dist/index.js')).toBe(3);
});

/** Runs in the page: makes a checkpoint and reads it. */
async function save(source: string): Promise<unknown> {
  const tf = source === 'global' ? (globalThis as unknown as { tidemark: Api }).tidemark : (await import(source)) as Api;
  await tf.ready();
  const v = tf.tidy(() => tf.variable(tf.tensor1d([1, 2]), true, 'v'));
  const path = await new tf.train.Saver([v]).save(null, 'memory://page/model.ckpt', { globalStep: 1 });
  const { data } = await (await tf.train.loadCheckpoint(path)).getTensor('v');
  v.dispose();
  return [path, ...data as Float32Array];
}

test('file formats are loaded when a checkpoint is made, not before, under a policy and by script tag', async ({ page }) => {
  let asked = 0;
  page.on('request', (request) => void (asked += Number(request.url().endsWith('/tidemark-formats.wasm'))));
  await page.goto('/pages/csp-wasm.html');
  expect(await page.evaluate(add, '/dist/index.js')).toBe(3);
  expect(asked).toBe(0);
  expect(await page.evaluate(save, '/dist/index.js')).toEqual(['memory://page/model.ckpt-1', 1, 2]);
  expect(asked).toBe(1);
  await page.goto('/pages/script-tag.html');
  expect(await page.evaluate(save, 'global')).toEqual(['memory://page/model.ckpt-1', 1, 2]);
  expect(asked).toBe(2);
});

test("a tensor of the page's other copy of the library is refused by name", async ({ page }) => {
  await page.goto('/pages/script-tag.html');
  const message = await page.evaluate(async () => {
    const one = (globalThis as unknown as { tidemark: Api }).tidemark;
    const path = '/dist/index.js';
    const two = (await import(path)) as Api;
    await Promise.all([one.ready(), two.ready()]);
    const x = one.tensor1d([1, 2]);
    try {
      two.add(x, 1);
      return 'nothing was thrown';
    } catch (error) {
      return (error as Error).message;
    } finally {
      x.dispose();
    }
  });
  expect(message).toMatch(/Argument 'a' passed to 'add' is a tensor of another library or of another copy/);
});
