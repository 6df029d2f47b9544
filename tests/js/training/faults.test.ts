// Saves that fail at any of their storage operations: what was saved stays, whole.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { registerStorage } from '../../../js/src/io/storage/open.js';
import { MemoryStorage } from '../../../js/src/io/storage/memory.js';
import { NodeStorage } from '../../../js/src/io/storage/node_fs.js';
import { StorageError } from '../../../js/src/io/storage/storage.js';
import type { FileStorage } from '../../../js/src/io/storage/storage.js';
import { getCheckpointState, soundState } from '../../../js/src/train/session/checkpoint_management.js';
import { leaseDirectory } from '../../../js/src/train/session/run_directory.js';
import { Saver } from '../../../js/src/train/session/saver.js';
import { Fault, FaultyStorage, faultyOpen, modes } from './support/faulty.js';
import type { Mode } from './support/faulty.js';

jest.setTimeout(300_000);
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-faults-'));
  registerStorage('file', (_, url) => new NodeStorage(url));
});
afterAll(() => rmSync(folder, { recursive: true }));

let runs = 0;
const kinds: [string, () => string, (directory: string) => FileStorage][] = [
  ['memory', () => `memory://faults${runs++}`, (directory) => new MemoryStorage(directory.slice(9))],
  ['node', () => join(folder, `run${runs++}`), (directory) => new NodeStorage(directory)],
];
const onLog = (): void => {};
const maxToKeep = 2;
// Step 3 is saved twice, with other values: as after a restore.
const saves = [[1, 10], [2, 20], [3, 30], [3, 31], [4, 40]] as const;

/** Every checkpoint a directory has is whole, or is not there. */
async function check(
  directory: string, v: tf.Variable, done: readonly number[], tried: number | undefined, open: (d: string) => FileStorage) {
  // As the next run does: take the directory, look, restore.
  const lease = await leaseDirectory(directory, { log: onLog });
  const state = await soundState(directory, onLog);
  if (done.length > 0) expect(state).not.toBeNull();
  if (state !== null) {
    const saver = new Saver([v], { maxToKeep, onLog });
    await saver.restore(null, state.modelCheckpointPath);
    // R1: the last that was saved or the one that was under way, never a mix.
    const found = v.arraySync() as number[];
    expect([done.at(-1), tried]).toContain(found[0]);
    expect(new Set(found).size).toBe(1);
    await saver.recoverLastCheckpoints(state.allModelCheckpointPaths);
    const names = (await lease.storage.list()).map(({ name }) => name);
    const prefixes = names.filter((name) => name.endsWith('.index')).map((name) => name.slice(0, -'.index'.length));
    // R4: no more than are kept, and each is on the list.
    expect(prefixes.length).toBeLessThanOrEqual(maxToKeep);
    expect(state.allModelCheckpointPaths.map((p) => p.slice(directory.length + 1)).sort()).toEqual(prefixes.sort());
    const known = new Set(['checkpoint', ...prefixes.flatMap((p) => [`${p}.index`, `${p}.data-00000-of-00001`])]);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    // And training goes on.
    await saver.save(null, `${directory}/m`, { globalStep: 9, writeMetaGraph: false });
    expect((await getCheckpointState(directory))!.allModelCheckpointPaths.length).toBeLessThanOrEqual(maxToKeep);
  }
  await lease.release();
  await open(directory).close();
}

async function run(directory: string, v: tf.Variable, fault: Fault): Promise<{ done: number[]; tried: number | undefined }> {
  const saver = new Saver([v], { maxToKeep, onLog, open: faultyOpen(fault) });
  const done: number[] = [];
  let tried: number | undefined;
  for (const [step, value] of saves) {
    tf.tidy(() => v.assign(tf.fill([5], value)));
    try {
      await saver.save(null, `${directory}/m`, { globalStep: step, writeMetaGraph: false });
      done.push(value);
      tried = undefined;
    } catch {
      // R8: what failed is no reason to lose what was there.
      tried = value;
      if (fault.dead) break;
    }
  }
  return { done, tried };
}

describe.each(kinds)('%s', (kind, make, open) => {
  test.each(modes)('%s at the n-th operation, for every n', async (mode: Mode) => {
    const v = tf.tidy(() => tf.variable(tf.zeros([5]), true, `${kind}-${mode}`));
    let n = 1;
    for (; ; n++) {
      const directory = make();
      const fault = new Fault(n, mode);
      const { done, tried } = await run(directory, v, fault);
      if (!fault.hit) {
        expect(done).toEqual(saves.map(([, value]) => value));
        break;
      }
      try {
        await check(directory, v, done, tried, open);
      } catch (error) {
        (error as Error).message += `\n(n = ${n}, ${mode})`;
        throw error;
      }
      if (kind === 'node') rmSync(directory, { recursive: true });
    }
    // Commits of memory are one operation each; a disk makes many.
    expect(n).toBeGreaterThan(kind === 'memory' ? 20 : 50);
    v.dispose();
  });
});

describe('refusals', () => {
  const refusing = (error: () => unknown): ((directory: string) => FileStorage) => (directory) => {
    const inner = new FaultyStorage(new MemoryStorage(directory.slice(9)), new Fault(0, 'throw'));
    inner.commit = async (files) => {
      // Some of it goes out before the platform refuses.
      for (const contents of Object.values(files)) {
        if (Symbol.asyncIterator in contents) for await (const piece of contents) expect(piece.length).toBeGreaterThan(0);
      }
      throw error();
    };
    return inner;
  };
  test.each([
    ['full', 'ResourceExhaustedError', 'a checkpoint needs 20 bytes'],
    ['io EROFS', 'PermissionDeniedError', 'nothing may be written'],
    ['io EIO', 'UnknownError', 'nothing may be written'],
  ])('%s is %s and leaves the old checkpoint', async (fault, name, text) => {
    const directory = `memory://refusals${runs++}`;
    const v = tf.tidy(() => tf.variable(tf.ones([5]), true, 'refused'));
    await new Saver([v], { onLog }).save(null, `${directory}/m`, { globalStep: 1, writeMetaGraph: false });
    tf.tidy(() => v.assign(tf.zeros([5])));
    const [kind, code] = fault.split(' ') as ['full' | 'io', string?];
    const saver = new Saver([v], {
      onLog, open: refusing(() => new StorageError(kind, 'nothing may be written', { code })),
    });
    await expect(saver.save(null, `${directory}/m`, { globalStep: 2 })).rejects.toMatchObject(
      { name, message: expect.stringContaining(text) });
    await new Saver([v], { onLog }).restore(null, (await soundState(directory, onLog))!.modelCheckpointPath);
    expect(v.arraySync()).toEqual([1, 1, 1, 1, 1]);
    v.dispose();
  });

  test('space that is too short is found before anything is written; pruneFirst makes room', async () => {
    const directory = `memory://space${runs++}`;
    const v = tf.tidy(() => tf.variable(tf.ones([5]), true, 'space'));
    const limited = (bytes: number) => (d: string): FileStorage => {
      const inner = new MemoryStorage(d.slice(9));
      inner.available = async () => {
        const used = (await inner.list()).filter(({ name }) => name.includes('data')).reduce((n, { size }) => n + size, 0);
        return Math.max(0, bytes - used);
      };
      return inner;
    };
    const tight = new Saver([v], { onLog, open: limited(50) });
    const at = (globalStep: number) => ({ globalStep, writeMetaGraph: false });
    await tight.save(null, `${directory}/m`, at(1));
    await tight.save(null, `${directory}/m`, at(2));
    await expect(tight.save(null, `${directory}/m`, at(3))).rejects.toMatchObject({
      name: 'ResourceExhaustedError', code: 'memory', message: expect.stringMatching(/needs 20 bytes and 10 are available/),
    });
    expect(tight.lastCheckpoints).toEqual([`${directory}/m-1`, `${directory}/m-2`]);
    const pruning = new Saver([v], { onLog, open: limited(50), pruneFirst: true });
    pruning.setLastCheckpoints(tight.lastCheckpoints);
    await pruning.save(null, `${directory}/m`, at(3));
    expect((await getCheckpointState(directory))!.allModelCheckpointPaths).toEqual([`${directory}/m-2`, `${directory}/m-3`]);
    // One alone is never given up.
    const tiny = new Saver([v], { onLog, open: limited(0), pruneFirst: true });
    tiny.setLastCheckpoints([`${directory}/m-3`]);
    await expect(tiny.save(null, `${directory}/m`, at(4))).rejects.toThrow('are available');
    expect((await soundState(directory, onLog))!.modelCheckpointPath).toBe(`${directory}/m-3`);
    v.dispose();
  });
});
