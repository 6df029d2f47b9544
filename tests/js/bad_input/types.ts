/** Wrong dtypes, ranks and axes. */
import * as tf from '../../../js/src/index.js';
import { says, type Row } from './row.js';

const ones =
  (...shape: number[]) =>
  () => [tf.ones(shape)];

export const rows: Row[] = [
  {
    name: 'cos of int32',
    given: () => [tf.tensor1d([1], 'int32')],
    run: (x) => tf.cos(x),
    error: says("passed to 'cos'", 'float32', 'int32'),
  },
  {
    name: 'softmax of int32',
    given: () => [tf.tensor1d([1, 2], 'int32')],
    run: (x) => tf.softmax(x),
    error: says("passed to 'softmax'", 'float32', 'int32'),
  },
  {
    name: 'conv2d of int32',
    given: () => [tf.ones([1, 2, 2, 1], 'int32'), tf.ones([1, 1, 1, 1])],
    run: (x, w) => tf.conv2d(x, w, 1, 'valid'),
    error: says("passed to 'conv2d'", 'float32', 'int32'),
  },
  {
    name: 'all of float32',
    given: ones(2),
    run: (x) => tf.all(x),
    error: says("passed to 'all'", 'bool', 'float32'),
  },
  {
    name: 'abs of a string',
    run: () => tf.abs('q' as any),
    error: says("passed to 'abs'", 'numeric', 'string'),
  },
  {
    name: 'gather: float32 indices',
    given: () => [tf.ones([3]), tf.tensor1d([0.5])],
    run: (x, i) => tf.gather(x, i),
    error: says("passed to 'gather'", 'int32', 'float32'),
  },
  {
    name: 'cast to a dtype that is none',
    given: ones(2),
    run: (x) => tf.cast(x, 'float99' as any),
    error: says('cast', 'float99'),
  },
  {
    name: 'zeros of a dtype that is none',
    run: () => tf.zeros([2], 'int7' as any),
    error: says('zeros', 'int7'),
  },
  {
    name: 'matMul of rank 1',
    given: () => [tf.ones([3]), tf.ones([3, 2])],
    run: (a, b) => tf.matMul(a, b),
    error: says('matMul', '3', '3,2'),
  },
  {
    name: 'conv2d of rank 2',
    given: () => [tf.ones([4, 4]), tf.ones([2, 2, 1, 1])],
    run: (x, w) => tf.conv2d(x, w, 1, 'valid'),
    error: says('conv2d', '2'),
  },
  {
    name: 'maxPool of rank 1',
    given: ones(4),
    run: (x) => tf.maxPool(x, 2, 1, 'valid'),
    error: says('maxPool', '1'),
  },
  {
    name: 'batchNorm2d of rank 3',
    given: () => [tf.ones([2, 2, 2]), tf.zeros([2]), tf.ones([2])],
    run: (x, m, v) => tf.batchNorm2d(x, m, v),
    error: /batchNorm2d[^]*3|rank 2[^]*rank 3|rank[^]*3/i,
  },
  {
    name: 'tensor1d of rows',
    run: () => tf.tensor1d([[1, 2]] as any),
    error: /tensor1d/,
  },
  {
    name: 'zeros of rank 20',
    run: () => tf.zeros(Array(20).fill(1)),
    error: says('zeros', '20'),
  },
  {
    name: 'resizeBilinear of rank 2',
    given: ones(4, 4),
    run: (x) => tf.image.resizeBilinear(x, [2, 2]),
    error: says('resizeBilinear', '2'),
  },
  {
    name: 'sum: axis out of range',
    given: ones(2, 3),
    run: (x) => tf.sum(x, 2),
    error: says('sum', '2'),
  },
  {
    name: 'mean: negative axis out of range',
    given: ones(2, 3),
    run: (x) => tf.mean(x, -3),
    error: says('mean', '-3'),
  },
  {
    name: 'argMax: fractional axis',
    given: ones(2, 3),
    run: (x) => tf.argMax(x, 0.5),
    error: says('argMax', '0.5'),
  },
  {
    name: 'transpose: not a permutation',
    given: ones(2, 3),
    run: (x) => tf.transpose(x, [0, 0]),
    error: says('transpose', '0,0'),
  },
  {
    name: 'transpose: a permutation of another rank',
    given: ones(2, 3),
    run: (x) => tf.transpose(x, [0]),
    error: says('transpose', '2'),
  },
  {
    name: 'concat: axis out of range',
    given: ones(2, 3),
    run: (x) => tf.concat([x, x], 5),
    error: says('concat', '5'),
  },
  {
    name: 'expandDims: axis out of range',
    given: ones(2),
    run: (x) => tf.expandDims(x, 4),
    error: says('expandDims', '4'),
  },
  {
    name: 'squeeze: an axis of length 2',
    given: ones(2, 1),
    run: (x) => tf.squeeze(x, [0]),
    error: says('squeeze', '0'),
  },
  {
    name: 'unstack: axis out of range',
    given: ones(2, 3),
    run: (x) => tf.unstack(x, 3),
    error: /Axis = 3 is not in \[-2, 2\)/,
  },
  {
    name: 'softmax: not the last axis',
    given: ones(2, 3),
    run: (x) => tf.softmax(x, 0),
    error: says('softmax', '0'),
  },
];
