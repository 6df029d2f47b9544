/**
 * Reductions, products, normalizations and losses beside TensorFlow.js: the
 * same calls must give the same values, shapes and dtypes.
 */
import { describe, expect, test } from '@jest/globals';
import * as theirs from '@tensorflow/tfjs';
import * as ours from '../../js/src/index.js';

interface Result {
  dtype: string;
  shape: number[];
  values: number[];
}
type Library = typeof ours;
type Case = [string, (tf: Library) => ours.Tensor | ours.Tensor[]];

const M = [
  [1, -2, 3],
  [-4, 5, 0.5],
];
const I = Int32Array.of(16777217, 2, -3, 4);
const A = [0.25, 0.5, 0.125, 0.75];

function results(tf: Library, f: Case[1]): Result[] {
  return tf.tidy(() =>
    [f(tf)].flat().map((t) => ({ dtype: t.dtype, shape: t.shape, values: [...t.dataSync()] })),
  );
}

const cases: Case[] = [
  ['sum', (tf) => tf.sum(M)],
  ['sum axis', (tf) => tf.tensor(M).sum(1)],
  ['sum axis keepDims', (tf) => tf.sum(M, [-1], true)],
  ['sum of bools', (tf) => tf.sum([true, true, false])],
  ['sum of ints', (tf) => tf.sum(tf.tensor1d([1, 2, 3], 'int32'))],
  ['mean', (tf) => tf.mean(M, 0)],
  ['mean of ints', (tf) => tf.tensor1d([1, 2], 'int32').mean()],
  ['prod', (tf) => tf.prod(M, 1)],
  ['prod of ints', (tf) => tf.tensor1d([2, 3], 'int32').prod()],
  ['max', (tf) => tf.max(M, 0)],
  ['max of ints', (tf) => tf.tensor1d([2, 3], 'int32').max()],
  ['min', (tf) => tf.tensor(M).min()],
  ['any', (tf) => tf.any([[true, false], [false, false]], 1)],
  ['all of NaN', (tf) => tf.tensor1d([1, NaN], 'bool').all()],
  ['all', (tf) => tf.tensor1d([true, false]).all()],
  ['argMax', (tf) => tf.argMax(M, 1)],
  ['argMax of a tie', (tf) => tf.tensor1d([1, 3, 3]).argMax()],
  ['argMin', (tf) => tf.argMin(M)],
  ['logSumExp', (tf) => tf.logSumExp(M, 1, true)],
  ['moments', (tf) => Object.values(tf.moments(M, 0))],
  ['cumsum', (tf) => tf.cumsum(M, 1, true, true)],
  ['cumprod', (tf) => tf.tensor(M).cumprod(0)],
  ['norm', (tf) => tf.norm(M, 'euclidean', 1)],
  ['norm of a matrix', (tf) => tf.norm(M, 1, [0, 1], true)],
  ['euclideanNorm', (tf) => tf.euclideanNorm(M)],
  ['matMul', (tf) => tf.matMul(M, M, false, true)],
  ['matMul of batches', (tf) => tf.matMul(tf.ones([2, 2, 3]), tf.ones([3, 5]))],
  ['dot', (tf) => tf.dot(M, [1, 2, 3])],
  ['einsum', (tf) => tf.einsum('ij,kj->ki', tf.tensor2d(M), tf.tensor2d(M))],
  ['outerProduct', (tf) => tf.outerProduct([1, 2], [3, 4, 5])],
  ['fused.matMul', (tf) => tf.fused.matMul({ a: M, b: M, transposeB: true, bias: [1, -60], activation: 'relu' })],
  [
    'fused.matMul prelu',
    (tf) =>
      tf.fused.matMul({
        a: tf.tensor2d(M), b: tf.tensor2d(M), transposeA: true, activation: 'prelu',
        preluActivationWeights: tf.tensor2d([[0.1, 0.2, 0.3]]),
      }),
  ],
  ['softmax', (tf) => tf.softmax(M)],
  ['logSoftmax', (tf) => tf.tensor2d(M).logSoftmax()],
  ['batchNorm', (tf) => tf.batchNorm(M, [1, 2, 3], [1, 2, 3], [1, 1, 1], [2, 2, 2])],
  ['batchNorm2d', (tf) => tf.batchNorm2d(M, [1, 2, 3], [1, 2, 3])],
  ['batchNorm3d', (tf) => tf.batchNorm3d([M], [1, 2, 3], [1, 2, 3], null, [3, 2, 1])],
  ['batchNorm4d', (tf) => tf.batchNorm4d([[M]], [1, 2, 3], [1, 2, 3], [3, 2, 1])],
  ['localResponseNormalization', (tf) => tf.localResponseNormalization([M], 1, 1, 0.5, 0.75)],
  ['computeWeightedLoss', (tf) => tf.losses.computeWeightedLoss(A, [1, 0, 2, 1])],
  ['absoluteDifference', (tf) => tf.losses.absoluteDifference(A, [1, 0, 0, 1])],
  ['cosineDistance', (tf) => tf.losses.cosineDistance(A, [1, 0, 0, 1], 0)],
  ['hingeLoss', (tf) => tf.losses.hingeLoss([1, 0, 0, 1], A, [2, 2, 0, 1], tf.Reduction.MEAN)],
  ['huberLoss', (tf) => tf.losses.huberLoss([1, 0, 0, 1], A, undefined, 0.3, tf.Reduction.SUM)],
  ['logLoss', (tf) => tf.losses.logLoss([1, 0, 0, 1], A)],
  ['meanSquaredError', (tf) => tf.losses.meanSquaredError([1, 0, 0, 1], A, undefined, tf.Reduction.NONE)],
  ['sigmoidCrossEntropy', (tf) => tf.losses.sigmoidCrossEntropy([1, 0, 0, 1], A, undefined, 0.1)],
  ['softmaxCrossEntropy', (tf) => tf.losses.softmaxCrossEntropy([[1, 0, 0, 0]], [A], undefined, 0.1)],
];

describe('as in TensorFlow.js', () => {
  test.each(cases)('%s', (_, f) => {
    const [got, want] = [results(ours, f), results(theirs as unknown as Library, f)];
    expect(got.map(({ dtype, shape }) => ({ dtype, shape }))).toEqual(
      want.map(({ dtype, shape }) => ({ dtype, shape })),
    );
    got.forEach(({ values }, k) => {
      expect(values.length).toBe(want[k]!.values.length);
      values.forEach((v, i) => expect(v).toBeCloseTo(want[k]!.values[i]!, 5));
    });
  });
});

test('int32 is exact where TensorFlow.js goes through float32', () => {
  const [sum, product] = ours.tidy(() => [
    ours.sum(ours.tensor1d(I, 'int32')).arraySync(),
    ours.matMul(ours.tensor2d(I, [2, 2], 'int32'), ours.tensor2d([1, 0, 1, 1], [2, 2], 'int32')).arraySync(),
  ]);
  expect(sum).toBe(16777220);
  expect(product).toEqual([
    [16777219, 2],
    [1, 4],
  ]);
});

test('inTopKAsync', async () => {
  const rows = [
    [1, 2, 2, 1],
    [30, 50, -20, 10],
  ];
  for (const [k, targets, want] of [
    [1, [1, 1], [1, 1]],
    [1, [2, 0], [0, 0]],
    [2, [2, 0], [1, 1]],
  ] as const) {
    const hits = await ours.inTopKAsync(rows, targets, k);
    expect([hits.dtype, hits.arraySync()]).toEqual(['bool', want]);
    hits.dispose();
  }
  await expect(ours.inTopKAsync(rows, [1, 1], 5)).rejects.toThrow(/last dimension \(4\), but got 5/);
  await expect(ours.inTopKAsync([1], [1])).rejects.toThrow(/rank 2 or higher, but got 1/);
});

describe('errors', () => {
  const { tensor2d, tidy } = ours;
  test.each<[string, () => unknown, RegExp]>([
    ['sum', () => ours.sum(M, 2), /sum: .*\[-2, 2\) but got axis 2/],
    ['any', () => ours.any(tensor2d(M)), /'x' passed to 'any' must be bool tensor, but got float32/],
    ['argMax', () => ours.argMax(M, 5), /argMax: .*but got axis 5/],
    ['matMul', () => ours.matMul(M, M), /matMul: inner shapes \(3\) and \(2\)/],
    ['matMul of a vector', () => ours.matMul(M, [1, 2, 3]), /matMul: both factors must have rank 2/],
    ['dot', () => ours.dot([1, 2], [1]), /dot: inner dimensions/],
    ['outerProduct', () => ours.outerProduct(M, [1]), /outerProduct: inputs must be rank 1/],
    ['einsum', () => ours.einsum('ij,jk->in', [[1]], [[1]]), /Output subscripts contain the label n/],
    ['einsum sizes', () => ours.einsum('i,i->', [1], [1, 2]), /dimension 1 at axis 0 of input shaped \[2\]/],
    ['fused.matMul', () => ours.fused.matMul({ a: M, b: M, activation: 'tanh' as never }), /fused activation tanh/],
    ['softmax dim', () => ours.softmax(M, 0), /non-last dimension .* rank 2 and dim was 0/],
    ['softmax of ints', () => ours.softmax(tensor2d([[1]], [1, 1], 'int32')), /must be float32 tensor, but got int32/],
    ['batchNorm2d', () => ours.batchNorm2d([M], [1], [1]), /batchNorm2D: x must be rank 2 but got rank 3/],
    ['norm', () => ours.norm([1], 3), /norm: invalid ord value: 3/],
    ['lrn', () => ours.localResponseNormalization([M], 0.5), /depthRadius must be an integer but got depthRadius 0.5/],
    ['loss shapes', () => ours.losses.softmaxCrossEntropy(M, [[1]]), /softmaxCrossEntropy: {2}Shapes 2,3 and 1,1 must match/],
    ['reduction', () => ours.losses.computeWeightedLoss(A, null, 7 as never), /Unknown reduction: 7/],
  ])('%s', (_, f, message) => {
    expect(() => tidy(f as () => ours.Tensor)).toThrow(message);
  });
});

test('an empty list of axes reduces nothing', () => {
  ours.tidy(() => {
    const x = ours.tensor2d([[1, 2], [3, 4]]);
    for (const y of [ours.sum(x, []), ours.mean(x, []), ours.max(x, []), ours.prod(x, [], true)]) {
      expect(y.arraySync()).toEqual([[1, 2], [3, 4]]);
    }
  });
});
