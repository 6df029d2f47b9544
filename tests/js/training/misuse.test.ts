// What programs get wrong, or do in an order nobody thought of.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { inGraph, inWorld, Recorder, steps, tick } from './support.js';
import type { World } from './support.js';

const dir = 'memory://run';
const { InvalidArgumentError } = tf.errors;
const { LoggingTensorHook, NanTensorHook, SummarySaverHook } = tf.train;

describe('runs that only look at something', () => {
  inGraph('leave the turn of summaries to the next run', async (world) => {
    const train = tick();
    const hooks = [new SummarySaverHook({ saveSteps: 2, outputDir: dir, summaryOp: 'summary_op' })];
    await tf.train.withMonitoredTrainingSession({ ...world.options, hooks }, async (sess) => {
      for (let i = 0; i < 5; i++) {
        await sess.run('global_step');
        await sess.run(train);
        await sess.run(null);
      }
    });
    expect(world.storage.steps('summary')).toEqual([1, 3, 5]);
    expect(world.storage.steps('START')).toEqual([0]);
  });

  inGraph('may be what tells', async (world) => {
    tf.train.getOrCreateGlobalStep();
    const look = tf.train.fetch('look', () => tf.summary.scalar('seen', 1));
    const hooks = [new SummarySaverHook({ saveSecs: 2, outputDir: dir, summaryOp: 'summary_op' })];
    await steps(world, hooks, 1, 0, look);
    expect(world.storage.steps('summary')).toEqual([0]);
  });

  inGraph('are no steps that the counter misses', async (world) => {
    const train = tick();
    const hooks = [new tf.train.StepCounterHook({ everyNSteps: 10 })];
    await tf.train.withMonitoredTrainingSession({ ...world.options, hooks }, async (sess) => {
      for (let i = 0; i < 3; i++) {
        await sess.run(train);
        await sess.run('global_step');
        await sess.run(null);
      }
    });
    expect(world.warnings).toEqual([]);
  });
});

describe('a misspelt name', () => {
  const hooks = (name: string): [string, () => tf.Hook][] => [
    ['NanTensorHook', () => new NanTensorHook(name)],
    ['LoggingTensorHook', () => new LoggingTensorHook([name], 1)],
  ];

  test.each(hooks('nosuch/loss'))('that nothing has is an error of %s at once', (_, hook) => inWorld(async ({ options }) => {
    tick();
    const opening = tf.train.MonitoredTrainingSession({ ...options, hooks: [hook()] });
    await expect(opening).rejects.toThrow("the graph has nothing of the name 'nosuch/loss'");
    await expect(opening).rejects.toBeInstanceOf(InvalidArgumentError);
    expect(tf.getDefaultGraph().finalized).toBe(false);
  }));

  test.each(hooks('train/lose'))('of a part is an error of %s when the function runs', (_, hook) => inWorld(async (world) => {
    const other = tf.train.fetch('other', () => 1);
    const train = tf.train.step('train', () => ({ loss: 1 }));
    tf.train.fetch('train/lose/not', () => 1);
    await steps(world, [hook()], 2, 0, other);
    await expect(steps(world, [hook()], 1, 0, train)).rejects.toThrow("what 'train' returned has no 'train/lose'");
    await steps(world, [new NanTensorHook('train/lose/not')], 1, 0, train);
  }));

  test('or none is an error of NanTensorHook', () => {
    expect(() => new NanTensorHook(undefined as never)).toThrow('loss_tensor is missing');
    expect(() => new NanTensorHook(null)).toThrow('loss_tensor is missing');
  });
});

describe('the end of a block', () => {
  const ends = (world: World, error: unknown): [Recorder, Promise<unknown>] => {
    const recorder = new Recorder();
    return [recorder, tf.train.withMonitoredTrainingSession({ ...world.options, hooks: [recorder] }, async () => {
      throw error;
    })];
  };

  test.each([[undefined], [null], [0]])('by throwing %p is no clean one', (error) => inWorld(async (world) => {
    const [recorder, ended] = ends(world, error);
    await expect(ended).rejects.toBe(error);
    expect(recorder.calls).toEqual(['begin', 'create']);
  }));
});

describe('a second session', () => {
  inGraph('on a directory that one trains in is refused', async ({ options, storage }) => {
    tick();
    const open = (checkpointDir: string) => tf.train.MonitoredTrainingSession({ ...options, checkpointDir, summaryDir: 'memory://events' });
    const sess = await open(dir);
    for (let i = 0; i < 2; i++) {
      const second = open(`${dir}/`);
      await expect(second).rejects.toBeInstanceOf(tf.errors.FailedPreconditionError);
      await expect(second).rejects.toThrow(`another session that is open here trains in '${dir}'`);
    }
    expect(storage.claims.every((claim) => claim.startsWith('+'))).toBe(true);
    await (await open('memory://other')).close();
    await sess.close();
    await (await open(dir)).close();
  });
});

describe('a run that hangs', () => {
  inGraph('holds nothing after the grace period', async ({ options, storage, clock, warnings }) => {
    const train = tick();
    let go!: () => void;
    const hung = new Promise<void>((resolve) => { go = resolve; });
    const hang: tf.Hook = { beforeRun: () => hung };
    const after = new Recorder();
    const sess = await tf.train.MonitoredTrainingSession({ ...options, checkpointDir: dir, hooks: [hang, after], stopGracePeriodSecs: 7 });
    const run = sess.run(train);
    await expect(sess.close()).rejects.toThrow('a run of this session is in progress');
    sess.requestStop();
    await sess.close();
    expect(clock.slept).toEqual([7]);
    expect(warnings).toEqual(['A run did not end within 7 s: the session is closed without it, and without a last checkpoint.']);
    expect(storage.claims).toEqual([`+${dir}`, `-${dir}`]);
    expect([sess.closed, tf.getDefaultGraph().finalized]).toEqual([true, false]);
    go();
    await expect(run).rejects.toThrow('the session was closed during this run');
    expect(after.calls).toEqual(['begin', 'create']);
    expect(tf.train.getGlobalStep()!.number).toBe(0);
  });

  inGraph('and ends in time is waited for', async ({ options, clock }) => {
    const train = tick();
    const slow: tf.Hook = { beforeRun: () => Promise.resolve() };
    const after = new Recorder();
    const sess = await tf.train.MonitoredTrainingSession({ ...options, hooks: [slow, after] });
    const run = sess.run(train);
    sess.requestStop();
    await sess.close();
    await run;
    expect(clock.slept).toEqual([]);
    expect(after.calls).toEqual(['begin', 'create', 'before', 'after', 'end']);
  });
});

describe('settings of a wrong type', () => {
  const bad: [string, () => unknown, string][] = [
    ['last_step', () => new tf.train.StopAtStepHook({ lastStep: NaN }), 'last_step must be a whole number from 0 on, got NaN'],
    ['num_steps', () => new tf.train.StopAtStepHook('3' as never), "num_steps must be a whole number from 0 on, got '3'"],
    ['wait_until_step', () => new tf.train.GlobalStepWaiterHook('a' as never), 'wait_until_step must be a number'],
    ['save_steps', () => new tf.train.ProfilerHook({ saveSteps: 'a' as never }), "ProfilerHook: save_steps must be a whole number from 0 on, got 'a'"],
    ['formatter', () => new LoggingTensorHook({ tensors: [], everyNIter: 1, formatter: 5 as never }), 'formatter must be a function'],
    ['feeds', () => new tf.train.FeedFnHook(5 as never), 'expected a function or an iterable'],
    ['shape', () => tf.placeholder('float32', [1.5]), 'list of lengths and nulls, got [1.5]'],
    ['no shape', () => tf.placeholder('float32', 5 as never), 'list of lengths and nulls, got 5'],
  ];
  test.each(bad)('are refused: %s', (_, make, message) => {
    expect(make).toThrow(message);
  });

  test.each([
    [{ isChief: 0 }, 'is_chief must be true or false'], [{ handleSignals: 0 }, 'handle_signals must be'], [{ saveGraphDef: 'x' }, 'save_graph_def must be'],
    [{ checkpointOnHide: 'x' }, 'checkpoint_on_hide must be'], [{ onLog: 5 }, 'on_log must be a function'], [{ onSaveError: 'warning' }, "on_save_error must be 'raise' or 'warn'"],
    [{ config: 5 }, 'config: expected an object'], [{ config: { operationTimeoutInMs: NaN } }, 'operation_timeout_in_ms must be a number'],
  ])('are refused by sessions: %p', (options, message) => inWorld(async () => {
    await expect(tf.train.MonitoredTrainingSession(options as never)).rejects.toThrow(message);
  }));
});

test('what is no declaration of a step says what one is', () => {
  const declare = tf.train.step as (...given: unknown[]) => unknown;
  for (const given of [['a', null, () => 1], ['a', undefined, () => 1], ['a', 5, () => 1], [5, () => 1], ['a']]) {
    expect(() => declare(...given)).toThrow('step: expected a name, placeholders by name or none, and a function');
  }
  tf.resetDefaultGraph();
});
