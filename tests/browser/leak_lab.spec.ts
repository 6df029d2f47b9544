// The leak lab: every strategy stays below its bound, the comparison dies or is
// stopped at its cap, and the page stays alive throughout.
import { expect, test, type Locator, type Page } from '@playwright/test';

const MB = 2 ** 20;
const BUDGET = 256;
const CAP = 768;
const STEPS = 120;
// Two tensors of 4 MB and a number.
const WORKING_SET = 8 * MB + 64;
const QUERY = `?steps=${STEPS}&budget=${BUDGET}&cap=${CAP}`;

function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return complaints;
}

const lane = (page: Page, id: string): Locator => page.locator(`#lane-${id}`);

async function figure(card: Locator, name: string): Promise<number> {
  const value = await card.getAttribute(`data-${name}`);
  return Number(value?.replaceAll(',', ''));
}

async function screenshot(page: Page, name: string): Promise<void> {
  const path = test.info().outputPath(`${name}.png`);
  await page.screenshot({ path, fullPage: true });
  await test.info().attach(name, { path, contentType: 'image/png' });
}

test('every strategy lives within its bound', async ({ page }) => {
  test.setTimeout(240_000);
  const complaints = complaintsOf(page);
  const rival: string[] = [];
  page.on('request', (request) => {
    if (/rival|tfjs/.test(request.url())) rival.push(request.url());
  });
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`/leaks.html${QUERY}`);
  const app = page.locator('#app');
  await expect(app).toHaveAttribute('data-state', 'ready');
  expect(rival).toEqual([]);

  await page.getByRole('button', { name: 'Run the leak' }).click();
  await expect(app).toHaveAttribute('data-state', 'running');
  await expect(app).toHaveAttribute('data-state', 'done', { timeout: 200_000 });
  expect(rival.length).toBeGreaterThan(0);

  // Nothing of what TensorFlow.js makes comes back.
  const theirs = lane(page, 'tfjs');
  await expect(theirs).toHaveAttribute('data-state', /^(died|capped)$/);
  const step = await figure(theirs, 'step');
  expect(await figure(theirs, 'peak-bytes')).toBeGreaterThanOrEqual(step * 8 * MB);
  expect(step).toBeGreaterThan(40);

  for (const id of ['careless', 'tidy', 'using', 'session', 'safe-points']) {
    await expect(lane(page, id)).toHaveAttribute('data-state', 'done');
    await expect(lane(page, id)).toHaveAttribute('data-step', `${STEPS}`);
  }
  for (const id of ['careless', 'safe-points']) {
    const peak = await figure(lane(page, id), 'peak-bytes');
    expect(peak).toBeGreaterThan(WORKING_SET);
    expect(peak).toBeLessThanOrEqual(1.35 * BUDGET * MB);
    expect(await figure(lane(page, id), 'reclaimed')).toBeGreaterThan(0);
  }
  for (const id of ['tidy', 'using']) {
    const peak = await figure(lane(page, id), 'peak-bytes');
    expect(peak).toBeLessThanOrEqual(WORKING_SET + MB);
    expect(await figure(lane(page, id), 'rescues')).toBe(0);
    expect(await figure(lane(page, id), 'reclaimed')).toBe(0);
  }
  // 20 steps are in one session, and nothing of it is freed early.
  const session = await figure(lane(page, 'session'), 'peak-bytes');
  expect(session).toBeGreaterThanOrEqual(20 * 8 * MB);
  expect(session).toBeLessThanOrEqual(20 * WORKING_SET + MB);
  expect(await figure(lane(page, 'session'), 'reclaimed')).toBe(0);

  await expect(page.locator('#status')).toContainText(`Tidemark ran ${STEPS} steps`);
  await screenshot(page, 'leaks-1280');
  await page.setViewportSize({ width: 390, height: 844 });
  const width = () => page.evaluate(() => document.body.scrollWidth);
  await expect.poll(width).toBeLessThanOrEqual(390);
  await screenshot(page, 'leaks-390');
  expect(complaints).toEqual([]);
});

test('is found from the first page, stops and starts with the keyboard', async ({ page }) => {
  test.setTimeout(120_000);
  const complaints = complaintsOf(page);
  await page.goto('/');
  await page.getByRole('link', { name: 'Leak lab' }).click();
  await expect(page).toHaveURL(/leaks\.html$/);
  await page.goto('/leaks.html?steps=5000&budget=64&cap=512');
  const app = page.locator('#app');
  await expect(app).toHaveAttribute('data-state', 'ready');

  // The logo and the links to the other pages come before it.
  for (let i = 0; i < 5; i++) await page.keyboard.press('Tab');
  await expect(page.locator('#go')).toBeFocused();
  await page.keyboard.press('Enter');
  const careless = lane(page, 'careless');
  await expect.poll(() => figure(careless, 'step')).toBeGreaterThan(10);

  // The page itself has nothing to do.
  const answer = page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  expect(await answer).toBeGreaterThan(0);

  await page.keyboard.press('Enter');
  await expect(app).toHaveAttribute('data-state', 'stopped');
  await expect(careless).toHaveAttribute('data-state', 'stopped');
  await expect(lane(page, 'tidy')).toHaveAttribute('data-state', 'stopped');
  await expect(page.locator('#go')).toHaveText('Run again');

  await page.getByRole('link', { name: 'Digits demo' }).click();
  await expect(page.locator('#pad')).toBeVisible();
  expect(complaints).toEqual([]);
});
