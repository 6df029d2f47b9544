// Training that was interrupted equals training that was not, to the bit.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { dir, options, programs } from './programs_support.js';

const kinds: [string, () => tf.Optimizer, string[]][] = [
  ['Adam', () => tf.train.adam(0.05), ['/Adam', '/Adam_1']],
  ['Momentum', () => tf.train.momentum(0.05, 0.9), ['/Momentum']],
  ['RMSProp', () => tf.train.rmsprop(0.01, 0.9, 0.5), ['/RMSProp', '/RMSProp_1']],
  ['Adagrad', () => tf.train.adagrad(0.1), ['/Adagrad']],
  ['Adamax', () => tf.train.adamax(0.05), ['/AdaMax', '/AdaMax_1']],
  ['Adadelta', () => tf.train.adadelta(1), ['/Adadelta', '/Adadelta_1']],
  ['SGD', () => tf.train.sgd(0.1), []],
];

/** A page's life: a new model, as many steps as are missing to `lastStep`. */
async function life(directory: string, make: () => tf.Optimizer, lastStep: number): Promise<number[]> {
  tf.keras.backend.clear_session();
  tf.keras.utils.set_random_seed(7);
  const model = tf.keras.Sequential([
    tf.keras.layers.Dense(8, { inputShape: [4], activation: 'tanh' }), tf.keras.layers.Dense(3, { activation: 'softmax' }),
  ]);
  const optimizer = make();
  model.compile({ optimizer, loss: 'categoricalCrossentropy' });
  const global = tf.train.getOrCreateGlobalStep();
  const data = tf.tidy(() => ({
    xs: tf.keep(tf.randomUniform([20, 5, 4], -1, 1, 'float32', 3)), ys: tf.keep(tf.randomUniform([20, 5, 3], 0, 1, 'float32', 4)),
  }));
  const train = tf.train.step('train', () => model.trainStep(
    data.xs.slice([global.number, 0, 0], [1, -1, -1]).reshape([5, 4]), data.ys.slice([global.number, 0, 0], [1, -1, -1]).reshape([5, 3])));
  const losses: number[] = [];
  await tf.train.withMonitoredTrainingSession({
    ...options, checkpointDir: directory, saveCheckpointSecs: null, hooks: [
      new tf.train.CheckpointSaverHook({ checkpointDir: directory, saveSteps: 100 }), new tf.train.StopAtStepHook({ lastStep }),
    ],
  }, async (sess) => {
    while (!sess.shouldStop()) losses.push(((await sess.run(train)) as { loss: number }).loss);
  });
  tf.dispose(data);
  model.dispose();
  optimizer.dispose();
  return losses;
}

describe('twenty steps at once, and ten and ten in two lives', () => {
  programs();

  test.each(kinds)('%s: the same losses', async (_, make, slots) => {
    const whole = await life(`${dir}/whole`, make, 20);
    expect(new Set(whole).size).toBe(20);
    const first = await life(`${dir}/parts`, make, 10);
    const second = await life(`${dir}/parts`, make, 20);
    expect([first.length, second.length]).toEqual([10, 10]);
    expect([...first, ...second]).toEqual(whole);
    const keys = (await tf.train.listVariables(`${dir}/parts`)).map(([name]) => name);
    const weights = ['dense/bias', 'dense/kernel', 'dense_1/bias', 'dense_1/kernel'];
    expect(keys.filter((key) => weights.some((w) => key.startsWith(w))).sort()).toEqual(
      weights.flatMap((w) => [w, ...slots.map((slot) => w + slot)]).sort());
    expect(keys).toContain('global_step');
  }, 60_000);
});
