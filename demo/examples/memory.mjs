// Who frees a tensor, and when: dispose, tidy, keep, and what is counted.
import * as tf from 'tidemark';

import { runAsProgram } from '../tools/program.mjs';

/** Returns the tensors alive after each lesson, counted from the start. */
export async function main(log) {
  await tf.ready();
  const atRest = tf.memory().numTensors;
  const alive = {};
  const lesson = (name) => {
    alive[name] = tf.memory().numTensors - atRest;
    log(`${name.padEnd(12)} ${alive[name]} alive`);
  };

  // A tensor lives until somebody says otherwise.
  const x = tf.tensor1d([1, 2, 3, 4]);
  lesson('created');

  // Each op makes a tensor. Here two stay behind: x + 1 and its square.
  const plus = x.add(1);
  const square = plus.square();
  lesson('chained');
  tf.dispose([plus, square]);
  lesson('disposed');

  // tidy frees everything made inside, except what it returns.
  const sum = tf.tidy(() => x.add(1).square().sum());
  lesson('tidied');

  // keep takes a tensor out of the tidy that would have freed it.
  let kept;
  tf.tidy(() => {
    kept = tf.keep(x.mul(10));
    x.mul(100);
  });
  lesson('kept');

  // clone and reshape share the bytes, yet each is a tensor to dispose of.
  const buffers = tf.memory().numDataBuffers;
  const view = x.reshape([2, 2]);
  alive.newBuffers = tf.memory().numDataBuffers - buffers;
  lesson('reshaped');

  // A disposed tensor answers with an error, never with someone else's data.
  view.dispose();
  try {
    view.dataSync();
  } catch (error) {
    alive.error = error.message;
    log(`${'after dispose'.padEnd(12)} ${error.message}`);
  }

  tf.dispose([x, sum, kept]);
  lesson('end');
  return alive;
}

runAsProgram(import.meta.url, () => main(console.log));
