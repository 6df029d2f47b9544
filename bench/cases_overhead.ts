/** What a call costs apart from arithmetic. */
import type { Case } from './cases.js';
import { random, type Tensor } from './library.js';

const CALLS = 200;

/** The last of `CALLS` results of `f`, made in one tidy. */
const addInTidy = (size: number): Case => ({
  name: `add ${size} in tidy`,
  per: CALLS,
  prepare: (tf) => {
    const [x, y] = [random(tf, [size], 1), random(tf, [size], 2)];
    return () =>
      tf.tidy(() => {
        let sum: Tensor = x;
        for (let i = 0; i < CALLS; i++) sum = tf.add(x, y);
        return sum;
      });
  },
});

export const cases: Case[] = [
  addInTidy(1),
  {
    name: 'add 1 with dispose',
    per: CALLS,
    prepare: (tf) => {
      const [x, y] = [random(tf, [1], 1), random(tf, [1], 2)];
      return () => {
        for (let i = 1; i < CALLS; i++) tf.add(x, y).dispose();
        return tf.add(x, y);
      };
    },
  },
  { ...addInTidy(16), extra: true },
  { ...addInTidy(1024), extra: true },
  {
    name: 'chain of 100 on 64 floats',
    extra: true,
    per: 100,
    prepare: (tf) => {
      const [x, y] = [random(tf, [64], 1), random(tf, [64], 2)];
      return () =>
        tf.tidy(() => {
          let value: Tensor = x;
          for (let i = 0; i < 50; i++) value = tf.sub(tf.add(value, y), y);
          return value;
        });
    },
  },
  {
    name: 'create and dispose 4 floats',
    extra: true,
    per: CALLS,
    prepare: (tf) => {
      const values = new Float32Array([1, 2, 3, 4]);
      return () => {
        for (let i = 1; i < CALLS; i++) tf.tensor1d(values).dispose();
        return tf.tensor1d(values);
      };
    },
  },
  {
    name: 'read back 4 bytes',
    extra: true,
    per: CALLS,
    prepare: (tf) => {
      const x = random(tf, [1]);
      return () => {
        let sum = 0;
        for (let i = 0; i < CALLS; i++) sum += x.dataSync()[0]!;
        return tf.scalar(sum);
      };
    },
  },
];
