#!/usr/bin/env node
// Compiles js/src into dist/ (one file each, with types), beside the variants
// that tools/build has put there, and bundles one file for script tags.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

process.chdir(join(dirname(fileURLToPath(import.meta.url)), '..'));

const STAGE = 'build/package';
const isVariant = (file) => /^tidemark-\w+\.(js|wasm)$/.test(file);

rmSync(STAGE, { recursive: true, force: true });
const tsc = spawnSync('node_modules/.bin/tsc', ['-p', 'tsconfig.build.json', '--outDir', STAGE], {
  stdio: 'inherit',
});
if (tsc.status !== 0) process.exit(tsc.status ?? 1);

// The contract lives outside js/src; in the package it stands beside the rest.
for (const name of readdirSync(STAGE, { recursive: true })) {
  if (!name.endsWith('.d.ts')) continue;
  const file = join(STAGE, name);
  const text = readFileSync(file, 'utf8');
  const here = relative(dirname(file), join(STAGE, 'contract.js'));
  const moved = text.replace(
    /(['"])(?:\.\.\/)+generated\/contract\.js\1/g,
    (_, quote) => quote + (here.startsWith('.') ? here : './' + here) + quote,
  );
  if (moved !== text) writeFileSync(file, moved);
}
cpSync('js/generated/contract.d.ts', join(STAGE, 'contract.d.ts'));

// Whatever an earlier build left that this one did not make must not be packed.
mkdirSync('dist', { recursive: true });
for (const name of readdirSync('dist')) {
  if (!isVariant(name)) rmSync(join('dist', name), { recursive: true });
}
cpSync(STAGE, 'dist', { recursive: true });

// A classic script has no import.meta: its own address comes from the tag.
await build({
  entryPoints: ['dist/index.js'],
  outfile: 'dist/tidemark.min.js',
  bundle: true,
  minify: true,
  format: 'iife',
  globalName: 'tidemark',
  platform: 'browser',
  target: 'es2022',
  banner: { js: 'var tidemarkUrl=globalThis.document?.currentScript?.src??globalThis.location?.href;' },
  define: { 'import.meta.url': 'tidemarkUrl' },
  logLevel: 'warning',
});
// The storage Worker of that file's pages, which look for it beside the file.
await build({
  entryPoints: ['dist/io/storage/opfs_worker.js'],
  outfile: 'dist/opfs_worker.js',
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  logLevel: 'warning',
});
console.log('package: dist/ is built');
