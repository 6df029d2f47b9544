// The same lane on TensorFlow.js: its wasm backend with SIMD on one thread.
// Only this worker loads it.
import * as tf from '@tensorflow/tfjs';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import simd from '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url';
import threaded from '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-threaded-simd.wasm?url';
import plain from '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm.wasm?url';

import type { Api } from './api.js';
import { obey } from './lane_worker.js';

async function start(): Promise<string> {
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  const at = (url: string) => new URL(url, location.href).href;
  // It wants to know all three, and loads one.
  setWasmPaths({
    'tfjs-backend-wasm.wasm': at(plain),
    'tfjs-backend-wasm-simd.wasm': at(simd),
    'tfjs-backend-wasm-threaded-simd.wasm': at(threaded),
  });
  if (!(await tf.setBackend('wasm'))) throw new Error('no wasm backend');
  await tf.ready();
  return `TensorFlow.js ${tf.version.tfjs}, wasm`;
}

/** The size of its memory, which its types do not tell. */
function heap(): number {
  const backend = tf.backend() as unknown as { wasm: { HEAPU8: Uint8Array } };
  return backend.wasm.HEAPU8.byteLength;
}

// The one step that it runs uses fill, mul, max and data, which are the same.
obey(tf as unknown as Api, start, () => ({
  live: tf.memory().numBytes,
  // It keeps no such figure; as nothing is ever freed, this is the same.
  peak: tf.memory().numBytes,
  heap: heap(),
  pending: 0,
  reclaimed: 0,
  rescues: 0,
  rescueMs: 0,
}));
