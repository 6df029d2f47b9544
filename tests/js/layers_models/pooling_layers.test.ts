// Pooling layers beside TensorFlow.js'.
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import * as pooling from '../../../js/src/layers/families/pooling.js';
import { compare, expectClose, made, useCpu } from './beside_tfjs.js';

beforeAll(useCpu);

const first = 'channelsFirst';
const { AveragePooling1D, AveragePooling2D, MaxPooling1D, MaxPooling2D } = pooling;
const { GlobalAveragePooling1D, GlobalAveragePooling2D, GlobalMaxPooling1D, GlobalMaxPooling2D } = pooling;

const rows1d: [string, object][] = [
  ['default', {}],
  ['size', { poolSize: 3 }],
  ['list', { poolSize: [3], strides: [2] }],
  ['strides', { poolSize: 2, strides: 1 }],
  ['same', { poolSize: 3, strides: 2, padding: 'same' }],
  ['as long as the row', { poolSize: 7 }],
];

const rows2d: [string, object, number[]?][] = [
  ['default', {}],
  ['size', { poolSize: 3 }],
  ['of each dimension', { poolSize: [3, 2], strides: [1, 2] }],
  ['strides', { poolSize: 2, strides: 3 }],
  ['same', { poolSize: 3, padding: 'same' }],
  ['same, strides of 1', { poolSize: [2, 3], strides: 1, padding: 'same' }],
  ['channels first', { poolSize: [3, 2], strides: 2, dataFormat: first }, [2, 3, 7, 5]],
  ['channels first, same', { padding: 'same', dataFormat: first }, [2, 3, 7, 5]],
];

/** TensorFlow.js' gradient of padded means divides by the whole window, padding included. */
const unequal = (cls: { className: string }, args: object): boolean => cls.className.startsWith('Average') && 'padding' in args;

describe.each([['MaxPooling1D', MaxPooling1D], ['AveragePooling1D', AveragePooling1D]])('%s', (_name, cls) => {
  test.each(rows1d)('%s', (...[, args]) => compare({ cls, args, inputShape: [2, 7, 3], differences: unequal(cls, args) }));

  test('channels first', () => {
    const layer = new cls({ poolSize: 3, strides: 2, padding: 'same', dataFormat: first });
    const last = new cls({ poolSize: 3, strides: 2, padding: 'same' });
    tf.tidy(() => {
      const x = made(tf, [2, 3, 7]) as tf.Tensor3D;
      const y = layer.apply(x) as tf.Tensor;
      const expected = tf.transpose(last.apply(tf.transpose(x, [0, 2, 1])) as tf.Tensor, [0, 2, 1]);
      expect(y.shape).toEqual(expected.shape);
      expect(layer.computeOutputShape([null, 3, 7])).toEqual([null, 3, 4]);
      expectClose(y.dataSync(), expected.dataSync());
    });
    expect((cls.fromConfig(cls, layer.getConfig()) as typeof layer).getConfig()).toEqual(layer.getConfig());
    layer.dispose();
    last.dispose();
  });
});

describe.each([['MaxPooling2D', MaxPooling2D], ['AveragePooling2D', AveragePooling2D]])('%s', (_name, cls) => {
  test.each(rows2d)('%s', (...[, args, shape]) => compare({
    cls, args, inputShape: shape ?? [2, 7, 5, 3], differences: unequal(cls, args),
  }));
});

describe('global pooling', () => {
  test.each([['GlobalMaxPooling1D', GlobalMaxPooling1D], ['GlobalAveragePooling1D', GlobalAveragePooling1D]])('%s', (_, cls) => {
    compare({ cls, args: {}, inputShape: [3, 5, 2] });
  });

  test.each([
    ['GlobalMaxPooling2D', GlobalMaxPooling2D, {}],
    ['GlobalAveragePooling2D', GlobalAveragePooling2D, {}],
    ['GlobalMaxPooling2D, channels first', GlobalMaxPooling2D, { dataFormat: first }],
    ['GlobalAveragePooling2D, channels first', GlobalAveragePooling2D, { dataFormat: first }],
  ])('%s', (_, cls, args) => {
    compare({ cls, args, inputShape: [3, 5, 2, 4] });
  });

  test('a mask takes steps out of the mean', () => {
    const layer = new GlobalAveragePooling1D();
    tf.tidy(() => {
      const x = tf.tensor3d([[[1, 2], [3, 4], [50, 60]], [[5, 6], [70, 80], [90, 99]]]);
      const mask = tf.tensor2d([[1, 1, 0], [1, 0, 0]], [2, 3], 'bool');
      expect((layer.apply(x, { mask }) as tf.Tensor).arraySync()).toEqual([[2, 3], [5, 6]]);
      expect((layer.apply(x, { mask: [mask] }) as tf.Tensor).arraySync()).toEqual([[2, 3], [5, 6]]);
      expect(layer.computeMask()).toBeNull();
      const grad = tf.grad((t) => tf.sum(layer.apply(t, { mask }) as tf.Tensor))(x);
      expect(grad.arraySync()).toEqual([[[0.5, 0.5], [0.5, 0.5], [0, 0]], [[1, 1], [0, 0], [0, 0]]]);
    });
    layer.dispose();
  });

  test('keepdims', () => {
    const layer = new GlobalMaxPooling2D({ keepdims: true });
    tf.tidy(() => {
      const y = layer.apply(made(tf, [2, 3, 4, 5])) as tf.Tensor;
      expect(y.shape).toEqual([2, 1, 1, 5]);
      expect(layer.computeOutputShape([null, 3, 4, 5])).toEqual([null, 1, 1, 5]);
      expect(layer.getConfig()['keepdims']).toBe(true);
    });
    layer.dispose();
  });
});

test('the call hook hears of calls', () => {
  const layer = new MaxPooling2D();
  const heard: unknown[] = [];
  layer.setCallHook((inputs) => heard.push((inputs as tf.Tensor).shape));
  tf.tidy(() => void layer.apply(tf.ones([1, 4, 4, 1])));
  expect(heard).toEqual([[1, 4, 4, 1]]);
  layer.dispose();
});

test('NaN in a window', () => {
  const layer = new MaxPooling1D();
  tf.tidy(() => {
    const y = layer.apply(tf.tensor3d([1, NaN, 3, 4], [1, 4, 1])) as tf.Tensor;
    expect(Array.from(y.dataSync())).toEqual([NaN, 4]);
  });
  layer.dispose();
});

describe('bad arguments', () => {
  test.each<[string, () => unknown, string]>([
    ['a size of 0', () => new MaxPooling1D({ poolSize: 0 }), 'MaxPooling1D: poolSize must be a positive integer'],
    ['a fraction', () => new AveragePooling2D({ strides: 1.5 }), 'AveragePooling2D: strides must be a positive integer'],
    ['a list too long', () => new MaxPooling2D({ strides: [1, 2, 3] }), 'a list of 2 of them, got [1,2,3]'],
    ['padding', () => new MaxPooling2D({ padding: 'causal' }), '"causal" is not a valid padding. Valid values are valid, same.'],
    ['data format', () => new GlobalMaxPooling2D({ dataFormat: 'last' as 'channelsLast' }), '"last" is not a valid dataFormat'],
  ])('%s', (_, f, message) => {
    expect(f).toThrow(message);
  });

  test.each<[string, (name: string) => tf.layers.Layer, number[], string]>([
    ['rows', (name) => tf.layers.averagePooling1d({ name, poolSize: 4 }), [3, 2], 'a window of [4] that covers 4 does not fit into the length 3 of axis 1, input shape '],
    ['images', (name) => tf.layers.maxPooling2d({ name, poolSize: [1, 5] }), [3, 3, 2], 'a window of [1,5] that covers 5 does not fit into the length 3 of axis 2, input shape '],
  ])('%s: a window larger than the input', (_, make, shape, message) => {
    const layer = make('p');
    const text = JSON.stringify(shape).slice(1);
    expect(() => layer.apply(tf.input({ shape }))).toThrow(`p: ${message}[null,${text}`);
    tf.tidy(() => expect(() => layer.apply(tf.ones([1, ...shape]))).toThrow(`p: ${message}[1,${text}`));
    layer.dispose();
  });

  test('an input of another rank', () => {
    const layer = new MaxPooling2D({ name: 'p' });
    tf.tidy(() => expect(() => layer.apply(tf.ones([1, 4, 4]))).toThrow('layer p: expected ndim=4, found ndim=3'));
    layer.dispose();
  });
});
