#!/usr/bin/env node
/**
 * Runs the cases made from public bug reports; README.md tells how. Each case
 * has a process of its own, so that a crash or a corrupted heap fails one
 * case and not the rest.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cases, show } from './table.mjs';

// Parts the library does not have yet; each leaves this list as it lands.
const NOT_YET = 'graph,spectral,strings,boxes,pool3d';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: {
    target: {
      type: 'string',
      default: path.join(here, '../../dist/index.node.js'),
    },
    without: { type: 'string', default: NOT_YET },
    only: { type: 'string' },
    list: { type: 'boolean' },
  },
});

const split = (list) => new Set((list ?? '').split(',').filter(Boolean));
const without = split(options.without);
const only = split(options.only);
const isWanted = ({ id, needs = [] }) =>
  only.size ? only.has(String(id)) : !needs.some((part) => without.has(part));

function runAlone({ id }) {
  const one = path.join(here, 'one.mjs');
  try {
    const output = execFileSync(
      process.execPath,
      ['--expose-gc', one, String(id), options.target],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: 90_000,
      },
    );
    const line = output.split('\n').find((l) => l.startsWith('RESULT '));
    if (!line) return { ok: false, got: 'printed no result' };
    return JSON.parse(line.slice('RESULT '.length));
  } catch (error) {
    const lines = String(error.stderr || error.message)
      .trim()
      .split('\n');
    return { ok: false, got: `crashed or hung: ${lines.pop().slice(0, 160)}` };
  }
}

const chosen = cases.filter(isWanted);
if (options.list) {
  for (const { id, needs = [], source } of chosen) {
    console.log(`${id}\t${needs.join(',')}\t${source}`);
  }
  process.exit(0);
}
if (!fs.existsSync(options.target)) {
  console.error(`cases: there is no ${options.target}; npm run build makes it`);
  process.exit(2);
}
let passed = 0;
for (const one of chosen) {
  const { ok, got } = runAlone(one);
  if (ok) {
    passed++;
    continue;
  }
  console.log(`case ${one.id} (${one.source})`);
  console.log(`  got  ${got.slice(0, 300)}`);
  console.log(`  want ${show(one.expectAny ?? one.expect).slice(0, 300)}`);
}
const left = cases.length - chosen.length;
if (left) console.log(`cases: ${left} of ${cases.length} left out`);
console.log(`${passed} passed, ${chosen.length - passed} failed`);
process.exit(passed === chosen.length ? 0 : 1);
