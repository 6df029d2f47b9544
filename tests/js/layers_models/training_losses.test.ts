// Losses, metrics and optimizers by name beside TensorFlow.js' own.
import { createRequire } from 'node:module';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type * as Theirs from '@tensorflow/tfjs';
import * as tf from '../../../js/src/index.js';
import { getLoss, lossesByName } from '../../../js/src/layers/training/losses.js';
import { getMetric, lossOrMetricName, resolveMetric } from '../../../js/src/layers/training/metrics.js';
import { getOptimizer, optimizerFromConfig } from '../../../js/src/layers/training/optimizers.js';

let theirs: typeof Theirs;
// TensorFlow.js takes its time where many tests run at once.
jest.setTimeout(60_000);

beforeAll(async () => {
  theirs = createRequire(import.meta.url)('@tensorflow/tfjs') as typeof Theirs;
  await theirs.setBackend('cpu');
});

type Values = number[][] | number[][][];

const probabilities = [[0.7, 0.2, 0.1], [0.05, 0.9, 0.05], [0.3, 0.3, 0.4], [0.01, 0.01, 0.98], [1, 0, 0]];
const oneHot = [[1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0]];
const bits = [[1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1], [0, 0, 0]];
const reals = [[0.5, -1.25, 3], [2, 0.1, -0.7], [1e-3, 4, -2], [-6, 0.3, 0.9], [0, 0, 0]];
const others = [[0.25, -1, 2.5], [-2, 0.2, 0.7], [1, 3, -2.5], [5, -0.3, 0.8], [1, 2, 3]];
const signs = bits.map((row) => row.map((b) => 2 * b - 1));
const cube = [probabilities.slice(0, 2), probabilities.slice(2, 4)];
const cubeLabels = [oneHot.slice(0, 2), oneHot.slice(2, 4)];

const rows: [string, Values, Values][] = [
  ['meanSquaredError', reals, others],
  ['meanAbsoluteError', reals, others],
  ['meanAbsolutePercentageError', reals, others],
  ['meanSquaredLogarithmicError', reals, others],
  ['squaredHinge', signs, others],
  ['hinge', signs, others],
  ['categoricalHinge', oneHot, others],
  ['logcosh', reals, others],
  ['categoricalCrossentropy', oneHot, probabilities],
  ['categoricalCrossentropy', cubeLabels, cube],
  ['binaryCrossentropy', bits, probabilities],
  ['kullbackLeiblerDivergence', probabilities, [...probabilities].reverse()],
  ['poisson', bits, probabilities],
  ['cosineProximity', reals, others],
];

/** TensorFlow.js's value and gradient with respect to the predictions, through a model's loss. */
function reference(name: string, labels: Values, predictions: Values): { value: number[]; grad: number[] } {
  const layers = theirs.metrics as unknown as Record<string, (a: unknown, b: unknown) => Theirs.Tensor>;
  const lossFn = layers[name] ?? theirLoss(name);
  return theirs.tidy(() => {
    const y = theirs.tensor(labels);
    const f = (p: Theirs.Tensor): Theirs.Tensor => lossFn(y, p);
    const p = theirs.tensor(predictions);
    return {
      value: Array.from(f(p).dataSync()),
      grad: Array.from(theirs.grad((x: Theirs.Tensor) => f(x).sum())(p).dataSync()),
    };
  });
}

// The losses that TensorFlow.js only shows through compile.
function theirLoss(name: string): (a: unknown, b: unknown) => Theirs.Tensor {
  const model = theirs.sequential({ layers: [theirs.layers.dense({ units: 1, inputShape: [1] })] });
  model.compile({ optimizer: 'sgd', loss: name });
  type Compiled = { model: { lossFunctions: ((a: unknown, b: unknown) => Theirs.Tensor)[] } };
  const [loss] = (model as unknown as Compiled).model.lossFunctions;
  model.dispose();
  return loss!;
}

describe('losses', () => {
  test.each(rows)('%s has its values and gradients', (name, labels, predictions) => {
    const expected = reference(name, labels, predictions);
    const loss = getLoss(name);
    tf.tidy(() => {
      const y = tf.tensor(labels);
      const p = tf.tensor(predictions);
      const value = loss(y, p);
      expect(value.shape).toEqual(p.shape.slice(0, -1));
      value.dataSync().forEach((v, i) => expect(v).toBeCloseTo(expected.value[i]!, 4));
      const grad = tf.grad((x) => loss(y, x).sum())(p).dataSync();
      grad.forEach((g, i) => expect(Math.abs(g - expected.grad[i]!)).toBeLessThanOrEqual(1e-4 * (1 + Math.abs(expected.grad[i]!))));
    });
  });

  test('class numbers give what their one-hot labels give', () => {
    tf.tidy(() => {
      const p = tf.tensor2d(probabilities);
      const expected = lossesByName['categoricalCrossentropy']!(tf.tensor2d(oneHot), p).dataSync();
      for (const labels of [tf.tensor1d([0, 1, 0, 2, 1]), tf.tensor2d([[0], [1], [0], [2], [1]], [5, 1], 'int32')]) {
        expect(Array.from(lossesByName['sparseCategoricalCrossentropy']!(labels, p).dataSync())).toEqual(Array.from(expected));
      }
    });
  });

  test('integer labels are as good as float ones', () => {
    tf.tidy(() => {
      const p = tf.tensor2d(probabilities);
      for (const name of ['binaryCrossentropy', 'categoricalCrossentropy', 'meanSquaredError', 'cosineProximity', 'poisson']) {
        const float = getLoss(name)(tf.tensor2d(oneHot), p).dataSync();
        const int = getLoss(name)(tf.tensor2d(oneHot, [5, 3], 'int32'), p).dataSync();
        expect(Array.from(int)).toEqual(Array.from(float));
      }
    });
  });

  test('logits are taken through softmax', () => {
    tf.tidy(() => {
      const categorical = tf.metrics.categoricalCrossentropy;
      const x = tf.tensor2d(others);
      const a = categorical(tf.tensor2d(oneHot), x, true).dataSync();
      const b = categorical(tf.tensor2d(oneHot), x.softmax()).dataSync();
      a.forEach((v, i) => expect(v).toBeCloseTo(b[i]!, 5));
    });
  });

  test.each([
    ['mse', 'meanSquaredError'], ['MSE', 'meanSquaredError'], ['mean_squared_error', 'meanSquaredError'],
    ['MeanSquaredError', 'meanSquaredError'], ['mae', 'meanAbsoluteError'], ['MAPE', 'meanAbsolutePercentageError'],
    ['msle', 'meanSquaredLogarithmicError'], ['kld', 'kullbackLeiblerDivergence'],
    ['kl_divergence', 'kullbackLeiblerDivergence'], ['kullback_leibler_divergence', 'kullbackLeiblerDivergence'],
    ['cosine', 'cosineProximity'], ['log_cosh', 'logcosh'], ['binary_crossentropy', 'binaryCrossentropy'],
    ['sparse_categorical_crossentropy', 'sparseCategoricalCrossentropy'], ['squared_hinge', 'squaredHinge'],
  ])('%s means %s', (alias, name) => {
    expect(getLoss(alias)).toBe(lossesByName[name]);
    expect(getMetric(alias)).toBe(lossesByName[name]);
  });

  test('unknown names are told with the known ones', () => {
    expect(() => getLoss('meanSquareError')).toThrow(/Unknown loss meanSquareError; losses are meanSquaredError, /);
    expect(() => getLoss('softmaxCrossEntropy')).toThrow("Use 'categoricalCrossentropy' for tf.losses.softmaxCrossEntropy");
    expect(() => getLoss('toString')).toThrow('Unknown loss toString');
    expect(() => getMetric('precison')).toThrow(/Unknown metric precison; metrics are accuracy, /);
    expect(() => getLoss(3 as never)).toThrow('Unknown loss 3');
  });
});

describe('metrics', () => {
  const metricRows: [string, number[][] | number[], number[][]][] = [
    ['binaryAccuracy', bits, probabilities],
    ['categoricalAccuracy', oneHot, probabilities],
    ['sparseCategoricalAccuracy', [0, 2, 1, 2, 1], probabilities],
    ['precision', bits, oneHot],
    ['precision', bits, bits.map((r) => r.map(() => 0))],
    ['recall', bits, oneHot],
    ['recall', bits.map((r) => r.map(() => 0)), oneHot],
    ['r2Score', reals, others],
    ['binaryCrossentropy', bits, probabilities],
    ['categoricalCrossentropy', oneHot, probabilities],
    ['cosineProximity', reals, others],
    ['meanAbsoluteError', reals, others],
    ['meanAbsolutePercentageError', reals, others],
    ['MAPE', reals, others],
    ['mape', reals, others],
    ['meanSquaredError', reals, others],
    ['MSE', reals, others],
    ['mse', reals, others],
  ];
  test.each(metricRows)("%s is TensorFlow.js's", (name, labels, predictions) => {
    type Metrics = Record<string, (a: unknown, b: unknown) => { shape: number[]; dtype: string; dataSync(): ArrayLike<number> }>;
    const values = (api: typeof tf): { shape: number[]; values: number[] } => api.tidy(() => {
      const out = (api.metrics as unknown as Metrics)[name]!(api.tensor(labels), api.tensor(predictions));
      return { shape: out.shape, values: Array.from(out.dataSync()) };
    });
    const ours = values(tf);
    const expected = values(theirs as unknown as typeof tf);
    expect(ours.shape).toEqual(expected.shape);
    ours.values.forEach((v, i) => expect(v).toBeCloseTo(expected.values[i]!, 4));
  });

  test('top five', () => {
    tf.tidy(() => {
      const p = tf.tensor2d([[1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1]]);
      expect(tf.metrics.sparseTopKCategoricalAccuracy(tf.tensor1d([0, 0]), p).arraySync()).toEqual([0, 1]);
      const labels = tf.tensor2d([[1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]]);
      expect(tf.metrics.topKCategoricalAccuracy(labels, p).arraySync()).toEqual([0, 1]);
      // Fewer classes than five: all are among them.
      expect(tf.metrics.sparseTopKCategoricalAccuracy(tf.tensor1d([1]), tf.tensor2d([[0.9, 0.1]])).arraySync()).toEqual([1]);
    });
  });

  test('accuracy and crossentropy follow the loss and the output', () => {
    const { binaryAccuracy, sparseCategoricalAccuracy, categoricalAccuracy } = tf.metrics;
    const binary = lossesByName['binaryCrossentropy'];
    const sparse = lossesByName['sparseCategoricalCrossentropy'];
    const categorical = lossesByName['categoricalCrossentropy'];
    expect(resolveMetric('accuracy', binary, 3)).toEqual({ name: 'acc', compute: binaryAccuracy });
    expect(resolveMetric('acc', categorical, 1).compute).toBe(binaryAccuracy);
    expect(resolveMetric('acc', sparse, 4).compute).toBe(sparseCategoricalAccuracy);
    expect(resolveMetric('acc', categorical, 4).compute).toBe(categoricalAccuracy);
    expect(resolveMetric('ce', sparse, 4)).toEqual({ name: 'ce', compute: sparse });
    expect(resolveMetric('crossentropy', binary, 4).compute).toBe(binary);
    expect(resolveMetric('mse', categorical, 4).name).toBe('mse');
  });

  test('names do not come from functions, which minifiers rename', () => {
    expect(lossOrMetricName(tf.metrics.mse)).toBe('meanSquaredError');
    expect(lossOrMetricName(tf.metrics.recall)).toBe('recall');
    expect(lossOrMetricName(function mine(y) { return y; })).toBe('mine');
    expect(lossOrMetricName((() => (y: tf.Tensor) => y)())).toBe('metric');
  });
});

describe('optimizers', () => {
  test.each(['sgd', 'adagrad', 'adadelta', 'adam', 'adamax', 'rmsprop'])("%s has TensorFlow.js's settings", (name) => {
    const model = theirs.sequential({ layers: [theirs.layers.dense({ units: 1, inputShape: [1] })] });
    model.compile({ optimizer: name, loss: 'meanSquaredError' });
    const expected = model.optimizer.getConfig();
    for (const spelling of [name, name.toUpperCase()]) {
      const optimizer = getOptimizer(spelling);
      expect(optimizer.getConfig()).toEqual(expected);
      const again = optimizerFromConfig(optimizer.getClassName(), optimizer.getConfig());
      expect(again.getConfig()).toEqual(expected);
      optimizer.dispose();
      again.dispose();
    }
    model.dispose();
  });

  test("Keras' configs are read", () => {
    const adam = optimizerFromConfig('Adam', { name: null, learning_rate: 0.5, beta_1: 0.8, beta_2: 0.7, epsilon: 1e-3, amsgrad: false });
    expect(adam.getConfig()).toEqual({ learningRate: 0.5, beta1: 0.8, beta2: 0.7, epsilon: 1e-3 });
    const rmsprop = optimizerFromConfig('RMSprop', { learning_rate: 0.5, rho: 0.6, decay: 0, momentum: 0.25, epsilon: 1e-3, centered: true });
    expect(rmsprop.getConfig()).toEqual({ learningRate: 0.5, decay: 0.6, momentum: 0.25, epsilon: 1e-3, centered: true });
    const sgd = optimizerFromConfig('SGD', { learning_rate: 0.5, momentum: 0.9, nesterov: true });
    expect(sgd.getClassName()).toBe('Momentum');
    expect(sgd.getConfig()).toEqual({ learningRate: 0.5, momentum: 0.9, useNesterov: true });
    sgd.dispose();
  });

  test('others are refused', () => {
    expect(() => getOptimizer('addam')).toThrow(/Unknown Optimizer addam; optimizers are sgd, /);
    expect(() => getOptimizer({} as never)).toThrow('must be an instance of tf.Optimizer');
    expect(() => optimizerFromConfig('Lion', {})).toThrow(/Unknown optimizer: Lion/);
  });
});
