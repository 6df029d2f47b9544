// The repository's own files, for the tests about the repository.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Files that git tracks or would (new, not ignored), as paths from the root. */
export function projectFiles(): string[] {
  return execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((file) => file && existsSync(ROOT + file));
}

export function read(file: string): string {
  return readFileSync(ROOT + file, 'utf8');
}

/** Path -> text of the project's files that match. */
export function sources(pattern: RegExp): Map<string, string> {
  return new Map(
    projectFiles()
      .filter((file) => pattern.test(file))
      .map((file) => [file, read(file)]),
  );
}
