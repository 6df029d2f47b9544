// Which checkpoints are kept, and which one is found.
import { describe, expect, jest, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { MemoryStorage } from '../../../js/src/io/storage/memory.js';
import { getCheckpointMtimes, getCheckpointState, latestCheckpoint, loadCheckpoint, soundState, updateCheckpointState, checkpointExists } from '../../../js/src/train/session/checkpoint_management.js';
import { Saver } from '../../../js/src/train/session/saver.js';
import { declare, dir, errorOf, filesIn, fixedClock, logged, onLog, sess } from './saver_support.js';

describe('keeping', () => {
  const kept = async (): Promise<number[]> =>
    (await filesIn(dir)).filter((name) => name.endsWith('.index')).map((name) => Number(/-(\d+)/.exec(name)![1]))
      .sort((a, b) => a - b);

  test('the newest five, and what another save moves to the end', async () => {
    const v = declare([1], 'v');
    const saver = new Saver({ onLog });
    for (const step of [1, 2, 3, 4, 5, 1, 6, 7]) await saver.save(sess, `${dir}/m`, step);
    expect(await kept()).toEqual([1, 4, 5, 6, 7]);
    expect(saver.last_checkpoints.map((p) => p.slice(-1))).toEqual(['4', '5', '1', '6', '7']);
    expect((await filesIn(dir)).filter((name) => name.includes('-2') || name.includes('prune'))).toEqual([]);
    v.dispose();
  });

  test('a save writes data, index, list, then removes what is too old, then writes the graph', async () => {
    const order: string[] = [];
    class Noting extends MemoryStorage {
      override commit(files: Parameters<MemoryStorage['commit']>[0]) {
        order.push(`commit ${Object.keys(files).join(' ')}`);
        return super.commit(files);
      }
      override remove(...names: string[]) {
        order.push(`remove ${names.join(' ')}`);
        return super.remove(...names);
      }
    }
    const v = declare([1], 'v');
    const saver = new Saver({ maxToKeep: 1, onLog, open: () => new Noting(dir.slice('memory://'.length)) });
    await saver.save(sess, `${dir}/m`, 1);
    expect(order.splice(0)).toEqual(['commit m-1.data-00000-of-00001 m-1.index checkpoint', 'commit m-1.meta']);
    tf.tidy(() => v.assign(tf.tensor1d([2])));
    await saver.save(sess, `${dir}/m`, 2);
    expect(order).toEqual([
      'commit m-2.data-00000-of-00001 m-2.index checkpoint checkpoint.prune',
      'remove m-1.index m-1.data-00000-of-00001 m-1.meta', 'remove checkpoint.prune', 'commit m-2.meta',
    ]);
    v.dispose();
  });

  test('an earlier run is counted on', async () => {
    const v = declare([1], 'v');
    const first = new Saver({ maxToKeep: 2, onLog });
    for (const step of [1, 2, 3]) await first.save(sess, `${dir}/m`, step);
    const state = (await getCheckpointState(dir))!;
    expect(state.all_model_checkpoint_paths).toEqual([`${dir}/m-2`, `${dir}/m-3`]);
    const second = new Saver({ max_to_keep: 2, onLog });
    await second.recoverLastCheckpoints([`${dir}/m-1`, ...state.allModelCheckpointPaths]);
    for (const step of [4, 5, 6]) await second.save(sess, `${dir}/m`, step);
    expect(await kept()).toEqual([5, 6]);
    expect((await getCheckpointState(dir))!.allModelCheckpointPaths).toEqual([`${dir}/m-5`, `${dir}/m-6`]);
    v.dispose();
  });

  test.each([0, null])('max_to_keep %s keeps and lists all', async (maxToKeep) => {
    const v = declare([1], 'v');
    const saver = new Saver({ maxToKeep, onLog });
    for (let step = 1; step <= 7; step++) await saver.save(sess, `${dir}/m`, step);
    expect(await kept()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect((await getCheckpointState(dir))!.allModelCheckpointPaths).toHaveLength(7);
    v.dispose();
  });

  test('one in so many hours is kept for good', async () => {
    const v = declare([1], 'v');
    const seconds = { now: 0 };
    const saver = new Saver({ maxToKeep: 1, keepCheckpointEveryNHours: 1, clock: fixedClock(seconds), onLog });
    for (let step = 1; step <= 8; step++) {
      seconds.now = step * 1000;
      await saver.save(sess, `${dir}/m`, step);
    }
    // Later than 3600 s: step 4; later than 7200 s: step 8, which is the newest still.
    expect(await kept()).toEqual([4, 8]);
    seconds.now = 9000;
    await saver.save(sess, `${dir}/m`, 9);
    expect(await kept()).toEqual([4, 8, 9]);
    v.dispose();
  });

  test('a save of the moment replaces the last one and pushes none out', async () => {
    const v = declare([1], 'v');
    const saver = new Saver({ maxToKeep: 2, onLog });
    for (const [step, transient] of [[1, false], [2, false], [3, true], [4, true]] as const) {
      await saver.save(sess, `${dir}/m`, { globalStep: step, transient });
    }
    expect(await kept()).toEqual([1, 2, 4]);
    expect(await latestCheckpoint(dir)).toBe(`${dir}/m-4`);
    await saver.save(sess, `${dir}/m`, { globalStep: 5 });
    expect(await kept()).toEqual([2, 4, 5]);
    // Saved again as a common one, it counts.
    await saver.save(sess, `${dir}/m`, { globalStep: 4 });
    expect(await kept()).toEqual([4, 5]);
    v.dispose();
  });
});

describe('which checkpoint', () => {
  const damage = async (name: string, at: number): Promise<void> => {
    const storage = new MemoryStorage(dir.slice(9));
    const bytes = await storage.read(name);
    bytes[at]! ^= 1;
    await storage.replaceAtomic(name, bytes);
  };
  const three = async (): Promise<tf.Variable> => {
    const v = declare([1], 'v');
    const saver = new Saver({ onLog });
    for (const step of [1, 2, 3]) {
      tf.tidy(() => v.assign(tf.tensor1d([step])));
      await saver.save(sess, `${dir}/m`, step);
    }
    return v;
  };

  const write = (name: string, text: string): Promise<void> =>
    new MemoryStorage(dir.slice(9)).replaceAtomic(name, new TextEncoder().encode(text));

  test('none: where there are no files, or others', async () => {
    expect([await latestCheckpoint(dir), await getCheckpointState(dir), await soundState(dir, onLog)]).toEqual([null, null, null]);
    await write('words.index', 'a book');
    expect([await latestCheckpoint(dir, null, onLog), await soundState(dir, onLog), logged]).toEqual([null, null, []]);
    await expect(loadCheckpoint(dir)).rejects.toThrow(`there is no checkpoint '${dir}'`);
  });

  test.each([
    ['', 'names none'], ['model_checkpoint_path: ""', 'names none'], ['all_model_checkpoint_paths: "m-1"', 'names none'],
    ['model_che', 'no list of checkpoints'], ['\0\xff', 'no list of checkpoints'],
    ['model_checkpoint_path: "m:1"', "no name for a file"], ['model_checkpoint_path: "nosuch://a/m-1"', 'no storage is known'],
    ['model_checkpoint_path: "opfs://a/m-1"', "'opfs://a/m-1': opfs://a: there is no origin private file system"],
    [`model_checkpoint_path: "${'x'.repeat(300)}"`, 'there is no checkpoint'],
    ['model_checkpoint_path: "/dev/null/x/m-1"', "'/dev/null/x/m-1': a file is where a directory should be"],
  ])('a list that says %p: the newest there is, and it is said', async (text, said) => {
    const silent = jest.spyOn(console, 'warn').mockImplementation(() => {});
    const v = await three();
    await write('checkpoint', text);
    expect(await latestCheckpoint(dir, null, onLog)).toBe(`${dir}/m-3`);
    expect(logged.join()).toContain(said);
    expect(logged.at(-1)).toContain(`using the checkpoint '${dir}/m-3'`);
    expect((await soundState(dir, onLog))!.modelCheckpointPath).toBe(`${dir}/m-3`);
    expect((await loadCheckpoint(dir)).path).toBe(`${dir}/m-3`);
    expect(await getCheckpointState(dir)).toEqual(said.startsWith('names') || said.startsWith('no list') ? null : expect.anything());
    silent.mockRestore();
    v.dispose();
  });

  test('all are damaged: which, how, and what to do', async () => {
    const v = await three();
    for (const step of [1, 2]) await damage(`m-${step}.index`, 10);
    await damage('m-3.data-00000-of-00001', 1);
    const lost = await errorOf(soundState(dir, onLog));
    expect([lost.name, lost.message]).toEqual(['DataLossError', expect.stringContaining(`no checkpoint in '${dir}' can be used`)]);
    for (const step of [1, 2, 3]) expect(lost.message).toMatch(new RegExp(`'${dir}/m-${step}': [^;]*checksum`));
    expect(lost.message).toMatch(/To start over, move or delete them and the file 'checkpoint'$/);
    await write('m-3.index', '');
    await new MemoryStorage(dir.slice(9)).remove('checkpoint');
    for (const call of [soundState(dir, onLog), loadCheckpoint(dir)]) expect((await errorOf(call)).name).toBe('DataLossError');
    // As TensorFlow: a null that is logged.
    logged.length = 0;
    expect([await latestCheckpoint(dir, null, onLog), logged.join()]).toEqual([null, expect.stringContaining('can be used')]);
    v.dispose();
  });

  test('a list of what is gone is no fresh start', async () => {
    await updateCheckpointState(dir, `${dir}/m-9`);
    expect((await errorOf(soundState(dir, onLog))).message).toContain(`there is no checkpoint '${dir}/m-9'`);
  });

  test('a damaged index: the one before, and it is said', async () => {
    const v = await three();
    await damage('m-3.index', 10);
    expect(await latestCheckpoint(dir, null, onLog)).toBe(`${dir}/m-2`);
    expect(logged.at(-1)).toContain(`using the checkpoint '${dir}/m-2'`);
    expect(logged.at(-1)).toContain('m-3');
    v.dispose();
  });

  test('damaged or short data: the one before', async () => {
    const v = await three();
    await damage('m-3.data-00000-of-00001', 1);
    // The index is whole: only reading all of it finds out.
    expect(await latestCheckpoint(dir, null, onLog)).toBe(`${dir}/m-3`);
    const state = (await soundState(dir, onLog))!;
    expect(state.modelCheckpointPath).toBe(`${dir}/m-2`);
    expect(state.allModelCheckpointPaths).toEqual([`${dir}/m-1`, `${dir}/m-3`, `${dir}/m-2`]);
    expect((await errorOf(new Saver({ onLog }).restore(sess, `${dir}/m-3`))).name).toBe('DataLossError');
    expect(v.arraySync()).toEqual([3]);
    await new MemoryStorage(dir.slice(9)).replaceAtomic('m-2.data-00000-of-00001', new Uint8Array(1));
    expect((await soundState(dir, onLog))!.modelCheckpointPath).toBe(`${dir}/m-1`);
    v.dispose();
  });

  test('a state that is gone, unreadable, or lists what is gone: the newest there is', async () => {
    const v = await three();
    const storage = new MemoryStorage(dir.slice(9));
    await storage.replaceAtomic('checkpoint', new TextEncoder().encode('model_checkpoint_path: "m-9'));
    expect(await latestCheckpoint(dir, null, onLog)).toBe(`${dir}/m-3`);
    expect(logged.some((line) => line.includes('no list of checkpoints'))).toBe(true);
    await storage.remove('checkpoint');
    expect(await latestCheckpoint(dir, null, onLog)).toBe(`${dir}/m-3`);
    await updateCheckpointState(dir, `${dir}/m-9`, [`${dir}/m-8`, `${dir}/m-9`]);
    expect(await latestCheckpoint(dir, null, onLog)).toBe(`${dir}/m-3`);
    await expect(updateCheckpointState(dir, `${dir}/checkpoint`)).rejects.toThrow('conflicts');
    v.dispose();
  });

  test('without a list the highest step is the newest, whatever the files say', async () => {
    const v = await three();
    const storage = new MemoryStorage(dir.slice(9));
    await storage.remove('checkpoint');
    await new Promise((resolve) => setTimeout(resolve, 5));
    await storage.replaceAtomic('m-1.index', await storage.read('m-1.index'));
    expect(await latestCheckpoint(dir, null, onLog)).toBe(`${dir}/m-3`);
    v.dispose();
  });

  test('times, existence', async () => {
    const v = await three();
    expect(await getCheckpointMtimes([`${dir}/m-1`, `${dir}/m-7`])).toHaveLength(1);
    expect([await checkpointExists(`${dir}/m-1`), await checkpointExists(`${dir}/m-7`)]).toEqual([true, false]);
    v.dispose();
  });
});
