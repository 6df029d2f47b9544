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
const file = new URL(`../../../dist/tidemark-${variant}.wasm`, import.meta.url);

beforeAll(async () => {
  await ready({ variant, wasmBinary: readFileSync(file) });
});

beforeEach(() => {
  before = count();
});

afterEach(() => {
  expect(count()).toEqual(before);
});
