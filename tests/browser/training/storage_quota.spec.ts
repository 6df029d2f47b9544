// Space that is short: found before writing where the browser tells, and while writing where it does not.
import { expect, test } from './quick_disk.js';
import type { Page } from '@playwright/test';

/** Calls a function of pages/training/quota.js. */
const call = <T>(page: Page, name: string, ...args: unknown[]): Promise<T> => page.evaluate(async ([name, args]) => {
  const source = '/pages/training/quota.js';
  return (await import(source) as Record<string, (...args: unknown[]) => T>)[name]!(...args);
}, [name, args] as const);

interface Attempt {
  failure?: { name: string; code: string; message: string };
  files: string[];
  modelCheckpointPath: string;
  first: number;
  last: number;
}

for (const scheme of ['opfs', 'indexeddb']) {
  test(`${scheme}: too little is found before anything is written`, async ({ page }) => {
    const url = `${scheme}://quota/known`;
    await page.goto('/pages/blank.html');
    const before = await call<{ files: string[] }>(page, 'begin', url);
    await call(page, 'pretend', { quota: 10_000_000, usage: 9_000_000 });
    const failed = await call<Attempt>(page, 'attempt', url, 2);
    expect(failed.failure).toMatchObject({ name: 'ResourceExhaustedError', code: 'memory' });
    expect(failed.failure!.message).toContain('needs 8388608 bytes and 1000000 are available');
    expect(failed).toMatchObject({ files: before.files, modelCheckpointPath: `${url}/m-1`, first: 1, last: 1 });
    await call(page, 'pretend');
    expect(await call(page, 'attempt', url, 3)).toMatchObject({ modelCheckpointPath: `${url}/m-3`, first: 3, last: 3 });
    await call(page, 'end', url);
  });

  // The override does not reach databases: what these do is tested with a stand-in, in Node.
  if (scheme === 'indexeddb') continue;

  // Only Chromium lets tests set the quota of an origin.
  test(`${scheme}: the browser refuses while it is written`, { tag: '@chromium' }, async ({ page, context, baseURL }) => {
    const url = `${scheme}://quota/real`;
    await page.goto('/pages/blank.html');
    const { files, usage } = await call<{ files: string[]; usage: number }>(page, 'begin', url);
    const cdp = await context.newCDPSession(page);
    const quota = (quotaSize?: number) => cdp.send('Storage.overrideQuotaForOrigin', { origin: baseURL!, ...quotaSize !== undefined && { quotaSize } });
    await quota(usage + 4_000_000);
    // Told too much, it is found while writing.
    await call(page, 'pretend', { quota: 1e9, usage: 0 });
    const failed = await call<Attempt>(page, 'attempt', url, 2);
    console.log(`${scheme}: ${failed.failure?.message}`);
    expect(failed.failure).toMatchObject({ name: 'ResourceExhaustedError', code: 'memory' });
    expect(failed.failure!.message).toContain('needs 8388608 bytes and 1000000000 are available');
    expect(failed).toMatchObject({ files, modelCheckpointPath: `${url}/m-1`, first: 1, last: 1 });
    // Training goes on if asked to, with nothing pretended.
    await call(page, 'pretend');
    const warned = await call<{ ran: number; said: string[]; value: number }>(page, 'train', url, 'warn');
    expect(warned).toMatchObject({ ran: 3, value: 4 });
    expect(warned.said.filter((text) => /Saving for step \d failed: .*needs \d+ bytes and \d+ are available/.test(text)).length).toBeGreaterThan(0);
    const raised = await call<{ ran: { name: string } }>(page, 'train', url, 'raise');
    expect(raised.ran).toMatchObject({ name: 'ResourceExhaustedError' });
    await quota();
    expect(await call(page, 'attempt', url, 3)).toMatchObject({ modelCheckpointPath: `${url}/m-3`, first: 3, last: 3 });
    await call(page, 'end', url);
  });
}
