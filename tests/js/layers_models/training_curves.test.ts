// Loss curves beside TensorFlow.js' own, from the same weights on the same data.
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { theirs as untyped, numbers, useCpu } from './beside_tfjs.js';

type Api = typeof tf;
const theirs = untyped as unknown as Api;

// TensorFlow.js takes its time where many tests run at once.
jest.setTimeout(60_000);

beforeAll(useCpu);

interface Case {
  readonly layers: (api: Api) => tf.layers.Layer[];
  readonly compile: tf.ModelCompileArgs;
  /** Labels `[n, width]`: class numbers, one-hot rows, bits, or numbers. */
  readonly labels: 'real' | 'onehot' | 'class' | 'bit';
  readonly inputShape: number[];
  readonly width: number;
  readonly samples?: number;
  readonly batchSize?: number;
  readonly tolerance?: number;
  /** TensorFlow.js leaves penalties out of the validation's loss. */
  readonly noValidation?: boolean;
  /** Inputs are whole numbers below this. */
  readonly integers?: number;
}

const sizeOf = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);

function labelsOf({ labels, width }: Case, n: number): { values: number[]; shape: number[] } {
  const raw = numbers(n * width, 5);
  if (labels === 'real') return { values: Array.from(raw), shape: [n, width] };
  if (labels === 'bit') return { values: Array.from(raw, (x) => (x > 0 ? 1 : 0)), shape: [n, width] };
  const classes = Array.from({ length: n }, (_, i) => Math.floor((raw[i]! + 1) / 2 * width) % width);
  if (labels === 'class') return { values: classes, shape: [n, 1] };
  return { values: classes.flatMap((c) => Array.from({ length: width }, (_, k) => (k === c ? 1 : 0))), shape: [n, width] };
}

/** What fit records, the weights afterwards, and what it found in validation. */
async function curve(api: Api, row: Case, epochs: number): Promise<{ history: Record<string, number[]>; weights: number[][] }> {
  const n = row.samples ?? 20;
  const model = api.sequential({ layers: row.layers(api) });
  const initial = model.weights.map(({ originalName, shape }, i) => {
    // A variance is positive.
    const of = (v: number): number => (originalName.endsWith('variance') ? Math.abs(v) + 0.1 : v * 0.4);
    return api.tensor(Array.from(numbers(sizeOf(shape as number[]), 11 + i), of), shape as number[]);
  });
  model.setWeights(initial);
  const optimizer = typeof row.compile.optimizer === 'string' ? row.compile.optimizer : undefined;
  model.compile({ ...row.compile, optimizer: optimizer ?? api.train.adam(0.02) });
  const shape = [n, ...row.inputShape];
  const values = Array.from(numbers(sizeOf(shape), 3), (v) =>
    (row.integers === undefined ? v : Math.floor((v + 1) / 2 * row.integers)));
  const x = api.tensor(values, shape);
  const y = labelsOf(row, n);
  const labels = api.tensor(y.values, y.shape);
  const { history } = await model.fit(x, labels, {
    epochs, batchSize: row.batchSize ?? 8, shuffle: false, verbose: 0,
    ...(row.noValidation ? {} : { validationSplit: 0.25 }),
  });
  const weights = model.getWeights().map((w) => Array.from(w.dataSync()));
  api.dispose([x, labels, initial]);
  model.dispose();
  return { history: history, weights };
}

const dense = (api: Api, units: number, more: object = {}): tf.layers.Layer => api.layers.dense({ units, ...more });

const cases: Record<string, Case> = {
  'dense, sgd, mean squared error': {
    layers: (api) => [dense(api, 5, { activation: 'tanh', inputShape: [3] }), dense(api, 2)],
    compile: { optimizer: 'sgd', loss: 'meanSquaredError', metrics: ['mae', 'mse'] },
    labels: 'real', inputShape: [3], width: 2,
  },
  'dense, adam, categorical crossentropy': {
    layers: (api) => [dense(api, 7, { activation: 'relu', inputShape: [4] }), dense(api, 3, { activation: 'softmax' })],
    compile: { optimizer: 'adam', loss: 'categoricalCrossentropy', metrics: ['accuracy', 'ce'] },
    labels: 'onehot', inputShape: [4], width: 3,
  },
  'dense, rmsprop, sparse categorical crossentropy': {
    layers: (api) => [dense(api, 7, { activation: 'elu', inputShape: [4] }), dense(api, 3, { activation: 'softmax' })],
    compile: { optimizer: 'rmsprop', loss: 'sparseCategoricalCrossentropy', metrics: ['accuracy'] },
    labels: 'class', inputShape: [4], width: 3,
  },
  'dense, adagrad, binary crossentropy': {
    layers: (api) => [dense(api, 4, { activation: 'sigmoid', inputShape: [3] }), dense(api, 1, { activation: 'sigmoid' })],
    compile: { optimizer: 'adagrad', loss: 'binaryCrossentropy', metrics: ['accuracy', 'crossentropy'] },
    labels: 'bit', inputShape: [3], width: 1,
  },
  'dense, adamax, hinge': {
    layers: (api) => [dense(api, 3, { inputShape: [3] })],
    compile: { optimizer: 'adamax', loss: 'hinge' },
    labels: 'real', inputShape: [3], width: 3,
  },
  'dense, adadelta, logcosh': {
    layers: (api) => [dense(api, 3, { inputShape: [3] }), dense(api, 2)],
    compile: { optimizer: 'adadelta', loss: 'logcosh' },
    labels: 'real', inputShape: [3], width: 2,
  },
  'dense with regularizers': {
    layers: (api) => [
      dense(api, 4, { kernelRegularizer: 'l1l2', biasRegularizer: 'l1l2', inputShape: [3] }),
      dense(api, 2, { kernelRegularizer: 'l1l2' }),
    ],
    compile: { optimizer: 'adam', loss: 'meanSquaredError' },
    labels: 'real', inputShape: [3], width: 2, noValidation: true,
  },
  'convolutions and pooling': {
    layers: (api) => [
      api.layers.conv2d({ filters: 3, kernelSize: 3, padding: 'same', activation: 'relu', inputShape: [5, 4, 2] }),
      api.layers.maxPooling2d({ poolSize: 2 }),
      api.layers.depthwiseConv2d({ kernelSize: 2, depthMultiplier: 2 }),
      api.layers.flatten(),
      dense(api, 3, { activation: 'softmax' }),
    ],
    compile: { optimizer: 'adam', loss: 'categoricalCrossentropy', metrics: ['accuracy'] },
    labels: 'onehot', inputShape: [5, 4, 2], width: 3,
  },
  'convolutions along one dimension, transposed and separable ones': {
    layers: (api) => [
      api.layers.reshape({ targetShape: [4, 4, 1], inputShape: [16] }),
      api.layers.conv2dTranspose({ filters: 2, kernelSize: 3, strides: 2, activation: 'tanh' }),
      api.layers.separableConv2d({ filters: 3, kernelSize: 3 }),
      api.layers.globalAveragePooling2d({}),
      dense(api, 1),
    ],
    compile: { optimizer: 'rmsprop', loss: 'meanSquaredError' },
    labels: 'real', inputShape: [16], width: 1,
  },
  'batch normalization': {
    layers: (api) => [
      api.layers.conv1d({ filters: 4, kernelSize: 3, useBias: false, inputShape: [8, 2] }),
      api.layers.batchNormalization({ momentum: 0.8 }),
      api.layers.activation({ activation: 'relu' }),
      api.layers.flatten(),
      dense(api, 5),
      api.layers.batchNormalization({ epsilon: 0.01 }),
      dense(api, 2, { activation: 'softmax' }),
    ],
    compile: { optimizer: 'sgd', loss: 'categoricalCrossentropy', metrics: ['accuracy'] },
    labels: 'onehot', inputShape: [8, 2], width: 2,
  },
  'LSTM': {
    layers: (api) => [
      api.layers.lstm({ units: 4, returnSequences: true, inputShape: [3, 2] }),
      api.layers.lstm({ units: 3 }),
      dense(api, 2),
    ],
    compile: { optimizer: 'adam', loss: 'meanSquaredError' },
    labels: 'real', inputShape: [3, 2], width: 2,
  },
  'GRU and a simple RNN': {
    layers: (api) => [
      api.layers.gru({ units: 4, returnSequences: true, inputShape: [3, 2] }),
      api.layers.simpleRNN({ units: 3 }),
      dense(api, 1, { activation: 'sigmoid' }),
    ],
    compile: { optimizer: 'adam', loss: 'binaryCrossentropy', metrics: ['accuracy'] },
    labels: 'bit', inputShape: [3, 2], width: 1,
  },
  'embedding, bidirectional LSTM': {
    layers: (api) => [
      api.layers.embedding({ inputDim: 6, outputDim: 3, inputLength: 3 }),
      api.layers.bidirectional({ layer: api.layers.lstm({ units: 2 }), mergeMode: 'concat' }),
      dense(api, 2, { activation: 'softmax' }),
    ],
    compile: { optimizer: 'adam', loss: 'sparseCategoricalCrossentropy' },
    labels: 'class', inputShape: [3], width: 2, integers: 6,
  },
};

describe('loss curves over 50 steps', () => {
  test.each(Object.keys(cases))('%s', async (name) => {
    const row = cases[name]!;
    const perEpoch = Math.ceil((row.samples ?? 20) * (row.noValidation ? 1 : 0.75) / (row.batchSize ?? 8));
    const epochs = Math.ceil(50 / perEpoch);
    const ours = await curve(tf, row, epochs);
    const expected = await curve(theirs, row, epochs);
    expect(Object.keys(ours.history).sort()).toEqual(Object.keys(expected.history).sort());
    for (const [key, values] of Object.entries(ours.history)) {
      expect(values).toHaveLength(epochs);
      values.forEach((v, i) => expect(`${key} ${i}: ${Math.abs(v - expected.history[key]![i]!) <= (row.tolerance ?? 1e-4)}`).toBe(`${key} ${i}: true`));
    }
    ours.weights.flat().forEach((v, i) => expect(v).toBeCloseTo(expected.weights.flat()[i]!, 3));
    // Something was learned: the curves are not equal by being flat.
    const { loss } = ours.history;
    expect(loss!.at(-1)).toBeLessThan(loss![0]! * 0.995);
  });
});
