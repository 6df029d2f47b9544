// Sessions on directories whose files are not what was written.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { dir, options, programs } from './programs_support.js';

const text = (s: string): Uint8Array => new TextEncoder().encode(s);

/** Some steps in a directory; resolves to the global step and what was said. */
async function life(steps = 1): Promise<{ step: number; said: string }> {
  tf.resetDefaultGraph();
  const said: string[] = [];
  const onLog = (line: string, level: string): void => { if (level !== 'info') said.push(line); };
  const train = tf.train.step('train', () => 1);
  const step = await tf.train.withMonitoredTrainingSession(
    { ...options, onLog, checkpointDir: dir, saveCheckpointSteps: 1 }, async (sess) => {
      for (let i = 0; i < steps; i++) await sess.run(train);
      return await sess.run('global_step') as number;
    });
  return { step: step!, said: said.join() };
}

describe('a session', () => {
  programs();

  test.each(['', 'model_checkpoint_path: ""\n', 'model_che', 'model_checkpoint_path: "a:b"'])('goes on where the list says %p', async (list) => {
    await life(2);
    await tf.io.openStorage(dir).replaceAtomic('checkpoint', text(list));
    const { step, said } = await life();
    expect([step, said]).toEqual([3, expect.stringContaining(`using the checkpoint '${dir}/model.ckpt-2'`)]);
    expect(await tf.train.latestCheckpoint(dir)).toBe(`${dir}/model.ckpt-3`);
  });

  test('does not begin anew where all is damaged, and lets go of the directory', async () => {
    await life(2);
    const files = tf.io.openStorage(dir);
    const indices = (await files.list()).map(({ name }) => name).filter((name) => name.endsWith('.index'));
    for (const name of indices) await files.replaceAtomic(name, text('damaged'));
    const checkpoints = async () => (await files.list()).filter(({ name }) => /^(model|checkpoint)/.test(name)).map(({ name, size }) => [name, size]);
    const before = await checkpoints();
    const opening = life();
    await expect(opening).rejects.toBeInstanceOf(tf.errors.DataLossError);
    for (const step of [0, 1, 2]) await expect(opening).rejects.toThrow(`'${dir}/model.ckpt-${step}': `);
    expect(await checkpoints()).toEqual(before);
    await files.remove('checkpoint', ...indices);
    expect((await life()).step).toBe(1);
  });
});
