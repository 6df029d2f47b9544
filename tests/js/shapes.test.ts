/** Ops that move elements: values, dtypes, shapes, chained forms, errors. */
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../js/src/index.js';
import type { Tensor } from '../../js/src/index.js';

const big = 2147483647;
const i32 = (values: number[], shape = [values.length]): Tensor => tf.tensor(values, shape, 'int32');
const ints = (...values: number[]): tf.Tensor1D => tf.tensor1d(values, 'int32');
const seq = (...shape: number[]): Tensor =>
  tf.tensor(Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => i + 1), shape);

type Case = [name: string, run: () => Tensor | Tensor[], want: unknown];

const cases: Case[] = [
  ['reshape', () => tf.reshape(seq(2, 3), [3, -1]), [[1, 2], [3, 4], [5, 6]]],
  ['expandDims', () => tf.expandDims(seq(2), -1), [[1], [2]]],
  ['squeeze', () => tf.squeeze(seq(1, 2, 1)), [1, 2]],
  ['squeeze axis', () => tf.squeeze(seq(1, 2, 1), [0]), [[1], [2]]],
  ['broadcastTo', () => tf.broadcastTo(i32([big]), [2, 2]), [[big, big], [big, big]]],
  ['asScalar', () => seq(1, 1).asScalar(), 1],
  ['flatten', () => seq(2, 2).flatten(), [1, 2, 3, 4]],
  ['as1D', () => seq(2, 1).as1D(), [1, 2]],
  ['as2D', () => seq(4).as2D(2, 2), [[1, 2], [3, 4]]],
  ['as3D', () => seq(2).as3D(1, 1, 2), [[[1, 2]]]],
  ['as4D', () => seq(2).as4D(1, 1, 2, 1), [[[[1], [2]]]]],
  ['as5D', () => seq(2).as5D(1, 1, 1, 1, 2), [[[[[1, 2]]]]]],
  ['reshapeAs', () => seq(4).reshapeAs(seq(2, 2)), [[1, 2], [3, 4]]],
  ['slice', () => tf.slice(i32([1, big, 3]), 1, 1), [big]],
  ['slice without size', () => tf.slice(seq(2, 3), [1, 1]), [[5, 6]]],
  ['slice1d', () => tf.slice1d([1, 2, 3], 1, -1), [2, 3]],
  ['slice2d', () => tf.slice2d([[1, 2], [3, 4]], [1, 0], [1, 2]), [[3, 4]]],
  ['slice3d', () => tf.slice3d([[[1, 2]]], [0, 0, 1], [1, 1, 1]), [[[2]]]],
  ['slice4d', () => tf.slice4d([[[[1, 2]]]], [0, 0, 0, 1], [1, 1, 1, 1]), [[[[2]]]]],
  ['stridedSlice', () => tf.stridedSlice(seq(6), [4], [0], [-2]), [5, 3]],
  ['stridedSlice ellipsis', () => tf.stridedSlice(seq(2, 2, 3), [0, 1], [0, 3], [1, 1], 0, 0, 1),
    [[[2, 3], [5, 6]], [[8, 9], [11, 12]]]],
  ['stridedSlice shrink', () => tf.stridedSlice([4, 5, 6, 7], [-1], [0], [1], 0, 0, 0, 0, 1), 7],
  ['reverse', () => tf.reverse(seq(2, 2)), [[4, 3], [2, 1]]],
  ['reverse no axes', () => tf.reverse(seq(2), []), [1, 2]],
  ['reverse1d', () => tf.reverse1d([1, 2]), [2, 1]],
  ['reverse2d', () => tf.reverse2d([[1, 2], [3, 4]], 0), [[3, 4], [1, 2]]],
  ['reverse3d', () => tf.reverse3d([[[1, 2]]], [-1]), [[[2, 1]]]],
  ['reverse4d', () => tf.reverse4d([[[[1, 2]]]]), [[[[2, 1]]]]],
  ['concat', () => tf.concat([i32([big]), i32([-big])]), [big, -big]],
  ['concat of types', () => tf.concat([i32([1]), tf.tensor1d([0.5])]), [1, 0.5]],
  ['concat empty', () => tf.concat([tf.zeros([0, 2]), tf.ones([1, 2])], 0), [[1, 1]]],
  ['concat1d', () => tf.concat1d([[1], [2, 3]]), [1, 2, 3]],
  ['concat2d', () => tf.concat2d([[[1]], [[2]]], 1), [[1, 2]]],
  ['concat3d', () => tf.concat3d([[[[1]]], [[[2]]]], 2), [[[1, 2]]]],
  ['concat4d', () => tf.concat4d([[[[[1]]]], [[[[2]]]]], 0), [[[[1]]], [[[2]]]]],
  ['x.concat', () => seq(2).concat(seq(1)), [1, 2, 1]],
  ['x.concat list', () => seq(1).concat([seq(1), seq(1)]), [1, 1, 1]],
  ['stack', () => tf.stack([seq(2), seq(2)], -1), [[1, 1], [2, 2]]],
  ['x.stack', () => seq(1).stack(seq(1)), [[1], [1]]],
  ['split', () => tf.split(seq(2, 3), 3, 1)[2]!, [[3], [6]]],
  ['split sizes', () => tf.split(seq(4), [1, 0, -1]), [[1], [], [2, 3, 4]]],
  ['unstack', () => tf.unstack(seq(2, 2), 1), [[1, 3], [2, 4]]],
  ['tile', () => tf.tile(i32([1, big]), [2]), [1, big, 1, big]],
  ['pad', () => tf.pad(i32([big]), [[1, 1]], 7), [7, big, 7]],
  ['pad1d', () => tf.pad1d([1], [1, 0]), [0, 1]],
  ['pad2d', () => tf.pad2d([[1]], [[0, 1], [0, 0]]), [[1], [0]]],
  ['pad3d', () => tf.pad3d([[[1]]], [[0, 0], [0, 0], [1, 0]]), [[[0, 1]]]],
  ['pad4d', () => tf.pad4d([[[[1]]]], [[0, 0], [0, 0], [0, 0], [1, 0]], 2), [[[[2, 1]]]]],
  ['mirrorPad', () => tf.mirrorPad([1, 2, 3], [[2, 1]], 'reflect'), [3, 2, 1, 2, 3, 2]],
  ['mirrorPad symmetric', () => tf.mirrorPad([1, 2, 3], [[2, 1]], 'symmetric'), [2, 1, 1, 2, 3, 3]],
  ['diag', () => tf.diag(ints(1, 2)), [[1, 0], [0, 2]]],
  ['transpose', () => tf.transpose(seq(1, 2, 3), [2, 0, 1]), [[[1, 4]], [[2, 5]], [[3, 6]]]],
  ['depthToSpace', () => tf.depthToSpace([[[[1, 2, 3, 4]]]], 2), [[[[1], [2]], [[3], [4]]]]],
  ['depthToSpace NCHW', () => tf.depthToSpace([[[[1]], [[2]], [[3]], [[4]]]], 2, 'NCHW'), [[[[1, 2], [3, 4]]]]],
  ['spaceToBatchND', () => tf.spaceToBatchND(seq(1, 2, 2, 1), [2, 2], [[0, 0], [0, 0]]),
    [[[[1]]], [[[2]]], [[[3]]], [[[4]]]]],
  ['batchToSpaceND', () => tf.batchToSpaceND(seq(4, 1, 1, 1), [2, 2], [[0, 0], [1, 0]]), [[[[2]], [[4]]]]],
  ['gather', () => tf.gather(i32([1, big]), ints(1, 1)), [big, big]],
  ['gather batchDims', () => tf.gather(seq(2, 2), i32([1, 0], [2, 1]), 1, 1), [[2], [3]]],
  ['unsortedSegmentSum', () => tf.unsortedSegmentSum(seq(3), ints(1, -1, 1), 2), [0, 4]],
  ['gatherND', () => tf.gatherND(seq(2, 2), i32([1, 0], [1, 2])), [3]],
  ['scatterND', () => tf.scatterND(i32([1, 1], [2, 1]), [1, 2], [3]), [0, 3, 0]],
  ['tensorScatterUpdate', () => tf.tensorScatterUpdate(seq(3), [[1]], [9]), [1, 9, 3]],
  ['sparseToDense', () => tf.sparseToDense(ints(1), [4], [3], -1), [-1, 4, -1]],
  ['searchSorted', () => tf.searchSorted([1, 3, 3], [3, 4], 'right'), [3, 3]],
  ['lowerBound', () => tf.lowerBound([1, 3, 3], [3, 4]), [1, 3]],
  ['upperBound', () => tf.upperBound([1, 3, 3], [3, 0]), [3, 0]],
  ['bincount', () => tf.bincount(ints(1, 1, 9), [], 3), [0, 2, 0]],
  ['denseBincount', () => tf.denseBincount(ints(1, 1), [], 2, true), [0, 1]],
];

describe('values', () => {
  test.each(cases)('%s', (_name, run, want) => {
    const got = tf.tidy(() => {
      const out = run();
      return Array.isArray(out) ? out.map((t) => t.arraySync()) : out.arraySync();
    });
    expect(got).toEqual(want);
  });

  test('integers beyond 2^24 and bools keep their type', () => {
    tf.tidy(() => {
      const moves: ((x: Tensor) => Tensor)[] = [
        (x) => x.slice([1, 0]), (x) => x.reverse(), (x) => x.transpose(), (x) => x.tile([1, 2]),
        (x) => x.pad([[1, 0], [0, 0]]), (x) => x.gather(ints(1)), (x) => x.concat(x), (x) => x.stack(x),
        (x) => x.split(2)[1]!, (x) => x.unstack()[1]!, (x) => x.mirrorPad([[1, 0], [0, 0]], 'reflect'),
        (x) => x.topk(1).values, (x) => x.unique().values, (x) => x.stridedSlice([1], [2]),
      ];
      for (const move of moves) {
        const y = move(i32([1, 2, 3, big], [2, 2]));
        expect([y.dtype, y.max().arraySync()]).toEqual(['int32', big]);
        expect(move(tf.tensor2d([[false, true], [true, true]])).dtype).toBe('bool');
      }
    });
  });

  test('topk and unique', () => {
    tf.tidy(() => {
      const top = tf.topk([2, NaN, 2, 5], 4);
      expect(top.values.arraySync()).toEqual([NaN, 5, 2, 2]);
      expect(top.indices.arraySync()).toEqual([1, 3, 0, 2]);
      expect(top.indices.dtype).toBe('int32');
      const { values, indices } = tf.unique([[1, 1], [2, 2], [1, 1]]);
      expect(values.arraySync()).toEqual([[1, 1], [2, 2]]);
      expect(indices.arraySync()).toEqual([0, 1, 0]);
    });
  });

  test('ensureShape answers with its argument', () => {
    const x = tf.ones([2, 3]);
    expect(tf.ensureShape(x, [2, 3])).toBe(x);
    expect(() => tf.ensureShape(x, [3, 2])).toThrow(/EnsureShape: .*2,3.*3,2/);
    x.dispose();
  });

  test('10,000 inputs', () => {
    tf.tidy(() => {
      const many = Array.from({ length: 10000 }, (_, i) => tf.scalar(i));
      expect(tf.stack(many).slice([9999]).arraySync()).toEqual([9999]);
      expect(tf.concat(many.map((t) => t.as1D())).shape).toEqual([10000]);
      expect(tf.unstack(tf.stack(many))).toHaveLength(10000);
    });
  });
});

test('what depends on data comes as a promise', async () => {
  const kept = await tf.booleanMaskAsync([[1, 2], [3, 4]], [false, true], 1);
  const [rest, at] = await tf.setdiff1dAsync([5, 6, 7], [6]);
  expect([kept, rest, at].map((t) => t.arraySync())).toEqual([[[2], [4]], [5, 7], [0, 2]]);
  await expect(tf.setdiff1dAsync([[1]], [1])).rejects.toThrow('x should be 1D tensor, but got x (1,1).');
  await expect(tf.booleanMaskAsync([1], true)).rejects.toThrow(/^mask cannot be scalar$/);
  await expect(tf.booleanMaskAsync([1], [true, false])).rejects.toThrow(/Shapes 1 and 2 must match/);
  tf.dispose([kept, rest, at]);
});

type Failure = [name: string, run: () => unknown, want: RegExp];
const failures: Failure[] = [
  ['reshape', () => tf.reshape([1, 2, 3], [2, -1]), /implicit shape can't be a fractional number/],
  ['expandDims', () => tf.expandDims(1, 1), /Axis must be <= rank of the tensor/],
  ['squeeze', () => tf.squeeze([1, 2], [0]), /Can't squeeze axis 0 since its dim '2' is not 1/],
  ['broadcastTo', () => tf.broadcastTo([1], [2.2]), /comprised of positive integers but got shape \[2.2\]/],
  ['slice', () => tf.slice([1], [-1]), /slice\(\) does not support negative begin indexing/],
  ['slice size', () => tf.slice([1, 2], [1], [2]), /begin\[0\] \+ size\[0\] \(3\) would overflow input.shape\[0\] \(2\)/],
  ['slice2d', () => tf.slice2d([1], [0, 0], [1, 1]), /slice2d expects a rank-2 tensor, but got a rank-1/],
  ['stridedSlice', () => tf.stridedSlice([1], [0], [1], [0]), /strides\[0\] must be non-zero/],
  ['reverse', () => tf.reverse([1], 0.5), /must be integers but got axis 0.5/],
  ['reverse3d', () => tf.reverse3d([1]), /Error in reverse3D: x must be rank 3 but got rank 1/],
  ['concat', () => tf.concat([[1], [[1]]]), /rank of tensors\[1\] must be the same/],
  ['concat none', () => tf.concat([]), /Pass at least one tensor/],
  ['concat no list', () => tf.concat(tf.scalar as never), /must be a `Tensor\[\]` or `TensorLike\[\]`/],
  ['stack', () => tf.stack([[1], [1, 2]]), /must have matching shapes/],
  ['split', () => tf.split([1, 2, 3], 2), /Number of splits must evenly divide the axis/],
  ['unstack', () => tf.unstack([1], 3), /^Axis = 3 is not in \[-1, 1\)$/],
  ['tile', () => tf.tile([1], [1, 2]), /rank of input 1 must match length of reps/],
  ['pad', () => tf.pad([1], [1] as never), /Invalid number of paddings/],
  ['pad1d', () => tf.pad1d([1], [1, 2, 3] as never), /Must be length of 2/],
  ['mirrorPad', () => tf.mirrorPad([1], [[1, 0]], 'reflect'), /Padding in dimension 0 cannot be greater/],
  ['mirrorPad mode', () => tf.mirrorPad([1], [[0, 0]], 'wrap' as never), /Mode must be either reflect or symmetric/],
  ['transpose', () => tf.transpose([1], [1]), /All entries in 'perm' must be between 0 and 0/],
  ['transpose empty', () => tf.transpose([1], []), /must match length of perm/],
  ['depthToSpace', () => tf.depthToSpace([[[[1]]]], 2), /^Dimension size must be evenly divisible by 4 but is 1/],
  ['spaceToBatchND', () => tf.spaceToBatchND([[1]], [2], [[0, 0]]), /must be divisible by blockShapes 2$/],
  ['batchToSpaceND', () => tf.batchToSpaceND([[1]], [2], [[0, 0]]), /^input tensor batch is 1 but is not divisible/],
  ['gather', () => tf.gather([1, 2], ints(2)), /GatherV2: the index value 2 is not in \[0, 1\]/],
  ['gatherND', () => tf.gatherND([1], i32([1], [1, 1])), /Invalid indices: \[1\] does not index into \[1\]/],
  ['scatterND', () => tf.scatterND([[0]], [[1]], [1]), /Must have updates.shape = indices.shape/],
  ['topk', () => tf.topk([1], 2), /'k' passed to topk\(\) must be <= the last dimension \(1\) but got 2/],
  ['searchSorted', () => tf.searchSorted([1], [1], 'middle' as never), /side must be 'left' or 'right'/],
  ['bincount', () => tf.bincount(ints(-1), [], 2), /must be non-negative/],
];

describe('errors', () => {
  test.each(failures)('%s', (_name, run, want) => {
    expect(() => tf.tidy(() => void run())).toThrow(want);
  });
});

describe('gradients reach through', () => {
  const through: [string, (x: Tensor) => Tensor, unknown][] = [
    ['gather', (x) => x.gather(ints(1, 1)), [0, 2]],
    ['concat', (x) => x.concat([x, x]), [3, 3]],
    ['topk', (x) => x.topk(1).values, [0, 1]],
    ['tile', (x) => x.tile([3]), [3, 3]],
    ['stack', (x) => tf.stack([x, x]), [2, 2]],
    ['slice', (x) => x.slice(1), [0, 1]],
    ['mirrorPad', (x) => x.mirrorPad([[1, 1]], 'reflect'), [2, 2]],
  ];
  test.each(through)('%s', (_name, f, want) => {
    expect(tf.tidy(() => tf.grad((x: Tensor) => f(x).sum())(tf.tensor1d([1, 2])).arraySync())).toEqual(want);
  });
});
