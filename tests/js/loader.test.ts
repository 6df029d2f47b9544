// What the loader says when a file is not what it should be, and that a load
// that failed can be tried again.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as tf from '../../js/src/index.js';

const core = readFileSync(new URL('../../dist/tidemark-simd.wasm', import.meta.url));

const answers: Record<string, [number, string, string | Buffer]> = {
  '/html/tidemark-simd.wasm': [200, 'text/html', '<!doctype html><title>App</title>'],
  '/unnamed-html/tidemark-simd.wasm': [200, 'application/octet-stream', '<!doctype html>'],
  '/text/tidemark-simd.wasm': [200, 'text/plain', 'hello'],
  '/broken/tidemark-simd.wasm': [200, 'application/wasm', 'no wasm at all'],
  '/cut/tidemark-simd.wasm': [200, 'application/octet-stream', core.subarray(0, 1000)],
  '/untyped/tidemark-simd.wasm': [200, 'application/octet-stream', core],
};

const server = createServer((request, response) => {
  const [status, type, body] = answers[request.url ?? ''] ?? [404, 'text/plain', 'no such file'];
  response.writeHead(status, { 'Content-Type': type });
  response.end(body);
});
let base = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

test('importing loads nothing: an op says what to await', () => {
  expect(() => tf.add(1, 2)).toThrow('await tf.ready()');
});

test('names can start over before anything is loaded', () => {
  expect(() => tf.keras.backend.clear_session()).not.toThrow();
});

test.each([
  ['missing', /was not found: the server answered 404 for .*\/missing\/tidemark-simd\.wasm/],
  ['html', /answered HTML for .*\/html\/tidemark-simd\.wasm, not WebAssembly/],
  ['unnamed-html', /answered HTML/],
  ['text', /something other than WebAssembly for .*content type text\/plain/],
  ['broken', /could not start/],
  ['cut', /could not start/],
])('%s', async (folder, message) => {
  await expect(tf.ready({ variant: 'simd', wasmPath: `${base}/${folder}/` })).rejects.toThrow(message);
});

test('a server that is not there', async () => {
  const wasmPath = 'http://127.0.0.1:1/';
  await expect(tf.ready({ variant: 'simd', wasmPath })).rejects.toThrow(/could not be fetched from http:\/\/127\.0\.0\.1:1\//);
});

test('a variant that does not exist', async () => {
  await expect(tf.ready({ variant: 'fast' as 'simd' })).rejects.toThrow("there is no variant 'fast', only simd, relaxed");
});

test('bytes that are no wasm', async () => {
  await expect(tf.ready({ variant: 'simd', wasmBinary: new Uint8Array(8) })).rejects.toThrow(/the given wasmBinary could not start/);
});

test('the file formats are looked for in the same folder, when they are needed', async () => {
  await tf.ready({ variant: 'simd', wasmPath: `${base}/untyped/` });
  const v = tf.tidy(() => tf.variable(tf.scalar(1), true, 'v'));
  const save = (): Promise<string> => new tf.train.Saver([v]).save(null, 'memory://loader/model.ckpt');
  await expect(save()).rejects.toThrow(/module of file formats was not found: the server answered 404 for .*\/untyped\/tidemark-formats\.wasm/);
  answers['/untyped/tidemark-formats.wasm'] = [200, 'application/wasm', readFileSync(new URL('../../dist/tidemark-formats.wasm', import.meta.url))];
  expect(await save()).toBe('memory://loader/model.ckpt');
  v.dispose();
});

test('after all that, a wrong MIME type does no harm and the library works', async () => {
  await tf.ready({ variant: 'simd', wasmPath: `${base}/untyped/` });
  expect(tf.getVariant()).toBe('simd');
  const sum = tf.add(1, 2);
  expect(sum.arraySync()).toBe(3);
  sum.dispose();
  expect(tf.memory().numTensors).toBe(0);
});
