// Forty async functions at once: no scope frees what another one uses.
import { expect, test } from './lab.js';

for (const form of ['run', 'generator', 'both']) {
  test(`40 interleaved functions, form ${form}`, async ({ lab }) => {
    const found = await lab.run('async', 'interleave', { form, seed: 1 });
    expect(found.errors).toEqual([]);
    expect(found.sums).toEqual(Array.from({ length: 40 }, (_, i) => 8 * (i + 5)));
    expect(found.meant).toBe(8);
    expect(found.left).toBe(0);
  });
}
