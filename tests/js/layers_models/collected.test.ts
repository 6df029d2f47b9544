// Models that are dropped, never disposed, are collected with all they hold.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Collects until the numbers of tensors and bytes are `expected`, or for a while. */
async function settle(expected: { numTensors: number; numBytes: number }): Promise<void> {
  for (let i = 0; i < 20; i++) {
    gc();
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const { numTensors, numBytes } = tf.memory();
    if (numTensors === expected.numTensors && numBytes === expected.numBytes) return;
  }
}

const counts = (): { numTensors: number; numBytes: number } => {
  const { numTensors, numBytes } = tf.memory();
  return { numTensors, numBytes };
};

/** Builds, trains and drops a model; tells the last loss. */
async function round(): Promise<number> {
  tf.keras.backend.clear_session();
  tf.keras.utils.set_random_seed(1);
  const model = tf.sequential({ layers: [
    tf.layers.dense({ units: 4, inputShape: [4], activation: 'relu' }), tf.layers.dense({ units: 1 }),
  ] });
  expect(model.weights.map(({ name }) => name)).toEqual(
    ['dense_Dense1/kernel', 'dense_Dense1/bias', 'dense_Dense2/kernel', 'dense_Dense2/bias']);
  model.compile({ optimizer: 'adam', loss: 'meanSquaredError', metrics: ['mae'] });
  const x = tf.tidy(() => tf.linspace(-1, 1, 32).reshape([8, 4]));
  const y = tf.tidy(() => x.sum(1, true));
  const { history } = await model.fit(x, y, { epochs: 2, batchSize: 4, shuffle: false, verbose: 0 });
  tf.dispose([x, y]);
  return history['loss']!.at(-1) as number;
}

describe('thirty models, each dropped', () => {
  test('leave nothing, and train alike', async () => {
    const before = counts();
    const losses: number[] = [];
    let heap = 0;
    for (let i = 0; i < 30; i++) {
      losses.push(await round());
      await settle(before);
      expect(counts()).toEqual(before);
      if (i === 2) heap = tf.memory().heapBytes;
    }
    expect(tf.memory().heapBytes).toBe(heap);
    expect(new Set(losses).size).toBe(1);
  }, 300_000); // a full collection takes long in a process that has run other tests

  test('with one optimizer for all, that keeps nothing of them', async () => {
    const optimizer = tf.train.adam(0.1);
    const [x, y] = [tf.ones([4, 3]), tf.ones([4, 2])];
    const before = counts();
    const use = async (): Promise<void> => {
      const model = tf.sequential({ layers: [tf.layers.dense({ units: 2, inputShape: [3] })] });
      model.compile({ optimizer, loss: 'meanSquaredError' });
      await model.fit(x, y, { verbose: 0 });
    };
    for (let i = 0; i < 10; i++) await use();
    await settle(before);
    expect(counts()).toEqual(before);
    const saved = await optimizer.getWeights();
    expect(saved.map(({ name }) => name)).toEqual(['iter']);
    saved[0]!.tensor.dispose();
    expect(optimizer.iterations).toBe(10);
    tf.dispose([x, y]);
    optimizer.dispose();
  }, 120_000);

  test('heads on a layer that stays: the heads go, the layer stays', async () => {
    const base = tf.layers.dense({ units: 3 });
    const use = (): void => {
      const x = tf.input({ shape: [4] });
      const head = tf.layers.dense({ units: 2 });
      tf.model({ inputs: x, outputs: head.apply(base.apply(x)) as tf.SymbolicTensor });
    };
    use();
    const one = { numTensors: 2, numBytes: 4 * (12 + 3) };
    await settle(one);
    expect(counts()).toEqual(one);
    for (let i = 0; i < 10; i++) use();
    await settle(one);
    expect(counts()).toEqual(one);
    expect(base.getWeights().every((w) => !w.isDisposed)).toBe(true);
    base.dispose();
  }, 120_000);
});
