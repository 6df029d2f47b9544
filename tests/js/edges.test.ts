// Faults that were found once and must not come back.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../js/src/index.js';

describe('edges', () => {
  test('a gradient leaves alone what its function returns', () => {
    const x = tf.tensor1d([1, 2, 3]);
    const g = tf.grad((t) => t)(x);
    const [h] = tf.grads((t) => t)([x]);
    expect(g.arraySync()).toEqual([1, 1, 1]);
    expect(h!.arraySync()).toEqual([1, 1, 1]);
    expect(x.isDisposed).toBe(false);
    tf.dispose([x, g, h]);
  });

  test('an array that holds itself is refused', () => {
    const a: unknown[] = [];
    a.push(a);
    expect(() => tf.tensor(a as never)).toThrow(/nested more than 32 deep/);
  });

  test('a window larger than the image is refused', () => {
    tf.tidy(() => {
      const x = tf.ones<'R4'>([1, 3, 3, 2]);
      const filter = tf.ones<'R4'>([5, 5, 2, 1]);
      expect(() => tf.conv2d(x, filter, 1, 'valid')).toThrow(/conv2d: .* covers 5 .* into 3/);
      expect(() => tf.maxPool(x, 5, 1, 'valid')).toThrow(/maxPool: .* covers 5 .* into 3/);
    });
  });

  test('stridedSlice ignores masks where it takes one element', () => {
    tf.tidy(() => {
      const x = tf.tensor1d([0, 1, 2, 3, 4]);
      expect(tf.stridedSlice(x, [-1], [0], [1], 1, 0, 0, 0, 1).arraySync()).toBe(4);
      expect(() => tf.stridedSlice(x, [-6], [0], [1], 1, 0, 0, 0, 1)).toThrow(/out of bounds/);
    });
  });

  test('a tidy that fails to close leaves nothing behind', () => {
    const before = tf.memory().numTensors;
    expect(() => tf.tidy(() => {
      tf.engine().startScope();
      return tf.ones([1]);
    })).toThrow(/was closed while .scope. inside was still open/);
    expect(tf.memory().numTensors).toBe(before);
    const y = tf.matMul([[1, 2]], [[3], [4]]);
    expect(y.arraySync()).toEqual([[11]]);
    y.dispose();
  });

  test('missing and mistyped arguments get the op\'s name', () => {
    const x = tf.ones([2]);
    expect(() => tf.reshape(x, undefined as never)).toThrow(/^reshape: /);
    expect(() => tf.tile(x, undefined as never)).toThrow(/^tile: /);
    expect(() => tf.fill([2], 'hi' as never)).toThrow(/^fill: .*"hi"/);
    x.dispose();
  });
});
