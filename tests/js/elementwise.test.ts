/** One row per elementwise, creation and random op: values, dtype, errors. */
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../js/src/index.js';
import type { DataType, Tensor } from '../../js/src/index.js';

type Row = [call: () => Tensor, values: number[], dtype?: DataType];

const int = (...v: number[]): Tensor => tf.tensor1d(v, 'int32');
const bool = (...v: number[]): Tensor => tf.tensor1d(v, 'bool');

function check([call, values, dtype = 'float32']: Row): void {
  tf.tidy(() => {
    const y = call();
    expect(y.dtype).toBe(dtype);
    const got = Array.from(y.dataSync());
    expect(got).toHaveLength(values.length);
    got.forEach((v, i) => {
      if (Number.isFinite(values[i])) expect(v).toBeCloseTo(values[i]!, 5);
      else expect(v).toBe(values[i]);
    });
  });
}

const unary: Record<string, Row> = {
  abs: [() => tf.abs([-1, 2]), [1, 2]],
  acos: [() => tf.acos([0.5]), [Math.acos(0.5)]],
  acosh: [() => tf.acosh([2]), [Math.acosh(2)]],
  asin: [() => tf.asin([0.5]), [Math.asin(0.5)]],
  asinh: [() => tf.asinh([-2]), [Math.asinh(-2)]],
  atan: [() => tf.atan([2]), [Math.atan(2)]],
  atanh: [() => tf.atanh([0.5]), [Math.atanh(0.5)]],
  ceil: [() => tf.ceil([1.2]), [2]],
  clipByValue: [() => tf.clipByValue([-1, NaN, 9], 0, 3), [0, NaN, 3]],
  cos: [() => tf.cos([2e8]), [Math.cos(2e8)]],
  cosh: [() => tf.cosh([2]), [Math.cosh(2)]],
  elu: [() => tf.elu([-1, 2]), [Math.expm1(-1), 2]],
  erf: [() => tf.erf([0.5]), [0.5204998778]],
  exp: [() => tf.exp([1]), [Math.E]],
  expm1: [() => tf.expm1([1e-7]), [1e-7]],
  floor: [() => tf.floor([-1.2]), [-2]],
  isFinite: [() => tf.isFinite([1, NaN, Infinity]), [1, 0, 0], 'bool'],
  isInf: [() => tf.isInf([1, NaN, Infinity]), [0, 0, 1], 'bool'],
  isNaN: [() => tf.isNaN([1, NaN, Infinity]), [0, 1, 0], 'bool'],
  leakyRelu: [() => tf.leakyRelu([-10, 2]), [-2, 2]],
  log: [() => tf.log([2, 0]), [Math.LN2, -Infinity]],
  log1p: [() => tf.log1p([1]), [Math.LN2]],
  logSigmoid: [() => tf.logSigmoid([-1000, 0]), [-1000, -Math.LN2]],
  logicalNot: [() => tf.logicalNot([true, false]), [0, 1], 'bool'],
  neg: [() => tf.neg(int(1, -2)), [-1, 2], 'int32'],
  prelu: [() => tf.prelu([-2, 2], [0.5, 0.5]), [-1, 2]],
  reciprocal: [() => tf.reciprocal([4]), [0.25]],
  relu: [() => tf.relu(int(-1, 33554433)), [0, 33554433], 'int32'],
  relu6: [() => tf.relu6([-1, NaN, 8]), [0, NaN, 6]],
  round: [() => tf.round([0.5, 1.5, -2.5]), [0, 2, -2]],
  rsqrt: [() => tf.rsqrt([16]), [0.25]],
  selu: [() => tf.selu([1]), [1.0507009873]],
  sigmoid: [() => tf.sigmoid([-1000, 0]), [0, 0.5]],
  sign: [() => tf.sign([-3, 0, 2, NaN]), [-1, 0, 1, 0]],
  sin: [() => tf.sin([1e20]), [Math.sin(Math.fround(1e20))]],
  sinh: [() => tf.sinh([-2]), [Math.sinh(-2)]],
  softplus: [() => tf.softplus([1000, 0]), [1000, Math.LN2]],
  sqrt: [() => tf.sqrt([9, -1]), [3, NaN]],
  square: [() => tf.square(int(-3)), [9], 'int32'],
  step: [() => tf.step([-1, 2], 0.5), [0.5, 1]],
  tan: [() => tf.tan([1]), [Math.tan(1)]],
  tanh: [() => tf.tanh([1000, 1]), [1, Math.tanh(1)]],
};

const binary: Record<string, Row> = {
  add: [() => tf.add(int(2147483647), int(1)), [-2147483648], 'int32'],
  addN: [() => tf.addN([[1, 2], [3, 4], [5, 6]]), [9, 12]],
  atan2: [() => tf.atan2([1], [-1]), [Math.atan2(1, -1)]],
  div: [() => tf.div(int(7, -7, 5), int(2, 2, 0)), [3, -4, 0], 'int32'],
  divNoNan: [() => tf.divNoNan([1, 3], [2, 0]), [0.5, 0]],
  equal: [() => tf.equal(int(1, 2), bool(1, 0)), [1, 0], 'bool'],
  floorDiv: [() => tf.floorDiv([7, -7], 2), [3, -4], 'int32'],
  greater: [() => tf.greater([1, NaN], [0, 0]), [1, 0], 'bool'],
  greaterEqual: [() => tf.greaterEqual([1, 2], 2), [0, 1], 'bool'],
  less: [() => tf.less([1, 2], 2), [1, 0], 'bool'],
  lessEqual: [() => tf.lessEqual([2, 3], 2), [1, 0], 'bool'],
  logicalAnd: [() => tf.logicalAnd(bool(1, 1), bool(1, 0)), [1, 0], 'bool'],
  logicalOr: [() => tf.logicalOr(bool(1, 0), bool(0, 0)), [1, 0], 'bool'],
  logicalXor: [() => tf.logicalXor(bool(1, 1), bool(1, 0)), [0, 1], 'bool'],
  maximum: [() => tf.maximum([1, NaN], [2, 2]), [2, NaN]],
  minimum: [() => tf.minimum([1, 2], [2, NaN]), [1, NaN]],
  mod: [() => tf.mod([7, -7], 3), [1, 2]],
  mul: [() => tf.mul([[1], [2]], [3, 4]), [3, 4, 6, 8]],
  notEqual: [() => tf.notEqual([1, NaN], [1, NaN]), [0, 1], 'bool'],
  pow: [() => tf.pow(int(3), int(19)), [1162261467], 'int32'],
  bitwiseAnd: [() => tf.bitwiseAnd(int(12, -1), int(10, 7)), [8, 7], 'int32'],
  squaredDifference: [() => tf.squaredDifference([1, 5], 3), [4, 4]],
  sub: [() => tf.sub(int(1), bool(1)), [0], 'int32'],
  where: [() => tf.where(bool(1, 0), [1, 2], [[3, 4], [5, 6]]), [1, 4, 1, 6]],
};

const creation: Record<string, Row> = {
  cast: [() => tf.cast([1.9, -1.9, NaN], 'int32'), [1, -1, 0], 'int32'],
  clone: [() => tf.clone([1, 2]), [1, 2]],
  eye: [() => tf.eye(2, 3, [1]), [1, 0, 0, 0, 1, 0]],
  fill: [() => tf.fill([2], true), [1, 1], 'bool'],
  linspace: [() => tf.linspace(0, 9, 4), [0, 3, 6, 9]],
  oneHot: [() => tf.oneHot([1, 7], 3), [0, 1, 0, 0, 0, 0], 'int32'],
  ones: [() => tf.ones([2], 'int32'), [1, 1], 'int32'],
  onesLike: [() => tf.onesLike(bool(0, 0)), [1, 1], 'bool'],
  range: [() => tf.range(3, 0), [3, 2, 1]],
  scalar: [() => tf.scalar(true), [1], 'bool'],
  tensor: [() => tf.tensor([[1, 2]]), [1, 2]],
  tensor1d: [() => tf.tensor1d([1, 2]), [1, 2]],
  tensor2d: [() => tf.tensor2d([1, 2], [1, 2]), [1, 2]],
  tensor3d: [() => tf.tensor3d([[[1]], [[2]]]), [1, 2]],
  tensor4d: [() => tf.tensor4d([1, 2], [1, 1, 1, 2]), [1, 2]],
  tensor5d: [() => tf.tensor5d([1, 2], [1, 1, 1, 1, 2]), [1, 2]],
  tensor6d: [() => tf.tensor6d([1, 2], [1, 1, 1, 1, 1, 2]), [1, 2]],
  zeros: [() => tf.zeros([2]), [0, 0]],
  zerosLike: [() => tf.zerosLike(int(1)), [0], 'int32'],
};

const random: Record<string, Row> = {
  dropout: [() => tf.dropout([1, 2, 3], 0), [1, 2, 3]],
  multinomial: [() => tf.multinomial([-1000, 1000], 3), [1, 1, 1], 'int32'],
  rand: [() => tf.rand([2], () => 0.5), [0.5, 0.5]],
  randomGamma: [() => tf.greater(tf.randomGamma([3], 2), 0), [1, 1, 1], 'bool'],
  randomNormal: [() => tf.randomNormal([2], 5, 0, 'int32'), [5, 5], 'int32'],
  randomStandardNormal: [
    () => tf.less(tf.abs(tf.randomStandardNormal([2])), 9), [1, 1], 'bool'],
  randomUniform: [() => tf.randomUniform([2], 5, 5), [5, 5]],
  randomUniformInt: [() => tf.randomUniformInt([2], 7, 8), [7, 7], 'int32'],
  truncatedNormal: [() => tf.truncatedNormal([2], 5, 0), [5, 5]],
};

describe('values', () => {
  test.each(Object.entries({ ...unary, ...binary, ...creation, ...random }))('%s', (_, row) => check(row));
});

describe('methods', () => {
  const skip = new Set(['addN', 'where']);
  const names = [...Object.keys(unary), ...Object.keys(binary), 'cast', 'clone', 'oneHot', 'onesLike', 'zerosLike'];
  test.each(names.filter((name) => !skip.has(name)))('%s', (name) => {
    expect(typeof (tf.Tensor.prototype as unknown as Record<string, unknown>)[name]).toBe('function');
  });
  test('chained calls are the functions', () => {
    check([() => tf.tensor1d([1, 4]).sqrt().add(1).clipByValue(0, 2.5), [2, 2.5]]);
    check([() => tf.tensor1d([1, 2]).where(bool(1, 0), tf.tensor1d([3, 4])), [1, 4]]);
  });
});

describe('errors', () => {
  const rows: [string, () => unknown, RegExp][] = [
    ['float32 only', () => tf.sin(int(1)), /Argument 'x' passed to 'sin' must be float32 tensor, but got int32/],
    ['bool only', () => tf.logicalAnd(int(1), bool(1)), /'a' passed to 'logicalAnd' must be bool tensor, but got int32/],
    ['condition', () => tf.where(int(1, 0), 1, 2), /'condition' passed to 'where' must be bool tensor/],
    ['shapes', () => tf.add([1, 2], [1, 2, 3]), /^add: Operands could not be broadcast together with shapes \[2\] and \[3\]/],
    ['not a tensor', () => tf.add({} as never, 1), /Argument 'a' passed to 'add' must be a Tensor or TensorLike/],
    ['strings', () => tf.cos('q' as never), /must be float32 tensor, but got string tensor/],
    ['clip limits', () => tf.clipByValue([1], 2, 1), /min \(2\) must be less than or equal to max \(1\)/],
    ['depth', () => tf.oneHot([1], 1), /depth must be >=2, but it is 1/],
    ['zero step', () => tf.range(0, 1, 0), /Cannot have a step of zero/],
    ['no samples', () => tf.linspace(0, 1, 0), /number of values should be positive/],
    ['fractional shape', () => tf.zeros([2.5]), /shape comprised of positive integers but got shape \[2.5\]/],
    ['empty list', () => tf.addN([]), /at least one tensor/],
    ['one outcome', () => tf.multinomial([1], 3), /at least 2 outcomes, but got 1/],
    ['rate', () => tf.dropout([1], 1), /rate must be a float in the range \[0, 1\), but got 1/],
  ];
  test.each(rows)('%s', (_, call, text) => {
    tf.tidy(() => expect(call).toThrow(text));
  });
});

test('a seed reproduces, and none does not', () => {
  tf.tidy(() => {
    const draw = (seed?: number): number[] => Array.from(tf.randomNormal([9], 0, 1, 'float32', seed).dataSync());
    expect(draw(7)).toEqual(draw(7));
    expect(draw()).not.toEqual(draw());
    const a = tf.dropout(tf.ones([64]), 0.5, null, 'text').dataSync();
    expect(tf.dropout(tf.ones([64]), 0.5, null, 'text').dataSync()).toEqual(a);
  });
});
