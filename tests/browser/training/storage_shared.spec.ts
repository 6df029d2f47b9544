// A page that reads a run's directory while another one writes in it.
import { expect, test } from '@playwright/test';
import type * as Tidemark from '../../../js/src/index.js';

type Api = typeof Tidemark;

for (const scheme of ['opfs', 'indexeddb']) {
  test(`files that are replaced and removed meanwhile are read: ${scheme}`, async ({ page, context }) => {
    test.setTimeout(120_000);
    const url = `${scheme}://shared/run`;
    const other = await context.newPage();
    await Promise.all([page, other].map((one) => one.goto('/pages/blank.html')));
    const writing = other.evaluate(async (url) => {
      const path = '/dist/index.js';
      const tf = (await import(path)) as Api;
      const storage = tf.io.openStorage(url);
      for (let n = 0; n < 40; n++) {
        const state = new TextEncoder().encode(`state ${n}`);
        await storage.commit({ checkpoint: state, [`m-${n}.index`]: new Uint8Array(100), [`m-${n}.data`]: new Uint8Array(5000) });
        await storage.append('events', new Uint8Array(100));
        if (n > 2) await storage.remove(`m-${n - 3}.index`, `m-${n - 3}.data`);
      }
      await storage.close();
    }, url);
    const reading = page.evaluate(async (url) => {
      const path = '/dist/index.js';
      const tf = (await import(path)) as Api;
      const storage = tf.io.openStorage(url);
      const states: number[] = [];
      while (states.at(-1) !== 39) {
        const files = await storage.list();
        if (!files.some(({ name }) => name === 'checkpoint')) continue;
        const text = new TextDecoder().decode(await storage.read('checkpoint'));
        states.push(Number(/^state (\d+)$/.exec(text)?.[1] ?? -1));
      }
      await storage.close();
      return states;
    }, url);
    const [states] = await Promise.all([reading, writing]);
    expect(states).toEqual([...states].sort((a, b) => a - b));
    expect(Math.min(...states)).toBeGreaterThanOrEqual(0);
    expect(new Set(states).size).toBeGreaterThan(1);
  });
}
