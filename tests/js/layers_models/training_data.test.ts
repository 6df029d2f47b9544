// Forms of data, weights, masks, several outputs, validation; and what is refused.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { theirs as untyped, useCpu } from './beside_tfjs.js';

type Api = typeof tf;
const theirs = untyped as unknown as Api;

// TensorFlow.js takes its time where many tests run at once.
jest.setTimeout(60_000);

beforeAll(useCpu);

/** y = 0 for all x: the loss is the mean of the squared labels. */
const zeros = { units: 1, kernelInitializer: 'zeros', useBias: false } as const;
const still = (): tf.SGDOptimizer => tf.train.sgd(0);
const xs = [[1], [2], [3], [4]];
const ys = [[1], [2], [3], [5]];

function single(): tf.Sequential {
  const model = tf.sequential({ layers: [tf.layers.dense({ ...zeros, inputShape: [1] })] });
  model.compile({ optimizer: still(), loss: 'meanSquaredError' });
  return model;
}

/** What `run` resolves to; the tensors it makes on the way are freed. */
function scoped<T>(run: () => Promise<T>): Promise<T> {
  let promise: Promise<T>;
  tf.tidy(() => { promise = run(); });
  return promise!;
}

/** Two inputs a and b, two outputs: 0 from a, b itself. */
function double(api: Api = tf): tf.LayersModel {
  const a = api.input({ shape: [1], name: 'a' });
  const b = api.input({ shape: [2], name: 'b' });
  const first = api.layers.dense({ ...zeros, name: 'first' }).apply(a);
  const second = api.layers.activation({ activation: 'linear', name: 'second' }).apply(b);
  return api.model({ inputs: [a, b], outputs: [first, second] as tf.SymbolicTensor[] });
}

describe('outputs and inputs named as what every object has', () => {
  test('are looked up in what was given only', () => {
    const x = tf.input({ shape: [1], name: 'valueOf' });
    const first = tf.layers.dense({ ...zeros, name: 'toString' }).apply(x);
    const second = tf.layers.dense({ ...zeros, name: 'p1' }).apply(x);
    const model = tf.model({ inputs: x, outputs: [first, second] as tf.SymbolicTensor[] });
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
    model.compile({ optimizer: 'sgd', loss: { p1: 'meanSquaredError' }, metrics: { p1: 'mae' }, lossWeights: { p1: 2 } });
    expect(warn.mock.calls.flat().join()).toContain('Output "toString" is missing from loss dictionary');
    warn.mockRestore();
    expect(model.metricsNames).toEqual(['loss', 'p1_loss', 'p1_mae']);
    tf.tidy(() => {
      const y = tf.tensor2d([[3], [3]]);
      const values = model.evaluate({ valueOf: y }, { p1: y }) as tf.Scalar[];
      expect(values.map((v) => v.dataSync()[0])).toEqual([18, 9, 3]);
      expect(() => model.predict({})).toThrow('No data provided for "valueOf"');
    });
    model.compile({ optimizer: 'sgd', loss: 'meanSquaredError', lossWeights: { p1: 2 } });
    tf.tidy(() => {
      const y = tf.tensor2d([[3], [3]]);
      expect((model.evaluate(y, [y, y]) as tf.Scalar[])[0]!.dataSync()[0]).toBe(27);
    });
    model.dispose();
  });
});

describe('one input and one output', () => {
  let model: tf.Sequential;
  let x: tf.Tensor;
  let y: tf.Tensor;
  const lossOf = async (args: tf.ModelFitArgs = {}): Promise<number> =>
    (await model.fit(x, y, { verbose: 0, ...args })).history['loss']![0]!;

  beforeEach(() => {
    model = single();
    x = tf.tensor(xs);
    y = tf.tensor(ys);
  });
  afterEach(() => {
    tf.dispose([x, y]);
    model.dispose();
  });

  test('a tensor, a list, an object by name, a flat tensor', async () => {
    const flat = tf.tensor1d(ys.flat());
    const input = model.inputNames[0]!;
    const output = model.outputNames[0]!;
    for (const [a, b] of [[x, y], [[x], [y]], [{ [input]: x }, { [output]: y }], [flat, flat]] as [tf.Data, tf.Data][]) {
      expect((await model.fit(a, b, { verbose: 0 })).history['loss']).toEqual([39 / 4]);
      expect(await model.trainOnBatch(a, b)).toBe(39 / 4);
      tf.tidy(() => {
        expect((model.evaluate(a, b) as tf.Scalar).arraySync()).toBe(39 / 4);
        expect((model.predict(a) as tf.Tensor).shape).toEqual([4, 1]);
        expect((model.predictOnBatch(a) as tf.Tensor).shape).toEqual([4, 1]);
      });
    }
    flat.dispose();
  });

  test('sample weights', async () => {
    const weights = tf.tensor1d([1, 0, 2, 0]);
    const output = model.outputNames[0]!;
    const expected = (1 + 2 * 9) / 4;
    for (const sampleWeight of [weights, [weights], { [output]: weights }]) {
      expect(await lossOf({ sampleWeight, batchSize: 2 })).toBe(expected);
      tf.tidy(() => expect((model.evaluate(x, y, { sampleWeight, batchSize: 3 }) as tf.Scalar).arraySync()).toBe(expected));
      expect(await model.trainOnBatch(x, y, { sampleWeight })).toBe(expected);
    }
    // Split with the samples.
    const { history } = await model.fit(x, y, { sampleWeight: weights, validationSplit: 0.5, verbose: 0 });
    expect(history).toEqual({ loss: [0.5], val_loss: [9] });
    weights.dispose();
  });

  test('weights decide what is learned', async () => {
    model.compile({ optimizer: tf.train.sgd(0.1), loss: 'meanSquaredError' });
    const both = tf.tensor([[1], [1]]);
    const labels = tf.tensor([[1], [-1]]);
    const weights = tf.tensor1d([0, 1]);
    await model.fit(both, labels, { epochs: 60, sampleWeight: weights, verbose: 0 });
    tf.tidy(() => expect((model.predict(both) as tf.Tensor).dataSync()[0]).toBeCloseTo(-1, 1));
    tf.dispose([both, labels, weights]);
  });

  test("class weights, as TensorFlow.js's", async () => {
    const labels = [[0], [1], [1], [2]];
    const classWeight = { 0: 2, 1: 0.5, 2: 3 };
    const y2 = tf.tensor(labels);
    const their = theirs.sequential({ layers: [theirs.layers.dense({ ...zeros, inputShape: [1] })] });
    their.compile({ optimizer: theirs.train.sgd(0), loss: 'meanSquaredError' });
    const [a, b] = [theirs.tensor(xs), theirs.tensor(labels)];
    const expected = (await their.fit(a, b, { classWeight, verbose: 0, batchSize: 3 })).history['loss']![0]!;
    theirs.dispose([a, b]);
    their.dispose();
    for (const given of [classWeight, [classWeight], { [model.outputNames[0]!]: classWeight }]) {
      const { history } = await model.fit(x, y2, { classWeight: given, verbose: 0, batchSize: 3 });
      expect(history['loss']![0]).toBeCloseTo(expected, 6);
    }
    // They are for training, not for validating.
    const { history } = await model.fit(x, y2, { classWeight, validationSplit: 0.25, verbose: 0 });
    expect(history['val_loss']).toEqual([4]);
    const weights = tf.tensor1d([1, 0, 0, 1]);
    expect((await model.fit(x, y2, { classWeight, sampleWeight: weights, verbose: 0 })).history['loss']).toEqual([12 / 4]);
    await expect(model.fit(x, y2, { classWeight: { 0: 1, 1: 1 } })).rejects
      .toThrow('The class 2 exists in the data but not in classWeight');
    tf.dispose([y2, weights]);
  });

  test('one-hot labels have classes too', async () => {
    const wide = tf.sequential({ layers: [tf.layers.dense({ ...zeros, units: 2, inputShape: [1] })] });
    wide.compile({ optimizer: still(), loss: 'meanSquaredError' });
    const labels = tf.tensor([[1, 0], [0, 1], [0, 1], [1, 0]]);
    const { history } = await wide.fit(x, labels, { classWeight: { 0: 4, 1: 2 }, verbose: 0 });
    expect(history['loss']).toEqual([0.5 * (4 + 2 + 2 + 4) / 4]);
    labels.dispose();
    wide.dispose();
  });

  test.each([
    [0.25, [(1 + 4 + 9) / 3], [25]], [0.5, [2.5], [17]], [0.3, [2.5], [17]], [0.75, [1], [38 / 3]],
  ])('validationSplit %d takes the last samples', async (validationSplit, loss, valLoss) => {
    const { history } = await model.fit(x, y, { validationSplit, verbose: 0, batchSize: 2 });
    expect(history['loss']![0]).toBeCloseTo(loss[0]!, 5);
    expect(history['val_loss']![0]).toBeCloseTo(valLoss[0]!, 5);
  });

  test('validationData in its forms, and how often and how much of it', async () => {
    const w = tf.tensor1d([0, 0, 0, 2]);
    const val = async (args: tf.ModelFitArgs): Promise<number[] | undefined> =>
      (await model.fit(x, y, { verbose: 0, ...args })).history['val_loss'];
    expect(await val({ validationData: [x, y], validationSplit: 0.5 })).toEqual([39 / 4]);
    expect(await val({ validationData: [[x], { [model.outputNames[0]!]: y }] })).toEqual([39 / 4]);
    expect(await val({ validationData: [x, y, w] })).toEqual([50 / 4]);
    expect(await val({ validationData: [x, y], batchSize: 1, validationSteps: 2 })).toEqual([2.5]);
    expect(await val({ validationData: [x, y], epochs: 5, validationFreq: 2 })).toHaveLength(2);
    expect(await val({ validationSplit: 0 })).toBeUndefined();
    w.dispose();
  });

  test('history has training first; a frozen batchNormalization keeps and uses its statistics', async () => {
    const frozen = tf.sequential({ layers: [tf.layers.batchNormalization({ trainable: false, epsilon: 0, inputShape: [1] })] });
    frozen.compile({ optimizer: 'sgd', loss: 'meanSquaredError', metrics: ['mae'] });
    const { history } = await frozen.fit(x, x, { epochs: 2, verbose: 0, validationData: [x, y] });
    expect(Object.keys(history)).toEqual(['loss', 'mae', 'val_loss', 'val_mae']);
    // A mean of 0 and a variance of 1 change nothing.
    expect(history['loss']).toEqual([0, 0]);
    expect(frozen.getWeights().map((w) => w.arraySync())).toEqual([[1], [0], [0], [1]]);
    frozen.dispose();
  });

  test('stepsPerEpoch goes through the data again and again', async () => {
    const seen: (number | undefined)[] = [];
    const args: tf.ModelFitArgs = {
      epochs: 3, batchSize: 1, stepsPerEpoch: 3, shuffle: false, verbose: 0,
      callbacks: { onBatchEnd: (_, logs) => { seen.push(Math.sqrt(logs!['loss']!)); } },
    };
    await model.fit(x, y, args);
    expect(seen).toEqual([1, 2, 3, 5, 1, 2, 3, 5, 1]);
  });

  test('shuffle: new orders of all samples, of batches, or none; the same for the same seed', async () => {
    const orders = async (shuffle: boolean | 'batch', seed = 1, batchSize = 1): Promise<string[]> => {
      tf.keras.utils.set_random_seed(seed);
      const found: string[] = [];
      let epoch: number[] = [];
      await model.fit(x, y, {
        epochs: 12, batchSize, shuffle, verbose: 0,
        callbacks: {
          onBatchEnd: (_, logs) => { epoch.push(logs!['loss']!); },
          onEpochEnd: () => { found.push(epoch.join()); epoch = []; },
        },
      });
      return found;
    };
    expect(new Set(await orders(false))).toEqual(new Set(['1,4,9,25']));
    const random = await orders(true);
    expect(new Set(random).size).toBeGreaterThan(4);
    for (const order of random) expect(order.split(',').map(Number).sort((a, b) => a - b)).toEqual([1, 4, 9, 25]);
    expect(await orders(true)).toEqual(random);
    expect(await orders(true, 2)).not.toEqual(random);
    expect(new Set(await orders('batch', 1, 2))).toEqual(new Set(['2.5,17', '17,2.5']));
  });

  test('whole numbers as inputs and labels', async () => {
    const [a, b] = [tf.tensor2d(xs, [4, 1], 'int32'), tf.tensor2d(ys, [4, 1], 'int32')];
    expect((await model.fit(a, b, { verbose: 0, batchSize: 3 })).history['loss']![0]).toBeCloseTo(39 / 4, 5);
    tf.dispose([a, b]);
  });

  test('no samples', () => {
    tf.tidy(() => {
      expect((model.predict(tf.zeros([0, 1])) as tf.Tensor).shape).toEqual([0, 1]);
      expect((model.evaluate(tf.zeros([0, 1]), tf.zeros([0, 1])) as tf.Scalar).arraySync()).toBeNaN();
    });
  });

  test.each([1, 2, 3, 4, 32])('predict in batches of %d', (batchSize) => {
    tf.tidy(() => {
      model.setWeights([tf.tensor([[2]])]);
      expect((model.predict(x, { batchSize }) as tf.Tensor).arraySync()).toEqual(xs.map(([v]) => [2 * v!]));
    });
  });

  describe('is refused with a reason', () => {
    const rejected: [string, () => Promise<unknown>, string | RegExp][] = [
      ['batchSize NaN', () => model.fit(x, y, { batchSize: NaN }), 'batchSize is required to be a positive integer, but got NaN'],
      ['batchSize 0', () => model.fit(x, y, { batchSize: 0 }), 'batchSize is required to be a positive integer, but got 0'],
      ['batchSize 1.5', () => model.fit(x, y, { batchSize: 1.5 }), 'but got 1.5'],
      ['batchSize as text', () => model.fit(x, y, { batchSize: '3' as never }), "batchSize is required to be a positive integer, but got '3'"],
      ['validationSplit as text', () => model.fit(x, y, { validationSplit: '0.5' as never }), "not 1, got '0.5'"],
      ['epochs NaN', () => model.fit(x, y, { epochs: NaN }), 'epochs is required to be a non-negative integer, but got NaN'],
      ['epochs -1', () => model.fit(x, y, { epochs: -1 }), 'epochs is required to be a non-negative integer, but got -1'],
      ['initialEpoch', () => model.fit(x, y, { initialEpoch: 0.5 }), 'initialEpoch is required'],
      ['stepsPerEpoch', () => model.fit(x, y, { stepsPerEpoch: 0 }), 'stepsPerEpoch is required to be a positive integer'],
      ['validationSteps', () => model.fit(x, y, { validationSteps: NaN, validationData: [x, y] }), 'validationSteps is required'],
      ['validationSplit 1', () => model.fit(x, y, { validationSplit: 1 }), 'validationSplit must be a number from 0 up to 1, but not 1, got 1'],
      ['validationSplit NaN', () => model.fit(x, y, { validationSplit: NaN }), 'validationSplit must be'],
      ['too much validation', () => model.fit(x, y, { validationSplit: 0.99 }), 'validationSplit: 0.99 of 4 sample(s) leaves none to train on'],
      ['validationData of one', () => model.fit(x, y, { validationData: [x] as never }), 'it must contain 2 (valX, valY) or 3'],
      ['no tensor', () => model.fit([[1]] as never, y), /must be a Tensor, got a list of 1/],
      ['nothing', () => model.fit(undefined as never, y), /expected a Tensor, an Array of Tensors or an object of Tensors/],
      ['a wrong name', () => model.fit({ oops: x }, y), /No data provided for "dense_Dense\d+_input"\. Need data for each key in: .*; got oops/],
      ['too many', () => model.fit([x, x], y), /Expected to see 1 Tensor\(s\) .*, but got 2/],
      ['other numbers of samples', () => scoped(() => model.fit(x, tf.ones([3, 1]))), 'Found 4 input sample(s) and 3 target sample(s).'],
      ['a scalar', () => scoped(() => model.fit(tf.scalar(1), y)), 'to be at least 1D, but received a 0D tensor'],
      ['another width', () => scoped(() => model.fit(tf.ones([4, 2]), y)), /Error when checking input: expected dense_Dense\d+_input to have shape \[null,1\], but got a tensor with shape \[4,2\]/],
      ['another rank', () => scoped(() => model.fit(tf.ones([4, 1, 1]), y)), 'to have 2 dimension(s), but got a tensor with shape [4,1,1]'],
      ['other labels', () => scoped(() => model.fit(x, tf.ones([4, 2]))), /Error when checking target: expected dense_Dense\d+ to have shape \[null,1\]/],
      ['disposed data', () => { const t = tf.ones([4, 1]); t.dispose(); return model.fit(t, y); }, 'Tensor is disposed.'],
      ['too few weights', () => scoped(() => model.fit(x, y, { sampleWeight: tf.ones([3]) })), /has 4 sample\(s\), but the weights have the shape \[3\]/],
      ['weights that are none', () => model.fit(x, y, { sampleWeight: [[1]] as never }), 'must be a Tensor, got object'],
      ['weights for two outputs', () => scoped(() => model.fit(x, y, { sampleWeight: [tf.ones([4]), null] })), 'Provided sampleWeight is an array of 2 element(s), but the model has 1 outputs.'],
    ];
    test.each(rejected)('%s', async (_, run, message) => {
      await expect(run()).rejects.toThrow(message);
      expect(model.isTraining).toBe(false);
    });

    test('not compiled', async () => {
      const raw = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [1] })] });
      const message = 'You must compile a model before training/testing. Use LayersModel.compile(modelCompileArgs).';
      await expect(raw.fit(x, y)).rejects.toThrow(message);
      await expect(raw.fitDataset([], { epochs: 1 })).rejects.toThrow(message);
      await expect(raw.trainOnBatch(x, y)).rejects.toThrow(message);
      await expect(raw.evaluateDataset([])).rejects.toThrow(message);
      expect(() => raw.evaluate(x, y)).toThrow(message);
      expect(() => raw.trainStep(x, y)).toThrow(message);
      expect(() => raw.getTrainingConfig()).toThrow(message);
      raw.dispose();
    });

    test('disposed', async () => {
      const gone = single();
      gone.dispose();
      await expect(gone.fit(x, y)).rejects.toThrow(/already disposed/);
      await expect(gone.fitDataset([], { epochs: 1 })).rejects.toThrow(/already disposed/);
      await expect(gone.trainOnBatch(x, y)).rejects.toThrow(/already disposed/);
      expect(() => gone.evaluate(x, y)).toThrow(/already disposed/);
      expect(() => gone.predict(x)).toThrow(/already disposed/);
    });

    test('a weight that was disposed, by its name', async () => {
      const { name } = model.weights[0]!;
      model.getWeights()[0]!.dispose();
      const before = tf.memory().numTensors;
      const message = `${name} is already disposed`;
      await expect(model.fit(x, y, { verbose: 0 })).rejects.toThrow(message);
      expect(() => model.predict(x)).toThrow(message);
      expect(tf.memory().numTensors).toBe(before);
    });

    test('compile without a known loss or optimizer', () => {
      expect(() => model.compile({ optimizer: 'sgd', loss: 'nope' })).toThrow('Unknown loss nope');
      expect(() => model.compile({ optimizer: 'momentum', loss: 'mse', metrics: ['nope'] })).toThrow('Unknown metric nope');
      expect(() => model.compile({ optimizer: 'nope', loss: 'mse' })).toThrow('Unknown Optimizer nope');
      expect(() => model.compile({ optimizer: {} as never, loss: 'mse' })).toThrow('must be an instance of tf.Optimizer');
      expect(() => model.compile({ optimizer: 'sgd', loss: [] })).toThrow('it should have one entry per model output. The model has 1 output(s)');
      expect(() => model.compile({ optimizer: 'sgd', loss: { other: 'mse' } })).toThrow('Unknown entry in loss dictionary: "other".');
      expect(() => model.compile({ optimizer: 'sgd', loss: 'mse', metrics: 3 as never })).toThrow('Type of metrics argument not understood');
      expect(() => model.compile(undefined as never)).toThrow('compile: expected an object');
      // What it was compiled with before still holds.
      expect(model.metricsNames).toEqual(['loss']);
    });

    test('no loss at all', async () => {
      model.compile({ optimizer: 'sgd' });
      await expect(model.fit(x, {})).rejects.toThrow(/there is no loss: compile was given none, and no layer adds one/);
    });
  });
});

describe('several inputs and outputs', () => {
  let model: tf.LayersModel;
  let a: tf.Tensor;
  let b: tf.Tensor;
  let ya: tf.Tensor;
  let yb: tf.Tensor;

  beforeAll(() => { jest.spyOn(console, 'warn').mockImplementation(() => {}); });
  afterAll(() => { jest.restoreAllMocks(); });
  beforeEach(() => {
    model = double();
    [a, b] = [tf.ones([4, 1]), tf.tensor([[1, 2], [0, 0], [1, 1], [2, 2]])];
    [ya, yb] = [tf.tensor(ys), tf.zeros([4, 2])];
  });
  afterEach(() => {
    tf.dispose([a, b, ya, yb]);
    model.dispose();
  });
  const lossA = 39 / 4;
  const lossB = (5 + 0 + 2 + 8) / 8;

  test('losses sum up, each with its name', async () => {
    model.compile({ optimizer: still(), loss: 'meanSquaredError', metrics: ['mae'] });
    expect(model.metricsNames).toEqual(['loss', 'first_loss', 'second_loss', 'first_mae', 'second_mae']);
    const { history } = await model.fit([a, b], { first: ya, second: yb }, { verbose: 0, validationData: [{ a, b }, [ya, yb]] });
    const expected = { loss: [lossA + lossB], first_loss: [lossA], second_loss: [lossB], first_mae: [11 / 4], second_mae: [9 / 8] };
    for (const [key, value] of Object.entries(expected)) {
      expect(history[key]).toEqual(value);
      expect(history[`val_${key}`]).toEqual(value);
    }
    tf.tidy(() => {
      const [first, second] = model.predict({ a, b }) as tf.Tensor[];
      expect([first!.shape, second!.arraySync()]).toEqual([[4, 1], b.arraySync()]);
      expect((model.evaluate([a, b], [ya, yb]) as tf.Scalar[]).map((s) => s.arraySync())).toEqual(Object.values(expected).flat());
    });
    expect(await model.trainOnBatch([a, b], [ya, yb])).toEqual(Object.values(expected).flat());
  });

  test("fit's numbers are TensorFlow.js's", async () => {
    const args: tf.ModelCompileArgs = { optimizer: 'sgd', loss: ['meanSquaredError', 'meanAbsoluteError'], metrics: { first: 'mse', second: ['mae', 'mse'] } };
    model.compile(args);
    const their = double(theirs);
    their.compile(args);
    const t = [a, b, ya, yb].map((x) => theirs.tensor(x.arraySync() as number[][])) as [tf.Tensor, tf.Tensor, tf.Tensor, tf.Tensor];
    const options: tf.ModelFitArgs = { epochs: 6, batchSize: 3, shuffle: false, verbose: 0 };
    const expected = (await their.fit([t[0], t[1]], [t[2], t[3]], options)).history;
    const { history } = await model.fit([a, b], [ya, yb], options);
    expect(Object.keys(history)).toEqual(Object.keys(expected));
    for (const [name, values] of Object.entries(history)) values.forEach((v, i) => expect(v).toBeCloseTo(expected[name]![i]!, 4));
    theirs.dispose(t);
    their.dispose();
  });

  test('losses and metrics by name, weights of losses', async () => {
    model.compile({ optimizer: still(), loss: { first: 'mse', second: 'mae' }, lossWeights: { second: 10 }, metrics: { second: 'mse' } });
    const logs = (await model.fit({ a, b }, [ya, yb], { verbose: 0 })).history;
    expect(logs).toEqual({ loss: [lossA + 10 * 9 / 8], first_loss: [lossA], second_loss: [9 / 8], second_mse: [lossB] });
    model.compile({ optimizer: still(), loss: 'mse', lossWeights: [0.5, 0] });
    expect((await model.fit({ a, b }, [ya, yb], { verbose: 0 })).history['loss']).toEqual([lossA / 2]);
    expect(() => model.compile({ optimizer: 'sgd', loss: 'mse', lossWeights: [1] })).toThrow('When passing an Array as lossWeights');
    expect(() => model.compile({ optimizer: 'sgd', loss: 'mse', lossWeights: { third: 1 } })).toThrow('Unknown entry in lossWeights dictionary: "third"');
  });

  test('an output without a loss needs no labels', async () => {
    model.compile({ optimizer: still(), loss: { first: 'mse', second: null } });
    expect(model.metricsNames).toEqual(['loss', 'first_loss']);
    for (const labels of [{ first: ya }, [ya, yb], ya, [ya]] as tf.Data[]) {
      expect((await model.fit([a, b], labels, { verbose: 0 })).history).toEqual({ loss: [lossA], first_loss: [lossA] });
    }
    model.compile({ optimizer: still(), loss: { first: 'mse' } });
    expect(console.warn).toHaveBeenCalledWith(expect.stringContaining('Output "second" is missing from loss dictionary.'));
  });

  test('weights for each output', async () => {
    model.compile({ optimizer: still(), loss: 'mse' });
    const w = tf.tensor1d([4, 0, 0, 0]);
    const labels = [ya, yb];
    const first = (await model.fit([a, b], labels, { sampleWeight: { first: w }, verbose: 0 })).history;
    expect([first['first_loss'], first['second_loss']]).toEqual([[1], [lossB]]);
    const second = (await model.fit([a, b], labels, { sampleWeight: [null, w], verbose: 0 })).history;
    expect([second['first_loss'], second['second_loss']]).toEqual([[lossA], [2.5]]);
    await expect(model.fit([a, b], labels, { sampleWeight: w })).rejects.toThrow('The model has multiple (2) outputs');
    w.dispose();
  });

  test('wrong numbers and names', async () => {
    model.compile({ optimizer: still(), loss: 'mse' });
    await expect(model.fit(a, [ya, yb])).rejects.toThrow('The model input expects 2 Tensors (a, b), but only received one Tensor.');
    await expect(model.fit([a, b], { first: ya })).rejects.toThrow('No data provided for "second". Need data for each key in: first, second; got first');
    await expect(model.fit([a, a], [ya, yb])).rejects.toThrow('expected b to have shape [null,2]');
    expect(() => model.predict([b, a])).toThrow('expected a to have shape [null,1]');
  });
});

describe('weighted metrics and masks', () => {
  test('weighted metrics count samples by their weights', async () => {
    const model = single();
    model.compile({ optimizer: still(), loss: 'mse', metrics: ['mae'], weightedMetrics: ['mse'] });
    const [x, y, w] = [tf.tensor(xs), tf.tensor(ys), tf.tensor1d([1, 0, 3, 0])];
    const { history } = await model.fit(x, y, { sampleWeight: w, verbose: 0 });
    expect(history).toEqual({ loss: [(1 + 27) / 4], mae: [11 / 4], mse: [28 / 4] });
    tf.dispose([x, y, w]);
    model.dispose();
  });

  test('steps that are masked count in neither loss nor metrics', async () => {
    const model = tf.sequential({ layers: [
      tf.layers.masking({ maskValue: 0, inputShape: [3, 1] }),
      tf.layers.simpleRNN({ units: 1, returnSequences: true, activation: 'linear', kernelInitializer: 'ones', recurrentInitializer: 'zeros' }),
    ] });
    model.compile({ optimizer: still(), loss: 'mse', metrics: ['mae'] });
    const x = tf.tensor([[[1], [2], [0]], [[3], [0], [0]]]);
    const y = tf.tensor([[[0], [0], [9]], [[0], [9], [9]]]);
    // Of six steps three count: 1, 4 and 9.
    const { history } = await model.fit(x, y, { verbose: 0 });
    expect(history).toEqual({ loss: [14 / 3].map(Math.fround), mae: [2] });
    const w = tf.tensor1d([3, 0]);
    expect((await model.fit(x, y, { verbose: 0, sampleWeight: w })).history['loss']![0]).toBeCloseTo(15 / 3, 5);
    const steps = tf.tensor2d([[1, 0, 1], [2, 1, 1]]);
    expect((await model.fit(x, y, { verbose: 0, sampleWeight: steps })).history['loss']![0]).toBeCloseTo(19 / 3, 5);
    tf.tidy(() => expect((model.evaluate(x, y) as tf.Scalar[]).map((s) => s.arraySync())).toEqual([Math.fround(14 / 3), 2]));
    tf.dispose([x, y, w, steps]);
    model.dispose();
  });

  test('penalties count in training and evaluating', async () => {
    const model = tf.sequential({ layers: [tf.layers.dense({ units: 1, useBias: false, kernelInitializer: 'ones', kernelRegularizer: 'l2', inputShape: [1] })] });
    model.compile({ optimizer: still(), loss: 'mse' });
    const x = tf.zeros([2, 1]);
    const { history } = await model.fit(x, x, { verbose: 0, validationData: [x, x] });
    expect(history['loss']![0]).toBeCloseTo(0.01, 6);
    expect(history['val_loss']![0]).toBeCloseTo(0.01, 6);
    x.dispose();
    model.dispose();
  });

  test('constraints hold after every step', async () => {
    const model = tf.sequential({ layers: [tf.layers.dense({ units: 1, useBias: false, kernelInitializer: 'ones', kernelConstraint: 'nonNeg', inputShape: [1] })] });
    model.compile({ optimizer: tf.train.sgd(1), loss: 'mse' });
    const [x, y] = [tf.ones([2, 1]), tf.tensor([[-5], [-5]])];
    await model.fit(x, y, { verbose: 0 });
    expect(Array.from(model.getWeights()[0]!.dataSync())).toEqual([0]);
    tf.dispose([x, y]);
    model.dispose();
  });

  test('frozen weights stay, and a model of nothing else still reports', async () => {
    const model = tf.sequential({ layers: [
      tf.layers.dense({ units: 2, inputShape: [1], trainable: false }), tf.layers.dense({ units: 1 }),
    ] });
    model.compile({ optimizer: tf.train.sgd(0.1), loss: 'mse' });
    const [x, y] = [tf.tensor(xs), tf.tensor(ys)];
    const values = (): number[][] => model.layers.map((l) => Array.from(l.getWeights()[0]!.dataSync()));
    const before = values();
    await model.fit(x, y, { verbose: 0 });
    expect(values()[0]).toEqual(before[0]);
    expect(values()[1]).not.toEqual(before[1]);
    model.trainable = false;
    model.compile({ optimizer: 'sgd', loss: 'mse' });
    const frozen = values();
    expect((await model.fit(x, y, { epochs: 2, verbose: 0 })).history['loss']).toHaveLength(2);
    expect(values()).toEqual(frozen);
    tf.dispose([x, y]);
    model.dispose();
  });

  test('losses of the user\'s own: functions of tensors, and those of tf.losses', async () => {
    const model = single();
    const [x, y, w] = [tf.tensor(xs), tf.tensor(ys), tf.tensor1d([2, 2, 2, 2])];
    model.compile({ optimizer: still(), loss: (t, p) => t.sub(p).abs().sum(-1), metrics: [(t) => t.max()] });
    expect(model.metricsNames).toHaveLength(2);
    expect(Object.values((await model.fit(x, y, { verbose: 0 })).history)).toEqual([[11 / 4], [5]]);
    model.compile({ optimizer: still(), loss: (t, p) => tf.losses.meanSquaredError(t, p) });
    expect((await model.fit(x, y, { verbose: 0 })).history['loss']).toEqual([39 / 4]);
    expect((await model.fit(x, y, { verbose: 0, sampleWeight: w })).history['loss']).toEqual([39 / 2]);
    tf.dispose([x, y, w]);
    model.dispose();
  });

  test('class numbers in their forms', async () => {
    const model = tf.sequential({ layers: [tf.layers.dense({ units: 3, activation: 'softmax', kernelInitializer: 'zeros', inputShape: [1] })] });
    model.compile({ optimizer: still(), loss: 'sparse_categorical_crossentropy', metrics: ['accuracy'] });
    const x = tf.tensor(xs);
    const labels = [tf.tensor1d([0, 1, 2, 0]), tf.tensor2d([0, 1, 2, 0], [4, 1]), tf.tensor1d([0, 1, 2, 0], 'int32')];
    for (const y of labels) {
      const { history } = await model.fit(x, y, { verbose: 0 });
      expect(history['loss']![0]).toBeCloseTo(Math.log(3), 5);
      expect(history['acc']).toEqual([0.5]);
    }
    await expect(scoped(() => model.fit(x, tf.ones([4, 3])))).rejects.toThrow('to have shape [null,1]');
    // Not a loss of 0, which they would give.
    for (const wrong of [[0, 1, 2, 3], [0, -1, 2, 0]]) {
      await expect(scoped(() => model.fit(x, tf.tensor1d(wrong)))).rejects.toThrow(/has 3 classes, 0 to 2, but the targets go from/);
    }
    tf.dispose([x, labels]);
    model.dispose();
  });
});

describe('a model that changed after it was compiled', () => {
  test('gets more layers', async () => {
    const model = tf.sequential({ layers: [tf.layers.dense({ units: 3, inputShape: [1] })] });
    model.compile({ optimizer: tf.train.sgd(0.1), loss: 'mse' });
    model.add(tf.layers.dense({ units: 1, kernelInitializer: 'zeros' }));
    const [x, y] = [tf.tensor(xs), tf.tensor(ys)];
    expect((await model.fit(x, y, { verbose: 0 })).history['loss']).toEqual([39 / 4]);
    expect(model.layers[1]!.getWeights()[0]!.dataSync().some((v) => v !== 0)).toBe(true);
    tf.dispose([x, y]);
    model.dispose();
  });

  test('freezes at once, thaws when it is compiled again', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
    const model = single();
    model.compile({ optimizer: tf.train.sgd(0.1), loss: 'mse' });
    const [x, y] = [tf.tensor(xs), tf.tensor(ys)];
    const weight = (): number => model.getWeights()[0]!.dataSync()[0]!;
    try {
      model.trainable = false;
      await model.fit(x, y, { verbose: 0 });
      expect(weight()).toBe(0);
      expect(warn).toHaveBeenCalledWith(expect.stringContaining('what is trainable has changed since the model was compiled'));
      model.compile({ optimizer: tf.train.sgd(0.1), loss: 'mse' });
      model.trainable = true;
      await model.fit(x, y, { verbose: 0 });
      expect(weight()).toBe(0);
      model.compile({ optimizer: tf.train.sgd(0.1), loss: 'mse' });
      await model.fit(x, y, { verbose: 0 });
      expect(weight()).not.toBe(0);
      expect(warn).toHaveBeenCalledTimes(2);
    } finally {
      warn.mockRestore();
      tf.dispose([x, y]);
      model.dispose();
    }
  });
});

describe('a Sequential that does not know its input shape', () => {
  test('is compiled before and built by the data', async () => {
    const model = tf.sequential({ layers: [tf.layers.dense(zeros)] });
    model.compile({ optimizer: 'adam', loss: 'mse', metrics: ['mae'] });
    const [x, y] = [tf.tensor(xs), tf.tensor(ys)];
    expect((await model.fit(x, y, { verbose: 0 })).history).toEqual({ loss: [39 / 4], mae: [11 / 4] });
    tf.dispose([x, y]);
    model.dispose();
  });
});
