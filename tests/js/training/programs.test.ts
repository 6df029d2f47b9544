// Whole programs on real storage: the two of the guide, and what users reported.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { openStorage } from '../../../js/src/io/storage/open.js';
import { readRecords } from '../../../js/src/io/events/record.js';
import { decodeEvent } from '../../../js/src/io/events/event.js';
import type { ReadEvent } from '../../../js/src/io/events/event.js';
import { FakeClock, Recorder } from './support.js';

let number = 0;
let dir = '';
const options = { onLog: () => {}, handleSignals: false };

async function filesIn(directory: string): Promise<string[]> {
  return (await openStorage(directory).list()).map(({ name }) => name);
}

async function eventsIn(directory: string): Promise<ReadEvent[]> {
  const storage = openStorage(directory);
  const events: ReadEvent[] = [];
  for (const { name } of await storage.list()) {
    if (name.includes('tfevents')) events.push(...readRecords(await storage.read(name)).records.map(decodeEvent));
  }
  return events;
}

const scalars = (events: ReadEvent[], tag: string): [number, number][] =>
  events.flatMap(({ step, summary = [] }) => summary
    .filter((v) => v.tag === tag).map((v): [number, number] => [Number(step), v.simpleValue!]));

/** A program of one variable, as a page that was just loaded makes it. */
function fresh(body?: (w: tf.Variable) => unknown) {
  tf.disposeVariables();
  tf.keras.backend.clear_session();
  const initial = tf.scalar(1);
  const w: tf.Variable = tf.variable(initial, true, 'w');
  initial.dispose();
  return tf.train.step('train', () => (body ? body(w) : w.assign(w.sub(0.1))));
}

/** Saves as they happen: the steps, of every hook. */
class Saves extends tf.train.CheckpointSaverListener {
  readonly steps: number[] = [];
  override afterSave(_: unknown, step: number): void {
    this.steps.push(step);
  }
}

beforeEach(() => {
  dir = `memory://programs/${++number}`;
  tf.keras.backend.clear_session();
});

describe('programs', () => {
  afterEach(() => {
    tf.disposeVariables();
    tf.keras.backend.clear_session();
  });

  test('a Keras model in steps: trains, stops, and resumes from the newest checkpoint', async () => {
    const batch = tf.tidy(() => ({
      xs: tf.keep(tf.randomUniform([8, 28, 28, 1], 0, 1, 'float32', 3)),
      ys: tf.keep(tf.oneHot(tf.tensor1d([0, 1, 2, 3, 4, 5, 6, 7], 'int32'), 10)),
    }));
    const program = async (lastStep: number) => {
      tf.keras.backend.clear_session();
      tf.keras.utils.set_random_seed(1);
      const model = tf.keras.Sequential([
        tf.keras.layers.Flatten({ inputShape: [28, 28, 1] }),
        tf.keras.layers.Dense(10, { activation: 'softmax' }),
      ]);
      model.compile({ optimizer: tf.train.adam(1e-3), loss: 'categoricalCrossentropy', metrics: ['accuracy'] });
      const train = tf.train.step('train', () => {
        const logs = model.trainStep(batch.xs, batch.ys);
        tf.summary.scalar('loss', logs['loss']!);
        return logs;
      });
      const losses: number[] = [];
      await tf.train.withMonitoredTrainingSession(
        {
          ...options, checkpointDir: dir, saveCheckpointSteps: 4,
          hooks: [new tf.train.StopAtStepHook({ lastStep }), new tf.train.NanTensorHook('train/loss')],
        },
        async (sess) => {
          while (!sess.shouldStop()) losses.push((await sess.run(train))['loss'] as number);
        });
      const adam = model.optimizer;
      expect(adam.iterations).toBe(lastStep);
      model.dispose();
      adam.dispose();
      return losses;
    };
    const whole = await program(10);
    expect(whole).toHaveLength(10);
    expect(whole.at(-1)!).toBeLessThan(whole[0]!);
    dir += 'b';
    const parts = [...await program(5), ...await program(10)];
    // Moments and counters of the optimizer are restored too.
    parts.forEach((loss, i) => expect(loss).toBeCloseTo(whole[i]!, 5));
    const files = await filesIn(dir);
    expect(files).toEqual(expect.arrayContaining([
      'checkpoint', 'graph.pbtxt', 'model.ckpt-10.index', 'model.ckpt-10.data-00000-of-00001', 'model.ckpt-10.meta',
    ]));
    expect(scalars(await eventsIn(dir), 'loss').map(([step]) => step)).toEqual([1, 6]);
    tf.dispose(batch);
  });

  test('with feeds: steps, names, fetches beside them, and the end of the data', async () => {
    const x = tf.placeholder('float32', [null, 784], 'x');
    const y = tf.placeholder('float32', [null, 10], 'y');
    const w = tf.tidy(() => tf.variable(tf.zeros([784, 10]), true, 'w'));
    const opt = tf.train.sgd(0.1);
    const logits = tf.train.fetch('logits', { x }, ({ x }) => x.matMul(w as tf.Tensor2D));
    const train = tf.train.step('train', { x, y }, ({ x, y }) =>
      ({ loss: opt.minimize(() => tf.losses.softmaxCrossEntropy(y, x.matMul(w as tf.Tensor2D)), true, [w])! }));
    async function* batches() {
      for (let i = 0; i < 4; i++) {
        yield tf.tidy(() => ({
          xs: tf.keep(tf.randomUniform([5, 784], 0, 1, 'float32', i)),
          ys: Array.from({ length: 5 }, (_, n) => Array.from({ length: 10 }, (_, k) => Number(k === n))),
        }));
      }
    }
    const losses: number[] = [];
    await tf.train.withMonitoredTrainingSession({ ...options, checkpointDir: dir }, async (sess) => {
      for await (const b of batches()) {
        const { loss } = await sess.run(train, { x: b.xs, y: b.ys });
        losses.push(loss);
        const [step, p] = await sess.run(['global_step', logits], { x: b.xs });
        expect(step).toBe(losses.length);
        expect(p).toHaveLength(5);
        b.xs.dispose();
        if (sess.shouldStop()) break;
      }
    });
    expect(losses[0]).toBeCloseTo(Math.log(10), 5);
    expect(losses.at(-1)!).toBeLessThan(losses[0]!);
    expect(await tf.train.latestCheckpoint(dir)).toBe(`${dir}/model.ckpt-4`);
  });

  test('saves by steps, each step once', async () => {
    for (const [n, expected] of [[4, [0, 2, 4]], [5, [0, 2, 4, 5]]] as const) {
      const train = fresh();
      const saves = new Saves();
      await tf.train.withMonitoredTrainingSession({
        ...options, checkpointDir: `${dir}-${n}`,
        hooks: [new tf.train.CheckpointSaverHook({ checkpointDir: `${dir}-${n}`, saveSteps: 2, listeners: [saves] })],
      }, async (sess) => {
        for (let i = 0; i < n; i++) await sess.run(train);
      });
      expect(saves.steps).toEqual(expected);
    }
  });

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

  test('an event file begins as TensorFlow\'s, with the graph once more after the first run', async () => {
    const train = fresh((w) => {
      tf.summary.scalar('loss', w);
      return { loss: w.square() };
    });
    await tf.train.withMonitoredTrainingSession({ ...options, checkpointDir: dir, saveSummariesSteps: 1 }, async (sess) => {
      await sess.run(train);
    });
    const kinds = (await eventsIn(dir)).map((e) =>
      e.fileVersion ?? (e.graphDef ? 'graph' : e.metaGraphDef ? 'meta' : e.summary ? 'summary' :
        e.sessionLog ? ['', 'START', 'STOP', 'CHECKPOINT'][e.sessionLog.status]! : '?'));
    expect(kinds).toEqual([
      'brain.Event:2', 'graph', 'meta', 'graph', 'meta', 'CHECKPOINT', 'START', 'summary', 'graph', 'CHECKPOINT',
    ]);
    const storage = openStorage(dir);
    const text = new TextDecoder().decode(await storage.read('graph.pbtxt'));
    expect(text).toContain('name: "train/Square"');
    expect(text).toContain('name: "train/loss"');
  });

  test.each([true, false])('a hidden page saves what is not saved yet, once a minute: %p', async (checkpointOnHide) => {
    const page = Object.assign(new EventTarget(), { visibilityState: 'hidden' });
    const realm = globalThis as { document?: unknown };
    realm.document = page;
    const clock = new FakeClock();
    const hide = async (): Promise<void> => {
      page.dispatchEvent(new Event('visibilitychange'));
      await new Promise((resolve) => setTimeout(resolve, 50));
    };
    const latest = () => tf.train.latestCheckpoint(dir);
    try {
      const train = fresh();
      await tf.train.withMonitoredTrainingSession(
        { ...options, clock, checkpointOnHide, checkpointDir: dir, saveCheckpointSteps: 5 },
        async (sess) => {
          const seen: (string | null)[] = [];
          for (let i = 0; i < 3; i++) {
            await sess.run(train);
            await hide();
            seen.push(await latest());
            clock.time += 31;
          }
          expect(seen).toEqual((checkpointOnHide ? [1, 1, 3] : [0, 0, 0]).map((n) => `${dir}/model.ckpt-${n}`));
        });
      expect(await latest()).toBe(`${dir}/model.ckpt-3`);
    } finally {
      delete realm.document;
    }
  });

  test('a preemption restores the newest checkpoint', async () => {
    let run = 0;
    const train = fresh((w) => {
      w.assign(w.add(1));
      if (++run === 4) throw new tf.errors.UnavailableError('gone');
      return null;
    });
    const clock = new FakeClock();
    await tf.train.withMonitoredTrainingSession({ ...options, clock, checkpointDir: dir, saveCheckpointSteps: 2 }, async (sess) => {
      for (let i = 0; i < 5; i++) await sess.run(train);
      // Runs 1-3, the fourth fails: back to step 2, then it and one more.
      expect(await sess.run(['global_step', 'w'])).toEqual([4, 5]);
    });
  });

  test('1000 steps with every hook, and 50 recoveries: no tensor is left over', async () => {
    let run = 0;
    const train = fresh((w) => {
      tf.summary.scalar('w', w);
      if (++run % 20 === 0 && run <= 1000) throw new tf.errors.AbortedError('again');
      w.assign(w.mul(0.999));
      return { loss: w.square() };
    });
    const clock = new FakeClock();
    const counts: number[] = [];
    await tf.train.withMonitoredTrainingSession({
      ...options, clock, checkpointDir: dir, saveCheckpointSteps: 10, saveSummariesSteps: 10, maxRecoveries: 100,
      hooks: [
        new tf.train.LoggingTensorHook(['train/loss'], 10), new tf.train.NanTensorHook('train/loss'),
        new tf.train.ProfilerHook({ saveSteps: 200, outputDir: dir }), new tf.train.GlobalStepWaiterHook(0),
        new tf.train.StopAtStepHook(2000), new tf.train.FinalOpsHook('w'), new tf.train.FeedFnHook(() => ({})),
      ],
    }, async (sess) => {
      for (let i = 0; i < 1000; i++) {
        await sess.run(train);
        if (i % 100 === 99) counts.push(tf.memory().numTensors);
      }
    });
    expect(new Set(counts).size).toBe(1);
    expect(clock.slept).toHaveLength(50);
  }, 60000);
});
