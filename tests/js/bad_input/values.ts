/** Values that make no sense as sizes, and tensors that are not ours or no more. */
import { createRequire } from 'node:module';
import * as tf from '../../../js/src/index.js';
import { says, type Row } from './row.js';

const other = createRequire(import.meta.url)('@tensorflow/tfjs') as typeof tf;

const DISPOSED = /Tensor is disposed\./;
const NOT_A_TENSOR = 'must be a Tensor or TensorLike, but got';

function disposed(...shape: number[]): tf.Tensor {
  const x = tf.ones(shape);
  x.dispose();
  return x;
}

const sizes: Row[] = [
  { name: 'zeros: NaN', run: () => tf.zeros([2, NaN]), error: /2,NaN/ },
  { name: 'ones: negative', run: () => tf.ones([2, -1]), error: /2,-1/ },
  { name: 'fill: fractional', run: () => tf.fill([1.5], 0), error: /1\.5/ },
  { name: 'zeros: infinite', run: () => tf.zeros([Infinity]), error: /Infinity/ },
  { name: 'buffer: negative', run: () => tf.buffer([2, -2]), error: /2,-2/ },
  { name: 'randomNormal: NaN', run: () => tf.randomNormal([NaN]), error: /NaN/ },
  { name: 'range: NaN', run: () => tf.range(0, NaN), error: says('range', 'NaN') },
  { name: 'range: step 0', run: () => tf.range(0, 5, 0), error: /step/ },
  {
    name: 'linspace: no points',
    run: () => tf.linspace(0, 1, 0),
    error: /number of values|linspace/,
  },
  {
    name: 'linspace: NaN points',
    run: () => tf.linspace(0, 1, NaN),
    error: says('linspace', 'NaN'),
  },
  { name: 'eye: NaN', run: () => tf.eye(NaN), error: /NaN/ },
  { name: 'oneHot: negative depth', run: () => tf.oneHot([0], -1), error: says('oneHot', '-1') },
  { name: 'oneHot: depth NaN', run: () => tf.oneHot([0], NaN), error: says('oneHot', 'NaN') },
  {
    name: 'reshape: NaN',
    given: () => [tf.ones([4])],
    run: (x) => tf.reshape(x, [NaN]),
    error: /NaN/,
  },
  {
    name: 'tile: negative',
    given: () => [tf.ones([4])],
    run: (x) => tf.tile(x, [-1]),
    error: says('tile', '-1'),
  },
  {
    name: 'slice: NaN',
    given: () => [tf.ones([4])],
    run: (x) => tf.slice(x, [NaN], [2]),
    error: says('slice', 'NaN'),
  },
  {
    name: 'topk: more than there are',
    given: () => [tf.ones([2])],
    run: (x) => tf.topk(x, 3),
    error: says('topk()', '2', '3'),
  },
  {
    name: 'topk: NaN',
    given: () => [tf.ones([2])],
    run: (x) => tf.topk(x, NaN),
    error: says('topk', 'NaN'),
  },
  {
    name: 'split: into 4 of 6',
    given: () => [tf.ones([6])],
    run: (x) => tf.split(x, 4),
    error: says('split', '6', '4'),
  },
  {
    name: 'pad: negative',
    given: () => [tf.ones([4])],
    run: (x) => tf.pad(x, [[-1, 0]]),
    error: says('pad', '-1,0'),
  },
  {
    name: 'mirrorPad: wider than the tensor',
    given: () => [tf.ones([2])],
    run: (x) => tf.mirrorPad(x, [[3, 0]], 'reflect'),
    error: says('mirrorPad', '2'),
  },
  {
    name: 'resizeBilinear: NaN',
    given: () => [tf.ones([1, 2, 2, 1])],
    run: (x) => tf.image.resizeBilinear(x, [NaN, 2]),
    error: says('resizeBilinear', 'NaN'),
  },
  {
    name: 'avgPool: window 0',
    given: () => [tf.ones([1, 2, 2, 1])],
    run: (x) => tf.avgPool(x, 0, 1, 'valid'),
    error: says('avgPool', '0'),
  },
];

const huge: Row[] = [
  { name: 'zeros of 10^18', run: () => tf.zeros([1e9, 1e9]), error: /1000000000,1000000000/ },
  { name: 'ones of 2^31', run: () => tf.ones([2 ** 31]), error: /2147483648/ },
  { name: 'fill of 20 GB', run: () => tf.fill([70000, 70000], 1), error: /70000,70000/ },
  { name: 'eye of 4 TB', run: () => tf.eye(1e6), error: /1000000/ },
  { name: 'range of 10^12', run: () => tf.range(0, 1e12), error: says('range', '1000000000000') },
  {
    name: 'tile to 4 TB',
    given: () => [tf.ones([1000])],
    run: (x) => tf.tile(x, [1e9]),
    error: says('tile', '1000000000'),
  },
  {
    name: 'outerProduct of 16 GB',
    given: () => [tf.zeros([65536])],
    run: (x) => tf.outerProduct(x, x),
    error: /65536/,
  },
  {
    name: 'pad to 16 GB',
    given: () => [tf.zeros([1])],
    run: (x) => tf.pad(x, [[0, 4e9]]),
    error: says('pad', '4000000000'),
  },
];

const gone: Row[] = [
  { name: 'add of a disposed tensor', run: () => tf.add(disposed(2), 1), error: DISPOSED },
  { name: 'second operand disposed', run: () => tf.mul(2, disposed(2)), error: DISPOSED },
  { name: 'chained', run: () => disposed(2, 2).matMul(disposed(2, 2)), error: DISPOSED },
  { name: 'in a list', run: () => tf.concat([disposed(2)]), error: DISPOSED },
  { name: 'dataSync', run: () => disposed(2).dataSync(), error: DISPOSED },
  { name: 'clone', run: () => disposed(2).clone(), error: DISPOSED },
  { name: 'print', run: () => disposed(2).print(), error: DISPOSED },
  {
    name: 'freed by its scope',
    run: () => {
      let inner: tf.Tensor | undefined;
      tf.tidy(() => {
        inner = tf.ones([2]);
      });
      return tf.exp(inner!);
    },
    error: DISPOSED,
  },
  {
    name: 'a gradient at a disposed tensor',
    run: () => tf.grad((x) => tf.square(x))(disposed(2)),
    error: DISPOSED,
  },
  {
    name: 'a disposed variable',
    run: () => {
      const v = tf.tidy(() => tf.variable(tf.ones([2])));
      v.dispose();
      return v.add(1);
    },
    error: DISPOSED,
  },
];

const foreign: Row[] = [
  {
    name: 'a tensor of TensorFlow.js',
    run: () => tf.add(other.tensor1d([1, 2]), 1),
    error: /(add|'a')[^]*(another|foreign|other)/i,
  },
  {
    name: 'a tensor of TensorFlow.js in a list',
    run: () => tf.concat([other.tensor1d([1, 2]) as any]),
    error: /(concat|tensors)[^]*(another|foreign|other)/i,
  },
  {
    name: 'an object that looks like a tensor',
    run: () => tf.neg({ shape: [2], dtype: 'float32', dataSync: () => [1, 2] } as any),
    error: /(neg|'x')/,
  },
  {
    name: 'an object',
    run: () => tf.exp({} as any),
    error: says("passed to 'exp'", NOT_A_TENSOR, "'Object'"),
  },
  { name: 'null', run: () => tf.exp(null as any), error: says("passed to 'exp'", NOT_A_TENSOR) },
  {
    name: 'undefined',
    run: () => tf.exp(undefined as any),
    error: says("passed to 'exp'", NOT_A_TENSOR),
  },
  {
    name: 'a promise',
    run: () => tf.exp(Promise.resolve(1) as any),
    error: says("passed to 'exp'", NOT_A_TENSOR),
  },
  {
    name: 'a function',
    run: () => tf.exp((() => 1) as any),
    error: says("passed to 'exp'", NOT_A_TENSOR),
  },
  {
    name: 'a missing operand',
    run: () => (tf.add as any)(1),
    error: says("passed to 'add'", NOT_A_TENSOR),
  },
  { name: 'stack of no list', run: () => tf.stack(5 as any), error: /stack/ },
  { name: 'grad of no function', run: () => tf.grad(5 as any), error: /function/ },
  {
    name: 'a gradient of something unrelated',
    given: () => [tf.ones([2])],
    run: (x) => tf.grad(() => tf.scalar(3))(x),
    error: /gradient/i,
  },
];

export const rows: Row[] = [...sizes, ...huge, ...gone, ...foreign];
