// Use after dispose: always noticed, and with tracing told where and of what.
import { readFileSync } from 'node:fs';
import { expect, test } from './lab.js';

const lines = readFileSync('tests/browser/pages/memory/sites.js', 'utf8').split('\n');

/** The line with a mark like `made: tidy`. */
const lineOf = (mark: string): number => lines.findIndex((text) => text.endsWith(`// ${mark}`)) + 1;

test('use after dispose names both sites', async ({ lab }) => {
  const found = await lab.run<{ untraced: Record<string, string>; traced: Record<string, string>; left: number }>('sites', 'inPage');
  for (const [use, message] of Object.entries(found.untraced)) {
    expect([use, message]).toEqual([use, 'disposed: Tensor is disposed.']);
  }
  expect(Object.keys(found.untraced)).toHaveLength(14);
  for (const [use, message] of Object.entries(found.traced)) {
    const [end] = use.split(', ') as [string];
    const made = /^ {2}made at (.*)$/m.exec(message)?.[1];
    const disposed = /^ {2}disposed by (.*)$/m.exec(message)?.[1];
    expect(message, use).toMatch(/^disposed: Tensor is disposed\./);
    expect(made, use).toContain(`/pages/memory/sites.js:${lineOf(`made: ${end}`)}:`);
    expect(disposed, use).toContain(`/pages/memory/sites.js:${lineOf(`disposed: ${end}`)}:`);
  }
  expect(found.left).toBe(0);
});
