// Weights as bytes, beside TensorFlow.js' own.
import { createRequire } from 'node:module';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type * as Theirs from '@tensorflow/tfjs';
import * as tf from '../../../js/src/index.js';

const theirs = createRequire(import.meta.url)('@tensorflow/tfjs') as typeof Theirs;
beforeAll(async () => {
  await theirs.setBackend('cpu');
});

const make = (api: typeof tf): tf.NamedTensorMap => ({
  f: api.tensor2d([[1.5, -2], [NaN, Infinity]]),
  i: api.tensor1d([1, -7, 2 ** 30], 'int32'),
  b: api.tensor1d([true, false, true], 'bool'),
  s: api.scalar(3),
  none: api.zeros([0, 4]),
});
const values = (map: tf.NamedTensorMap): unknown =>
  Object.entries(map).map(([name, t]) => [name, t.dtype, t.shape, Array.from(t.dataSync())]);

describe('encodeWeights and decodeWeights', () => {
  test("the bytes are TensorFlow.js', both ways", async () => {
    const ours = make(tf);
    const reference = make(theirs as unknown as typeof tf);
    const encoded = await tf.io.encodeWeights(ours);
    const expected = await theirs.io.encodeWeights(reference as never);
    expect(encoded.specs).toEqual(expected.specs);
    expect(new Uint8Array(encoded.data)).toEqual(new Uint8Array(expected.data));
    const back = tf.io.decodeWeights(expected.data, expected.specs);
    const there = theirs.io.decodeWeights(encoded.data, encoded.specs) as unknown as tf.NamedTensorMap;
    expect(values(back)).toEqual(values(ours));
    expect(values(there)).toEqual(values(reference));
    tf.dispose([ours, back]);
    theirs.dispose([reference, there] as never);
  });

  test('a list, and a group', async () => {
    const [a, b] = [tf.scalar(1), tf.scalar(2, 'int32')];
    const { data, specs } = await tf.io.encodeWeights([{ name: 'x/a', tensor: a }, { name: 'x/b', tensor: b }], 'optimizer');
    expect(specs).toEqual([
      { name: 'x/a', shape: [], dtype: 'float32', group: 'optimizer' },
      { name: 'x/b', shape: [], dtype: 'int32', group: 'optimizer' },
    ]);
    expect(data.byteLength).toBe(8);
    await expect(tf.io.encodeWeights({ w: [1] as never })).rejects.toThrow("encodeWeights: weight 'w' is no tensor");
    tf.dispose([a, b]);
  });

  test.each(['uint8', 'uint16'] as const)('%s', (dtype) => {
    const stored = dtype === 'uint8' ? new Uint8Array([0, 7, 255]) : new Uint16Array([0, 700, 65535]);
    // Quantized weights follow each other without padding: the second starts at an odd place.
    const data = new Uint8Array(1 + 2 * stored.byteLength);
    data.set(new Uint8Array(stored.buffer), 1);
    data.set(new Uint8Array(stored.buffer), 1 + stored.byteLength);
    const quantization = { dtype, scale: 0.3, min: -2 };
    const specs = [
      { name: 'b', shape: [1], dtype: 'bool' as const },
      { name: 'f', shape: [3], dtype: 'float32' as const, quantization },
      { name: 'i', shape: [3, 1], dtype: 'int32' as const, quantization },
    ];
    const ours = tf.io.decodeWeights(data.buffer, specs);
    const expected = theirs.io.decodeWeights(data.buffer, specs);
    expect(values(ours)).toEqual(values(expected as never));
    tf.dispose(ours);
    theirs.dispose(expected);
  });

  test('every float16', () => {
    const all = Uint16Array.from({ length: 65536 }, (_, i) => i);
    const specs = [{ name: 'h', shape: [65536], dtype: 'float32' as const, quantization: { dtype: 'float16' as const } }];
    const { h } = tf.io.decodeWeights(all.buffer, specs);
    const found = h!.dataSync();
    const view = new DataView(new ArrayBuffer(4));
    for (let i = 0; i < 65536; i++) {
      // Half precision widened by hand: sign, exponent moved by 112, fraction by 13 bits.
      const [sign, exponent, fraction] = [i >> 15, (i >> 10) & 31, i & 1023];
      let expected: number;
      if (exponent === 0) expected = fraction / 2 ** 24 * (sign ? -1 : 1);
      else {
        view.setUint32(0, ((sign << 31) | ((exponent === 31 ? 255 : exponent + 112) << 23) | (fraction << 13)) >>> 0);
        expected = view.getFloat32(0);
      }
      if (!Object.is(found[i], expected)) throw new Error(`${i}: ${found[i]}, expected ${expected}`);
    }
    h!.dispose();
  });

  test('shards may split anywhere', () => {
    const whole = new Uint8Array(new Float32Array([1, 2, 3]).buffer);
    const specs = [{ name: 'a', shape: [1], dtype: 'float32' as const }, { name: 'b', shape: [2], dtype: 'float32' as const }];
    for (let cut = 0; cut <= 12; cut++) {
      const { a, b } = tf.io.decodeWeights([whole.slice(0, cut).buffer, whole.slice(cut).buffer], specs);
      expect([a!.arraySync(), b!.arraySync()]).toEqual([[1], [2, 3]]);
      tf.dispose([a, b]);
    }
  });

  const f = { name: 'good', shape: [1], dtype: 'float32' };
  test.each<[string, object, string]>([
    ['a string', { dtype: 'string' }, "Unsupported dtype in weight 'w': string (tensors are float32, int32 or bool)"],
    ['complex64', { dtype: 'complex64' }, "Unsupported dtype in weight 'w': complex64"],
    ['int16', { dtype: 'int16' }, "Unsupported dtype in weight 'w': int16"],
    ['float16 alone', { dtype: 'float16' }, "Unsupported dtype in weight 'w': float16"],
    ['too few bytes', { shape: [2, 3] }, "decodeWeights: the data ends too early: weight 'w' ([2,3] float32) needs bytes 4 to 28, but there are 12"],
    ['no scale', { quantization: { dtype: 'uint8', min: 1 } }, "Weight w with quantization uint8 doesn't have corresponding metadata min and scale."],
    ['float16 of ints', { dtype: 'int32', quantization: { dtype: 'float16' } }, 'only supports weights of type float32 not int32'],
    ['quantized bool', { dtype: 'bool', quantization: { dtype: 'uint8', min: 0, scale: 1 } }, "Unsupported dtype in weight 'w': bool, quantized"],
    ['another quantization', { quantization: { dtype: 'int4' } }, 'Weight w has unknown quantization dtype int4'],
    ['no name', { name: undefined }, 'a weight has no name: {"shape":[1],"dtype":"float32"}'],
    ['no shape', { shape: undefined }, "Weight 'w' has no shape of whole numbers: undefined"],
    ['a bad shape', { shape: [-1] }, "Weight 'w' has no shape of whole numbers: [-1]"],
  ])('%s is refused and leaves nothing', async (_, change, message) => {
    const specs = [f, { ...f, name: 'w', ...change }] as never;
    expect(() => tf.io.decodeWeights(new ArrayBuffer(12), specs)).toThrow(message);
    const stream = new Blob([new Uint8Array(12)]).stream();
    await expect(tf.io.decodeWeightsStream(stream, specs)).rejects.toThrow(message);
  });

  test('a stream in pieces of any size', async () => {
    const tensors = make(tf);
    const { data, specs } = await tf.io.encodeWeights(tensors);
    for (const size of [1, 3, 7, 1000]) {
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          const all = new Uint8Array(data);
          for (let i = 0; i < all.length; i += size) controller.enqueue(all.slice(i, i + size));
          controller.close();
        },
      });
      const back = await tf.io.decodeWeightsStream(stream, specs);
      expect(values(back)).toEqual(values(tensors));
      tf.dispose(back);
    }
    tf.dispose(tensors);
  });
});

describe('CompositeArrayBuffer', () => {
  const pieces = [[0, 1, 2], [], [3, 4, 5, 6, 7], [8]].map((p) => new Uint8Array(p).buffer);
  test('slices like one buffer', () => {
    const composite = new tf.io.CompositeArrayBuffer(pieces);
    expect(composite.byteLength).toBe(9);
    for (let start = 0; start < 10; start++) {
      for (let end = start; end < 11; end++) {
        expect([...new Uint8Array(composite.slice(start, end))]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8].slice(start, end));
      }
    }
    expect([...new Uint8Array(composite.slice(-3, 2))]).toEqual([0, 1]);
    expect([...new Uint8Array(composite.slice(NaN, 2))]).toEqual([0, 1]);
    expect(composite.slice(0, NaN).byteLength).toBe(0);
  });

  test('of views, of one, of none', () => {
    const view = new Uint8Array([9, 1, 2, 9]).subarray(1, 3);
    expect([...new Uint8Array(new tf.io.CompositeArrayBuffer(view).slice())]).toEqual([1, 2]);
    expect(tf.io.CompositeArrayBuffer.join(pieces[0]).byteLength).toBe(3);
    expect(tf.io.CompositeArrayBuffer.join().byteLength).toBe(0);
    expect([...new Uint8Array(tf.io.concatenateArrayBuffers(pieces))]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });
});

describe('loadWeights', () => {
  const manifest = [
    { paths: ['a1', 'a2'], weights: [{ name: 'u', shape: [2], dtype: 'float32' as const }, { name: 'v', shape: [1], dtype: 'int32' as const }] },
    { paths: ['b'], weights: [{ name: 'w', shape: [2], dtype: 'bool' as const }] },
  ];
  const whole = new Uint8Array([...new Uint8Array(new Float32Array([1, 2]).buffer), ...new Uint8Array(new Int32Array([3]).buffer)]);
  const files: Record<string, ArrayBuffer> = { 'x/a1': whole.slice(0, 5).buffer, 'x/a2': whole.slice(5).buffer, 'x/b': new Uint8Array([1, 0]).buffer };
  const asked: string[][] = [];
  const load = tf.io.weightsLoaderFactory(async (urls) => {
    asked.push(urls);
    return urls.map((url) => files[url]!);
  });

  test('all, and only what is wanted', async () => {
    const all = await load(manifest, 'x');
    expect(values(all)).toEqual([['u', 'float32', [2], [1, 2]], ['v', 'int32', [1], [3]], ['w', 'bool', [2], [1, 0]]]);
    const some = await load(manifest, 'x/', ['v']);
    expect(values(some)).toEqual([['v', 'int32', [1], [3]]]);
    expect(asked).toEqual([['x/a1', 'x/a2', 'x/b'], ['x/a1', 'x/a2']]);
    tf.dispose([all, some]);
  });

  test('names that are not there', async () => {
    await expect(load(manifest, 'x', ['v', 'y'])).rejects.toThrow(
      'Could not find weights in manifest with names: y. \nManifest JSON has weights with names: u, v, w.');
  });

  test('files that are too short leave nothing', async () => {
    await expect(tf.io.weightsLoaderFactory(async () => [whole.slice(0, 8).buffer, new ArrayBuffer(0)])(manifest.slice(0, 1), ''))
      .rejects.toThrow("weight 'v' ([1] int32) needs");
  });

  test('over fetch', async () => {
    const fetch = tf.env().platform.fetch;
    const inits: unknown[] = [];
    tf.env().platform.fetch = async (url, init) => {
      inits.push(init);
      return new Response(files[url]);
    };
    const { w } = await tf.io.loadWeights(manifest, 'x', ['w'], { credentials: 'include' });
    tf.env().platform.fetch = fetch;
    expect([w!.arraySync(), inits]).toEqual([[1, 0], [{ credentials: 'include' }]]);
    w!.dispose();
  });
});
