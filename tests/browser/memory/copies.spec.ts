// Pages that close, workers that are stopped, several copies of the library.
import { expect, test } from './lab.js';

test('sessions in workers are their own', async ({ lab }) => {
  const found = await lab.run('copies', 'sessionsInWorkers');
  expect(found.answers).toEqual(Array(3).fill({ value: 400, inside: 3, left: 0 }));
  expect([found.alive, found.left, found.sessions]).toEqual([true, 0, 1]);
});

test('workers that are stopped in a session disturb nobody', async ({ lab }) => {
  expect(await lab.run('copies', 'terminate')).toEqual({ value: 400, here: 5, left: 0 });
});

test('a page closes in the middle of a session', async ({ lab }) => {
  expect(await lab.run('copies', 'untilClosed')).toBe(true);
  const start = Date.now();
  await lab.close();
  expect(Date.now() - start).toBeLessThan(10_000);
});

for (const how of ['two packages', 'loaded twice', 'module and script']) {
  test(`copies side by side: ${how}`, async ({ lab }) => {
    const found = await lab.run('copies', 'sideBySide', { how });
    const refusal = /is a tensor of another library or of another copy of this one: pass its values/;
    expect(found.copies).toBe(how === 'loaded twice' ? 3 : 2);
    expect(found.refusals.filter((text: string) => !refusal.test(text))).toEqual([]);
    expect(found.theirsAlive).toBe(true);
    expect(found.left).toEqual(Array(found.copies).fill(0));
    expect(found.collected).toBe(true);
    expect(found.budgets).toEqual(['memory', ...Array(found.copies - 1).fill('fits')]);
  });
}

test('an entry module that is loaded again shares the rest', async ({ lab }) => {
  expect(await lab.run('copies', 'reloaded')).toEqual({ values: [4, 6], different: true, freed: 1 });
});
