/** Tensors that the engine has really collected. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { look, watchLarge } from '../../../js/src/finalizer.js';
import * as tf from '../../../js/src/index.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

// Node's engine needs none of it, but has all that it takes.
beforeAll(() => watchLarge(true));
afterAll(() => watchLarge(false));

const pending = (): number => tf.memory().pendingFinalizers;

function drop(count: number, shape: number[]): void {
  for (let i = 0; i < count; i++) tf.zeros(shape);
}

test('large ones are known as soon as they are collected, before finalizers run', async () => {
  const before = tf.memory().numTensors;
  const reclaimed = tf.memory().reclaimed;
  const held = tf.ones([128, 128]);
  drop(3, [128, 128]);
  drop(4, [127, 129]); // just below 64 KB
  await tf.nextTurn();
  await tf.nextTurn();
  collect();
  expect(pending()).toBe(0);
  look();
  expect(pending()).toBe(3);
  look();
  expect(pending()).toBe(3);
  while (tf.memory().numTensors > before + 1) await tf.nextTurn();
  expect(tf.memory().reclaimed).toBe(reclaimed + 7);
  look();
  expect(tf.tidy(() => held.sum().dataSync()[0])).toBe(128 * 128);
  held.dispose();
  expect(pending()).toBe(0);
});

test('those disposed of are not named, however many there were', async () => {
  for (let round = 0; round < 10; round++) {
    const some = Array.from({ length: 250 }, () => tf.zeros([128, 128]));
    await tf.nextTurn();
    tf.dispose(some);
  }
  await tf.nextTurn();
  collect();
  const { reclaimed } = tf.memory();
  look();
  await tf.nextTurn();
  expect(pending()).toBe(0);
  expect(tf.memory().reclaimed).toBe(reclaimed);
});
