// Losses, metrics, optimizers and callbacks as Keras writes them.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';

const { callbacks, losses, metrics, optimizers } = tf.keras;

describe('tf.keras', () => {
  test('a model trains as its documentation shows', async () => {
    const model = tf.keras.Sequential([
      tf.keras.layers.Dense(4, { activation: 'relu', input_shape: [3] }),
      tf.keras.layers.Dense(2),
    ]);
    model.compile({
      optimizer: optimizers.Adam({ learning_rate: 0.01 }),
      loss: losses.SparseCategoricalCrossentropy({ from_logits: true }), metrics: ['accuracy'],
    });
    const [x, y] = [tf.tensor2d([[1, 0, 0], [0, 1, 0], [0, 0, 1]]), tf.tensor1d([0, 1, 0])];
    const history = await model.fit(x, y, { epochs: 30, verbose: 0, callbacks: [callbacks.EarlyStopping('loss', { patience: 40 })] });
    expect(history).toBeInstanceOf(callbacks.History);
    const { loss, acc } = history.history;
    expect(loss!.at(-1)).toBeLessThan(loss![0]!);
    expect(acc).toHaveLength(30);
    model.optimizer.dispose();
    model.dispose();
    tf.dispose([x, y]);
  });

  test('losses are functions in both cases, and classes with or without new', () => {
    expect(losses.mean_squared_error).toBe(tf.metrics.meanSquaredError);
    expect(losses.meanSquaredError).toBe(tf.metrics.meanSquaredError);
    expect(losses.MeanSquaredError()).toBe(tf.metrics.meanSquaredError);
    expect(new losses.MeanSquaredError()).toBe(tf.metrics.meanSquaredError);
    expect(new losses.BinaryCrossentropy()).toBe(tf.metrics.binaryCrossentropy);
    expect(metrics.categorical_accuracy).toBe(tf.metrics.categoricalAccuracy);
    expect(new metrics.Recall()).toBe(tf.metrics.recall);
    for (const [name, loss] of Object.entries(losses)) expect([name, typeof loss]).toEqual([name, 'function']);
  });

  test('logits give what their probabilities give', () => {
    tf.tidy(() => {
      const x = tf.tensor2d([[1, -2, 0.5], [3, 0, -1]]);
      const oneHot = tf.tensor2d([[0, 1, 0], [1, 0, 0]]);
      const classes = tf.tensor1d([1, 0]);
      const rows: [tf.LossOrMetricFn, tf.LossOrMetricFn, tf.Tensor, tf.Tensor][] = [
        [losses.BinaryCrossentropy({ from_logits: true }), losses.BinaryCrossentropy(), oneHot, x.sigmoid()],
        [losses.CategoricalCrossentropy({ fromLogits: true }), losses.CategoricalCrossentropy(), oneHot, x.softmax()],
        [losses.SparseCategoricalCrossentropy({ fromLogits: true }), losses.SparseCategoricalCrossentropy(), classes, x.softmax()],
      ];
      for (const [ofLogits, plain, labels, p] of rows) {
        const expected = plain(labels, p).dataSync();
        ofLogits(labels, x).dataSync().forEach((v, i) => expect(v).toBeCloseTo(expected[i]!, 5));
      }
    });
    // Large logits do not overflow.
    tf.tidy(() => {
      const loss = losses.BinaryCrossentropy({ from_logits: true })(tf.tensor2d([[1, 0]]), tf.tensor2d([[1000, 1000]]));
      expect(loss.arraySync()).toEqual([500]);
    });
  });

  test('accuracy knows which loss logits belong to', () => {
    const model = tf.keras.Sequential([tf.keras.layers.Dense(3, { input_shape: [1] })]);
    model.compile({ optimizer: 'sgd', loss: losses.SparseCategoricalCrossentropy({ from_logits: true }), metrics: ['accuracy'] });
    tf.tidy(() => {
      const [, acc] = model.evaluate(tf.ones([2, 1]), tf.tensor1d([0, 5].map((v) => v % 3))) as tf.Scalar[];
      expect([0, 0.5, 1]).toContain(acc!.arraySync());
    });
    model.dispose();
  });

  test.each([
    [() => optimizers.SGD(0.5), 'SGD', { learningRate: 0.5 }],
    [() => optimizers.SGD(), 'SGD', { learningRate: 0.01 }],
    [() => optimizers.SGD({ learning_rate: 0.5, momentum: 0.9, nesterov: true }), 'Momentum', { learningRate: 0.5, momentum: 0.9, useNesterov: true }],
    [() => new optimizers.Adam(0.5, { beta_1: 0.8 }), 'Adam', { learningRate: 0.5, beta1: 0.8, beta2: 0.999, epsilon: 1e-7 }],
    [() => optimizers.Adamax({ beta_2: 0.5 }), 'Adamax', { learningRate: 0.002, beta1: 0.9, beta2: 0.5, epsilon: 1e-7, decay: 0 }],
    [() => optimizers.RMSprop({ rho: 0.5, centered: true }), 'RMSProp', { learningRate: 0.001, decay: 0.5, momentum: 0, epsilon: 1e-7, centered: true }],
    [() => optimizers.Adagrad(0.5), 'Adagrad', { learningRate: 0.5, initialAccumulatorValue: 0.1 }],
    [() => optimizers.Adadelta(0.5), 'Adadelta', { learningRate: 0.5, rho: 0.95, epsilon: 1e-7 }],
  ])('%s', (make, className, config) => {
    const optimizer = make();
    expect(optimizer).toBeInstanceOf(tf.Optimizer);
    expect(optimizer.getClassName()).toBe(className);
    expect(optimizer.getConfig()).toEqual(config);
    optimizer.dispose();
  });

  test('callbacks', () => {
    const early = callbacks.EarlyStopping({ monitor: 'val_acc', restore_best_weights: true, min_delta: 0.5 });
    expect(early).toBeInstanceOf(tf.EarlyStopping);
    expect([early.mode, early.restoreBestWeights, early.minDelta]).toEqual(['max', true, 0.5]);
    const seen: number[] = [];
    const lambda = new callbacks.LambdaCallback({ on_epoch_end: (epoch: number) => { seen.push(epoch); } });
    void lambda.onEpochEnd(3);
    expect(seen).toEqual([3]);
  });
});
