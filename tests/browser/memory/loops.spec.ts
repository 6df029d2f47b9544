// Loops that make gigabytes of tensors and free none: the rescue keeps them
// near the soft budget. And loops that free theirs, which never pay for it.
import { expect, MB, test } from './lab.js';

const BUDGET = 512 * MB;

const loops = [
  { hold: 0, turn: 'setTimeout' },
  { hold: 0, turn: 'MessageChannel' },
  { hold: 40, turn: 'setTimeout' },
  { hold: 40, turn: 'MessageChannel' },
];

for (const { hold, turn } of loops) {
  test(`12 GB of dropped tensors, ${hold ? `${hold} steps` : 'not'} kept, yielding by ${turn}`, async ({ lab }) => {
    test.setTimeout(180_000);
    const found = await lab.watch('loops', 'leak', { steps: 3000, hold, turn });
    console.log(lab.engine, JSON.stringify({...found, peakBytes: found.peakBytes/MB, heapBytes: found.heapBytes/MB, residentGrowth: found.residentGrowth/MB}));
    expect(found.wrong).toBe(0);
    expect(found.alive).toBe(hold);
    expect(found.peakBytes).toBeLessThanOrEqual(1.35 * BUDGET);
    expect(found.rescues).toBeGreaterThan(0);
    expect(found.residentGrowth).toBeLessThanOrEqual(1.35 * BUDGET + 256 * MB);
  });
}

for (const how of ['tidy', 'dispose', 'session']) {
  test(`a loop with ${how} never pays`, async ({ lab }) => {
    const found = await lab.watch('loops', 'careful', { steps: 300, turn: 'MessageChannel', how });
    console.log(lab.engine, JSON.stringify(found));
    expect(found.rescues).toBe(0);
    expect(found.registered).toBe(0);
    expect(found.reclaimed).toBe(0);
    expect(found.peakBytes).toBeLessThanOrEqual(8 * MB + 64 * 1024);
  });
}
