// Lets a module be both a program and something that a test imports.
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Runs `program` if the module of that URL was started from the terminal. */
export function runAsProgram(url, program) {
  const started = process.argv[1];
  if (!started || realpathSync(started) !== fileURLToPath(url)) return;
  program().catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
}
