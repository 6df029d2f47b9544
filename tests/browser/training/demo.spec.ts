// A person's way through the page of the training session: train, crash,
// resume, pause, download, reload, delete.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Locator, type Page } from '@playwright/test';
import type * as Tidemark from '../../../js/src/index.js';

const PYTHON = process.env['TIDEMARK_PYTHON'];

async function open(page: Page, query: string): Promise<Locator> {
  const app = page.locator('#app');
  await page.goto(`/training.html${query}`);
  await expect(app).toHaveAttribute('data-state', /^(ready|resumable|done)$/, { timeout: 60_000 });
  return app;
}

const number = async (app: Locator, name: string): Promise<number> =>
  Number(await app.getAttribute(`data-${name}`));

const numbers = async (app: Locator, name: string): Promise<number[]> =>
  ((await app.getAttribute(`data-${name}`)) ?? '').split(' ').filter(Boolean).map(Number);

async function reach(app: Locator, name: string, least: number): Promise<void> {
  await expect.poll(() => number(app, name), { timeout: 90_000 }).toBeGreaterThanOrEqual(least);
}

async function screenshot(page: Page, name: string): Promise<void> {
  const path = test.info().outputPath(`${name}.png`);
  await page.screenshot({ path, fullPage: true });
  await test.info().attach(name, { path, contentType: 'image/png' });
}

function watch(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return complaints;
}

/** Presses Download and puts the archive into a file. */
async function download(page: Page, browserName: string, file: string): Promise<string> {
  const button = page.getByRole('button', { name: 'Download' });
  if (browserName !== 'firefox') {
    const waiting = page.waitForEvent('download');
    await button.click();
    const found = await waiting;
    await found.saveAs(file);
    return found.suggestedFilename();
  }
  // Playwright hears of no such download in Firefox: the page's link is caught.
  await page.evaluate(() => {
    HTMLAnchorElement.prototype.click = function () {
      (globalThis as any).caught = [this.download, this.href];
    };
  });
  await button.click();
  await expect.poll(() => page.evaluate(() => (globalThis as any).caught !== undefined)).toBe(true);
  const [name, base64] = await page.evaluate(async () => {
    const [title, href] = (globalThis as any).caught as [string, string];
    const blob = await (await fetch(href)).blob();
    const url = await new Promise<string>((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result as string);
      reader.readAsDataURL(blob);
    });
    return [title, url.slice(url.indexOf(',') + 1)] as const;
  });
  writeFileSync(file, Buffer.from(base64, 'base64'));
  return name;
}

/** What our own readers find in an unpacked run. */
async function readBack(folder: string) {
  const path = '../../../dist/index.node.js';
  const tf = (await import(path)) as typeof Tidemark;
  await tf.ready();
  const prefix = (await tf.train.latestCheckpoint(folder))!;
  const reader = await tf.train.loadCheckpoint(prefix);
  const kernel = await reader.getTensor('shapes/kernel');
  const moments = await reader.getTensor('shapes/kernel/Adam');
  const step = await reader.getTensor('global_step');
  const losses: number[] = [];
  let graph = false;
  for (const name of readdirSync(folder).filter((file) => file.includes('.tfevents.'))) {
    for await (const event of tf.train.summaryIterator(join(folder, name))) {
      graph ||= event.graphDef !== undefined;
      for (const { tag } of event.summary ?? []) if (tag === 'loss') losses.push(Number(event.step));
    }
  }
  return { prefix, shape: kernel.shape, moments: moments.shape, step: Number(step.data[0]), losses, graph };
}

/** What TensorBoard and TensorFlow find in it. */
function tensorBoard(folder: string): { loss: number[]; histograms: string[]; variables?: string[] } {
  const script = `
import json, sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
run = EventAccumulator(sys.argv[1]).Reload()
tags = run.Tags()
out = {'loss': [e.step for e in run.Scalars('loss')], 'histograms': tags['histograms'], 'graph': tags['graph']}
try:
    import tensorflow as tf
    out['variables'] = [name for name, _ in tf.train.list_variables(sys.argv[1])]
except ImportError:
    pass
print(json.dumps(out))`;
  const { status, stdout, stderr } = spawnSync(PYTHON!, ['-c', script, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as ReturnType<typeof tensorBoard>;
}

const hasTensorBoard = PYTHON !== undefined &&
  spawnSync(PYTHON, ['-c', 'import tensorboard']).status === 0;

test('crashes, and goes on from the newest checkpoint', async ({ page, browserName }) => {
  test.setTimeout(300_000);
  const complaints = watch(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  let app = await open(page, '?every=20&steps=200');
  await expect(app).toHaveAttribute('data-state', 'ready');
  await expect(app).toHaveAttribute('data-directory', 'opfs://tidemark-training/digits');

  await page.getByRole('button', { name: 'Start training' }).click();
  await reach(app, 'newest', 40);
  await reach(app, 'step', 51);
  await expect.poll(() => numbers(app, 'losses')).toContain(46);
  await page.getByRole('button', { name: 'Crash now' }).click();
  await expect(app).toHaveAttribute('data-state', 'crashed');
  await expect(page.locator('#status')).toContainText('The newest checkpoint is that of step');
  const killed = await number(app, 'step');
  const newest = await number(app, 'newest');
  expect(newest).toBeGreaterThanOrEqual(40);
  expect(newest % 20).toBe(0);
  await expect(page.locator('#status')).toContainText(`Killed at step ${killed}`);
  const log = page.getByRole('log');
  await expect(log).toContainText('begin');
  await expect(log).toContainText('after_create_session at step 0');
  await expect(log).toContainText('Saving checkpoints for 40');
  await expect(log).toContainText('global_step/sec');
  await expect(log).toContainText(`killed the worker at step ${killed}`);
  await expect(log).not.toContainText('end at step');

  await page.getByRole('button', { name: `Resume from step ${newest}` }).click();
  await expect(app).toHaveAttribute('data-state', 'training', { timeout: 30_000 });
  await expect(app).toHaveAttribute('data-resumed', `${newest}`);
  const lost = killed - newest;
  await expect(page.locator('#status')).toHaveText(lost === 0 ? `Back at step ${newest}, nothing lost` :
    `Back at step ${newest}, the newest checkpoint: ${lost} ${lost === 1 ? 'step' : 'steps'} lost`);
  await reach(app, 'newest', newest + 20);
  await expect(app).toHaveAttribute('data-lives', '2');
  // The curve goes on at the checkpoint, and what came after it is marked.
  const losses = await numbers(app, 'losses');
  expect(losses).toContain(newest + 1);
  expect(losses).toEqual([...new Set(losses)].sort((a, b) => a - b));
  for (const step of await numbers(app, 'lost')) {
    expect(step).toBeGreaterThan(newest);
    expect(step).toBeLessThanOrEqual(killed);
  }
  await screenshot(page, 'training-1280');

  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(app).toHaveAttribute('data-state', 'paused');
  await page.waitForTimeout(1000);
  const paused = await number(app, 'step');
  await page.waitForTimeout(500);
  expect(await number(app, 'step')).toBe(paused);

  const folder = mkdtempSync(join(tmpdir(), 'tidemark-run-'));
  try {
    const archive = join(folder, 'run.tar');
    expect(await download(page, browserName, archive)).toBe('digits-run.tar');
    expect(spawnSync('tar', ['xf', archive, '-C', folder]).status).toBe(0);
    const run = join(folder, 'digits-run');
    const found = await readBack(run);
    // The page may still be reading what was saved last.
    await reach(app, 'newest', found.step);
    const last = await number(app, 'newest');
    expect(found).toMatchObject({ shape: [5, 5, 16, 32], moments: [5, 5, 16, 32], step: last, graph: true });
    expect(found.prefix).toBe(`${run}/model.ckpt-${last}`);
    expect(found.losses).toEqual(expect.arrayContaining(await numbers(app, 'losses')));
    expect(readFileSync(join(run, 'checkpoint'), 'utf8')).toContain(`"model.ckpt-${last}"`);
    if (hasTensorBoard) {
      const board = tensorBoard(run);
      expect(board.histograms).toContain('shapes/kernel');
      // It drops what a restart has made obsolete, as the page does.
      expect(board.loss).toEqual(expect.arrayContaining([1, newest + 1]));
      if (board.variables) expect(board.variables).toEqual(expect.arrayContaining(['global_step', 'shapes/kernel/Adam']));
    } else {
      console.warn('skipped: TIDEMARK_PYTHON has no tensorboard, so it was not asked');
    }
  } finally {
    rmSync(folder, { recursive: true });
  }

  await page.getByRole('button', { name: 'Continue' }).click();
  await reach(app, 'step', paused + 1);
  const before = await number(app, 'newest');
  // In the middle of training: the new page goes on by itself.
  await page.reload();
  app = page.locator('#app');
  await expect(app).toHaveAttribute('data-state', 'training', { timeout: 60_000 });
  expect(await number(app, 'resumed')).toBeGreaterThanOrEqual(before);
  await reach(app, 'step', (await number(app, 'resumed')) + 1);
  await page.getByRole('button', { name: 'Pause' }).click();

  await page.setViewportSize({ width: 390, height: 844 });
  const width = () => page.evaluate(() => document.body.scrollWidth);
  await expect.poll(width).toBeLessThanOrEqual(390);
  await screenshot(page, 'training-390');

  await page.getByRole('button', { name: 'Delete run' }).click();
  await page.getByRole('button', { name: 'Keep it' }).click();
  await expect(app).toHaveAttribute('data-state', 'paused');
  await page.getByRole('button', { name: 'Delete run' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(app).toHaveAttribute('data-state', 'ready', { timeout: 30_000 });
  await expect(app).toHaveAttribute('data-checkpoints', '');
  await page.reload();
  await expect(app).toHaveAttribute('data-state', 'ready', { timeout: 60_000 });
  await expect(app).toHaveAttribute('data-step', '0');
  expect(complaints).toEqual([]);
});

test('reaches the end, and a later visit finds the run, also in IndexedDB', async ({ page }) => {
  test.setTimeout(180_000);
  const complaints = watch(page);
  const query = '?every=10&steps=25&storage=indexeddb';
  const app = await open(page, query);
  await expect(app).toHaveAttribute('data-directory', 'indexeddb://tidemark-training/digits');
  await page.getByRole('button', { name: 'Start training' }).click();
  await expect(app).toHaveAttribute('data-state', 'done', { timeout: 90_000 });
  await expect(app).toHaveAttribute('data-checkpoints', '0 10 20 25');
  await expect(page.getByRole('log')).toContainText('end at step 25');
  const rows = page.locator('#checkpoints tr');
  await expect(rows).toHaveCount(4);
  await expect(rows.first()).toContainText('25');
  await expect(rows.first()).toContainText('newest');
  for (const row of await rows.all()) await expect(row).toContainText(/\d %.*\d kB.*\d\d:\d\d:\d\d/);

  await page.reload();
  await expect(app).toHaveAttribute('data-state', 'done', { timeout: 60_000 });
  await expect(app).toHaveAttribute('data-step', '25');
  await expect(app).toHaveAttribute('data-losses', '1 6 11 16 21');
  // By keyboard, past the four links at the top.
  await page.locator('body').press('Tab');
  for (let i = 0; i < 4; i++) await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Train 25 more steps' })).toBeFocused();
  await page.keyboard.press('Enter');
  await reach(app, 'step', 27);
  await expect(app).toHaveAttribute('data-resumed', '25');
  await expect(app).toHaveAttribute('data-state', 'done', { timeout: 90_000 });
  // Five are kept, the oldest go.
  await expect(app).toHaveAttribute('data-checkpoints', '20 25 35 45 50');
  expect(complaints).toEqual([]);
});

test('a hidden page saves what no checkpoint has', async ({ page }) => {
  test.setTimeout(120_000);
  const app = await open(page, '?every=5000&steps=5000');
  await page.getByRole('button', { name: 'Start training' }).click();
  await reach(app, 'step', 8);
  await expect(app).toHaveAttribute('data-checkpoints', '0');
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await reach(app, 'newest', 8);
  await page.getByRole('button', { name: 'Crash now' }).click();
  const newest = await number(app, 'newest');
  await page.getByRole('button', { name: `Resume from step ${newest}` }).click();
  await expect(app).toHaveAttribute('data-resumed', `${newest}`, { timeout: 30_000 });
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Delete run' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(app).toHaveAttribute('data-state', 'ready', { timeout: 30_000 });
});

test('a second tab gets an error and leaves the run alone', async ({ page, context }) => {
  test.setTimeout(120_000);
  const app = await open(page, '?every=20&steps=5000');
  await page.getByRole('button', { name: 'Start training' }).click();
  await reach(app, 'newest', 20);
  const other = await context.newPage();
  const second = await open(other, '?every=20&steps=5000');
  await expect(second).toHaveAttribute('data-state', 'resumable');
  await other.getByRole('button', { name: /^Resume from step/ }).click();
  await expect(other.getByRole('alert')).toContainText('another writer', { timeout: 30_000 });
  await other.close();
  const step = await number(app, 'step');
  await reach(app, 'step', step + 5);
});
