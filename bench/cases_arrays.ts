/** Moving data about. */
import type { Case } from './cases.js';
import { random, type Library, type Tensor } from './library.js';

function move(name: string, shape: number[], f: (tf: Library, x: Tensor) => Tensor): Case {
  return {
    name,
    prepare: (tf) => {
      const x = random(tf, shape);
      return () => f(tf, x);
    },
  };
}

const extra: Case[] = [
  move('transpose NHWC to NCHW 112x112x32', [1, 112, 112, 32], (tf, x) =>
    tf.transpose(x, [0, 3, 1, 2]),
  ),
  move('concat 2 x 512K last axis', [1024, 512], (tf, x) => tf.concat([x, x], 1)),
  move('slice 512x512 of 1M', [1024, 1024], (tf, x) => tf.slice(x, [256, 256], [512, 512])),
  move('pad 112x112x32 by 1', [1, 112, 112, 32], (tf, x) =>
    tf.pad(x, [
      [0, 0],
      [1, 1],
      [1, 1],
      [0, 0],
    ]),
  ),
  move('resizeBilinear 112 to 224 x3', [1, 112, 112, 3], (tf, x) =>
    tf.image.resizeBilinear(x as never, [224, 224]),
  ),
  move('cast 1M to int32', [1024, 1024], (tf, x) => tf.cast(x, 'int32')),
  {
    name: 'gather 4096 rows of [8192,64]',
    prepare: (tf) => {
      const x = random(tf, [8192, 64]);
      const rows = Int32Array.from({ length: 4096 }, (_, i) => (i * 7919) % 8192);
      const indices = tf.tensor1d(rows, 'int32');
      return () => tf.gather(x, indices);
    },
  },
];

export const cases: Case[] = [
  move('transpose 1M', [1024, 1024], (tf, x) => tf.transpose(x)),
  ...extra.map((one) => ({ ...one, extra: true })),
];
