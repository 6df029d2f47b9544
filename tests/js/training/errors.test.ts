// What programs do wrong: each time a clear error, nothing left behind, and
// the next session works.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { dir, options, programs } from './programs_support.js';

const { InvalidArgumentError, NotFoundError } = tf.errors;
const counts = (): [number, number] => [tf.memory().numTensors, tf.memory().numBytes];

/** A graph with a variable, a placeholder, a step and a fetch. */
function declared() {
  const initial = tf.ones([2]);
  const w: tf.Variable = tf.variable(initial, true, 'w');
  initial.dispose();
  const x = tf.placeholder('float32', [null, 2], 'x');
  const n = tf.placeholder('int32', [], 'n');
  const train = tf.train.step('train', { x }, ({ x }) => {
    w.assign(w.add(x.sum(0)));
    return { w: w.clone() };
  });
  const look = tf.train.fetch('look', { n }, ({ n }) => n.add(1));
  return { w, x, n, train, look };
}

type Made = ReturnType<typeof declared>;

/** Each mistake, then a good run, in one session. */
async function mistakes(wrong: (sess: tf.MonitoredSession, made: Made) => [() => Promise<unknown>, RegExp][]): Promise<void> {
  const made = declared();
  await tf.train.withMonitoredTrainingSession(options, async (sess) => {
    await sess.run([made.train, made.look], { x: [[1, 1]], n: 1 });
    const before = counts();
    for (const [attempt, message] of wrong(sess, made)) {
      await expect(attempt()).rejects.toThrow(message);
      await expect(attempt()).rejects.toBeInstanceOf(tf.TensorError);
      expect(counts()).toEqual(before);
      expect(sess.shouldStop()).toBe(false);
    }
    expect(await sess.run(made.look, { n: 4 })).toBe(5);
  });
}

describe('mistakes', () => {
  programs();

  test.each<[string, object, RegExp]>([
    ['a class for a hook', { hooks: [tf.train.StopAtStepHook] }, /^hooks: expected objects with some of begin, .*, end, got a function or class: make an instance/],
    ['null for a hook', { hooks: [null] }, /^hooks: expected objects with some of begin, .*, end, got null/],
    ['a text for a hook', { chiefOnlyHooks: ['x'] }, /^chief_only_hooks: expected objects with some of begin, .*, end, got 'x'/],
    ['one hook without a list', { hooks: new tf.train.StopAtStepHook(1) }, /^hooks: expected a list, got StopAtStepHook/],
    ['a text for steps', { checkpointDir: 'memory://e', saveCheckpointSteps: '10' }, /save_checkpoint_steps must be a whole number, got '10'/],
    ['NaN seconds', { saveSummariesSecs: NaN }, /save_summaries_secs must be a number, got NaN/],
    ['a number for a directory', { checkpointDir: 5 }, /checkpoint_dir must be a text, got 5/],
    ['a plain object for a scaffold', { scaffold: {} }, /scaffold must be a Scaffold/],
    ['an unknown option', { checkpoint_directory: 'x' }, /there is no option 'checkpoint_directory', only master, isChief/],
    ['an object for a clock', { clock: { now: () => 0 } }, /^MonitoredTrainingSession: clock must be a Clock, got an object/],
    ['a text for a log', { onLog: 'x' }, /^MonitoredTrainingSession: on_log must be a function/],
    ['a scheme nobody knows', { checkpointDir: 'ftp://x' }, /no storage is known for 'ftp:/],
  ])('in opening: %s', async (_, args, message) => {
    const { train } = declared();
    const before = counts();
    await expect(tf.train.MonitoredTrainingSession({ ...options, ...args })).rejects.toThrow(message);
    expect(counts()).toEqual(before);
    expect(tf.getDefaultGraph().finalized).toBe(false);
    await tf.train.withMonitoredTrainingSession(options, async (sess) => {
      await sess.run(train, { x: [[1, 1]] });
    });
  });

  test('too many arguments by position', async () => {
    const many = Array.from({ length: 17 }, () => undefined) as [];
    await expect(tf.train.MonitoredTrainingSession(...many, null as never)).rejects.toThrow('arguments are too many');
  });

  test('in fetches', () => mistakes((sess) => [
    [() => sess.run(undefined as never), /undefined cannot be fetched/],
    [() => sess.run({ a: undefined } as never), /undefined cannot be fetched/],
    [() => sess.run(7 as never), /run: 7 cannot be fetched/],
    [() => sess.run(Symbol('s') as never), /Symbol\(s\) cannot be fetched/],
    [() => sess.run((() => 1) as never), /a function cannot be fetched/],
    [() => sess.run(new Map([['a', 'w']]) as never), /run: Map cannot be fetched/],
    [() => sess.run([new Date()] as never), /run: Date cannot be fetched/],
    [() => {
      const x = tf.ones([1]);
      return sess.run(x as never).finally(() => x.dispose());
    }, /a tensor cannot be fetched/],
    [() => sess.run('nothing'), /the graph has nothing of the name 'nothing'/],
    [() => sess.run('train/w'), /a name never makes a function run/],
    [() => sess.run(['look', 'summary_op/x', 'x']), /You must feed a value for placeholder 'x'|a name never makes/],
  ]));

  test('in feeds', () => {
    const gone = tf.ones([1, 2]);
    gone.dispose();
    return mistakes((sess, { train, look, x }) => [
      [() => sess.run(train), /You must feed a value for placeholder 'x' with dtype float32 and shape \[\?,2\]/],
      [() => sess.run(train, { x: [[1, 2, 3]] }), /Cannot feed value of shape \[1,3\] for placeholder 'x'/],
      [() => sess.run(train, { x: [[1, 2], [3]] }), /feed: 'x'/],
      [() => sess.run(train, { x: 'text' }), /feed: 'x'/],
      [() => sess.run(train, { x: undefined }), /feed: 'x'/],
      [() => sess.run(train, { x: null }), /feed: 'x'/],
      [() => sess.run(train, { x: gone }), /disposed/],
      [() => sess.run(train, { y: 1 }), /no placeholder 'y'/],
      [() => sess.run(train, 5 as never), /expected an object or a Map/],
      [() => sess.run(train, [[1, 2]] as never), /expected an object or a Map/],
      [() => sess.run(train, new Map<unknown, unknown>([[x, [[1, 1]]], ['x:0', [[1, 1]]]]) as never), /fed twice/],
      [() => sess.run(look, { n: new Float32Array([1, 2]) }), /'n'/],
      [() => sess.run(look, { n: 1, x: [1] }), /for placeholder 'x'/],
    ]);
  });

  test('in summaries', async () => {
    const summaries: [() => unknown, RegExp][] = [
      [() => tf.summary.scalar('s', '1' as never), /^summary 's': expected a number, got '1'/],
      [() => tf.summary.scalar('s', null as never), /^summary 's': expected a number, got null/],
      [() => tf.summary.scalar('s', [1] as never), /^summary 's': expected a number/],
      [() => tf.summary.histogram('s', [1, '2'] as never), /^summary 's': Element arr\[1\] is a string/],
      [() => tf.summary.histogram('s', 'x' as never), /^summary 's': values passed to tensor\(values\) must be a number/],
      [() => tf.summary.image('s', [[1]]), /^summary 's': image: expected \[batch, height, width, channels\]/],
    ];
    const steps = summaries.map(([tell], i) => tf.train.step(`tell${i}`, () => void tell()));
    const hook = new tf.train.SummarySaverHook({ saveSteps: 1, outputDir: dir, summaryOp: 'summary_op' });
    await tf.train.withMonitoredTrainingSession({ ...options, hooks: [hook] }, async (sess) => {
      const before = counts();
      for (const [i, step] of steps.entries()) {
        await expect(sess.run(step)).rejects.toThrow(summaries[i]![1]);
        expect(counts()).toEqual(before);
      }
    });
    const writer = new tf.summary.FileWriter(dir, null, 5);
    expect(() => writer.addSummary({ loss: 'low' } as never)).toThrow("expected a number, got 'low'");
    writer.addSummary({ loss: 1 });
    await writer.close();
    expect(() => new tf.summary.FileWriter(5 as never)).toThrow('FileWriter: the path must be a text, got 5');
    expect(() => new tf.summary.FileWriter(dir, null, { flushSec: 5 } as never)).toThrow("FileWriter: there is no option 'flushSec', only maxQueue, flushSecs");
    expect(() => new tf.summary.FileWriter(dir, null, { flushSecs: 'soon' as never })).toThrow("FileWriter: flush_secs must be a number, got 'soon'");
  });

  test('in functions: they throw, are async, give what is gone', async () => {
    const { w } = declared();
    const steps = [
      [tf.train.step('async', async () => 1), /'async' returned a promise/],
      [tf.train.step('throws', () => { throw new TypeError('mine'); }), /^mine$/],
      [tf.train.step('declares', () => tf.tidy(() => tf.variable(tf.scalar(1), true, 'late'))), /Graph is finalized/],
      [tf.train.step('gone', () => {
        const x = tf.ones([1]);
        x.dispose();
        return x;
      }), /disposed/],
    ] as const;
    await tf.train.withMonitoredTrainingSession(options, async (sess) => {
      const before = counts();
      for (const [step, message] of steps) {
        await expect(sess.run(step)).rejects.toThrow(message);
        expect(counts()).toEqual(before);
      }
      expect(await sess.run('w')).toEqual([1, 1]);
      w.dispose();
      await expect(sess.run(w)).rejects.toMatchObject({ code: 'disposed' });
      await expect(sess.run('w')).rejects.toThrow("nothing of the name 'w'");
    });
  });

  test('after the end', async () => {
    const { train } = declared();
    const sess = await tf.train.MonitoredTrainingSession(options);
    await sess.close();
    const closed = 'Session is already closed.';
    await expect(sess.run(train, { x: [[1, 1]] })).rejects.toThrow(closed);
    await expect(sess.runStepFn((context) => context)).rejects.toThrow(closed);
    await expect(sess.close()).rejects.toThrow(closed);
    expect(() => sess.open()).toThrow(closed);
    expect([sess.shouldStop(), sess.graph, sess.closed]).toEqual([true, null, true]);
    sess.requestStop();
  });

  test('a close during a run is refused, and a block waits for the run it forgot', async () => {
    const { train } = declared();
    let later!: Promise<unknown>;
    const ends: string[] = [];
    const slow: tf.Hook = {
      beforeRun: () => new Promise((resolve) => { setTimeout(() => resolve(null), 1); }),
      afterRun: () => void ends.push('after'), end: () => void ends.push('end'),
    };
    await tf.train.withMonitoredTrainingSession({ ...options, hooks: [slow] }, async (sess) => {
      const first = sess.run(train, { x: [[1, 1]] });
      await expect(sess.close()).rejects.toThrow('close: a run of this session is in progress');
      await first;
      later = sess.run(train, { x: [[1, 1]] });
    });
    expect(ends).toEqual(['after', 'after', 'end']);
    await later;
  });

  test('a checkpoint of another model', async () => {
    const train = (name: string, shape: number[]): tf.Fetch => {
      tf.disposeVariables();
      tf.keras.backend.clear_session();
      tf.tidy(() => tf.variable(tf.zeros(shape), true, name));
      return tf.train.step('train', () => 1);
    };
    const open = { ...options, checkpointDir: dir, saveCheckpointSteps: 1 };
    const run = (step: tf.Fetch) => tf.train.withMonitoredTrainingSession(open, async (sess) => void await sess.run(step));
    await run(train('kernel', [2]));
    const other = run(train('weights', [2]));
    await expect(other).rejects.toBeInstanceOf(NotFoundError);
    await expect(other).rejects.toThrow(/Key weights not found in checkpoint .*model\.ckpt-1.*clear_session/);
    const wide = run(train('kernel', [3]));
    await expect(wide).rejects.toBeInstanceOf(InvalidArgumentError);
    await expect(wide).rejects.toThrow(/'kernel' is \[3\] here and \[2\] in the checkpoint\. Was the model changed/);
    // Nothing was written over it, and nobody holds the directory.
    await run(train('kernel', [2]));
    expect(await tf.train.latestCheckpoint(dir)).toBe(`${dir}/model.ckpt-2`);
  });

  test('a variable that is gone is no part of a checkpoint; one that is given is an error', async () => {
    const { w } = declared();
    const saver = new tf.train.Saver([w], { onLog: () => {} });
    w.dispose();
    await expect(saver.save(null, `${dir}/m`)).rejects.toBeInstanceOf(InvalidArgumentError);
    const path = await new tf.train.Saver({ onLog: () => {} }).save(null, `${dir}/m`);
    expect(await tf.train.listVariables(path)).toEqual([['global_step', []]]);
    tf.getDefaultGraph().clearCollection('global_step');
    await expect(new tf.train.Saver({ onLog: () => {} }).save(null, `${dir}/m`)).rejects.toThrow('No variables to save');
  });

  test('hooks without a global step, two feeds for one placeholder', async () => {
    const { look } = declared();
    tf.getDefaultGraph().clearCollection('global_step');
    await expect(tf.train.MonitoredTrainingSession({ ...options, hooks: [new tf.train.StopAtStepHook(1)] }))
      .rejects.toMatchObject({ code: 'state', message: expect.stringContaining('Global step should be created') });
    const feeding: tf.Hook = { beforeRun: () => new tf.train.SessionRunArgs(null, { n: 1 }) };
    await tf.train.withMonitoredTrainingSession({ ...options, hooks: [feeding] }, async (sess) => {
      await expect(sess.run(look, { n: 2 })).rejects.toMatchObject({ code: 'state' });
      expect(await sess.run(look)).toBe(2);
    });
  });
});
