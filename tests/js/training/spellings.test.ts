// One directory, however it is written; directories that cannot be made.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { getCheckpointState, latestCheckpoint, updateCheckpointState } from '../../../js/src/train/session/checkpoint_management.js';
import { directoryName, leaseDirectory } from '../../../js/src/train/session/run_directory.js';
import { Saver } from '../../../js/src/train/session/saver.js';
import { FileWriterCache } from '../../../js/src/train/session/writer_cache.js';
import { declare, dir, errorOf, logged, onLog, sess, textIn } from './saver_support.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-spellings-'));
  mkdirSync(join(folder, 'real'));
  symlinkSync(join(folder, 'real'), join(folder, 'link'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Ways to write one directory, the first as programs do. */
const spellings: [string, () => string[]][] = [
  ['memory', () => [dir, `${dir}/`, `${dir}//`, `memory:///${dir.slice(9)}`, `memory://./${dir.slice(9)}`, `${dir}/x/..`, `memory://../${dir.slice(9)}`]],
  ['the disk', () => {
    const path = join(folder, 'real', dir.slice(9));
    return [
      path, `${path}/`, relative('', path), `./${relative('', path)}`, pathToFileURL(path).href, `file://${relative('', path)}`,
      `${folder}//real/./${dir.slice(9)}`, `${folder}/nosuch/../real/${dir.slice(9)}`, join(folder, 'link', dir.slice(9)),
      `${pathToFileURL(folder).href}/x/..//real/${dir.slice(9)}/`,
    ];
  }],
];

describe.each(spellings)('a directory of %s', (_, make) => {
  test('has one name', () => {
    const names = make().map(directoryName);
    expect(new Set(names).size).toBe(1);
    expect(directoryName(`${make()[0]!}/inner`)).not.toBe(names[0]);
  });

  test('is one to sessions, savers and writers', async () => {
    const [first, ...others] = make() as [string, ...string[]];
    const train = tf.train.step('train', () => 1);
    const open = (checkpointDir: string) => tf.train.MonitoredTrainingSession({ checkpointDir, onLog, handleSignals: false });
    const session = await open(first);
    const v = declare([1], 'v');
    for (const [i, other] of others.entries()) {
      const started = Date.now();
      const error = await errorOf(open(other));
      expect([error.name, error.message]).toEqual(['FailedPreconditionError', expect.stringContaining('another session that is open here trains in')]);
      expect(FileWriterCache.get(other)).toBe(FileWriterCache.get(first));
      expect(await new Saver({ onLog }).save(sess, `${other.replace(/\/+$/, '')}/by_hand`, i)).toMatch(`/by_hand-${i}`);
      await (await leaseDirectory(other, { wait: 0, log: onLog })).release();
      expect(Date.now() - started).toBeLessThan(4000);
    }
    await session.run(train);
    await session.close();
    for (const other of others) {
      expect((await latestCheckpoint(other))!).toMatch(/\/model.ckpt-1$/);
      const again = await open(other);
      expect(await again.run('global_step')).toBe(1);
      await again.close();
    }
    v.dispose();
    tf.resetDefaultGraph();
  });

  test('is one to a hook of the program\'s own', async () => {
    const [first, ...others] = make() as [string, ...string[]];
    const train = tf.train.step('train', () => 1);
    for (const other of others) {
      logged.length = 0;
      const hooks = [new tf.train.CheckpointSaverHook({ checkpointDir: other, saveSteps: 1 })];
      await tf.train.withMonitoredTrainingSession({ checkpointDir: first, hooks, onLog, handleSignals: false }, (s) => s.run(train));
      expect(logged.join()).toContain('your CheckpointSaverHook');
      expect(logged.join()).not.toContain('does not list');
    }
    const state = (await getCheckpointState(first))!;
    expect(state.allModelCheckpointPaths).toHaveLength(5);
    expect(state.modelCheckpointPath).toBe(`${first}/model.ckpt-${others.length}`);
    tf.resetDefaultGraph();
  });

  test('is one to a saver: the list is one, what is too old goes', async () => {
    const v = declare([1], 'v');
    const saver = new Saver({ maxToKeep: 2, onLog });
    const all = make();
    for (const [i, other] of all.entries()) {
      const path = `${other.replace(/\/+$/, '')}/m`;
      // At the same step again too, as a session does that goes on.
      if (i > 0) await saver.save(sess, path, i - 1);
      await saver.save(sess, path, i);
    }
    const n = all.length - 1;
    const indices = (await tf.io.openStorage(all[0]!).list()).map(({ name }) => name).filter((name) => name.endsWith('.index'));
    expect(indices).toEqual([`m-${n - 1}.index`, `m-${n}.index`].sort());
    const text = new TextDecoder().decode(await tf.io.openStorage(all[0]!).read('checkpoint'));
    expect(text).toBe(`model_checkpoint_path: "m-${n}"\nall_model_checkpoint_paths: "m-${n - 1}"\nall_model_checkpoint_paths: "m-${n}"\n`);
    v.dispose();
  });
});

test('a session keeps its directory when the process goes to another folder', async () => {
  const before = process.cwd();
  const [home, away] = ['home', 'away'].map((name) => join(folder, name)) as [string, string];
  for (const path of [home, away]) mkdirSync(path);
  const step = tf.train.step('train', () => 1);
  try {
    process.chdir(home);
    await tf.train.withMonitoredTrainingSession({ onLog, checkpointDir: 'run', saveCheckpointSteps: 1 }, async (s) => {
      await s.run(step);
      process.chdir(away);
      await s.run(step);
      // A relative path is one of the new folder for all others.
      await new Saver({ onLog }).save(null, 'run/own.ckpt');
    });
    expect(readdirSync(join(away, 'run')).filter((name) => name.startsWith('model'))).toEqual([]);
    expect(readdirSync(join(away, 'run'))).toContain('own.ckpt.index');
    expect(await latestCheckpoint(join(home, 'run'))).toContain('model.ckpt-2');
    // A hook that writes it in another way, and a creator of the program's own.
    process.chdir(home);
    const hooks = [new tf.train.CheckpointSaverHook({ checkpointDir: './run', saveSteps: 1 })];
    let fail = false;
    const hook = { beforeRun(): void {
      if (!fail) return;
      fail = false;
      throw new tf.errors.AbortedError('weak');
    } };
    const creator = new tf.train.ChiefSessionCreator({ checkpointDir: 'run' });
    const own = new tf.train.MonitoredSession(creator, [...hooks, hook], { onLog });
    await own.run(step);
    process.chdir(away);
    fail = true;
    await own.run(step);
    await own.close();
    expect(await latestCheckpoint(join(home, 'run'))).toContain('model.ckpt-4');
    expect(readdirSync(join(away, 'run')).filter((name) => name.startsWith('model'))).toEqual([]);
  } finally {
    process.chdir(before);
    tf.resetDefaultGraph();
  }
});

test('folders of the browser have one name too', () => {
  for (const scheme of ['opfs', 'indexeddb']) {
    for (const path of ['a/b', '/a/b', 'a//b/', './a/b', 'a/c/../b', '../a/b']) {
      expect(directoryName(`${scheme}://${path}`)).toBe(`${scheme}://a/b`);
    }
  }
});

test('a list that TensorFlow wrote has whole paths: they are those of this directory', async () => {
  const v = declare([1], 'v');
  const path = join(folder, 'whole');
  const saver = new Saver({ maxToKeep: 1, onLog });
  await saver.save(sess, `${path}/m`, 1);
  writeFileSync(join(path, 'checkpoint'), `model_checkpoint_path: "${path}/m-1"\nall_model_checkpoint_paths: "${path}/m-1"\n`);
  const near = relative('', path);
  expect((await getCheckpointState(near))!.modelCheckpointPath).toBe(`${near}/m-1`);
  const next = new Saver({ maxToKeep: 1, onLog });
  await next.recoverLastCheckpoints((await getCheckpointState(near))!.allModelCheckpointPaths);
  await next.save(sess, `${near}/m`, 2);
  expect(readdirSync(path).filter((name) => name.endsWith('.index'))).toEqual(['m-2.index']);
  await updateCheckpointState(path, `${near}/m-2`);
  expect((await getCheckpointState(path))!.modelCheckpointPath).toBe(`${path}/m-2`);
  v.dispose();
});

describe('where no directory can be', () => {
  const cases: [string, string, string, string?][] = [
    ['in /proc', '/proc/nope/x', 'NotFoundError', 'linux'], ['/proc', '/proc', 'NotFoundError', 'linux'],
    ['in a device', '/dev/null/x', 'FailedPreconditionError', 'linux'], ['a device', '/dev/null', 'FailedPreconditionError', 'linux'],
    ['in /sys', '/sys/tidemark', 'PermissionDeniedError', 'linux'],
    ['a zero', join(tmpdir(), 'a\0b'), 'InvalidArgumentError'], ['a long name', join(tmpdir(), 'x'.repeat(300)), 'InvalidArgumentError'],
    ['no escape', 'file:///%zz', 'InvalidArgumentError'], ['an unknown scheme', 'nosuch://x', 'InvalidArgumentError'],
    ['opfs in Node', 'opfs://x', 'UnimplementedError'], ['IndexedDB in Node', 'indexeddb://x/y', 'UnimplementedError'],
    ['IndexedDB without a name', 'indexeddb://', 'InvalidArgumentError'],
  ];
  test.each(cases)('%s: %p is %s', async (_, path, name, ...[platform]) => {
    if (platform && platform !== process.platform) return;
    const v = declare([1], 'v');
    const train = tf.train.step('train', () => 1);
    const session = tf.train.withMonitoredTrainingSession({ checkpointDir: path, onLog, handleSignals: false }, (s) => s.run(train));
    const errors = [await errorOf(session), await errorOf(new Saver({ onLog }).save(sess, `${path}/m`))];
    for (const error of errors) {
      expect(error.name).toBe(name);
      expect(error.message).toContain(path.replace('\0', '%00').slice(0, 10));
    }
    expect(errors[0]!.message.length).toBeGreaterThan(path.length + 10);
    v.dispose();
    tf.resetDefaultGraph();
  });

  test('reading says it too', async () => {
    const read = (path: string) => errorOf(latestCheckpoint(path));
    expect((await read('opfs://x')).name).toBe('UnimplementedError');
    expect((await read('nosuch://x')).name).toBe('InvalidArgumentError');
    if (process.platform !== 'linux') return;
    expect((await read('/dev/null/x')).name).toBe('FailedPreconditionError');
    expect(await latestCheckpoint('/proc/nope/x')).toBeNull();
  });
});

test('a path of a save may have `..` in it', async () => {
  const v = declare([1], 'v');
  await new Saver({ onLog }).save(sess, `${dir}/x/../m`, 1);
  expect(await textIn(dir, 'checkpoint')).toContain('model_checkpoint_path: "m-1"');
  expect(await latestCheckpoint(dir)).toBe(`${dir}/m-1`);
  v.dispose();
});
