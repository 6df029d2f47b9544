#!/usr/bin/env node
// Prints what a user downloads: each variant, and the JavaScript of
// `export * from 'tidemark'` as a bundler makes it.
//
//   node tools/sizes.mjs [--check]    --check fails above the budget
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/**
 * gzip -9 of the simd wasm and the bundle together, in bytes. Ops and gradients
 * alone stayed below 200,000; sessions, budgets, finalizers and tracing are the rest.
 */
const BUDGET = 220_000;

process.chdir(join(dirname(fileURLToPath(import.meta.url)), '..'));

async function bundle() {
  const { outputFiles } = await build({
    stdin: { contents: `export * from 'tidemark'`, resolveDir: '.' },
    alias: { tidemark: './dist/index.js' },
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
for (const variant of ['simd', 'relaxed']) {
  const file = `dist/tidemark-${variant}.wasm`;
  if (!existsSync(file)) throw new Error(`sizes: ${file} is missing; run tools/build`);
  rows.push(measure(`tidemark-${variant}.wasm`, readFileSync(file)));
}
const all = measure("export * from 'tidemark'", await bundle());
rows.push(all);
rows.push(measure('tidemark.min.js', readFileSync('dist/tidemark.min.js')));

const cell = (value) => String(value).padStart(10);
console.log(`${'size in bytes'.padEnd(26)}${cell('raw')}${cell('gzip -9')}${cell('brotli')}`);
for (const { name, raw, gzip, brotli } of rows) {
  console.log(name.padEnd(26) + cell(raw) + cell(gzip) + cell(brotli));
}
const total = rows[0].gzip + all.gzip;
console.log(`simd wasm and JavaScript, gzip -9: ${total} of at most ${BUDGET}`);
if (process.argv.includes('--check') && total > BUDGET) {
  console.error(`size: ${total - BUDGET} bytes over the budget`);
  process.exitCode = 1;
}
