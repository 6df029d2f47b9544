// Runs around every test of the library: whatever a test creates, it frees.
// Hooks of one level run in the order they are written, so a test file that
// frees in an `afterEach` of its own writes it inside a `describe`.
import { afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { memory, ready } from '../../../js/src/index.js';

let before = { numTensors: 0, numBytes: 0 };

function count(): typeof before {
  const { numTensors, numBytes } = memory();
  return { numTensors, numBytes };
}

beforeAll(async () => {
  await ready();
});

beforeEach(() => {
  before = count();
});

afterEach(() => {
  expect(count()).toEqual(before);
});
