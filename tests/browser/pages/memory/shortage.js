// Out of memory: what is thrown, and that everything works afterwards.
import { load, randomFrom } from './common.js';

/** Ops with plain answers to compare with. */
const programs = [
  [(tf, x) => x.add(1), (v) => v + 1],
  [(tf, x) => x.square(), (v) => v * v],
  [(tf, x) => x.neg().relu(), (v) => Math.max(-v, 0)],
  [(tf, x) => tf.concat([x, x]).slice([0], [x.size]), (v) => v],
  [(tf, x) => tf.grad((y) => y.square())(x), (v) => 2 * v],
  [(tf, x) => tf.tidy(() => x.reshape([1, -1]).matMul(tf.scalar(3).reshape([1, 1]), true).reshape([-1])), (v) => 3 * v],
];

/** Runs random ops; says how many gave a wrong value and what is left. */
function randomOps(tf, count) {
  const random = randomFrom(7);
  const before = tf.memory();
  let wrong = 0;
  for (let i = 0; i < count; i++) {
    const [ours, plain] = programs[Math.floor(random() * programs.length)];
    const values = Float32Array.from({ length: 1 + Math.floor(random() * 300) }, () => Math.fround(random() - 0.5));
    const result = tf.tidy(() => ours(tf, tf.tensor1d(values)).dataSync());
    if (result.length !== values.length) wrong++;
    else if (result.some((value, k) => Math.abs(value - plain(values[k])) > 1e-5)) wrong++;
  }
  const after = tf.memory();
  return { wrong, left: after.numTensors - before.numTensors, leftBytes: after.numBytesInPool - before.numBytesInPool };
}

const text = (error) => ({ name: error.name, code: error.code, message: error.message });

/** Allocates in pieces until it fails; `hard` sets a budget before. */
export async function exhaust({ piece, hard, trace = false }) {
  const tf = await load();
  if (trace) tf.memory.trace({ stacks: true });
  if (hard) tf.memory.setBudget({ hard, soft: 16 * hard });
  else tf.memory.setBudget({ soft: 2 ** 40 });
  const before = tf.memory();
  const held = [];
  const errors = [];
  try {
    for (;;) held.push(tf.fill([piece / 4], held.length));
  } catch (error) {
    errors.push(error);
  }
  // Big ops, gradients and optimizers are refused too; small ones still work.
  const big = held[0];
  const refused = [
    () => big.add(1),
    () => tf.grad((x) => x.square().sum())(big),
    () => tf.variable(big.mul(2)),
    () => tf.concat([big, big]),
  ].map((f) => {
    const tensors = tf.memory().numTensors;
    try {
      tf.dispose(f());
      return 'nothing was thrown';
    } catch (error) {
      return `${error.code} ${tf.memory().numTensors - tensors}`;
    }
  });
  const whileFull = randomOps(tf, 100);
  const firsts = held.map((x) => tf.tidy(() => x.slice([piece / 4 - 1], [1]).dataSync()[0]));
  const made = held.length;
  tf.dispose(held);
  const afterwards = randomOps(tf, 1000);
  const after = tf.memory();
  let fits = true;
  try {
    tf.fill([piece / 4], 1).dispose();
  } catch {
    fits = false;
  }
  if (trace) tf.memory.trace({ stacks: false });
  return {
    errors: errors.map(text), isTensorError: errors[0] instanceof tf.TensorError, refused, made, fits,
    wrong: firsts.filter((value, i) => value !== i).length, whileFull, afterwards,
    left: after.numTensors - before.numTensors, leftBytes: after.numBytesInPool - before.numBytesInPool,
    heapBytes: after.heapBytes,
  };
}

/** One request that no memory could ever hold. */
export async function tooLarge() {
  const tf = await load();
  const before = tf.memory();
  let error;
  try {
    tf.zeros([2 ** 30]);
  } catch (e) {
    error = e;
  }
  const after = tf.memory();
  return {
    error: error && text(error), left: after.numTensors - before.numTensors,
    grown: after.heapBytes - before.heapBytes, afterwards: randomOps(tf, 1000),
  };
}
