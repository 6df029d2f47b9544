#!/usr/bin/env node
/**
 * Measures Tidemark beside TensorFlow.js in one headless Chromium, in turns (ABBA), and prints the
 * ratios; README.md tells how to read them.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startBrowser, startServer } from './browser.mjs';
import { header, row } from './table.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    control: { type: 'boolean', default: false },
    'no-cpu': { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    pairs: { type: 'string', default: '40' },
    variant: { type: 'string' },
    'js-flags': { type: 'string' },
  },
});

const FULL = { warmUp: 700, pairs: Number(options.pairs), time: 2000, timeBox: 12_000 };
// Plain JavaScript is far slower and here only for the record.
const BRIEF = { warmUp: 100, pairs: 5, time: 0, timeBox: 1500 };
const MAX_ERROR = 1e-4;

const floors = JSON.parse(readFileSync(path.join(here, 'floors.json'), 'utf8'));
const ourUrl = options.control ? '' : '/dist/index.js';

/** Measures one case in a page of its own. */
async function measure(browser, url, name, backend, timing) {
  const page = await browser.newPage();
  try {
    await page.goto(url);
    const about = await page.evaluate(
      (args) => globalThis.bench.load(...args),
      [ourUrl, options.variant, backend],
    );
    const result = await page.evaluate(
      ([one, how]) => globalThis.bench.measure(one, how),
      [name, timing],
    );
    return { about, ...result };
  } finally {
    await page.close();
  }
}

/** What a result breaks, as sentences. */
function faults({ name, error, ratio, ours }) {
  const floor = floors[name] ?? {};
  const found = [];
  if (!(error <= MAX_ERROR)) found.push(`${name}: outputs differ by ${error}`);
  if (ratio > floor.ratio) {
    found.push(`${name}: ${ratio.toFixed(2)} times theirs, allowed ${floor.ratio}`);
  }
  if (ours.median > floor.microseconds) {
    found.push(`${name}: ${ours.median.toFixed(2)} us, allowed ${floor.microseconds}`);
  }
  return found;
}

async function caseNames(browser, url) {
  const page = await browser.newPage();
  await page.goto(url);
  const names = await page.evaluate((all) => globalThis.bench.names(all), options.all);
  await page.close();
  return names.filter(({ name }) => new RegExp(options.only).test(name));
}

/** A case measured against both backends; again when a floor is broken. */
async function measureCase(browser, url, { name, backend }) {
  let result = await measure(browser, url, name, backend, FULL);
  // A busy machine can spoil one run; what is really slow is slow twice.
  if (options.check && faults(result).length) {
    const again = await measure(browser, url, name, backend, FULL);
    if (again.ratio < result.ratio) result = again;
  }
  if (!options['no-cpu'] && backend !== 'cpu') {
    const { theirs } = await measure(browser, url, name, 'cpu', BRIEF);
    result.cpu = theirs;
  }
  return result;
}

async function measureAll(browser, url) {
  const results = [];
  const broken = [];
  const names = await caseNames(browser, url);
  for (const one of names) {
    try {
      const result = await measureCase(browser, url, one);
      if (!results.length) console.log(header(result.about));
      console.log(row(result));
      results.push(result);
      broken.push(...faults(result));
    } catch (error) {
      broken.push(`${one.name}: ${error.message.split('\n')[0]}`);
    }
  }
  for (const name of Object.keys(floors)) {
    if (!options.only && !names.some((one) => one.name === name)) broken.push(`${name}: a floor without a case`);
  }
  return { results, broken };
}

function save(results) {
  const folder = path.join(here, 'results');
  mkdirSync(folder, { recursive: true });
  const stamp = new Date().toISOString().replace(/[:.]/g, '-');
  const file = path.join(folder, `${stamp}.json`);
  writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`);
  return path.relative(process.cwd(), file);
}

const { server, url } = await startServer();
const browser = await startBrowser(options['js-flags']);
try {
  const { results, broken } = await measureAll(browser, url);
  console.log(`written to ${save(results)}`);
  for (const fault of broken) console.log(fault);
  if (options.check) {
    const faulty = new Set(broken.map((fault) => fault.split(':')[0])).size;
    const fine = results.filter((result) => !faults(result).length).length;
    console.log(`${fine} passed, ${faulty} failed`);
    if (faulty || !fine) process.exitCode = 1;
  }
} finally {
  await browser.close();
  server.close();
}
