// The upscaler: a picture goes in, twice as many pixels a side come out, in
// memory that stays flat; bad files are told apart from good ones.
import { expect, test, type Locator, type Page } from '@playwright/test';

async function open(page: Page, query = ''): Promise<Locator> {
  const app = page.locator('#app');
  await page.goto(`/upscale.html${query}`);
  await expect(app).toHaveAttribute('data-state', 'ready', { timeout: 60_000 });
  return app;
}

/** A PNG of that size: stripes on the right, nothing at all on the left. */
async function drawing(page: Page, width: number, height: number) {
  const base64 = await page.evaluate(([w, h]) => {
    const canvas = Object.assign(document.createElement('canvas'), {
      width: w, height: h,
    });
    const pen = canvas.getContext('2d')!;
    pen.fillStyle = '#e8e0d0';
    pen.fillRect(w! / 2, 0, w! / 2, h!);
    pen.lineWidth = 3;
    for (let x = w! / 2; x < 2 * w!; x += 8) {
      pen.strokeStyle = x % 16 ? '#d04020' : '#2060a0';
      pen.beginPath();
      pen.moveTo(x, 0);
      pen.lineTo(x - h! / 4, h!);
      pen.stroke();
    }
    return canvas.toDataURL('image/png').split(',')[1]!;
  }, [width, height]);
  return { name: 'stripes.png', mimeType: 'image/png', buffer: Buffer.from(base64, 'base64') };
}

async function give(page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
  await page.locator('#file').setInputFiles(file);
}

async function screenshot(page: Page, name: string): Promise<void> {
  const path = test.info().outputPath(`${name}.png`);
  await page.screenshot({ path, fullPage: true });
  await test.info().attach(name, { path, contentType: 'image/png' });
}

/** Width and height from the head of a PNG file. */
function headOf(png: Buffer): { width: number; height: number } {
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

test('doubles the sample, in flat memory, and hands it out', async ({ page }) => {
  test.setTimeout(180_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.setViewportSize({ width: 1280, height: 900 });
  const app = await open(page, '?tile=64');
  const atRest = await app.getAttribute('data-tensors');
  await expect(app).toHaveAttribute('data-from-cache', 'false');
  await expect(page.locator('#variant')).toHaveText(/^(simd|relaxed)$/);
  await screenshot(page, 'upscale-empty');

  await page.getByRole('button', { name: 'Use the sample' }).click();
  await expect(app).toHaveAttribute('data-state', 'done', { timeout: 150_000 });
  await expect(app).toHaveAttribute('data-tiles', '12');
  await expect(page.locator('#stat-size')).toHaveText('480 × 320');
  const counts = (await page.locator('#tensors-chart').getAttribute('data-timeline'))!.split(' ');
  expect(counts).toEqual(Array(12).fill(atRest));

  // It is the same picture, but not what a browser makes by stretching.
  const off = await page.evaluate(() => {
    const pixels = (id: string) => {
      const canvas = document.getElementById(id) as HTMLCanvasElement;
      return canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    };
    const [before, after] = [pixels('before'), pixels('after')];
    let sum = 0;
    for (let i = 0; i < before.data.length; i++) sum += Math.abs(before.data[i]! - after.data[i]!);
    return sum / before.data.length;
  });
  expect(off).toBeLessThan(8);
  expect(off).toBeGreaterThan(0.3);

  const slider = page.getByRole('slider');
  await slider.focus();
  await page.keyboard.press('Home');
  await expect(slider).toHaveValue('0');
  await page.keyboard.press('ArrowRight');
  await expect(slider).toHaveValue('1');
  await slider.fill('50');
  await screenshot(page, 'upscale-1280');

  // Playwright hears of no such download in Firefox: the page's link is caught.
  await page.evaluate(() => {
    const keep = async ({ href, download }: HTMLAnchorElement) => {
      const bytes = new Uint8Array(await (await fetch(href)).arrayBuffer());
      document.body.dataset.saved = JSON.stringify({ name: download, head: [...bytes.slice(0, 32)] });
    };
    HTMLAnchorElement.prototype.click = function () {
      void keep(this);
    };
  });
  await page.getByRole('button', { name: 'Download PNG' }).click();
  await expect(page.locator('body')).toHaveAttribute('data-saved', /./, { timeout: 30_000 });
  const saved = JSON.parse((await page.locator('body').getAttribute('data-saved'))!) as { name: string; head: number[] };
  expect(saved.name).toBe('lighthouse-2x.png');
  expect(headOf(Buffer.from(saved.head))).toEqual({ width: 480, height: 320 });

  await page.setViewportSize({ width: 390, height: 844 });
  const width = () => page.evaluate(() => document.body.scrollWidth);
  await expect.poll(width).toBeLessThanOrEqual(390);
  await screenshot(page, 'upscale-390');
  expect(complaints).toEqual([]);
});

test('takes the network from the cache the second time', async ({ page }) => {
  await open(page);
  await page.reload();
  const app = page.locator('#app');
  await expect(app).toHaveAttribute('data-state', 'ready', { timeout: 60_000 });
  await expect(app).toHaveAttribute('data-from-cache', 'true');
  await expect(page.locator('#eta')).toHaveText('0.85 MB out of the browser’s cache');
});

test('says what is wrong with a file, and takes the next', async ({ page }) => {
  test.setTimeout(120_000);
  const app = await open(page);
  const error = page.getByRole('alert');
  await give(page, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('not a picture') });
  await expect(error).toContainText('not a picture that the browser can read');
  await give(page, { name: 'empty.png', mimeType: 'image/png', buffer: Buffer.alloc(0) });
  await expect(error).toHaveText('The file is empty.');
  await give(page, await drawing(page, 2500, 2000));
  await expect(error).toContainText('2500 x 2000 = 5.0 megapixels; 4.0 is the most');
  await expect(app).toHaveAttribute('data-state', 'ready');

  await give(page, await drawing(page, 40, 30));
  await expect(app).toHaveAttribute('data-state', 'done', { timeout: 60_000 });
  await expect(error).toBeHidden();
  await expect(page.locator('#stat-size')).toHaveText('80 × 60');
  // What was transparent still is.
  const corner = await page.evaluate(() => {
    const after = document.getElementById('after') as HTMLCanvasElement;
    const alpha = (x: number, y: number) => after.getContext('2d')!.getImageData(x, y, 1, 1).data[3]!;
    return [alpha(1, 1), alpha(60, 30)];
  });
  expect(corner).toEqual([0, 255]);
});

test('stops, and a new picture takes the place of the one at hand', async ({ page }) => {
  test.setTimeout(120_000);
  const app = await open(page, '?tile=32');
  await give(page, await drawing(page, 400, 400));
  await expect(page.locator('#status')).toHaveText(/^Tile \d+ of 169$/, { timeout: 60_000 });
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(app).toHaveAttribute('data-state', 'ready');

  // Dropped while another is being made.
  await give(page, await drawing(page, 400, 400));
  await expect(page.locator('#status')).toHaveText(/^Tile \d+ of 169$/, { timeout: 60_000 });
  const { buffer } = await drawing(page, 30, 20);
  await page.evaluate((bytes) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(bytes)], 'small.png', { type: 'image/png' }));
    document.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true }));
  }, [...buffer]);
  await expect(app).toHaveAttribute('data-state', 'done', { timeout: 60_000 });
  await expect(page.locator('#stat-size')).toHaveText('60 × 40');
});

test('the pages lead to each other', async ({ page }) => {
  const follow = async (name: string) => page.getByRole('link', { name, exact: true }).click();
  await page.goto('/upscale.html');
  await follow('Leak lab');
  await expect(page).toHaveURL(/leaks\.html$/);
  await follow('Upscaler');
  await expect(page).toHaveURL(/upscale\.html$/);
  await follow('Digits demo');
  await expect(page).toHaveURL(/\/$/);
  await follow('Upscaler');
  await expect(page).toHaveURL(/upscale\.html$/);
});
