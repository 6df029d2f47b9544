// Who may write in a directory, and what crashes have left there.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MemoryStorage } from '../../../js/src/io/storage/memory.js';
import { NodeStorage } from '../../../js/src/io/storage/node_fs.js';
import { registerStorage } from '../../../js/src/io/storage/open.js';
import { getCheckpointState, latestCheckpoint, loadCheckpoint, updateCheckpointState } from '../../../js/src/train/session/checkpoint_management.js';
import { leaseDirectory, normalPath, splitPath, trimmed } from '../../../js/src/train/session/run_directory.js';
import { Saver } from '../../../js/src/train/session/saver.js';
import { declare, dir, errorOf, filesIn, logged, onLog, sess, textIn } from './saver_support.js';

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
      'm-3.commit',
    ];
    for (const name of leftovers) writeFileSync(join(files, name), 'x');
    const others = [
      'notes.txt', 'weights.tmp', 'events.out.tfevents.1.a', 'notes.data-00000-of-00001', 'tf_ckpt.data-00001-of-00002',
      'm-8.data-00001-of-00002', 'other-8.data-00000-of-00001', 'x.ckpt.commit', 'm.tempstate1', 'x.meta.tmp',
    ];
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

  test('its folders are other runs: nothing of theirs is taken away', async () => {
    const v = declare([1], 'v');
    const [files, inner] = [join(folder, 'outer'), join(folder, 'outer', 'sub')];
    await new Saver({ onLog }).save(sess, `${inner}/m`, 1);
    // A run there that has come to its log, and one that writes just now.
    const theirs = ['.tidemark-tmp-a-checkpoint', 'm-7.data-00000-of-00001', 'checkpoint.tmp1', 'y.crswap'];
    for (const name of theirs) writeFileSync(join(inner, name), 'x');
    writeFileSync(join(inner, '.tidemark-commit'), JSON.stringify({ steps: [{ from: theirs[0], to: 'checkpoint' }] }));
    const before = readdirSync(inner);
    writeFileSync(join(files, '.tidemark-tmp-b-x'), 'x');
    await new Saver({ onLog }).save(sess, `${files}/m`, 1);
    expect(readdirSync(inner)).toEqual(before);
    expect(readdirSync(files)).not.toContain('.tidemark-tmp-b-x');
    const stored = new NodeStorage(inner);
    expect(new TextDecoder().decode(await stored.read('checkpoint'))).toBe('x');
    v.dispose();
  });

  test('checkpoints named as those that are there are known', async () => {
    const storage = new MemoryStorage(dir.slice(9));
    const left = ['a-2.data-00000-of-00001', 'b-2.data-00000-of-00001', 'model.ckpt-2.data-00000-of-00001'];
    for (const name of ['a-1.index', ...left, 'c-2.data-00000-of-00001', 'sub/a-2.data-00000-of-00001']) {
      await storage.replaceAtomic(name, Uint8Array.of(1));
    }
    await storage.replaceAtomic('checkpoint', new TextEncoder().encode('model_checkpoint_path: "b-1"\n'));
    await (await leaseDirectory(dir, { log: onLog })).release();
    expect(await filesIn(dir)).toEqual(['a-1.index', 'c-2.data-00000-of-00001', 'checkpoint', 'sub/a-2.data-00000-of-00001']);
  });

  test.each(['/', '//', '///'])('with %s at its end is the same', async (slashes) => {
    const v = declare([3], 'v');
    const saver = new Saver({ maxToKeep: 1, onLog });
    for (const step of [1, 2]) {
      expect(await saver.save(sess, `${dir}${slashes}m`, step)).toBe(`${dir}/m-${step}`);
    }
    expect(await textIn(dir, 'checkpoint')).toBe('model_checkpoint_path: "m-2"\nall_model_checkpoint_paths: "m-2"\n');
    expect(await filesIn(dir)).not.toContain('m-1.index');
    expect(await latestCheckpoint(dir + slashes)).toBe(`${dir}/m-2`);
    expect((await loadCheckpoint(dir + slashes)).path).toBe(`${dir}/m-2`);
    await updateCheckpointState(dir + slashes, `${dir}${slashes}m-2`);
    expect(await textIn(dir, 'checkpoint')).toContain('model_checkpoint_path: "m-2"');
    v.dispose();
  });

  test('of roots: their own slashes stay', () => {
    const disk = 'file:' + '///';
    const roots: [string, string][] = [
      ['/', '/'], ['//', '/'], ['', ''], ['a//', 'a'], ['/a/', '/a'], ['memory://', 'memory://'], ['memory://a//', 'memory://a'],
      [disk, disk], [`${disk}a/`, `${disk}a`], ['memory:////', 'memory://'],
    ];
    for (const [given, expected] of roots) expect([given, trimmed(given)]).toEqual([given, expected]);
    for (const path of ['/m', 'm', 'a/m', '/a/m', 'memory://m', 'memory://a/m', `${disk}m`, `${disk}a/m`]) {
      expect(normalPath(path)).toBe(path);
    }
    expect(splitPath(`${disk}m`)).toEqual({ directory: disk, base: 'm' });
  });

  test('the root of the disk is not searched', async () => {
    const listed: unknown[] = [];
    class Noting extends NodeStorage {
      override list(options?: { deep?: boolean }) {
        listed.push(options);
        return super.list(options);
      }
    }
    registerStorage('file', (_, url) => new Noting(url));
    expect(await latestCheckpoint('/')).toBeNull();
    expect(await latestCheckpoint('//')).toBeNull();
    registerStorage('file', (_, url) => new NodeStorage(url));
    expect(listed).toEqual([{ deep: false }, { deep: false }]);
  });
});
