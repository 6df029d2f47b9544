// The library as a whole: engine, flags, profiles, buffers, variables, text.
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import * as tf from '../../js/src/index.js';

afterEach(() => {
  jest.restoreAllMocks();
});

describe('backend', () => {
  test.each(['wasm', 'cpu'])('setBackend(%s)', async (name) => {
    expect(await tf.setBackend(name)).toBe(true);
    expect(tf.getBackend()).toBe('wasm');
  });

  test('another name is refused', async () => {
    await expect(tf.setBackend('webgl')).rejects.toThrow("Backend name 'webgl' not found in registry");
  });

  test('facts', async () => {
    expect([tf.backend().floatPrecision(), tf.backend().epsilon()]).toEqual([32, 1e-7]);
    expect(tf.engine().backend.numDataIds()).toBe(tf.memory().numDataBuffers);
    await tf.nextFrame();
    expect(tf.version.tidemark).toBe(tf.version_core);
    expect(tf.Rank.R2).toBe('R2');
  });
});

describe('engine', () => {
  test('scopes opened by hand free what was made', () => {
    const before = tf.memory().numTensors;
    tf.engine().startScope('outer');
    tf.engine().startScope();
    const kept = tf.tensor1d([1, 2]).square();
    tf.engine().endScope([kept]);
    expect(tf.memory().numTensors).toBe(before + 1);
    tf.engine().endScope();
    expect(kept.isDisposed).toBe(true);
  });

  test('reset frees all and leaves a usable engine', async () => {
    const x = tf.variable(tf.scalar(1), true, 'r');
    tf.engine().startScope();
    tf.engine().reset();
    expect(x.isDisposed).toBe(true);
    expect(tf.memory().numTensors).toBe(0);
    expect(tf.engine().isTapeOn()).toBe(false);
    await tf.ready();
    const again = tf.variable(tf.scalar(2), true, 'r');
    expect(again.arraySync()).toBe(2);
    tf.engine().reset();
  });
});

describe('flags', () => {
  test('get, set, reset', () => {
    expect(tf.env().platformName).toBe('node');
    expect(tf.env().getBool('IS_NODE')).toBe(true);
    tf.enableProdMode();
    expect(tf.env().getFlags()).toMatchObject({ PROD: true });
    tf.env().reset();
    expect(tf.env().getBool('PROD')).toBe(false);
  });

  test('unknown flags are refused', () => {
    expect(() => tf.env().get('NOPE')).toThrow("Cannot evaluate flag 'NOPE'");
    expect(() => tf.env().set('NOPE', 1)).toThrow('Cannot set flag NOPE as it has not been registered.');
  });

  test('debug mode warns of NaN and infinity, and stops', () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
    const log = jest.spyOn(console, 'log').mockImplementation(() => {});
    tf.enableDebugMode();
    tf.tidy(() => void tf.sub(tf.scalar(Infinity), Infinity));
    tf.tidy(() => void tf.add(1, 2));
    expect(warn.mock.calls).toEqual([["Found NaN in the result of 'Sub'"]]);
    expect(log.mock.calls.flat().filter((line) => /^(Sub|Add): .* ms, \[\] \[\] -> \[\]$/.test(String(line)))).toHaveLength(2);
    tf.env().reset();
    tf.tidy(() => void tf.sub(tf.scalar(Infinity), Infinity));
    expect(warn).toHaveBeenCalledTimes(1);
  });

  test('deprecation warnings', () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
    tf.deprecationWarn('a is old.');
    tf.disableDeprecationWarnings();
    tf.deprecationWarn('b is old.');
    expect(warn.mock.calls.flat()).toEqual([
      'a is old. You can disable deprecation warnings with tf.disableDeprecationWarnings().',
      'TensorFlow.js deprecation warnings have been disabled.',
    ]);
    tf.env().reset();
  });
});

describe('profile', () => {
  test('kernels with shapes and bytes', async () => {
    const x = tf.tensor2d([[1, 2], [3, 4]]);
    const report = await tf.profile(() => tf.tidy(() => x.add([1, 2]).square()));
    expect(report.kernels.map(({ name, inputShapes, outputShapes, bytesAdded }) =>
      ({ name, inputShapes, outputShapes, bytesAdded }))).toEqual([
      { name: 'Add', inputShapes: [[2, 2], [2]], outputShapes: [[2, 2]], bytesAdded: 16 },
      { name: 'Square', inputShapes: [[2, 2]], outputShapes: [[2, 2]], bytesAdded: 16 },
    ]);
    expect([report.newTensors, report.newBytes]).toEqual([1, 16]);
    tf.dispose([x, report.result]);
  });

  test('a throwing function ends it', async () => {
    await expect(tf.profile(() => {
      throw new Error('mine');
    })).rejects.toThrow('mine');
    expect((await tf.profile(() => 5)).kernels).toEqual([]);
  });

  test('one at a time', async () => {
    const first = tf.profile(() => new Promise((resolve) => setTimeout(resolve)));
    await expect(tf.profile(() => 1)).rejects.toThrow('profile: another profile is running');
    await first;
  });

  test('time', async () => {
    const { kernelMs, wallMs } = await tf.time(() => tf.tidy(() => void tf.fill([100, 100], 1).square()));
    expect(kernelMs).toBeGreaterThan(0);
    expect(kernelMs).toBeLessThanOrEqual(wallMs);
  });
});

describe('buffer', () => {
  test('indices and places', () => {
    const b = tf.buffer([2, 3, 4], 'int32');
    for (let i = 0; i < b.size; i++) {
      const at = b.indexToLoc(i);
      expect(b.locToIndex(at)).toBe(i);
      b.set(i, ...at);
    }
    expect(b.get(1, 2, 3)).toBe(23);
    expect(b.strides).toEqual([12, 4]);
    const t = b.toTensor();
    expect(Array.from(t.dataSync())).toEqual([...b.values]);
    expect(t.bufferSync().get(1, 0, 2)).toBe(14);
    t.dispose();
  });

  test.each<[string, () => unknown, string]>([
    ['range', () => tf.buffer([2, 2]).get(0, 2), 'Requested out of range element at 0,2.   Buffer shape=2,2'],
    ['rank', () => tf.buffer([2, 2]).set(1, 0), 'The number of provided coordinates (1) must match the rank (2)'],
    ['length', () => tf.buffer([2, 2], 'float32', new Float32Array(3)), "Length of values '3' does not match the size inferred by the shape '4'."],
    ['shape', () => tf.buffer([2, -2]), 'Tensor must have a shape comprised of positive integers but got shape [2,-2].'],
    ['dtype', () => tf.buffer([2], 'string' as 'int32'), "buffer: dtype 'string' is not supported"],
  ])('refuses a wrong %s', (_, f, message) => {
    expect(f).toThrow(message);
  });
});

describe('variable', () => {
  afterEach(() => {
    tf.disposeVariables();
  });

  test('what is refused leaves nothing behind', () => {
    const x = tf.tensor1d([1, 2]);
    const v = tf.variable(x, true, 'taken');
    const before = tf.memory().numTensors;
    expect(() => tf.variable(x, true, 'taken')).toThrow('Variable with name taken was already registered');
    expect(() => tf.variable(5 as never)).toThrow('variable: the initial value must be a tensor');
    expect(() => v.assign([1, 2] as never)).toThrow('assign: the new value is no tensor');
    const wrong = tf.tensor1d([1, 2, 3]);
    expect(() => v.assign(wrong)).toThrow('shape of the new value ([3]) and previous value ([2]) must match');
    wrong.dispose();
    x.dispose();
    expect(() => tf.variable(x)).toThrow('Tensor is disposed.');
    expect(tf.memory().numTensors).toBe(before - 1);
  });

  test('takes a dtype', () => {
    const x = tf.tensor1d([1.5]);
    const v = x.variable(false, 'i', 'int32');
    expect([v.dtype, v.trainable, v.name, v.arraySync()]).toEqual(['int32', false, 'i', [1]]);
    x.dispose();
  });
});

test.each([
  ['scalar', () => tf.scalar(5), 'Tensor\n    5'],
  ['columns', () => tf.tensor2d([[0.8597712, 3], [1.991, 12]]), 'Tensor\n    [[0.8597712, 3 ],\n     [1.9910001, 12]]'],
  ['long', () => tf.fill([100], 0), 'Tensor\n    [0, 0, 0, ..., 0, 0, 0]'],
  ['bool', () => tf.tensor1d([true, false]), 'Tensor\n    [true, false]'],
  ['small', () => tf.scalar(1e-9), 'Tensor\n    1e-9'],
  ['empty', () => tf.fill([0], 0), 'Tensor\n    []'],
] as [string, () => tf.Tensor, string][])('toString: %s', (_, make, text) => {
  const x = make();
  expect(x.toString()).toBe(text);
  x.dispose();
});

test('the console shows a disposed tensor too', () => {
  const x = tf.scalar(1);
  const show = (): string => (x as unknown as Record<symbol, () => string>)[Symbol.for('nodejs.util.inspect.custom')]!();
  expect(show()).toContain('values:\n    1');
  x.dispose();
  expect(show()).toBe('Tensor (disposed)');
});

describe('util', () => {
  test('shuffles keep the items', () => {
    const order = tf.util.createShuffledIndices(50);
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i));
    const [a, b] = [[1, 2, 3, 4, 5], [10, 20, 30, 40, 50]];
    tf.util.shuffleCombo(a, b);
    expect(b).toEqual(a.map((x) => 10 * x));
  });

  test.each<[string, unknown, unknown]>([
    ['sizeFromShape', tf.util.sizeFromShape([2, 3, 4]), 24],
    ['flatten', tf.util.flatten([[1, [2]], new Int32Array([3])]), [1, 2, 3]],
    ['arraysEqual', tf.util.arraysEqual([1, 2], [1, 3]), false],
    ['inferDtype', ['a', true, 1, new Int32Array(1)].map(tf.util.inferDtype), ['string', 'bool', 'float32', 'int32']],
    ['computeStrides', tf.util.computeStrides([2, 3, 4]), [12, 4]],
    ['parseAxisParam', tf.util.parseAxisParam([-1], [2, 3]), [1]],
    ['inferFromImplicitShape', tf.util.inferFromImplicitShape([2, -1], 6), [2, 3]],
    ['toNestedArray', tf.util.toNestedArray([2, 2], [1, 2, 3, 4]), [[1, 2], [3, 4]]],
    ['clamp', tf.util.clamp(0, 5, 3), 3],
    ['assertAndGetBroadcastShape', tf.backend_util.assertAndGetBroadcastShape([2, 1], [3]), [2, 3]],
  ])('%s', (_, actual, expected) => {
    expect(actual).toEqual(expected);
  });

  test('test_util', () => {
    tf.test_util.expectArraysClose([1, NaN], new Float32Array([1.0001, NaN]));
    expect(() => tf.test_util.expectArraysClose([1], [1.1])).toThrow('Arrays differ: actual[0] = 1, expected[0] = 1.1');
    expect(() => tf.test_util.expectArraysEqual([1, 2], [1])).toThrow('different lengths');
  });
});

describe('pixels', () => {
  const data = new Uint8ClampedArray([0, 64, 128, 255, 10, 20, 30, 40]);

  test.each([1, 2, 3, 4])('fromPixels with %i channels', (channels) => {
    const x = tf.browser.fromPixels({ data, width: 2, height: 1 }, channels);
    expect([x.dtype, x.shape]).toEqual(['int32', [1, 2, channels]]);
    expect(x.arraySync()).toEqual([[[0, 64, 128, 255].slice(0, channels), [10, 20, 30, 40].slice(0, channels)]]);
    x.dispose();
  });

  test('to pixels and back', async () => {
    const x = tf.browser.fromPixels({ data, width: 2, height: 1 }, 4);
    expect(await tf.browser.toPixels(x)).toEqual(data);
    x.dispose();
    expect([...await tf.browser.toPixels([[0.5]])]).toEqual([128, 128, 128, 255]);
  });

  test.each<[string, () => tf.Tensor, string]>([
    ['rank', () => tf.tensor1d([1]), 'toPixels only supports rank 2 or 3 tensors, got rank 1.'],
    ['depth', () => tf.fill([1, 1, 2], 1), 'toPixels only supports depth of size 1, 3 or 4 but got 2'],
    ['dtype', () => tf.fill([1, 1], true), 'Unsupported type for toPixels: bool.'],
    ['int32 value', () => tf.fill([1, 1], 256, 'int32'), 'Tensor values for a int32 Tensor must be in the range [0 - 255] but encountered 256.'],
    ['float32 value', () => tf.fill([1, 1], 1.5), 'must be in the range [0 - 1] but encountered 1.5.'],
  ])('toPixels refuses another %s', async (_, make, message) => {
    const x = make();
    await expect(tf.browser.toPixels(x as tf.Tensor2D)).rejects.toThrow(message);
    x.dispose();
  });

  test('fromPixels refuses what holds no pixels', () => {
    expect(() => tf.browser.fromPixels({} as never)).toThrow('pixels passed to tf.browser.fromPixels() must be either');
    expect(() => tf.browser.fromPixels(null as never)).toThrow('can not be null');
    expect(() => tf.browser.fromPixels({ data, width: 2, height: 1 }, 5)).toThrow('more than 4 channels');
  });
});
