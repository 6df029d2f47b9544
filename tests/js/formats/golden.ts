// Files of tests/golden, and what several tests make of them.
import { readFileSync } from 'node:fs';
import { ROOT } from '../support/files.js';

export const GOLDEN = `${ROOT}tests/golden/`;
export const EVENTS = 'events.out.tfevents.1700000000.golden';
export const TENSORFLOW_EVENTS = 'tensorflow/events.out.tfevents.1700000000.run';

/** A golden file as a plain Uint8Array, which compares with ours. */
export function golden(name: string): Uint8Array {
  return new Uint8Array(readFileSync(GOLDEN + name));
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((n, { length }) => n + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

export function bytesOfArray(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** The code of what `f` throws, or 'none'. */
export function codeOf(f: () => unknown): string {
  try {
    f();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return 'none';
}
