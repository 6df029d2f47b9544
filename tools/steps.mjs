// Runs commands one by one or side by side, keeps what they print in
// test-results/ and never lets one of them hang the whole run.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';

const RESULTS = 'test-results';
const running = new Set();

/** Ends everything that is still running, with its children. */
export function stopAll() {
  for (const child of running) {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It ended by itself in the meantime.
    }
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    stopAll();
    process.exit(130);
  });
}

/**
 * Runs one command to its end, its output going to test-results/<name>.log.
 * Resolves to { ok, output, seconds }, also when the command cannot start.
 */
export function run(name, command, args, { env = {}, minutes = 15 } = {}) {
  mkdirSync(RESULTS, { recursive: true });
  const log = `${RESULTS}/${name}.log`;
  const file = openSync(log, 'w');
  const start = performance.now();
  return new Promise((resolve) => {
    let problem = '';
    const child = spawn(command, args, {
      detached: true, // its own group, so that its children can be ended too
      stdio: ['ignore', file, file],
      env: { ...process.env, ...env },
    });
    running.add(child);
    const timer = setTimeout(() => {
      problem = `stopped after ${minutes} minutes`;
      process.kill(-child.pid, 'SIGKILL');
    }, minutes * 60_000);
    const finish = (ok) => {
      clearTimeout(timer);
      if (!running.delete(child)) return;
      closeSync(file);
      resolve({
        ok: ok && !problem,
        output: readFileSync(log, 'utf8') + (problem && `\n${name}: ${problem}\n`),
        seconds: (performance.now() - start) / 1000,
      });
    };
    child.on('error', (error) => {
      problem = error.message;
      finish(false);
    });
    child.on('close', (code, signal) => {
      if (signal) problem ||= `ended by ${signal}`;
      finish(code === 0);
    });
  });
}

/** The JSON in a file, or undefined when it is missing or broken. */
export function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
