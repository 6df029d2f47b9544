// What a session does after preemptions, and in step functions.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import type { Coordinator } from '../../../js/src/train/session/coordinator.js';
import { counting, inGraph, inWorld, Recorder } from './support.js';

const { AbortedError, OutOfRangeError, StopIteration, UnavailableError } = tf.errors;

describe('recovery', () => {
  inGraph('repeats the same call in a new session, without begin and end', async ({ options, clock }) => {
    const train = counting({ 2: () => new AbortedError('gone') });
    const hook = new Recorder();
    await tf.train.withMonitoredTrainingSession({ ...options, hooks: [hook] }, async (sess) => {
      await sess.run(train);
      expect(await sess.run(train)).toEqual({ calls: 3 });
      // Without a directory training starts over.
      expect(await sess.run('global_step')).toBe(1);
    });
    expect(hook.calls).toEqual([
      'begin', 'create', 'before', 'after', 'before', 'create', 'before', 'after', 'before', 'after', 'end',
    ]);
    expect(clock.slept).toEqual([0.1]);
  });

  inGraph('restores what variables and optimizers were, without a directory', async ({ options }) => {
    const initial = tf.scalar(8);
    const w: tf.Variable = tf.variable(initial, true, 'w');
    initial.dispose();
    const adam = tf.train.adam(1);
    let fail = false;
    const train = tf.train.step('train', () => {
      adam.minimize(() => w.square() as tf.Scalar, false, [w]);
      if (fail) {
        fail = false;
        throw new UnavailableError('gone');
      }
      return w;
    });
    const seen: unknown[] = [];
    await tf.train.withMonitoredTrainingSession({ ...options }, async (sess) => {
      seen.push(await sess.run(train), await sess.run(train));
      fail = true;
      seen.push(await sess.run(train), await sess.run(train));
      expect(adam.iterations).toBe(2);
    });
    expect(seen.slice(2)).toEqual(seen.slice(0, 2));
    adam.dispose();
  });

  inGraph('begins where it began, whatever hooks save elsewhere', async ({ options }) => {
    const w: tf.Variable = tf.tidy(() => tf.variable(tf.scalar(5), true, 'w'));
    let runs = 0;
    const train = tf.train.step('train', () => {
      tf.tidy(() => w.assign(w.add(1)));
      if (++runs === 3) throw new AbortedError('weak');
    });
    const hook = new tf.train.CheckpointSaverHook({ checkpointDir: 'memory://elsewhere', saveSteps: 1 });
    const creator = new tf.train.ChiefSessionCreator();
    const makeSession = () => new tf.train.MonitoredSession(creator, [hook], { ...options });
    const sess = makeSession();
    for (let i = 0; i < 4; i++) await sess.run(train);
    expect(await sess.run(['global_step', 'w'])).toEqual([2, 7]);
    await sess.close();
    // The next session of the creator begins where that one has ended.
    runs = 2;
    const next = new tf.train.MonitoredSession(creator, { ...options });
    await next.run(train);
    expect(await next.run(['global_step', 'w'])).toEqual([3, 8]);
    await next.close();
  });

  inGraph('waits longer each time and gives up, counting from the last success', async ({ options, clock, warnings }) => {
    let left = 0;
    const train = tf.train.step('train', () => {
      if (left-- > 0) throw new AbortedError('again');
    });
    const sess = await tf.train.MonitoredTrainingSession({ ...options, maxRecoveries: 3 });
    left = 3;
    await sess.run(train);
    expect(clock.slept).toEqual([0.1, 0.2, 0.4]);
    left = 9;
    await expect(sess.run(train)).rejects.toBeInstanceOf(AbortedError);
    expect(clock.slept.slice(3)).toEqual([0.1, 0.2, 0.4]);
    expect(warnings).toEqual(['Giving up after 3 recoveries in a row.']);
    await expect(sess.exit(new AbortedError('again'))).resolves.toBeUndefined();
  });

  inGraph('waits at most 30 s', async ({ options, clock }) => {
    const train = counting(Object.fromEntries(Array.from({ length: 10 }, (_, i) => [i + 1, () => new AbortedError('x')])));
    await tf.train.withMonitoredTrainingSession({ ...options }, async (sess) => {
      await sess.run(train);
    });
    expect(clock.slept).toEqual([0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30]);
  });

  inGraph('a preemption a helper reported: should_stop is false, the next run recreates', async ({ options }) => {
    const train = counting();
    const coords: Coordinator[] = [];
    const hook: tf.Hook = { afterCreateSession: (_, c) => void coords.push(c) };
    await tf.train.withMonitoredTrainingSession({ ...options, hooks: [hook] }, async (sess) => {
      coords[0]!.requestStop(new AbortedError('helper'));
      expect(sess.shouldStop()).toBe(false);
      await sess.run(train);
      expect(coords).toHaveLength(2);
      expect(sess.shouldStop()).toBe(false);
    });
  });

  inGraph('a helper\'s preemption counts more than the error it caused', async ({ options }) => {
    const coords: Coordinator[] = [];
    const hook: tf.Hook = { afterCreateSession: (_, c) => void coords.push(c) };
    let failed = false;
    const train = tf.train.step('train', () => {
      if (failed) return 5;
      failed = true;
      coords[0]!.requestStop(new AbortedError('helper'));
      throw new RangeError('caused');
    });
    await tf.train.withMonitoredTrainingSession({ ...options, hooks: [hook] }, async (sess) => {
      expect(await sess.run(train)).toBe(5);
    });
  });

  // phase x error: what the caller sees, and whether hooks end.
  const errors: [string, () => Error, 'retried' | 'clean' | 'thrown'][] = [
    ['Aborted', () => new AbortedError('e'), 'retried'],
    ['Unavailable', () => new UnavailableError('e'), 'retried'],
    ['OutOfRange', () => new OutOfRangeError('e'), 'clean'],
    ['StopIteration', () => new StopIteration('e'), 'clean'],
    ['other', () => new RangeError('e'), 'thrown'],
  ];
  const phases = ['beforeRun', 'run', 'afterRun', 'afterCreateSession'] as const;
  test.each(phases.flatMap((phase) => errors.map(([name, make, outcome]) => ({ phase, name, make, outcome }))))(
    '$phase throws $name: $outcome', ({ phase, make, outcome }) => inWorld(async ({ options }) => {
      let due = true;
      const fail = (at: string): void => {
        if (at === phase && due) {
          due = false;
          throw make();
        }
      };
      const train = tf.train.step('train', () => fail('run'));
      const recorder = new Recorder();
      const hook: tf.Hook = {
        beforeRun: () => fail('beforeRun'), afterRun: () => fail('afterRun'),
        afterCreateSession: () => fail('afterCreateSession'),
      };
      let runs = 0;
      const running = tf.train.withMonitoredTrainingSession({ ...options, hooks: [hook, recorder] }, async (sess) => {
        await sess.run(train);
        runs++;
      });
      const creating = phase === 'afterCreateSession';
      if (outcome === 'retried') {
        await running;
        expect(runs).toBe(1);
      } else if (outcome === 'clean' && !creating) {
        await running;
        expect(runs).toBe(0);
      } else {
        // An error in creating a session is never the end of the data.
        await expect(running).rejects.toThrow('e');
      }
      const ended = recorder.calls.filter((c) => c === 'end').length;
      expect(ended).toBe(outcome === 'thrown' || (creating && outcome !== 'retried') ? 0 : 1);
      expect(tf.getDefaultGraph().finalized).toBe(false);
    }));

  inGraph('not by a singular session', async ({ options }) => {
    const train = counting({ 1: () => new AbortedError('gone') });
    const sess = new tf.train.SingularMonitoredSession({ ...options });
    await expect(sess.run(train)).rejects.toBeInstanceOf(AbortedError);
    expect(await sess.run(train)).toEqual({ calls: 2 });
    expect(await sess.raw_session().run('global_step')).toBe(1);
    await sess.close();
  });
});

describe('run_step_fn', () => {
  inGraph('runs with and without hooks, and recovers', async ({ options }) => {
    const train = counting({ 2: () => new AbortedError('gone') });
    const hook = new Recorder();
    await tf.train.withMonitoredTrainingSession({ ...options, hooks: [hook] }, async (sess) => {
      const sessions: unknown[] = [];
      const result = await sess.runStepFn(async (context) => {
        sessions.push(context.session);
        await context.session.run(train);
        return context.run_with_hooks(train);
      });
      expect(result).toEqual({ calls: 4 });
      // The function gets the new session, not the one that failed.
      expect(new Set(sessions).size).toBe(2);
      await expect(sess.run_step_fn((() => 1))).rejects.toThrow('step_context');
    });
    expect(hook.calls).toEqual(['begin', 'create', 'before', 'create', 'before', 'after', 'end']);
  });

  inGraph('request_stop leaves the block in a clean way', async ({ options }) => {
    const hook = new Recorder();
    const result = await tf.train.withMonitoredTrainingSession({ ...options, hooks: [hook] }, async (sess) => {
      await sess.runStepFn((context) => context.request_stop());
      return 'not reached';
    });
    expect(result).toBeUndefined();
    expect(hook.calls.at(-1)).toBe('end');
  });
});

test('a recovery does not go on from what a failed step has left when the checkpoints are gone', async () => {
  const w: tf.Variable = tf.tidy(() => tf.variable(tf.scalar(5), true, 'w'));
  let fail = false;
  const train = tf.train.step('train', () => {
    tf.tidy(() => w.assign(w.add(1)));
    if (fail) throw new AbortedError('weak');
  });
  const options = { checkpointDir: 'memory://emptied', saveCheckpointSteps: 1, onLog() {} };
  const sess = await tf.train.MonitoredTrainingSession(options);
  await sess.run(train);
  const storage = tf.io.openStorage(options.checkpointDir);
  await storage.remove(...(await storage.list()).map(({ name }) => name));
  fail = true;
  await expect(sess.run(train)).rejects.toThrow("there is no checkpoint in 'memory://emptied' any more to go on from");
  await sess.close();
  // The directory is free again.
  fail = false;
  await tf.train.withMonitoredTrainingSession(options, (next) => next.run(train));
  w.dispose();
  tf.resetDefaultGraph();
});

test('two sessions of one creator have a start each, and none comes back after the end', async () => {
  const w: tf.Variable = tf.tidy(() => tf.variable(tf.scalar(5), true, 'w'));
  let fail = false;
  const train = tf.train.step('train', () => {
    tf.tidy(() => w.assign(w.add(1)));
    if (!fail) return;
    fail = false;
    throw new AbortedError('weak');
  });
  const creator = new tf.train.ChiefSessionCreator();
  const make = () => new tf.train.MonitoredSession(creator, { onLog() {}, stopGracePeriodSecs: 0 });
  const first = make();
  await first.run(train);
  const second = make();
  await second.run('w');
  expect(w.dataSync()[0]).toBe(6);
  await second.close();
  fail = true;
  await first.run(train);
  expect(await first.run(['global_step', 'w'])).toEqual([1, 6]);
  // Closed while it waits to recover.
  fail = true;
  const graph = first.graph!;
  const run = first.run(train).catch((error: Error) => error.message);
  await new Promise((resolve) => setTimeout(resolve, 20));
  first.requestStop();
  await first.close();
  expect(await run).toBe('Session is already closed.');
  expect(graph.finalized).toBe(false);
  w.dispose();
  tf.resetDefaultGraph();
});
