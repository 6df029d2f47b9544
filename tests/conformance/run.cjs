#!/usr/bin/env node
'use strict';
/**
 * Runs TensorFlow.js's own compiled test suite against any module with its
 * API; README.md tells how. The suite runs in a child process, so that a
 * crash or an endless loop is reported with the name of the spec.
 */
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const { parse } = require('./options.cjs');
const { execute } = require('./execute.cjs');
const floor = require('./floor.cjs');

const CHILD = 'TIDEMARK_CONFORMANCE_CHILD';
const SPEC_PIPE = 3;

async function runSuite(options) {
  const tell = (spec) => fs.writeSync(SPEC_PIPE, `${spec}\n`);
  const { counts, print, write } = await execute(options, tell);
  const verdict = judge(options, counts);
  if (options.json) write({ floor: verdict.floor });
  for (const line of verdict.lines) print(line);
  print(`${counts.passed} passed, ${verdict.failed} failed`);
  process.exit(verdict.failed ? 1 : 0);
}

function judge(options, counts) {
  if (!floor.applies(options)) return { lines: [], failed: counts.failed };
  if (options['update-floor']) floor.raise(counts);
  return floor.judge(counts);
}

function supervise(options) {
  const child = spawn(
    process.execPath,
    [...process.execArgv, __filename, ...process.argv.slice(2)],
    {
      stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
      env: { ...process.env, [CHILD]: '1' },
    },
  );
  let tail = '';
  child.stdio[SPEC_PIPE].setEncoding('utf8');
  child.stdio[SPEC_PIPE].on('data', (text) => {
    tail = (tail + text).slice(-2000);
  });
  let timedOut = false;
  const timer = setTimeout(
    () => {
      timedOut = true;
      child.kill('SIGKILL');
    },
    Number(options.timeout) * 1000,
  );
  child.on('close', (code, signal) => {
    clearTimeout(timer);
    if (code === 0 || code === 1) process.exit(code);
    const spec = tail.trimEnd().split('\n').pop();
    const how = timedOut
      ? `did not end in ${options.timeout} s`
      : `crashed (${signal || `exit code ${code}`})`;
    console.log(`conformance: the process ${how} in: ${spec || '(loading)'}`);
    console.log('0 passed, 1 failed');
    process.exit(1);
  });
}

const options = parse(process.argv.slice(2));
if (process.env[CHILD]) {
  runSuite(options).catch((error) => {
    console.error(error);
    process.exit(2);
  });
} else {
  supervise(options);
}
