/** The sites of use after dispose in plain Node: the package as it is built. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const page = 'tests/browser/pages/memory/sites.js';
const lines = readFileSync(page, 'utf8').split('\n');
const lineOf = (mark: string): number => lines.findIndex((text) => text.endsWith(`// ${mark}`)) + 1;

test('both lines are right in Node', () => {
  const program = `
    import * as tf from './dist/index.node.js';
    import { untraced, traced } from './${page}';
    await tf.ready();
    console.log(JSON.stringify({ untraced: await untraced(tf), traced: await traced(tf) }));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  const found = JSON.parse(output) as Record<'untraced' | 'traced', Record<string, string>>;
  expect(new Set(Object.values(found.untraced))).toEqual(new Set(['disposed: Tensor is disposed.']));
  const wrong = Object.entries(found.traced).filter(([use, message]) => {
    const [end] = use.split(', ');
    const site = (mark: string): string => `sites.js:${lineOf(`${mark}: ${end}`)}:`;
    const made = /^ {2}made at (.*)$/m.exec(message)?.[1] ?? '';
    const disposed = /^ {2}disposed by (.*)$/m.exec(message)?.[1] ?? '';
    return !made.includes(site('made')) || !disposed.includes(site('disposed'));
  });
  expect(wrong).toEqual([]);
  expect(Object.keys(found.traced).length).toBeGreaterThan(15);
});
