// tf.linalg beside TensorFlow.js' own.
import { createRequire } from 'node:module';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type * as Theirs from '@tensorflow/tfjs';
import * as tf from '../../js/src/index.js';

let theirs: typeof Theirs;
beforeAll(async () => {
  theirs = createRequire(import.meta.url)('@tensorflow/tfjs') as typeof Theirs;
  await theirs.setBackend('cpu');
});

const values = (size: number): Float32Array =>
  Float32Array.from({ length: size }, (_, i) => ((i * i * 31 + i * 17) % 23) / 4 - 2.6);

function expectClose(a: tf.Tensor, b: { shape: number[]; dataSync(): ArrayLike<number> }): void {
  expect(a.shape).toEqual(b.shape);
  const expected = b.dataSync();
  a.dataSync().forEach((v, i) => expect(v).toBeCloseTo(expected[i]!, 4));
}

describe('qr', () => {
  test.each([[[1, 1]], [[3, 3]], [[5, 2]], [[2, 5]], [[4, 3, 3]]])('%j', (shape) => {
    const data = values(shape.reduce((a, b) => a * b));
    for (const full of [false, true]) {
      tf.tidy(() => {
        const ours = tf.linalg.qr(tf.tensor(data, shape), full);
        const expected = theirs.tidy(() => theirs.linalg.qr(theirs.tensor(data, shape), full));
        ours.forEach((t, i) => expectClose(t, expected[i]!));
        theirs.dispose(expected);
      });
    }
  });

  test.each([[[2, 4, 3]], [[2, 2, 4, 3]], [[2, 1, 2, 3]], [[1, 2, 1, 3, 3]]])('%j, where TensorFlow.js fails', (shape) => {
    tf.tidy(() => {
      const x = tf.tensor(values(shape.reduce((a, b) => a * b)), shape);
      for (const full of [false, true]) {
        const [q, r] = tf.linalg.qr(x, full);
        expectClose(tf.matMul(q, r), x);
        const side = q.shape.at(-1)!;
        expectClose(tf.matMul(q, q, true), tf.broadcastTo(tf.eye(side), [...shape.slice(0, -2), side, side]));
        expectClose(tf.linalg.bandPart(r, 0, -1), r);
      }
    });
  });

  test('arrays, whole numbers, nothing, and matrices of zeros', () => {
    tf.tidy(() => {
      expect(tf.linalg.qr([[10]])[1].arraySync()).toEqual([[-10]]);
      expect(tf.linalg.qr(tf.tensor2d([[3], [4]], [2, 1], 'int32'))[1].arraySync()).toEqual([[-5]]);
      expect(tf.linalg.qr(tf.zeros([0, 2]), true).map((t) => t.shape)).toEqual([[0, 0], [0, 2]]);
      expect(tf.linalg.qr(tf.zeros([2, 2]))[0].arraySync()).toEqual([[1, 0], [0, 1]]);
    });
  });

  test('the gradient is that of the determinant', () => {
    tf.tidy(() => {
      // |det x| is the product of |r_ii|, and its gradient det x times x^-T.
      const x = tf.tensor2d([[2, 1], [1, 3]]);
      const determinant = (a: tf.Tensor): tf.Tensor => tf.linalg.qr(a)[1].mul(tf.eye(2)).sum(0).prod().abs();
      const dx = tf.grad(determinant)(x).dataSync();
      [3, -1, -1, 2].forEach((v, i) => expect(dx[i]).toBeCloseTo(v, 5));
    });
  });

  test('a vector, a scalar, and the gradient of a full tall factor are refused', () => {
    expect(() => tf.linalg.qr([1, 2])).toThrow(/rank >= 2.*got rank 1/);
    expect(() => tf.linalg.qr(3)).toThrow(/rank >= 2.*got rank 0/);
    tf.tidy(() => {
      const x = tf.ones([3, 2]);
      expect(() => tf.grad((a) => tf.linalg.qr(a, true)[1].sum())(x)).toThrow(/fullMatrices/);
    });
  });
});

describe('bandPart', () => {
  test.each([[0, 0], [1, 0], [0, -1], [-1, 1], [2, 1], [-1, -1], [3, 4]])('lower %d, upper %d', (lower, upper) => {
    tf.tidy(() => {
      const data = values(24);
      const expected = theirs.tidy(() => theirs.linalg.bandPart(theirs.tensor(data, [2, 3, 4]), lower, upper));
      expectClose(tf.linalg.bandPart(tf.tensor3d(data, [2, 3, 4]), lower, upper), expected);
      expectClose(tf.linalg.bandPart(tf.tensor3d(data, [2, 3, 4]), tf.scalar(lower, 'int32'), upper), expected);
      expected.dispose();
      expect(tf.linalg.bandPart(tf.ones([3, 4], 'bool'), lower, upper).dtype).toBe('bool');
    });
  });

  test('bad limits and ranks are refused', () => {
    expect(() => tf.linalg.bandPart([1, 2], 0, 0)).toThrow(/bandPart.*[Rr]ank/);
    expect(() => tf.linalg.bandPart([[1, 2]], 2, 0)).toThrow(/numLower \(2\).*rows \(1\)/);
    expect(() => tf.linalg.bandPart([[1, 2]], 0, 3)).toThrow(/numUpper \(3\).*columns \(2\)/);
    expect(() => tf.linalg.bandPart([[1, 2]], 0.5, 0)).toThrow(/numLower must be an integer, got 0.5/);
  });
});

describe('gramSchmidt', () => {
  test('a matrix and a list of vectors', () => {
    tf.tidy(() => {
      const data = values(15);
      const expected = theirs.tidy(() => theirs.linalg.gramSchmidt(theirs.tensor2d(data, [3, 5])) as Theirs.Tensor2D);
      const x = tf.tensor2d(data, [3, 5]);
      expectClose(tf.linalg.gramSchmidt<tf.Tensor2D>(x), expected);
      const list = tf.linalg.gramSchmidt(tf.unstack(x) as tf.Tensor1D[]);
      expect(list).toHaveLength(3);
      expectClose(tf.stack(list), expected);
      expected.dispose();
    });
  });

  test('what has no answer is refused', () => {
    tf.tidy(() => {
      expect(() => tf.linalg.gramSchmidt([])).toThrow(/empty/);
      expect(() => tf.linalg.gramSchmidt(tf.ones<tf.Rank.R2>([3, 2]))).toThrow(/vectors \(3\) exceeds number of dimensions \(2\)/);
      expect(() => tf.linalg.gramSchmidt([tf.ones([2]), tf.ones([3])] as tf.Tensor1D[])).toThrow(/Non-unique/);
    });
  });
});
