// The optimizers beside TensorFlow.js's own, step for step.
import { createRequire } from 'node:module';
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type * as Theirs from '@tensorflow/tfjs';
import * as tf from '../../js/src/index.js';

type Make = (train: typeof tf.train) => tf.Optimizer;

const rows: [string, Make][] = [
  ['sgd', (t) => t.sgd(0.1)],
  ['momentum', (t) => t.momentum(0.1, 0.7)],
  ['momentum, Nesterov', (t) => t.momentum(0.1, 0.7, true)],
  ['adagrad', (t) => t.adagrad(0.1, 0.3)],
  ['adadelta', (t) => t.adadelta(0.5, 0.8, 1e-3)],
  ['adam', (t) => t.adam(0.1, 0.8, 0.95)],
  ['adamax', (t) => t.adamax(0.1, 0.8, 0.9, 1e-6, 0.1)],
  ['rmsprop', (t) => t.rmsprop(0.05, 0.8, 0.5)],
  ['rmsprop, centered', (t) => t.rmsprop(0.05, 0.8, 0.5, 1e-4, true)],
];

let theirs: typeof Theirs;
beforeAll(async () => {
  theirs = createRequire(import.meta.url)('@tensorflow/tfjs') as typeof Theirs;
  await theirs.setBackend('cpu');
});

const start = [1, -2, 0.5, 3, -0.25];
const scale = [1, 0.5, 2, 0.25, 3];

/** The variable after each of `steps` steps down sum(scale x^2). */
function descend(api: typeof tf, optimizer: tf.Optimizer, steps: number, from = start): number[][] {
  const initial = api.tensor1d(from);
  const x = api.variable(initial);
  const cost = (): tf.Scalar => api.tidy(() => api.sum(api.mul(scale, api.mul(x, x))));
  const path: number[][] = [];
  for (let i = 0; i < steps; i++) {
    optimizer.minimize(cost, false, [x]);
    path.push(Array.from(x.dataSync()));
  }
  api.dispose([initial, x]);
  return path;
}

describe.each(rows)('%s', (_, make) => {
  test("goes TensorFlow.js's way and leaves nothing behind", () => {
    const before = tf.memory().numTensors;
    const ours = make(tf.train);
    const reference = make(theirs.train as unknown as typeof tf.train);
    const path = descend(tf, ours, 5);
    const expected = descend(theirs as unknown as typeof tf, reference, 5);
    path.forEach((values, step) => values.forEach((v, i) => expect(v).toBeCloseTo(expected[step]![i]!, 5)));
    expect(ours.iterations).toBe(5);
    expect(ours.getConfig()).toEqual(reference.getConfig());
    ours.dispose();
    reference.dispose();
    expect(tf.memory().numTensors).toBe(before);
  });

  test('goes on from saved weights as if nothing had happened', async () => {
    const whole = make(tf.train);
    const path = descend(tf, whole, 4);
    const first = make(tf.train);
    const half = descend(tf, first, 2);
    const weights = await first.getWeights();
    const second = make(tf.train);
    await second.setWeights(weights);
    const rest = descend(tf, second, 2, half[1]);
    rest[1]!.forEach((v, i) => expect(v).toBeCloseTo(path[3]![i]!, 6));
    expect(second.iterations).toBe(4);
    weights[0]!.tensor.dispose();
    for (const optimizer of [whole, first, second]) optimizer.dispose();
  });

  test('its config makes another like it', () => {
    const optimizer = make(tf.train);
    const type = optimizer.constructor as unknown as { fromConfig(c: unknown, config: unknown): tf.Optimizer };
    const again = type.fromConfig(type, optimizer.getConfig());
    expect(again.getConfig()).toEqual(optimizer.getConfig());
    expect(again.getClassName()).toBe(optimizer.getClassName());
    expect(again).toBeInstanceOf(tf.Optimizer);
    optimizer.dispose();
    again.dispose();
  });
});

describe('Optimizer', () => {
  afterEach(() => {
    tf.disposeVariables();
  });

  test('applies gradients given by name, as a map or a list', () => {
    const [a, b, g] = [tf.scalar(1), tf.scalar(2), tf.scalar(10)];
    const [va, vb] = [tf.variable(a, true, 'a'), tf.variable(b, true, 'b')];
    const optimizer = tf.train.sgd(0.1);
    optimizer.applyGradients({ a: g });
    optimizer.applyGradients([{ name: 'b', tensor: g }, { name: 'a', tensor: null as never }]);
    expect([va.arraySync(), vb.arraySync(), optimizer.iterations]).toEqual([0, 1, 2]);
    expect(() => optimizer.applyGradients({ c: g })).toThrow("applyGradients: no variable is named 'c'");
    tf.dispose([a, b, g]);
  });

  test('a failing cost leaves nothing behind', () => {
    const x = tf.scalar(1);
    const v = x.variable();
    const optimizer = tf.train.adam(0.1);
    const before = tf.memory().numTensors;
    expect(() => optimizer.minimize(() => {
      v.square();
      throw new Error('mine');
    })).toThrow('mine');
    expect(() => optimizer.minimize(() => tf.scalar(1))).toThrow('Cannot find a connection between any variable and the result of the loss function');
    expect(tf.memory().numTensors).toBe(before);
    expect(tf.engine().isTapeOn()).toBe(false);
    optimizer.dispose();
    x.dispose();
  });

  test('weights of another optimizer are ignored aloud', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
    const iter = tf.scalar(3, 'int32');
    const acc = tf.tensor1d([1]);
    const optimizer = tf.train.adam();
    await optimizer.setWeights([{ name: 'iter', tensor: iter }, { name: 'x/accumulator', tensor: acc }]);
    expect(optimizer.iterations).toBe(3);
    expect(warn.mock.calls.flat().join()).toContain("what is given for 'x' (accumulator) is not Adam's (m, v)");
    await expect(optimizer.setWeights([])).rejects.toThrow("the first weight must be 'iter'");
    warn.mockRestore();
    optimizer.dispose();
    tf.dispose([iter, acc]);
  });

  test('its own weights can be set again', async () => {
    const [first, second] = [tf.train.adam(0.1), tf.train.adam(0.1)];
    const [a, b] = [tf.tensor1d(start), tf.tensor1d(start)];
    const [va, vb] = [tf.variable(a), tf.variable(b)];
    const step = (optimizer: tf.Optimizer, v: tf.Variable): unknown => optimizer.minimize(() => v.square().sum() as tf.Scalar, false, [v]);
    for (const [optimizer, v] of [[first, va], [second, vb]] as const) {
      step(optimizer, v);
      step(optimizer, v);
    }
    const before = tf.memory().numTensors;
    const weights = await first.getWeights();
    await first.setWeights(weights);
    weights[0]!.tensor.dispose();
    expect(tf.memory().numTensors).toBe(before);
    step(first, va);
    step(second, vb);
    expect(va.arraySync()).toEqual(vb.arraySync());
    expect(tf.memory().numTensors).toBe(before);
    tf.dispose([a, b]);
    first.dispose();
    second.dispose();
  });

  test('a new variable of a disposed one\'s name starts anew', async () => {
    const optimizer = tf.train.momentum(0.1, 0.9);
    const one = tf.scalar(1);
    const gradient = tf.scalar(2);
    const before = tf.memory().numTensors;
    for (let i = 0; i < 5; i++) {
      const v = tf.variable(one, true, 'w');
      optimizer.applyGradients({ w: gradient });
      expect(v.arraySync()).toBeCloseTo(0.8, 6);
      const [iter, momentum] = await optimizer.getWeights();
      iter!.tensor.dispose();
      expect([momentum!.name, momentum!.tensor.arraySync()]).toEqual(['w/momentum', 2]);
      v.dispose();
    }
    // The last one's momentum stays until there is another variable.
    expect(tf.memory().numTensors).toBe(before + 1);
    optimizer.dispose();
    expect(tf.memory().numTensors).toBe(before - 1);
    tf.dispose([one, gradient]);
  });

  test('slots of disposed variables go when another comes', () => {
    const optimizer = tf.train.adam(0.1);
    const one = tf.scalar(1);
    const stays = tf.variable(one, true, 'stays');
    const before = tf.memory().numTensors;
    for (let i = 0; i < 10; i++) {
      const v = tf.variable(one, true, `w${i}`);
      optimizer.applyGradients({ stays: one, [`w${i}`]: one });
      v.dispose();
      expect(tf.memory().numTensors).toBe(before + 4);
    }
    expect(() => optimizer.applyGradients({ stays: one, gone: one })).toThrow("no variable is named 'gone'");
    expect(optimizer.iterations).toBe(10);
    stays.dispose();
    optimizer.dispose();
    expect(tf.memory().numTensors).toBe(before - 1);
    one.dispose();
  });

  test('a learning rate is needed', () => {
    expect(() => tf.train.rmsprop(undefined as never)).toThrow('learningRate for RMSPropOptimizer must be defined.');
  });
});
