'use strict';
/**
 * The floor: how many specs the built package must pass. It is only ever
 * raised, so a change that loses specs cannot land unseen.
 */
const fs = require('node:fs');
const path = require('node:path');
const { isWhole } = require('./options.cjs');

const FILE = path.join(__dirname, 'floor.json');
const ROOT = path.join(__dirname, '../..');

const read = () => JSON.parse(fs.readFileSync(FILE, 'utf8'));

/** Whether the floor speaks about this run: our package, whole suite. */
function applies(options) {
  const ours = path.join(ROOT, read().target);
  return path.resolve(options.target) === ours && isWhole(options);
}

/** Compares counts with the floor: `{lines, failed, floor}`. */
function judge({ passed, failed, crashes }) {
  const floor = read();
  const lost = Math.max(0, floor.passed - passed);
  const broken = Math.max(0, crashes - floor.crashes);
  const lines = [
    `conformance: ${passed} of ${passed + failed} specs pass ` +
      `(floor ${floor.passed}), ${crashes} crashes`,
  ];
  if (lost) lines.push(`${lost} specs fewer than the floor`);
  if (passed > floor.passed) {
    lines.push('above the floor: --update-floor raises it');
  }
  return { lines, failed: lost + broken, floor: floor.passed };
}

/** Raises the floor to the counts of a run; never lowers it. */
function raise({ passed, crashes }) {
  const floor = read();
  floor.passed = Math.max(floor.passed, passed);
  floor.crashes = Math.min(floor.crashes, crashes);
  fs.writeFileSync(FILE, `${JSON.stringify(floor, null, 2)}\n`);
}

module.exports = { applies, judge, raise };
