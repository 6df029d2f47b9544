// TensorFlow.js on the same loop, for comparison: nothing comes back. (Some
// steps only; `node bench/memory.mjs` lets it run until it dies.)
import { expect, MB, test } from './lab.js';

test('TensorFlow.js frees nothing of a leaky loop', async ({ lab }) => {
  const steps = 100;
  const found = await lab.run('tensorflow', 'leak', { steps, hold: 0, turn: 'MessageChannel' });
  expect(found).toMatchObject({ backend: 'wasm', steps });
  expect(found.numTensors).toBe(steps + 1);
  expect(found.numBytes).toBe((steps + 1) * 4 * MB);
});
