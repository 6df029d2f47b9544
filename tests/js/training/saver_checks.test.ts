// What savers refuse, and what they let go when the disk does not answer.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { latestCheckpoint, loadCheckpoint } from '../../../js/src/train/session/checkpoint_management.js';
import { leaseDirectory } from '../../../js/src/train/session/run_directory.js';
import { Saver } from '../../../js/src/train/session/saver.js';
import { declare, dir, errorOf, graph, logged, onLog, sess } from './saver_support.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-checks-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a saver', () => {
  test.each<[string, unknown[], string]>([
    ['maxToKeep -1', [{ maxToKeep: -1 }], 'max_to_keep must be a whole number from 0 on, got -1'],
    ['maxToKeep 1.5', [{ maxToKeep: 1.5 }], 'got 1.5'],
    ['maxToKeep of text', [{ maxToKeep: 'x' }], "got 'x'"],
    ['NaN hours', [{ keepCheckpointEveryNHours: NaN }], 'keep_checkpoint_every_n_hours must be a number from 0 on, got NaN'],
    ['a number for a variable', [[5]], "what '0' names in var_list is no variable"],
    ['a number for variables', [5], 'var_list must be a list of variables'],
  ])('is not made with %s', (_, given, message) => {
    expect(() => new Saver(...given)).toThrow(message);
  });

  test('takes no paths but texts, and no steps that are none', async () => {
    const v = declare([1], 'v');
    const saver = new Saver({ onLog });
    const calls = [
      loadCheckpoint(null as never), loadCheckpoint(5 as never), latestCheckpoint(5 as never),
      saver.save(sess, 5 as never), saver.restore(sess, 5 as never),
    ];
    for (const error of await Promise.all(calls.map(errorOf))) {
      expect([error.code, error.message]).toEqual(['argument', expect.stringMatching(/: the path must be a text, got (null|5)$/)]);
    }
    await expect(saver.save(sess, `${dir}/m`, 2n ** 63n)).rejects.toThrow('no whole number from 0 to 2^63 - 1');
    expect(await saver.save(sess, `${dir}/m`, 2n ** 63n - 1n)).toBe(`${dir}/m-9223372036854775807`);
    v.dispose();
  });

  test('says it where a file is in the way, and which names are good', async () => {
    const v = declare([1], 'v');
    const path = join(folder, 'file');
    writeFileSync(path, 'x');
    for (const call of [() => new Saver({ onLog }).save(sess, `${path}/m`), () => latestCheckpoint(path)]) {
      const error = await errorOf(call());
      expect([error.name, error.message]).toEqual(
        ['FailedPreconditionError', expect.stringMatching(/^a file is where a directory should be: .*file/)]);
    }
    const w = declare([1], 'a b');
    await expect(new Saver({ onLog }).save(sess, `${dir}/m`)).rejects.toThrow('letters, digits and _ . - / >');
    v.dispose();
    w.dispose();
  });

  test('tells once what was disposed since the last save or restore', async () => {
    const [v, w, x] = ['v', 'w', 'x'].map((name) => declare([1], name)) as [tf.Variable, tf.Variable, tf.Variable];
    const momentum = graph.asDefault(() => tf.train.momentum(0.1, 0.9));
    momentum.prepare([v, w, x]);
    const saver = new Saver({ onLog });
    const text = (names: string): string => `save: disposed since the last checkpoint: ${names}. This and later ` +
      'checkpoints are without, and a run that has these cannot be restored from them';
    await saver.save(sess, `${dir}/m`, 1);
    await saver.save(sess, `${dir}/m`, 2);
    expect(logged).toEqual([]);
    w.dispose();
    for (const step of [3, 4]) await saver.save(sess, `${dir}/m`, step);
    expect(logged.splice(0)).toEqual([text("'w', 'w/Momentum'")]);
    const other = new Saver({ onLog });
    await other.restore(sess, `${dir}/m-4`);
    x.dispose();
    for (const step of [5, 6]) await other.save(sess, `${dir}/m`, step);
    expect(logged).toEqual([text("'x', 'x/Momentum'")]);
    v.dispose();
    momentum.dispose();
  });

  test('lets go of a directory that a file has taken the place of', async () => {
    const v = declare([1], 'v');
    const path = join(folder, 'replaced');
    const lease = await leaseDirectory(path, { log: onLog });
    rmSync(path, { recursive: true });
    writeFileSync(path, 'x');
    expect(await errorOf(lease.release())).toMatchObject({ name: 'FailedPreconditionError', message: expect.stringContaining(path) });
    rmSync(path);
    const saver = new Saver({ onLog });
    expect(await saver.save(sess, `${path}/m`, 1)).toBe(`${path}/m-1`);
    const again = await leaseDirectory(path, { wait: 0, log: onLog });
    await again.release();
    v.dispose();
  });
});
