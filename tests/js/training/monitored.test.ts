// The layers of a monitored session: construction, runs, closing.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { HookedSession, mergeRunOptions } from '../../../js/src/train/session/layers.js';
import { Session } from '../../../js/src/train/session/session.js';
import { onSignals } from '../../../js/src/train/session/signals.js';
import type { Coordinator } from '../../../js/src/train/session/coordinator.js';
import { counting, inGraph, Recorder } from './support.js';

const { AbortedError, OutOfRangeError, StopIteration } = tf.errors;

describe('a hooked run', () => {
  inGraph('asks hooks in order, runs once, tells hooks in order', async () => {
    const train = counting();
    const graph = tf.getDefaultGraph();
    const order: string[] = [];
    const hook = (name: string, fetches: tf.Fetches) => ({
      async beforeRun(context: { original_args: { fetches: unknown } }) {
        order.push(`before ${name}`);
        expect(context.original_args.fetches).toBe(train);
        return { fetches };
      },
      after_run(_: unknown, { results }: { results: unknown }) {
        order.push(`after ${name} ${JSON.stringify(results)}`);
      },
    });
    const nothing = new Recorder('n ', order);
    const asked = hook('a', { step: 'global_step', loss: ['train/calls'] });
    const hooked = new HookedSession(new Session(graph), [asked, nothing, asked] as tf.Hook[]);
    expect(await hooked.run({ fetches: train, feedDict: null, options: null, runMetadata: null })).toEqual({ calls: 1 });
    expect(order).toEqual([
      'before a', 'n before', 'before a',
      'after a {"step":0,"loss":[1]}', 'n after', 'after a {"step":0,"loss":[1]}',
    ]);
  });

  inGraph('gives hooks null for nothing asked, undefined for what did not run', async () => {
    const train = counting();
    const look = tf.train.fetch('look', () => 1);
    const seen: unknown[] = [];
    const hook: tf.Hook = { beforeRun: () => new tf.train.SessionRunArgs(['train/calls', 'look']), afterRun: (_, v) => void seen.push(v.results) };
    const silent: tf.Hook = { afterRun: (_, v) => void seen.push(v.results) };
    const hooked = new HookedSession(new Session(tf.getDefaultGraph()), [hook, silent]);
    await hooked.run({ fetches: look, feedDict: null, options: null, runMetadata: null });
    expect(seen).toEqual([[undefined, 1], null]);
    expect(train.recorded).toBeUndefined();
  });

  inGraph('merges feeds, but two for one placeholder are an error', async () => {
    const x = tf.placeholder('float32', [], 'x');
    const y = tf.placeholder('float32', [], 'y');
    const f = tf.train.fetch('f', { x, y }, ({ x, y }) => x.sub(y));
    const feeding = (feedDict: Record<string, number>): tf.Hook => ({ beforeRun: () => ({ fetches: null, feedDict }) });
    const run = (hooks: tf.Hook[], feedDict: Record<string, number>) =>
      new HookedSession(new Session(tf.getDefaultGraph()), hooks).run({ fetches: f, feedDict, options: null, runMetadata: null });
    const mine = { x: 5 };
    expect(await run([feeding({ y: 2 })], mine)).toBe(3);
    expect(mine).toEqual({ x: 5 });
    await expect(run([feeding({ x: 1, y: 2 })], mine)).rejects.toThrow('fed by a SessionRunHook and user');
    await expect(run([feeding({ y: 1 }), feeding({ y: 2 })], mine)).rejects.toThrow('fed by two hooks');
  });

  test('merges options', () => {
    expect(mergeRunOptions(
      { traceLevel: 3, timeoutInMs: 5, outputPartitionGraphs: true, debugTensorWatches: ['a'] },
      { trace_level: 1, timeout_in_ms: 9, reportTensorAllocationsUponOom: false, debugTensorWatches: ['b'] } as never,
    )).toEqual({
      traceLevel: 3, timeoutInMs: 9, outputPartitionGraphs: true, reportTensorAllocationsUponOom: false, debugTensorWatches: ['a', 'b'],
    });
    expect(mergeRunOptions(null, null)).toEqual({});
  });

  inGraph('gives the result of the step that asks to stop, and refuses the next', async ({ options }) => {
    const train = counting();
    const stop: tf.Hook = { afterRun: (context) => context.requestStop() };
    const after = new Recorder();
    const sess = await tf.train.MonitoredTrainingSession({ ...options, hooks: [stop, after] });
    expect(sess.shouldStop()).toBe(false);
    expect(await sess.run(train)).toEqual({ calls: 1 });
    expect(sess.should_stop()).toBe(true);
    await expect(sess.run(train)).rejects.toThrow('Run called even after should_stop requested.');
    await sess.close();
    expect(after.calls).toEqual(['begin', 'create', 'before', 'after', 'end']);
  });

  inGraph('finds methods in either case, the nearest first', async ({ options }) => {
    const seen: string[] = [];
    class Base extends tf.train.SessionRunHook {
      override begin(): void {
        seen.push('base begin');
      }
      override afterRun(): void {
        seen.push('base after');
      }
    }
    class Derived extends Base {
      override async after_run(): Promise<void> {
        await Promise.resolve();
        seen.push('derived after');
        super.afterRun();
      }
    }
    class Nan extends tf.train.NanTensorHook {
      override after_run(...args: Parameters<NonNullable<tf.HookMethods['after_run']>>): void {
        seen.push('nan after');
        this.afterRun(...args);
      }
    }
    const train = counting();
    await tf.train.withMonitoredTrainingSession({ ...options, hooks: [new Derived(), new Nan('train/calls')] }, async (sess) => {
      await sess.run(train);
    });
    expect(seen).toEqual(['base begin', 'derived after', 'base after', 'nan after']);
  });
});

describe('construction', () => {
  inGraph('begins hooks in order, once; then the graph is final until the end', async ({ options }) => {
    const graph = tf.getDefaultGraph();
    const all: string[] = [];
    const declares: tf.Hook = { begin: () => void tf.placeholder('float32', [], 'late') };
    await tf.train.withMonitoredTrainingSession(
      { ...options, hooks: [new Recorder('1 ', all), declares, new Recorder('2 ', all)] },
      async (sess) => {
        expect(sess.graph).toBe(graph);
        expect(graph.finalized).toBe(true);
        expect(graph.placeholderNamed('late')).toBeDefined();
        expect(all).toEqual(['1 begin', '2 begin', '1 create', '2 create']);
      });
    expect(graph.finalized).toBe(false);
    expect(all.slice(4)).toEqual(['1 end', '2 end']);
  });

  inGraph('leaves a graph final that was so before', async ({ options }) => {
    const graph = tf.getDefaultGraph();
    graph.finalize();
    await tf.train.withMonitoredTrainingSession({ ...options }, async () => {});
    expect(graph.finalized).toBe(true);
  });

  inGraph('two sessions on one graph, one after the other', async ({ options }) => {
    const train = counting();
    for (const expected of [1, 2]) {
      await tf.train.withMonitoredTrainingSession({ ...options }, async (sess) => {
        await sess.run(train);
        expect(await sess.run('global_step')).toBe(expected);
      });
    }
  });

  inGraph('a failing begin closes what was opened', async ({ options, storage }) => {
    counting();
    const fails: tf.Hook = { begin: () => { throw new Error('no begin'); } };
    await expect(tf.train.MonitoredTrainingSession({ ...options, hooks: [fails], checkpointDir: 'memory://d' })).rejects.toThrow('no begin');
    expect(storage.claims).toEqual(['+memory://d', '-memory://d']);
  });
});

describe('closing', () => {
  inGraph('ends hooks in order; a second close is an error, before hooks', async ({ options }) => {
    const all: string[] = [];
    const sess = await tf.train.MonitoredTrainingSession({ ...options, hooks: [new Recorder('1 ', all), new Recorder('2 ', all)] });
    await sess.close();
    expect(all.slice(-2)).toEqual(['1 end', '2 end']);
    await expect(sess.close()).rejects.toThrow('Session is already closed.');
    expect(all.filter((c) => c.endsWith('end'))).toHaveLength(2);
    expect(sess.graph).toBeNull();
    expect(sess.shouldStop()).toBe(true);
    await expect(sess.run(null)).rejects.toThrow('already closed');
  });

  inGraph('an end that throws stops the others; the session is closed all the same', async ({ options }) => {
    const last = new Recorder();
    const fails: tf.Hook = { end: () => { throw new Error('no end'); } };
    const graph = tf.getDefaultGraph();
    const sess = await tf.train.MonitoredTrainingSession({ ...options, hooks: [fails, last] });
    await expect(sess.close()).rejects.toThrow('no end');
    expect(last.calls).toEqual(['begin', 'create']);
    expect(graph.finalized).toBe(false);
    expect(sess.closed).toBe(true);
  });

  inGraph('only the two clean errors end hooks, and not their subclasses', async ({ options }) => {
    class Mine extends OutOfRangeError {}
    for (const [error, clean] of [
      [new OutOfRangeError('x'), true], [new StopIteration(), true], [new Mine('x'), false],
      [new RangeError('x'), false], [new AbortedError('x'), false],
    ] as const) {
      const hook = new Recorder();
      const running = tf.train.withMonitoredTrainingSession({ ...options, hooks: [hook] }, async () => {
        throw error;
      });
      if (clean) expect(await running).toBeUndefined();
      else await expect(running).rejects.toBe(error);
      expect(hook.calls.includes('end')).toBe(clean);
    }
  });

  inGraph('disposal with await using ends only what did not fail', async ({ options }) => {
    const train = counting({ 2: () => new RangeError('two') });
    const hooks = [new Recorder(), new Recorder()];
    {
      await using sess = await tf.train.MonitoredTrainingSession({ ...options, hooks: [hooks[0]!] });
      await sess.run(train);
    }
    expect(hooks[0]!.calls.at(-1)).toBe('end');
    {
      await using sess = await tf.train.MonitoredTrainingSession({ ...options, hooks: [hooks[1]!] });
      await expect(sess.run(train)).rejects.toThrow('two');
    }
    expect(hooks[1]!.calls).not.toContain('end');
  });

  inGraph('one run at a time', async ({ options }) => {
    const train = counting();
    await tf.train.withMonitoredTrainingSession({ ...options }, async (sess) => {
      const first = sess.run(train);
      await expect(sess.run(train)).rejects.toThrow('another run of this session is in progress');
      expect(await first).toEqual({ calls: 1 });
    });
  });
});

describe('the coordinator', () => {
  inGraph('carries a helper\'s error: runs go on, should_stop is true, close throws', async ({ options }) => {
    const train = counting();
    let coord!: Coordinator;
    const hook: tf.Hook = { afterCreateSession: (_, c) => { coord = c; } };
    const sess = await tf.train.MonitoredTrainingSession({ ...options, hooks: [hook] });
    coord.registerThread(Promise.reject(new Error('helper')), 'h');
    await new Promise((resolve) => setTimeout(resolve));
    expect(await sess.run(train)).toEqual({ calls: 1 });
    expect(sess.shouldStop()).toBe(true);
    await expect(sess.close()).rejects.toThrow('helper');
  });

  inGraph('logs helpers that do not stop within the grace period', async ({ options, clock, warnings }) => {
    let coord!: Coordinator;
    const hook: tf.Hook = { afterCreateSession: (_, c) => { coord = c; } };
    const sess = await tf.train.MonitoredTrainingSession({ ...options, hooks: [hook], stopGracePeriodSecs: 7 });
    coord.register_thread(new Promise(() => {}), 'straggler');
    await sess.close();
    expect(clock.slept).toEqual([7]);
    expect(warnings).toEqual(['Coordinator stopped with helpers still running: straggler']);
    expect(coord.signal.aborted).toBe(true);
  });

  inGraph('a stop from outside ends the loop', async ({ options }) => {
    const train = counting();
    let runs = 0;
    await tf.train.withMonitoredTrainingSession({ ...options }, async (sess) => {
      while (!sess.shouldStop()) {
        await sess.run(train);
        if (++runs === 3) sess.request_stop();
      }
    });
    expect(runs).toBe(3);
  });

  test('keeps the first error, takes clean stops for none, and joins', async () => {
    const coord = new tf.train.Coordinator();
    coord.requestStop(new OutOfRangeError('end'));
    coord.requestStop(new Error('later'));
    await coord.join();
    const other = new tf.train.Coordinator();
    other.request_stop(new Error('first'));
    other.request_stop(new Error('second'));
    expect(await other.wait_for_stop(1)).toBe(true);
    await expect(other.join()).rejects.toThrow('first');
  });

  test('signals stop once, then exit', () => {
    const listeners: Record<string, () => void> = {};
    const exits: number[] = [];
    const process = {
      on: (s: string, f: () => void) => { listeners[s] = f; },
      off: (s: string) => { delete listeners[s]; },
      exit: (code: number) => { exits.push(code); },
    };
    let stops = 0;
    const release = onSignals(() => stops++, () => {}, process);
    listeners['SIGINT']!();
    expect([stops, exits]).toEqual([1, []]);
    listeners['SIGTERM']!();
    expect([stops, exits]).toEqual([1, [143]]);
    release();
    expect(listeners).toEqual({});
  });
});
