/** TensorFlow.js, the other side: its WebAssembly backend with SIMD and one thread, or plain JavaScript. */
import * as tf from '@tensorflow/tfjs';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import type { Library } from './library.js';

/** Loads a backend; the .wasm files are served under /tfjs-wasm/. */
export async function load(backend: 'wasm' | 'cpu'): Promise<Library> {
  tf.enableProdMode();
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  setWasmPaths('/tfjs-wasm/');
  if (!(await tf.setBackend(backend))) throw new Error(`bench: no ${backend} backend`);
  await tf.ready();
  return tf;
}

/** What is really running. */
export function describe(): Record<string, unknown> {
  const about = { version: tf.version.tfjs, backend: tf.getBackend() };
  // Only the wasm backend has asked the engine for these.
  if (about.backend !== 'wasm') return about;
  return {
    ...about,
    simd: tf.env().get('WASM_HAS_SIMD_SUPPORT'),
    threads: tf.env().get('WASM_HAS_MULTITHREAD_SUPPORT'),
  };
}
