// An op cannot be half added: contract, TypeScript functions, documented
// examples and test rows name the same things.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../js/src/index.js';
import { examplesIn } from './support/examples.js';
import { read, sources } from './support/files.js';

/** C++'s name of an op as JavaScript spells it; `_` at the end avoids keywords. */
const camelCase = (name: string): string =>
  name.replace(/_+$/, '').replace(/_nd$/, 'ND').replace(/_([a-z0-9])/g, (_, c: string) => c.toUpperCase());

const bindings = [...sources(/^wasm\/bindings\/.*\.cc$/)];
const opBindings = bindings.flatMap(([file, text]) =>
  [...text.matchAll(/bind<(?:ops::)?([\w:]+)>\(\s*"(\w+)/g)].map(([, cpp = '', js = '']) => ({ file, cpp, js })));
const isRuntime = (file: string): boolean => /\/(runtime|memory|profile)\.cc$/.test(file);
const ops = opBindings.filter(({ file }) => !isRuntime(file));

const contract = [...read('js/generated/contract.d.ts').matchAll(/^ {2}(\w+)\(.*\): \w+;$/gm)].map(([, name]) => name);
const library = [...sources(/^js\/src\/.*\.ts$/)];
const opSources = library.filter(([file]) => file.startsWith('js/src/ops/'));
const called = new Set(library.flatMap(([, text]) => [...text.matchAll(/\bwasm\.(\w+)/g)].map(([, name]) => name)));
const functions = opSources.flatMap(([file, text]) =>
  [...text.matchAll(/^export (?:async )?function (\w+)/gm)].map(([, name = '']) => ({ file, name })));
// What users can call; files of ops also share helpers.
const visible = new Set(Object.entries(tf).flatMap(([name, value]) =>
  typeof value === 'object' && value !== null ? Object.keys(value) : [name]));
const documented = functions.filter(({ name, file }) => visible.has(name) && !/\/chained_/.test(file));
const tests = [...sources(/^tests\/js\/.*\.test\.ts$/)]
  .filter(([file]) => !/\/(complete|examples_in_docs|layers|repository|setup)\.test/.test(file))
  .map(([, text]) => text)
  .join('\n');

describe('completeness', () => {
  test('something was found to compare', () => {
    expect(ops.length).toBeGreaterThan(10);
    expect(documented.length).toBeGreaterThan(10);
  });

  test('the contract has what the bindings bind', () => {
    expect(opBindings.map(({ js }) => js).filter((name) => !contract.includes(name))).toEqual([]);
  });

  test("an op's JavaScript name is its C++ name in camelCase", () => {
    expect(ops.filter(({ cpp, js }) => camelCase(cpp) !== js)).toEqual([]);
  });

  test('TypeScript calls every export of the contract, and nothing else', () => {
    const known = new Set([...contract, 'wasmMemory', 'stackSave', 'stackRestore']);
    expect(contract.filter((name) => !called.has(name))).toEqual([]);
    expect([...called].filter((name) => !known.has(name))).toEqual([]);
  });

  test('every op function has an example', () => {
    const shown = new Set(opSources.flatMap(([file, text]) => examplesIn(file, text).map(({ where }) => where)));
    expect(documented.map(({ file, name }) => `${file} ${name}`).filter((where) => !shown.has(where))).toEqual([]);
  });

  test('every op function has a test row', () => {
    const tested = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(tests);
    expect(documented.map(({ name }) => name).filter((name) => !tested(name))).toEqual([]);
  });

  test('the version is the package\'s', () => {
    const version = (JSON.parse(read('package.json')) as { version: string }).version;
    expect(read('js/src/globals.ts')).toContain(`tidemark: '${version}'`);
  });
});
