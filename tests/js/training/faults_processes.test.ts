// Directories that real processes and threads write to, and are killed; disks that are read-only or full.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { soundState } from '../../../js/src/train/session/checkpoint_management.js';
import { leaseDirectory } from '../../../js/src/train/session/run_directory.js';
import { Saver } from '../../../js/src/train/session/saver.js';
import './saver_support.js';

jest.setTimeout(240_000);
const script = join(process.cwd(), 'tests/js/training/support/saver_process.mjs');
const onLog = (): void => {};
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-processes-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
const sleep = (ms: number): Promise<void> => new Promise((f) => setTimeout(f, ms));

/** What a writer has told of its saves. */
class Book {
  begun = 0;
  done = 0;
  readonly #first: (() => void)[] = [];

  tell(text: string): void {
    for (const line of text.split('\n')) {
      const [what, step] = line.split(' ');
      if (what === 'begun') this.begun = Number(step);
      else if (what === 'done') this.done = Number(step);
      for (const resolve of this.#first.splice(0)) resolve();
    }
  }
  /** Resolves when something was told. */
  heard(): Promise<void> {
    return new Promise((resolve) => void this.#first.push(resolve));
  }
}

/** Takes the directory, restores, looks. */
async function check(directory: string, book: Book): Promise<number> {
  const begun = performance.now();
  const lease = await leaseDirectory(directory, { log: onLog });
  const waited = performance.now() - begun;
  const v = tf.tidy(() => tf.variable(tf.zeros([64 * 1024]), true, 'v'));
  try {
    const state = await soundState(directory, onLog);
    const step = state === null ? 0 : Number(/\d+$/.exec(state.modelCheckpointPath)![0]);
    if (state !== null) await new Saver([v], { onLog }).restore(null, state.modelCheckpointPath);
    expect([...new Set(v.dataSync())]).toEqual([step]);
    // What was told last may be told too late.
    expect(step).toBeGreaterThanOrEqual(book.done);
    expect(step).toBeLessThanOrEqual(book.begun + 1);
    const names = readdirSync(directory).filter((name) => !name.startsWith('.tidemark-lock-'));
    expect(names.filter((name) => !/^checkpoint$|^m-\d+\.(index|data-00000-of-00001)$/.test(name))).toEqual([]);
    return waited;
  } finally {
    v.dispose();
    await lease.release();
  }
}

describe('killed in mid-save', () => {
  test('a process, 6 times', async () => {
    const directory = join(folder, 'process');
    for (let n = 0; n < 6; n++) {
      const book = new Book();
      const child = spawn(process.execPath, [script, 'forever', directory], { stdio: ['ignore', 'pipe', 'inherit'] });
      child.stdout.setEncoding('utf8').on('data', (text: string) => book.tell(text));
      const first = await Promise.race([book.heard(), new Promise((f) => child.once('exit', () => f('ended')))]);
      expect(first).toBeUndefined();
      await sleep(Math.random() * 60);
      const ended = new Promise((f) => child.once('close', f));
      child.kill('SIGKILL');
      await ended;
      // The lock of the dead holds nobody up.
      expect(await check(directory, book)).toBeLessThan(4000);
    }
  });

  test('a worker thread of this process, 12 times', async () => {
    const directory = join(folder, 'thread');
    for (let n = 0; n < 12; n++) {
      const book = new Book();
      const worker = new Worker(script, { workerData: ['forever', directory] });
      worker.on('message', (text: string) => book.tell(text));
      const failed = new Promise((_, reject) => void worker.once('error', reject));
      await Promise.race([book.heard(), failed]);
      await sleep(Math.random() * 60);
      await worker.terminate();
      expect(await check(directory, book)).toBeLessThan(4000);
    }
  });
});

describe('a second writer', () => {
  const once = (directory: string): { name: string; message: string; path?: string; waited: number } =>
    JSON.parse(execFileSync(process.execPath, [script, 'once', directory], { encoding: 'utf8' }));

  test('waits for 5 s and is told; when the first is killed it goes on', async () => {
    const directory = join(folder, 'two');
    const child: ChildProcess = spawn(process.execPath, [script, 'forever', directory], { stdio: ['ignore', 'pipe', 'inherit'] });
    const book = new Book();
    child.stdout!.setEncoding('utf8').on('data', (text: string) => book.tell(text));
    await book.heard();
    const refused = once(directory);
    expect(refused).toMatchObject({
      name: 'FailedPreconditionError',
      message: expect.stringMatching(new RegExp(`has another writer: a second chief must not save there \\(.*'ckpt' is in use by process ${child.pid}`)),
    });
    expect(refused.waited).toBeGreaterThan(4900);
    expect(refused.waited).toBeLessThan(9000);
    // A thread of this process is another writer too.
    await expect(leaseDirectory(directory, { wait: 100, log: onLog })).rejects.toMatchObject({ name: 'FailedPreconditionError' });
    const ended = new Promise((f) => child.once('close', f));
    child.kill('SIGKILL');
    await ended;
    expect(once(directory)).toMatchObject({ path: `${directory}/m-99` });
  });

  test('two threads of one process are told apart', async () => {
    const directory = join(folder, 'threads');
    const lease = await leaseDirectory(directory, { log: onLog });
    const worker = new Worker(script, { workerData: ['once', directory] });
    const answer = JSON.parse(await new Promise<string>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    })) as { name: string; message: string };
    expect(answer.name).toBe('FailedPreconditionError');
    expect(answer.message).toContain(`in use by process ${process.pid}, thread 0`);
    await worker.terminate();
    await lease.release();
  });
});

describe('a small disk', () => {
  // Root ignores the modes of files: only a mount of its own is read-only to it.
  const may = spawnSync('unshare', ['-m', 'true']).status === 0;
  const run = may ? test : test.skip;
  run('read-only, full, and with room again', () => {
    const directory = mkdtempSync(join(folder, 'small-'));
    const text = execFileSync('unshare', ['-m', process.execPath, script, 'small', directory], { encoding: 'utf8' });
    const found = JSON.parse(text) as Record<string, { name?: string; message?: string; newest: string; value: number; files: string[] }>;
    const [one, six] = [1, 6].map((n) => [`m-${n}.data-00000-of-00001`, `m-${n}.index`]);
    const kept = { newest: 'm-1', value: 1, files: ['checkpoint', ...one!] };
    const beside = { ...kept, files: ['checkpoint', 'filler', ...one!] };
    expect(found['first']).toMatchObject(kept);
    expect(found['readOnly']).toMatchObject({ ...kept, name: 'PermissionDeniedError', message: expect.stringMatching(/EROFS: read-only file system/) });
    expect(found['tooLittle']).toMatchObject({
      ...beside, name: 'ResourceExhaustedError', message: expect.stringMatching(/a checkpoint needs 262144 bytes and \d+ are available/),
    });
    expect(found['whileWriting']).toMatchObject({
      ...beside, name: 'ResourceExhaustedError', message: expect.stringContaining('a checkpoint needs 262144 bytes'),
    });
    expect(found['full']).toMatchObject({ ...beside, name: 'ResourceExhaustedError' });
    expect(found['roomAgain']).toMatchObject({ newest: 'm-6', value: 6 });
    expect(found['roomAgain']!.files).toEqual(expect.arrayContaining(['checkpoint', ...six!]));
  });
  if (!may) console.warn('skipped: mounting a small disk needs unshare -m, as root');
});
