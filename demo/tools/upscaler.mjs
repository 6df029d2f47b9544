// Lays the files of npm `@upscalerjs/default-model` (MIT) where the page finds
// them, its licence among them, in a folder named after its version: browsers
// keep model files by address.
import { cp, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, '../../node_modules/@upscalerjs/default-model');

/** What the page's server answers beside the bundles. */
export const publicFolder = join(here, '../.cache/public');

/** Copies the files and returns their folder, seen from the page. */
export async function writeUpscaler() {
  const { version, license } = JSON.parse(
    await readFile(join(source, 'package.json'), 'utf8'),
  );
  const text = await readFile(join(source, 'LICENSE'), 'utf8');
  if (license !== 'MIT' || !text.startsWith('MIT License')) {
    throw new Error('upscaler: the model is under another licence by now');
  }
  const name = `upscaler-${version}`;
  const target = join(publicFolder, name);
  await mkdir(target, { recursive: true });
  await cp(join(source, 'models'), target, { recursive: true });
  await cp(join(source, 'LICENSE'), join(target, 'LICENSE.txt'));
  return name;
}
