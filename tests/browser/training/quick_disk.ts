// A browser whose profile is in memory, where there is such a disk: these tests store small things very often, and
// Firefox waits for the disk each time.
import { existsSync } from 'node:fs';
import { test as base } from '@playwright/test';
import type { Browser } from '@playwright/test';

export { expect } from '@playwright/test';

const memory = '/dev/shm';

export const test = base.extend<object, { quick: Browser }>({
  quick: [
    async ({ playwright, browserName, launchOptions, channel }, use) => {
      const before = process.env['TMPDIR'];
      if (existsSync(memory)) process.env['TMPDIR'] = memory;
      const browser = await playwright[browserName].launch({ ...launchOptions, ...channel && { channel } });
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  context: async ({ quick, baseURL }, use) => {
    const context = await quick.newContext({ baseURL: baseURL! });
    await use(context);
    await context.close();
  },
});
