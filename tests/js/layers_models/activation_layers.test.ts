// Activations with settings or weights beside TensorFlow.js'.
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import {
  ELU, LeakyReLU, PReLU, ReLU, Softmax, ThresholdedReLU,
} from '../../../js/src/layers/families/activation.js';
import type { Layer } from '../../../js/src/layers/layer.js';
import {
  compare, compareWithDifferences, expectClose, made, theirLayer, theirs, useCpu,
} from './beside_tfjs.js';

beforeAll(useCpu);

type Row = [string, object, number[], object?];
const rows: [string, any, Row[]][] = [
  ['ReLU', ReLU, [
    ['default', {}, [3, 7]],
    ['maxValue', { maxValue: 0.5 }, [3, 7]],
    ['maxValue of 6', { maxValue: 6 }, [2, 3, 5, 2]],
  ]],
  ['LeakyReLU', LeakyReLU, [
    ['default', {}, [3, 7]],
    ['alpha', { alpha: 0.05 }, [3, 2, 7]],
    ['alpha of 0', { alpha: 0 }, [3, 7]],
  ]],
  ['PReLU', PReLU, [
    ['default', {}, [3, 7]],
    ['sharedAxes', { sharedAxes: [1, 2] }, [2, 3, 4, 5]],
    ['one shared axis', { sharedAxes: 1 }, [2, 3, 4]],
    ['initializer, regularizer, constraint', { alphaInitializer: 'ones', alphaRegularizer: 'l1l2', alphaConstraint: 'nonNeg' }, [2, 3]],
  ]],
  ['ELU', ELU, [['default', {}, [3, 7]], ['alpha of 1', { alpha: 1 }, [3, 2, 7]]]],
  ['Softmax', Softmax, [
    ['of vectors', { axis: -1 }, [3, 7]],
    ['of rows', { axis: 2 }, [3, 4, 7]],
  ]],
];

describe.each(rows)('%s', (_name, cls, cases) => {
  test.each(cases)('%s', (_case, args, inputShape) => compare({ cls, args, inputShape, unlike: ['sharedAxes'] }));
});

const values = (layer: Layer, x: tf.Tensor, kwargs = {}): tf.TypedArray =>
  (layer.apply(x, kwargs) as tf.Tensor).dataSync();

describe('what TensorFlow.js lacks', () => {
  test.each([
    [{ negativeSlope: 0.1 }, (x: number) => (x >= 0 ? x : 0.1 * x)],
    [{ threshold: 0.3 }, (x: number) => (x >= 0.3 ? x : 0)],
    [{ negativeSlope: 0.2, threshold: 0.3, maxValue: 0.6 }, (x: number) => (x >= 0.6 ? 0.6 : x >= 0.3 ? x : 0.2 * (x - 0.3))],
    [{ negativeSlope: 0.5, maxValue: 0.4 }, (x: number) => (x >= 0.4 ? 0.4 : x >= 0 ? x : 0.5 * x)],
  ])('ReLU %j', (args, f) => {
    tf.tidy(() => {
      const layer = new ReLU(args);
      const x = made(tf, [4, 9]) as tf.Tensor;
      expectClose(values(layer, x), [...x.dataSync()].map(f));
      compareWithDifferences(layer, [x], {}, 1e-3, 5e-3);
      expect(layer.getConfig()).toMatchObject(args);
      const again = ReLU.fromConfig(ReLU, layer.getConfig()) as ReLU;
      expectClose(values(again, x), values(layer, x));
    });
  });

  test.each([[{}, 1], [{ theta: 0.25 }, 0.25]])('ThresholdedReLU %j, whose gradient it lacks', (args, theta) => {
    tf.tidy(() => {
      const layer = new ThresholdedReLU(args);
      const x = tf.mul<tf.Tensor>(made(tf, [3, 7]), 2);
      const reference = theirLayer('ThresholdedReLU', args);
      const expected = theirs.tidy(() => (reference.apply(theirs.tensor(x.dataSync(), [3, 7])) as any).dataSync());
      expectClose(values(layer, x), expected);
      compareWithDifferences(layer, [x], {}, 1e-3, 5e-3);
      expect(layer.getConfig()['theta']).toBe(theta);
      expect(reference.getConfig()['theta']).toBe(theta);
    });
  });

  test('Keras 3 calls the slope negativeSlope', () => {
    expect(new LeakyReLU({ negativeSlope: 0.2 }).getConfig()['alpha']).toBe(0.2);
  });

  test('ELU with an alpha', () => {
    tf.tidy(() => {
      const layer = new ELU({ alpha: 2.5 });
      const x = made(tf, [3, 7]) as tf.Tensor;
      expectClose(values(layer, x), [...x.dataSync()].map((v) => (v > 0 ? v : 2.5 * Math.expm1(v))));
      compareWithDifferences(layer, [x], {}, 1e-2, 1e-3);
    });
  });

  test('Softmax over other axes, and over several', () => {
    tf.tidy(() => {
      const x = made(tf, [2, 3, 4]) as tf.Tensor;
      const along = (axis: number): tf.Tensor => tf.softmax(tf.transpose(x, axis === 1 ? [0, 2, 1] : [1, 2, 0]));
      expectClose(values(new Softmax({ axis: 1 }), x), tf.transpose(along(1), [0, 2, 1]).dataSync());
      expectClose(values(new Softmax({ axis: 0 }), x), tf.transpose(along(0), [2, 0, 1]).dataSync());
      const both = new Softmax({ axis: [1, 2] });
      expectClose(values(both, x), tf.softmax(tf.reshape(x, [2, 12])).dataSync());
      compareWithDifferences(both, [x], {}, 1e-2, 1e-3);
      expectClose(values(new Softmax({ axis: [2] }), x), tf.softmax(x).dataSync());
      expect(new Softmax().getConfig()['axis']).toBe(-1);
    });
  });

  test('what a mask leaves out of a softmax is 0, even when it is all', () => {
    tf.tidy(() => {
      const x = tf.tensor2d([[1, 2, 3], [4, 5, 6], [7, 8, 9]]);
      const mask = tf.tensor2d([[1, 1, 0], [0, 0, 0], [1, 1, 1]], [3, 3], 'bool');
      const layer = new Softmax();
      const [a, b] = [1 / (1 + Math.E), Math.E / (1 + Math.E)];
      expectClose(values(layer, x, { mask }), [a, b, 0, 0, 0, 0, ...tf.softmax([7, 8, 9]).dataSync()]);
      compareWithDifferences(layer, [x], { mask }, 1e-2, 1e-3);
      // A mask of steps.
      const steps = tf.tensor2d([[1, 0]], [1, 2], 'bool');
      expectClose(values(layer, tf.ones([1, 2, 2]), { mask: steps }), [0.5, 0.5, 0, 0]);
      expectClose(values(new Softmax({ axis: 1 }), tf.ones([1, 2, 2]), { mask: steps }), [1, 1, 0, 0]);
    });
  });

  test('all of them pass masks on', () => {
    for (const layer of [new ReLU(), new LeakyReLU(), new PReLU(), new ELU(), new ThresholdedReLU(), new Softmax()]) {
      expect(layer.supportsMasking).toBe(true);
    }
  });
});

test.each<[string, () => unknown, RegExp]>([
  ['a negative maxValue', () => new ReLU({ maxValue: -1 }), /ReLU: maxValue must be a number of at least 0, got -1/],
  ['a negative slope', () => new ReLU({ negativeSlope: -1 }), /negativeSlope/],
  ['a threshold that is no number', () => new ReLU({ threshold: 'x' as any }), /threshold.*"x"/],
  ['shared batches', () => new PReLU({ sharedAxes: [0] }), /sharedAxes.*\[0\]/],
  ['slopes of unknown number', () => new PReLU().build([2, null, 3]), /dimension 1.*\[2,null,3\]/],
  ['another length than that of the slopes', () => {
    const layer = new PReLU({ sharedAxes: [1] });
    layer.apply(tf.ones([1, 2, 3]));
    try {
      layer.apply(tf.ones([1, 5, 3]));
      layer.apply(tf.ones([1, 2, 4]));
    } finally {
      layer.dispose();
    }
  }, /axis 2 of input shape to have value 3/],
])('%s is refused', (_name, f, message) => {
  tf.tidy(() => void expect(f).toThrow(message));
});
