// Models saved and loaded: by us, by TensorFlow.js, with their optimizers; and
// files that are wrong.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import * as tf from '../../../js/src/index.node.js';
import { expectClose, made, theirs, useCpu } from './beside_tfjs.js';

type Api = typeof tf;
const api = theirs as unknown as Api;
beforeAll(useCpu);

const save = async (model: tf.LayersModel, config?: object): Promise<tf.ModelArtifacts> => {
  let artifacts: tf.ModelArtifacts | undefined;
  await model.save(tf.io.withSaveHandler(async (a) => {
    artifacts = a;
    return { modelArtifactsInfo: tf.io.getModelArtifactsInfoForJSON({}) };
  }), config);
  return artifacts!;
};
const load = (artifacts: object, options?: object): Promise<tf.LayersModel> => tf.loadLayersModel(tf.io.fromMemory(artifacts), options);
/** What goes through a file: JSON and bytes. */
const throughFile = (a: tf.ModelArtifacts): tf.ModelArtifacts => {
  const { weightData, ...rest } = a;
  return { ...JSON.parse(JSON.stringify(rest)), weightData };
};

type Make = (t: Api) => [tf.LayersModel, ...number[][]];
const dense = (t: Api, units: number, more: object = {}): tf.layers.Layer => t.layers.dense({ units, ...more });
const models: [string, Make][] = [
  ['dense', (t) => [t.sequential({ layers: [dense(t, 4, { inputShape: [3], activation: 'relu' }), dense(t, 2, { useBias: false })] }), [2, 3]]],
  ['convolution and batch norm', (t) => [t.sequential({ layers: [
    t.layers.conv2d({ filters: 3, kernelSize: 3, strides: 2, padding: 'same', inputShape: [7, 5, 2] }), t.layers.batchNormalization(),
    t.layers.reLU(), t.layers.depthwiseConv2d({ kernelSize: 2 }), t.layers.flatten(), dense(t, 2, { kernelRegularizer: 'l1l2', kernelConstraint: 'nonNeg' }),
  ] }), [2, 7, 5, 2]]],
  ['recurrent', (t) => [t.sequential({ layers: [
    t.layers.bidirectional({ layer: t.layers.lstm({ units: 3, returnSequences: true }), mergeMode: 'concat', inputShape: [4, 2] }),
    t.layers.simpleRNN({ units: 2, returnSequences: true }), t.layers.gru({ units: 2 }),
  ] }), [2, 4, 2]]],
  ['functional, with a shared layer and two ends', (t) => {
    const [a, b] = [t.input({ shape: [3] }), t.input({ shape: [3] })];
    const shared = dense(t, 2, { activation: 'tanh' });
    const [ya, yb] = [shared.apply(a), shared.apply(b)] as tf.SymbolicTensor[];
    const sum = t.layers.add().apply([ya!, yb!]) as tf.SymbolicTensor;
    return [t.model({ inputs: [a, b], outputs: [sum, dense(t, 1).apply(sum) as tf.SymbolicTensor] }), [2, 3], [2, 3]];
  }],
  ['a model in a model', (t) => {
    const inner = t.sequential({ layers: [dense(t, 3, { inputShape: [2] }), dense(t, 2)] });
    return [t.sequential({ layers: [dense(t, 2, { inputShape: [4] }), inner, dense(t, 1)] }), [3, 4]];
  }],
];

const predict = (t: Api, model: tf.LayersModel, shapes: number[][]): Float32Array => {
  const inputs = shapes.map((shape, i) => made(t, shape, i + 1) as tf.Tensor);
  const outputs = model.predict(inputs.length === 1 ? inputs[0]! : inputs);
  const list = Array.isArray(outputs) ? outputs : [outputs];
  const values = list.flatMap((y) => Array.from(y.dataSync()));
  t.dispose([inputs, outputs]);
  return Float32Array.from(values);
};

/** Weights from a seed: what a model starts with shows too little. */
function shake(t: Api, model: tf.LayersModel): void {
  const values = model.getWeights().map((w, i) => t.tidy(() => t.abs(made(t, w.shape as number[], i + 20))));
  model.setWeights(values);
  t.dispose(values);
}

describe.each(models)('%s', (_, make) => {
  test('comes back the same', async () => {
    const [model, ...shapes] = make(tf);
    shake(tf, model);
    const loaded = await load(throughFile(await save(model)));
    expect(predict(tf, loaded, shapes)).toEqual(predict(tf, model, shapes));
    expect(loaded.layers.map(({ name }) => name)).toEqual(model.layers.map(({ name }) => name));
    expect(loaded.toJSON(null, false)).toEqual(model.toJSON(null, false));
    expect(JSON.parse(model.toJSON())).toEqual(model.toJSON(null, false));
    model.dispose();
    loaded.dispose();
  });

  test('TensorFlow.js loads ours, and we what it saves of that', async () => {
    const [model, ...shapes] = make(tf);
    shake(tf, model);
    const expected = predict(tf, model, shapes);
    const there = await theirs.loadLayersModel(theirs.io.fromMemory(throughFile(await save(model)))) as unknown as tf.LayersModel;
    expectClose(predict(api, there, shapes), expected);
    const loaded = await load(throughFile(await save(there)));
    expectClose(predict(tf, loaded, shapes), expected, 1e-6);
    for (const m of [model, there, loaded]) m.dispose();
  });

  test("we load TensorFlow.js' own", async () => {
    const [model, ...shapes] = make(api);
    shake(api, model);
    const loaded = await load(throughFile(await save(model)));
    expectClose(predict(tf, loaded, shapes), predict(api, model, shapes));
    model.dispose();
    loaded.dispose();
  });
});

describe('with the optimizer', () => {
  const build = (t: Api, optimizer: (train: Api['train']) => tf.Optimizer | string): tf.LayersModel => {
    const model = t.sequential({ layers: [dense(t, 3, { inputShape: [2], activation: 'tanh' }), dense(t, 3), dense(t, 1)] });
    shake(t, model);
    model.compile({ optimizer: optimizer(t.train), loss: 'meanSquaredError', metrics: ['mae'] });
    return model;
  };
  const train = async (t: Api, model: tf.LayersModel, steps: number): Promise<number[]> => {
    const [x, y] = [made(t, [6, 2], 5), made(t, [6, 1], 6)];
    const losses: number[] = [];
    for (let i = 0; i < steps; i++) losses.push(((await model.trainOnBatch(x, y)) as number[])[0]!);
    t.dispose([x, y]);
    return losses;
  };
  const optimizers: [string, (train: Api['train']) => tf.Optimizer | string][] = [
    ['sgd', () => 'sgd'], ['momentum', (t) => t.momentum(0.05, 0.8)], ['adagrad', (t) => t.adagrad(0.1)],
    ['adadelta', (t) => t.adadelta(0.01)], ['adam', (t) => t.adam(0.02)], ['adamax', (t) => t.adamax(0.02)], ['rmsprop', (t) => t.rmsprop(0.02, 0.8, 0.5)],
  ];

  test.each(optimizers)('%s goes on as if nothing had happened', async (_, optimizer) => {
    const model = build(tf, optimizer);
    await train(tf, model, 3);
    const loaded = await load(throughFile(await save(model, { includeOptimizer: true })));
    expect(loaded.optimizer.getClassName()).toBe(model.optimizer.getClassName());
    expect(loaded.optimizer.getConfig()).toEqual(model.optimizer.getConfig());
    expect(loaded.metricsNames).toEqual(model.metricsNames);
    expect(loaded.optimizer.iterations).toBe(3);
    const expected = await train(tf, model, 3);
    expectClose(await train(tf, loaded, 3), expected, 1e-6);
    const { optimizer: mine } = model;
    model.dispose();
    mine.dispose();
    loaded.dispose();
  });

  // TensorFlow.js cannot give Adamax its weights back.
  test.each(optimizers.filter(([name]) => name !== 'adamax'))('%s crosses to TensorFlow.js and back', async (_, optimizer) => {
    const model = build(tf, optimizer);
    await train(tf, model, 2);
    const there = await theirs.loadLayersModel(theirs.io.fromMemory(throughFile(await save(model, { includeOptimizer: true })))) as unknown as tf.LayersModel;
    expectClose(await train(api, there, 2), await train(tf, model, 2), 1e-4);
    const back = await load(throughFile(await save(there, { includeOptimizer: true })));
    expectClose(await train(tf, back, 2), await train(tf, model, 2), 1e-4);
    const { optimizer: mine } = model;
    for (const m of [model, back]) m.dispose();
    mine.dispose();
    there.dispose();
  });

  test('100 rounds leave nothing', async () => {
    let model = build(tf, () => 'adam');
    await train(tf, model, 1);
    const { numTensors, numBytes } = tf.memory();
    const heaps: number[] = [];
    for (let i = 0; i < 100; i++) {
      await model.save('memory://rounds', { includeOptimizer: true });
      const next = await tf.loadLayersModel('memory://rounds');
      model.dispose();
      model = next;
      expect(tf.memory()).toMatchObject({ numTensors, numBytes });
      heaps.push(tf.memory().heapBytes);
    }
    expect(heaps[99]).toBe(heaps[2]);
    expect(model.optimizer.iterations).toBe(1);
    await train(tf, model, 1);
    expect(model.optimizer.iterations).toBe(2);
    model.dispose();
    await tf.io.removeModel('memory://rounds');
  });

  test('a model that was not compiled has none to save', async () => {
    const model = tf.sequential({ layers: [dense(tf, 1, { inputShape: [1] })] });
    expect((await save(model, { includeOptimizer: true })).trainingConfig).toBeUndefined();
    model.dispose();
  });

  test('a save that fails leaves nothing', async () => {
    const model = build(tf, () => 'adam');
    await train(tf, model, 1);
    const { numTensors } = tf.memory();
    await expect(model.save(tf.io.withSaveHandler(async () => Promise.reject(new Error('mine'))), { includeOptimizer: true })).rejects.toThrow('mine');
    expect(tf.memory().numTensors).toBe(numTensors);
    model.dispose();
  });
});

describe('a loss and metrics of one\'s own', () => {
  const ownLoss = (a: tf.Tensor, b: tf.Tensor): tf.Tensor => tf.tidy(() => a.sub(b).abs().mean(-1));
  const Half_Off = (a: tf.Tensor, b: tf.Tensor): tf.Tensor => tf.tidy(() => a.sub(b).mean(-1).div(2));
  const unnamed = [(a: tf.Tensor, b: tf.Tensor): tf.Tensor => tf.tidy(() => a.sub(b).mean(-1))];
  const namesake = { mse: ownLoss }.mse;
  const stockName = ((): typeof ownLoss => {
    const meanSquaredError: typeof ownLoss = (a, b) => tf.tidy(() => a.sub(b).mean(-1));
    return meanSquaredError;
  })();
  const saved = async (): Promise<tf.ModelArtifacts> => {
    const model = tf.sequential({ layers: [dense(tf, 1, { inputShape: [2] })] });
    model.compile({ optimizer: 'adam', loss: ownLoss, metrics: [Half_Off, unnamed[0]!, stockName, 'mae', namesake] });
    const [x, y] = [made(tf, [4, 2], 1) as tf.Tensor, made(tf, [4, 1], 2) as tf.Tensor];
    await model.trainOnBatch(x, y);
    const artifacts = throughFile(await save(model, { includeOptimizer: true }));
    model.dispose();
    tf.dispose([x, y]);
    return artifacts;
  };

  test('are saved by name', async () => {
    expect((await saved()).trainingConfig).toMatchObject({
      loss: 'ownLoss', metrics: ['Half_Off', 'metric', 'Custom>meanSquaredError', 'mae', 'ownLoss'],
    });
  });

  test('come from customObjects, with the optimizer', async () => {
    const customObjects = { ownLoss, Half_Off, metric: unnamed[0], meanSquaredError: stockName };
    const model = await load(await saved(), { customObjects });
    expect(model.loss).toBe(ownLoss);
    expect(model.metrics).toEqual([Half_Off, unnamed[0], stockName, 'mae', ownLoss]);
    expect(model.optimizer.iterations).toBe(1);
    const [x, y] = [tf.ones([1, 2]), tf.ones([1, 1])];
    expect((await model.trainOnBatch(x, y) as number[]).length).toBe(6);
    tf.dispose([x, y]);
    model.dispose();
  });

  test('or the model comes without its training, with one warning', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
    const artifacts = await saved();
    const { numTensors } = tf.memory();
    const model = await load(artifacts, { customObjects: { ownLoss } });
    expect(warn.mock.calls.flat()).toEqual([
      "loadLayersModel: the model was trained with what this library does not know: metric 'Half_Off', metric 'metric', " +
      "metric 'Custom>meanSquaredError'. The model is loaded, but not compiled, and the state of its optimizer is left out. " +
      'Give functions of your own by name in customObjects.',
    ]);
    expect(tf.memory().numTensors).toBe(numTensors + 2);
    expect(predict(tf, model, [[1, 2]]).length).toBe(1);
    expect(() => model.loadTrainingConfig(artifacts.trainingConfig as tf.TrainingConfig, { ownLoss })).toThrow('Unknown metric Half_Off');
    warn.mockRestore();
    model.dispose();
  });

  test('losses of logits keep being that', async () => {
    const model = tf.sequential({ layers: [dense(tf, 1, { inputShape: [2] })] });
    model.compile({ optimizer: 'sgd', loss: tf.keras.losses.BinaryCrossentropy({ fromLogits: true }) });
    const artifacts = throughFile(await save(model, { includeOptimizer: true }));
    expect(artifacts.trainingConfig).toMatchObject({ loss: { class_name: 'BinaryCrossentropy', config: { from_logits: true } } });
    const loaded = await load(artifacts);
    tf.tidy(() => {
      const [x, y] = [tf.tensor2d([[5, -9]]), tf.ones([1, 1])];
      expect((loaded.evaluate(x, y) as tf.Tensor).dataSync()).toEqual((model.evaluate(x, y) as tf.Tensor).dataSync());
    });
    model.dispose();
    loaded.dispose();
  });
});

describe('classes without a className of their own', () => {
  class NoName extends tf.layers.Layer {}
  const Dense = tf.layers.dense({ units: 1 }).constructor as new (args: object) => tf.layers.Layer;
  class SubDense extends Dense {}
  class MyModel extends tf.Sequential {}

  test('are not registered', async () => {
    expect(() => tf.serialization.registerClass(NoName)).toThrow("the class NoName has no static className of its own, which must be a string that is not empty; it inherits 'Layer'");
    expect(() => tf.serialization.registerClass(SubDense as never)).toThrow("it inherits 'Dense', the name of another class");
    expect(() => tf.serialization.SerializationMap.register(SubDense as never)).toThrow('no static className');
    expect(() => tf.keras.utils.register_keras_serializable('mine')(SubDense as never)).toThrow('no static className');
    const model = await tf.models.modelFromJSON({ class_name: 'Sequential', config: { layers: [{ class_name: 'Dense', config: { units: 1 } }] } });
    expect(model.layers[0]).not.toBeInstanceOf(SubDense);
  });

  test('are not saved, but models are, as what they extend', async () => {
    for (const layer of [new NoName({ inputShape: [2] }), new SubDense({ units: 1, inputShape: [2] }), tf.layers.timeDistributed({ layer: new SubDense({ units: 1 }), inputShape: [2, 2] })]) {
      const model = tf.sequential({ layers: [layer] });
      await expect(save(model)).rejects.toThrow(/The class (NoName|SubDense) cannot be saved: it has no static className of its own/);
      const functional = tf.model({ inputs: model.inputs, outputs: model.outputs });
      expect(() => functional.toJSON()).toThrow('cannot be saved');
      model.dispose();
      if (!layer.isDisposed) functional.dispose();
    }
    const mine = new MyModel({ layers: [dense(tf, 1, { inputShape: [2] })] });
    expect(mine.toJSON(null, false)['class_name']).toBe('Sequential');
    mine.dispose();
  });
});

describe('what is saved', () => {
  const two = (): tf.Sequential => tf.sequential({ layers: [
    tf.layers.dense({ units: 2, inputShape: [2], name: 'first', trainable: false }), tf.layers.dense({ units: 1, name: 'second' }),
  ] });

  test('a layers model with names, notes and weights', async () => {
    const model = two();
    model.setUserDefinedMetadata({ labels: ['a', 'b'], more: { n: 1, none: null } });
    const artifacts = await save(model);
    expect(artifacts).toMatchObject({ format: 'layers-model', generatedBy: `Tidemark v${tf.version.tidemark}`, convertedBy: null });
    expect(artifacts.weightSpecs!.map(({ name }) => name).sort()).toEqual(['first/bias', 'first/kernel', 'second/bias', 'second/kernel']);
    const loaded = await load(throughFile(artifacts));
    expect(loaded.getUserDefinedMetadata()).toEqual({ labels: ['a', 'b'], more: { n: 1, none: null } });
    model.dispose();
    loaded.dispose();
  });

  test('trainableOnly', async () => {
    const model = two();
    const artifacts = await save(model, { trainableOnly: true });
    expect(artifacts.weightSpecs!.map(({ name }) => name)).toEqual(['second/kernel', 'second/bias']);
    await expect(load(artifacts)).rejects.toThrow('2 of 4 weights are not set: first/kernel, first/bias');
    const loaded = await load(artifacts, { strict: false });
    expectClose(loaded.getLayer('second').getWeights()[0]!.dataSync(), model.getLayer('second').getWeights()[0]!.dataSync(), 0);
    model.dispose();
    loaded.dispose();
  });

  test('layers of one name in two models', async () => {
    const inner = (name: string): tf.Sequential => tf.sequential({ name, layers: [tf.layers.dense({ units: 2, inputShape: [2], name: 'same' })] });
    const model = tf.sequential({ name: 'outer', layers: [inner('one'), inner('two')] });
    shake(tf, model);
    const artifacts = await save(model);
    expect(artifacts.weightSpecs!.map(({ name }) => name)).toEqual(['outer/one/same/kernel', 'outer/one/same/bias', 'outer/two/same/kernel', 'outer/two/same/bias']);
    const loaded = await load(artifacts);
    expect(predict(tf, loaded, [[1, 2]])).toEqual(predict(tf, model, [[1, 2]]));
    model.dispose();
    loaded.dispose();
  });

  test('metadata that is no JSON is refused, large metadata warned of', () => {
    const model = two();
    for (const [bad, message] of [
      [5, 'is expected to be a JSON object, but is not.'], [[1], 'a JSON object'], [null, 'a JSON object'],
      [{ a: { b: [1, () => 1] } }, 'a.b[1] cannot be saved'], [{ x: NaN }, 'x cannot be saved'], [{ d: new Date() }, 'd cannot be saved'],
    ] as const) expect(() => model.setUserDefinedMetadata(bad as never)).toThrow(message);
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
    model.setUserDefinedMetadata({ long: 'x'.repeat(2 ** 20) });
    expect(warn.mock.calls.flat().join()).toContain('too large in size (length=1048587');
    warn.mockRestore();
    model.dispose();
  });

  test.each<[string, unknown, string]>([
    ['no scheme', 'nowhere://x', "Cannot find any save handlers for URL 'nowhere://x'"],
    ['a handler that only loads', tf.io.fromMemory({}), 'does not have the `save` attribute defined'],
    ['nothing', undefined, 'does not have the `save` attribute defined'],
  ])('%s', async (_, target, message) => {
    const model = two();
    await expect(model.save(target as never)).rejects.toThrow(message);
    model.dispose();
  });
});

describe('where from', () => {
  let folder: string;
  let model: tf.LayersModel;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tidemark-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  test('a path, a file URL, chosen files, fetch', async () => {
    model = tf.sequential({ layers: [dense(tf, 2, { inputShape: [2] })] });
    const expected = predict(tf, model, [[1, 2]]);
    await model.save(`file://${folder}/m`);
    const artifacts = await save(model);
    const json = JSON.stringify({ modelTopology: artifacts.modelTopology, weightsManifest: [{ paths: ['w.bin'], weights: artifacts.weightSpecs }] });
    const reports: tf.LoadReport[] = [];
    const loaded = await Promise.all([
      tf.loadLayersModel(`${folder}/m/model.json`),
      tf.loadLayersModel(`${folder}/m`),
      tf.loadLayersModel(`file://${folder}/m/model.json`),
      tf.loadLayersModel([new File([json], 'model.json'), new File([artifacts.weightData as ArrayBuffer], 'w.bin')]),
      tf.loadLayersModel('m/model.json', {
        fetchFunc: async (url) => new Response(url === 'm/model.json' ? json : artifacts.weightData as ArrayBuffer),
        onProgress: (_, report) => reports.push(report),
      }),
      tf.loadLayersModel(tf.io.fromMemorySync(artifacts)),
    ]);
    for (const m of loaded) {
      expect(predict(tf, m, [[1, 2]])).toEqual(expected);
      m.dispose();
    }
    expect(reports.at(-1)).toMatchObject({ file: 'w.bin', url: 'm/w.bin', loaded: 24, allLoaded: 24, allTotal: 24, fromCache: false });
    model.dispose();
  });

  test.each<[string, unknown, string]>([
    ['an unknown scheme', 'nowhere://x', "'nowhere://' is no known scheme"],
    ['a path that is not there', '/no/such/model.json', "/no/such/model.json': "],
    ['a handler that only saves', tf.io.withSaveHandler(async () => ({}) as never), 'does not have the `load` method implemented'],
    ['nothing', undefined, 'does not have the `load` method implemented'],
    ['an empty name', '', 'must not be null, undefined or empty'],
  ])('%s', async (_, source, message) => {
    await expect(tf.loadLayersModel(source as never)).rejects.toThrow(message);
  });

  test('two handlers for one URL', async () => {
    for (let i = 0; i < 2; i++) {
      tf.io.registerLoadRouter((url) => (url === 'twice://x' ? tf.io.fromMemory({}) : null));
      tf.io.registerSaveRouter((url) => (url === 'twice://x' ? { save: async () => ({}) as never } : null));
    }
    await expect(tf.loadLayersModel('twice://x')).rejects.toThrow("Found more than one (2) load handlers for URL 'twice://x'");
    model = tf.sequential({ layers: [dense(tf, 1, { inputShape: [1] })] });
    await expect(model.save('twice://x')).rejects.toThrow("Found more than one (2) save handlers for URL 'twice://x'");
    model.dispose();
  });
});

describe('a wrong file says what is wrong and leaves nothing', () => {
  const topology = {
    class_name: 'Sequential', config: { name: 's', layers: [
      { class_name: 'Dense', config: { name: 'd', units: 2, batch_input_shape: [null, 3] } },
      { class_name: 'BatchNormalization', config: { name: 'b' } },
    ] },
  };
  const specs = (
    [['d/kernel', [3, 2]], ['d/bias', [2]], ['b/gamma', [2]], ['b/beta', [2]], ['b/moving_mean', [2]], ['b/moving_variance', [2]]] as const
  ).map(([name, shape]) => ({ name, shape: [...shape], dtype: 'float32' }));
  const good = { modelTopology: topology, weightSpecs: specs, weightData: new ArrayBuffer(64) };
  const withSpec = (i: number, change: object, bytes = 64): object => ({ ...good, weightSpecs: specs.map((s, j) => (i === j ? { ...s, ...change } : s)), weightData: new ArrayBuffer(bytes) });
  const adam = { loss: 'meanSquaredError', optimizer_config: { class_name: 'Adam', config: { learningRate: 0.1, beta1: 0.9, beta2: 0.99, epsilon: 1e-7 } } };

  test('the good one loads', async () => {
    (await load(good)).dispose();
    (await load({ ...good, trainingConfig: adam })).dispose();
    (await load({ modelTopology: { model_config: topology } })).dispose();
  });

  test.each<[string, object, string]>([
    ['no topology', { weightSpecs: [] }, 'loadLayersModel: the model has no model topology'],
    ['a graph model', { modelTopology: { node: [] } }, 'the model is a graph model, not a layers model'],
    ['a graph model by its format', { modelTopology: {}, format: 'graph-model' }, 'is a graph model'],
    ['no class', { modelTopology: { a: 1 } }, 'has no class_name'],
    ['an unknown class', { modelTopology: { class_name: 'Odd', config: {} } }, 'Unknown layer: Odd'],
    ['an unknown class inside', { ...good, modelTopology: { ...topology, config: { name: 's', layers: [...topology.config.layers, { class_name: 'Odd', config: {} }] } } }, 'Unknown layer: Odd'],
    ['data without specs', { modelTopology: topology, weightData: new ArrayBuffer(4) }, 'contains weight data, but not weight specs'],
    ['specs that are no list', { ...good, weightSpecs: {} }, 'contains weight data, but not weight specs'],
    ['a spec that is nothing', { ...good, weightSpecs: [null] }, 'a weight has no name: null'],
    ['too few bytes', { ...good, weightData: new ArrayBuffer(60) }, 'loadLayersModel: the model: the weights need 64 bytes, but there are 60'],
    ['too many bytes', { ...good, weightData: new ArrayBuffer(68) }, 'the weights need 64 bytes, but there are 68'],
    ['a missing weight', { ...good, weightSpecs: specs.slice(0, 5), weightData: new ArrayBuffer(56) }, '1 of 6 weights are not set: b/moving_variance'],
    ['a stray weight', withSpec(5, { name: 'x/y' }), "Provided weight data has no target variable: x/y. The model's weights without a value are: b/moving_variance"],
    ['a wrong shape', withSpec(0, { shape: [2, 3] }), "loadWeights: 'd/kernel' has the shape [2,3], but the model's weight 'd/kernel' [3,2]"],
    ['a wrong dtype', withSpec(1, { dtype: 'int32' }), "loadWeights: 'd/bias' is int32, but the model's weight 'd/bias' float32"],
    ['one name twice', withSpec(1, { name: 'd/kernel' }), 'Duplicate weight name: d/kernel'],
    ['two names of one weight', withSpec(1, { name: 's/d/kernel', shape: [3, 2] }, 80), "loadWeights: 'd/kernel' and 's/d/kernel' are both values of the weight 'd/kernel'"],
    ['a string weight', withSpec(1, { dtype: 'string' }), "Unsupported dtype in weight 'd/bias': string"],
    ['an unknown optimizer', { ...good, trainingConfig: { loss: 'meanSquaredError', optimizer_config: { class_name: 'Odd', config: {} } } }, 'Odd'],
    ['specs without data', { ...good, weightData: null }, 'loadLayersModel: the model has weight specs (6), but no weight data'],
    ['a layer', { ...good, modelTopology: topology.config.layers[0]! }, 'modelFromJSON: the JSON describes a Dense, which is no model'],
    ['wrong bytes after the optimizer was made', { ...good, trainingConfig: adam, weightData: new ArrayBuffer(60) }, 'need 64 bytes'],
  ])('%s', async (_, artifacts, message) => {
    const { numTensors } = tf.memory();
    await expect(load(artifacts)).rejects.toThrow(message);
    expect(tf.memory().numTensors).toBe(numTensors);
  });

  test('an unknown loss: the model comes without its training, with one warning', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
    const model = await load({ ...good, trainingConfig: { ...adam, loss: 'odd', metrics: ['toString', 'mae'] } });
    expect(warn.mock.calls.length).toBe(1);
    expect(warn.mock.calls[0]![0]).toContain("does not know: loss 'odd', metric 'toString'.");
    expect(() => model.metricsNames).toThrow('You must compile');
    warn.mockRestore();
    model.dispose();
  });

  test('not strict: what fits is taken', async () => {
    const artifacts = { ...(withSpec(5, { name: 'x/y' }) as typeof good), weightData: new Float32Array(16).fill(3).buffer };
    const model = await load(artifacts, { strict: false });
    expect(model.getWeights().map((w) => w.dataSync()[0])).toEqual([3, 3, 3, 3, 3, 1]);
    model.dispose();
  });
});
