#!/usr/bin/env node
// Prints what a user downloads: each variant, the module of file formats, and
// the JavaScript of the entry point as a bundler makes it, with and without
// layers, model files and training sessions.
//
//   node tools/sizes.mjs [--check]    --check fails above the budget
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

// gzip -9 of the simd wasm and a bundle together, in bytes. Ops and gradients
// alone stay near 200,000; sessions, budgets, finalizers and tracing are the
// rest of the first, with what ops tell of their attributes (4,000) and a stack
// whose end is a trap (1,000). The second has layers and model files, and with training
// sessions came their hooks, savers, jobs and storage (57,000 of JavaScript) and
// the formats of checkpoints and event files (25,000), a file that is loaded when
// a session writes. TensorFlow.js' script tag is 538,000 (tf.min.js, its wasm backend and
// one wasm) and has none of that.
const SMALL = 'without layers, io and training sessions';
const ALL = 'with all of it and file formats';
const BUDGETS = { [SMALL]: 227_000, [ALL]: 375_000 };

process.chdir(join(dirname(fileURLToPath(import.meta.url)), '..'));

/** What the entry point exports but for layers, model files and sessions; makers of optimizers are no session. */
const small = () =>
  readFileSync('dist/index.js', 'utf8')
    .replace(/^export [^;]*? from '\.\/(?:layers|io|train\/session)\/[^']*';$/gm, '') + "export { train } from './train/train.js';";

async function bundle(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: 'dist' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'warning',
  });
  return Buffer.from(outputFiles[0].contents);
}

function measure(name, bytes) {
  const gzip = gzipSync(bytes, { level: 9 }).length;
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
  return { name, raw: bytes.length, gzip, brotli };
}

const rows = [];
for (const variant of ['simd', 'relaxed', 'formats']) {
  const file = `dist/tidemark-${variant}.wasm`;
  if (!existsSync(file)) throw new Error(`sizes: ${file} is missing; run tools/build`);
  rows.push(measure(`tidemark-${variant}.wasm`, readFileSync(file)));
}
const bundles = {
  [SMALL]: small(),
  [ALL]: readFileSync('dist/index.js', 'utf8'),
};
for (const [name, contents] of Object.entries(bundles)) rows.push(measure(name, await bundle(contents)));
rows.push(measure('tidemark.min.js', readFileSync('dist/tidemark.min.js')));

const gzipOf = (name) => rows.find((row) => row.name === name).gzip;
const cell = (value) => String(value).padStart(10);
console.log(`${'size in bytes'.padEnd(42)}${cell('raw')}${cell('gzip -9')}${cell('brotli')}`);
for (const { name, raw, gzip, brotli } of rows) {
  console.log(name.padEnd(42) + cell(raw) + cell(gzip) + cell(brotli));
}
for (const [name, budget] of Object.entries(BUDGETS)) {
  const total = gzipOf('tidemark-simd.wasm') + gzipOf(name) + (name === ALL ? gzipOf('tidemark-formats.wasm') : 0);
  console.log(`simd wasm and JavaScript ${name}, gzip -9: ${total} of at most ${budget}`);
  if (process.argv.includes('--check') && total > budget) {
    console.error(`size: ${total - budget} bytes over the budget`);
    process.exitCode = 1;
  }
}
