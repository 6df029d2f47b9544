// Models and files where a page keeps them, for real: localStorage, IndexedDB,
// the origin private file system, downloads, HTTP and its cache.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Download, Page } from '@playwright/test';
import type * as Tidemark from '../../js/src/index.js';
import type { openStorage } from '../../js/src/io/storage/open.js';

type Api = typeof Tidemark;
const schemes = ['localstorage', 'indexeddb', 'opfs'];

/** Opens a page with the library as `tf`. */
async function open(page: Page): Promise<void> {
  await page.goto('/pages/blank.html');
  await page.evaluate(async () => {
    const path = '/dist/index.js';
    const tf = (await import(path)) as Api;
    await tf.ready();
    (globalThis as any).tf = tf;
  });
}

for (const scheme of schemes) {
  test(`a trained model in ${scheme}:// outlives the page`, async ({ page }) => {
    const url = `${scheme}://deep/model`;
    await open(page);
    const before = await page.evaluate(async (to) => {
      const tf = (globalThis as any).tf as Api;
      const model = tf.sequential({ layers: [tf.layers.dense({ units: 3, inputShape: [2], activation: 'tanh' }), tf.layers.dense({ units: 1 })] });
      model.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
      const [x, y] = [tf.ones([4, 2]), tf.ones([4, 1])];
      await model.fit(x, y, { epochs: 2, verbose: 0 });
      await model.save(to, { includeOptimizer: true });
      const output = model.predict(x) as Tidemark.Tensor;
      const values = Array.from(output.dataSync());
      tf.dispose([x, y, output]);
      model.dispose();
      return { values, left: tf.memory().numTensors };
    }, url);
    expect(before.left).toBe(0);
    await open(page);
    const after = await page.evaluate(async (from) => {
      const tf = (globalThis as any).tf as Api;
      const fractions: number[] = [];
      const listed = Object.keys(await tf.io.listModels());
      const model = await tf.loadLayersModel(from, { onProgress: (fraction) => fractions.push(fraction) });
      const values = tf.tidy(() => Array.from((model.predict(tf.ones([4, 2])) as Tidemark.Tensor).dataSync()));
      const { iterations } = model.optimizer;
      model.dispose();
      const { weightDataBytes } = await tf.io.removeModel(from);
      const gone = await tf.loadLayersModel(from).then(() => 'loaded', (error: Error) => error.message);
      return { values, iterations, listed, weightDataBytes, gone, models: await tf.io.listModels(), left: tf.memory().numTensors, fractions };
    }, url);
    // 13 numbers, twice as many moments, and the count of steps.
    expect(after).toMatchObject({ values: before.values, iterations: 2, listed: [url], weightDataBytes: 13 * 4 * 3 + 4, models: {}, left: 0 });
    expect(after.gone).toContain('deep/model');
    if (scheme === 'opfs') expect(after.fractions.at(-1)).toBe(1);
  });
}

test("TensorFlow.js reads our models in this browser, and we TensorFlow.js'", async ({ page }) => {
  await open(page);
  await page.addScriptTag({ path: 'node_modules/@tensorflow/tfjs/dist/tf.min.js' });
  const answer = await page.evaluate(async () => {
    const path = '/dist/index.js';
    const ours = (await import(path)) as Api;
    const theirs = (globalThis as unknown as { tf: Api }).tf;
    await theirs.setBackend('cpu');
    const out: Record<string, unknown> = {};
    for (const scheme of ['localstorage', 'indexeddb']) {
      for (const [name, from, to] of [['ours', ours, theirs], ['theirs', theirs, ours]] as const) {
        const model = from.sequential({ layers: [from.layers.dense({ units: 2, inputShape: [3] })] });
        await model.save(`${scheme}://${name}`);
        const read = await to.loadLayersModel(`${scheme}://${name}`);
        const values = ([[from, model], [to, read]] as const).map(([api, m]) =>
          api.tidy(() => Array.from((m.predict(api.ones([1, 3])) as Tidemark.Tensor).dataSync())));
        out[`${scheme} ${name}`] = Math.max(...values[0]!.map((v, i) => Math.abs(v - values[1]![i]!)));
      }
    }
    const lists = await Promise.all([ours, theirs].map(async (api) => Object.keys(await api.io.listModels()).sort()));
    for (const url of lists[0]!) await (url.endsWith('ours') ? theirs : ours).io.removeModel(url);
    return { out, lists, left: Object.keys(await ours.io.listModels()) };
  });
  expect(Object.keys(answer.out)).toHaveLength(4);
  for (const [name, difference] of Object.entries(answer.out)) expect(difference, name).toBeLessThan(1e-6);
  expect(answer.lists[0]).toEqual(['indexeddb://ours', 'indexeddb://theirs', 'localstorage://ours', 'localstorage://theirs']);
  expect(answer.lists[1]).toEqual(answer.lists[0]);
  expect(answer.left).toEqual([]);
});

test('the minified build saves names that any build loads', async ({ page }) => {
  await page.goto('/pages/script-tag.html');
  const answer = await page.evaluate(async () => {
    const path = '/dist/index.js';
    const plain = (await import(path)) as Api;
    const small = (globalThis as unknown as { tidemark: Api }).tidemark;
    const values: number[][] = [];
    for (const tf of [small, plain]) {
      await tf.ready();
      if (tf === small) {
        const model = tf.sequential({ layers: [tf.layers.lstm({ units: 2, inputShape: [3, 2] }), tf.layers.dense({ units: 1 })] });
        model.compile({ optimizer: 'rmsprop', loss: 'meanSquaredError' });
        await model.save('indexeddb://minified', { includeOptimizer: true });
        model.dispose();
      }
      const model = await tf.loadLayersModel('indexeddb://minified');
      values.push(tf.tidy(() => Array.from((model.predict(tf.ones([1, 3, 2])) as Tidemark.Tensor).dataSync())));
      if (model.optimizer.getClassName() !== 'RMSProp') throw new Error(model.optimizer.getClassName());
      model.dispose();
    }
    const saved = await plain.io.getLoadHandlers('indexeddb://minified')[0]!.load!();
    await plain.io.removeModel('indexeddb://minified');
    return { values, topology: JSON.stringify(saved.modelTopology) };
  });
  expect(answer.values[0]).toEqual(answer.values[1]);
  expect(answer.topology).toContain('"class_name":"LSTM"');
  expect(answer.topology).toContain('"class_name":"Zeros"');
});

test('localStorage that is full keeps the model that was there', async ({ page }) => {
  await open(page);
  const answer = await page.evaluate(async () => {
    const tf = (globalThis as any).tf as Api;
    const handler = tf.io.getSaveHandlers('localstorage://m')[0]!;
    const loader = tf.io.getLoadHandlers('localstorage://m')[0]!;
    await handler.save!({ modelTopology: { small: 1 }, weightSpecs: [], weightData: new ArrayBuffer(4) });
    const refused = await handler.save!({ modelTopology: { big: 1 }, weightSpecs: [], weightData: new ArrayBuffer(2 ** 24) }).then(() => '', (error: Error) => error.message);
    return { refused, topology: (await loader.load!()).modelTopology };
  });
  expect(answer.refused).toContain('weightDataBytes=16777216');
  expect(answer.topology).toEqual({ small: 1 });
});

/** The files that a page downloads from now on, by name, once there are `count`. */
function downloadsOf(page: Page, browserName: string, outputDir: string): (count: number) => Promise<Map<string, Buffer>> {
  const seen: Download[] = [];
  page.on('download', (download) => seen.push(download));
  // Playwright drops what Firefox tells of downloads that are no navigation;
  // the files are there nevertheless, under their own names.
  const onDisk = (): string[] => readdirSync(outputDir, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\/digits[^/]*$/.test(file) && statSync(join(outputDir, file)).size > 0);
  return async (count) => {
    const firefox = browserName === 'firefox';
    await expect.poll(() => (firefox ? onDisk() : seen).length, { timeout: 15_000 }).toBe(count);
    const files = firefox ? onDisk().map((file) => [basename(file), join(outputDir, file)] as const) :
      await Promise.all(seen.map(async (download) => [download.suggestedFilename(), await download.path()] as const));
    return new Map(files.map(([name, path]) => [name, readFileSync(path)]));
  };
}

test('downloads are two files that can be chosen again', async ({ page, browserName }, { project }) => {
  await open(page);
  const downloads = downloadsOf(page, browserName, project.outputDir);
  const predict = (): Promise<number[]> => page.evaluate(async () => {
    const tf = (globalThis as any).tf as Api;
    const chosen = document.querySelector('input');
    const model = chosen ? await tf.loadLayersModel([...chosen.files!]) :
      tf.sequential({ layers: [tf.layers.dense({ units: 2, inputShape: [2] })] });
    if (!chosen) await model.save('downloads://digits');
    const values = tf.tidy(() => Array.from((model.predict(tf.ones([1, 2])) as Tidemark.Tensor).dataSync()));
    model.dispose();
    return values;
  });
  const expected = await predict();
  const files = await downloads(2);
  expect([...files.keys()].sort()).toEqual(['digits.json', 'digits.weights.bin']);
  await page.evaluate(() => {
    document.body.innerHTML = '<input type=file multiple>';
  });
  await page.locator('input').setInputFiles([...files].map(([name, buffer]) => ({ name, mimeType: 'application/octet-stream', buffer })));
  expect(await predict()).toEqual(expected);
});

test('files a user has chosen', async ({ page }) => {
  await open(page);
  const weights = [{ name: 'd/kernel', shape: [2, 1], dtype: 'float32' }, { name: 'd/bias', shape: [1], dtype: 'float32' }];
  const topology = { class_name: 'Sequential', config: { name: 's', layers: [{ class_name: 'Dense', config: { name: 'd', units: 1, batch_input_shape: [null, 2] } }] } };
  await page.evaluate(() => {
    document.body.innerHTML = '<input type=file multiple>';
  });
  const bytes = Buffer.from(new Float32Array([2, 3, 4]).buffer);
  await page.locator('input').setInputFiles([
    { name: 'w2.bin', mimeType: 'application/octet-stream', buffer: bytes.subarray(5) },
    { name: 'model.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify({ modelTopology: topology, weightsManifest: [{ paths: ['w1.bin', 'w2.bin'], weights }] })) },
    { name: 'w1.bin', mimeType: 'application/octet-stream', buffer: bytes.subarray(0, 5) },
  ]);
  const values = await page.evaluate(async () => {
    const tf = (globalThis as any).tf as Api;
    const model = await tf.loadLayersModel([...document.querySelector('input')!.files!]);
    const out = tf.tidy(() => Array.from((model.predict(tf.tensor2d([[10, 100]])) as Tidemark.Tensor).dataSync()));
    model.dispose();
    return out;
  });
  expect(values).toEqual([324]);
});

test('HTTP: bytes as they come, the cache the second time, and clear errors', async ({ page }) => {
  const folder = 'node_modules/@upscalerjs/default-model/models';
  const asked: string[] = [];
  await page.route('**/models/**', async (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1)!;
    asked.push(name);
    if (name === 'page.json') return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>none</title>' });
    if (name === 'none.json') return route.fulfill({ status: 404, body: 'none' });
    return route.fulfill({ contentType: name.endsWith('.json') ? 'application/json' : 'application/octet-stream', body: readFileSync(`${folder}/${name}`) });
  });
  await open(page);
  const answer = await page.evaluate(async () => {
    const tf = (globalThis as any).tf as Api;
    const runs: { last: unknown; rising: boolean; cached: boolean[] }[] = [];
    for (let i = 0; i < 2; i++) {
      const seen: [number, Tidemark.LoadReport][] = [];
      const model = await tf.loadLayersModel('/models/model.json', { cache: true, onProgress: (fraction, report) => seen.push([fraction, report]) });
      const fractions = seen.map(([fraction]) => fraction);
      const { file, allLoaded, allTotal } = seen.at(-1)![1];
      runs.push({
        last: [fractions.at(-1), file, allLoaded, allTotal], rising: fractions.every((f, j) => j === 0 || f >= fractions[j - 1]!),
        cached: [...new Set(seen.map(([, { fromCache }]) => fromCache))],
      });
      model.dispose();
    }
    const errors: string[] = [];
    for (const name of ['page', 'none']) errors.push(await tf.loadLayersModel(`/models/${name}.json`).then(() => 'loaded', (error: Error) => error.message));
    await caches.delete('tidemark-models');
    return { runs, errors, left: tf.memory().numTensors };
  });
  const size = readFileSync(`${folder}/group1-shard1of1.bin`).length;
  expect(answer.runs).toEqual([false, true].map((cached) => ({ last: [1, 'group1-shard1of1.bin', size, size], rising: true, cached: [cached] })));
  expect(asked.filter((name) => !/^(page|none)/.test(name))).toEqual(['model.json', 'group1-shard1of1.bin']);
  expect(answer.errors[0]).toContain('/models/page.json is HTML, not a model');
  expect(answer.errors[1]).toContain('Request to /models/none.json failed with status code 404');
  expect(answer.left).toBe(0);
});

/** Runs in a page or a worker: what storages promise, as a list of facts. */
async function storageFacts([origin, url]: [string, string]): Promise<unknown> {
  const { openStorage: open_ } = (await import(`${origin}/dist/io/storage/open.js`)) as { openStorage: typeof openStorage };
  const facts: unknown[] = [];
  const s = open_(url);
  const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);
  const read = async (name: string, range?: { start?: number; end?: number }): Promise<number[]> => [...await s.read(name, range)];
  await s.commit({ a: bytes(1, 2, 3), 'in/b': [bytes(4), bytes(5)] });
  await s.commit({ a: bytes(6, 7, 8), 'in/b': bytes(9) });
  facts.push(await read('a'), await read('a', { start: 1, end: 2 }), await read('in/b'));
  for (let i = 0; i < 5; i++) await s.append('log', bytes(i));
  facts.push(await read('log'), await read('log', { start: 3 }));
  await s.createExclusive('once', bytes(1));
  facts.push(await s.createExclusive('once', bytes(2)).then(() => 'made', (error: { fault: string }) => error.fault));
  facts.push((await s.list()).map(({ name, size }) => [name, size]));
  const lock = await s.lock('writer');
  facts.push(await open_(url).lock('writer').then(() => 'held', (error: { fault: string }) => error.fault));
  await lock.release();
  await (await s.lock('writer', { wait: 1000 })).release();
  const big = new Uint8Array(9 * 2 ** 20).fill(7);
  await s.replaceAtomic('big', big);
  facts.push([(await s.read('big')).length, ...await read('big', { start: 2 ** 23 - 1, end: 2 ** 23 + 2 })]);
  await s.remove('a', 'in/b', 'log', 'once', 'big', 'none');
  facts.push(await s.list(), await s.read('a').catch((error: { fault: string }) => error.fault));
  await s.close();
  return facts;
}
const expectedFacts = [
  [6, 7, 8], [7], [9], [0, 1, 2, 3, 4], [3, 4], 'exists', [['a', 3], ['in/b', 1], ['log', 5], ['once', 1]], 'locked', [9 * 2 ** 20, 7, 7, 7], [], 'missing',
];

for (const url of ['opfs://runs/a', 'indexeddb://runs/a']) {
  test(`${url} keeps the promises of a storage in a page`, async ({ page }) => {
    await page.goto('/pages/blank.html');
    const origin = new URL(page.url()).origin;
    expect(await page.evaluate(storageFacts, [origin, url] as [string, string])).toEqual(expectedFacts);
  });

  test(`${url} keeps them in a worker`, async ({ page }) => {
    await page.goto('/pages/blank.html');
    const answer = await page.evaluate(([body, place]) => new Promise((resolve, reject) => {
      const text = `const run = ${body};
        run([${JSON.stringify(location.origin)}, ${JSON.stringify(place)}]).then(postMessage, (error) => postMessage(String(error.stack)));`;
      const worker = new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })), { type: 'module' });
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message || 'the worker failed'));
    }), [storageFacts.toString(), url] as const);
    expect(answer).toEqual(expectedFacts);
  });

  test(`${url}: a lock keeps another tab out until the first is closed`, async ({ page, context }) => {
    const other = await context.newPage();
    for (const p of [page, other]) await p.goto('/pages/blank.html');
    const lock = (p: Page, wait: number): Promise<string> => p.evaluate(async ([place, ms]) => {
      const path = '/dist/io/storage/open.js';
      const { openStorage: open_ } = (await import(path)) as { openStorage: typeof openStorage };
      return open_(place).lock('writer', { wait: ms }).then(() => 'held', (error: { fault: string }) => error.fault);
    }, [url, wait] as const);
    expect(await lock(other, 0)).toBe('held');
    expect(await lock(page, 0)).toBe('locked');
    const waiting = lock(page, 20_000);
    await other.close();
    expect(await waiting).toBe('held');
  });
}
