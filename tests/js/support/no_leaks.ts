// Runs around every test of the library: whatever a test creates, it frees.
// Hooks of one level run in the order they are written, so a test file that
// frees in an `afterEach` of its own writes it inside a `describe`.
import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { memory, ready } from '../../../js/src/index.js';

let before = { numTensors: 0, numBytes: 0 };

function count(): typeof before {
  const { numTensors, numBytes } = memory();
  return { numTensors, numBytes };
}

// The sources have no wasm beside them; TIDEMARK_VARIANT=relaxed tests the other
// build on a Node that has it.
const variant = process.env['TIDEMARK_VARIANT'] === 'relaxed' ? 'relaxed' : 'simd';
const bytes = (name: string): Uint8Array => readFileSync(new URL(`../../../dist/tidemark-${name}.wasm`, import.meta.url));

beforeAll(async () => {
  await ready({ variant, wasmBinary: bytes(variant), formatsBinary: bytes('formats') });
});

beforeEach(() => {
  before = count();
});

afterEach(() => {
  expect(count()).toEqual(before);
});
