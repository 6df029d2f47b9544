// The other stock hooks: their rules and the exact runs at which they act.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { inGraph, inWorld, Recorder, steps } from './support.js';

const dir = 'memory://run';

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
