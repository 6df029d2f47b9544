// Layers that merge several inputs beside TensorFlow.js'.
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { Add, Average, Maximum, Minimum, Multiply, Subtract } from '../../../js/src/layers/families/merge.js';
import { Concatenate, Dot } from '../../../js/src/layers/families/merge_axes.js';
import type { Layer } from '../../../js/src/layers/layer.js';
import { compare, compareWithDifferences, expectClose, made, useCpu } from './beside_tfjs.js';

beforeAll(useCpu);

type Shapes = number[][];
const elementwise: [string, Shapes][] = [
  ['two', [[3, 5], [3, 5]]],
  ['four', [[2, 3, 4], [2, 3, 4], [2, 3, 4], [2, 3, 4]]],
  ['one element', [[1, 1], [1, 1]]],
  ['broadcast features', [[3, 5], [3, 1]]],
  ['broadcast both ways', [[2, 3, 1], [2, 1, 4]]],
  ['broadcast among three', [[2, 3, 4], [2, 3, 1], [2, 1, 4]]],
  ['ranks that differ', [[2, 3], [2, 4, 3]]],
  ['ranks that differ, larger first', [[2, 5, 4, 3], [2, 3], [2, 4, 3]]],
];

describe.each<[string, any]>([
  ['Add', Add], ['Multiply', Multiply], ['Average', Average], ['Maximum', Maximum], ['Minimum', Minimum],
])('%s', (_name, cls) => {
  test.each(elementwise)('%s', (_case, inputShape) => {
    // TensorFlow.js' maximum and minimum have no gradient of what is broadcast.
    const unlike = new Set(inputShape.map(String)).size > 1 && [Maximum, Minimum].includes(cls);
    compare({ cls, args: {}, inputShape, ...unlike ? { differences: 1e-3 } : {} });
  });
});

describe('Concatenate', () => {
  test.each<[string, object, Shapes]>([
    ['default', {}, [[3, 2], [3, 5]]],
    ['three', {}, [[2, 3, 2], [2, 3, 1], [2, 3, 4]]],
    ['along steps', { axis: 1 }, [[2, 3, 4], [2, 5, 4]]],
    ['of images', { axis: 3 }, [[1, 3, 2, 4], [1, 3, 2, 1]]],
  ])('%s', (_name, args, inputShape) => compare({ cls: Concatenate, args, inputShape }));

  test('of one example each, along the batch', () => {
    tf.tidy(() => {
      const layer = new Concatenate({ axis: 0 });
      expect((layer.apply([tf.ones([1, 2]), tf.ones([2, 2])]) as tf.Tensor).shape).toEqual([3, 2]);
    });
  });

  test('along an axis from the end, which TensorFlow.js lacks', () => {
    tf.tidy(() => {
      const xs = [made(tf, [2, 3, 4]), made(tf, [2, 5, 4])] as tf.Tensor[];
      const [a, b] = [-2, 1].map((axis) => new Concatenate({ axis }).apply(xs) as tf.Tensor);
      expect(a!.arraySync()).toEqual(b!.arraySync());
      expect(new Concatenate({ axis: -2 }).computeOutputShape([[null, 3, 4], [null, 5, 4]])).toEqual([null, 8, 4]);
    });
  });

  test('lengths that are unknown', () => {
    const layer = new Concatenate({ axis: 1 });
    expect(layer.computeOutputShape([[null, 3, 2], [null, null, 2]])).toEqual([null, null, 2]);
    expect(layer.computeOutputShape([[null, 3, null], [4, 5, 2]])).toEqual([4, 8, 2]);
  });
});

describe('Dot', () => {
  test.each<[string, object, Shapes]>([
    ['of vectors', { axes: -1 }, [[3, 5], [3, 5]]],
    ['of vectors, normalized', { axes: 1, normalize: true }, [[3, 5], [3, 5]]],
    ['of sequences, last axes', { axes: 2 }, [[2, 3, 5], [2, 4, 5]]],
    ['of sequences, steps', { axes: [1, 1] }, [[2, 3, 5], [2, 3, 4]]],
    ['of sequences, first and last', { axes: [1, 2] }, [[2, 3, 5], [2, 4, 3]]],
    ['of sequences, last and first', { axes: [2, 1] }, [[2, 4, 3], [2, 3, 5]]],
    ['counted from the end', { axes: [-1, -2], normalize: true }, [[2, 4, 3], [2, 3, 5]]],
    ['of a sequence and a vector', { axes: [1, 1] }, [[2, 3, 5], [2, 3]]],
    ['of a vector and a sequence', { axes: [1, 2] }, [[2, 3], [2, 5, 3]]],
  ])('%s', (_name, args, inputShape) => compare({ cls: Dot, args, inputShape }));

  test('of images, which TensorFlow.js lacks', () => {
    tf.tidy(() => {
      const [x, y] = [made(tf, [2, 3, 4, 5], 1), made(tf, [2, 6, 4], 2)] as [tf.Tensor, tf.Tensor];
      for (const [axes, equation] of [[[2, 2], 'bhwc,bsw->bhcs'], [[1, 1], null], [[3, 2], null]] as const) {
        const layer = new Dot({ axes: [...axes] });
        if (equation === null) {
          expect(() => layer.apply([x, y])).toThrow(/Dimension incompatibility/);
          continue;
        }
        const z = layer.apply([x, y]) as tf.Tensor;
        const expected = tf.einsum(equation, x, y);
        expect(z.shape).toEqual(expected.shape);
        expect(layer.computeOutputShape([[null, 3, 4, 5], [null, 6, 4]])).toEqual([null, ...z.shape.slice(1)]);
        expectClose(z.dataSync(), expected.dataSync());
        compareWithDifferences(layer, [x, y]);
      }
    });
  });

  test('nothing, normalized, is nothing', () => {
    tf.tidy(() => {
      const y = new Dot({ axes: 1, normalize: true }).apply([tf.zeros([1, 2]), tf.ones([1, 2])]) as tf.Tensor;
      expect(y.arraySync()).toEqual([[0]]);
    });
  });
});

test('Subtract, which TensorFlow.js lacks', () => {
  tf.tidy(() => {
    const layer = new Subtract();
    const y = layer.apply([tf.tensor2d([[5, 7]]), tf.tensor2d([[2], [3]]).slice([0], [1])]) as tf.Tensor;
    expect(y.arraySync()).toEqual([[3, 5]]);
    expect(() => new Subtract().apply([1, 2, 3].map(() => tf.ones([1, 2])))).toThrow(/exactly 2 inputs, got 3/);
    compareWithDifferences(layer, [made(tf, [2, 3]), made(tf, [2, 3], 2)]);
  });
});

describe('masks', () => {
  const mask = (rows: number[][]): tf.Tensor2D => tf.tensor2d(rows, undefined, 'bool');
  const inputs = (...features: number[]): tf.Tensor[] => features.map((n) => tf.ones([1, 2, n]));
  const of = (layer: Layer, xs: tf.Tensor[], masks: any): unknown => (layer.computeMask(xs, masks) as tf.Tensor | null)?.arraySync() ?? null;

  test('a step counts where it counts in any input', () => {
    tf.tidy(() => {
      for (const layer of [new Add(), new Subtract(), new Multiply(), new Average(), new Maximum(), new Minimum()]) {
        expect(of(layer, inputs(3, 3), [mask([[1, 0]]), mask([[0, 0]])])).toEqual([[1, 0]]);
        expect(of(layer, inputs(3, 3), [mask([[1, 0]]), mask([[0, 1]])])).toEqual([[1, 1]]);
        expect(of(layer, inputs(3, 3), [mask([[1, 0]]), null])).toBe(null);
        expect(of(layer, inputs(3, 3), [null, null])).toBe(null);
        expect(of(layer, inputs(3, 3), null)).toBe(null);
      }
    });
  });

  test('Concatenate joins them along steps', () => {
    tf.tidy(() => {
      const steps = new Concatenate({ axis: 1 });
      expect(of(steps, inputs(2, 2), [mask([[1, 0]]), null])).toEqual([[1, 0, 1, 1]]);
      expect(of(steps, inputs(2, 2), [mask([[1, 0]]), mask([[0, 1]])])).toEqual([[1, 0, 0, 1]]);
      const features = new Concatenate();
      expect(of(features, inputs(2, 3), [mask([[1, 0]]), mask([[1, 0]])])).toEqual([[1, 0]]);
      expect(of(features, inputs(2, 3), [mask([[1, 0]]), mask([[0, 0]])])).toEqual([[1, 0]]);
      expect(of(features, inputs(2, 3), [null, null])).toBe(null);
      expect(of(new Dot({ axes: 1 }), inputs(2, 2), [mask([[1, 0]]), null])).toBe(null);
    });
  });

  test('as many as inputs', () => {
    tf.tidy(() => {
      expect(() => new Add().computeMask(inputs(1, 1), [null])).toThrow(/same length, got inputs 2, masks 1/);
      expect(() => new Add().computeMask(inputs(1, 1), mask([[1, 0]]))).toThrow(/inputs 2, masks one that is no list/);
      expect(() => new Concatenate().computeMask(tf.ones([1]), [null])).toThrow(/inputs one that is no list/);
    });
  });
});

test('shapes whose lengths are unknown', () => {
  const layer = new Add();
  expect(layer.computeOutputShape([[null, 3], [2, 3]])).toEqual([2, 3]);
  expect(layer.computeOutputShape([[null, null, 3], [null, 4, 1]])).toEqual([null, 4, 3]);
  expect(layer.computeOutputShape([[null, null, 3], [null, 1, 3]])).toEqual([null, null, 3]);
});

test.each<[string, () => unknown, RegExp]>([
  ['one input', () => new Add().apply([tf.ones([2, 3])]), /at least 2 inputs. Got 1 input/],
  ['other batches', () => new Add().apply([tf.ones([2, 3]), tf.ones([3, 3])]), /different batch sizes.*\[\[2,3\],\[3,3\]\]/],
  ['other features', () => new Add().apply([tf.ones([2, 3]), tf.ones([2, 4])]), /could not be broadcast.*\[3\] \[4\]/],
  ['concat of other features', () => new Concatenate({ axis: 1 }).apply([tf.ones([2, 3, 1]), tf.ones([2, 3, 2])]), /matching shapes.*\[\[2,3,1\],\[2,3,2\]\]/],
  ['concat of other ranks', () => new Concatenate().apply([tf.ones([2, 3]), tf.ones([2, 3, 2])]), /matching shapes/],
  ['concat along no axis', () => new Concatenate({ axis: 2 }).apply([tf.ones([2, 3]), tf.ones([2, 3])]), /axis 2/],
  ['no axes', () => new Dot({} as any), /axes must be an integer or two of them, got undefined/],
  ['one of two axes', () => new Dot({ axes: [1] as any }), /axes.*\[1\]/],
  ['half an axis', () => new Dot({ axes: [1.5, 1] }), /axes.*1.5/],
  ['the batch as an axis', () => new Dot({ axes: 0 }).apply([tf.ones([2, 3]), tf.ones([2, 3])]), /axis 0 is the batch/],
  ['three to dot', () => new Dot({ axes: 1 }).apply([1, 2, 3].map(() => tf.ones([2, 3]))), /exactly 2 inputs, got 3/],
  ['other lengths to dot', () => new Dot({ axes: 1 }).apply([tf.ones([2, 3]), tf.ones([2, 4])]), /Dimension incompatibility: 3 !== 4/],
])('%s is refused', (_name, f, message) => {
  tf.tidy(() => void expect(f).toThrow(message));
});
