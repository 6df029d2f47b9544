// Signals of a real Node process, with the built package.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const entry = new URL('../../../dist/index.node.js', import.meta.url).href;
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-signals-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A program that trains in `directory` until it is stopped. */
const program = (directory: string, options: string, loop: string): string => `
import * as tf from ${JSON.stringify(entry)};
await tf.ready();
const w = tf.variable(tf.scalar(1), true, 'w');
const train = tf.train.step('train', () => { w.assign(w.add(1)); });
const say = (text) => process.stdout.write(text + '\\n');
const turn = () => new Promise((resolve) => setTimeout(resolve, 1));
await tf.train.withMonitoredTrainingSession({
  checkpointDir: ${JSON.stringify(directory)}, saveCheckpointSteps: 1e6, onLog: () => {},
  hooks: [{ end() { say('end'); } }], ${options}
}, async (sess) => {
  await sess.run(train);
  say('running');
  ${loop}
});
say('closed ' + process.listenerCount('SIGINT') + process.listenerCount('SIGTERM'));
`;

/** Runs a program; `signals` are sent when it has said so many lines. */
function run(text: string, ...signals: (readonly [line: string, signal: NodeJS.Signals])[]) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said: string[] = [];
  let pending = '';
  child.stdout.on('data', (data: Buffer) => {
    const lines = (pending + data.toString()).split('\n');
    pending = lines.pop()!;
    for (const line of lines) {
      said.push(line);
      for (const [when, signal] of signals) if (when === line) child.kill(signal);
    }
  });
  return new Promise<{ said: string[]; code: number | null; signal: string | null }>((resolve) => {
    child.on('close', (code, signal) => resolve({ said, code, signal }));
  });
}

const checkpoints = (directory: string): string[] =>
  readdirSync(directory).filter((name) => name.endsWith('.index')).sort();

describe('a signal', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('%s ends training after the step, with the hooks\' end and a last checkpoint', async (signal) => {
    const directory = join(folder, signal);
    const { said, code } = await run(program(directory, '', `
      while (!sess.shouldStop()) { await sess.run(train); await turn(); }
    `), ['running', signal]);
    expect([said, code]).toEqual([['running', 'end', 'closed 00'], 0]);
    expect(checkpoints(directory)).toHaveLength(2);
    expect(readdirSync(directory).filter((name) => name.includes('lock'))).toEqual([]);
  }, 30_000);

  test('reaches a loop that awaits nothing but runs', async () => {
    const directory = join(folder, 'bare');
    const { said, code } = await run(program(directory, '', `
      while (!sess.shouldStop()) await sess.run(train);
    `), ['running', 'SIGINT']);
    expect([said, code]).toEqual([['running', 'end', 'closed 00'], 0]);
    expect(checkpoints(directory)).toHaveLength(2);
  }, 30_000);

  test('that comes a second time exits at once; the checkpoints are whole', async () => {
    const directory = join(folder, 'twice');
    const { said, code, signal } = await run(program(directory, '', `
      while (!sess.shouldStop()) await turn();
      say('asked');
      for (;;) await turn();
    `), ['running', 'SIGINT'], ['asked', 'SIGTERM']);
    expect([said, code, signal]).toEqual([['running', 'asked'], 143, null]);
    expect(checkpoints(directory)).toEqual(['model.ckpt-0.index']);
    // The next run is not kept out by the lock of a dead process.
    const again = await run(program(directory, '', ''));
    expect([again.said, again.code]).toEqual([['running', 'end', 'closed 00'], 0]);
  }, 30_000);

  test('is left alone when the session is told so', async () => {
    const { said, code, signal } = await run(program(join(folder, 'out'), 'handleSignals: false,', `
      for (;;) await turn();
    `), ['running', 'SIGTERM']);
    expect([said, code, signal]).toEqual([['running'], null, 'SIGTERM']);
  }, 30_000);
});
