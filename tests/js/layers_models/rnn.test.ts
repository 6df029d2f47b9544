// Recurrent layers and cells beside TensorFlow.js'.
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { SimpleRNNCell } from '../../../js/src/layers/families/cells.js';
import { GRUCell, LSTMCell } from '../../../js/src/layers/families/gated_cells.js';
import { GRU, LSTM, RNN, SimpleRNN } from '../../../js/src/layers/families/rnn.js';
import { compare, copyWeights, expectClose, made, theirLayer, theirs, useCpu, valueAndGradients } from './beside_tfjs.js';

beforeAll(useCpu);

const kinds: [string, any, any][] = [
  ['SimpleRNN', SimpleRNN, SimpleRNNCell],
  ['LSTM', LSTM, LSTMCell],
  ['GRU', GRU, GRUCell],
];
const shape = [3, 5, 2];

/** A mask `[batch, time]` that starts late, ends early, has a hole and is empty. */
const holes = (api: typeof tf): tf.Tensor => api.tensor2d([1, 1, 0, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0], [3, 5], 'bool');

const rows: [string, object][] = [
  ['default', {}],
  ['sequences', { returnSequences: true }],
  ['state', { returnState: true }],
  ['sequences and state', { returnSequences: true, returnState: true }],
  ['backwards', { goBackwards: true }],
  ['backwards, sequences, state', { goBackwards: true, returnSequences: true, returnState: true }],
  ['no bias', { useBias: false }],
  ['relu', { activation: 'relu', returnSequences: true }],
  ['linear', { activation: 'linear' }],
  ['selu', { activation: 'selu', returnSequences: true }],
  ['one unit', { units: 1, returnSequences: true }],
  ['initializers, regularizers, constraints', {
    kernelInitializer: 'heNormal', recurrentInitializer: 'glorotUniform', biasInitializer: 'ones', kernelRegularizer: 'l1l2',
    recurrentRegularizer: { className: 'L1L2', config: { l1: 0, l2: 0.3 } }, biasRegularizer: 'l1l2', kernelConstraint: 'nonNeg',
    recurrentConstraint: { className: 'MaxNorm', config: { maxValue: 3, axis: 0 } }, biasConstraint: 'unitNorm',
  }],
];
const gated: [string, object][] = [
  ['sigmoid gates', { recurrentActivation: 'sigmoid', returnSequences: true }],
  ['relu gates', { recurrentActivation: 'relu' }],
  ['softsign gates', { recurrentActivation: 'softsign' }],
  ['implementation 1', { implementation: 1 }],
  ['implementation 2', { implementation: 2 }],
];

describe.each(kinds)('%s', (name, cls, cellClass) => {
  const isGated = name !== 'SimpleRNN';

  test.each(isGated ? [...rows, ...gated] : rows)('%s', (_, args) => compare({ cls, args: { units: 4, ...args }, inputShape: shape }));

  test.each<[string, object]>([
    ['last output', {}],
    ['sequences', { returnSequences: true }],
    ['sequences and state', { returnSequences: true, returnState: true }],
    ['backwards', { goBackwards: true, returnSequences: true }],
  ])('mask: %s', (_, args) => {
    compare({ cls, args: { units: 4, ...args }, inputShape: shape, kwargs: (api) => ({ mask: holes(api) }) });
  });

  test.each([2, 7])('%d steps, batch of 1', (time) => {
    compare({ cls, args: { units: 3, returnSequences: true }, inputShape: [1, time, 5] });
  });

  test('initial state, as values', () => {
    const states = (api: typeof tf): tf.Tensor[] =>
      Array.from({ length: name === 'LSTM' ? 2 : 1 }, (_, i) => made(api, [3, 4], 21 + i));
    compare({ cls, args: { units: 4, returnSequences: true, returnState: true }, inputShape: shape, kwargs: (api) => ({ initialState: states(api) }) });
  });

  test('the inputs, differentiated twice', () => {
    const layer = new cls({ units: 2, recurrentActivation: 'sigmoid' });
    tf.tidy(() => {
      const x = made(tf, [1, 3, 2]) as tf.Tensor;
      layer.apply(x);
      const slope = (t: tf.Tensor): tf.Tensor => tf.sum(tf.grad((u) => tf.sum(layer.apply(u) as tf.Tensor))(t));
      const second = tf.grad(slope)(x);
      const direction = made(tf, [1, 3, 2], 9) as tf.Tensor;
      const along = (e: number): number => slope(tf.add(x, tf.mul(direction, e))).dataSync()[0]!;
      const expected = (along(1e-2) - along(-1e-2)) / 2e-2;
      expect(tf.sum(tf.mul(second, direction)).dataSync()[0]).toBeCloseTo(expected, 3);
    });
    layer.dispose();
  });

  test('initial state, as inputs', () => {
    const states = Array.from({ length: name === 'LSTM' ? 2 : 1 }, () => [3, 4]);
    compare({ cls, args: { units: 4, returnState: true }, inputShape: [shape, ...states] });
    compare({ cls, args: { units: 4, goBackwards: true, returnSequences: true }, inputShape: [shape, ...states] });
  });

  test('a cell makes one step', () => {
    const count = name === 'LSTM' ? 2 : 1;
    const ours = new cellClass({ units: 4, name: 'cell' });
    const reference = theirLayer(`${name}Cell`, { units: 4, name: 'cell' }) as any;
    for (const cell of [ours, reference]) cell.build([null, 2]);
    copyWeights(ours, reference);
    const run = (api: any, cell: any): ReturnType<typeof valueAndGradients> => {
      const step = { trainableWeights: cell.trainableWeights, apply: (xs: unknown, kwargs: object) => cell.call(xs, kwargs) };
      return valueAndGradients(api, step, [made(api, [3, 2]), ...Array.from({ length: count }, (_, i) => made(api, [3, 4], i + 2))]);
    };
    theirs.tidy(() => tf.tidy(() => {
      const [got, expected] = [run(tf, ours), run(theirs, reference)];
      expect(got.shapes).toEqual(expected.shapes);
      got.values.forEach((y, i) => expectClose(y, expected.values[i]!));
      got.grads.forEach((g, i) => expectClose(g, expected.grads[i]!));
      expect(JSON.parse(JSON.stringify(ours.getConfig()))).toMatchObject(JSON.parse(JSON.stringify(reference.getConfig())));
      // As a layer, too.
      const y = ours.apply([made(tf, [3, 2]), ...Array.from({ length: count }, (_, i) => made(tf, [3, 4], i + 2))]) as tf.Tensor[];
      y.forEach((t, i) => expectClose(t.dataSync(), expected.values[i]!));
      expect(() => ours.call([made(tf, [3, 2])], {})).toThrow(`${name}Cell expects ${count + 1} input Tensors, got 1.`);
    }));
    ours.dispose();
    for (const weight of reference.weights) weight.dispose();
  });

  test('one step is the cell', () => {
    const layer = new cls({ units: 4, returnSequences: true });
    tf.tidy(() => {
      const x = made(tf, [3, 1, 2]);
      const y = layer.apply(x) as tf.Tensor;
      const states = Array.from({ length: name === 'LSTM' ? 2 : 1 }, () => tf.zeros([3, 4]));
      const expected = layer.cell.call([x.reshape([3, 2]), ...states], {})[0] as tf.Tensor;
      expect(y.shape).toEqual([3, 1, 4]);
      expectClose(y.dataSync(), expected.dataSync(), 1e-6);
    });
    layer.dispose();
  });

  test('a layer of its cell is the layer', () => {
    const layer = new cls({ units: 4, returnState: true, returnSequences: true });
    const rnn = new RNN({ cell: new cellClass({ units: 4 }), returnState: true, returnSequences: true });
    tf.tidy(() => {
      const x = made(tf, shape);
      const expected = layer.apply(x) as tf.Tensor[];
      rnn.apply(x);
      rnn.setWeights(layer.getWeights());
      const got = rnn.apply(x) as tf.Tensor[];
      got.forEach((y, i) => expect(y.arraySync()).toEqual(expected[i]!.arraySync()));
    });
    layer.dispose();
    rnn.dispose();
  });
});
