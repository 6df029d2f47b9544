// tf.keras: Keras' names and conventions over the same layers.
import { beforeEach, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { settingsOf, twins } from '../../../js/src/layers/keras_class.js';

const { keras } = tf;
const { layers } = keras;
type Any = ((...args: any[]) => tf.layers.Layer) & { readonly className: string };

beforeEach(() => keras.backend.clear_session());

// Class, arguments, TensorFlow.js' maker, its settings.
const rows: [string, unknown[], string, object][] = [
  ['Activation', ['relu'], 'activation', { activation: 'relu' }],
  ['AlphaDropout', [0.1], 'alphaDropout', { rate: 0.1 }],
  ['Add', [], 'add', {}],
  ['Average', [], 'average', {}],
  ['AveragePooling1D', [3], 'averagePooling1d', { poolSize: 3 }],
  ['AveragePooling2D', [[3, 2], 1, 'same'], 'averagePooling2d', { poolSize: [3, 2], strides: 1, padding: 'same' }],
  ['BatchNormalization', [{ momentum: 0.9, beta_initializer: 'ones' }], 'batchNormalization', { momentum: 0.9, betaInitializer: 'ones' }],
  ['Concatenate', [1], 'concatenate', { axis: 1 }],
  ['Conv1D', [2, 3, { data_format: 'channelsLast' }], 'conv1d', { filters: 2, kernelSize: 3 }],
  ['Conv2D', [2, 3, 2, 'same', { activation: 'relu' }], 'conv2d', { filters: 2, kernelSize: 3, strides: 2, padding: 'same', activation: 'relu' }],
  ['Conv2DTranspose', [2, [3, 2]], 'conv2dTranspose', { filters: 2, kernelSize: [3, 2] }],
  ['Cropping2D', [[1, 2]], 'cropping2D', { cropping: [1, 2] }],
  ['Dense', [10], 'dense', { units: 10 }],
  ['Dense', [10, 'relu'], 'dense', { units: 10, activation: 'relu' }],
  ['Dense', [10, { activation: 'relu', use_bias: false }], 'dense', { units: 10, activation: 'relu', useBias: false }],
  ['Dense', [{ units: 10, inputShape: [2] }], 'dense', { units: 10, inputShape: [2] }],
  ['Dense', [10, { input_shape: [2], kernel_initializer: 'he_normal' }], 'dense', { units: 10, inputShape: [2], kernelInitializer: 'heNormal' }],
  ['DepthwiseConv2D', [3], 'depthwiseConv2d', { kernelSize: 3 }],
  ['Dot', [1], 'dot', { axes: 1 }],
  ['Dropout', [0.5], 'dropout', { rate: 0.5 }],
  ['ELU', [0.3], 'elu', { alpha: 0.3 }],
  ['Embedding', [10, 3, { mask_zero: true }], 'embedding', { inputDim: 10, outputDim: 3, maskZero: true }],
  ['Flatten', [], 'flatten', {}],
  ['GaussianDropout', [0.2], 'gaussianDropout', { rate: 0.2 }],
  ['GaussianNoise', [0.2], 'gaussianNoise', { stddev: 0.2 }],
  ['GlobalAveragePooling1D', [], 'globalAveragePooling1d', {}],
  ['GlobalAveragePooling2D', [], 'globalAveragePooling2d', {}],
  ['GlobalMaxPooling1D', [], 'globalMaxPooling1d', {}],
  ['GlobalMaxPooling2D', [], 'globalMaxPooling2d', {}],
  ['GRU', [3, { reset_after: true }], 'gru', { units: 3, resetAfter: true }],
  ['GRUCell', [3], 'gruCell', { units: 3 }],
  ['InputLayer', [[3]], 'inputLayer', { inputShape: [3] }],
  ['LayerNormalization', [-1, 0.1], 'layerNormalization', { axis: -1, epsilon: 0.1 }],
  ['LeakyReLU', [0.1], 'leakyReLU', { alpha: 0.1 }],
  ['LSTM', [3, 'tanh', { return_sequences: true }], 'lstm', { units: 3, activation: 'tanh', returnSequences: true }],
  ['LSTMCell', [3], 'lstmCell', { units: 3 }],
  ['Masking', [2], 'masking', { maskValue: 2 }],
  ['Maximum', [], 'maximum', {}],
  ['MaxPooling1D', [2, 1], 'maxPooling1d', { poolSize: 2, strides: 1 }],
  ['MaxPooling2D', [2], 'maxPooling2d', { poolSize: 2 }],
  ['Minimum', [], 'minimum', {}],
  ['Multiply', [], 'multiply', {}],
  ['Permute', [[2, 1]], 'permute', { dims: [2, 1] }],
  ['PReLU', [], 'prelu', {}],
  ['ReLU', [6], 'reLU', { maxValue: 6 }],
  ['RepeatVector', [3], 'repeatVector', { n: 3 }],
  ['Reshape', [[3, 2]], 'reshape', { targetShape: [3, 2] }],
  ['SeparableConv2D', [2, 3], 'separableConv2d', { filters: 2, kernelSize: 3 }],
  ['SimpleRNN', [3], 'simpleRNN', { units: 3 }],
  ['SimpleRNNCell', [3], 'simpleRNNCell', { units: 3 }],
  ['Softmax', [1], 'softmax', { axis: 1 }],
  ['SpatialDropout1D', [0.2], 'spatialDropout1d', { rate: 0.2 }],
  ['Subtract', [], 'subtract', {}],
  ['ThresholdedReLU', [0.5], 'thresholdedReLU', { theta: 0.5 }],
  ['UpSampling2D', [[2, 3]], 'upSampling2d', { size: [2, 3] }],
  ['ZeroPadding2D', [[1, 2]], 'zeroPadding2d', { padding: [1, 2] }],
];

describe('layers', () => {
  test.each(rows)('%s(...%j)', (name, args, maker, settings) => {
    const cls = (layers as unknown as Record<string, Any>)[name]!;
    const expected = ((tf.layers as unknown as Record<string, Any>)[maker]!)({ ...settings, name: 'same' });
    const called = cls(...args);
    const made = new (cls as any)(...args) as tf.layers.Layer;
    const config = ({ name: _, ...rest }: any): unknown => rest;
    expect(config(called.getConfig())).toEqual(config(expected.getConfig()));
    expect(config(made.getConfig())).toEqual(config(expected.getConfig()));
    expect(called).toBeInstanceOf(cls);
    expect(cls.className).toBe(expected.getClassName());
    expect(called.getClassName()).toBe(expected.getClassName());
    // Names are Keras', the next one numbered.
    expect(made.name).toBe(`${called.name}_1`);
  });

  test('every layer is tried above, but wrappers and aliases', () => {
    const aliases = ['Layer', 'Input', 'RNN', 'StackedRNNCells', 'Bidirectional', 'TimeDistributed', 'AvgPool1D', 'AvgPool2D',
      'MaxPool1D', 'MaxPool2D', 'GlobalAvgPool1D', 'GlobalAvgPool2D', 'GlobalMaxPool1D', 'GlobalMaxPool2D'];
    const tried = new Set(rows.map(([name]) => name));
    expect(Object.keys(layers).filter((name) => !tried.has(name)).sort()).toEqual(aliases.sort());
  });

  test('wrappers', () => {
    const both = layers.Bidirectional(layers.LSTM(3), 'sum');
    expect(both.getConfig()).toMatchObject({ mergeMode: 'sum' });
    expect(both.name).toBe('bidirectional');
    expect(layers.TimeDistributed(layers.Dense(3)).name).toBe('time_distributed');
    expect(layers.RNN(layers.StackedRNNCells([layers.LSTMCell(2), layers.GRUCell(2)])).name).toBe('rnn');
  });

  test('a class of one\'s own', () => {
    class Mine extends layers.Layer {
      static override className = 'Mine';
      readonly factor: number;

      constructor(factor: number) {
        super({ name: 'given' });
        this.factor = factor;
      }
    }
    const mine = new Mine(3);
    expect([mine.name, mine.factor, mine.getClassName()]).toEqual(['given', 3, 'Mine']);
    expect(mine).toBeInstanceOf(tf.layers.Layer);
    expect(mine).toBeInstanceOf(Mine);
  });
});

describe('models', () => {
  test('the page of clear_session', () => {
    for (let i = 0; i < 3; i++) {
      keras.backend.clear_session();
      const model = keras.Sequential(Array.from({ length: 10 }, () => keras.layers.Dense(10)));
      expect(model.layers.at(-1)!.name).toBe('dense_9');
    }
    expect(keras.layers.Dense(10).name).toBe('dense_10');
    keras.backend.clear_session();
    expect(keras.layers.Dense(10).name).toBe('dense');
  });

  test.each([
    ['called', () => keras.Sequential([layers.Dense(2, { inputShape: [3] })])],
    ['new', () => new keras.Sequential([layers.Dense(2, { input_shape: [3] })])],
    ['by name', () => keras.Sequential({ layers: [layers.Dense(2, { inputShape: [3] })] })],
    ['in models', () => keras.models.Sequential([layers.Dense(2, { inputShape: [3] })])],
  ])('Sequential, %s', (_, make) => {
    const model = make();
    expect(model).toBeInstanceOf(tf.Sequential);
    expect([model.name, model.countParams()]).toEqual(['sequential', 8]);
    expect(model.layers[0]!.weights.map(({ name }) => name)).toEqual(['dense/kernel', 'dense/bias']);
    model.dispose();
  });

  test('Model of inputs and outputs', () => {
    const x = keras.Input({ shape: [3] });
    const y = layers.Dense(2).apply(x) as tf.SymbolicTensor;
    const one = keras.Model(x, y);
    const two = new keras.Model({ inputs: [x], outputs: [y], name: 'two' });
    expect([one.name, two.name]).toEqual(['functional', 'two']);
    expect(one).toBeInstanceOf(tf.LayersModel);
    one.dispose();
    two.dispose();
  });

  test('a subclass of Model', () => {
    class Named extends keras.Model {
      static override className = 'NamedModel';
    }
    const x = keras.Input([3]);
    const model = new Named(x, layers.Dense(2).apply(x) as tf.SymbolicTensor);
    expect(model.name).toBe('named_model');
    model.dispose();
  });

  test('load_model and model_from_json', async () => {
    const model = keras.Sequential([layers.Dense(2, { inputShape: [3] })]);
    await model.save('memory://keras-test');
    const loaded = await keras.models.load_model('memory://keras-test');
    const rebuilt = keras.models.modelFromJson(model.toJSON());
    expect([loaded.name, rebuilt.layers[0]!.name]).toEqual(['sequential', 'dense']);
    for (const m of [model, loaded, rebuilt]) m.dispose();
    await tf.io.removeModel('memory://keras-test');
  });
});

describe('the rest', () => {
  test.each<[string, { getConfig(): object }, object]>([
    ['Constant', keras.initializers.Constant(3), tf.initializers.constant({ value: 3 })],
    ['GlorotUniform', keras.initializers.GlorotUniform(3), tf.initializers.glorotUniform({ seed: 3 })],
    ['RandomNormal', new keras.initializers.RandomNormal(1, 2), tf.initializers.randomNormal({ mean: 1, stddev: 2 })],
    ['Zeros', keras.initializers.Zeros(), tf.initializers.zeros()],
    ['L2', keras.regularizers.L2(0.1), tf.regularizers.l2({ l2: 0.1 })],
    ['L1L2', keras.regularizers.L1L2({ l1: 0.1, l2: 0.2 }), tf.regularizers.l1l2({ l1: 0.1, l2: 0.2 })],
    ['MaxNorm', keras.constraints.MaxNorm(3), tf.constraints.maxNorm({ maxValue: 3 })],
    ['NonNeg', keras.constraints.NonNeg(), tf.constraints.nonNeg()],
  ])('%s', (_, ours, expected) => {
    expect(ours.getConfig()).toEqual((expected as typeof ours).getConfig());
  });

  test.each<[string, tf.Optimizer, object]>([
    ['SGD', keras.optimizers.SGD(0.3), { learningRate: 0.3 }],
    ['SGD with momentum', keras.optimizers.SGD({ learning_rate: 0.3, momentum: 0.5, nesterov: true }), { learningRate: 0.3, momentum: 0.5, useNesterov: true }],
    ['Adam', keras.optimizers.Adam(0.01, { beta_1: 0.8 }), { learningRate: 0.01, beta1: 0.8, beta2: 0.999 }],
    ['RMSprop', keras.optimizers.RMSprop(), { learningRate: 0.001, decay: 0.9 }],
    ['Adagrad', keras.optimizers.Adagrad(0.2), { learningRate: 0.2 }],
    ['Adadelta', keras.optimizers.Adadelta(0.2), { learningRate: 0.2 }],
    ['Adamax', keras.optimizers.Adamax(0.2), { learningRate: 0.2 }],
  ])('%s', (_, optimizer, config) => {
    expect(optimizer).toBeInstanceOf(tf.Optimizer);
    expect(optimizer.getConfig()).toMatchObject(config);
    optimizer.dispose();
  });

  test('losses, metrics, callbacks, activations', () => {
    tf.tidy(() => {
      const [a, b] = [tf.ones([1, 2]), tf.zeros([1, 2])];
      expect(keras.losses.mean_squared_error(a, b).dataSync()[0]).toBe(1);
      expect(keras.metrics.meanAbsoluteError(a, b).dataSync()[0]).toBe(1);
      expect(keras.activations.relu(tf.tensor1d([-1, 2])).arraySync()).toEqual([0, 2]);
    });
    expect(keras.callbacks.EarlyStopping('loss', { min_delta: 0.5 })).toMatchObject({ monitor: 'loss', minDelta: 0.5 });
  });

  test('arguments by place and by name', () => {
    expect(settingsOf([1, { a_b: 2 }], ['x', 'y'])).toEqual({ x: 1, aB: 2 });
    expect(settingsOf([{ className: 'Zeros', config: {} }], ['x'])).toEqual({ x: { className: 'Zeros', config: {} } });
    expect(settingsOf([undefined, 2], ['x', 'y'])).toEqual({ y: 2 });
    expect(settingsOf([], ['x'])).toEqual({});
  });

  test('functions under both names', () => {
    const f = (): number => 1;
    expect(twins({ setFloatx: f })).toEqual({ setFloatx: f, set_floatx: f });
  });
});
