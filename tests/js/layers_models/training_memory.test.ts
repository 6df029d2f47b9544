// What training leaves: exactly what the user holds, however it ends.
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { nextTask } from '../../../js/src/layers/training/yielding.js';

const count = (): number => tf.memory().numTensors;

jest.setTimeout(60_000);

describe('memory', () => {
  let x: tf.Tensor2D;
  let y: tf.Tensor2D;
  let model: tf.Sequential;

  const compile = (m: tf.LayersModel, optimizer: string | tf.Optimizer = 'adam'): void =>
    m.compile({ optimizer, loss: 'categoricalCrossentropy', metrics: ['accuracy', 'mse'] });
  const build = (): tf.Sequential => tf.sequential({ layers: [
    tf.layers.dense({ units: 4, activation: 'relu', inputShape: [3], kernelRegularizer: 'l2' }),
    tf.layers.dropout({ rate: 0.25 }),
    tf.layers.dense({ units: 2, activation: 'softmax' }),
  ] });
  const labels = (): tf.Tensor2D => tf.tidy(() =>
    tf.oneHot(tf.tensor1d([0, 1, 0, 1, 0, 1, 0, 1, 0, 1], 'int32'), 2).toFloat()) as tf.Tensor2D;

  beforeEach(() => {
    x = tf.ones([10, 3]);
    y = labels();
    model = build();
    compile(model);
  });
  afterEach(() => {
    if (!model.isDisposed) model.dispose();
    tf.dispose([x, y]);
  });

  test('tensors and the heap are flat over 100 epochs', async () => {
    const seen: number[] = [];
    const heap: number[] = [];
    await model.fit(x, y, {
      epochs: 100, batchSize: 4, verbose: 0, validationSplit: 0.2, classWeight: { 0: 1, 1: 2 },
      callbacks: { onEpochEnd: () => { seen.push(count()); heap.push(tf.memory().heapBytes); } },
    });
    expect(seen).toHaveLength(100);
    expect(new Set(seen).size).toBe(1);
    expect(new Set(heap.slice(2)).size).toBe(1);
  });

  test('fit leaves the optimizer\'s memory and nothing else', async () => {
    const before = count();
    await model.fit(x, y, { batchSize: 4, verbose: 0 });
    // Adam remembers two numbers for each of the four weights.
    const after = before + 2 * 4;
    expect(count()).toBe(after);
    await model.fit(x, y, { epochs: 3, verbose: 0, shuffle: false, validationData: [x, y] });
    await model.fitDataset([{ xs: x, ys: y }], { epochs: 2, verbose: 0, validationData: [{ xs: x, ys: y }] });
    await model.trainOnBatch(x, y);
    expect(count()).toBe(after);
    const { numDisposedVariables, refCountAfterDispose } = model.dispose();
    expect([numDisposedVariables, refCountAfterDispose]).toEqual([12, 0]);
    expect(count()).toBe(before - 4);
  });

  test('100 models, trained and disposed, leave nothing', async () => {
    const before = count();
    let heap = 0;
    for (let i = 0; i < 100; i++) {
      const one = build();
      compile(one);
      await one.fit(x, y, { batchSize: 5, verbose: 0, validationSplit: 0.5 });
      one.dispose();
      if (i === 5) heap = tf.memory().heapBytes;
    }
    expect(count()).toBe(before);
    expect(tf.memory().heapBytes).toBe(heap);
  });

  test('an optimizer of the user\'s stays his', async () => {
    const optimizer = tf.train.momentum(0.1, 0.9);
    const before = count();
    compile(model, optimizer);
    expect(model.isOptimizerOwned).toBe(false);
    await model.fit(x, y, { verbose: 0 });
    model.dispose();
    expect(count()).toBe(before);
    expect(optimizer.iterations).toBe(1);
    optimizer.dispose();
    expect(count()).toBe(before - 5);
  });

  test('compiling again frees the optimizer that compile made, setting another too', async () => {
    const before = count();
    await model.fit(x, y, { verbose: 0 });
    compile(model, 'sgd');
    expect(count()).toBe(before);
    compile(model);
    await model.fit(x, y, { verbose: 0 });
    const mine = tf.train.adam();
    model.optimizer = mine;
    expect(model.optimizer).toBe(mine);
    expect(count()).toBe(before);
    await model.fit(x, y, { verbose: 0 });
    mine.dispose();
    expect(count()).toBe(before);
  });

  const ends: [string, (n: number) => tf.ModelFitArgs['callbacks']][] = [
    ['a batch', (n) => ({ onBatchEnd: (b) => { if (b === n) throw new Error('enough'); } })],
    ['the begin of a batch', (n) => ({ onBatchBegin: (b) => { if (b === n) throw new Error('enough'); } })],
    ['an epoch', () => ({ onEpochEnd: async () => { throw new Error('enough'); } })],
    ['the begin', () => ({ onTrainBegin: () => { throw new Error('enough'); } })],
    ['the end', () => ({ onTrainEnd: () => { throw new Error('enough'); } })],
    ['a yield', () => ({ onYield: () => { throw new Error('enough'); } })],
  ];
  test.each(ends)('an error in a callback at %s leaves nothing', async (_, callbacks) => {
    await model.fit(x, y, { verbose: 0 });
    const before = count();
    const args: tf.ModelFitArgs = { batchSize: 4, verbose: 0, yieldEvery: 'batch', validationSplit: 0.2, callbacks: callbacks(1)! };
    await expect(model.fit(x, y, args)).rejects.toThrow('enough');
    expect(count()).toBe(before);
    expect(model.isTraining).toBe(false);
    await model.fit(x, y, { verbose: 0 });
    expect(count()).toBe(before);
  });

  test('an error in a layer, a loss, a metric or the optimizer leaves nothing', async () => {
    class Broken extends tf.SGDOptimizer {
      override applyGradients(): void { throw new Error('broken'); }
    }
    const broken = (): never => { throw new Error('broken'); };
    const before = count();
    for (const args of [
      { optimizer: new Broken(0.1), loss: 'categoricalCrossentropy' },
      { optimizer: 'sgd', loss: (a: tf.Tensor, b: tf.Tensor) => { a.sub(b).square(); return broken(); } },
      { optimizer: 'sgd', loss: 'categoricalCrossentropy', metrics: [(a: tf.Tensor) => { a.square(); return broken(); }] },
    ]) {
      model.compile(args);
      await expect(model.fit(x, y, { verbose: 0 })).rejects.toThrow('broken');
      expect(() => model.trainStep(x, y)).toThrow('broken');
      await expect(model.trainOnBatch(x, y)).rejects.toThrow('broken');
      expect(count()).toBe(before);
    }
    expect(() => model.evaluate(x, y)).toThrow('broken');
    expect(count()).toBe(before);
    class Fails extends tf.layers.Layer {
      static override className = 'Fails';
      override call(inputs: tf.Tensor | tf.Tensor[]): tf.Tensor {
        tf.square(Array.isArray(inputs) ? inputs[0]! : inputs);
        return broken();
      }
    }
    const failing = tf.sequential({ layers: [tf.layers.dense({ units: 2, inputShape: [3] }), new Fails({})] });
    compile(failing);
    const held = count();
    await expect(failing.fit(x, y, { verbose: 0 })).rejects.toThrow('broken');
    expect(() => failing.predict(x)).toThrow('broken');
    expect(count()).toBe(held);
    failing.dispose();
  });

  test('stopping in the middle leaves nothing', async () => {
    await model.fit(x, y, { verbose: 0 });
    const before = count();
    await model.fit(x, y, {
      epochs: 5, batchSize: 2, verbose: 0, validationSplit: 0.2,
      callbacks: [
        new tf.EarlyStopping({ monitor: 'loss', restoreBestWeights: true }),
        { onBatchEnd: (batch) => { if (batch === 2) model.stopTraining = true; } },
      ],
    });
    expect(count()).toBe(before);
  });

  test('an error after the best weights were kept leaves none of them', async () => {
    await model.fit(x, y, { verbose: 0 });
    const before = count();
    let epochs = 0;
    const early = new tf.EarlyStopping({ monitor: 'loss', patience: 9, restoreBestWeights: true });
    await expect(model.fit(x, y, {
      epochs: 5, verbose: 0, callbacks: [early, { onEpochEnd: () => { if (++epochs === 3) throw new Error('enough'); } }],
    })).rejects.toThrow('enough');
    expect(count()).toBe(before);
  });

  test('fit goes on when its data is freed, or the scope it was called in ends', async () => {
    await model.fit(x, y, { verbose: 0 });
    const before = count();
    const fits: Promise<tf.History>[] = [];
    const other = build();
    compile(other, 'sgd');
    const held = count();
    tf.tidy(() => {
      // Made in the scope, which ends long before training does.
      fits.push(model.fit(tf.ones([10, 3]), y.clone(), { epochs: 3, batchSize: 4, verbose: 0, validationSplit: 0.3, yieldEvery: 'batch' }));
      const weights = tf.ones([10]);
      fits.push(other.fit(x.clone(), y.clone(), { epochs: 3, batchSize: 4, verbose: 0, sampleWeight: weights, validationData: [x.clone(), y.clone()], yieldEvery: 'batch' }));
    });
    const [a, b] = await Promise.all(fits);
    expect(a!.history['val_loss']).toHaveLength(3);
    expect(b!.history['val_loss']).toHaveLength(3);
    expect(count()).toBe(held);
    other.dispose();
    expect(count()).toBe(before);
    const copy = x.clone();
    const running = model.fit(copy, y, { epochs: 2, verbose: 0 });
    copy.dispose();
    expect((await running).epoch).toEqual([0, 1]);
    expect(count()).toBe(before);
  });

  test('fit inside a scope that stays open leaves the user\'s tensors in it', async () => {
    await model.fit(x, y, { verbose: 0 });
    const before = count();
    tf.engine().startScope();
    await model.fit(x, y, { epochs: 2, batchSize: 4, verbose: 0, validationSplit: 0.2 });
    const mine = tf.scalar(1);
    expect(mine.isDisposed).toBe(false);
    tf.engine().endScope();
    expect(mine.isDisposed).toBe(true);
    expect(count()).toBe(before);
  });

  test('disposing the model in the middle ends fit with an error and leaves nothing', async () => {
    const before = count();
    await expect(model.fit(x, y, {
      epochs: 3, batchSize: 4, verbose: 0, callbacks: { onBatchEnd: (b) => { if (b === 1) model.dispose(); } },
    })).rejects.toThrow(/disposed/i);
    expect(count()).toBe(before - 4);
  });

  test('two fits of one model are refused, of two models not', async () => {
    const running = model.fit(x, y, { epochs: 2, verbose: 0 });
    await expect(model.fit(x, y)).rejects.toThrow('Cannot start training because another fit() call is ongoing.');
    await expect(model.fitDataset([], { epochs: 1 })).rejects.toThrow('another fit() call is ongoing');
    expect(model.isTraining).toBe(true);
    await running;
    expect(model.isTraining).toBe(false);
  });

  test('the results of steps, evaluate and predict are all that they leave', () => {
    tf.dispose(model.trainStep(x, y));
    tf.tidy(() => {
      const before = count();
      const step = model.trainStep(x, y);
      expect(Object.keys(step)).toEqual(['loss', 'acc', 'mse']);
      expect(count()).toBe(before + 3);
      const found = model.evaluate(x, y, { batchSize: 3 }) as tf.Scalar[];
      expect(found).toHaveLength(3);
      expect(count()).toBe(before + 6);
      model.predict(x, { batchSize: 3 });
      model.predictOnBatch(x);
      expect(count()).toBe(before + 8);
    });
  });

  test('predictions are the caller\'s, also of a model that gives its input', () => {
    const same = tf.sequential({ layers: [tf.layers.activation({ activation: 'linear', inputShape: [3] })] });
    for (const out of [same.predict(x), same.predictOnBatch(x)] as tf.Tensor[]) {
      expect(out).not.toBe(x);
      expect(Array.from(out.dataSync())).toEqual(Array.from(x.dataSync()));
      out.dispose();
      expect(x.isDisposed).toBe(false);
    }
    same.dispose();
  });

  test('events and callbacks go on while other code opens and closes scopes', async () => {
    const before = count();
    let done = false;
    const other = (async () => {
      while (!done) {
        tf.tidy(() => { tf.ones([3]).square(); });
        await nextTask();
      }
    })();
    await model.fit(x, y, { epochs: 4, batchSize: 2, verbose: 0, yieldEvery: 'batch' });
    done = true;
    await other;
    expect(count()).toBe(before + 8);
  });
});
