// Tabs and Workers killed in the midst of saving: what is restored is whole, and is the last that was saved or the
// one that was being saved.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from './quick_disk.js';
import type { BrowserContext, Page } from '@playwright/test';

interface Found {
  step: number;
  whole: boolean;
  waited: number;
  extra: string[];
}

test.setTimeout(300_000);
// Pages are killed through the protocol of Chromium.
const tag = '@chromium';

test('a Worker ended 25 times', { tag }, async ({ page }) => {
  await page.goto('/pages/blank.html');
  const lives = await page.evaluate(async () => {
    const source = '/pages/training/lives.js';
    const { killWorkers } = await import(source) as { killWorkers(url: string, times: number): Promise<{ begun: number; done: number; found: Found }[]> };
    return killWorkers('opfs://killed/worker', 25);
  });
  expect(lives).toHaveLength(25);
  for (const { begun, done, found } of lives) {
    expect(found).toMatchObject({ whole: true, extra: [] });
    expect([done, begun]).toContain(found.step);
  }
  const midst = lives.filter(({ begun, done }) => begun !== done).length;
  const waits = lives.map(({ found }) => found.waited).sort((a, b) => b - a);
  console.log(`Workers: ${lives.at(-1)!.found.step} saves, ${midst} ended in the midst of one, ` +
    `${lives.filter(({ begun, done, found }) => begun !== done && found.step === begun).length} of which were found; ` +
    `the next waited ${waits[0]} ms at most, ${waits[12]} ms mostly`);
  expect(midst).toBeGreaterThan(5);
});

/** Follows one life of a page. */
class Life {
  done = 0;
  readonly restored: Promise<Found>;

  constructor(readonly page: Page, readonly url: string) {
    this.restored = new Promise((resolve, reject) => {
      page.on('console', (message) => {
        const [what, step, more] = message.text().split('|');
        if (what === 'restored') {
          this.done = Number(step);
          resolve({ step: Number(step), ...JSON.parse(more!) as Omit<Found, 'step'> });
        } else if (what === 'done') this.done = Number(step);
        else if (what === 'failed') reject(new Error(step));
      });
    });
  }

  async start(): Promise<Found> {
    await this.page.goto('/pages/blank.html');
    await this.page.evaluate((url) => {
      const source = '/pages/training/lives.js';
      void import(source).then(({ live }: { live: (url: string, tell: (what: string, step: number, more?: object) => void) => Promise<void> }) =>
        live(url, (what, step, more) => console.log(`${what}|${step}|${JSON.stringify(more)}`)))
        .catch((error: Error) => console.log(`failed|${error.stack}`));
    }, this.url);
    return this.restored;
  }
}

async function followed(life: Life, before: Life | undefined): Promise<Found> {
  const found = await life.start();
  expect(found).toMatchObject({ whole: true, extra: [] });
  // The last words of a page that is killed may be lost, on a busy machine those of many saves: more may have been done,
  // never fewer. `whole` says that what is found is what was saved at that step.
  if (before) expect(found.step).toBeGreaterThanOrEqual(before.done);
  // It saves again and again: after one at least, it may be killed at any moment.
  await expect.poll(() => life.done, { timeout: 60_000, intervals: [10] }).toBeGreaterThan(found.step);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 300));
  return found;
}

for (const scheme of ['opfs', 'indexeddb']) {
  test(`a tab killed 10 times: ${scheme}`, { tag }, async ({ context }) => {
    let before: Life | undefined;
    for (let n = 0; n <= 10; n++) {
      const page = await context.newPage();
      const life = new Life(page, `${scheme}://killed/tab`);
      await followed(life, before);
      before = life;
      // Crashed, closed, or left for another page.
      if (n % 3 === 1) await page.close();
      else if (n % 3 === 2) await page.goto('about:blank');
      else {
        const crashed = page.waitForEvent('crash');
        const cdp = await context.newCDPSession(page);
        cdp.send('Page.crash').catch(() => undefined);
        await crashed;
      }
    }
    console.log(`tabs, ${scheme}: ${before!.done} saves in 10 lives`);
    expect(before!.done).toBeGreaterThan(10);
  });
}

/** The browser's own process, by the folder of its profile. */
function browserOf(profile: string): number {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      if (words.includes(`--user-data-dir=${profile}`) && !words.some((word) => word.startsWith('--type='))) return Number(pid);
    } catch {
      // It has ended.
    }
  }
  throw new Error('the browser is not found');
}

test('the whole browser killed 5 times', { tag }, async ({ playwright, baseURL, browserName }, { project }) => {
  expect(browserName).toBe('chromium');
  const profile = mkdtempSync(join(tmpdir(), 'tidemark-profile-'));
  let context: BrowserContext | undefined;
  try {
    let before: Life | undefined;
    for (let n = 0; n <= 5; n++) {
      context = await playwright.chromium.launchPersistentContext(profile, { ...project.use.launchOptions, baseURL: baseURL! });
      const life = new Life(await context.newPage(), 'opfs://killed/browser');
      await followed(life, before);
      before = life;
      const closed = context.waitForEvent('close');
      process.kill(browserOf(profile), 'SIGKILL');
      await closed;
    }
    console.log(`browsers: ${before!.done} saves in 5 lives`);
  } finally {
    await context?.close().catch(() => undefined);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
});
