// Who may write in a directory, and what crashes have left there.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MemoryStorage } from '../../../js/src/io/storage/memory.js';
import { getCheckpointState, latestCheckpoint } from '../../../js/src/train/session/checkpoint_management.js';
import { leaseDirectory } from '../../../js/src/train/session/run_directory.js';
import { Saver } from '../../../js/src/train/session/saver.js';
import { declare, dir, errorOf, logged, onLog, sess } from './saver_support.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-saver-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the directory', () => {
  test('of files: a second writer is told, readers read, leftovers go', async () => {
    const files = join(folder, 'run');
    const v = declare([1], 'v');
    const lease = await leaseDirectory(files, { log: onLog });
    // Another process: what this realm knows of the lock must not help.
    writeFileSync(join(files, '.tidemark-lock-ckpt'), `${process.ppid} 0`);
    await lease.release();
    writeFileSync(join(files, '.tidemark-lock-ckpt'), `${process.ppid} 0`);
    const other = await errorOf(leaseDirectory(files, { wait: 60, log: onLog }));
    expect(other.name).toBe('FailedPreconditionError');
    expect(other.message).toContain('has another writer');
    expect(await latestCheckpoint(files)).toBeNull();
    rmSync(join(files, '.tidemark-lock-ckpt'));
    const leftovers = [
      'checkpoint.tmp12ab', 'm-9.data-00000-of-00001', 'm-9.index.tmp1', 'm-9.data-00000-of-00001.tempstate123', 'x.crswap',
      'm.ckpt-3.commit',
    ];
    for (const name of leftovers) writeFileSync(join(files, name), 'x');
    const others = ['notes.txt', 'weights.tmp', 'events.out.tfevents.1.a'];
    for (const name of others) writeFileSync(join(files, name), 'x');
    await new Saver({ onLog }).save(sess, `${files}/m`, 1);
    expect(readdirSync(files).sort()).toEqual([
      'checkpoint', ...others, 'm-1.data-00000-of-00001', 'm-1.index', 'm-1.meta',
    ].sort());
    expect(logged.some((line) => line.includes('removed what a crash has left'))).toBe(true);
    expect(readFileSync(join(files, 'checkpoint'), 'utf8')).not.toContain(folder);
    v.dispose();
  });

  test('of one realm is counted: a session and a save share it', async () => {
    const v = declare([1], 'v');
    const a = await leaseDirectory(dir, { log: onLog });
    const b = await leaseDirectory(`${dir}/`, { log: onLog });
    await new Saver({ onLog }).save(sess, `${dir}/m`, 1);
    await a.release();
    await a.release();
    await expect(new MemoryStorage(dir.slice(9)).lock('ckpt')).rejects.toThrow('in use');
    await b.release();
    await (await new MemoryStorage(dir.slice(9)).lock('ckpt')).release();
    v.dispose();
  });

  test('saves of one directory come one after the other', async () => {
    const v = declare([1], 'v');
    const saver = new Saver({ maxToKeep: 2, onLog });
    await Promise.all([1, 2, 3, 4].map((step) => saver.save(sess, `${dir}/m`, step)));
    expect(saver.lastCheckpoints).toEqual([`${dir}/m-3`, `${dir}/m-4`]);
    expect((await getCheckpointState(dir))!.modelCheckpointPath).toBe(`${dir}/m-4`);
    v.dispose();
  });
});
