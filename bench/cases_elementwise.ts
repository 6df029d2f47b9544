/** Elementwise ops, reductions and chains of them. */
import type { Case } from './cases.js';
import { random, type Library, type Tensor } from './library.js';

type Unary = (tf: Library, x: Tensor) => Tensor;
type Binary = (tf: Library, x: Tensor, y: Tensor) => Tensor;

function unary(name: string, shape: number[], f: Unary): Case {
  return {
    name,
    prepare: (tf) => {
      const x = random(tf, shape);
      return () => f(tf, x);
    },
  };
}

function binary(name: string, a: number[], b: number[], f: Binary): Case {
  return {
    name,
    prepare: (tf) => {
      const [x, y] = [random(tf, a, 1), random(tf, b, 2)];
      return () => f(tf, x, y);
    },
  };
}

const MILLION = [1024, 1024];

const core: Case[] = [
  binary('add 1M', MILLION, MILLION, (tf, x, y) => tf.add(x, y)),
  unary('exp 1M', MILLION, (tf, x) => tf.exp(x)),
  unary('tanh 1M', MILLION, (tf, x) => tf.tanh(x)),
  unary('softmax 1M', MILLION, (tf, x) => tf.softmax(x)),
  unary('sum 1M', MILLION, (tf, x) => tf.sum(x)),
];

const UNARY: Record<string, Unary> = {
  relu: (tf, x) => tf.relu(x),
  exp: (tf, x) => tf.exp(x),
  tanh: (tf, x) => tf.tanh(x),
  sigmoid: (tf, x) => tf.sigmoid(x),
};
const BINARY: Record<string, Binary> = {
  add: (tf, x, y) => tf.add(x, y),
  mul: (tf, x, y) => tf.mul(x, y),
  greater: (tf, x, y) => tf.greater(x, y),
};

const sizes = [1_000, 10_007, 100_000, 10_000_000].flatMap((n) => [
  ...Object.entries(UNARY).map(([name, f]) => unary(`${name} ${n}`, [n], f)),
  ...Object.entries(BINARY).map(([name, f]) => binary(`${name} ${n}`, [n], [n], f)),
]);

const broadcast: Case[] = [
  binary('add [256,1,64] [1,128,64]', [256, 1, 64], [1, 128, 64], (tf, x, y) => tf.add(x, y)),
  binary('mul 1M by scalar', MILLION, [], (tf, x, y) => tf.mul(x, y)),
  binary('add 1M by row', MILLION, [1024], (tf, x, y) => tf.add(x, y)),
  {
    name: 'where 1M',
    prepare: (tf) => {
      const [x, y] = [random(tf, MILLION, 1), random(tf, MILLION, 2)];
      const mask = tf.greater(x, y);
      return () => tf.where(mask, x, y);
    },
  },
  {
    name: 'add 1M int32',
    prepare: (tf) => {
      const x = tf.tidy(() => tf.mul(random(tf, MILLION), 1000).toInt());
      return () => tf.add(x, x);
    },
  },
];

// What fusion would gain: the same formulas, eagerly by parts.
const chains: Case[] = [
  binary('relu(a * b + c) 1M', MILLION, MILLION, (tf, x, y) =>
    tf.tidy(() => tf.relu(tf.add(tf.mul(x, y), x))),
  ),
  unary('gelu by parts 1M', MILLION, (tf, x) =>
    tf.tidy(() => {
      const cubic = tf.mul(tf.mul(tf.mul(x, x), x), 0.044715);
      const inner = tf.mul(tf.add(x, cubic), Math.sqrt(2 / Math.PI));
      return tf.mul(tf.mul(x, 0.5), tf.add(tf.tanh(inner), 1));
    }),
  ),
  unary('layer norm by parts 1M', MILLION, (tf, x) =>
    tf.tidy(() => {
      const { mean, variance } = tf.moments(x, -1, true);
      return tf.mul(tf.sub(x, mean), tf.rsqrt(tf.add(variance, 1e-5)));
    }),
  ),
];

const reductions = [[64, 1024], MILLION, [8, 128, 128, 64]].flatMap((shape) =>
  [shape.length - 1, 0, Math.floor(shape.length / 2)]
    .filter((axis, i, axes) => axes.indexOf(axis) === i)
    .flatMap((axis) => {
      const over = `[${shape.join()}] axis ${axis}`;
      return [
        unary(`sum ${over}`, shape, (tf, x) => tf.sum(x, axis)),
        unary(`max ${over}`, shape, (tf, x) => tf.max(x, axis)),
        unary(`argMax ${over}`, shape, (tf, x) => tf.argMax(x, axis)),
      ];
    }),
);

const softmax = [
  [12, 128, 128],
  [1, 50257],
].map((shape) => unary(`softmax [${shape.join()}]`, shape, (tf, x) => tf.softmax(x)));

export const cases: Case[] = [
  ...core,
  ...[...sizes, ...broadcast, ...chains, ...reductions, ...softmax].map((one) => ({
    ...one,
    extra: true,
  })),
];
