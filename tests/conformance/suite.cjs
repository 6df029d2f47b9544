'use strict';
/** Which test files and specs belong to a run, by the rules of suite.lst. */
const fs = require('node:fs');
const path = require('node:path');

const LINE = /^\s*(\w+)\s+(.+?)\s*(?:#\s*(.*))?$/;

/** Reads `class pattern # reason` lines. */
function readRules(file) {
  const rules = { pure: new Set(), dep: new Set(), specs: [], files: [] };
  for (const line of fs.readFileSync(file, 'utf8').split('\n')) {
    const match = LINE.exec(line);
    if (!match || line.trim().startsWith('#')) continue;
    const [, kind, pattern] = match;
    if (kind === 'pure' || kind === 'dep') rules[kind].add(pattern);
    else if (kind === 'spec') rules.specs.push(new RegExp(pattern));
    else rules.files.push({ kind, pattern: new RegExp(`^(${pattern})$`) });
  }
  return rules;
}

/** The class of a test file; one that no rule names is `api`. */
function classOf(rules, name) {
  const rule = rules.files.find(({ pattern }) => pattern.test(name));
  return rule ? rule.kind : 'api';
}

const isTest = (file) => /_test\.[jt]s$/.test(file);

function testFiles(folder) {
  const found = [];
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'miniprogram') found.push(...testFiles(file));
    } else if (isTest(file)) {
      found.push(file);
    }
  }
  return found.sort();
}

/** The test files to run as {file, name, kind}, and how many stay out. */
function selectFiles(options, rules, nameOf) {
  const chosen = [];
  const leftOut = {};
  for (const file of testFiles(options.root)) {
    const name = nameOf(file);
    const kind = options.src ? 'api' : classOf(rules, name);
    if (options.only && !new RegExp(options.only).test(name)) continue;
    const unwanted = options.wanted && !options.wanted.has(kind);
    if (unwanted || (!options.stock && kind === 'never')) {
      leftOut[kind] = (leftOut[kind] || 0) + 1;
      continue;
    }
    chosen.push({ file, name, kind });
  }
  return { chosen, leftOut };
}

/** The filter on full spec names. */
function specFilter(options, rules) {
  const grep = options.grep && new RegExp(options.grep);
  return (spec) => {
    const name = spec.getFullName();
    if (grep && !grep.test(name)) return false;
    if (options.stock || !options.wanted) return true;
    return !rules.specs.some((pattern) => pattern.test(name));
  };
}

module.exports = { readRules, selectFiles, specFilter, isTest };
