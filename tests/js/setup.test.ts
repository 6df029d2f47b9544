// The derivation of the apt source that tools/setup adds on Debian 12.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ROOT } from './support/files.js';

const SITE = 'http://mirror.example/debian';
const folder = mkdtempSync(join(tmpdir(), 'tidemark-sources-'));
afterAll(() => rmSync(folder, { recursive: true }));

function derive(name: string, text: string): { code: number | null; lines: string[] } {
  const file = join(folder, name);
  writeFileSync(file, text);
  const { status, stdout } = spawnSync(join(ROOT, 'tools/next-suite'), ['bookworm', 'trixie', SITE, file], {
    encoding: 'utf8',
  });
  return { code: status, lines: stdout.split('\n').filter(Boolean) };
}

describe('next-suite, deb822 form', () => {
  test('takes the stanza of the main archive and keeps mirror, key and options', () => {
    const text = `# a comment

Types: deb
URIs: ${SITE}-security
Suites: bookworm-security
Components: main

Types: deb deb-src
# a comment inside
URIs: ${SITE}/
Suites:
 bookworm
 bookworm-updates
Components: main contrib
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 abc
Check-Valid-Until: no
`;
    expect(derive('a.sources', text)).toEqual({
      code: 0,
      lines: [
        'Types: deb', `URIs: ${SITE}`, 'Suites: trixie', 'Components: main',
        'Signed-By:', ' -----BEGIN PGP PUBLIC KEY BLOCK-----', ' .', ' abc', 'Check-Valid-Until: no',
      ],
    });
  });

  test.each([
    ['another archive', 'URIs: ftp://third.example/debian\nSuites: bookworm\nComponents: main'],
    ['another suite', `URIs: ${SITE}\nSuites: bookworm-updates\nComponents: main`],
    ['another component', `URIs: ${SITE}\nSuites: bookworm\nComponents: contrib`],
    ['a disabled stanza', `Enabled: no\nURIs: ${SITE}\nSuites: bookworm\nComponents: main`],
  ])('passes over %s', (_, fields) => {
    expect(derive('b.sources', `Types: deb\n${fields}\n`)).toEqual({ code: 1, lines: [] });
  });

  test('passes over sources-only stanzas', () => {
    expect(derive('c.sources', `Types: deb-src\nURIs: ${SITE}\nSuites: bookworm\nComponents: main\n`).code).toBe(1);
  });
});

describe('next-suite, one-line form', () => {
  test('takes the line of the main archive and keeps its options', () => {
    const text = `# deb ${SITE} bookworm main
deb-src ${SITE} bookworm main
deb ftp://third.example bookworm main
deb ${SITE} bookworm-updates main
deb [ arch=amd64 signed-by=/usr/share/keyrings/x.gpg ] ${SITE}/ bookworm contrib main # why
deb ${SITE} bookworm main
`;
    expect(derive('a.list', text)).toEqual({
      code: 0,
      lines: [`deb [ arch=amd64 signed-by=/usr/share/keyrings/x.gpg ] ${SITE}/ trixie main`],
    });
  });

  test('fails where there is none', () => {
    expect(derive('b.list', `deb ${SITE} bookworm contrib\n`)).toEqual({ code: 1, lines: [] });
  });
});
