// Loops that make gigabytes of tensors and free none: the rescue keeps them
// near the soft budget. And loops that free theirs, which never pay for it.
import { expect, MB, test } from './lab.js';

const BUDGET = 512 * MB;

const steps = 3000;
const loops = [
  { hold: 0, turn: 'setTimeout' },
  { hold: 0, turn: 'MessageChannel' },
  { hold: 40, turn: 'setTimeout' },
  { hold: 40, turn: 'MessageChannel' },
];

for (const { hold, turn } of loops) {
  test(`${(steps * 4) / 1000} GB of dropped tensors, ${hold ? `${hold} steps` : 'not'} kept, yielding by ${turn}`, async ({ lab }) => {
    test.setTimeout(180_000);
    const found = await lab.watch('loops', 'leak', { steps, hold, turn });
    console.log(`${lab.engine}: peak ${Math.round(found.peakBytes / MB)} MB, process +${Math.round(found.residentGrowth / MB)} MB, ` +
      `${found.rescues} rescues (${found.failedRescues} in vain), ${(found.ms / 1000).toFixed(1)} s`);
    expect(found.wrong).toBe(0);
    expect(found.alive).toBe(hold);
    expect(found.peakBytes).toBeLessThanOrEqual(1.35 * BUDGET);
    expect(found.rescues).toBeGreaterThan(0);
    // Past 4 GB too.
    expect(found.failedRescues).toBeLessThan(2);
    // The rest is the page's own, and what the heap cannot use at once: its
    // memory never shrinks, and engines may copy it when it grows.
    expect(found.residentGrowth).toBeLessThanOrEqual(1.35 * BUDGET + 512 * MB);
  });
}

for (const how of ['tidy', 'dispose', 'session']) {
  test(`a loop with ${how} never pays`, async ({ lab }) => {
    const found = await lab.watch('loops', 'careful', { steps: 300, turn: 'MessageChannel', how });
    expect(found.rescues).toBe(0);
    expect(found.registered).toBe(0);
    expect(found.reclaimed).toBe(0);
    expect(found.peakBytes).toBeLessThanOrEqual(8 * MB + 64 * 1024);
  });
}
