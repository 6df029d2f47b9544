/** Builds the page, serves it and starts Chromium. */
import path from 'node:path';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium } from '@playwright/test';
import { serve } from '../tools/serve.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, '..');

const ARGUMENTS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Serves the page and the libraries, isolated from other origins. */
export async function startServer() {
  const folder = path.join(here, 'build');
  await build({
    entryPoints: [path.join(here, 'page.ts'), path.join(here, 'tfjs.ts')],
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    external: ['./tfjs.js'],
    logLevel: 'error',
  });
  writeFileSync(path.join(folder, 'index.html'), '<script type="module" src="page.js"></script>\n');
  const wasm = path.join(root, 'node_modules/@tensorflow/tfjs-backend-wasm/dist');
  return serve(folder, {
    mounts: [
      ['/dist', path.join(root, 'dist')],
      ['/tfjs-wasm', wasm],
    ],
  });
}

/** A headless Chromium; root cannot use its sandbox. */
export function startBrowser(jsFlags) {
  const args = [...ARGUMENTS];
  if (process.getuid?.() === 0) args.push('--no-sandbox');
  if (jsFlags) args.push(`--js-flags=${jsFlags}`);
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  return chromium.launch({ executablePath, args });
}
