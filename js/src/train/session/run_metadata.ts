/** A traced run as TensorFlow's RunMetadata, which TensorBoard colours by. */
import type {RunMetadata} from './session.js';

const encoder = new TextEncoder();

function varint(n: number): number[] {
  const out: number[] = [];
  let rest = Math.max(0, Math.round(n));
  while (rest >= 128) {
    out.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  out.push(rest);
  return out;
}

const number = (field: number, n: number): number[] =>
  [...varint(field * 8), ...varint(n)];

function message(field: number, bytes: Iterable<number>): number[] {
  const all = [...bytes];
  return [...varint(field * 8 + 2), ...varint(all.length), ...all];
}

/**
 * The bytes of a RunMetadata with StepStats of one device: each kernel with its
 * start and duration in microseconds, one after the other.
 */
export function runMetadataBytes(
    {kernels = [], startSecs = 0}: RunMetadata): Uint8Array {
  let at = startSecs * 1e6;
  const nodes = kernels.flatMap(({name, kernelTimeMs}) => {
    const micros = kernelTimeMs * 1000;
    const node = [
      ...message(1, encoder.encode(name)), ...number(2, at), ...number(3, 0),
      ...number(4, micros), ...number(5, micros),
    ];
    at += micros;
    return message(2, node);
  });
  const device = [...message(1, encoder.encode('/device:CPU:0')), ...nodes];
  return Uint8Array.from(message(1, message(1, device)));
}
