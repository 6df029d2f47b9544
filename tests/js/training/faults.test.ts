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
import { Fault, FaultyStorage, everyFault, faultyDisk, modes } from '../../browser/pages/training/faults.js';
import type { Library } from '../../browser/pages/training/faults.js';

jest.setTimeout(300_000);
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-faults-'));
  registerStorage('file', (_, url) => new NodeStorage(url));
});
afterAll(() => rmSync(folder, { recursive: true }));

let runs = 0;
const onLog = (): void => {};
const lib: Library = { tf, Saver, StorageError, soundState, getCheckpointState, leaseDirectory };
const kinds: [string, () => string, (directory: string, fault: Fault) => FileStorage][] = [
  ['memory', () => `memory://faults${runs++}`, (d, fault) => new FaultyStorage(new MemoryStorage(d.slice(9)), fault)],
  ['node', () => join(folder, `run${runs++}`), (d, fault) => new NodeStorage(d, (disk) => faultyDisk(disk, fault))],
];

describe.each(kinds)('%s', (kind, make, open) => {
  test.each(modes)('%s at the n-th operation, for every n', async (mode) => {
    // Commits of memory are one operation each; a disk makes many.
    expect(await everyFault(mode, make, open, lib, 4)).toBeGreaterThan(kind === 'memory' ? 20 : 50);
  });
});

describe('refusals', () => {
  const refusing = (error: () => unknown): ((directory: string) => FileStorage) => (directory) => {
    const inner = new FaultyStorage(new MemoryStorage(directory.slice(9)), new Fault(0, 'throw', { StorageError }));
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
