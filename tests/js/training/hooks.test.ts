// The stock hooks: their rules and the exact runs at which they act.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { inWorld, Recorder } from './support.js';
import type { World } from './support.js';

const inGraph = (name: string, f: (world: World) => Promise<void>): void => test(name, () => inWorld(f));
const dir = 'memory://run';

/** Runs `n` steps; the clock advances after each by `secs`. */
async function steps(
  { options, clock }: World, hooks: tf.Hook[], n: number, secs = 0, train: tf.Fetch = tf.train.step('train', () => ({ loss: 1 })),
): Promise<void> {
  await tf.train.withMonitoredTrainingSession({ ...options, hooks }, async (sess) => {
    for (let i = 0; i < n && !sess.shouldStop(); i++) {
      await sess.run(train);
      clock.time += secs;
    }
  });
}

const tick = (): tf.Fetch => tf.train.step('train', () => tf.summary.scalar('loss', 1));

describe('SecondOrStepTimer', () => {
  inGraph('takes exactly one of seconds and steps', async () => {
    expect(() => new tf.train.SecondOrStepTimer()).toThrow('Either every_secs or every_steps');
    expect(() => new tf.train.SecondOrStepTimer({ everySecs: 0, everySteps: 100 })).toThrow('Can not provide both');
    expect(() => new tf.train.SecondOrStepTimer({ every_stops: 1 } as never)).toThrow("no option 'every_stops'");
  });

  inGraph('triggers by steps and by seconds', async ({ clock }) => {
    const byStep = new tf.train.SecondOrStepTimer(null, 3);
    expect(byStep.should_trigger_for_step(1)).toBe(true);
    expect(byStep.update_last_triggered_step(1)).toEqual([null, null]);
    expect([1, 2, 3, 4, 9].map((s) => byStep.shouldTriggerForStep(s))).toEqual([false, false, false, true, true]);
    const bySecs = new tf.train.SecondOrStepTimer({ every_secs: 2, clock });
    bySecs.updateLastTriggeredStep(1);
    clock.time += 1.9;
    expect(bySecs.shouldTriggerForStep(9)).toBe(false);
    clock.time += 0.1;
    expect(bySecs.shouldTriggerForStep(1)).toBe(false);
    expect(bySecs.shouldTriggerForStep(2)).toBe(true);
    const [secs, n] = bySecs.updateLastTriggeredStep(4);
    expect(secs).toBeCloseTo(2);
    expect(n).toBe(3);
    expect(bySecs.last_triggered_step()).toBe(4);
    bySecs.reset();
    expect(bySecs.shouldTriggerForStep(4)).toBe(true);
    const never = new tf.train.NeverTriggerTimer();
    expect([never.shouldTriggerForStep(1), never.updateLastTriggeredStep(1), never.lastTriggeredStep()]).toEqual([false, [null, null], null]);
  });
});

describe('CheckpointSaverHook', () => {
  inGraph('checks its arguments', async ({ storage }) => {
    const { CheckpointSaverHook, Scaffold } = tf.train;
    const saver = storage.makeSaver({ graph: tf.getDefaultGraph() } as never);
    expect(() => new CheckpointSaverHook({ checkpointDir: dir, saveSteps: 1, saver, scaffold: new Scaffold() })).toThrow('both saver and scaffold');
    expect(() => new CheckpointSaverHook(dir)).toThrow('Either every_secs');
    expect(() => new CheckpointSaverHook(dir, 1, 1)).toThrow('Can not provide both');
    const hook = new CheckpointSaverHook({ checkpoint_dir: dir, save_steps: 2 });
    await expect(tf.train.MonitoredTrainingSession({ hooks: [hook], handleSignals: false })).rejects.toThrow('Global step should be created');
  });

  inGraph('needs a saver of its own, of the scaffold, or of the collection', async (world) => {
    const train = tick();
    const graph = tf.getDefaultGraph();
    const bare = () => new tf.train.CheckpointSaverHook({ checkpointDir: dir, saveSteps: 2 });
    await steps(world, [bare()], 1, 0, train);
    expect(world.storage.steps('save')).toEqual([0, 1]);
    graph.addToCollection('savers', world.storage.makeSaver({ graph } as never));
    const scaffold = new tf.train.Scaffold({ saver: world.storage.makeSaver({ graph } as never) });
    await expect(tf.train.MonitoredTrainingSession({ ...world.options, scaffold, hooks: [bare()] })).rejects.toThrow('More than one item in collection savers');
    graph.clearCollection('savers');
    await expect(tf.train.MonitoredTrainingSession({ ...world.options, scaffold, hooks: [bare()] })).rejects.toThrow('No items in collection savers');
  });

  inGraph('saves before, every so many steps, and at the end what is not saved', async (world) => {
    await steps(world, [new tf.train.CheckpointSaverHook(dir, null, 2)], 5);
    expect(world.storage.steps('save')).toEqual([0, 2, 4, 5]);
    expect(world.storage.log.filter(({ what }) => what === 'CHECKPOINT')).toEqual(
      [0, 2, 4, 5].map((step) => ({ what: 'CHECKPOINT', step, directory: dir, checkpointPath: `${dir}/model.ckpt` })));
    expect(world.lines[0]).toBe(`Saving checkpoints for 0 into ${dir}/model.ckpt.`);
  });

  inGraph('saves by seconds', async (world) => {
    await steps(world, [new tf.train.CheckpointSaverHook(dir, 10)], 8, 3.1);
    // Armed at 0 s; runs end at 0, 3.1, ..., the first 10 s later is the fifth.
    expect(world.storage.steps('save')).toEqual([0, 5, 8]);
  });

  inGraph('writes the graph at creation and again once a function ran', async (world) => {
    await steps(world, [
      new tf.train.SummarySaverHook({ saveSteps: 100, outputDir: dir, summaryOp: 'summary_op' }),
      new tf.train.CheckpointSaverHook(dir, null, 100),
    ], 3, 0, tf.train.step('train', () => {
      tf.summary.scalar('loss', 1);
      return tf.ones([2]).square();
    }));
    expect(world.storage.log.map(({ what, step }) => `${what} ${step}`)).toEqual([
      'graph 0', 'meta 0', 'save 0', 'CHECKPOINT 0', 'START 1', 'summary 1', 'graph 1', 'flush -1', 'save 3', 'CHECKPOINT 3',
    ]);
    const text = world.storage.files.get(`${dir}/graph.pbtxt`)!;
    expect(text).toContain('name: "train/Square"');
    expect(text).toContain('name: "global_step"');
  });

  inGraph('writes no graph file when told so, but the events all the same', async (world) => {
    await steps(world, [new tf.train.CheckpointSaverHook({ checkpointDir: dir, saveSteps: 9, saveGraphDef: false })], 1);
    expect(world.storage.files.size).toBe(0);
    expect(world.storage.steps('graph')).toEqual([0, 1]);
    expect(world.storage.log.find(({ what }) => what === 'save')).toMatchObject({ meta: false });
  });

  inGraph('tells listeners in either case; one may end training', async (world) => {
    const calls: string[] = [];
    const both: tf.CheckpointListener = {
      begin: () => void calls.push('begin'),
      before_save: (_, step) => void calls.push(`before ${step}`),
      after_save: (_, step) => {
        calls.push(`after ${step}`);
        return step > 0;
      },
      end: (_, step) => void calls.push(`end ${step}`),
    };
    class Second extends tf.train.CheckpointSaverListener {
      override async afterSave(_: unknown, step: number): Promise<void> {
        calls.push(`second ${step}`);
      }
    }
    await steps(world, [new tf.train.CheckpointSaverHook({ checkpointDir: dir, saveSteps: 2, listeners: [both, new Second()] })], 9);
    // What answers at creation is passed over.
    expect(calls).toEqual(['begin', 'before 0', 'after 0', 'second 0', 'before 2', 'after 2', 'second 2', 'end 2']);
  });

  inGraph('a failing save is an error, or a warning', async (world) => {
    world.storage.failSaves = 1;
    const train = tick();
    const hook = () => new tf.train.CheckpointSaverHook(dir, null, 2);
    await expect(steps(world, [hook()], 1, 0, train)).rejects.toThrow('the disk is full');
    world.storage.failSaves = 1;
    await tf.train.withMonitoredTrainingSession({ ...world.options, onSaveError: 'warn', hooks: [hook()] }, async (sess) => {
      await sess.run(train);
    });
    expect(world.warnings).toEqual(['Saving for step 0 failed: the disk is full']);
    expect(world.storage.steps('save')).toEqual([1]);
  });
});

describe('SummarySaverHook', () => {
  inGraph('checks its arguments', async () => {
    const { SummarySaverHook, Scaffold } = tf.train;
    expect(() => new SummarySaverHook({ saveSteps: 1, outputDir: dir })).toThrow('Exactly one of scaffold or summary_op');
    expect(() => new SummarySaverHook({ saveSteps: 1, outputDir: dir, summaryOp: 'a', scaffold: new Scaffold() })).toThrow('Exactly one');
    expect(() => new SummarySaverHook({ saveSteps: 1, summaryOp: 'a' })).toThrow('output_dir or summary_writer');
    expect(() => new SummarySaverHook({ saveSteps: 1, saveSecs: 1, outputDir: dir, summaryOp: 'a' })).toThrow('Can not provide both');
  });

  inGraph('every 8 steps of 30: at 1, 9, 17, 25', async (world) => {
    await steps(world, [new tf.train.SummarySaverHook({ save_steps: 8, output_dir: dir, summary_op: 'summary_op' })], 30, 0, tick());
    expect(world.storage.steps('summary')).toEqual([1, 9, 17, 25]);
    expect(world.storage.steps('START')).toEqual([1]);
    expect(world.storage.log.at(-1)).toMatchObject({ what: 'flush' });
  });

  inGraph('every 9 s at 3.1 s a step: at 1, 4, 7', async (world) => {
    await steps(world, [new tf.train.SummarySaverHook({ saveSecs: 9, outputDir: dir, summaryOp: 'summary_op' })], 8, 3.1, tick());
    expect(world.storage.steps('summary')).toEqual([1, 4, 7]);
  });

  inGraph('every 9 s when the clock advances inside the step: at 1, 5', async (world) => {
    const train = tf.train.step('train', () => {
      world.clock.time += 3.1;
      tf.summary.scalar('loss', 1);
    });
    await steps(world, [new tf.train.SummarySaverHook({ saveSecs: 9, outputDir: dir, summaryOp: 'summary_op' })], 8, 0, train);
    expect(world.storage.steps('summary')).toEqual([1, 5]);
  });

  inGraph('writes several, and only the tags that are asked for', async (world) => {
    const train = tf.train.step('train', () => {
      tf.summary.scalar('a', 1);
      tf.summary.scalar('b', 2);
    });
    await steps(world, [new tf.train.SummarySaverHook({ saveSteps: 8, outputDir: dir, summaryOp: ['b', 'none', 'summary_op'] })], 1, 0, train);
    const written = world.storage.log.filter(({ what }) => what === 'summary').map(({ values }) => (values as unknown[]).length);
    expect(written).toEqual([1, 2]);
  });

  inGraph('without summaries there is START only', async (world) => {
    await steps(world, [new tf.train.SummarySaverHook({ saveSteps: 1, outputDir: dir, summaryOp: 'summary_op' })], 3);
    expect(world.storage.log.map(({ what }) => what)).toEqual(['START', 'flush']);
  });

  inGraph('summaries are not encoded in other runs', async (world) => {
    let asked = 0;
    const train = tf.train.step('train', () => tf.summary.scalar('loss', { valueOf: () => ++asked } as never));
    await steps(world, [new tf.train.SummarySaverHook({ saveSteps: 8, outputDir: dir, summaryOp: 'summary_op' })], 16, 0, train);
    expect(asked).toBe(2);
  });
});

describe('StepCounterHook', () => {
  inGraph('takes one of steps and seconds', async () => {
    expect(() => new tf.train.StepCounterHook(10, 5)).toThrow('exactly one of every_n_steps and every_n_secs');
    expect(() => new tf.train.StepCounterHook({ everyNSteps: null })).toThrow('exactly one');
  });

  inGraph('every 10 steps of 30: at 11 and 21, steps a second', async (world) => {
    await steps(world, [new tf.train.StepCounterHook({ everyNSteps: 10, outputDir: dir })], 30, 0.5);
    expect(world.storage.steps('summary')).toEqual([11, 21]);
    expect(world.lines).toEqual(['global_step/sec: 2', 'global_step/sec: 2']);
  });

  inGraph('by seconds', async (world) => {
    await steps(world, [new tf.train.StepCounterHook({ everyNSteps: null, everyNSecs: 4, outputDir: dir })], 10, 1);
    expect(world.storage.steps('summary')).toEqual([5, 9]);
  });

  inGraph('warns five times that the step stands still; no time passed is no infinity', async (world) => {
    tf.train.createGlobalStep();
    const still = tf.train.fetch('still', () => 1);
    await steps(world, [new tf.train.StepCounterHook({ everyNSteps: 1, outputDir: dir })], 9, 1, still);
    expect(world.warnings).toHaveLength(5);
    expect(world.warnings[0]).toContain('It seems that global step');
    expect(world.storage.log).toEqual([]);
  });

  inGraph('a clock that stands still gives no number', async (world) => {
    await steps(world, [new tf.train.StepCounterHook({ everyNSteps: 1, outputDir: dir })], 5);
    expect(world.storage.steps('summary')).toEqual([]);
  });
});

describe('LoggingTensorHook', () => {
  inGraph('checks its arguments', async () => {
    const { LoggingTensorHook } = tf.train;
    expect(() => new LoggingTensorHook(['a'])).toThrow('either at_end and/or exactly one');
    expect(() => new LoggingTensorHook(['a'], 1, 1)).toThrow('exactly one');
    expect(() => new LoggingTensorHook(['a'], 0)).toThrow('invalid every_n_iter=0');
    expect(() => new LoggingTensorHook(['a'], -1)).toThrow('invalid every_n_iter=-1');
    expect(() => new LoggingTensorHook('a' as never, 1)).toThrow('expected a list');
  });

  inGraph('every 10 runs: 1, 11, 21, 31', async (world) => {
    let run = 0;
    const train = tf.train.step('train', () => ({ run: ++run }));
    await steps(world, [new tf.train.LoggingTensorHook(['train/run'], { everyNIter: 10 })], 35, 0.25, train);
    expect(world.lines).toEqual([
      'train/run = 1', 'train/run = 11 (2.500 sec)', 'train/run = 21 (2.500 sec)', 'train/run = 31 (2.500 sec)',
    ]);
  });

  inGraph('counts its own runs, sorts tags of an object, keeps the order of a list', async (world) => {
    const step = tf.train.getOrCreateGlobalStep();
    step.assign(77);
    const train = tf.train.step('train', () => ({ b: tf.tensor1d([1, 2]), a: true }));
    const object = new tf.train.LoggingTensorHook({ zeta: 'train/a', alpha: 'train/b:0' }, 100);
    const list = new tf.train.LoggingTensorHook({ tensors: ['train/b', 'train/a', step], every_n_iter: 100 });
    await steps(world, [object, list], 3, 0, train);
    expect(world.lines).toEqual(['alpha = [1,2], zeta = true', 'train/b = [1,2], train/a = true, global_step = 77']);
  });

  inGraph('by seconds, with a formatter', async (world) => {
    const hook = new tf.train.LoggingTensorHook({
      tensors: { l: 'train/loss' }, everyNSecs: 2, formatter: ({ l }) => `loss ${String(l)}`,
    });
    await steps(world, [hook], 6, 1);
    expect(world.lines).toEqual(['loss 1', 'loss 1', 'loss 1']);
  });

  inGraph('once more at the end, with the last values of steps', async (world) => {
    const initial = tf.scalar(0);
    const w: tf.Variable = tf.variable(initial, true, 'w');
    initial.dispose();
    const train = tf.train.step('train', () => {
      w.assign(w.add(1));
      return { before: w.sub(1) };
    });
    await steps(world, [new tf.train.LoggingTensorHook({ tensors: ['train/before', w], atEnd: true })], 3, 0, train);
    expect(world.lines).toEqual(['train/before = 2, w = 3']);
  });

  inGraph('passes over what did not run', async (world) => {
    tf.train.step('other', () => ({ loss: 1 }));
    await steps(world, [new tf.train.LoggingTensorHook(['other/loss'], 1)], 2);
    expect(world.lines).toEqual([]);
  });
});

describe('StopAtStepHook', () => {
  inGraph('takes exactly one of its settings', async () => {
    expect(() => new tf.train.StopAtStepHook()).toThrow('One of num_steps or last_step');
    expect(() => new tf.train.StopAtStepHook(1, 2)).toThrow('Only one of num_steps or last_step');
  });

  const cases: [string, number, object, number][] = [
    ['last_step', 0, { last_step: 5 }, 5],
    ['last_step after a restore', 3, { lastStep: 5 }, 2],
    ['at last_step: no run', 5, { lastStep: 5 }, 0],
    ['past last_step: no run', 7, { lastStep: 5 }, 0],
    ['num_steps', 5, { num_steps: 3 }, 3],
  ];
  test.each(cases)('%s', (_, start, settings, expected) => inWorld(async (world) => {
    const step = tf.train.createGlobalStep();
    step.assign(start);
    await steps(world, [new tf.train.StopAtStepHook(settings)], 20);
    expect(step.number).toBe(start + expected);
  }));

  inGraph('num_steps counts from the first creation, across recoveries', async (world) => {
    let fail = true;
    const step = tf.train.createGlobalStep();
    step.assign(10);
    const train = tf.train.step('train', () => {
      if (step.number === 12 && fail) {
        fail = false;
        throw new tf.errors.AbortedError('x');
      }
    });
    const hooks = [new tf.train.StopAtStepHook({ numSteps: 4 })];
    await tf.train.withMonitoredTrainingSession(
      { ...world.options, hooks, checkpointDir: dir, saveCheckpointSteps: 1 },
      async (sess) => {
        while (!sess.shouldStop()) await sess.run(train);
      });
    expect(step.number).toBe(14);
    expect(world.storage.steps('save')).toEqual([10, 11, 12, 12, 13, 14]);
  });
});

describe('NanTensorHook', () => {
  const losing = (values: number[]) => {
    let run = 0;
    return tf.train.step('train', () => ({ loss: tf.scalar(values[run++]!) }));
  };

  inGraph('fails: no end, no final checkpoint', async (world) => {
    const recorder = new Recorder();
    const train = losing([1, Infinity, NaN]);
    const hooks = [recorder, new tf.train.NanTensorHook('train/loss'), new tf.train.CheckpointSaverHook(dir, null, 2)];
    await expect(steps(world, hooks, 5, 0, train)).rejects.toBeInstanceOf(tf.train.NanLossDuringTrainingError);
    expect(recorder.calls).not.toContain('end');
    expect(world.storage.steps('save')).toEqual([0, 2]);
    expect(world.warnings).toEqual(['Model diverged with loss = NaN.']);
  });

  inGraph('or warns and stops in a clean way', async (world) => {
    const recorder = new Recorder();
    await steps(world, [recorder, new tf.train.NanTensorHook({ loss_tensor: 'train/loss', fail_on_nan_loss: false })], 5, 0, losing([1, NaN, 1]));
    expect(recorder.calls.filter((c) => c === 'after')).toHaveLength(2);
    expect(recorder.calls.at(-1)).toBe('end');
  });

  inGraph('takes a scalar, and passes over runs without it', async (world) => {
    const vector = tf.train.step('vector', () => ({ loss: tf.ones([2]) }));
    await expect(steps(world, [new tf.train.NanTensorHook('vector/loss')], 1, 0, vector)).rejects.toThrow('must be a scalar');
    await steps(world, [new tf.train.NanTensorHook('vector/loss')], 2);
  });
});

describe('the others', () => {
  inGraph('FinalOpsHook evaluates at the end', async (world) => {
    const x = tf.placeholder('float32', [], 'x');
    const f = tf.train.fetch('f', { x }, ({ x }) => x.mul(2));
    const hook = new tf.train.FinalOpsHook([f, 'global_step'], { x: 4 });
    const none = new tf.train.FinalOpsHook(null);
    await steps(world, [hook, none], 3);
    expect(hook.finalOpsValues).toEqual([8, 3]);
    expect((hook as unknown as { final_ops_values: unknown }).final_ops_values).toEqual([8, 3]);
    expect(none.finalOpsValues).toBeNull();
    const ends = tf.train.fetch('ends', () => {
      throw new tf.errors.OutOfRangeError('data');
    });
    await expect(tf.train.withMonitoredTrainingSession({ ...world.options, hooks: [new tf.train.FinalOpsHook(ends)] }, async () => {})).rejects.toThrow('data');
    expect(world.warnings[0]).toContain('OutOfRangeError or StopIteration');
  });

  inGraph('GlobalStepWaiterHook waits once, half a second at a time', async (world) => {
    const step = tf.train.createGlobalStep();
    const { clock } = world;
    const sleep = clock.sleep.bind(clock);
    clock.sleep = async (secs) => {
      step.assign(step.number + 1001);
      await sleep(secs);
    };
    await steps(world, [new tf.train.GlobalStepWaiterHook(2500), new tf.train.GlobalStepWaiterHook({ wait_until_step: 0 })], 2);
    expect(clock.slept).toEqual([0.5, 0.5, 0.5]);
    expect(world.lines).toEqual([
      'Waiting for global step 2500 before starting training.',
      'Waiting for global step 2500 before starting training. Current step is 1001.',
      'Waiting for global step 2500 before starting training. Current step is 2002.',
      'Done waiting.',
    ]);
    expect(step.number).toBe(3005);
  });

  inGraph('FeedFnHook feeds from a function, an iterable or an async one', async (world) => {
    const x = tf.placeholder('float32', [], 'x');
    const seen: unknown[] = [];
    const train = tf.train.step('train', { x }, ({ x }) => {
      seen.push(x.arraySync());
      return null;
    });
    let n = 0;
    await steps(world, [new tf.train.FeedFnHook(() => ({ x: n++ }))], 2, 0, train);
    async function* data() {
      yield { x: 10 };
      yield new Map([[x, 11]]);
    }
    const end = new Recorder();
    await steps(world, [new tf.train.FeedFnHook(data()), end], 9, 0, train);
    expect(seen).toEqual([0, 1, 10, 11]);
    expect(end.calls.at(-1)).toBe('end');
  });

  inGraph('ProfilerHook every 2 steps: after runs 2 and 4', async (world) => {
    const train = tf.train.step('train', () => tf.ones([2]).square());
    await steps(world, [new tf.train.ProfilerHook({ saveSteps: 2, outputDir: dir, showMemory: true })], 5, 1, train);
    expect([...world.storage.files.keys()]).toEqual([`${dir}/timeline-2.json`, `${dir}/timeline-4.json`]);
    const metadata = world.storage.log.filter(({ what }) => what === 'metadata');
    expect(metadata.map(({ tag, step }) => [tag, step])).toEqual([['step_2', 2], ['step_4', 4]]);
    const { traceEvents } = JSON.parse(world.storage.files.get(`${dir}/timeline-2.json`)!) as { traceEvents: { name: string, ph: string }[] };
    expect(traceEvents.filter(({ ph }) => ph === 'X').map(({ name }) => name)).toEqual(['Fill', 'Square']);
    // step_stats > dev_stats > device, a string.
    const bytes = metadata[0]!['bytes'] as Uint8Array;
    expect(new TextDecoder().decode(bytes)).toContain('/device:CPU:0');
    expect(bytes[0]).toBe(10);
  });

  inGraph('ProfilerHook by seconds', async (world) => {
    await steps(world, [new tf.train.ProfilerHook({ saveSecs: 3, outputDir: dir })], 8, 1);
    expect([...world.storage.files.keys()]).toEqual([`${dir}/timeline-4.json`, `${dir}/timeline-7.json`]);
    expect(() => new tf.train.ProfilerHook({ outputDir: dir })).toThrow('Either every_secs');
  });

  inGraph('hooks work with a clock of their own', async (world) => {
    const own = { ...world.clock, now: () => 0, wallTime: () => 0, sleep: async () => {} };
    await steps(world, [new tf.train.CheckpointSaverHook({ checkpointDir: dir, saveSecs: 1, clock: own })], 4, 10);
    expect(world.storage.steps('save')).toEqual([0, 4]);
  });
});
