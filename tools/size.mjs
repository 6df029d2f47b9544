#!/usr/bin/env node
// Sizes of what a page downloads: the bundle of the whole API and one WebAssembly variant.
//
//   node tools/size.mjs [--check]
//
// --check fails when `simd` with the bundle is above the limit after gzip -9.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const VARIANTS = ['simd', 'relaxed'];
const LIMIT_KB = 200;

const { values: options } = parseArgs({ options: { check: { type: 'boolean', default: false } } });

/** The minified bundle of everything the package exports, with one variant's glue. */
async function bundle(variant) {
  const others = VARIANTS.filter((name) => name !== variant);
  const result = await build({
    stdin: { contents: "export * from 'tidemark';", resolveDir: root },
    alias: { tidemark: join(root, 'dist/index.js') },
    external: others.map((name) => `./tidemark-${name}.js`),
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'error',
  });
  return Buffer.from(result.outputFiles[0].contents);
}

const sizes = (bytes) => ({
  raw: bytes.length,
  gzip: gzipSync(bytes, { level: 9 }).length,
  brotli: brotliCompressSync(bytes).length,
});

const sum = (a, b) => ({ raw: a.raw + b.raw, gzip: a.gzip + b.gzip, brotli: a.brotli + b.brotli });

function print(name, { raw, gzip, brotli }) {
  const kb = (bytes) => (bytes / 1000).toFixed(1).padStart(8);
  console.log(`${name.padEnd(20)}${kb(raw)} kB raw ${kb(gzip)} kB gzip ${kb(brotli)} kB brotli`);
}

let checked;
for (const variant of VARIANTS) {
  const js = sizes(await bundle(variant));
  const wasm = sizes(readFileSync(join(root, `dist/tidemark-${variant}.wasm`)));
  const total = sum(js, wasm);
  print(`${variant} JavaScript`, js);
  print(`${variant} wasm`, wasm);
  print(`${variant} both`, total);
  if (variant === 'simd') checked = total;
}
if (options.check) {
  const fits = checked.gzip <= LIMIT_KB * 1000;
  console.log(`size: ${(checked.gzip / 1000).toFixed(1)} kB after gzip, limit ${LIMIT_KB} kB`);
  console.log(fits ? '1 passed, 0 failed' : '0 passed, 1 failed');
  process.exitCode = fits ? 0 : 1;
}
