// Teaches a network of two layers what no single layer can learn: exclusive or.
import * as tf from 'tidemark';

import { runAsProgram } from '../tools/program.mjs';

const STEPS = 300;
const HIDDEN = 8;

/** Returns `{ guesses, loss, tensorsLeft }`, a guess for 00, 01, 10 and 11. */
export async function main(log) {
  await tf.ready();
  const atRest = tf.memory().numTensors;

  const inputs = tf.tensor2d([[0, 0], [0, 1], [1, 0], [1, 1]]);
  const wanted = tf.tensor2d([[0], [1], [1], [0]]);
  const weights = (shape, seed) =>
    tf.tidy(() =>
      tf.variable(tf.randomNormal(shape, 0, 1, 'float32', seed)),
    );
  const w1 = weights([2, HIDDEN], 1);
  const b1 = weights([HIDDEN], 2);
  const w2 = weights([HIDDEN, 1], 3);
  const b2 = weights([1], 4);
  const variables = [w1, b1, w2, b2];
  const optimizer = tf.train.adam(0.05);

  const logits = () => inputs.matMul(w1).add(b1).tanh().matMul(w2).add(b2);
  const cost = () => tf.losses.sigmoidCrossEntropy(wanted, logits());
  let loss = Infinity;
  for (let step = 1; step <= STEPS; step++) {
    loss = tf.tidy(
      () => optimizer.minimize(cost, true, variables).dataSync()[0],
    );
    if (step % 100 === 0) log(`step ${step}  loss ${loss.toFixed(5)}`);
  }

  const guesses = tf.tidy(() => Array.from(logits().sigmoid().dataSync()));
  ['00', '01', '10', '11'].forEach((bits, i) =>
    log(`${bits} -> ${guesses[i].toFixed(3)}`),
  );
  optimizer.dispose();
  tf.dispose([inputs, wanted, ...variables]);
  return { guesses, loss, tensorsLeft: tf.memory().numTensors - atRest };
}

runAsProgram(import.meta.url, () => main(console.log));
