#!/usr/bin/env node
// Runs every kind of test and closes with one line: "N passed, N failed".
//
//   node tools/test.mjs [core] [js] [browser] [conformance] [check]
//
// Without names, all of them. A runner that crashes, finds no test or skips
// one counts as a failure. Outputs are kept in test-results/.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHECKS } from './checks.mjs';
import { readJson, run } from './steps.mjs';

process.chdir(join(dirname(fileURLToPath(import.meta.url)), '..'));

const results = [];

/** Books one runner's counts and prints its line, with the output of a failure. */
function book(name, { passed, failed, seconds, output = '', note = '' }) {
  if (passed + failed === 0) {
    failed = 1;
    note ||= 'ran no test';
  }
  results.push({ name, passed, failed, note });
  if (failed) console.log(`\n--- ${name}: output\n${output.trimEnd()}\n---`);
  const time = seconds === undefined ? '' : ` (${seconds.toFixed(0)} s)`;
  console.log(`${name}: ${passed} passed, ${failed} failed${note && `, ${note}`}${time}`);
}

/** A failing exit code without a failed test is a failure of its own. */
function bookCounts(name, step, counts, note = '') {
  if (!counts) return book(name, { ...step, passed: 0, failed: 1, note: 'left no report: crashed?' });
  const { passed, failed } = counts;
  const crashed = !step.ok && failed === 0;
  book(name, { ...step, passed, failed: failed + Number(crashed), note: crashed ? 'exit code not 0' : note });
}

// ---- core: GoogleTest under CTest, Debug with sanitizers --------------------

async function core() {
  const configure = await run('core-configure', 'cmake', ['--preset', 'native']);
  if (!configure.ok) return book('core', { ...configure, passed: 0, failed: 1, note: 'cmake failed' });
  const built = await run('core-build', 'cmake', ['--build', '--preset', 'native'], { minutes: 20 });
  if (!built.ok) return book('core', { ...built, passed: 0, failed: 1, note: 'does not build' });
  const reports = 'test-results/core';
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  // Each half writes a report of its own there (CMakeLists.txt).
  const step = await run('core', 'ctest', ['--preset', 'native']);
  bookCounts('core', step, countGoogleTest(reports));
}

function countGoogleTest(folder) {
  const reports = readdirSync(folder).map((file) => readJson(join(folder, file)));
  if (!reports.length || reports.includes(undefined)) return undefined;
  const counts = { passed: 0, failed: 0 };
  for (const { testsuites } of reports) {
    for (const { testsuite } of testsuites) {
      for (const { failures, result, status } of testsuite) {
        // Of another shard, or left out by a filter of the runner's.
        if (status === 'NOTRUN' && result === 'SUPPRESSED') continue;
        const passed = status === 'RUN' && result === 'COMPLETED' && !failures;
        counts[passed ? 'passed' : 'failed']++;
      }
    }
  }
  return counts;
}

// ---- js: Jest on Node against the real wasm ----------------------------------

async function js() {
  const report = 'test-results/js.json';
  rmSync(report, { force: true });
  const step = await run('js', 'node_modules/.bin/jest', ['--json', '--outputFile', report, '-w', '2'], {
    env: { NODE_OPTIONS: '--experimental-vm-modules --no-warnings' },
  });
  const found = readJson(report);
  if (!found) return bookCounts('js', step);
  const missing = missingPrograms(found);
  bookCounts('js', step, {
    passed: found.numPassedTests,
    failed: found.numFailedTests + found.numRuntimeErrorTestSuites + found.numTodoTests +
      found.numPendingTests - missing.length,
  }, missing.length ? `${missing.length} skipped: without ${[...new Set(missing)].join(', ')}: npm run test:tensorflow` : '');
}

/** The optional program each skipped test wants; what is skipped for another reason fails. */
function missingPrograms({ testResults }) {
  return testResults.flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'pending')
    .map(({ title }) => /\(skipped: (TensorFlow|TensorBoard) is not installed\)$/.exec(title)?.[1])
    .filter(Boolean);
}

// ---- browser: Playwright in Chromium and Firefox -----------------------------

async function browser() {
  const page = await run('demo-build', 'node_modules/.bin/vite', ['build', 'demo'], { minutes: 5 });
  if (!page.ok) book('demo build', { ...page, passed: 0, failed: 1 });
  // The configuration leaves out a browser that nobody asked for; that must be seen.
  const note = process.env.TIDEMARK_WEBKIT ? '' : 'without WebKitGTK: npm run test:webkit';
  const report = 'test-results/browser.json';
  rmSync(report, { force: true });
  const step = await run('browser', 'node_modules/.bin/playwright', ['test'], { minutes: 60 });
  const found = readJson(report);
  bookCounts('browser', step, found && {
    passed: found.stats.expected,
    failed: found.stats.unexpected + found.stats.flaky + found.stats.skipped + found.errors.length,
  }, note);
}

// ---- conformance: TensorFlow.js's own suite ----------------------------------

async function conformance() {
  const report = 'test-results/conformance.json';
  rmSync(report, { force: true });
  const step = await run('conformance', 'node', ['tests/conformance/run.cjs', '--json', report]);
  const found = readJson(report);
  bookCounts('conformance', step, found && {
    passed: found.passed,
    failed: Math.max(0, found.floor - found.passed) + found.crashes,
  }, found && `${found.passed} of ${found.passed + found.failed} specs, floor ${found.floor}`);
}

// ---- check: types, lint, contract, package -----------------------------------

async function check() {
  const total = { passed: 0, failed: 0, seconds: 0, output: '' };
  for (const [name, command, ...args] of CHECKS) {
    const step = await run(`check-${name}`, command, args);
    total[step.ok ? 'passed' : 'failed']++;
    total.seconds += step.seconds;
    if (!step.ok) total.output += `${name}:\n${step.output}\n`;
  }
  book('check', total);
}

// ---- the run -----------------------------------------------------------------

const SUITES = { core, js, browser, conformance, check };
const NAMES = Object.keys(SUITES);
const chosen = process.argv.length > 2 ? process.argv.slice(2) : NAMES;
const unknown = chosen.filter((name) => !NAMES.includes(name));
if (unknown.length) {
  console.error(`test: no suite named ${unknown.join(', ')} (${NAMES.join(', ')})`);
  process.exit(2);
}
rmSync('test-results/summary.json', { force: true });

const want = (name) => chosen.includes(name);

/** Runs a suite; what goes wrong in the runner itself is a failure too. */
async function suite(name) {
  if (!want(name)) return;
  try {
    await SUITES[name]();
  } catch (error) {
    book(name, { passed: 0, failed: 1, output: String(error?.stack ?? error) });
  }
}

async function packageLane() {
  if (!NAMES.some((name) => name !== 'core' && want(name))) return;
  const built = await run('build', 'tools/build', ['--frozen'], { minutes: 20 });
  if (!built.ok) book('build', { ...built, passed: 0, failed: 1 });
  // Without a build the suites fail by themselves, each with its own reason.
  await suite('js');
  await suite('conformance');
  await suite('check');
}

// The compilers share two cores well; the browsers, where time matters, run alone.
await Promise.all([suite('core'), packageLane()]);
await suite('browser');

const sum = (key) => results.reduce((total, result) => total + result[key], 0);
const summary = { passed: sum('passed'), failed: sum('failed'), suites: results };
mkdirSync('test-results', { recursive: true });
writeFileSync('test-results/summary.json', JSON.stringify(summary, undefined, 2) + '\n');
console.log('');
console.log(`${summary.passed} passed, ${summary.failed} failed`);
process.exitCode = summary.failed ? 1 : 0;
