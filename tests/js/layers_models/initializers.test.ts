// Initializers: exact ones by their values, random ones by their statistics,
// all by their settings beside TensorFlow.js'.
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { setRandomSeed } from '../../../js/src/layers/global_state.js';
import { Initializer, getInitializer, serializeInitializer } from '../../../js/src/layers/initializers.js';
import { registerClass } from '../../../js/src/layers/serialization.js';
import { expectClose, theirs, useCpu } from './beside_tfjs.js';

beforeAll(useCpu);

const plain = (x: unknown): any => JSON.parse(JSON.stringify(x));
const made = (name: string, args?: object): any => (tf.initializers as any)[name](args);
const theirMade = (name: string, args?: object): any => (theirs.initializers as any)[name](args ?? {});

/** What an initializer makes, as numbers. */
function valuesOf(initializer: Initializer, shape: number[], dtype?: tf.DataType): Float32Array {
  return tf.tidy(() => {
    const before = tf.memory().numTensors;
    const t = initializer.apply(shape, dtype);
    expect(tf.memory().numTensors).toBe(before + 1);
    expect(t.shape).toEqual(shape);
    expect(t.dtype).toBe(dtype ?? 'float32');
    return t.dataSync<'float32'>();
  });
}

const statistics = (values: Float32Array) => {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const variance = values.reduce((a, b) => a + (b - mean) ** 2, 0) / values.length;
  return { mean, variance, max: Math.max(...values.map(Math.abs)) };
};

describe('exact values', () => {
  test.each<[string, object | undefined, number[], number[]]>([
    ['zeros', undefined, [2, 2], [0, 0, 0, 0]],
    ['zeros', undefined, [], [0]],
    ['ones', undefined, [3], [1, 1, 1]],
    ['ones', undefined, [0, 3], []],
    ['constant', { value: -2.5 }, [2], [-2.5, -2.5]],
    ['identity', undefined, [2, 2], [1, 0, 0, 1]],
    ['identity', { gain: 3 }, [2, 3], [3, 0, 0, 0, 3, 0]],
  ])('%s %j %j', (name, args, shape, expected) => {
    expect([...valuesOf(made(name, args), shape)]).toEqual(expected);
    for (const dtype of ['int32', 'bool'] as const) {
      const whole = valuesOf(made(name, args), shape, dtype);
      expect([...whole]).toEqual(expected.map((v) => (dtype === 'bool' ? Number(v !== 0) : Math.trunc(v))));
    }
  });
});

const drawn: [string, object, number[], { mean?: number; deviation: number; limit?: number }][] = [
  ['randomUniform', {}, [100, 80], { deviation: 0.1 / Math.sqrt(12), limit: 0.05 }],
  ['randomUniform', { minval: 1, maxval: 3 }, [8000], { mean: 2, deviation: 2 / Math.sqrt(12), limit: 3 }],
  ['randomNormal', {}, [100, 80], { deviation: 0.05 }],
  ['randomNormal', { mean: -1, stddev: 2 }, [8000], { mean: -1, deviation: 2 }],
  ['truncatedNormal', {}, [100, 80], { deviation: 0.05 * 0.8796, limit: 0.1 }],
  ['truncatedNormal', { mean: 3, stddev: 1 }, [8000], { mean: 3, deviation: 0.8796, limit: 5 }],
  ['glorotUniform', {}, [100, 60], { deviation: Math.sqrt(2 / 160), limit: Math.sqrt(6 / 160) }],
  ['glorotNormal', {}, [100, 60], { deviation: Math.sqrt(2 / 160), limit: 2 * Math.sqrt(2 / 160) / 0.8796 }],
  ['heUniform', {}, [100, 60], { deviation: Math.sqrt(2 / 100), limit: Math.sqrt(6 / 100) }],
  ['heNormal', {}, [100, 60], { deviation: Math.sqrt(2 / 100) }],
  ['leCunUniform', {}, [100, 60], { deviation: Math.sqrt(1 / 100), limit: Math.sqrt(3 / 100) }],
  ['leCunNormal', {}, [100, 60], { deviation: Math.sqrt(1 / 100) }],
  // Kernels of convolutions: the window counts.
  ['glorotUniform', {}, [3, 3, 20, 30], { deviation: Math.sqrt(2 / (9 * 50)) }],
  ['heNormal', {}, [5, 20, 60], { deviation: Math.sqrt(2 / 100) }],
  ['leCunNormal', {}, [6000], { deviation: Math.sqrt(1 / 6000) }],
  ...(['fanIn', 'fanOut', 'fanAvg'] as const).flatMap((mode, i) =>
    (['normal', 'uniform', 'truncatedNormal', 'untruncatedNormal'] as const).map(
      (distribution): (typeof drawn)[number] =>
        ['varianceScaling', { scale: 3, mode, distribution }, [100, 60], { deviation: Math.sqrt(3 / [100, 60, 80][i]!) }])),
];

describe.each(drawn)('%s %j %j', (name, args, shape, { mean = 0, deviation, limit }) => {
  test('has the mean, the deviation and the limits it should', () => {
    const found = statistics(valuesOf(made(name, { ...args, seed: 42 }), shape));
    expect(Math.abs(found.mean - mean)).toBeLessThan(deviation * 0.05);
    expect(Math.sqrt(found.variance) / deviation).toBeGreaterThan(0.95);
    expect(Math.sqrt(found.variance) / deviation).toBeLessThan(1.05);
    if (limit !== undefined) expect(found.max).toBeLessThanOrEqual(limit * 1.001);
    // Not one number again and again.
    expect(new Set(valuesOf(made(name, args), shape)).size).toBeGreaterThan(1000);
  });

  test('is a function of the seed', () => {
    const of = (seed?: number): number[] => [...valuesOf(made(name, { ...args, seed }), [5, 4])];
    expect(of(7)).toEqual(of(7));
    expect(of(7)).not.toEqual(of(8));
    expect(of()).not.toEqual(of());
    setRandomSeed(3);
    const first = of();
    setRandomSeed(3);
    expect(of()).toEqual(first);
  });
});

test('whole numbers can be drawn too', () => {
  const values = valuesOf(made('randomUniform', { minval: 0, maxval: 10, seed: 1 }), [1000], 'int32');
  expect(new Set(values)).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
  expect(valuesOf(made('randomNormal', { stddev: 3 }), [10], 'int32').every(Number.isInteger)).toBe(true);
});

describe('orthogonal', () => {
  test.each([[[4, 4]], [[7, 3]], [[3, 7]], [[1, 5]], [[3, 3, 2, 4]], [[2, 3, 40]]])('%j', (shape) => {
    tf.tidy(() => {
      const values = valuesOf(made('orthogonal', { gain: 2, seed: 5 }), shape);
      const columns = shape.at(-1)!;
      const w = tf.tensor2d(values, [values.length / columns, columns]);
      const product = w.shape[0] < columns ? tf.matMul(w, w, false, true) : tf.matMul(w, w, true);
      expectClose(product.dataSync(), tf.mul(tf.eye(product.shape[0]), 4).dataSync());
    });
  });

  test('is a function of the seed, and as often positive as negative', () => {
    const of = (seed?: number): number[] => [...valuesOf(made('orthogonal', { seed }), [2, 2])];
    expect(of(7)).toEqual(of(7));
    expect(of(7)).not.toEqual(of(8));
    const signs = Array.from({ length: 200 }, (_, i) => Math.sign(of(i + 1)[0]!));
    const positive = signs.filter((s) => s > 0).length;
    expect(positive).toBeGreaterThan(70);
    expect(positive).toBeLessThan(130);
  });
});

describe('settings', () => {
  const all: [string, object][] = [
    ['zeros', {}], ['ones', {}], ['constant', { value: 2 }], ['identity', {}], ['identity', { gain: 2 }],
    ['orthogonal', { seed: 3 }], ['orthogonal', { gain: 2, seed: 3 }],
    ...drawn.filter(([, args]) => !plain(args).distribution?.startsWith('un')).map(([name, args]): [string, object] => [name, { ...args, seed: 3 }]),
  ];

  test.each(all)('%s %j interchanges with TensorFlow.js', (name, args) => {
    const [ours, reference] = [made(name, args), theirMade(name, args)];
    expect(plain(ours.getConfig())).toEqual(plain(reference.getConfig()));
    expect(ours.getClassName()).toBe(reference.getClassName());
    const saved = plain(serializeInitializer(ours));
    expect(saved).toEqual({ className: reference.getClassName(), config: plain(reference.getConfig()) });
    expect(plain(serializeInitializer(getInitializer(saved)))).toEqual(saved);
    const layer = theirs.layers.dense({ units: 1, kernelInitializer: plain(saved) });
    expect(plain(layer.getConfig()['kernelInitializer'])).toMatchObject(saved);
  });

  test.each([
    ['glorotUniform', 'glorot_uniform', 'GlorotUniform'], ['heNormal', 'he_normal', 'HeNormal'],
    ['leCunNormal', 'lecun_normal', 'LecunNormal'], ['zeros', 'zero', 'Zeros'], ['ones', 'one', 'Ones'],
    ['randomNormal', 'random_normal', 'normal'], ['randomUniform', 'random_uniform', 'uniform'],
    ['truncatedNormal', 'truncated_normal', 'TruncatedNormal'], ['varianceScaling', 'variance_scaling', 'VarianceScaling'],
    ['identity', 'Identity', 'IdentityInitializer'], ['orthogonal', 'Orthogonal', 'OrthogonalInitializer'],
  ])('%s, %s and %s are the same', (...names) => {
    const [a, b, c] = names.map((name) => plain(serializeInitializer(getInitializer(name))));
    expect(a).toEqual(b);
    expect(a).toEqual(c);
  });

  test("what Keras 3 writes is read", () => {
    const initializer = getInitializer({
      module: 'keras.initializers', class_name: 'VarianceScaling', registered_name: null,
      config: { scale: 2, mode: 'fan_avg', distribution: 'untruncated_normal', seed: null },
    });
    expect(initializer.getConfig()).toEqual({ scale: 2, mode: 'fanAvg', distribution: 'untruncatedNormal', seed: null });
  });

  test("one's own class, registered or given", () => {
    class Sevens extends Initializer {
      static override className = 'Sevens';
      apply(shape: number[], dtype?: tf.DataType): tf.Tensor {
        return tf.fill(shape, 7, dtype);
      }
    }
    expect(() => getInitializer('Sevens')).toThrow(/Unknown initializer: Sevens/);
    expect(getInitializer('Sevens', { Sevens })).toBeInstanceOf(Sevens);
    registerClass(Sevens);
    expect([...valuesOf(getInitializer('Sevens'), [2])]).toEqual([7, 7]);
    expect(getInitializer(new Sevens())).toBeInstanceOf(Sevens);
    expect(serializeInitializer(new Sevens())).toEqual({ className: 'Sevens', config: {} });
  });
});

test.each<[string, () => unknown, RegExp]>([
  ['a name', () => getInitializer('foo'), /Unknown initializer: foo.*Zeros/],
  ['nothing', () => getInitializer(undefined as any), /initializer: expected a name.*got undefined/],
  ['a function', () => getInitializer((() => 1) as any), /got a function/],
  ['an object', () => getInitializer({ a: 1 }), /got \{"a":1\}/],
  ['a bare constant', () => made('constant', 3 as any), /Constant initializer: expected \{value: number\}, got 3/],
  ['no constant', () => made('constant', {}), /got \{\}/],
  ['a negative scale', () => made('varianceScaling', { scale: -1 }), /scale must be a positive float. Got: -1/],
  ['a mode', () => made('varianceScaling', { mode: 'x' }), /x is not a valid FanMode.*fanIn, fanOut, fanAvg/],
  ['a distribution', () => made('varianceScaling', { distribution: 'x' }), /x is not a valid Distribution.*uniform/],
  ['an identity vector', () => made('identity').apply([3]), /2D matrices, got the shape \[3\]/],
  ['an orthogonal vector', () => made('orthogonal').apply([3]), /at least 2D, got \[3\]/],
  ['whole orthogonal numbers', () => made('orthogonal').apply([3, 3], 'int32'), /dtype must be float32, got int32/],
  ['normal flags', () => made('randomNormal').apply([3], 'bool'), /bool/],
])('%s is refused', (_name, f, message) => {
  expect(f).toThrow(message);
});
