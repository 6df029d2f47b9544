/** Shapes that do not fit. */
import * as tf from '../../../js/src/index.js';
import { says, type Row } from './row.js';

const ones =
  (...shapes: number[][]) =>
  () =>
    shapes.map((shape) => tf.ones(shape));

export const rows: Row[] = [
  {
    name: 'add: shapes that do not broadcast',
    given: ones([2, 3], [4]),
    run: (a, b) => tf.add(a, b),
    error: says('add', '2,3', '4'),
  },
  {
    name: 'mul, chained',
    given: ones([5], [2, 4]),
    run: (a, b) => a.mul(b),
    error: says('mul', '5', '2,4'),
  },
  {
    name: 'less',
    given: ones([3], [2]),
    run: (a, b) => tf.less(a, b),
    error: says('less', '3', '2'),
  },
  {
    name: 'where: a condition of another shape',
    given: () => [tf.tensor1d([1, 0, 1], 'bool'), tf.ones([2]), tf.ones([2])],
    run: (c, a, b) => tf.where(c, a, b),
    error: says('where', '3', '2'),
  },
  {
    name: 'matMul: inner dimensions',
    given: ones([2, 3], [4, 5]),
    run: (a, b) => tf.matMul(a, b),
    error: says('matMul', '2,3', '4,5'),
  },
  {
    name: 'matMul: batch dimensions',
    given: ones([2, 3, 4], [3, 4, 5]),
    run: (a, b) => tf.matMul(a, b),
    error: says('matMul', '2', '3'),
  },
  {
    name: 'matMul of nested arrays leaves nothing behind',
    run: () => tf.matMul([[1, 2]], [[1, 2]]),
    error: says('matMul', '1,2'),
  },
  {
    name: 'dot',
    given: ones([3], [4]),
    run: (a, b) => tf.dot(a, b),
    error: says('dot', '3', '4'),
  },
  {
    name: 'conv2d: depth of the filter',
    given: ones([1, 4, 4, 3], [2, 2, 2, 8]),
    run: (x, w) => tf.conv2d(x, w, 1, 'valid'),
    error: says('conv2d', '3', '2'),
  },
  {
    name: 'conv2d: padding that is no word and no number',
    given: ones([1, 4, 4, 1], [2, 2, 1, 1]),
    run: (x, w) => tf.conv2d(x, w, 1, 'loose' as any),
    error: says('conv2d', 'loose'),
  },
  {
    name: 'conv2d: stride 0',
    given: ones([1, 4, 4, 1], [2, 2, 1, 1]),
    run: (x, w) => tf.conv2d(x, w, 0, 'valid'),
    error: says('conv2d', '0'),
  },
  {
    name: 'depthwiseConv2d: depth of the filter',
    given: ones([1, 4, 4, 3], [2, 2, 2, 1]),
    run: (x, w) => tf.depthwiseConv2d(x, w, 1, 'valid'),
    error: says('depthwiseConv2d', '3', '2'),
  },
  {
    name: 'concat: other dimensions',
    given: ones([2, 3], [2, 4]),
    run: (a, b) => tf.concat([a, b], 0),
    error: says('concat', '2,3', '2,4'),
  },
  {
    name: 'concat of nothing',
    run: () => tf.concat([]),
    error: says('concat', 'one tensor'),
  },
  {
    name: 'stack: other shapes',
    given: ones([2], [3]),
    run: (a, b) => tf.stack([a, b]),
    error: /stack|shape/i,
  },
  {
    name: 'reshape: another size',
    given: ones([2, 3]),
    run: (x) => tf.reshape(x, [4, 2]),
    error: says('reshape', '6', '4,2'),
  },
  {
    name: 'reshape: two unknown dimensions',
    given: ones([2, 3]),
    run: (x) => tf.reshape(x, [-1, -1]),
    error: /-1/,
  },
  {
    name: 'tile: too few repeats',
    given: ones([2, 3]),
    run: (x) => tf.tile(x, [2]),
    error: says('tile', '2'),
  },
  {
    name: 'pad: too few paddings',
    given: ones([2, 3]),
    run: (x) => tf.pad(x, [[1, 1]]),
    error: says('pad', '2'),
  },
  {
    name: 'split: sizes that do not add up',
    given: ones([2, 6]),
    run: (x) => tf.split(x, [1, 2], 1),
    error: says('split', '6'),
  },
  {
    name: 'slice past the end',
    given: ones([2, 3]),
    run: (x) => tf.slice(x, [0, 2], [2, 2]),
    error: says('slice', '4', '3'),
  },
  {
    name: 'gather: an index out of range',
    given: () => [tf.ones([3, 2]), tf.tensor1d([5], 'int32')],
    run: (x, i) => tf.gather(x, i),
    error: /gather[^]*5/i,
  },
  {
    name: 'tensor: values that do not fill the shape',
    run: () => tf.tensor([1, 2, 3], [2, 2]),
    error: /2,2[^]*4[^]*3/,
  },
  {
    name: 'tensor2d: rows of different length',
    run: () => tf.tensor2d([[1, 2], [3]]),
    error: /2 elements[^]*1 elements|tensor2d[^]*\b1\b/,
  },
  {
    name: 'assign: another shape',
    given: () => [tf.tidy(() => tf.variable(tf.zeros([2]))), tf.ones([3])],
    run: (v, x) => v.assign(x),
    error: says('assign', '2', '3'),
  },
  {
    name: 'losses.meanSquaredError: labels of another shape',
    given: ones([2, 3], [3, 3]),
    run: (a, b) => tf.losses.meanSquaredError(a, b),
    error: says('meanSquaredError', '2,3', '3,3'),
  },
];
