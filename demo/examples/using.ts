// `using` frees a tensor at the end of its block, whichever way that is left.
// Node 24 and every current bundler know the word; TypeScript translates it
// for older ones.
import * as tf from 'tidemark';

import { runAsProgram } from '../tools/program.mjs';

function norm(values: number[]): number {
  using x = tf.tensor1d(values);
  using squares = x.square();
  using sum = squares.sum();
  if (sum.dataSync()[0] === 0) throw new Error('norm: all values are zero');
  using root = sum.sqrt();
  return root.dataSync()[0]!;
}

/** Returns `{ norm, error, tensorsLeft }`, after a return and after a throw. */
export async function main(log: (line: string) => void) {
  await tf.ready();
  const atRest = tf.memory().numTensors;
  const length = norm([3, 4]);
  log(`norm of [3, 4]: ${length}`);
  let error = '';
  try {
    norm([0, 0]);
  } catch (thrown) {
    error = (thrown as Error).message;
    log(error);
  }
  const tensorsLeft = tf.memory().numTensors - atRest;
  log(`tensors left: ${tensorsLeft}`);
  return { norm: length, error, tensorsLeft };
}

runAsProgram(import.meta.url, () => main(console.log).then(() => undefined));
