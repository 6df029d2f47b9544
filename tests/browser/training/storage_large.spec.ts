// A checkpoint of 100 MB, saved by a page: none of its tasks may be longer than 50 ms.
import { expect, test } from '@playwright/test';

interface Tasks {
  turns: number;
  median: number;
  p99: number;
  longest: number[];
  longTasks: number[];
  seconds: number;
}

for (const scheme of ['opfs', 'indexeddb']) {
  test(`100 MB to ${scheme}://`, async ({ page, browserName }) => {
    test.setTimeout(240_000);
    await page.goto('/pages/blank.html');
    const { seen, files, mean } = await page.evaluate(async (url) => {
      const source = '/pages/training/large.js';
      const { saveLarge } = await import(source) as { saveLarge(...args: unknown[]): Promise<{ seen: Tasks[]; files: [string, number][]; mean: number }> };
      return saveLarge(url, 5);
    }, `${scheme}://large/run`);
    // Other programs take the processor away from the page: the best attempt tells what the page does.
    for (const { turns, median, p99, longest, longTasks, seconds } of seen) {
      console.log(`${browserName} ${scheme}: ${seconds} s, ${turns} turns, median ${median} ms, 99% ${p99} ms, ` +
        `longest ${longest.join(', ')} ms` + (browserName === 'chromium' ? `, long tasks: ${longTasks.join(', ') || 'none'}` : ''));
    }
    const data = files.find(([name]) => name.includes('.data-'))!;
    expect(data[1]).toBe(96 * 2 ** 20 + 500 * 64 * 32 * 4);
    expect(files).toHaveLength(3);
    expect(mean).toBe(2);
    expect(Math.min(...seen.map(({ longest, longTasks }) => Math.max(longest[0]!, ...longTasks)))).toBeLessThan(50);
    // One storage Worker writes to the private file system.
    if (browserName === 'chromium') expect(page.workers()).toHaveLength(scheme === 'opfs' ? 1 : 0);
  });
}
