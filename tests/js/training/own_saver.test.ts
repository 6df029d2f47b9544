// Sessions with a saver of the program's own: what it leaves out.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import type { Saver } from '../../../js/src/train/session/saver.js';
import { dir, filesIn, fresh, options, programs } from './programs_support.js';

const life = (saver: Saver | null, train: unknown, logged: string[] = []): Promise<unknown> =>
  tf.train.withMonitoredTrainingSession({
    ...options, onLog: (message: string) => logged.push(message), checkpointDir: dir,
    ...(saver && { scaffold: new tf.train.Scaffold({ saver }) }),
  }, (sess) => sess.run([train, 'global_step'] as never));

describe("a session's saver", () => {
  programs();

  test('without the global step is refused, and nothing is written', async () => {
    let w: tf.Variable;
    const train = fresh((v) => (w = v).assign(v.add(1)));
    const [own] = [...tf.getDefaultGraph().variables.values()];
    await expect(life(new tf.train.Saver({ w: own! }), train)).rejects.toThrow(
      /^checkpoint_dir: the saver does not save global_step.*pass tf\.train\.getOrCreateGlobalStep\(\) in its variables/);
    expect(w!).toBeUndefined();
    expect((await filesIn(dir)).filter((name) => name.includes('ckpt'))).toEqual([]);
  });

  test('with the step counts on', async () => {
    const seen: unknown[] = [];
    for (let n = 0; n < 2; n++) {
      const train = fresh();
      const [own] = [...tf.getDefaultGraph().variables.values()];
      const saver = new tf.train.Saver([own!, tf.train.getOrCreateGlobalStep()]);
      seen.push((await life(saver, train) as unknown[])[1]);
    }
    // The step that each life begins at.
    expect(seen).toEqual([0, 1]);
  });

  test('says which slots and variables it leaves out', async () => {
    const logged: string[] = [];
    const train = fresh();
    const initial = tf.scalar(1);
    tf.variable(initial, true, 'other');
    initial.dispose();
    const graph = tf.getDefaultGraph();
    const optimizer = tf.train.momentum(0.1, 0.9);
    const own = graph.variables.get('w')!;
    await life(new tf.train.Saver([own, tf.train.getOrCreateGlobalStep()]), train, logged);
    expect(logged.filter((line) => line.includes('does not save'))).toEqual([
      "checkpoint_dir: the saver does not save 'other', the slots of Momentum: a later run starts with new ones"]);
    optimizer.dispose();
  });

  test('says so once of an optimizer that a step makes', async () => {
    let optimizer: tf.Optimizer | undefined;
    const train = fresh((w) => {
      optimizer ??= tf.train.momentum(0.1, 0.9);
      optimizer.minimize(() => w.square().asScalar(), false, [w]);
    });
    const logged: string[] = [];
    const own = tf.getDefaultGraph().variables.get('w')!;
    const saver = new tf.train.Saver([own, tf.train.getOrCreateGlobalStep()]);
    for (let n = 0; n < 2; n++) await life(saver, train, logged);
    await life(null, train, logged);
    expect(logged.filter((line) => line.includes('does not save'))).toEqual([
      'checkpoint_dir: the saver does not save the slots of Momentum: a later run starts with new ones',
      'checkpoint_dir: the saver does not save the slots of Momentum: a later run starts with new ones']);
    optimizer!.dispose();
  });

  test('of all says nothing, and refuses a variable with the name of the step', async () => {
    const logged: string[] = [];
    const train = fresh();
    await life(null, train, logged);
    expect(logged.filter((line) => line.includes('does not save'))).toEqual([]);
    const again = fresh();
    const initial = tf.scalar(1);
    tf.variable(initial, false, 'global_step');
    initial.dispose();
    await expect(life(null, again)).rejects.toThrow(/^Saver: a variable is named 'global_step'/);
    await expect(new tf.train.Saver().save(null, `${dir}/x`)).rejects.toThrow('give it another name');
  });
});
