/**
 * A Python with TensorFlow and TensorBoard, where there is one:
 * `npm run test:tensorflow` installs it, TIDEMARK_PYTHON names another.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from '@jest/globals';

const own = fileURLToPath(new URL('../../../build/tensorflow/bin/python', import.meta.url));

/** The interpreter to ask. */
export const PYTHON = process.env['TIDEMARK_PYTHON'] ?? (existsSync(own) ? own : 'python3');

const finds = (module: string): boolean => spawnSync(PYTHON, ['-c',
  `import importlib.util as u; exit(u.find_spec("${module}") is None)`]).status === 0;
const installed = finds('tensorflow') && finds('tensorboard');

/** A test that asks TensorFlow; where it isn't installed it is skipped, and says so. */
export function withTensorFlow(name: string, f: () => void | Promise<void>, minutes = 5): void {
  if (installed) {
    test(name, f, minutes * 60_000);
  } else {
    // tools/test.mjs knows skipped tests by these words.
    test.skip(`${name} (skipped: TensorFlow is not installed)`, f);
  }
}
