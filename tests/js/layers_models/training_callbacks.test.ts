// Callbacks: what is called when and with what, stopping, yielding, errors.
import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { nextTask } from '../../../js/src/layers/training/yielding.js';
import { theirs as untyped, useCpu } from './beside_tfjs.js';

type Api = typeof tf;
const theirs = untyped as unknown as Api;

// TensorFlow.js takes its time where many tests run at once.
jest.setTimeout(60_000);

beforeAll(useCpu);

let x: tf.Tensor2D;
let y: tf.Tensor2D;
let model: tf.Sequential;

function make(api: Api): tf.Sequential {
  const made = api.sequential({ layers: [api.layers.dense({ units: 1, inputShape: [1], kernelInitializer: 'zeros' })] });
  made.compile({ optimizer: api.train.sgd(0.1), loss: 'meanSquaredError', metrics: ['mae'] });
  return made;
}

/** Every method of a callback, written down as it is called. */
function recorder(): { calls: [string, ...unknown[]][]; args: tf.CustomCallbackArgs } {
  const calls: [string, ...unknown[]][] = [];
  const note = (name: string) => async (...args: unknown[]) => {
    calls.push([name, ...args.map((a) => (typeof a === 'object' && a !== null ? { ...a } : a))]);
  };
  return {
    calls,
    args: {
      onTrainBegin: note('trainBegin'), onTrainEnd: note('trainEnd'), onEpochBegin: note('epochBegin'),
      onEpochEnd: note('epochEnd'), onBatchBegin: note('batchBegin'), onBatchEnd: note('batchEnd'),
    },
  };
}

describe('callbacks', () => {
  beforeEach(() => {
    x = tf.tensor2d([[1], [2], [3], [4], [5]]);
    y = tf.tensor2d([[2], [4], [6], [8], [10]]);
    model = make(tf);
  });
  afterEach(() => {
    model.dispose();
    tf.dispose([x, y]);
  });

  test.each([
    [{ onEpochEnd: 3 }, 'callbacks: onEpochEnd must be a function, got 3'],
    [[{ onBatchBegin: 'log' }], "callbacks: onBatchBegin must be a function, got 'log'"],
    [{ nowFunc: {} }, 'callbacks: nowFunc must be a function, got'],
    ['log', 'callbacks: a callback must be a tf.Callback or an object of functions, got '],
  ])('that are no functions: %j', async (callbacks, message) => {
    const before = tf.memory().numTensors;
    await expect(model.fit(x, y, { callbacks: callbacks as never, verbose: 0 })).rejects.toThrow(message);
    expect(() => new tf.CustomCallback({ onTrainEnd: false as never })).toThrow('onTrainEnd must be a function, got false');
    await model.fit(x, y, { callbacks: { onEpochEnd: null as never, onYield: undefined as never }, verbose: 0 });
    expect(tf.memory().numTensors).toBe(before);
  });

  test("are called in TensorFlow.js's order with its logs", async () => {
    const args: tf.ModelFitArgs = { epochs: 2, batchSize: 2, shuffle: false, verbose: 0, validationSplit: 0.4, initialEpoch: 0 };
    const ours = recorder();
    await model.fit(x, y, { ...args, callbacks: ours.args });
    const reference = recorder();
    const their = make(theirs);
    const [a, b] = [theirs.tensor2d(x.arraySync()), theirs.tensor2d(y.arraySync())];
    await their.fit(a, b, { ...args, callbacks: reference.args });
    theirs.dispose([a, b]);
    their.dispose();
    expect(ours.calls.map(([name, i]) => [name, typeof i === 'number' ? i : undefined]))
      .toEqual(reference.calls.map(([name, i]) => [name, typeof i === 'number' ? i : undefined]));
    ours.calls.forEach(([name, , logs], i) => {
      if (name !== 'batchEnd' && name !== 'epochEnd') return;
      const expected = reference.calls[i]![2] as Record<string, number>;
      expect(Object.keys(logs as object).sort()).toEqual(Object.keys(expected).sort());
      for (const [key, value] of Object.entries(logs as Record<string, number>)) expect(value).toBeCloseTo(expected[key]!, 4);
    });
    // Unlike TensorFlow.js's, as its documentation says.
    expect(ours.calls.find(([name]) => name === 'batchBegin')).toEqual(['batchBegin', 0, { batch: 0, size: 2 }]);
  });

  test('know their parameters, their model and the history', async () => {
    class Mine extends tf.Callback {
      seen: unknown;
      override onTrainBegin(): void {
        this.seen = [this.params, this.model];
      }
    }
    const mine = new Mine();
    const history = await model.fit(x, y, { epochs: 3, initialEpoch: 1, batchSize: 2, validationSplit: 0.4, verbose: 0, callbacks: [mine] });
    expect(mine.seen).toEqual([{
      epochs: 3, initialEpoch: 1, samples: 3, steps: 2, batchSize: 2, verbose: 0, doValidation: true,
      metrics: ['loss', 'mae', 'val_loss', 'val_mae'],
    }, model]);
    expect(history).toBeInstanceOf(tf.History);
    expect(model.history).toBe(history);
    expect(history.epoch).toEqual([1, 2]);
    expect(Object.keys(history.history)).toEqual(['loss', 'mae', 'val_loss', 'val_mae']);
  });

  test('several are awaited one after the other, of every kind', async () => {
    const order: string[] = [];
    const slow = { onEpochEnd: async () => { await nextTask(); order.push('slow'); } };
    class Quick extends tf.BaseCallback {
      override onEpochEnd(): void { order.push('quick'); }
    }
    await model.fit(x, y, { verbose: 0, callbacks: [slow, new Quick(), { onEpochEnd: () => { order.push('last'); } }] });
    expect(order).toEqual(['slow', 'quick', 'last']);
    await expect(model.fit(x, y, { callbacks: ['oops'] as never })).rejects.toThrow('a callback must be a tf.Callback');
  });

  test('registered ones are made for every fit that says enough', async () => {
    let made = 0;
    class Counted extends tf.Callback {
      constructor() {
        super();
        made++;
      }
    }
    tf.registerCallbackConstructor(2, Counted);
    try {
      await model.fit(x, y, { verbose: 1 });
      expect(made).toBe(0);
      await model.fit(x, y, { verbose: 2 });
      expect(made).toBe(1);
      expect(() => tf.registerCallbackConstructor(1, Counted)).toThrow('Duplicate callback constructor.');
    } finally {
      tf.unregisterCallbackConstructor(Counted);
    }
    expect(() => tf.registerCallbackConstructor(-1, Counted)).toThrow('Verbosity level is expected to be an integer >= 0, but got -1');
    await model.fit(x, y, { verbose: 2 });
    expect(made).toBe(1);
  });

  describe('stopTraining', () => {
    const names = (calls: [string, ...unknown[]][]): unknown[] => calls.map(([name, i]) => (typeof i === 'number' ? `${name} ${i}` : name));

    test('in a batch ends the epoch without validation', async () => {
      const { calls, args } = recorder();
      const onBatchEnd = args.onBatchEnd!;
      args.onBatchEnd = async (batch, logs) => {
        await onBatchEnd(batch, logs);
        if (batch === 0) model.stopTraining = true;
      };
      const { history } = await model.fit(x, y, { epochs: 3, batchSize: 2, verbose: 0, callbacks: args, validationData: [x, y] });
      expect(names(calls)).toEqual(['trainBegin', 'epochBegin 0', 'batchBegin 0', 'batchEnd 0', 'epochEnd 0', 'trainEnd']);
      expect(Object.keys(history)).toEqual(['loss', 'mae']);
    });

    test('in the last batch still validates', async () => {
      const { history } = await model.fit(x, y, {
        epochs: 3, batchSize: 2, verbose: 0, validationData: [x, y],
        callbacks: { onBatchEnd: (batch) => { if (batch === 2) model.stopTraining = true; } },
      });
      expect(history['val_loss']).toHaveLength(1);
    });

    test('after an epoch ends training, and the next fit begins anew', async () => {
      const stop = { onEpochEnd: (epoch: number) => { model.stopTraining = epoch >= 1; } };
      expect((await model.fit(x, y, { epochs: 5, verbose: 0, callbacks: stop })).epoch).toEqual([0, 1]);
      expect((await model.fit(x, y, { epochs: 2, verbose: 0 })).epoch).toEqual([0, 1]);
    });
  });

  describe('early stopping', () => {
    const logs = [3, 2, 2.5, 2.05, 1.99, 1.98];
    /** The epoch it stops at when the monitored value takes its way. */
    async function stopsAt(args: tf.EarlyStoppingCallbackArgs, values: number[] = logs): Promise<number | undefined> {
      const early = tf.callbacks.earlyStopping({ monitor: 'v', ...args });
      const fake = { stopTraining: false, weights: [] };
      early.setModel(fake as never);
      early.onTrainBegin();
      for (const [epoch, v] of values.entries()) {
        early.onEpochEnd(epoch, { v });
        if (fake.stopTraining) return epoch;
      }
      return undefined;
    }

    test.each<[tf.EarlyStoppingCallbackArgs, number | undefined]>([
      [{}, 2], [{ patience: 2 }, 3], [{ patience: 3 }, undefined], [{ minDelta: 0.1, patience: 3 }, 4],
      [{ mode: 'max' }, 1], [{ baseline: 1.985, patience: 5 }, 4], [{ baseline: 1.985, patience: 6 }, undefined],
    ])('%j', async (args, epoch) => {
      expect(await stopsAt(args)).toBe(epoch);
    });

    test("acts as TensorFlow.js's own in fit", async () => {
      // Diverges at once: the loss grows.
      const run = async (api: Api): Promise<number[]> => {
        const m = make(api);
        m.compile({ optimizer: api.train.sgd(1), loss: 'meanSquaredError' });
        const [a, b] = [api.tensor2d(x.arraySync()), api.tensor2d(y.arraySync())];
        const { epoch } = await m.fit(a, b, {
          epochs: 9, verbose: 0, shuffle: false, validationData: [a, b],
          callbacks: api.callbacks.earlyStopping({ patience: 2 }),
        });
        api.dispose([a, b]);
        m.dispose();
        return epoch;
      };
      expect(await run(tf)).toEqual(await run(theirs));
    });

    test('gives the best weights back', async () => {
      model.compile({ optimizer: tf.train.sgd(1), loss: 'meanSquaredError' });
      const before = model.getWeights().map((w) => w.dataSync()[0]);
      const first: (number | undefined)[][] = [];
      await model.fit(x, y, {
        epochs: 9, verbose: 0, shuffle: false, callbacks: [
          new tf.EarlyStopping({ monitor: 'loss', patience: 1, restoreBestWeights: true }),
          { onEpochEnd: () => { first.push(model.getWeights().map((w) => w.dataSync()[0])); } },
        ],
      });
      expect(first).toHaveLength(2);
      expect(first[0]).not.toEqual(before);
      // The loss of an epoch is that of the weights before its last step; what
      // is kept are those after the best epoch, as in Keras.
      expect(model.getWeights().map((w) => w.dataSync()[0])).toEqual(first[0]);
    });

    test('warns of what the logs do not have, and of modes', async () => {
      const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
      try {
        await model.fit(x, y, { verbose: 0, callbacks: tf.callbacks.earlyStopping() });
        expect(warn).toHaveBeenCalledWith('Metric for EarlyStopping val_loss is not available. Available metrics are: loss, mae');
        expect(new tf.EarlyStopping({ monitor: 'val_acc', mode: 'most' as never }).mode).toBe('max');
        expect(warn).toHaveBeenCalledTimes(2);
      } finally {
        warn.mockRestore();
      }
    });

    test('says that it stopped', async () => {
      const log = jest.spyOn(console, 'log').mockImplementation(() => {});
      try {
        model.compile({ optimizer: tf.train.sgd(1), loss: 'meanSquaredError' });
        await model.fit(x, y, { epochs: 4, verbose: 0, callbacks: tf.callbacks.earlyStopping({ monitor: 'loss', verbose: 1 }) });
        expect(log).toHaveBeenCalledWith('Epoch 1: early stopping.');
      } finally {
        log.mockRestore();
      }
    });
  });

  describe('yielding', () => {
    /** Batches after which training yields, when each takes `ms`. */
    async function yields(yieldEvery: tf.YieldEveryOptions, ms: number, epochs = 2): Promise<string[]> {
      let now = 0;
      const seen: string[] = [];
      await model.fit(x, y, {
        epochs, batchSize: 1, verbose: 0, yieldEvery, callbacks: {
          nowFunc: () => now,
          nextFrameFunc: async () => { seen.push('frame'); },
          onBatchEnd: () => { now += ms; },
          onYield: (epoch, batch, logs) => { seen.push(`${epoch}.${batch} ${Object.keys(logs!).join()}`); },
        },
      });
      return seen.filter((s) => s !== 'frame').map((s) => s.split(' ')[0]!);
    }

    test.each<[tf.YieldEveryOptions, number, string[]]>([
      ['batch', 1, ['0.0', '0.1', '0.2', '0.3', '0.4', '1.0', '1.1', '1.2', '1.3', '1.4']],
      ['epoch', 1, ['0.4', '1.4']],
      [30, 10, ['0.2', '1.0', '1.3']],
      [0, 1, ['0.0', '0.1', '0.2', '0.3', '0.4', '1.0', '1.1', '1.2', '1.3', '1.4']],
      // Before the next batch would make it more than 30 ms.
      ['auto', 10, ['0.1', '0.3', '1.0', '1.2', '1.4']],
      ['auto', 100, ['0.0', '0.1', '0.2', '0.3', '0.4', '1.0', '1.1', '1.2', '1.3', '1.4']],
      ['auto', 1, []],
    ])('%s with batches of %d ms', async (every, ms, expected) => {
      expect(await yields(every, ms)).toEqual(expected);
    });

    test('never', async () => {
      const frame = jest.fn(async () => {});
      await model.fit(x, y, { batchSize: 1, verbose: 0, yieldEvery: 'never', callbacks: { nextFrameFunc: frame } });
      expect(frame).not.toHaveBeenCalled();
      await expect(model.fit(x, y, { yieldEvery: 'never', callbacks: { onYield: () => {} } }))
        .rejects.toThrow('yieldEvery is `never` but you provided an `onYield` callback.');
    });

    test.each([-1, NaN, 'sometimes', true])('%s is refused', async (every) => {
      await expect(model.fit(x, y, { yieldEvery: every as never })).rejects.toThrow(/yieldEvery must be 'auto'/);
    });

    test('also happens with classes as callbacks, in validation, and lets other tasks run', async () => {
      let ticks = 0;
      let ended = false;
      const tick = (): void => {
        ticks++;
        if (!ended) setTimeout(tick);
      };
      setTimeout(tick);
      class Nothing extends tf.Callback {}
      const busy = { onBatchEnd: () => { const end = performance.now() + 12; while (performance.now() < end); } };
      await model.fit(x, y, { epochs: 3, batchSize: 1, verbose: 0, callbacks: [new Nothing(), busy] });
      ended = true;
      expect(ticks).toBeGreaterThan(2);
    });

    test('no task is longer than 50 ms when batches are not', async () => {
      // A clock of its own: the machine may be busy.
      let now = 0;
      let since = 0;
      const tasks: number[] = [];
      await model.fit(x, y, {
        epochs: 40, batchSize: 1, verbose: 0, validationSplit: 0.2, callbacks: {
          nowFunc: () => now,
          nextFrameFunc: async () => { tasks.push(now - since); since = now; },
          onBatchEnd: (batch) => { now += 3 + (batch * 7) % 5; },
        },
      });
      expect(tasks.length).toBeGreaterThan(15);
      expect(Math.max(...tasks)).toBeLessThanOrEqual(50);
    });
  });
});
