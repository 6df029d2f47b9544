#!/usr/bin/env node
/**
 * What memory management costs, in Chromium and Firefox: nanoseconds per tensor for tidy, dispose and
 * finalizers over the op alone (medians of rounds); and the same leaky loop beside TensorFlow.js, which
 * runs until it dies.
 *
 *   node bench/memory.mjs [--only chromium|firefox] [--rounds 9] [--steps 3000]
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium, firefox } from '@playwright/test';
import { serve } from '../tools/serve.mjs';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '9' },
    steps: { type: 'string', default: '3000' },
  },
});
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const at = (folder) => path.join(root, folder);

const BROWSERS = {
  chromium: () => chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--disable-gpu', '--js-flags=--expose-gc', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  }),
  firefox: () => firefox.launch({ channel: 'moz-firefox', executablePath: '/usr/bin/firefox-esr' }),
};
/** Nanoseconds that a tensor may cost. */
const TARGETS = { 'tidy of 100, over the op': 100, 'deferred registration of what is disposed': 400 };

/** Runs one exported function of the tests' pages in a page of its own. */
async function call(browser, url, module, name, argument) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(`${url}pages/blank.html`);
    return await page.evaluate(
      async ([file, f, x]) => (await import(file))[f](x),
      [`/pages/memory/${module}.js`, name, argument],
    );
  } finally {
    await context.close();
  }
}

async function measure(name, browser, url) {
  const ns = await call(browser, url, 'cost', 'cost', { rounds: Number(options.rounds), count: 20_000 });
  for (const [way, value] of Object.entries(ns)) {
    const target = TARGETS[way] ? ` (target ${TARGETS[way]})` : '';
    console.log(`${name}: ${way}: ${value.toFixed(0)} ns per tensor${target}`);
  }
  for (const turn of ['setTimeout', 'MessageChannel']) {
    for (const module of ['loops', 'tensorflow']) {
      const steps = Number(options.steps);
      let line;
      try {
        const found = await call(browser, url, module, 'leak', { steps, hold: 40, turn });
        line = found.error ? `died at step ${found.steps}: ${found.error}` :
          `${steps} steps in ${(found.ms / 1000).toFixed(1)} s` +
          (found.peakBytes ? `, peak ${Math.round(found.peakBytes / 2 ** 20)} MB, ${found.rescues} rescues` : '');
      } catch (error) {
        line = `the page died: ${error.message.split('\n')[0]}`;
      }
      console.log(`${name}: ${module === 'loops' ? 'Tidemark' : 'TensorFlow.js'}, 4 MB a step, ${turn}: ${line}`);
    }
  }
}

const { server, url } = await serve(at('dist'), {
  mounts: [
    ['/dist', at('dist')],
    ['/pages', at('tests/browser/pages')],
    ['/tensorflow', at('node_modules/@tensorflow')],
  ],
});
try {
  for (const [name, launch] of Object.entries(BROWSERS)) {
    if (options.only && options.only !== name) continue;
    const browser = await launch();
    try {
      await measure(name, browser, url);
    } finally {
      await browser.close();
    }
  }
} finally {
  server.close();
}
