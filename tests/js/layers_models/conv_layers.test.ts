// Convolution layers beside TensorFlow.js'.
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { Conv1D, Conv2D } from '../../../js/src/layers/families/conv.js';
import { Conv2DTranspose } from '../../../js/src/layers/families/conv_transpose.js';
import { DepthwiseConv2D } from '../../../js/src/layers/families/depthwise.js';
import { SeparableConv2D } from '../../../js/src/layers/families/separable.js';
import type { Layer } from '../../../js/src/layers/layer.js';
import { compare, compareWithDifferences, expectClose, made, theirs, useCpu } from './beside_tfjs.js';
import type { Beside } from './beside_tfjs.js';

beforeAll(useCpu);

const first = 'channelsFirst';
const image = [2, 7, 5, 3];
const turned = [2, 3, 7, 5];

const conv2d: [string, object, number[]?][] = [
  ['default', { filters: 4, kernelSize: 3 }],
  ['1x1', { filters: 5, kernelSize: 1 }],
  ['a window of its own for each dimension', { filters: 2, kernelSize: [2, 3] }],
  ['strides', { filters: 2, kernelSize: 3, strides: 2 }],
  ['strides of each dimension', { filters: 2, kernelSize: 2, strides: [3, 1] }],
  ['same', { filters: 2, kernelSize: 3, padding: 'same' }],
  ['same, even window, strides', { filters: 2, kernelSize: 4, padding: 'same', strides: [2, 3] }],
  ['dilation', { filters: 2, kernelSize: 2, dilationRate: [2, 3] }],
  ['dilation, same', { filters: 2, kernelSize: 3, dilationRate: 2, padding: 'same' }],
  ['no bias', { filters: 2, kernelSize: 2, useBias: false }],
  ['no bias, tanh', { filters: 2, kernelSize: 2, useBias: false, activation: 'tanh' }],
  ['channels first', { filters: 4, kernelSize: [3, 2], dataFormat: first }, turned],
  ['channels first, same, strides, relu', { filters: 4, kernelSize: 3, dataFormat: first, padding: 'same', strides: 2, activation: 'relu' }, turned],
  ['channels first, softmax', { filters: 4, kernelSize: 3, dataFormat: first, activation: 'softmax' }, turned],
  ...['relu', 'relu6', 'elu', 'sigmoid', 'tanh', 'hardSigmoid', 'selu', 'softplus', 'softmax', 'linear'].map(
    (activation): [string, object] => [activation, { filters: 3, kernelSize: 2, activation }],
  ),
  ['initializers, regularizers, constraints', {
    filters: 3, kernelSize: 2, kernelInitializer: 'heNormal', biasInitializer: 'ones',
    kernelRegularizer: 'l1l2', biasRegularizer: { className: 'L1L2', config: { l1: 0, l2: 0.3 } },
    kernelConstraint: 'nonNeg', biasConstraint: { className: 'MaxNorm', config: { maxValue: 3, axis: 0 } },
  }],
  ['one pixel', { filters: 3, kernelSize: 3, padding: 'same' }, [1, 1, 1, 2]],
  ['a window as large as the image', { filters: 3, kernelSize: [7, 5] }],
];

const conv1d: [string, object, number[]?][] = [
  ['default', { filters: 4, kernelSize: 3 }],
  ['list', { filters: 4, kernelSize: [2], strides: [2] }],
  ['same', { filters: 2, kernelSize: 4, padding: 'same', strides: 3 }],
  ['dilation', { filters: 2, kernelSize: 3, dilationRate: 2 }],
  ['dilation in a list, same', { filters: 2, kernelSize: 3, dilationRate: [3], padding: 'same' }],
  ['relu', { filters: 2, kernelSize: 3, activation: 'relu' }],
  ['softmax, no bias', { filters: 3, kernelSize: 3, activation: 'softmax', useBias: false }],
];

const transposed: [string, object, number[]?][] = [
  ['default', { filters: 4, kernelSize: 3 }],
  ['strides larger than the window', { filters: 2, kernelSize: 2, strides: 3 }],
  ['strides of each dimension', { filters: 2, kernelSize: [3, 4], strides: [2, 1] }],
  ['same', { filters: 2, kernelSize: 3, padding: 'same' }],
  ['same, strides, relu', { filters: 2, kernelSize: 4, padding: 'same', strides: 2, activation: 'relu' }],
  ['no bias, softmax', { filters: 3, kernelSize: 2, useBias: false, activation: 'softmax' }],
  ['channels first', { filters: 4, kernelSize: 3, strides: 2, dataFormat: first }, turned],
];

const depthwise: [string, object, number[]?][] = [
  ['default', { kernelSize: 3 }],
  ['multiplier', { kernelSize: [2, 3], depthMultiplier: 3 }],
  ['strides, same', { kernelSize: 3, strides: 2, padding: 'same', depthMultiplier: 2 }],
  ['relu', { kernelSize: 2, activation: 'relu' }],
  ['tanh, no bias', { kernelSize: 2, activation: 'tanh', useBias: false }],
  ['channels first', { kernelSize: 2, depthMultiplier: 2, dataFormat: first }, turned],
];

const separable: [string, object, number[]?][] = [
  ['default', { filters: 4, kernelSize: 3 }],
  ['multiplier', { filters: 2, kernelSize: [2, 3], depthMultiplier: 3 }],
  ['strides, same', { filters: 2, kernelSize: 3, strides: 2, padding: 'same' }],
  ['dilation', { filters: 2, kernelSize: 2, dilationRate: [2, 1] }],
  ['relu', { filters: 2, kernelSize: 2, activation: 'relu' }],
  ['sigmoid, no bias', { filters: 2, kernelSize: 2, activation: 'sigmoid', useBias: false }],
  ['channels first, no bias', { filters: 2, kernelSize: 2, dataFormat: first, useBias: false }, turned],
];

const families: [string, any, typeof conv2d, number[]][] = [
  ['Conv2D', Conv2D, conv2d, image],
  ['Conv1D', Conv1D, conv1d, [2, 9, 3]],
  ['Conv2DTranspose', Conv2DTranspose, transposed, [2, 3, 4, 3]],
  ['DepthwiseConv2D', DepthwiseConv2D, depthwise, image],
  ['SeparableConv2D', SeparableConv2D, separable, image],
];

describe.each(families)('%s', (_name, cls, rows, inputShape) => {
  test.each(rows)('%s', (...[, args, shape]) => {
    const row: Beside = { cls, args, inputShape: shape ?? inputShape, differences: 'dilationRate' in args };
    if ('depthMultiplier' in args) row.unsaved = { depthMultiplier: args.depthMultiplier };
    compare(row);
  });
});

/** Applies a layer of given weights to numbers; all is freed but the values. */
function valuesOf(layer: Layer, shape: number[], weights?: tf.Tensor[]): { values: Float32Array; shape: number[] } {
  return tf.tidy(() => {
    const x = made(tf, shape, 3);
    if (weights) {
      layer.build(shape);
      layer.setWeights(weights);
    }
    const y = layer.apply(x) as tf.Tensor;
    return { values: y.dataSync<'float32'>(), shape: y.shape };
  });
}

describe('what TensorFlow.js lacks', () => {
  const kernel = () => made(tf, [3, 2, 4], 5) as tf.Tensor3D;

  test.each([[1, 1], [2, 1], [1, 3], [4, 1]])('Conv1D, causal: strides %d, dilation %d', (strides, dilationRate) => {
    const layer = new Conv1D({ filters: 4, kernelSize: 3, padding: 'causal', strides, dilationRate, activation: 'relu' });
    tf.tidy(() => {
      const bias = made(tf, [4], 6);
      const got = valuesOf(layer, [2, 7, 2], [kernel(), bias]);
      const before = 2 * dilationRate;
      const x = tf.pad(made(tf, [2, 7, 2], 3) as tf.Tensor3D, [[0, 0], [before, 0], [0, 0]]);
      const expected = tf.conv1d(x, kernel(), strides, 'valid', 'NWC', dilationRate).add(bias).relu();
      expect(got.shape).toEqual(expected.shape);
      expectClose(got.values, expected.dataSync());
      expect(layer.computeOutputShape([null, 7, 2])).toEqual([null, expected.shape[1], 4]);
      compareWithDifferences(layer, [made(tf, [2, 7, 2], 3)], {}, 1e-3, 5e-3);
    });
    layer.dispose();
  });

  test('a causal result sees nothing after it', () => {
    const layer = new Conv1D({ filters: 1, kernelSize: 3, padding: 'causal', dilationRate: 2 });
    tf.tidy(() => {
      const x = made(tf, [1, 8, 2], 3) as tf.Tensor3D;
      const changed = tf.concat([tf.slice(x, [0, 0, 0], [1, 5, 2]), tf.ones([1, 3, 2])], 1);
      const [a, b] = [x, changed].map((t) => (layer.apply(t) as tf.Tensor).dataSync());
      expect(a!.slice(0, 5)).toEqual(b!.slice(0, 5));
      expect(a!.slice(5)).not.toEqual(b!.slice(5));
    });
    layer.dispose();
  });

  test.each(['valid', 'same', 'causal'] as const)('Conv1D, channels first, %s', (padding) => {
    const layer = new Conv1D({ filters: 4, kernelSize: 3, padding, dataFormat: first });
    const last = new Conv1D({ filters: 4, kernelSize: 3, padding });
    tf.tidy(() => {
      const x = made(tf, [2, 2, 7], 3) as tf.Tensor3D;
      const y = layer.apply(x) as tf.Tensor;
      last.build([2, 7, 2]);
      last.setWeights(layer.getWeights());
      const expected = tf.transpose(last.apply(tf.transpose(x, [0, 2, 1])) as tf.Tensor, [0, 2, 1]);
      expect(y.shape).toEqual(expected.shape);
      expect(layer.computeOutputShape([2, 2, 7])).toEqual(expected.shape);
      expectClose(y.dataSync(), expected.dataSync());
    });
    expect(layer.getConfig()['dataFormat']).toBe(first);
    expect('dataFormat' in last.getConfig()).toBe(false);
    layer.dispose();
    last.dispose();
  });

  test('DepthwiseConv2D with dilation', () => {
    const layer = new DepthwiseConv2D({ kernelSize: 2, dilationRate: [2, 3], depthMultiplier: 2 });
    tf.tidy(() => {
      const filter = made(tf, [2, 2, 3, 2], 5);
      const got = valuesOf(layer, [1, 7, 6, 3], [filter, tf.zeros([6])]);
      const expected = theirs.depthwiseConv2d(
        theirs.tensor(made(tf, [1, 7, 6, 3], 3).dataSync(), [1, 7, 6, 3]) as any,
        theirs.tensor(filter.dataSync(), [2, 2, 3, 2]) as any, 1, 'valid', 'NHWC', [2, 3]);
      expect(got.shape).toEqual(expected.shape);
      expect(layer.computeOutputShape([1, 7, 6, 3])).toEqual(expected.shape);
      expectClose(got.values, expected.dataSync());
      expected.dispose();
      compareWithDifferences(layer, [made(tf, [1, 7, 6, 3], 3)]);
    });
    layer.dispose();
  });

  test('SeparableConv2D has initializers of its own for both kernels, and saves the multiplier', () => {
    const layer = new SeparableConv2D({
      filters: 2, kernelSize: 2, depthMultiplier: 3, depthwiseInitializer: 'ones', pointwiseInitializer: 'zeros', useBias: false,
    });
    layer.build([null, 4, 4, 3]);
    expect(layer.getWeights().map((w) => [...new Set(w.dataSync())])).toEqual([[1], [0]]);
    expect(layer.getConfig()).toMatchObject({ depthMultiplier: 3, pointwiseInitializer: { className: 'Zeros' } });
    layer.dispose();
  });

  test('DepthwiseConv2D saves its constraint, not its regularizer, under the name', () => {
    const layer = new DepthwiseConv2D({ kernelSize: 2, depthwiseConstraint: 'nonNeg', depthwiseRegularizer: 'l2' });
    expect(layer.getConfig()).toMatchObject({
      depthwiseConstraint: { className: 'NonNeg' }, depthwiseRegularizer: { className: 'L1L2' },
    });
    layer.dispose();
  });

  test('Keras spellings', () => {
    const layer = new Conv2D({
      filters: 2, kernelSize: 2, dataFormat: 'channels_first' as 'channelsFirst', kernelInitializer: 'glorot_uniform', activation: 'hard_sigmoid',
    });
    expect(layer.getConfig()).toMatchObject({ dataFormat: first, activation: 'hardSigmoid' });
    layer.dispose();
  });
});

describe('regularizers and constraints', () => {
  test('add losses and change weights', () => {
    const layer = new Conv2D({
      filters: 2, kernelSize: 2, kernelInitializer: 'ones', biasInitializer: 'ones',
      kernelRegularizer: { className: 'L2', config: { l2: 0.5 } }, biasRegularizer: { className: 'L1', config: { l1: 0.25 } },
      biasConstraint: 'nonNeg',
    });
    layer.build([null, 3, 3, 3]);
    tf.tidy(() => {
      expect(layer.calculateLosses().map((loss) => loss.dataSync()[0])).toEqual([12, 0.5]);
      layer.setWeights([tf.zeros([2, 2, 3, 2]), tf.tensor1d([-1, 2])]);
      expect([...layer.getWeights()[1]!.dataSync()]).toEqual([0, 2]);
    });
    layer.dispose();
  });
});

describe('bad arguments', () => {
  test.each<[string, () => unknown, string]>([
    ['no kernelSize', () => new Conv2D({ filters: 2 } as any), 'Conv2D: kernelSize must be a positive integer or a list of 2 of them, got undefined'],
    ['a list too long', () => new Conv2D({ filters: 2, kernelSize: [1, 2, 3] }), 'got [1,2,3]'],
    ['a fraction', () => new Conv1D({ filters: 2, kernelSize: 1.5 }), 'Conv1D: kernelSize must be a positive integer'],
    ['no filters', () => new Conv2D({ kernelSize: 2 } as any), 'Conv2D: filters must be a positive integer, got undefined'],
    ['filters below 1', () => new Conv1D({ kernelSize: 2, filters: 0 }), 'Conv1D: filters must be a positive integer, got 0'],
    ['padding', () => new Conv2D({ filters: 2, kernelSize: 2, padding: 'full' as 'same' }), 'Conv2D: "full" is not a valid padding. Valid values are valid, same.'],
    ['causal in two dimensions', () => new Conv2D({ filters: 2, kernelSize: 2, padding: 'causal' }), '"causal" is not a valid padding'],
    ['data format', () => new Conv2D({ filters: 2, kernelSize: 2, dataFormat: 'NHWC' as 'channelsLast' }), '"NHWC" is not a valid dataFormat'],
    ['groups', () => new Conv2D({ filters: 2, kernelSize: 2, groups: 2 } as any), 'groups must be 1, got 2'],
    ['strides', () => new Conv2D({ filters: 2, kernelSize: 2, strides: 0 }), 'Conv2D: strides must be a positive integer'],
    ['transposed dilation', () => new Conv2DTranspose({ filters: 2, kernelSize: 2, dilationRate: 2 }), 'dilationRate must be 1, got [2,2]'],
    ['output padding', () => new Conv2DTranspose({ filters: 2, kernelSize: 2, outputPadding: 1 } as any), 'outputPadding is not supported'],
    ['a kernel initializer', () => new SeparableConv2D({ filters: 2, kernelSize: 2, kernelInitializer: 'ones' } as any), 'kernelInitializer is invalid, use depthwiseInitializer and pointwiseInitializer'],
    ['activation', () => new Conv2D({ filters: 2, kernelSize: 2, activation: 'loud' }), 'Unknown activation: loud'],
    ['channels unknown', () => new Conv2D({ filters: 2, kernelSize: 2 }).build([null, 4, 4, null]), 'The channel dimension of the input should be defined'],
  ])('%s', (_, f, message) => {
    expect(f).toThrow(message);
  });

  test('an input of another rank or with other channels, and nothing is left', () => {
    const layer = new Conv2D({ filters: 2, kernelSize: 2, name: 'c' });
    tf.tidy(() => {
      expect(() => layer.apply(tf.ones([4, 4, 3]))).toThrow('Input 0 is incompatible with layer c: expected ndim=4, found ndim=3');
      layer.apply(tf.ones([1, 4, 4, 3]));
      expect(() => layer.apply(tf.ones([1, 4, 4, 2]))).toThrow('expected axis 3 of input shape to have value 3');
      const before = tf.memory().numTensors;
      expect(() => layer.apply([tf.ones([1, 4, 4, 3]), tf.ones([1, 4, 4, 3])])).toThrow('expects 1 inputs');
      expect(tf.memory().numTensors).toBe(before + 2);
    });
    layer.dispose();
  });

  test.each<[string, (name: string) => Layer, number[], string]>([
    ['conv2d', (name) => tf.layers.conv2d({ name, filters: 1, kernelSize: 5 }), [3, 3, 1], 'a window of [5,5] that covers 5 does not fit into the length 3 of axis 1, input shape [null,3,3,1]'],
    ['dilated', (name) => tf.layers.conv2d({ name, filters: 1, kernelSize: [1, 2], dilationRate: 3 }), [3, 3, 1], 'a window of [1,2] that covers 4 does not fit into the length 3 of axis 2'],
    ['channels first', (name) => tf.layers.conv2d({ name, filters: 1, kernelSize: [2, 4], dataFormat: first }), [1, 3, 3], 'a window of [2,4] that covers 4 does not fit into the length 3 of axis 3, input shape [null,1,3,3]'],
    ['conv1d', (name) => tf.layers.conv1d({ name, filters: 1, kernelSize: 4 }), [3, 2], 'a window of [4] that covers 4 does not fit into the length 3 of axis 1'],
    ['depthwise', (name) => tf.layers.depthwiseConv2d({ name, kernelSize: 4 }), [3, 9, 1], 'a window of [4,4] that covers 4 does not fit into the length 3 of axis 1'],
    ['separable', (name) => tf.layers.separableConv2d({ name, filters: 2, kernelSize: 4 }), [3, 9, 1], 'a window of [4,4] that covers 4 does not fit into the length 3 of axis 1'],
  ])('%s: a window larger than the input', (_, make, shape, message) => {
    const { numTensors } = tf.memory();
    const layer = make('c');
    expect(() => layer.apply(tf.input({ shape }))).toThrow(`c: ${message}`);
    expect([layer.built, tf.memory().numTensors]).toEqual([false, numTensors]);
    // Once it has weights, too, and with tensors.
    tf.tidy(() => {
      layer.apply(tf.input({ shape: shape.map((n) => (n === 3 ? 8 : n)) }));
      expect(() => layer.apply(tf.ones([1, ...shape]))).toThrow(/^c: a window of/);
    });
    layer.dispose();
  });

  test('a window as large as the input fits', () => {
    const layer = tf.layers.conv2d({ filters: 1, kernelSize: 3, strides: 2 });
    expect((layer.apply(tf.input({ shape: [3, 4, 1] })) as tf.SymbolicTensor).shape).toEqual([null, 1, 1, 1]);
    layer.dispose();
  });

  test('strides and dilations together', () => {
    const layer = new Conv2D({ filters: 2, kernelSize: 2, strides: 2, dilationRate: 2 });
    tf.tidy(() => expect(() => layer.apply(tf.ones([1, 9, 9, 1]))).toThrow('Either strides or dilations must be 1'));
    layer.dispose();
  });
});
