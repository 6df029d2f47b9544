#!/usr/bin/env node
// The checks that are not tests: types, lint, contract, package, size, features.
// Run by itself it prints each of them and fails when one fails.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const WASM = ['./tidemark-simd.wasm', './tidemark-relaxed.wasm', './tidemark-formats.wasm'];

/** [name, command, ...arguments], run from the repository's root. */
export const CHECKS = [
  ['types', 'node_modules/.bin/tsc', '-p', 'tsconfig.json'],
  ['lint', 'node_modules/.bin/eslint', '--max-warnings', '0', '.'],
  ['contract', 'tools/contract', '--check'],
  ['publint', 'node_modules/.bin/publint', 'run', '--strict', '.'],
  // Files of wasm are no modules: they have no types to be wrong.
  ['attw', 'node_modules/.bin/attw', '--pack', '.', '--profile', 'esm-only', '--exclude-entrypoints', ...WASM],
  ['consumer', 'node', 'tools/consumer.mjs'],
  ['size', 'node', 'tools/sizes.mjs', '--check'],
  ['features', 'node', 'tools/features.mjs', '--check'],
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.chdir(join(dirname(fileURLToPath(import.meta.url)), '..'));
  const failed = [];
  for (const [name, command, ...args] of CHECKS) {
    console.log(`\n> ${name}`);
    if (spawnSync(command, args, { stdio: 'inherit' }).status !== 0) failed.push(name);
  }
  console.log(failed.length ? `\nfailed: ${failed.join(', ')}` : '\nall checks pass');
  process.exitCode = failed.length ? 1 : 0;
}
