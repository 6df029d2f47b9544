// Out of memory is one error that tells all, and the end of nothing.
import { expect, MB, test } from './lab.js';

const works = { wrong: 0, left: 0, leftBytes: 0 };

test('at a hard budget of 256 MB', async ({ lab }) => {
  const found = await lab.run('shortage', 'exhaust', { piece: 15 * MB, hard: 256 * MB, trace: true });
  expect(found.isTensorError).toBe(true);
  const [{ name, code, message }] = found.errors as [{ name: string; code: string; message: string }];
  expect([name, code, found.errors.length]).toEqual(['TensorError', 'memory', 1]);
  expect(message).toMatch(/^fill: out of memory: asked for 15728640 bytes/);
  expect(message).toContain(`budget being ${256 * MB} bytes`);
  expect(message).toMatch(/in use are \d+ bytes in \d+ buffers, free are \d+ bytes, the largest block \d+/);
  expect(message).toMatch(/session 'default' has \d+ tensors and \d+ bytes/);
  expect(message).toMatch(/\d+ finalizers are pending/);
  expect(message).toMatch(/no rescue has been tried|\d+ rescues have been tried/);
  expect(message).toMatch(/\d+ bytes in 17 tensors, the largest float32\[3932160\], made at .*shortage\.js:\d+/);
  expect(found.made).toBe(17);
  expect(found.refused).toEqual(Array(4).fill('memory 0'));
  expect(found.wrong).toBe(0);
  expect(found.whileFull).toEqual(works);
  expect(found.afterwards).toEqual(works);
  expect(found.fits).toBe(true);
  expect([found.left, found.leftBytes]).toEqual([0, 0]);
});

test('at the end of the WebAssembly memory', async ({ lab }) => {
  test.setTimeout(120_000);
  const found = await lab.run('shortage', 'exhaust', { piece: 256 * MB });
  expect(found.errors).toMatchObject([{ name: 'TensorError', code: 'memory' }]);
  expect(found.errors[0].message).toMatch(/^fill: out of memory: asked for 268435456 bytes; in use are/);
  expect(found.heapBytes).toBeLessThanOrEqual(4096 * MB);
  expect(found.made).toBeGreaterThanOrEqual(4);
  expect(found.refused).toEqual(Array(4).fill('memory 0'));
  expect(found.wrong).toBe(0);
  expect(found.whileFull).toEqual(works);
  expect(found.afterwards).toEqual(works);
  expect(found.fits).toBe(true);
  expect([found.left, found.leftBytes]).toEqual([0, 0]);
});

test('a tensor that no memory could hold', async ({ lab }) => {
  const found = await lab.run('shortage', 'tooLarge');
  expect(found.error).toMatchObject({ name: 'TensorError', code: 'memory' });
  expect([found.left, found.grown]).toEqual([0, 0]);
  expect(found.afterwards).toEqual(works);
});
