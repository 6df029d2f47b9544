// Fits a line through noisy points by gradient descent.
import * as tf from 'tidemark';

import { runAsProgram } from '../tools/program.mjs';

const STEPS = 200;

/** Returns `{ slope, offset, loss, tensorsLeft }`; the line is y = 3 x - 1. */
export async function main(log) {
  await tf.ready();
  const atRest = tf.memory().numTensors;

  const x = tf.linspace(-1, 1, 100);
  const y = tf.tidy(() => {
    const noise = tf.randomNormal([100], 0, 0.1, 'float32', 42);
    return x.mul(3).sub(1).add(noise);
  });
  // The variable takes the value over; the tidy frees the scalar itself.
  const slope = tf.tidy(() => tf.variable(tf.scalar(0)));
  const offset = tf.tidy(() => tf.variable(tf.scalar(0)));
  const variables = [slope, offset];
  const optimizer = tf.train.sgd(0.2);

  const cost = () => x.mul(slope).add(offset).sub(y).square().mean();
  let loss = Infinity;
  for (let step = 1; step <= STEPS; step++) {
    loss = tf.tidy(
      () => optimizer.minimize(cost, true, variables).dataSync()[0],
    );
    if (step % 50 === 0) log(`step ${step}  loss ${loss.toFixed(5)}`);
  }

  const found = { slope: slope.dataSync()[0], offset: offset.dataSync()[0] };
  log(`y = ${found.slope.toFixed(3)} x + ${found.offset.toFixed(3)}`);
  optimizer.dispose();
  tf.dispose([x, y, ...variables]);
  return { ...found, loss, tensorsLeft: tf.memory().numTensors - atRest };
}

runAsProgram(import.meta.url, () => main(console.log));
