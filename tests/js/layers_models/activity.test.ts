// What the outputs of layers cost in training.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { gatherCosts } from '../../../js/src/layers/activity.js';

const settings = {
  units: 2, useBias: false, kernelInitializer: 'ones', activityRegularizer: { className: 'L2', config: { l2: 0.5 } },
};

describe('an activity regularizer', () => {
  test('costs in training and in evaluation, and its gradient counts', async () => {
    const model = tf.sequential({ layers: [tf.layers.dense({ ...settings, inputShape: [1] })] });
    model.compile({ optimizer: tf.train.sgd(0.1), loss: 'meanSquaredError' });
    const [x, y] = [tf.tensor2d([[1], [2]]), tf.tensor2d([[1, 1], [2, 2]])];
    // The outputs are the targets: all the loss is 0.5 (1 + 1 + 4 + 4).
    const loss = model.evaluate(x, y, { verbose: 0 }) as tf.Scalar;
    expect(loss.arraySync()).toBe(5);
    const before = tf.memory().numTensors;
    expect(await model.trainOnBatch(x, y)).toBe(5);
    expect(tf.memory().numTensors).toBe(before);
    // d/dw of 0.5 (w^2 + 4 w^2) is 5 at w = 1.
    expect([...model.getWeights()[0]!.dataSync()]).toEqual([0.5, 0.5]);
    const { history } = await model.fit(x, y, { epochs: 20, verbose: 0 });
    expect(history['loss']!.at(-1)).toBeLessThan(2);
    expect(tf.memory().numTensors).toBe(before);
    tf.dispose([x, y, loss]);
    model.dispose();
  });

  test('costs nothing outside of steps', () => {
    const layer = tf.layers.dense(settings);
    tf.tidy(() => {
      expect((layer.apply(tf.ones([1, 1])) as tf.Tensor).arraySync()).toEqual([[1, 1]]);
    });
    layer.dispose();
  });

  test.each<[string, () => any, number[], number]>([
    ['Dense', () => tf.layers.dense(settings), [3, 1], 3],
    ['Embedding', () => tf.layers.embedding({ inputDim: 2, outputDim: 2, embeddingsInitializer: 'ones', activityRegularizer: 'l1' }), [3], 0.06],
    ['Conv2D', () => tf.layers.conv2d({ filters: 2, kernelSize: 1, kernelInitializer: 'ones', activityRegularizer: 'l1' }), [1, 2, 2, 1], 0.08],
    ['Conv2DTranspose', () => tf.layers.conv2dTranspose({ filters: 1, kernelSize: 1, kernelInitializer: 'ones', activityRegularizer: 'l1' }), [1, 2, 2, 1], 0.04],
    ['SeparableConv2D', () => tf.layers.separableConv2d({ filters: 1, kernelSize: 1, depthwiseInitializer: 'ones', pointwiseInitializer: 'ones', activityRegularizer: 'l1' }), [1, 2, 2, 1], 0.04],
    ['DepthwiseConv2D', () => tf.layers.depthwiseConv2d({ kernelSize: 1, depthwiseInitializer: 'ones', activityRegularizer: 'l1' }), [1, 2, 2, 1], 0.04],
    // Of all that comes out: the steps of both examples, 1 and then 2.
    ['SimpleRNN', () => tf.layers.simpleRNN({
      units: 1, activation: 'linear', kernelInitializer: 'ones', recurrentInitializer: 'ones', returnSequences: true, activityRegularizer: 'l1',
    }), [2, 2, 1], 0.06],
  ])('of %s', (_name, make, shape, expected) => {
    const layer = make();
    tf.tidy(() => {
      const { result, costs } = gatherCosts(() => tf.tidy(() => layer.apply(tf.ones(shape as [number])) as tf.Tensor));
      expect(costs).toHaveLength(1);
      expect(layer.getConfig()).toMatchObject({ activityRegularizer: { className: 'L1L2' } });
      expect(costs[0]!.arraySync()).toBeCloseTo(expected, 5);
      expect(result.isDisposed).toBe(false);
      tf.dispose(costs);
    });
    layer.dispose();
  });

  test('gathering nests, and what throws leaves nothing', () => {
    const layer = tf.layers.dense(settings);
    tf.tidy(() => {
      const x = tf.ones([1, 1]);
      const outer = gatherCosts(() => {
        layer.apply(x);
        const inner = gatherCosts(() => layer.apply(x));
        tf.dispose(inner.costs);
        return inner.costs.length;
      });
      expect([outer.result, outer.costs.length]).toEqual([1, 1]);
      tf.dispose(outer.costs);
      expect(() => gatherCosts(() => {
        layer.apply(x);
        throw new Error('stop');
      })).toThrow('stop');
    });
    layer.dispose();
  });
});
