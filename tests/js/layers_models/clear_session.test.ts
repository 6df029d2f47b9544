// clear_session: what starts over, what stays, and how things are named.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { globalState } from '../../../js/src/layers/global_state.js';
import { autoName, kerasSnakeCase, tfjsSnakeCase, uniqueTensorName } from '../../../js/src/layers/naming.js';

const { backend, config, layers, utils } = tf.keras;
const { Dense } = layers;

beforeEach(() => backend.clear_session());
afterEach(() => {
  backend.set_floatx('float32');
  backend.set_naming_style(null);
  backend.clear_session();
});

const tenDense = (): InstanceType<typeof Dense>[] => Array.from({ length: 10 }, () => Dense(10));

describe('snake case', () => {
  test.each([
    ['Dense', 'dense'],
    ['Conv2DTranspose', 'conv2d_transpose'],
    ['MaxPooling2D', 'max_pooling2d'],
    ['GlobalAveragePooling2D', 'global_average_pooling2d'],
    ['LSTMCell', 'lstm_cell'],
    ['SimpleRNN', 'simple_rnn'],
    ['ConvLSTM2D', 'conv_lstm2d', 'conv_lst_m2d'],
    ['StackedRNNCells', 'stacked_rnn_cells'],
    ['ReLU', 're_lu'],
    ['LeakyReLU', 'leaky_re_lu'],
    ['PReLU', 'p_re_lu'],
    ['ELU', 'elu'],
    ['TFSMLayer', 'tfsm_layer'],
    ['InputLayer', 'input_layer'],
    ['MyLayerV2', 'my_layer_v2'],
    ['GRUV2', 'gruv2', 'gru_v2'],
    ['HTTPServer', 'http_server'],
    ['_MyLayer', '__my_layer', 'private__my_layer'],
    ['myVariableNameHere', 'my_variable_name_here'],
    ['convertTHIS', 'convert_this'],
    ['Größe<1>', 'größe1', 'größe<1>'],
  ])('%s is %s', (name, keras, tfjs = keras) => {
    expect(kerasSnakeCase(name)).toBe(keras);
    expect(tfjsSnakeCase(name)).toBe(tfjs);
  });
});

describe("Keras' names", () => {
  test('the first has no number, the others count on', () => {
    expect(tenDense().map(({ name }) => name)).toEqual(
      ['dense', ...Array.from({ length: 9 }, (_, i) => `dense_${i + 1}`)]);
    expect(Dense(10).name).toBe('dense_10');
    backend.clear_session();
    expect(Dense(10).name).toBe('dense');
  });

  test('a hundred models without clearing', () => {
    let model = tf.keras.Sequential(tenDense());
    for (let i = 1; i < 100; i++) model = tf.keras.Sequential(tenDense());
    expect(model.layers.at(-1)!.name).toBe('dense_999');
    expect(model.name).toBe('sequential_99');
  });

  test('a hundred models with clearing: always the same names, and nothing grows', () => {
    const sizes = new Set<number>();
    for (let i = 0; i < 100; i++) {
      backend.clear_session();
      const model = tf.keras.Sequential(tenDense());
      expect(model.name).toBe('sequential');
      expect(model.layers.map(({ name }) => name)).toEqual(
        ['dense', ...Array.from({ length: 9 }, (_, k) => `dense_${k + 1}`)]);
      const { kerasNames, tfjsNames, tensorNames } = globalState();
      sizes.add(kerasNames.size + tfjsNames.size + tensorNames.size);
    }
    expect([...sizes]).toEqual([2]);
  });

  test('a generated name moves no counter of its own', () => {
    Dense(1);
    Dense(1);
    expect(autoNameKeras('dense_1')).toBe('dense_1');
  });

  test('explicit names do not move counters', () => {
    expect(Dense(1, { name: 'dense' }).name).toBe('dense');
    expect(Dense(1).name).toBe('dense');
    expect(Dense(1).name).toBe('dense_1');
  });

  test('inputs, models, own classes', () => {
    const x = tf.keras.Input([3]);
    expect(x.sourceLayer.name).toBe('input_layer');
    expect(tf.keras.Input({ shape: [3] }).sourceLayer.name).toBe('input_layer_1');
    const model = tf.keras.Model(x, Dense(2).apply(x) as tf.SymbolicTensor);
    expect(model.name).toBe('functional');
    expect([x.name, tf.keras.Input({ shape: [1], name: 'given' }).name, model.outputs[0]!.name])
      .toEqual(['keras_tensor', 'given', 'keras_tensor_2']);
    class MyLayerV2 extends layers.Layer {
      static override className = 'MyLayerV2';
    }
    expect(new MyLayerV2().name).toBe('my_layer_v2');
    expect(new MyLayerV2({ name: 'x' }).name).toBe('x');
    model.dispose();
  });

  test('the input a Sequential makes is an input layer like any other', () => {
    const model = tf.keras.Sequential([Dense(2, { inputShape: [3] })]);
    expect(model.inputNames).toEqual(['input_layer']);
    model.dispose();
  });

  test.each([['a/b'], [''.concat('/')], [7 as never]])('refuses the name %s', (name) => {
    expect(() => Dense(1, { name })).toThrow(/name must be a string without '\/'/);
    expect(() => backend.name_scope(name)).toThrow(/name must be a string without '\/'/);
  });
});

const autoNameKeras = (name: string): string => {
  backend.set_naming_style('keras');
  return autoName(name);
};

describe("TensorFlow.js' names", () => {
  test('the class and its number, models and inputs by prefix', () => {
    expect([tf.layers.dense({ units: 1 }), tf.layers.dense({ units: 1 })].map(({ name }) => name))
      .toEqual(['dense_Dense1', 'dense_Dense2']);
    expect(tf.layers.conv2d({ filters: 1, kernelSize: 1 }).name).toBe('conv2d_Conv2D1');
    const x = tf.input({ shape: [3] });
    expect(x.name).toBe('input1');
    const model = tf.model({ inputs: x, outputs: tf.layers.dense({ units: 1, name: 'a' }).apply(x) as tf.SymbolicTensor });
    expect(model.name).toBe('model1');
    const chain = tf.sequential({ layers: [tf.layers.dense({ units: 1, name: 'b', inputShape: [3] })] });
    expect(chain.name).toBe('sequential_1');
    expect(chain.inputNames).toEqual(['b_input']);
    expect(chain.weights.map(({ name }) => name)).toEqual(['b/kernel', 'b/bias']);
    tf.dispose([model, chain].map((m) => m.getWeights()));
  });

  test('start over after clear_session', () => {
    tf.layers.dense({ units: 1 });
    tf.sequential();
    tf.input({ shape: [1] });
    backend.clear_session();
    expect(tf.layers.dense({ units: 1 }).name).toBe('dense_Dense1');
    expect(tf.sequential().name).toBe('sequential_1');
    expect(tf.input({ shape: [1] }).name).toBe('input1');
  });

  test('do not interfere with those of Keras', () => {
    tf.input({ shape: [1] });
    tf.layers.dense({ units: 1 });
    expect(Dense(1).name).toBe('dense');
    expect(tf.layers.dense({ units: 1 }).name).toBe('dense_Dense2');
    expect(backend.get_uid('input')).toBe(1);
  });

  test('one style for all', () => {
    backend.set_naming_style('keras');
    expect(tf.layers.dense({ units: 1 }).name).toBe('dense');
    backend.set_naming_style('tfjs');
    expect(Dense(1).name).toBe('dense_Dense1');
    expect(() => backend.set_naming_style('x' as never)).toThrow(/expected 'tfjs', 'keras' or null/);
  });

  test('a second weight of one name is numbered', () => {
    expect(['a/kernel', 'a/kernel', 'a/kernel', 'a/kernel_1'].map(uniqueTensorName))
      .toEqual(['a/kernel', 'a/kernel_1', 'a/kernel_2', 'a/kernel_1_1']);
  });
});

describe('counters', () => {
  test('get_uid counts from 1, and on with the names', () => {
    expect([backend.get_uid('dense'), backend.getUid('dense')]).toEqual([1, 2]);
    expect(Dense(1).name).toBe('dense_2');
    backend.clear_session();
    expect(backend.get_uid('dense')).toBe(1);
    expect(Dense(1).name).toBe('dense_1');
  });

  test('reset_uids resets the numbers only', () => {
    config.set_dtype_policy('mixed_float16');
    Dense(1);
    backend.reset_uids();
    expect(Dense(1).name).toBe('dense');
    expect(config.dtype_policy().name).toBe('mixed_float16');
  });
});

describe('what stays', () => {
  test('a model in use: its names, its numbers, its training', async () => {
    const model = tf.keras.Sequential([Dense(3, { inputShape: [2], activation: 'tanh' }), Dense(1)]);
    model.compile({ optimizer: tf.train.sgd(0.1), loss: 'meanSquaredError' });
    const x = tf.tensor2d([[1, 2], [3, 4]]);
    const y = tf.tensor2d([[1], [0]]);
    const numbers = (m: tf.LayersModel): number[] => tf.tidy(() => Array.from((m.predict(x) as tf.Tensor).dataSync()));
    const before = numbers(model);
    const names = model.layers.map(({ name }) => name);
    backend.clear_session();
    expect(numbers(model)).toEqual(before);
    const history = await model.fit(x, y, { epochs: 3, verbose: 0 });
    expect((history.history['loss']!.at(-1) as number)).toBeLessThan(history.history['loss']![0] as number);
    expect(model.layers.map(({ name }) => name)).toEqual(names);
    const copy = tf.keras.models.model_from_json(model.toJSON());
    copy.setWeights(model.getWeights());
    expect(numbers(copy)).toEqual(numbers(model));
    expect(copy.layers.map(({ name }) => name)).toEqual(names);
    // A new layer of the old one's name is a layer of its own.
    const other = tf.keras.Sequential([Dense(3, { inputShape: [2] })]);
    expect(other.layers[0]!.name).toBe('dense');
    expect(other.weights[0]!.originalName).toBe('dense/kernel');
    other.dispose();
    expect(numbers(model)).toEqual(numbers(copy));
    tf.dispose([x, y]);
    copy.dispose();
    model.dispose();
  });

  test.each(['Sequential', 'functional'])('old and new names in one %s clash aloud', (kind) => {
    const old = Dense(2, { inputShape: [2] });
    backend.clear_session();
    const fresh = Dense(2);
    expect(fresh.name).toBe(old.name);
    const before = tf.memory().numTensors;
    expect(() => {
      if (kind === 'Sequential') return tf.keras.Sequential([old, fresh]);
      const x = tf.keras.Input([2]);
      return tf.keras.Model(x, fresh.apply(old.apply(x)) as tf.SymbolicTensor);
    }).toThrow(/The name "dense" is used 2 times in the model. All layer names should be unique/);
    old.dispose();
    fresh.dispose();
    expect(tf.memory().numTensors).toBeLessThanOrEqual(before);
  });

  test('numTensors and numBytes', () => {
    const x = tf.ones([3]);
    const layer = Dense(2);
    layer.build([null, 3]);
    const { numTensors, numBytes } = tf.memory();
    backend.clear_session();
    expect(tf.memory()).toMatchObject({ numTensors, numBytes });
    x.dispose();
    layer.dispose();
  });

  test('floatx, epsilon, image_data_format, registered classes', () => {
    backend.set_floatx('float16');
    backend.set_epsilon(1e-3);
    backend.set_image_data_format('channels_first');
    class Kept extends layers.Layer {
      static override className = 'Kept';
    }
    utils.register_keras_serializable('mine')(Kept);
    utils.get_custom_objects()['other'] = Kept;
    backend.clear_session();
    expect([backend.floatx(), backend.epsilon(), backend.image_data_format()])
      .toEqual(['float16', 1e-3, 'channels_first']);
    expect(utils.get_registered_object('mine>Kept')).toBe(Kept);
    expect(utils.get_registered_object('Kept')).toBe(Kept);
    expect(utils.get_registered_object('other')).toBe(Kept);
    expect(utils.get_registered_name(Kept)).toBe('mine>Kept');
    delete utils.get_custom_objects()['other'];
    backend.set_epsilon(1e-7);
    backend.set_image_data_format('channelsLast');
  });
});

describe('what starts over', () => {
  test('the dtype policy is floatx again', () => {
    config.set_dtype_policy('mixed_float16');
    expect(config.dtype_policy()).toEqual({ name: 'mixed_float16', computeDtype: 'float32', variableDtype: 'float32' });
    backend.set_floatx('float64');
    backend.clear_session();
    expect(tf.keras.mixed_precision.global_policy().name).toBe('float64');
    expect(() => config.set_dtype_policy('float7')).toThrow(/unknown name 'float7'/);
  });

  test('the seed: none is remembered, and runs are not made alike', () => {
    utils.set_random_seed(3);
    expect(utils.get_random_seed()).toBe(3);
    const draw = (): number => {
      const layer = Dense(1);
      layer.build([null, 1]);
      const [value] = layer.getWeights()[0]!.dataSync();
      layer.dispose();
      return value!;
    };
    const [a, b] = [draw(), draw()];
    expect(a).not.toBe(b);
    utils.set_random_seed(3);
    expect([draw(), draw()]).toEqual([a, b]);
    backend.clear_session();
    expect(utils.get_random_seed()).toBeNull();
    expect(draw()).not.toBe(a);
    expect(() => utils.set_random_seed(0.5)).toThrow(/expected seed argument to be an integer/);
  });

  test('open name scopes: leaving one does no harm, and it is no prefix any more', () => {
    const scope = backend.name_scope('outer');
    const named = Dense(1);
    named.build([null, 1]);
    expect(named.weights[0]!.name).toBe('outer/kernel');
    backend.clear_session();
    expect(() => scope.exit()).not.toThrow();
    expect(() => scope.exit()).not.toThrow();
    tf.keras.name_scope('a', () => {
      backend.clear_session();
      const inside = Dense(1);
      inside.build([null, 1]);
      expect(inside.weights[0]!.name).toBe('kernel');
      inside.dispose();
    });
    named.dispose();
  });

  test('a name scope closed in an error leaves no prefix', () => {
    expect(() => backend.name_scope('a', () => { throw new Error('stop'); })).toThrow('stop');
    expect(globalState().nameScopes).toEqual([]);
    const outer = backend.name_scope('a');
    backend.name_scope('b');
    outer.exit();
    expect(globalState().nameScopes).toEqual([]);
  });

  test('open scopes of custom objects', () => {
    class Hidden extends layers.Layer {
      static override className = 'Hidden';
    }
    const scope = utils.custom_object_scope({ Hidden });
    expect(utils.get_registered_object('Hidden')).toBe(Hidden);
    backend.clear_session();
    expect(utils.get_registered_object('Hidden')).toBeNull();
    expect(() => scope.exit()).not.toThrow();
    expect(utils.custom_object_scope({ Hidden }, () => utils.get_registered_object('Hidden'))).toBe(Hidden);
    expect(utils.get_registered_object('Hidden')).toBeNull();
  });
});

describe('the call', () => {
  test('is one function under all its names, and gives nothing', () => {
    const names = [backend.clear_session, backend.clearSession, utils.clear_session, utils.clearSession];
    expect(new Set(names).size).toBe(1);
    expect(backend.clear_session()).toBeUndefined();
    expect(() => backend.clear_session(null as never)).toThrow(/expected {freeMemory} or a boolean/);
  });

  test.each<[unknown, number]>([
    [undefined, 1], [true, 1], [{}, 1], [{ freeMemory: true }, 1], [{ free_memory: true }, 1],
    [false, 0], [{ freeMemory: false }, 0], [{ free_memory: false }, 0],
  ])('with %j asks the collector %i times', (options, times) => {
    const holder = globalThis as { gc?: () => void };
    const { gc } = holder;
    const spy = jest.fn();
    holder.gc = spy;
    try {
      Dense(1);
      backend.clear_session(options as boolean);
      expect(Dense(1).name).toBe('dense');
      expect(spy).toHaveBeenCalledTimes(times);
    } finally {
      if (gc) holder.gc = gc;
      else delete holder.gc;
    }
  });
});

describe('memory', () => {
  test.each<[boolean, number]>([[true, 0], [false, 1]])('with %j leaves what finalizers have named: %i', (free, left) => {
    using session = tf.EagerSession.options().resourceCleanupStrategy('ON_SAFE_POINTS').build();
    session.simulateCollect(session.run(() => tf.ones([2])));
    expect(tf.memory().pendingFinalizers).toBe(1);
    backend.clear_session(free);
    expect(tf.memory().pendingFinalizers).toBe(left);
  });

  test('dropped models are collected although a layer of theirs is in use', async () => {
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc') as () => void;
    const build = (): { refs: WeakRef<object>[]; free: () => void } => {
      const x = tf.input({ shape: [4] });
      const shared = base.apply(x) as tf.SymbolicTensor;
      const model = tf.model({ inputs: x, outputs: tf.layers.dense({ units: 2 }).apply(shared) as tf.SymbolicTensor });
      const variables = model.layers.at(-1)!.getWeights();
      return { refs: [new WeakRef(model), new WeakRef(model.layers.at(-1)!)], free: () => tf.dispose(variables) };
    };
    const base = tf.layers.dense({ units: 3 });
    const built = Array.from({ length: 5 }, build);
    backend.clear_session();
    await new Promise((resolve) => setTimeout(resolve));
    gc();
    expect(built.flatMap(({ refs }) => refs.filter((ref) => ref.deref())).length).toBe(0);
    for (const { free } of built) free();
    base.getWeights().forEach((w) => w.dispose());
  });
});
