// The same leaky loop on TensorFlow.js and its WebAssembly backend.
import { turns } from './common.js';

async function script(source) {
  const element = document.createElement('script');
  element.src = source;
  const loaded = new Promise((resolve, reject) => {
    element.onload = resolve;
    element.onerror = () => reject(new Error(`cannot load ${source}`));
  });
  document.head.append(element);
  await loaded;
}

/** Makes a tensor of 4 MB each step, up to `steps`, until it fails. */
export async function leak({ steps, hold, turn }) {
  await script('/tensorflow/tfjs/dist/tf.min.js');
  await script('/tensorflow/tfjs-backend-wasm/dist/tf-backend-wasm.min.js');
  const { tf } = globalThis;
  tf.wasm.setWasmPaths('/tensorflow/tfjs-backend-wasm/dist/');
  tf.wasm.setThreadsCount(1);
  await tf.setBackend('wasm');
  const x = tf.zeros([1024, 1024]);
  const held = [];
  let step = 0;
  let error;
  const start = performance.now();
  try {
    for (; step < steps; step++) {
      held.push(tf.add(x, step));
      if (held.length > hold) held.shift();
      await turns[turn]();
    }
  } catch (e) {
    error = String(e);
  }
  const { numTensors, numBytes } = tf.memory();
  return { backend: tf.getBackend(), steps: step, error, ms: performance.now() - start, numTensors, numBytes };
}
