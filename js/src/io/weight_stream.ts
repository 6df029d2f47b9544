/** Tensors of bytes that are still arriving. */
import {dispose} from '../scope.js';
import type {NamedTensorMap} from '../tensor.js';
import {CompositeArrayBuffer} from './buffers.js';
import type {WeightsManifestEntry} from './types.js';
import {decode, tooShort, weightBytes} from './weights.js';

/**
 * Makes each tensor as soon as its bytes have come, so that the file and the
 * tensors are never in memory together. Errors as in `decodeWeights`.
 *
 * ```js
 * const stream = new Blob([new Float32Array([1, 2])]).stream();
 * const specs = [{name: 'w', shape: [2], dtype: 'float32'}];
 * const {w} = await tf.io.decodeWeightsStream(stream, specs);
 * w.arraySync(); // => [1, 2]
 * ```
 */
export async function decodeWeightsStream(
    stream: ReadableStream<ArrayBuffer | Uint8Array>,
    specs: WeightsManifestEntry[]): Promise<NamedTensorMap> {
  const reader = stream.getReader();
  const out: NamedTensorMap = {};
  let waiting: Uint8Array[] = [];
  let have = 0;
  let at = 0;
  try {
    for (const spec of specs) {
      const need = weightBytes(spec);
      while (have < need) {
        const {done, value} = await reader.read();
        if (done) throw tooShort(spec, at, at + need, at + have);
        const bytes = ArrayBuffer.isView(value) ? value : new Uint8Array(value);
        waiting.push(bytes);
        have += bytes.byteLength;
      }
      const whole = new CompositeArrayBuffer(waiting);
      out[spec.name] = decode(spec, whole.slice(0, need));
      waiting = [new Uint8Array(whole.slice(need))];
      have -= need;
      at += need;
    }
    return out;
  } catch (error) {
    dispose(out);
    throw error;
  } finally {
    reader.releaseLock();
  }
}
