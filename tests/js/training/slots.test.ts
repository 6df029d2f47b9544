// What optimizers remember, in checkpoints.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { listVariables, loadCheckpoint, loadVariable } from '../../../js/src/train/session/checkpoint_management.js';
import { Graph } from '../../../js/src/train/session/graph.js';
import { Saver } from '../../../js/src/train/session/saver.js';
import { declare, dir, graph, onLog, sess } from './saver_support.js';

describe("optimizers' slots", () => {
  const train = (optimizer: tf.Optimizer, w: tf.Variable, steps: number): void => {
    for (let i = 0; i < steps; i++) optimizer.minimize(() => w.square().sum() as tf.Scalar, false, [w]);
  };
  test.each<[string, () => tf.Optimizer, string[]]>([
    ['Adam', () => tf.train.adam(0.1), ['Adam/iterations', 'beta1_power', 'beta2_power', 'd/w', 'd/w/Adam', 'd/w/Adam_1']],
    ['Adamax', () => tf.train.adamax(0.1, 0.9, 0.999, 1e-7, 0.5), ['AdaMax/iterations', 'beta1_power', 'd/w', 'd/w/AdaMax', 'd/w/AdaMax_1']],
    ['Momentum', () => tf.train.momentum(0.1, 0.9), ['d/w', 'd/w/Momentum']],
    ['Adagrad', () => tf.train.adagrad(0.1), ['d/w', 'd/w/Adagrad']],
    ['Adadelta', () => tf.train.adadelta(0.1), ['d/w', 'd/w/Adadelta', 'd/w/Adadelta_1']],
    ['RMSProp', () => tf.train.rmsprop(0.1, 0.9, 0.5, null, true), ['d/w', 'd/w/RMSProp', 'd/w/RMSProp_1', 'd/w/RMSProp_2']],
    ['SGD', () => tf.train.sgd(0.1), ['d/w']],
  ])('%s goes on as if it had not stopped', async (_, make, keys) => {
    const w = declare([1, -2], 'd/w');
    const optimizer = graph.asDefault(make);
    train(optimizer, w, 3);
    const path = await new Saver({ onLog }).save(sess, `${dir}/m`, 3);
    expect((await listVariables(path)).map(([name]) => name)).toEqual(keys);
    train(optimizer, w, 3);
    const straight = w.arraySync();
    tf.dispose(w);
    optimizer.dispose();

    const again = new Graph();
    const w2 = again.asDefault(() => tf.tidy(() => tf.variable(tf.tensor1d([0, 0]), true, 'd/w')));
    const second = again.asDefault(make);
    await new Saver({ onLog }).restore({ graph: again }, path);
    train(second, w2, 3);
    expect(w2.arraySync()).toEqual(straight);
    tf.dispose(w2);
    second.dispose();
  });

  test("RMSProp's slots are in TensorFlow's order", async () => {
    const w = declare([1, -2], 'w');
    const optimizer = graph.asDefault(() => tf.train.rmsprop(0.1, 0.9, 0.5, null, true));
    train(optimizer, w, 2);
    const path = await new Saver({ onLog }).save(sess, `${dir}/m`);
    const slots = Object.fromEntries(optimizer.slots().map(({ slot, value }) => [slot, value.dataSync()]));
    for (const [key, slot] of [['w/RMSProp', 'rms'], ['w/RMSProp_1', 'mg'], ['w/RMSProp_2', 'momentum']] as const) {
      expect((await loadVariable(path, key)).data).toEqual(slots[slot]);
    }
    tf.dispose(w);
    optimizer.dispose();
  });

  test("two of a kind have numbered names, and TensorFlow's powers tell the steps", async () => {
    const w = declare([1], 'w');
    const a = graph.asDefault(() => tf.train.adam(0.1));
    const b = graph.asDefault(() => tf.train.adam(0.1, 0.5));
    train(a, w, 5);
    train(b, w, 2);
    const path = await new Saver({ onLog }).save(sess, `${dir}/m`);
    const names = (await listVariables(path)).map(([name]) => name);
    expect(names).toEqual([
      'Adam/iterations', 'Adam/iterations_1', 'beta1_power', 'beta1_power_1', 'beta2_power', 'beta2_power_1',
      'w', 'w/Adam', 'w/Adam_1', 'w/Adam_2', 'w/Adam_3',
    ]);
    expect((await loadVariable(path, 'beta1_power')).data[0]).toBeCloseTo(0.9 ** 6, 6);
    const reader = await loadCheckpoint(path);
    // As TensorFlow writes it: without the count of steps.
    const { restoreAll, saveablesOf } = await import('../../../js/src/train/session/saveables.js');
    const bare = {
      path, entries: new Map([...reader.entries].filter(([name]) => !name.includes('iterations'))),
      hasTensor: (name: string) => bare.entries.has(name), getTensor: (name: string) => reader.getTensor(name),
    };
    a.resume(0);
    b.resume(0);
    await restoreAll(saveablesOf(graph), bare as never);
    expect([a.iterations, b.iterations]).toEqual([5, 2]);
    tf.dispose(w);
    a.dispose();
    b.dispose();
  });
});
