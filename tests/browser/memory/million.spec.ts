// A million tensors leave nothing behind, however they end.
import { expect, MB, test } from './lab.js';

test('a million are made and freed', async ({ lab }) => {
  test.setTimeout(120_000);
  const found = await lab.run<Record<string, any>>('million', 'freed', { count: 1_000_000 });
  for (const [name, { ns, js, ...rest }] of Object.entries(found)) {
    console.log(`${lab.engine}: ${name}: ${Number(ns).toFixed(0)} ns for an add and its end`);
    expect([name, rest]).toEqual([name, { left: 0, heap: 0, pool: 0 }]);
    expect(js).toBeLessThan(2 * MB);
  }
});

test('a million are dropped and collected', async ({ lab }) => {
  test.setTimeout(120_000);
  const count = 500_000;
  const found = await lab.run('million', 'dropped', { count, rounds: 2 });
  const [first, second] = found.heaps as [number, number];
  console.log(`${lab.engine}: dropped: ${found.nsToMake.toFixed(0)} ns for an add, longest of ${found.tasks.length} tasks ${found.tasks.slice(0, 4).map((ms: number) => ms.toFixed(1)).join(', ')} ms`);
  expect(found.collected).toBe(true);
  expect(found.left).toBeLessThanOrEqual(5);
  expect(found.pending).toBe(0);
  expect(second - first).toBeLessThanOrEqual(first / 4);
  // A slice is 4 ms. On a busy machine the system may take the processor away
  // in a few of them: that is not ours, so not each single one is judged.
  expect(found.tasks.length).toBeGreaterThan(0);
  expect(found.tasks[Math.floor(found.tasks.length / 10)]).toBeLessThan(16);
});
