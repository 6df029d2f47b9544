// fitDataset and evaluateDataset: what datasets may be, and who frees batches.
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';

const count = (): number => tf.memory().numTensors;

describe('datasets', () => {
  let model: tf.Sequential;
  let warn: jest.SpiedFunction<typeof console.warn>;

  beforeEach(() => {
    warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
    model = tf.sequential({ layers: [tf.layers.dense({ units: 1, kernelInitializer: 'zeros', inputShape: [1] })] });
    model.compile({ optimizer: tf.train.sgd(0), loss: 'meanSquaredError', metrics: ['mae'] });
  });
  afterEach(() => {
    model.dispose();
    warn.mockRestore();
  });

  /** A batch of `n` samples with the label `value`. */
  const batch = (value: number, n = 2): { xs: tf.Tensor; ys: tf.Tensor } => ({ xs: tf.ones([n, 1]), ys: tf.fill([n, 1], value) });

  function* generator(values = [1, 2, 3]): Generator<{ xs: tf.Tensor; ys: tf.Tensor }> {
    for (const value of values) yield batch(value);
  }
  async function* asyncGenerator(): AsyncGenerator<{ xs: tf.Tensor; ys: tf.Tensor }> {
    yield* generator();
  }
  /** As tf.data makes them. */
  const dataset = (values = [1, 2, 3], size: number | null = values.length): object => ({
    size,
    iterator: async () => {
      const inner = generator(values);
      return { next: async () => inner.next() };
    },
  });
  const losses = (values: number[]): number => values.reduce((sum, v) => sum + v * v, 0) / values.length;

  const forms: [string, () => tf.DatasetLike, boolean][] = [
    ['an object with iterator()', () => dataset() as never, true],
    ['a generator', () => generator(), false],
    ['an async generator', () => asyncGenerator(), false],
    ['an iterable', () => ({ [Symbol.iterator]: () => generator() }), true],
    ['an async iterable', () => ({ [Symbol.asyncIterator]: () => asyncGenerator() }), true],
    ['an iterator', () => { const g = generator(); return { next: () => g.next() }; }, false],
    ['lists in place of objects', () => ({
      * [Symbol.iterator]() { for (const { xs, ys } of generator()) yield [xs, ys] as [tf.Data, tf.Data]; },
    }), true],
    ['lists and names inside', () => ({
      * [Symbol.iterator]() { for (const { xs, ys } of generator()) yield { xs: [xs], ys: { [model.outputNames[0]!]: ys } }; },
    }), true],
  ];

  test.each(forms)('%s', async (_, make, again) => {
    const before = count();
    const { history } = await model.fitDataset(make(), { epochs: 1, verbose: 0 });
    expect(history['loss']![0]).toBeCloseTo(losses([1, 2, 3]), 5);
    expect(history['mae']).toEqual([2]);
    const scalars = await model.evaluateDataset(make()) as tf.Scalar[];
    expect(scalars[0]!.arraySync()).toBeCloseTo(losses([1, 2, 3]), 5);
    tf.dispose(scalars);
    const { epoch } = await model.fitDataset(make(), { epochs: 3, verbose: 0 });
    // What can be gone through only once trains for one epoch.
    expect(epoch).toEqual(again ? [0, 1, 2] : [0]);
    expect(warn.mock.calls.flat()).toEqual(again ? [] : [expect.stringContaining('it gave no batch after 1 epoch(s), and training ends.')]);
    expect(count()).toBe(before);
  });

  test('an array of batches stays the user\'s, and so do kept tensors', async () => {
    const batches = [batch(1), batch(2)];
    const { history } = await model.fitDataset(batches, { epochs: 3, verbose: 0 });
    expect(history['loss']).toEqual([2.5, 2.5, 2.5]);
    const kept = tf.keep(tf.ones([2, 1]));
    const again = { * [Symbol.iterator]() { for (let i = 0; i < 3; i++) yield { xs: kept, ys: kept }; } };
    expect((await model.fitDataset(again, { epochs: 2, verbose: 0 })).history['loss']).toEqual([1, 1]);
    expect(kept.isDisposed).toBe(false);
    tf.dispose([batches, kept]);
  });

  test('batches of other sizes count by their samples; samples have weights', async () => {
    function* uneven(): Generator<tf.DatasetBatch> {
      yield batch(1, 3);
      yield batch(3, 1);
    }
    expect((await model.fitDataset(uneven(), { epochs: 1, verbose: 0 })).history['loss']).toEqual([3]);
    function* weighted(): Generator<tf.DatasetBatch> {
      yield { ...batch(1), sampleWeight: tf.tensor1d([3, 0]) };
      const { xs, ys } = batch(2);
      yield [xs, ys, tf.tensor1d([1, 1])];
    }
    expect((await model.fitDataset(weighted(), { epochs: 1, verbose: 0 })).history['loss']).toEqual([2.75]);
    const { history } = await model.fitDataset(generator(), { epochs: 1, verbose: 0, classWeight: { 1: 2, 2: 0, 3: 1 } });
    expect(history['loss']![0]).toBeCloseTo(11 / 3, 5);
  });

  test('batchesPerEpoch goes on where the last epoch ended', async () => {
    let closed = 0;
    function* endless(): Generator<tf.DatasetBatch> {
      try {
        for (let i = 1; ; i++) yield batch(i);
      } finally {
        closed++;
      }
    }
    const before = count();
    const { history } = await model.fitDataset(endless(), { epochs: 3, batchesPerEpoch: 2, verbose: 0 });
    expect(history['loss']).toEqual([2.5, 12.5, 30.5]);
    expect(closed).toBe(1);
    expect(count()).toBe(before);
  });

  test('a dataset that runs out is told, and an epoch cut short', async () => {
    const { history } = await model.fitDataset(generator(), { epochs: 3, batchesPerEpoch: 2, verbose: 0 });
    expect(history['loss']).toEqual([2.5, 9]);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('it gave 1 of 2 batches of this epoch'));
    tf.dispose(await model.evaluateDataset(generator(), { batches: 5 }));
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('it gave 3 of 5 batches'));
  });

  test('validation by a dataset or by tensors', async () => {
    const [x, y, w] = [tf.ones([4, 1]), tf.fill([4, 1], 2), tf.tensor1d([1, 1, 0, 0])];
    const val = async (args: object): Promise<number[] | undefined> =>
      (await model.fitDataset(dataset() as never, { epochs: 2, verbose: 0, ...args })).history['val_loss'];
    expect(await val({ validationData: dataset([2, 4]) })).toEqual([10, 10]);
    expect(await val({ validationData: dataset([2, 4]), validationBatches: 1 })).toEqual([4, 4]);
    expect(await val({ validationData: [x, y], validationBatchSize: 3 })).toEqual([4, 4]);
    expect(await val({ validationData: [x, y, w] })).toEqual([2, 2]);
    expect(await val({ validationData: [{ xs: x, ys: y }] })).toEqual([4, 4]);
    tf.dispose([x, y, w]);
  });

  test('callbacks know how many batches there are, if the dataset tells', async () => {
    const steps: (number | null)[] = [];
    class Steps extends tf.Callback {
      override onTrainBegin(): void { steps.push(this.params.steps); }
    }
    await model.fitDataset(dataset() as never, { epochs: 1, verbose: 0, callbacks: [new Steps()] });
    await model.fitDataset(dataset([1], null) as never, { epochs: 1, verbose: 0, callbacks: [new Steps()] });
    await model.fitDataset(dataset() as never, { epochs: 1, batchesPerEpoch: 2, verbose: 0, callbacks: [new Steps()] });
    expect(steps).toEqual([3, null, 2]);
  });

  test('stopping in the middle, and errors of dataset and callback, leave nothing', async () => {
    const before = count();
    let closed = 0;
    function* long(): Generator<tf.DatasetBatch> {
      try {
        for (let i = 0; i < 9; i++) yield batch(i);
      } finally {
        closed++;
      }
    }
    const stop = { onBatchEnd: (i: number) => { if (i === 1) model.stopTraining = true; } };
    expect((await model.fitDataset(long(), { epochs: 4, verbose: 0, callbacks: stop })).epoch).toEqual([0]);
    const fail = { onBatchEnd: (i: number) => { if (i === 1) throw new Error('enough'); } };
    await expect(model.fitDataset(long(), { epochs: 4, verbose: 0, callbacks: fail })).rejects.toThrow('enough');
    const early = { onBatchBegin: () => { throw new Error('early'); } };
    await expect(model.fitDataset(long(), { epochs: 4, verbose: 0, callbacks: early })).rejects.toThrow('early');
    expect(closed).toBe(3);
    function* broken(): Generator<tf.DatasetBatch> {
      yield batch(1);
      throw new Error('no more');
    }
    await expect(model.fitDataset(broken(), { epochs: 1, verbose: 0 })).rejects.toThrow('no more');
    await expect(model.evaluateDataset(broken())).rejects.toThrow('no more');
    await expect(model.fitDataset(generator(), { epochs: 1, verbose: 0, validationData: { iterator: broken } })).rejects.toThrow('no more');
    expect(count()).toBe(before);
    expect(model.isTraining).toBe(false);
  });

  test('a wrong batch is freed and told', async () => {
    const before = count();
    const of = (...values: unknown[]): never => ({ * [Symbol.iterator]() { yield* values; } }) as never;
    const args = { epochs: 1, verbose: 0 };
    await expect(model.fitDataset(of({ features: tf.ones([1]) }), args)).rejects
      .toThrow('The provided Dataset instead generates an object with the keys features');
    await expect(model.fitDataset(of({ xs: tf.ones([2, 3]), ys: tf.ones([2, 1]) }), args)).rejects.toThrow(/Error when checking input/);
    await expect(model.fitDataset(of({ xs: tf.ones([2, 1]), ys: tf.ones([3, 1]) }), args)).rejects.toThrow('Found 2 input sample(s)');
    await expect(model.evaluateDataset(of({ xs: { wrong: tf.ones([2, 1]) }, ys: tf.ones([2, 1]) }))).rejects.toThrow('No data provided for');
    const twice = batch(1);
    await expect(model.fitDataset(of(twice, twice), args)).rejects.toThrow(/the dataset gave a batch that is disposed/);
    await expect(model.fitDataset(of(), args)).rejects.toThrow('there is nothing to train on: the data gave no batch');
    await expect(model.evaluateDataset([])).rejects.toThrow('the dataset gave no batch');
    expect(count()).toBe(before);
  });

  test('wrong arguments', async () => {
    const fit = (args: object | undefined): Promise<unknown> => model.fitDataset([], args as never);
    await expect(fit(undefined)).rejects.toThrow('For fitDataset(), the 2nd argument (config) is required');
    await expect(fit({})).rejects.toThrow('config.epochs is expected to be a positive integer, but got undefined');
    await expect(fit({ epochs: NaN })).rejects.toThrow('but got NaN');
    await expect(fit({ epochs: 1, batchesPerEpoch: 0 })).rejects.toThrow('config.batchesPerEpoch is expected to be a positive integer');
    await expect(fit({ epochs: 1, validationBatches: -1 })).rejects.toThrow('config.validationBatches');
    await expect(fit({ epochs: 1, validationSplit: 0.1 })).rejects.toThrow('`validationSplit` is not supported by `fitDataset()`');
    await expect(model.fitDataset(3 as never, { epochs: 1 })).rejects.toThrow('the dataset must be iterable or have an iterator() method, got 3');
    await expect(model.fitDataset(null as never, { epochs: 1 })).rejects.toThrow('fitDataset: the dataset must be iterable or have an iterator() method, got null');
    await expect(model.fitDataset(undefined as never, { epochs: 1 })).rejects.toThrow('method, got undefined');
    await expect(model.evaluateDataset(null as never)).rejects.toThrow('evaluateDataset: the dataset must be iterable');
    await expect(fit({ epochs: '2' })).rejects.toThrow("config.epochs is expected to be a positive integer, but got '2'");
    await expect(model.fitDataset({ iterator: () => 1 } as never, { epochs: 1 })).rejects.toThrow('has no next() method');
    await expect(model.evaluateDataset([], { batches: 0 })).rejects.toThrow('batches is required to be a positive integer');
    await expect(fit({ epochs: 1, validationData: [tf.scalar] })).rejects.toThrow('validationData must be a dataset or a list');
  });
});
