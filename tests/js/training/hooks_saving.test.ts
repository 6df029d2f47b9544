// Hooks that write: their rules and the exact runs at which they act.
import { describe, expect } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { inGraph, steps, tick } from './support.js';

const dir = 'memory://run';

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
    const train = tf.train.step('train', () => {
      const loss = tf.scalar(1);
      const read = loss.dataSync.bind(loss);
      loss.dataSync = ((...args) => {
        asked++;
        return read(...args);
      });
      tf.summary.scalar('loss', loss);
    });
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
