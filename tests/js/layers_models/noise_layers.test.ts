// Layers that disturb their input while training: what they do to it on average.
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import {
  AlphaDropout, Dropout, GaussianDropout, GaussianNoise, SpatialDropout1D,
} from '../../../js/src/layers/families/noise.js';
import type { Layer } from '../../../js/src/layers/layer.js';
import { compare, compareWithDifferences, made, useCpu } from './beside_tfjs.js';

beforeAll(useCpu);

const rows: [string, any, object, number[]][] = [
  ['Dropout', Dropout, { rate: 0.4 }, [3, 5]],
  ['Dropout', Dropout, { rate: 0.4, seed: 3, noiseShape: [1, 5] }, [3, 5]],
  ['SpatialDropout1D', SpatialDropout1D, { rate: 0.4, seed: 3 }, [3, 5, 2]],
  ['GaussianNoise', GaussianNoise, { stddev: 0.4 }, [3, 5]],
  ['GaussianDropout', GaussianDropout, { rate: 0.4 }, [3, 5]],
  ['AlphaDropout', AlphaDropout, { rate: 0.4 }, [3, 5]],
];

describe.each(rows)('%s', (_name, cls, args, inputShape) => {
  test(`${JSON.stringify(args)} passes its input on at rest`, () => compare({ cls, args, inputShape }));

  test(`${JSON.stringify(args)}: noise is a function of the seed and of the call`, () => {
    const twice = (seed?: number): number[][] => tf.tidy(() => {
      const layer = new cls({ ...args, ...(seed === undefined ? {} : { seed }) }) as Layer;
      const x = tf.ones(inputShape);
      return [0, 1].map(() => [...(layer.apply(x, { training: true }) as tf.Tensor).dataSync()]);
    });
    expect(twice(7)).toEqual(twice(7));
    expect(twice(7)).not.toEqual(twice(8));
    if (!('noiseShape' in args)) expect(twice(7)[0]).not.toEqual(twice(7)[1]);
    expect(twice()).toHaveLength(2);
  });

  test(`${JSON.stringify(args)}: its gradient is that of the same noise`, () => {
    tf.tidy(() => {
      // Noise is linear in the input, but new at every call: one seed each.
      const noisy = { trainableWeights: [], apply: (x: tf.Tensor) => new cls({ ...args, seed: 11 }).apply(x, { training: true }) };
      compareWithDifferences(noisy as any, [made(tf, inputShape) as tf.Tensor]);
    });
  });
});

/** Mean, variance and share of zeros of what a layer makes of ones (or of given numbers). */
function statistics(layer: Layer, x = tf.ones([200, 100])): { mean: number; variance: number; zeros: number; values: Float32Array } {
  const values = (layer.apply(x, { training: true }) as tf.Tensor).dataSync<'float32'>();
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const variance = values.reduce((a, b) => a + (b - mean) ** 2, 0) / values.length;
  return { mean, variance, zeros: values.filter((v) => v === 0).length / values.length, values };
}

describe('on average', () => {
  test('Dropout keeps the sum', () => {
    tf.tidy(() => {
      const { mean, zeros, values } = statistics(new Dropout({ rate: 0.3, seed: 5 }));
      expect(zeros).toBeCloseTo(0.3, 1);
      expect(mean).toBeCloseTo(1, 1);
      expect(new Set(values)).toEqual(new Set([0, Math.fround(1 / 0.7)]));
      expect(statistics(new Dropout({ rate: 0 })).zeros).toBe(0);
      expect(statistics(new Dropout({ rate: 1 })).zeros).toBe(1);
    });
  });

  test('what shares noise lives and dies together', () => {
    tf.tidy(() => {
      const same = (layer: Layer, axis: number): void => {
        const y = layer.apply(tf.ones([6, 30, 20]), { training: true }) as tf.Tensor;
        const { variance } = tf.moments(y, axis);
        expect(variance.max().arraySync()).toBe(0);
        expect(y.min().arraySync()).toBe(0);
        expect(y.max().arraySync()).toBeGreaterThan(1);
      };
      same(new SpatialDropout1D({ rate: 0.5, seed: 1 }), 1);
      same(new Dropout({ rate: 0.5, seed: 1, noiseShape: [null, 1, null] }), 1);
      same(new Dropout({ rate: 0.5, seed: 1, noiseShape: [6, 30, 1] }), 2);
    });
  });

  test('Gaussian noise has the deviation it was given', () => {
    tf.tidy(() => {
      const { mean, variance } = statistics(new GaussianNoise({ stddev: 0.5, seed: 5 }));
      expect(mean).toBeCloseTo(1, 1);
      expect(Math.sqrt(variance)).toBeCloseTo(0.5, 1);
    });
  });

  test('Gaussian dropout has the deviation of dropout', () => {
    tf.tidy(() => {
      const { mean, variance } = statistics(new GaussianDropout({ rate: 0.2, seed: 5 }));
      expect(mean).toBeCloseTo(1, 1);
      expect(Math.sqrt(variance)).toBeCloseTo(0.5, 1);
      for (const rate of [0, 1]) expect(statistics(new GaussianDropout({ rate })).variance).toBe(0);
    });
  });

  test('alpha dropout keeps mean 0 and variance 1', () => {
    tf.tidy(() => {
      const x = tf.randomNormal<tf.Rank.R2>([200, 100], 0, 1, 'float32', 3);
      const { mean, variance } = statistics(new AlphaDropout({ rate: 0.3, seed: 5 }), x);
      expect(mean).toBeCloseTo(0, 1);
      expect(variance).toBeCloseTo(1, 1);
      const rows = statistics(new AlphaDropout({ rate: 0.5, seed: 5, noiseShape: [null, 1] }), tf.ones([4, 50]));
      expect(new Set(rows.values).size).toBe(2);
      for (const rate of [0, 1]) expect(statistics(new AlphaDropout({ rate })).variance).toBe(0);
    });
  });
});

test.each<[string, () => unknown, RegExp]>([
  ['a rate above 1', () => new Dropout({ rate: 1.5 }), /Dropout: rate must be a number from 0 to 1, got 1.5/],
  ['a negative rate', () => new AlphaDropout({ rate: -0.5 }), /AlphaDropout: rate/],
  ['no rate', () => new GaussianDropout({} as any), /got undefined/],
  ['a negative deviation', () => new GaussianNoise({ stddev: -1 }), /stddev.*-1/],
  ['a matrix for SpatialDropout1D', () => new SpatialDropout1D({ rate: 0.5 }).apply(tf.ones([2, 3])), /expected ndim=3/],
])('%s is refused', (_name, f, message) => {
  tf.tidy(() => void expect(f).toThrow(message));
});
