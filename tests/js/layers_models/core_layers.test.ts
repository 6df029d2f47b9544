// Dense layers, activations and changes of shape beside TensorFlow.js'.
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import {
  Activation, Dense, Flatten, Permute, RepeatVector, Reshape,
} from '../../../js/src/layers/families/core.js';
import type { Layer } from '../../../js/src/layers/layer.js';
import { compare, made, useCpu } from './beside_tfjs.js';

beforeAll(useCpu);

type Row = [string, object, number[]];
const activations = [
  'elu', 'gelu', 'gelu_new', 'hardSigmoid', 'linear', 'logSoftmax', 'mish', 'relu', 'relu6', 'selu', 'sigmoid',
  'softmax', 'softplus', 'softsign', 'swish', 'tanh',
];

const dense: Row[] = [
  ['default', { units: 4 }, [3, 5]],
  ['one of one', { units: 1 }, [1, 1]],
  ['no bias', { units: 7, useBias: false }, [3, 5]],
  ['no bias, relu', { units: 7, useBias: false, activation: 'relu' }, [3, 5]],
  ['sequences', { units: 3, activation: 'elu' }, [2, 7, 5]],
  ['images', { units: 3, activation: 'tanh' }, [2, 3, 5, 4]],
  ['inputDim', { units: 3, inputDim: 5 }, [2, 5]],
  ['inputDim and batchSize', { units: 3, inputDim: 5, batchSize: 2 }, [2, 5]],
  ['inputShape', { units: 3, inputShape: [3, 5] }, [2, 3, 5]],
  ['dtype', { units: 3, dtype: 'float32' }, [2, 5]],
  ['not trainable', { units: 3, trainable: false }, [2, 5]],
  ['initializers, regularizers, constraints', {
    units: 4, kernelInitializer: 'heUniform', biasInitializer: { className: 'Constant', config: { value: 0.5 } },
    kernelRegularizer: 'l1l2', biasRegularizer: { className: 'L1L2', config: { l1: 0, l2: 0.3 } },
    kernelConstraint: 'unitNorm', biasConstraint: { className: 'MinMaxNorm', config: { minValue: 0.2 } },
  }, [2, 5]],
  ...activations.map((activation): Row => [activation, { units: 5, activation }, [3, 6]]),
];

const rows: [string, any, Row[]][] = [
  ['Dense', Dense, dense],
  ['Activation', Activation, [
    ...activations.map((activation): Row => [activation, { activation }, [3, 6]]),
    ['of images', { activation: 'softmax' }, [2, 3, 2, 5]],
  ]],
  ['Flatten', Flatten, [
    ['sequences', {}, [2, 3, 5]],
    ['images', {}, [2, 3, 2, 5]],
    ['channels first', { dataFormat: 'channelsFirst' }, [2, 3, 2, 5]],
    ['channels last', { dataFormat: 'channelsLast' }, [2, 3, 2, 5]],
    ['channels first, sequences', { dataFormat: 'channelsFirst' }, [2, 3, 5]],
  ]],
  ['Reshape', Reshape, [
    ['to an image', { targetShape: [2, 3, 2] }, [3, 12]],
    ['to a vector', { targetShape: [12] }, [2, 3, 4]],
    ['to itself', { targetShape: [3, 4] }, [2, 3, 4]],
  ]],
  ['Permute', Permute, [
    ['of sequences', { dims: [2, 1] }, [2, 3, 5]],
    ['of images', { dims: [3, 1, 2] }, [2, 3, 5, 4]],
    ['to itself', { dims: [1, 2] }, [2, 3, 5]],
  ]],
  ['RepeatVector', RepeatVector, [
    ['once', { n: 1 }, [2, 3]],
    ['often', { n: 5 }, [2, 3]],
  ]],
];

describe.each(rows)('%s', (_name, cls, cases) => {
  test.each(cases)('%s', (_case, args, inputShape) => compare({ cls, args, inputShape }));
});

test('spellings of names, as Keras and TensorFlow.js have them, mean the same', () => {
  const config = (kernelInitializer: string, activation: string, kernelRegularizer: string, kernelConstraint: string): object => {
    const layer = new Dense({ units: 1, name: 'd', kernelInitializer, activation, kernelRegularizer, kernelConstraint });
    const result = layer.getConfig();
    layer.dispose();
    return result;
  };
  const expected = config('glorotUniform', 'hardSigmoid', 'l1l2', 'minMaxNorm');
  expect(config('glorot_uniform', 'hard_sigmoid', 'l1_l2', 'min_max_norm')).toEqual(expected);
  expect(config('GlorotUniform', 'HardSigmoid', 'L1L2', 'MinMaxNorm')).toEqual(expected);
});

describe('what TensorFlow.js lacks', () => {
  const apply = (layer: Layer, x: tf.Tensor): unknown => (layer.apply(x) as tf.Tensor).arraySync();

  test('Reshape knows what remains', () => {
    for (const rest of [-1, null]) {
      const layer = new Reshape({ targetShape: [2, rest] });
      expect(layer.computeOutputShape([null, 6])).toEqual([null, 2, 3]);
      expect(layer.computeOutputShape([4, null, 2])).toEqual([4, 2, null]);
      tf.tidy(() => expect(apply(layer, tf.tensor2d([[1, 2, 3, 4]]))).toEqual([[[1, 2], [3, 4]]]));
      expect(layer.getConfig()['targetShape']).toEqual([2, null]);
      expect(() => layer.computeOutputShape([null, 5])).toThrow(/Total size of new array must be unchanged.*5.*2/);
      layer.dispose();
    }
    const layer = new Reshape({ targetShape: [4, 2] });
    expect(() => layer.computeOutputShape([null, 7])).toThrow(/Total size of new array must be unchanged/);
    expect(() => tf.tidy(() => layer.apply(tf.ones([2, 7])))).toThrow(/Total size of new array must be unchanged/);
    expect(() => new Reshape({ targetShape: [-1, -1] })).toThrow(/one unknown dimension/);
    expect(() => new Reshape({ targetShape: [1.5] })).toThrow(/targetShape must be a list of lengths, got \[1.5\]/);
    layer.dispose();
  });

  test('Flatten takes every rank and unknown lengths', () => {
    const layer = new Flatten();
    tf.tidy(() => {
      expect(apply(layer, tf.tensor1d([1, 2]))).toEqual([[1], [2]]);
      expect(apply(layer, tf.tensor2d([[1, 2]]))).toEqual([[1, 2]]);
      expect((layer.apply(tf.zeros([0, 2, 3])) as tf.Tensor).shape).toEqual([0, 6]);
    });
    expect(layer.computeOutputShape([3, null, 2])).toEqual([3, null]);
    layer.dispose();
  });

  test('Dense takes whole numbers and nothing', () => {
    const layer = new Dense({ units: 2, kernelInitializer: 'ones' });
    tf.tidy(() => {
      expect(apply(layer, tf.tensor2d([[1, 2, 3]], [1, 3], 'int32'))).toEqual([[6, 6]]);
      expect((layer.apply(tf.zeros([0, 3])) as tf.Tensor).shape).toEqual([0, 2]);
    });
    layer.dispose();
  });
});

test('regularizers of weights are losses', () => {
  const layer = new Dense({
    units: 2, kernelInitializer: 'ones', biasInitializer: 'ones', kernelRegularizer: { className: 'L2', config: { l2: 0.5 } },
    biasRegularizer: { className: 'L1', config: { l1: 0.25 } },
  });
  tf.tidy(() => {
    layer.apply(tf.ones([1, 3]));
    expect(layer.calculateLosses().map((loss) => loss.arraySync())).toEqual([3, 0.5]);
  });
  layer.dispose();
});

test.each<[string, () => unknown, RegExp]>([
  ['units of 0', () => new Dense({ units: 0 }), /Dense: units must be a positive integer, got 0/],
  ['units of nothing', () => new Dense({} as any), /units must be a positive integer, got undefined/],
  ['half a unit', () => new Dense({ units: 2.5 }), /got 2.5/],
  ['an activation', () => new Dense({ units: 1, activation: 'foo' }), /Unknown activation: foo.*hardSigmoid/],
  ['an initializer', () => new Dense({ units: 1, kernelInitializer: 'foo' }), /Unknown initializer: foo.*GlorotNormal/],
  ['a regularizer', () => new Dense({ units: 1, kernelRegularizer: 'foo' }), /Unknown regularizer: foo.*L1L2/],
  ['a constraint', () => new Dense({ units: 1, biasConstraint: 'foo' }), /Unknown constraint: foo.*MaxNorm/],
  ['a layer as an activation', () => new Dense({ units: 1, activation: 'Flatten' }), /Unknown activation: Flatten/],
  ['a number as an activation', () => new Dense({ units: 1, activation: 3 as any }), /activation: expected a name.*got 3/],
  ['a vector', () => new Dense({ units: 1 }).apply(tf.ones([2])), /expected min_ndim=2, found ndim=1/],
  ['unknown features', () => new Dense({ units: 1 }).build([2, null]), /last dimension.*\[2,null\]/],
  ['other features', () => {
    const layer = new Dense({ units: 1 });
    layer.apply(tf.ones([1, 2]));
    try {
      layer.apply(tf.ones([1, 3]));
    } finally {
      layer.dispose();
    }
  }, /axis -1 of input shape to have value 2 but got shape \[1,3\]/],
  ['no dims', () => new Permute({} as any), /dims must be an Array, but received undefined/],
  ['dims with a gap', () => new Permute({ dims: [1, 3] }), /Invalid permutation `dims`: \[1,3\]/],
  ['a matrix for Permute', () => new Permute({ dims: [2, 1] }).apply(tf.ones([1, 2])), /expected ndim=3, found ndim=2/],
  ['a share of a repetition', () => new RepeatVector({ n: 1.5 }), /n must be a positive integer, got 1.5/],
  ['two inputs', () => new Flatten().apply([tf.ones([1, 2]), tf.ones([1, 2])]), /Flatten|flatten/],
])('%s is refused', (_name, f, message) => {
  tf.tidy(() => void expect(f).toThrow(message));
});

test('a mask passes layers that support one', () => {
  tf.tidy(() => {
    const mask = tf.tensor2d([[1, 0]], [1, 2], 'bool');
    expect(new Dense({ units: 1 }).computeMask(tf.ones([1, 2, 3]), mask)).toBe(mask);
    expect(new Activation({ activation: 'relu' }).computeMask(made(tf, [1, 2, 3]), mask)).toBe(mask);
    expect(new Flatten().computeMask(tf.ones([1, 2, 3]), null)).toBe(null);
  });
});
