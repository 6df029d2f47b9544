// Habits of the repository that no compiler sees.
import { describe, expect, test } from '@jest/globals';
import { projectFiles, read } from './support/files.js';

const TEXT = /\.(cc|h|ts|tsx|js|mjs|cjs|json|md|css|html|cmake|txt|yml|lst)$|^tools\/|^\.ci\//;
const SOURCE = /^(core|wasm|js\/src)\/.*\.(cc|h|ts)$/;
const LONG = 400;

/** What a text contains that no file of the project should. */
function strays(text: string): string[] {
  // Written in pieces, so that this file does not contain them either.
  const hosts = ['registry\\.' + 'npmjs', 'deb\\.' + 'debian', 'pypi\\.' + 'org', 'registry\\.' + 'yarnpkg', 'archive\\.' + 'ubuntu'];
  const paths = ['/(?:home|Users|root|work)' + '/\\w', 'file:' + '///\\w', '/' + 'tmp/\\w'];
  return [...hosts, ...paths].flatMap((stray) => text.match(new RegExp(`(?<![\\w.])${stray}.*`, 'g')) ?? []);
}

const files = projectFiles();

describe('repository', () => {
  test('no registry host and no path of one machine', () => {
    const found = files
      .filter((file) => TEXT.test(file))
      .flatMap((file) => strays(read(file)).map((stray) => `${file}: ${stray}`));
    expect(found).toEqual([]);
  });

  test('the check finds what it looks for', () => {
    expect(strays('see https://registry.' + 'npmjs.org/x')).toHaveLength(1);
    expect(strays('deb http://deb.' + 'debian.org/debian x main')).toHaveLength(1);
    expect(strays('cd /' + 'home/me/tidemark')).toHaveLength(1);
    expect(strays('js/src/home/x, https://example.org/work' + '/')).toEqual([]);
  });

  test('the lock file names no place to download from', () => {
    expect(read('package-lock.json')).not.toMatch(/"resolved"/);
  });

  test('what is built is not tracked', () => {
    expect(files.filter((file) => /^(build|dist|node_modules|test-results|demo\/dist)\//.test(file))).toEqual([]);
  });

  test('headers have #pragma once, sources end in a newline', () => {
    const headers = files.filter((file) => /^(core|wasm|tests)\/.*\.h$/.test(file));
    expect(headers.filter((file) => !/^#pragma once$/m.test(read(file)))).toEqual([]);
    const ragged = files.filter((file) => SOURCE.test(file) && !read(file).endsWith('\n'));
    expect(ragged).toEqual([]);
  });

  test('the Firefox that Debian has works with one version of Playwright', () => {
    const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> };
    expect(devDependencies['@playwright/test']).toBe('1.64.1');
  });

  // A hint, not a rule: such a file asks to be split by meaning.
  test('long files are listed', () => {
    const long = files
      .filter((file) => SOURCE.test(file))
      .map((file) => [file, read(file).split('\n').length - 1] as const)
      .filter(([, lines]) => lines > LONG);
    if (long.length) console.warn(`over ${LONG} lines: ${long.map(([file, n]) => `${file} (${n})`).join(', ')}`);
    expect(files.filter((file) => SOURCE.test(file))).not.toEqual([]);
  });
});
