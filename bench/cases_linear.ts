/** Matrix products, convolutions and pooling. */
import type { Case } from './cases.js';
import { random } from './library.js';

function matMul(
  name: string,
  a: number[],
  b: number[],
  transposeA = false,
  transposeB = false,
): Case {
  return {
    name,
    prepare: (tf) => {
      const [x, y] = [random(tf, a, 1), random(tf, b, 2)];
      return () => tf.matMul(x, y, transposeA, transposeB);
    },
  };
}

interface Window {
  strides?: number;
  dilations?: number;
}

function conv(
  name: string,
  x: number[],
  w: number[],
  { strides = 1, dilations = 1 }: Window = {},
): Case {
  return {
    name,
    prepare: (tf) => {
      const [input, filter] = [random(tf, x, 1), random(tf, w, 2)];
      return () => tf.conv2d(input as never, filter as never, strides, 'same', 'NHWC', dilations);
    },
  };
}

function depthwise(name: string, x: number[], w: number[], strides = 1): Case {
  return {
    name,
    prepare: (tf) => {
      const [input, filter] = [random(tf, x, 1), random(tf, w, 2)];
      return () => tf.depthwiseConv2d(input as never, filter as never, strides, 'same');
    },
  };
}

const extra: Case[] = [
  ...[32, 63, 100, 255, 512, 1000].map((n) => matMul(`matMul ${n}`, [n, n], [n, n])),
  matMul('matMul 1x4096x4096', [1, 4096], [4096, 4096]),
  matMul('matMul 3136x64x576', [3136, 64], [64, 576]),
  matMul('matMul 128x768x3072', [128, 768], [768, 3072]),
  matMul('matMul batch 12x128x64x128', [12, 128, 64], [12, 64, 128]),
  matMul('matMul 256 a transposed', [256, 256], [256, 256], true, false),
  matMul('matMul 256 b transposed', [256, 256], [256, 256], false, true),
  {
    name: 'matMul 256 fresh b',
    prepare: (tf) => {
      const [x, y] = [random(tf, [256, 256], 1), random(tf, [256, 256], 2)];
      return () => tf.tidy(() => tf.matMul(x, tf.add(y, y)));
    },
  },
  conv('conv 1x1 56x56x64 -> 256', [1, 56, 56, 64], [1, 1, 64, 256]),
  conv('conv 3x3 s2 224x224x3 -> 32', [1, 224, 224, 3], [3, 3, 3, 32], { strides: 2 }),
  conv('conv 7x7 s2 224x224x3 -> 64', [1, 224, 224, 3], [7, 7, 3, 64], { strides: 2 }),
  conv('conv 3x3 d2 56x56x64 -> 64', [1, 56, 56, 64], [3, 3, 64, 64], { dilations: 2 }),
  conv('conv 3x3 batch 8 28x28x32 -> 32', [8, 28, 28, 32], [3, 3, 32, 32]),
  depthwise('depthwise 3x3 14x14x512', [1, 14, 14, 512], [3, 3, 512, 1]),
  depthwise('depthwise 3x3 s2 112x112x64', [1, 112, 112, 64], [3, 3, 64, 1], 2),
  depthwise('depthwise 5x5 28x28x120', [1, 28, 28, 120], [5, 5, 120, 1]),
  {
    name: 'maxPool 3x3 s2 112x112x64',
    prepare: (tf) => {
      const x = random(tf, [1, 112, 112, 64]);
      return () => tf.maxPool(x as never, 3, 2, 'same');
    },
  },
];

export const cases: Case[] = [
  matMul('matMul 64', [64, 64], [64, 64]),
  matMul('matMul 256', [256, 256], [256, 256]),
  matMul('matMul 1024', [1024, 1024], [1024, 1024]),
  conv('conv 3x3 56x56x64 -> 64', [1, 56, 56, 64], [3, 3, 64, 64]),
  conv('conv 1x1 28x28x256 -> 256', [1, 28, 28, 256], [1, 1, 256, 256]),
  depthwise('depthwise 3x3 112x112x32', [1, 112, 112, 32], [3, 3, 32, 1]),
  ...extra.map((one) => ({ ...one, extra: true })),
];
