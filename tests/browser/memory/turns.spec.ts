// Strategies, the warning of a loop that starves finalizers, turns, DevTools.
import { expect, MB, test } from './lab.js';

test('each strategy frees when it says', async ({ lab }) => {
  const found = await lab.run('turns', 'strategies');
  const few = 5; // what the engine's stack may still hold
  const { IN_BACKGROUND: background, ON_SAFE_POINTS: points, ON_SESSION_CLOSE: close } = found;
  expect([background.collected, points.collected, close.collected]).toEqual([true, true, true]);
  expect(background.waiting.tensors).toBeLessThanOrEqual(few);
  expect(background.waiting.pending).toBe(0);
  expect(points.waiting.tensors).toBe(500);
  expect(points.waiting.pending).toBeGreaterThanOrEqual(490);
  expect(points.afterSafePoint).toBeLessThanOrEqual(10);
  expect([close.waiting.tensors, close.afterSafePoint]).toEqual([500, 500]);
  expect(close.waiting.pending).toBe(0);
  expect(found.sessions).toBe(1);
});

test('a loop of microtasks is warned once', async ({ lab }) => {
  const { said } = await lab.run('turns', 'starve', { wait: 'microtask', steps: 400 });
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(/tensors nobody refers to cannot be freed.*tf\.nextTurn\(\)/);
});

test('a loop of nextTurn is not, and stays small', async ({ lab }) => {
  const { said, peakBytes } = await lab.run('turns', 'starve', { wait: 'nextTurn', steps: 400 });
  expect(said).toEqual([]);
  expect(peakBytes).toBeLessThan(64 * MB);
});

test('a turn is a task', async ({ lab }) => {
  expect(await lab.run('turns', 'nextTurn')).toEqual({ afterMicrotasks: 50, timer: true, order: [1, 2, 3] });
});

test('the formatter for DevTools', async ({ lab }) => {
  const found = await lab.run('turns', 'formatted');
  expect(found.more).toBe(0);
  expect(JSON.stringify(found.header)).toContain('Tensor float32[2,2]');
  expect(found.hasBody).toBe(true);
  expect(JSON.stringify(found.body)).toMatch(/1.*2.*3.*4/);
  expect(JSON.stringify(found.gone)).toMatch(/disposed.*false/);
  expect(found.others).toEqual([null, null, null]);
});
