// What users of TensorFlow's monitored sessions have reported.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { dir, eventsIn, filesIn, fresh, options, programs, Saves, scalars } from './programs_support.js';
import { Recorder } from './support.js';

describe('what users have reported', () => {
  programs();

  // tensorflow/tensorflow#15900: no way to save by steps; each step is saved once, the last one only if it is not saved yet.
  test('saves by steps, each step once', async () => {
    for (const [n, expected] of [[4, [0, 2, 4]], [5, [0, 2, 4, 5]]] as const) {
      const train = fresh();
      const saved: number[] = [];
      const onLog = (line: string): void => {
        const step = /^Saving checkpoints for (\d+) into/.exec(line)?.[1];
        if (step !== undefined) saved.push(Number(step));
      };
      await tf.train.withMonitoredTrainingSession({ ...options, onLog, checkpointDir: `${dir}-${n}`, saveCheckpointSteps: 2 }, async (sess) => {
        for (let i = 0; i < n; i++) await sess.run(train);
      });
      expect(saved).toEqual(expected);
      const state = await tf.train.getCheckpointState(`${dir}-${n}`);
      expect(state!.allModelCheckpointPaths.map((path) => Number(path.split('-').at(-1)))).toEqual(expected);
    }
  });

  // tensorflow/models#9650: fewer steps than one interval saved nothing.
  test('a clean exit leaves the last step', async () => {
    let train = fresh();
    const open = { ...options, checkpointDir: dir, saveCheckpointSteps: 10 };
    await tf.train.withMonitoredTrainingSession(open, async (sess) => {
      for (let i = 0; i < 8; i++) await sess.run(train);
    });
    expect((await filesIn(dir)).filter((f) => f.endsWith('.index'))).toEqual(['model.ckpt-0.index', 'model.ckpt-8.index']);
    train = fresh();
    await tf.train.withMonitoredTrainingSession(open, async (sess) => {
      const [step, w] = await sess.run(['global_step', 'w']);
      expect(step).toBe(8);
      expect(w).toBeCloseTo(0.2, 5);
    });
  });

  // tensorflow/tensorflow#6081: after a restart hooks counted from 0 again.
  test('hooks see the restored step and weights', async () => {
    const open = { ...options, checkpointDir: dir };
    let train = fresh();
    await tf.train.withMonitoredTrainingSession(open, async (sess) => {
      for (let i = 0; i < 5; i++) await sess.run(train);
    });
    train = fresh();
    const seen: unknown[] = [];
    const hook: tf.Hook = {
      beforeRun: async ({ session }) => void seen.push(await session.run(['global_step', 'w'])),
      afterRun: async ({ session }) => void seen.push(await session.run(['global_step', 'w'])),
    };
    await tf.train.withMonitoredTrainingSession({ ...open, hooks: [hook] }, async (sess) => {
      await sess.run(train);
    });
    const [before, after] = seen as [number, number][];
    expect([before![0], after![0]]).toEqual([5, 6]);
    expect(before![1]).toBeCloseTo(0.5, 5);
    expect(after![1]).toBeCloseTo(0.4, 5);
  });

  // mozilla/DeepSpeech#1317: a user's checkpoint hook and the built-in one both saved.
  test('your own checkpoint hook and the built-in one do not both save', async () => {
    const train = fresh();
    const saves = new Saves();
    const warnings: string[] = [];
    await tf.train.withMonitoredTrainingSession({
      ...options, onLog: (line: string, level: string) => void (level === 'warn' && warnings.push(line)), checkpointDir: dir,
      hooks: [new tf.train.CheckpointSaverHook({ checkpointDir: dir, saveSteps: 3, listeners: [saves] })],
    }, async (sess) => {
      for (let i = 0; i < 6; i++) await sess.run(train);
    });
    expect(saves.steps).toEqual([0, 3, 6]);
    expect(warnings).toHaveLength(1);
    const state = await tf.train.getCheckpointState(dir);
    expect(state!.allModelCheckpointPaths.map((p) => p.split('-').at(-1))).toEqual(['0', '3', '6']);
  });

  // tensorflow/tensorflow#14071: no documented way for a loop or a hook to ask for the end.
  test('a hook ends the loop by the loss', async () => {
    const losses = [0.5, 0.3, 0.1, 0.05];
    let run = 0;
    const train = fresh(() => ({ loss: losses[run++] }));
    const saves = new Saves();
    const order = new Recorder();
    const stop: tf.Hook = {
      beforeRun: () => new tf.train.SessionRunArgs('train/loss'),
      afterRun: (context, { results }) => {
        if ((results as number) < 0.2) context.requestStop();
      },
    };
    await tf.train.withMonitoredTrainingSession({
      ...options, hooks: [stop, order, new tf.train.CheckpointSaverHook({ checkpointDir: dir, saveSteps: 100, listeners: [saves] })],
    }, async (sess) => {
      while (!sess.shouldStop()) await sess.run(train);
    });
    expect(run).toBe(3);
    expect(order.calls.filter((c) => c === 'after')).toHaveLength(3);
    expect(order.calls.filter((c) => c === 'end')).toHaveLength(1);
    expect(saves.steps).toEqual([0, 3]);
  });

  // PrimeIntellect-ai/prime-rl#3352: resuming at or past the last step hung, or made one run more.
  test('resuming at or past the last step makes no run', async () => {
    const reach = async (settings: object) => {
      const train = fresh();
      const ran: number[] = [];
      await tf.train.withMonitoredTrainingSession({
        ...options, checkpointDir: dir, saveCheckpointSteps: 100, hooks: [new tf.train.StopAtStepHook(settings)],
      }, async (sess) => {
        while (!sess.shouldStop()) {
          await sess.run(train);
          ran.push((await sess.run('global_step').catch(() => tf.train.getGlobalStep()!.number)) as number);
        }
      });
      return ran;
    };
    expect(await reach({ lastStep: 5 })).toEqual([1, 2, 3, 4, 5]);
    const files = await filesIn(dir);
    expect(await reach({ lastStep: 5 })).toEqual([]);
    const indexes = (list: string[]) => list.filter((f) => f.endsWith('.index'));
    expect(indexes(await filesIn(dir))).toEqual(indexes(files));
    expect(await reach({ numSteps: 3 })).toEqual([6, 7, 8]);
    expect(await reach({ lastStep: 5 })).toEqual([]);
    expect(await tf.train.latestCheckpoint(dir)).toBe(`${dir}/model.ckpt-8`);
  });

  // tensorflow/tensorflow#17951: errors and the end of the data looked alike to hooks.
  test('a step that throws, and the end of the data, look different', async () => {
    const attempt = async (make: () => Error, where: string) => {
      let run = 0;
      const train = fresh(() => {
        if (++run === 3) throw make();
        return null;
      });
      const hooks = [new Recorder(), new Recorder()];
      let caught: unknown;
      try {
        await tf.train.withMonitoredTrainingSession(
          { ...options, checkpointDir: where, saveCheckpointSteps: 1, hooks },
          async (sess) => {
            while (!sess.shouldStop()) await sess.run(train);
          });
      } catch (error) {
        caught = error;
      }
      return { hooks, caught, latest: await tf.train.latestCheckpoint(where) };
    };
    const counts = (hook: Recorder) => ['begin', 'create', 'before', 'after', 'end'].map((c) => hook.calls.filter((x) => x === c).length);
    const failed = await attempt(() => new RangeError('step 3'), `${dir}/e`);
    expect(failed.caught).toBeInstanceOf(RangeError);
    expect(failed.hooks.map(counts)).toEqual([[1, 1, 3, 2, 0], [1, 1, 3, 2, 0]]);
    expect(failed.latest).toBe(`${dir}/e/model.ckpt-2`);
    const ended = await attempt(() => new tf.errors.OutOfRangeError('no more'), `${dir}/d`);
    expect(ended.caught).toBeUndefined();
    expect(ended.hooks.map(counts)).toEqual([[1, 1, 3, 2, 1], [1, 1, 3, 2, 1]]);
    expect(ended.latest).toBe(`${dir}/d/model.ckpt-2`);
  });

  // tensorflow/tensorflow#16215: max_to_keep forgot checkpoints of earlier runs; 0 kept all files and listed one.
  test.each([[2, ['5', '6']], [0, ['0', '1', '2', '3', '4', '5', '6']]])('max_to_keep %p counts on over runs', async (maxToKeep, kept) => {
    for (let life = 0; life < 2; life++) {
      const train = fresh();
      const scaffold = new tf.train.Scaffold({ saver: new tf.train.Saver({ maxToKeep, onLog: () => {} }) });
      await tf.train.withMonitoredTrainingSession(
        { ...options, scaffold, checkpointDir: dir, saveCheckpointSteps: 1 },
        async (sess) => {
          for (let i = 0; i < 3; i++) await sess.run(train);
        });
    }
    const steps = (await filesIn(dir)).map((f) => /-(\d+)\.index$/.exec(f)?.[1]).filter((s) => s !== undefined);
    expect(steps).toEqual(kept);
    const state = await tf.train.getCheckpointState(dir);
    expect(state!.allModelCheckpointPaths.map((p) => p.split('-').at(-1))).toEqual(kept);
    for (const path of state!.allModelCheckpointPaths) expect(await tf.train.checkpointExists(path)).toBe(true);
  });

  // tensorflow/tensorflow#11350: users dug in private fields for the session's event writer.
  test('one writer of a directory, for the session and for you', async () => {
    const train = fresh((w) => {
      tf.summary.scalar('train', w);
      return null;
    });
    await tf.train.withMonitoredTrainingSession(
      { ...options, checkpointDir: dir, saveSummariesSteps: 2 },
      async (sess) => {
        for (let i = 1; i <= 4; i++) {
          await sess.run(train);
          if (i === 3) tf.summary.FileWriterCache.get(dir).addSummary({ val: 7 }, 3);
        }
      });
    expect((await filesIn(dir)).filter((f) => f.includes('tfevents'))).toHaveLength(1);
    const events = await eventsIn(dir);
    expect(scalars(events, 'train')).toEqual([[1, 1], [3, 1]]);
    expect(scalars(events, 'val')).toEqual([[3, 7]]);
    const steps = events.filter(({ summary }) => summary).map(({ step }) => Number(step));
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
  });
});
