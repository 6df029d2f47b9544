// Convolutions, pooling, resizing and their fused forms: one row an op at
// least, values checked by hand or against TensorFlow.js's cpu backend.
import { describe, expect, test } from '@jest/globals';
import * as theirs from '@tensorflow/tfjs';
import * as tf from '../../js/src/index.js';

/** The same deterministic values for both libraries. */
const ramp = (shape: number[]): number[] =>
  Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => ((i * 0.618034) % 1) * 2 - 1);

type Library = typeof tf;
type Row = [name: string, shapes: number[][], f: (lib: Library, ...xs: tf.Tensor[]) => tf.Tensor];

const rows: Row[] = [
  ['conv2d valid', [[2, 7, 6, 3], [3, 2, 3, 5]], (t, x, f) => t.conv2d(x, f, [2, 1], 'valid')],
  ['conv2d same', [[1, 5, 5, 1], [5, 5, 1, 8]], (t, x, f) => t.conv2d(x, f, 1, 'same')],
  ['conv2d dilated', [[1, 9, 8, 2], [2, 3, 2, 3]], (t, x, f) => t.conv2d(x, f, 1, 'same', 'NHWC', [2, 3])],
  ['conv2d explicit pads', [[1, 4, 4, 2], [3, 3, 2, 4]],
    (t, x, f) => t.conv2d(x, f, 1, [[0, 0], [1, 0], [2, 1], [0, 0]])],
  ['conv2d NCHW', [[2, 3, 5, 4], [3, 3, 3, 2]], (t, x, f) => t.conv2d(x, f, 1, 'same', 'NCHW')],
  ['conv2d without batch', [[5, 4, 3], [1, 1, 3, 2]], (t, x, f) => t.conv2d(x, f, 1, 'valid')],
  ['conv1d', [[2, 9, 3], [3, 3, 4]], (t, x, f) => t.conv1d(x, f, 2, 'same')],
  ['conv2dTranspose', [[1, 3, 3, 2], [3, 3, 4, 2]],
    (t, x, f) => t.conv2dTranspose(x, f, [1, 6, 6, 4], 2, 'same')],
  ['depthwiseConv2d', [[1, 6, 7, 5], [3, 3, 5, 2]], (t, x, f) => t.depthwiseConv2d(x, f, 2, 'same')],
  ['separableConv2d', [[1, 5, 5, 2], [3, 3, 2, 2], [1, 1, 4, 3]],
    (t, x, d, p) => t.separableConv2d(x, d, p, 1, 'same')],
  ['maxPool', [[2, 7, 6, 5]], (t, x) => t.maxPool(x, 3, 2, 'same')],
  ['avgPool', [[2, 7, 6, 5]], (t, x) => t.avgPool(x, [2, 3], [2, 1], 'same')],
  ['pool max dilated', [[1, 6, 6, 2]], (t, x) => t.pool(x, 2, 'max', 'valid', 2)],
  ['resizeBilinear', [[1, 3, 4, 2]], (t, x) => t.image.resizeBilinear(x, [5, 7])],
  ['resizeBilinear half-pixel', [[1, 3, 4, 2]], (t, x) => t.image.resizeBilinear(x, [5, 7], false, true)],
  ['resizeNearestNeighbor aligned', [[1, 3, 4, 2]], (t, x) => t.image.resizeNearestNeighbor(x, [5, 7], true)],
  ['fused.conv2d', [[1, 4, 5, 3], [2, 2, 3, 4], [4]],
    (t, x, filter, bias) => t.fused.conv2d({ x: x, filter: filter, strides: 1, pad: 'same', bias, activation: 'relu6' })],
  ['fused.depthwiseConv2d', [[1, 4, 5, 3], [2, 2, 3, 1], [3]],
    (t, x, filter, bias) => t.fused.depthwiseConv2d({ x: x, filter: filter, strides: 1, pad: 'valid', bias, activation: 'elu' })],
];

describe('as in TensorFlow.js', () => {
  test.each(rows)('%s', (_, shapes, f) => {
    const run = (lib: Library) => lib.tidy(() => {
      const y = f(lib, ...shapes.map((s) => lib.tensor(ramp(s), s as never)));
      return { shape: y.shape, values: Array.from(y.dataSync()) };
    });
    const got = run(tf);
    const want = run(theirs as unknown as Library);
    expect(got.shape).toEqual(want.shape);
    got.values.forEach((v, i) => expect(v).toBeCloseTo(want.values[i]!, 4));
  });
});

describe('gradients', () => {
  // The gradient functions by themselves are what conv2d's gradient calls.
  test('conv2dDerInput and conv2dDerFilter', () => {
    tf.tidy(() => {
      const x = tf.tensor4d(ramp([1, 5, 4, 2]), [1, 5, 4, 2]);
      const filter = tf.tensor4d(ramp([3, 3, 2, 3]), [3, 3, 2, 3]);
      const dy = tf.tensor4d(ramp([1, 5, 4, 3]), [1, 5, 4, 3]);
      const [dx, df] = tf.grads((a, b) => tf.conv2d(a, b, 1, 'same'))([x, filter], dy);
      expect(tf.conv2dDerInput([1, 5, 4, 2], dy, filter, 1, 'same').arraySync()).toEqual(dx!.arraySync());
      expect(tf.conv2dDerFilter(x, dy, [3, 3, 2, 3], 1, 'same').arraySync()).toEqual(df!.arraySync());
    });
  });

  test('a convnet trains', () => {
    const before = tf.memory().numTensors;
    tf.tidy(() => {
      const x = tf.randomNormal<'R4'>([8, 6, 6, 1], 0, 1, 'float32', 7);
      const wanted = x.mean([1, 2, 3]);
      const filter = tf.variable(tf.randomNormal([3, 3, 1, 4], 0, 0.3, 'float32', 8));
      const weights = tf.variable(tf.randomNormal([36, 1], 0, 0.3, 'float32', 9));
      const optimizer = tf.train.adam(0.02);
      const loss = () => x.conv2d(filter, 1, 'same').relu().maxPool(2, 2, 'valid')
        .reshape([8, 36]).matMul(weights).reshape([8]).sub(wanted).square().mean() as tf.Scalar;
      const first = loss().dataSync()[0]!;
      for (let i = 0; i < 60; i++) optimizer.minimize(loss);
      expect(loss().dataSync()[0]!).toBeLessThan(first / 10);
      optimizer.dispose();
      tf.dispose([filter, weights]);
    });
    expect(tf.memory().numTensors).toBe(before);
  });
});

test('whereAsync tells where a condition holds', async () => {
  const at = await tf.whereAsync([[false, true], [true, true]]);
  expect(at.arraySync()).toEqual([[0, 1], [1, 0], [1, 1]]);
  expect(at.dtype).toBe('int32');
  at.dispose();
});
