#!/usr/bin/env node
// Runs TensorFlow.js's suite on the built package and holds the count to the
// floor. A spec that traps in wasm, a test file that does not load and a runner
// that dies are crashes; none is allowed.
//
//   node tests/conformance/check.mjs [--json report]
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({ options: { json: { type: 'string' } } });
process.chdir(join(here, '../..'));

const TRAP = /RuntimeError|unreachable|memory access out of bounds|table index is out of bounds|null function/;
const { floor } = JSON.parse(readFileSync(join(here, 'floor.json'), 'utf8'));
const details = 'test-results/conformance-specs.json';
mkdirSync('test-results', { recursive: true });
rmSync(details, { force: true });

const { status, signal } = spawnSync(
  process.execPath,
  [
    join(here, 'run.cjs'), '--target', 'dist/index.node.js', '--backend', 'wasm',
    '--strict', '--eps', '1e-4', '--leaks', '--json', details,
  ],
  { stdio: 'inherit' },
);
if (signal || status > 1) {
  console.error(`conformance: the runner died (${signal ?? `exit code ${status}`})`);
  process.exit(1);
}

const { passed, failed, failures, perFile } = JSON.parse(readFileSync(details, 'utf8'));
const crashes = failures.filter(({ spec, msg }) => TRAP.test(msg) || spec === 'unhandled rejection' || / loads$/.test(spec));
const report = { passed, failed, total: passed + failed, floor, crashed: crashes.length, files: Object.keys(perFile).length };
if (values.json) writeFileSync(values.json, JSON.stringify(report, undefined, 2) + '\n');

for (const { spec, msg } of crashes.slice(0, 20)) console.log(`crash: ${spec}: ${msg}`);
console.log(`conformance: ${passed} of ${report.total} specs pass, ${crashes.length} crashes (floor ${floor})`);
if (passed < floor || crashes.length) process.exitCode = 1;
else if (passed > floor) console.log(`conformance: floor.json can be raised to ${passed}`);
