// Padding, cropping and upsampling beside TensorFlow.js'.
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { Cropping2D, ZeroPadding2D } from '../../../js/src/layers/families/padding.js';
import { UpSampling2D } from '../../../js/src/layers/families/upsampling.js';
import { SymbolicTensor } from '../../../js/src/layers/symbolic.js';
import { compare, useCpu } from './beside_tfjs.js';

beforeAll(useCpu);

const first = 'channelsFirst';
const image = [2, 7, 5, 3];

describe.each<[string, any, [string, object][]]>([
  ['ZeroPadding2D', ZeroPadding2D, [
    ['default', {}],
    ['a number', { padding: 2 }],
    ['rows and columns', { padding: [1, 3] }],
    ['every side', { padding: [[1, 2], [0, 3]] }],
    ['none', { padding: 0 }],
    ['channels first', { padding: [[1, 2], [3, 0]], dataFormat: first }],
  ]],
  ['Cropping2D', Cropping2D, [
    ['a number', { cropping: 1 }],
    ['rows and columns', { cropping: [3, 1] }],
    ['every side', { cropping: [[1, 2], [0, 3]] }],
    ['none', { cropping: 0 }],
    ['channels first', { cropping: [[0, 1], [1, 0]], dataFormat: first }],
  ]],
  ['UpSampling2D', UpSampling2D, [
    ['default', {}],
    ['sizes', { size: [3, 1] }],
    ['bilinear', { interpolation: 'bilinear' }],
    ['bilinear, sizes', { size: [2, 3], interpolation: 'bilinear' }],
    ['channels first', { size: [2, 3], dataFormat: first }],
    ['channels first, bilinear', { dataFormat: first, interpolation: 'bilinear' }],
  ]],
])('%s', (_name, cls, rows) => {
  // TensorFlow.js' gradients of resizing are wrong from the second image on, and where height and width differ.
  test.each(rows)('%s', (...[, args]) => compare({ cls, args, inputShape: image, differences: cls === UpSampling2D }));
  test.each(rows)('%s, one square image', (...[, args]) => compare({ cls, args, inputShape: [1, 8, 8, 8] }));

  test('keeps the dtype of int32 images', () => {
    const layer = new cls(cls === Cropping2D ? { cropping: 1 } : {});
    tf.tidy(() => {
      const x = tf.range(0, 16, 1, 'int32').reshape([1, 4, 4, 1]);
      const y = layer.apply(x) as tf.Tensor;
      expect(y.dtype).toBe('int32');
      expect(y.shape).toEqual(layer.computeOutputShape([1, 4, 4, 1]));
    });
    const input = new SymbolicTensor('int32', [null, 4, 4, 1], layer, [], {});
    expect((layer.apply(input) as SymbolicTensor).dtype).toBe('int32');
    layer.dispose();
  });

  test('unknown heights stay unknown', () => {
    const layer = new cls(cls === Cropping2D ? { cropping: 1 } : {});
    expect(layer.computeOutputShape([null, null, null, 3])).toEqual([null, null, null, 3]);
    layer.dispose();
  });
});

test('UpSampling2D takes one size for both', () => {
  const layer = new UpSampling2D({ size: 3 });
  expect(layer.computeOutputShape([1, 2, 3, 4])).toEqual([1, 6, 9, 4]);
  layer.dispose();
});

describe('bad arguments', () => {
  test.each<[string, () => unknown, string]>([
    ['three pads', () => new ZeroPadding2D({ padding: [1, 2, 3] as any }), 'ZeroPadding2D: padding must be a number, [rows, columns] or'],
    ['a triple', () => new ZeroPadding2D({ padding: [[1, 2, 3], [1, 2]] as any }), 'got [[1,2,3],[1,2]]'],
    ['negative', () => new Cropping2D({ cropping: -1 }), 'whole numbers that are not negative, got -1'],
    ['none', () => new Cropping2D({} as any), 'Cropping2D: cropping must be'],
    ['interpolation', () => new UpSampling2D({ interpolation: 'cubic' as 'nearest' }), '"cubic" is not a valid interpolation. Valid values are nearest, bilinear.'],
    ['size', () => new UpSampling2D({ size: [2] }), 'UpSampling2D: size must be a positive integer or a list of 2'],
  ])('%s', (_, f, message) => {
    expect(f).toThrow(message);
  });

  test('nothing left of the image', () => {
    const layer = new Cropping2D({ cropping: 2 });
    expect(() => layer.computeOutputShape([1, 4, 9, 1])).toThrow('leaves nothing of an input of shape [1,4,9,1]');
    tf.tidy(() => expect(() => layer.apply(tf.ones([1, 4, 9, 1]))).toThrow('leaves nothing'));
    layer.dispose();
  });
});
