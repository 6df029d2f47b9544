// Models over HTTP: what is asked for, what is reported, and what goes wrong.
import { afterEach, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';

const weights = [
  { name: 'a', shape: [2], dtype: 'float32' as const },
  { name: 'b', shape: [1], dtype: 'int32' as const },
];
const data = new Uint8Array([...new Uint8Array(new Float32Array([1, 2]).buffer), ...new Uint8Array(new Int32Array([3]).buffer)]);
const model = {
  modelTopology: { class_name: 'X' }, format: 'layers-model', generatedBy: 'g', convertedBy: 'c', signature: { s: 1 },
  userDefinedMetadata: { u: 1 }, trainingConfig: { loss: 'l', optimizer_config: {} },
  weightsManifest: [{ paths: ['w1.bin', 'w2.bin'], weights }],
};
const good: Record<string, BodyInit> = {
  'm/model.json': JSON.stringify(model), 'm/w1.bin': data.slice(0, 5), 'm/w2.bin': data.slice(5),
};

/** A server of a few files; what it was asked is kept. */
function server(files: Record<string, BodyInit | Response>): { fetchFunc: (url: string, init?: RequestInit) => Promise<Response>; asked: [string, RequestInit | undefined][] } {
  const asked: [string, RequestInit | undefined][] = [];
  return {
    asked,
    fetchFunc: async (url, init) => {
      asked.push([url, init]);
      const found = files[url];
      if (found === undefined) return new Response('nothing here', { status: 404 });
      return typeof found === 'object' && 'clone' in found ? found.clone() : new Response(found);
    },
  };
}
const load = (files: Record<string, BodyInit | Response>, options: tf.LoadOptions = {}, url = 'm/model.json'): Promise<tf.ModelArtifacts> =>
  tf.io.http(url, { ...options, fetchFunc: server(files).fetchFunc }).load!();
const html = (): Response => new Response('<!doctype html><p>not found', { headers: { 'content-type': 'text/html; charset=utf-8' } });

describe('loading', () => {
  test('artifacts of all that model.json has', async () => {
    const { weightsManifest, ...rest } = model;
    const artifacts = await load(good);
    expect(weightsManifest).toHaveLength(1);
    expect(artifacts).toEqual({ ...rest, weightSpecs: weights, weightData: [data.slice(0, 5).buffer, data.slice(5).buffer] });
    const { a, b } = tf.io.decodeWeights(artifacts.weightData!, artifacts.weightSpecs!);
    expect([a!.arraySync(), b!.arraySync()]).toEqual([[1, 2], [3]]);
    tf.dispose([a, b]);
  });

  test('a model without weights', async () => {
    const artifacts = await load({ 'm/model.json': JSON.stringify({ modelTopology: { a: 1 } }) });
    expect([artifacts.modelTopology, artifacts.weightSpecs, artifacts.weightData]).toEqual([{ a: 1 }, undefined, undefined]);
  });

  test('every request has the given init; files lie beside model.json and share its query', async () => {
    const { fetchFunc, asked } = server({
      'http://h/m/model.json?key=1': good['m/model.json']!, 'http://h/m/w1.bin?key=1': good['m/w1.bin']!, 'http://h/m/w2.bin?key=1': good['m/w2.bin']!,
    });
    const requestInit: RequestInit = { credentials: 'include', headers: { A: 'b' } };
    await tf.io.getLoadHandlers('http://h/m/model.json?key=1', { fetchFunc, requestInit })[0]!.load!();
    expect(asked.map(([url]) => url)).toEqual(['http://h/m/model.json?key=1', 'http://h/m/w1.bin?key=1', 'http://h/m/w2.bin?key=1']);
    expect(asked.every(([, init]) => init?.credentials === 'include' && (init.headers as any).A === 'b')).toBe(true);
  });

  test('weightPathPrefix, weightUrlConverter and whole URLs as paths', async () => {
    const elsewhere = { 'm/model.json': good['m/model.json']!, 'cdn/w1.bin': good['m/w1.bin']!, 'cdn/w2.bin': good['m/w2.bin']! };
    expect((await load(elsewhere, { weightPathPrefix: 'cdn/' })).weightSpecs).toHaveLength(2);
    expect((await load(elsewhere, { weightUrlConverter: async (name) => `cdn/${name}` })).weightSpecs).toHaveLength(2);
    const absolute = JSON.stringify({ ...model, weightsManifest: [{ paths: ['https://x/w1.bin', 'blob:y'], weights }] });
    expect((await load({ 'm/model.json': absolute, 'https://x/w1.bin': good['m/w1.bin']!, 'blob:y': good['m/w2.bin']! })).weightSpecs).toHaveLength(2);
  });

  test('progress: bytes as they come, a fraction that never falls and ends at 1', async () => {
    const slow = (bytes: Uint8Array): Response => new Response(new ReadableStream({
      async start(controller) {
        for (const byte of bytes) {
          await new Promise((resolve) => setTimeout(resolve));
          controller.enqueue(new Uint8Array([byte]));
        }
        controller.close();
      },
    }), { headers: { 'content-length': String(bytes.length) } });
    const seen: [number, tf.LoadReport][] = [];
    // A streamed body can be read once only.
    await tf.io.http('m/model.json', {
      onProgress: (fraction, report) => seen.push([fraction, report]),
      fetchFunc: async (url) => (url === 'm/w1.bin' ? slow(data.slice(0, 5)) : url === 'm/w2.bin' ? slow(data.slice(5)) : new Response(good[url])),
    }).load!();
    const fractions = seen.map(([fraction]) => fraction);
    expect(fractions.length).toBe(13);
    expect(fractions).toEqual([...fractions].sort((x, y) => x - y));
    expect(fractions.filter((x) => x === 1)).toHaveLength(1);
    expect(fractions[5]).toBeCloseTo(0.5);
    expect(seen[0]![1]).toMatchObject({ loaded: 1, allLoaded: 1, allTotal: 12, fromCache: false });
    expect(seen.filter(([, { file }]) => file === 'w1.bin').at(-1)![1]).toMatchObject({ url: 'm/w1.bin', loaded: 5, total: 5 });
    expect(seen.at(-1)![1]).toMatchObject({ allLoaded: 12, allTotal: 12 });
  });

  test('responses of polyfills without streams', async () => {
    const fake = (body: string | Uint8Array): Response => ({
      ok: true, json: async () => JSON.parse(body as string) as unknown, arrayBuffer: async () => (body as Uint8Array).buffer,
    }) as Response;
    const artifacts = await tf.io.http('m/model.json', { fetchFunc: async (url) => fake(good[url] as string) }).load!();
    expect(new Uint8Array(tf.io.CompositeArrayBuffer.join(artifacts.weightData))).toEqual(data);
  });

  test.each<[string, Record<string, BodyInit | Response>, string]>([
    ['nothing there', {}, 'Request to m/model.json failed with status code 404'],
    ['a weight file missing', { 'm/model.json': good['m/model.json']!, 'm/w1.bin': good['m/w1.bin']! }, 'Request to m/w2.bin failed with status code 404'],
    ['HTML for the model', { 'm/model.json': html() }, 'm/model.json is HTML, not a model'],
    ['HTML for weights', { ...good, 'm/w2.bin': html() }, 'the server answered HTML for m/w2.bin, not a file of a model'],
    ['JSON cut off', { 'm/model.json': (good['m/model.json'] as string).slice(0, 50) }, 'm/model.json is no JSON'],
    ['a list', { 'm/model.json': '[1]' }, 'm/model.json is no model: it holds [1]'],
    ['null', { 'm/model.json': 'null' }, 'm/model.json is no model: it holds null'],
    ['another JSON', { 'm/model.json': '{"a": 1}' }, 'The JSON from HTTP path m/model.json contains neither model topology or manifest for weights.'],
    ['a strange manifest', { 'm/model.json': '{"modelTopology": {}, "weightsManifest": [{"weights": []}]}' }, "m/model.json: weightsManifest is no list of groups with 'paths' and 'weights'"],
    ['a weight file cut off', { ...good, 'm/w2.bin': data.slice(5, 9) }, "m/model.json: the weight files have 9 bytes ('w1.bin' 5, 'w2.bin' 4), but the model's 2 weights need 12: a file is cut off"],
    ['a weight file too long', { ...good, 'm/w2.bin': data }, "have 17 bytes ('w1.bin' 5, 'w2.bin' 12), but the model's 2 weights need 12: a file is too long"],
  ])('%s', async (_, files, message) => {
    await expect(load(files)).rejects.toThrow(message);
  });

  test('a connection that breaks', async () => {
    const broken = (): Response => new Response(new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(3));
        setTimeout(() => controller.error(new Error('reset')));
      },
    }), { headers: { 'content-length': '7' } });
    const files = (url: string): Response => (url === 'm/w2.bin' ? broken() : new Response(good[url]));
    await expect(tf.io.http('m/model.json', { fetchFunc: async (url) => files(url) }).load!())
      .rejects.toThrow('m/w2.bin was cut off after 3 bytes of 7: reset');
    await expect(tf.io.http('m/model.json', { fetchFunc: async () => Promise.reject(new TypeError('no route')) }).load!())
      .rejects.toThrow('Request to m/model.json failed: no route');
  });

  test('a user who gives up gets his own error', async () => {
    const controller = new AbortController();
    controller.abort();
    await expect(tf.io.http('http://127.0.0.1:9/model.json', { requestInit: { signal: controller.signal } }).load!())
      .rejects.toMatchObject({ name: 'AbortError' });
  });

  test.each<[string, () => unknown, string]>([
    ['nothing', () => tf.io.http(''), 'must not be null, undefined or empty'],
    ['null', () => tf.io.http(null as never), 'must not be null, undefined or empty'],
    ['a list', () => tf.io.http(['a', 'b'] as never), 'Lists of URLs are not supported'],
    ['a body', () => tf.io.browserHTTPRequest('x', { requestInit: { body: 'b' } }), 'requestInit is expected to have no pre-existing body, but has one.'],
    ['no function', () => tf.io.http('x', { fetchFunc: 5 as never }), 'fetchFunc must be a function'],
  ])('%s is refused', (_, f, message) => {
    expect(f).toThrow(message);
  });
});

describe('the cache', () => {
  const stored = new Map<string, Response>();
  const opened: string[] = [];
  const install = (caches: unknown): void => {
    (globalThis as any).caches = caches;
  };
  const working = {
    open: async (name: string) => {
      opened.push(name);
      return {
        match: async (url: string) => stored.get(url)?.clone(),
        put: async (url: string, response: Response) => void stored.set(url, response),
      };
    },
  };
  afterEach(() => {
    delete (globalThis as any).caches;
    stored.clear();
    opened.length = 0;
  });

  test('a model is fetched once, and the report says so', async () => {
    install(working);
    const { fetchFunc, asked } = server(good);
    const runs = [0, 1].map(() => [] as boolean[]);
    for (const run of runs) {
      const handler = tf.io.http('m/model.json', { cache: true, fetchFunc, onProgress: (_, { fromCache }) => run.push(fromCache) });
      expect((await handler.load!()).weightSpecs).toEqual(weights);
    }
    expect(asked).toHaveLength(3);
    expect(runs.map((run) => new Set(run))).toEqual([new Set([false]), new Set([true])]);
    expect(new Set(opened)).toEqual(new Set(['tidemark-models']));
    await tf.io.http('m/model.json', { cache: 'mine', fetchFunc }).load!();
    expect(opened.at(-1)).toBe('mine');
  });

  test('nothing bad is kept', async () => {
    install(working);
    await expect(load({ ...good, 'm/w2.bin': data.slice(5, 9) }, { cache: true })).rejects.toThrow('cut off');
    expect(stored.size).toBe(0);
  });

  test.each<[string, unknown]>([
    ['is not there', undefined],
    ['may not be opened', { open: async () => Promise.reject(new Error('private window')) }],
    ['is full', { open: async () => ({ match: async () => Promise.reject(new Error('x')), put: async () => Promise.reject(new Error('full')) }) }],
  ])('a cache that %s is no error', async (_, caches) => {
    install(caches);
    expect((await load(good, { cache: true })).weightSpecs).toEqual(weights);
  });
});

test("an error of onProgress is the caller's, not the file's", async () => {
  const own = new Error('mine');
  const onProgress = (): never => {
    throw own;
  };
  await expect(load(good, { onProgress })).rejects.toBe(own);
});

test.each([null, -1, {}, [1]])('a path of weights that is %j', async (path) => {
  const json = JSON.stringify({ ...model, weightsManifest: [{ paths: [path], weights }] });
  await expect(load({ 'm/model.json': json })).rejects.toThrow("m/model.json: weightsManifest is no list of groups with 'paths' and 'weights'");
});

describe('saving', () => {
  const artifacts = { modelTopology: { a: 1 }, weightSpecs: weights, weightData: [data.slice(0, 5).buffer, data.slice(5).buffer], format: 'layers-model', generatedBy: 'g', convertedBy: null };

  test('a form with two files', async () => {
    const inits: RequestInit[] = [];
    const handler = tf.io.http('http://h/up', {
      requestInit: { method: 'PUT', headers: { A: 'b' } },
      fetchFunc: async (_, init) => {
        inits.push(init!);
        return new Response(null, { status: 200 });
      },
    });
    const { modelArtifactsInfo, responses } = await handler.save!(artifacts);
    expect([responses!.length, modelArtifactsInfo.weightDataBytes, modelArtifactsInfo.modelTopologyBytes]).toEqual([1, 12, 7]);
    const form = inits[0]!.body as FormData;
    const json = form.get('model.json') as File;
    expect([inits[0]!.method, json.name, json.type]).toEqual(['PUT', 'model.json', 'application/json']);
    expect(JSON.parse(await json.text())).toEqual({
      modelTopology: { a: 1 }, format: 'layers-model', generatedBy: 'g', convertedBy: null,
      weightsManifest: [{ paths: ['./model.weights.bin'], weights }],
    });
    expect(new Uint8Array(await (form.get('model.weights.bin') as File).arrayBuffer())).toEqual(data);
  });

  test('a server that is not there', async () => {
    const dead = async (): Promise<Response> => Promise.reject(new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') }));
    await expect(tf.io.http('http://h/up', { fetchFunc: dead }).save!(artifacts))
      .rejects.toThrow(new tf.TensorError('state', 'Request to http://h/up failed: fetch failed (ECONNREFUSED)'));
  });

  test('a server that refuses', async () => {
    await expect(tf.io.http('x', { fetchFunc: async () => new Response(null, { status: 403 }) }).save!(artifacts))
      .rejects.toThrow('BrowserHTTPRequest.save() failed due to HTTP response status 403');
    await expect(tf.io.http('x').save!({ modelTopology: new ArrayBuffer(1) })).rejects.toThrow('does not support saving model topology in binary formats');
  });
});
