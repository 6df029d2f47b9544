// A folder that the user has picked, which is a handle like those of the origin's own files.
import type * as Tidemark from '../../../js/src/index.js';
import { expect, test } from './quick_disk.js';

test('a picked folder takes a run and gives it back', async ({ page }) => {
  await page.goto('/pages/blank.html');
  const found = await page.evaluate(async () => {
    const source = '/dist/index.js';
    const tf = await import(source) as typeof Tidemark;
    await tf.ready();
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('picked', { create: true });
    const checkpointDir = await tf.io.pickedDirectory(folder);
    const w = tf.tidy(() => tf.variable(tf.scalar(0), true, 'w'));
    const train = tf.train.step('train', () => w.assign(tf.add(w, 1)));
    const program = (steps: number) => tf.train.withMonitoredTrainingSession({ checkpointDir, onLog() {} }, async (sess) => {
      for (let i = 0; i < steps; i++) await sess.run(train);
      return sess.run(['global_step', 'w']);
    });
    const first = await program(2);
    w.assign(tf.scalar(100));
    const second = await program(3);
    const refused: string = await tf.io.pickedDirectory({} as FileSystemDirectoryHandle).then(() => '', (error: Error) => error.message);
    const names: string[] = [];
    for await (const [name] of (folder as unknown as { entries(): AsyncIterable<[string, unknown]> }).entries()) names.push(name);
    return { first, second, refused, checkpointDir, names: names.sort() };
  });
  expect(found).toMatchObject({ first: [2, 2], second: [5, 5], refused: 'pickedDirectory: this is no handle of a directory' });
  expect(found.checkpointDir).toMatch(/^picked:\/\//);
  expect(found.names).toEqual(expect.arrayContaining(['checkpoint', 'model.ckpt-5.index', 'model.ckpt-5.data-00000-of-00001']));
});
