// Regularizers, constraints and activations beside TensorFlow.js'.
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { Activation, getActivation, serializeActivation } from '../../../js/src/layers/activations.js';
import { Constraint, getConstraint, serializeConstraint } from '../../../js/src/layers/constraints.js';
import { Regularizer, getRegularizer, serializeRegularizer } from '../../../js/src/layers/regularizers.js';
import { registerClass } from '../../../js/src/layers/serialization.js';
import { expectClose, made, theirs, useCpu } from './beside_tfjs.js';

beforeAll(useCpu);

const plain = (x: unknown): any => JSON.parse(JSON.stringify(x));
const shapes = [[3, 4], [1, 1], [5], [2, 3, 2, 3]];

function both(f: (api: any) => any): [Float32Array, Float32Array] {
  return [tf, theirs].map((api: any) => api.tidy(() => f(api).dataSync())) as [Float32Array, Float32Array];
}

describe('regularizers', () => {
  test.each<['l1' | 'l2' | 'l1l2', object | undefined]>([
    ['l1', undefined], ['l2', undefined], ['l1l2', undefined], ['l1', { l1: 0.3 }], ['l2', { l2: 0.3 }],
    ['l1l2', { l1: 0.3, l2: 0.2 }], ['l1l2', { l1: 0, l2: 0 }], ['l1l2', { l1: 0.5 }], ['l1', { l1: 0 }],
  ])('%s %j', (name, args) => {
    for (const shape of shapes) {
      const cost = (api: any): any => api.regularizers[name](args).apply(made(api, shape, 4));
      const [ours, expected] = both(cost);
      expectClose(ours, expected);
      const slope = (api: any): any => api.grad((x: any) => api.regularizers[name](args).apply(x))(made(api, shape, 4));
      if (plain(args ?? {}).l1 !== 0) expectClose(...both(slope));
    }
    tf.tidy(() => {
      const before = tf.memory().numTensors;
      const x = made(tf, [3, 4]) as tf.Tensor;
      const y = tf.regularizers[name](args).apply(x);
      expect(y.shape).toEqual([]);
      expect(tf.memory().numTensors).toBe(before + 2);
    });
    const saved = plain(serializeRegularizer(tf.regularizers[name](args)));
    expect(saved).toEqual({ className: 'L1L2', config: plain((theirs.regularizers as any)[name](args).getConfig()) });
    expect(plain(serializeRegularizer(getRegularizer(saved)))).toEqual(saved);
  });

  test('names as Keras and TensorFlow.js have them', () => {
    const of = (id: any): object => plain(serializeRegularizer(getRegularizer(id)));
    for (const name of ['l1l2', 'l1_l2', 'L1L2']) expect(of(name)).toEqual({ className: 'L1L2', config: { l1: 0.01, l2: 0.01 } });
    expect(of('l2')).toEqual({ className: 'L1L2', config: { l1: 0, l2: 0.01 } });
    expect(of({ class_name: 'L1', config: { l1: 0.25 } })).toEqual({ className: 'L1L2', config: { l1: 0.25, l2: 0 } });
    expect(getRegularizer(null)).toBe(null);
    expect(getRegularizer(undefined)).toBe(null);
    expect(serializeRegularizer(null)).toBe(null);
    expect(() => getRegularizer('foo')).toThrow(/Unknown regularizer: foo/);
    expect(() => tf.regularizers.l1l2(3 as any)).toThrow(/expected \{l1, l2\}, got 3/);
  });

  test("one's own", () => {
    class Squares extends Regularizer {
      static override className = 'Squares';
      apply(x: tf.Tensor): tf.Scalar {
        return tf.tidy(() => tf.sum<tf.Scalar>(tf.square(x)));
      }
    }
    registerClass(Squares);
    tf.tidy(() => {
      expect(getRegularizer('Squares')!.apply(tf.tensor1d([1, 2])).arraySync()).toBe(5);
      expect(serializeRegularizer(new Squares())).toEqual({ className: 'Squares', config: {} });
    });
  });
});

describe('constraints', () => {
  test.each<['maxNorm' | 'minMaxNorm' | 'nonNeg' | 'unitNorm', object]>([
    ['maxNorm', {}], ['maxNorm', { maxValue: 0.7 }], ['maxNorm', { maxValue: 0.7, axis: 1 }], ['unitNorm', {}],
    ['unitNorm', { axis: -1 }], ['nonNeg', {}], ['minMaxNorm', {}], ['minMaxNorm', { minValue: 0.9, maxValue: 1.1 }],
    ['minMaxNorm', { minValue: 0.9, maxValue: 1.1, rate: 0.3, axis: 1 }],
  ])('%s %j', (name, args) => {
    for (const shape of [[3, 4], [1, 1], [2, 3, 2, 3]]) {
      expectClose(...both((api) => api.constraints[name](args).apply(made(api, shape, 4))));
    }
    tf.tidy(() => {
      const before = tf.memory().numTensors;
      const y = tf.constraints[name](args).apply(tf.zeros([2, 2]));
      expect(y.arraySync()).toEqual([[0, 0], [0, 0]]);
      expect(tf.memory().numTensors).toBe(before + 2);
    });
    const saved = plain(serializeConstraint(tf.constraints[name](args)));
    const reference = (theirs.constraints as any)[name](args);
    expect(saved).toEqual({ className: reference.getClassName(), config: plain(reference.getConfig()) });
    expect(plain(serializeConstraint(getConstraint(saved)))).toEqual(saved);
  });

  test('several axes, which a norm of filters needs', () => {
    tf.tidy(() => {
      const w = tf.constraints.unitNorm({ axis: [0, 1, 2] }).apply(made(tf, [2, 3, 2, 3]));
      expectClose(w.square().sum([0, 1, 2]).dataSync(), [1, 1, 1]);
    });
  });

  test('names as Keras and TensorFlow.js have them', () => {
    const of = (id: any): string => (serializeConstraint(getConstraint(id)) as any).className;
    for (const name of ['maxNorm', 'max_norm', 'MaxNorm']) expect(of(name)).toBe('MaxNorm');
    for (const name of ['nonNeg', 'non_neg', 'NonNeg']) expect(of(name)).toBe('NonNeg');
    for (const name of ['minMaxNorm', 'min_max_norm']) expect(of(name)).toBe('MinMaxNorm');
    expect(getConstraint(null)).toBe(null);
    expect(serializeConstraint(undefined)).toBe(null);
    expect(() => getConstraint('foo')).toThrow(/Unknown constraint: foo/);
  });

  test("one's own", () => {
    class Half extends Constraint {
      static override className = 'Half';
      apply(w: tf.Tensor): tf.Tensor {
        return tf.mul(w, 0.5);
      }
    }
    const layer = tf.layers.dense({ units: 1, kernelConstraint: new Half(), kernelInitializer: 'ones' });
    tf.tidy(() => {
      layer.build([null, 2]);
      layer.setWeights([tf.ones([2, 1]), tf.zeros([1])]);
      expect(layer.getWeights()[0]!.arraySync()).toEqual([[0.5], [0.5]]);
    });
    layer.dispose();
  });
});

describe('activations', () => {
  const names = [
    'elu', 'selu', 'relu', 'relu6', 'linear', 'sigmoid', 'hardSigmoid', 'softplus', 'softsign', 'tanh', 'softmax',
    'logSoftmax', 'swish', 'mish', 'gelu', 'gelu_new',
  ];

  // Values, also where exponentials overflow.
  test.each(names)('%s', (activation) => {
    for (const scale of [1, 8, 60]) {
      const y = (api: any): any => api.layers.activation({ activation }).apply(api.mul(made(api, [3, 7]), scale));
      expectClose(...both(y), 2e-5);
    }
    tf.tidy(() => {
      const before = tf.memory().numTensors;
      const x = made(tf, [3, 7]) as tf.Tensor;
      const function_ = getActivation(activation);
      const z = function_.apply(x);
      expect(z).not.toBe(x);
      expect(tf.memory().numTensors).toBe(before + 2);
      expect(function_.name).toBe(activation);
      expect(serializeActivation(function_)).toBe(activation);
    });
  });

  test('what some of them take beside the input', () => {
    tf.tidy(() => {
      const x = made(tf, [3, 7]) as tf.Tensor;
      const v = [...x.dataSync()];
      expectClose(getActivation('elu').apply(x, 2).dataSync(), v.map((a) => (a > 0 ? a : 2 * Math.expm1(a))));
      expectClose(getActivation('swish').apply(x, 2).dataSync(), v.map((a) => a / (1 + Math.exp(-2 * a))));
      expectClose(getActivation('softmax').apply(x, 1).dataSync(), tf.softmax(x).dataSync());
    });
  });

  test('names as Keras and TensorFlow.js have them', () => {
    const of = (id: any): string => serializeActivation(getActivation(id));
    expect(['hardSigmoid', 'hard_sigmoid', 'HardSigmoid'].map(of)).toEqual(['hardSigmoid', 'hardSigmoid', 'hardSigmoid']);
    expect(['gelu_new', 'geluNew', 'log_softmax', 'silu'].map(of)).toEqual(['gelu_new', 'gelu_new', 'logSoftmax', 'swish']);
    expect(of(null)).toBe('linear');
    expect(of(undefined)).toBe('linear');
    expect(of({ className: 'relu', config: {} })).toBe('relu');
    tf.tidy(() => expectClose(getActivation('exponential').apply(tf.tensor1d([0, 1])).dataSync(), [1, Math.E]));
    expect(() => getActivation('foo')).toThrow(/Unknown activation: foo/);
  });

  test("one's own", () => {
    class Cube extends Activation {
      static override className = 'cube';
      apply(x: tf.Tensor): tf.Tensor {
        return tf.tidy(() => x.mul(x).mul(x));
      }
    }
    registerClass(Cube);
    const layer = tf.layers.dense({ units: 1, activation: 'cube', kernelInitializer: 'ones' });
    tf.tidy(() => expect((layer.apply(tf.tensor2d([[1, 2]])) as tf.Tensor).arraySync()).toEqual([[27]]));
    expect(layer.getConfig()['activation']).toBe('cube');
    layer.dispose();
  });
});
