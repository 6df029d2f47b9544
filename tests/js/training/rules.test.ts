// Rules of sessions that show in no single hook: who is called after a failure,
// what is held, what comes back, and what everything is called.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { MemoryStorage } from '../../../js/src/io/storage/memory.js';
import { leaseDirectory } from '../../../js/src/train/session/run_directory.js';
import { counting, inGraph, Recorder, steps, tick } from './support.js';
import type { World } from './support.js';

const dir = 'memory://run';
const { AbortedError, FailedPreconditionError, UnavailableError } = tf.errors;

describe('a run that fails', () => {
  inGraph('in before_run: the hooks after it are not called, and nothing runs', async ({ options }) => {
    const all: string[] = [];
    const train = counting();
    const fails: tf.Hook = { beforeRun: () => { throw new RangeError('before'); } };
    const sess = await tf.train.MonitoredTrainingSession({ ...options, hooks: [new Recorder('1 ', all), fails, new Recorder('2 ', all)] });
    all.length = 0;
    await expect(sess.run(train)).rejects.toThrow('before');
    expect(all).toEqual(['1 before']);
    expect(tf.train.getGlobalStep()!.number).toBe(0);
    // It asks nobody to stop: whoever caught the error may go on.
    expect(sess.shouldStop()).toBe(false);
    await sess.exit(new RangeError('before'));
    expect(all).toEqual(['1 before']);
  });

  inGraph('in the step, or in after_run', async ({ options }) => {
    const all: string[] = [];
    const train = counting({ 1: () => new RangeError('step') });
    let due = true;
    const fails: tf.Hook = { afterRun: () => {
      if (due) throw new RangeError('after');
    } };
    await tf.train.withMonitoredTrainingSession({ ...options, hooks: [new Recorder('1 ', all), fails, new Recorder('2 ', all)] }, async (sess) => {
      all.length = 0;
      await expect(sess.run(train)).rejects.toThrow('step');
      expect(all.splice(0)).toEqual(['1 before', '2 before']);
      await expect(sess.run(train)).rejects.toThrow('after');
      expect(all.splice(0)).toEqual(['1 before', '2 before', '1 after']);
      due = false;
      expect(await sess.run(train)).toEqual({ calls: 3 });
    });
  });
});

describe('a hook', () => {
  inGraph('that is listed twice is two hooks', async ({ options }) => {
    const train = counting();
    const seen: unknown[] = [];
    class Asks extends Recorder {
      override beforeRun(): void {
        super.beforeRun();
        return new tf.train.SessionRunArgs(['global_step', 'train/calls']) as never;
      }
      override afterRun(...[, values]: unknown[]): void {
        super.afterRun();
        seen.push((values as { results: unknown }).results);
      }
    }
    const hook = new Asks();
    await tf.train.withMonitoredTrainingSession({ ...options, hooks: [hook, hook] }, async (sess) => {
      await sess.run(train);
    });
    expect(hook.calls).toEqual(['begin', 'begin', 'create', 'create', 'before', 'before', 'after', 'after', 'end', 'end']);
    expect(seen).toEqual([[0, 1], [0, 1]]);
  });

  inGraph('that waits for a step stops waiting when somebody wants to stop', async (world) => {
    const train = counting();
    const sess = await tf.train.MonitoredTrainingSession({ ...world.options, hooks: [new tf.train.GlobalStepWaiterHook(99)] });
    const sleep = world.clock.sleep.bind(world.clock);
    world.clock.sleep = async (secs) => {
      sess.requestStop();
      await sleep(secs);
    };
    await sess.run(train);
    expect(world.clock.slept).toEqual([0.5]);
    expect(sess.shouldStop()).toBe(true);
    await sess.close();
  });

  inGraph('that profiles uses no tag twice, though steps come again', async (world) => {
    let fail = true;
    const step = tf.train.getOrCreateGlobalStep();
    const train = tf.train.step('train', () => {
      if (step.number === 4 && fail) {
        fail = false;
        throw new UnavailableError('gone');
      }
    });
    const profiler = new tf.train.ProfilerHook({ saveSecs: 1, outputDir: dir });
    await tf.train.withMonitoredTrainingSession(
      { ...world.options, hooks: [profiler], checkpointDir: dir, saveCheckpointSteps: 2, saveSummariesSteps: 0, logStepCountSteps: 0 },
      async (sess) => {
        while (step.number < 7) {
          await sess.run(train);
          world.clock.time += 1;
          // Back by two.
          if (step.number === 4 && fail) step.assign(4);
        }
      });
    const tags = world.storage.log.filter(({ what }) => what === 'metadata').map(({ tag }) => tag);
    expect(tags).toEqual([...new Set(tags)]);
    expect(tags.length).toBeGreaterThan(3);
  });
});

describe('what a session holds', () => {
  inGraph('is its directories and those of its hooks, until it is closed', async ({ options, storage }) => {
    const train = tick();
    await tf.train.withMonitoredTrainingSession({
      ...options, checkpointDir: `${dir}/`, summaryDir: 'memory://events', hooks: [
        new tf.train.CheckpointSaverHook('memory://mine', null, 5), new tf.train.ProfilerHook({ saveSteps: 5, outputDir: 'memory://profile' }),
        new tf.train.StepCounterHook({ everyNSteps: 5, outputDir: 'memory://events' }),
      ],
    }, async (sess) => {
      await sess.run(train);
      expect(storage.claims).toEqual([`+${dir}`, '+memory://events', '+memory://mine', '+memory://profile (events)']);
    });
    expect(storage.claims.slice(4)).toEqual([`-${dir}`, '-memory://events', '-memory://mine', '-memory://profile (events)']);
  });

  inGraph('is let go though something fails on the way', async ({ options, storage }) => {
    const sess = await tf.train.MonitoredTrainingSession({ ...options, checkpointDir: dir, saveCheckpointSecs: null, saveSummariesSteps: null, logStepCountSteps: null });
    const graph = tf.getDefaultGraph();
    await sess.exit(new Error('mine'));
    expect([storage.claims, graph.finalized]).toEqual([[`+${dir}`, `-${dir}`], false]);
  });
});

describe('a page that comes back from the cache of the browser', () => {
  /** A window whose events the test fires. */
  async function shown(world: World, revalidate: () => Promise<boolean>, f: (back: () => Promise<void>) => Promise<void>): Promise<void> {
    const realm = globalThis as { window?: unknown };
    const listeners = new Map<string, (event: object) => void>();
    realm.window = {
      addEventListener: (type: string, listener: (event: object) => void) => void listeners.set(type, listener),
      removeEventListener: (type: string) => void listeners.delete(type),
    };
    const claim = world.storage.claim.bind(world.storage);
    world.storage.claim = async (...args) => ({ ...await claim(...args), revalidate });
    try {
      await f(async () => {
        listeners.get('pageshow')!({ persisted: true });
        await new Promise((resolve) => setTimeout(resolve));
      });
      expect(listeners.size).toBe(0);
    } finally {
      delete realm.window;
    }
  }
  const open = { checkpointDir: dir, saveCheckpointSteps: 1, saveSummariesSteps: null, logStepCountSteps: null };

  inGraph('goes on where its lock was held', (world) => shown(world, async () => true, async (back) => {
    const train = counting();
    const hook = new Recorder();
    await tf.train.withMonitoredTrainingSession({ ...world.options, ...open, hooks: [hook] }, async (sess) => {
      await sess.run(train);
      await back();
      await sess.run(train);
    });
    expect(hook.calls.filter((call) => call === 'create')).toHaveLength(1);
  }));

  inGraph('restores what is there now where the lock was lost and taken again', (world) => shown(world, async () => false, async (back) => {
    const train = counting();
    const hook = new Recorder();
    await tf.train.withMonitoredTrainingSession({ ...world.options, ...open, hooks: [hook] }, async (sess) => {
      await sess.run(train);
      // As if another page had gone on meanwhile.
      tf.train.getGlobalStep()!.assign(7);
      await world.storage.makeSaver({ graph: tf.getDefaultGraph() } as never).save(null as never, `${dir}/model.ckpt`, { globalStep: 7 });
      tf.train.getGlobalStep()!.assign(1);
      await back();
      expect(sess.shouldStop()).toBe(false);
      await sess.run(train);
      expect(await sess.run('global_step')).toBe(8);
    });
    expect(hook.calls.filter((call) => call === 'create')).toHaveLength(2);
  }));

  inGraph('ends where somebody else has the directory', (world) => shown(
    world, async () => { throw new FailedPreconditionError('taken'); }, async (back) => {
      const train = counting();
      const sess = await tf.train.MonitoredTrainingSession({ ...world.options, ...open });
      await sess.run(train);
      await back();
      expect(sess.shouldStop()).toBe(true);
      await expect(sess.close()).rejects.toThrow('taken');
      expect(world.warnings).toContain('taking the directory again failed: taken');
    }));

  test('a lease knows whether its lock is held', async () => {
    let held = true;
    let taken = false;
    class Losing extends MemoryStorage {
      override async lock() {
        if (taken) throw new tf.errors.FailedPreconditionError('in use by another tab');
        return { release: async () => {}, held: async () => held };
      }
    }
    const open = (): MemoryStorage => new Losing('losing');
    const lease = await leaseDirectory('memory://losing', { open, wait: 0, log: () => {} });
    expect(await lease.revalidate()).toBe(true);
    held = false;
    expect(await lease.revalidate()).toBe(false);
    taken = true;
    await expect(lease.revalidate()).rejects.toThrow("'memory://losing' has another writer");
    await expect(lease.revalidate()).rejects.toBeInstanceOf(FailedPreconditionError);
    // No save slips through: it would be another realm's directory.
    await expect(leaseDirectory('memory://losing', { open, log: () => {} })).rejects.toThrow('has another writer');
    await lease.release();
    taken = false;
    held = true;
    await (await leaseDirectory('memory://losing', { open, log: () => {} })).release();
  });
});

describe('settings', () => {
  inGraph('of 0 and less are off, but still reach the timer', async (world) => {
    const train = tick();
    const run = (args: object) => tf.train.withMonitoredTrainingSession({ ...world.options, checkpointDir: dir, ...args }, async (sess) => {
      await sess.run(train);
    });
    await run({ saveSummariesSteps: -1, saveCheckpointSteps: 0, logStepCountSteps: -5 });
    expect(world.storage.log).toEqual([]);
    await expect(run({ saveSummariesSteps: 0, saveSummariesSecs: 5 })).rejects.toThrow('Can not provide both');
    await run({ saveCheckpointSteps: 0, saveCheckpointSecs: 0, saveSummariesSteps: 0, summaryDir: '' });
    expect(world.storage.steps('save')).toEqual([]);
    // An empty summary_dir is none: the checkpoints' is taken.
    await run({ saveCheckpointSecs: null, summaryDir: '' });
    expect(world.storage.log[0]).toMatchObject({ what: 'START', directory: dir });
  });

  inGraph('a counter that goes back tells no negative speed', async (world) => {
    const train = counting();
    const step = tf.train.getGlobalStep()!;
    await tf.train.withMonitoredTrainingSession({
      ...world.options, hooks: [new tf.train.StepCounterHook({ everyNSecs: 1, everyNSteps: null, outputDir: dir })],
    }, async (sess) => {
      step.assign(10);
      await sess.run(train);
      step.assign(2);
      world.clock.time += 5;
      await sess.run(train);
    });
    expect(world.storage.steps('summary')).toEqual([]);
  });

  inGraph('steps a second count all steps of the time', async (world) => {
    await steps(world, [new tf.train.StepCounterHook({ everyNSteps: 5 })], 15, 0.1);
    expect(world.lines).toEqual(['global_step/sec: 10', 'global_step/sec: 10']);
  });
});

describe('recovery in creating', () => {
  inGraph('goes on as long as it is a preemption, with a wait, and counts', async ({ options, clock }) => {
    let left = 3;
    const scaffold = new tf.train.Scaffold({ readyOp: () => {
      if (left-- > 0) throw new AbortedError('not yet');
    } });
    const sess = await tf.train.MonitoredTrainingSession({ ...options, scaffold });
    expect(clock.slept).toEqual([0.1, 0.2, 0.4]);
    await sess.close();
    left = 99;
    const again = tf.train.MonitoredTrainingSession({ ...options, scaffold, maxRecoveries: 2 });
    await expect(again).rejects.toBeInstanceOf(AbortedError);
    const singular = new tf.train.SingularMonitoredSession({ ...options, scaffold });
    await expect(singular.open()).rejects.toBeInstanceOf(AbortedError);
    expect(tf.getDefaultGraph().finalized).toBe(false);
  });
});

describe('names', () => {
  test('functions and classes are where TensorFlow 1 has them, functions in both cases', () => {
    const v1 = tf.compat.v1.train as unknown as Record<string, unknown>;
    const train = tf.train as unknown as Record<string, unknown>;
    for (const name of [
      'MonitoredTrainingSession', 'MonitoredSession', 'SingularMonitoredSession', 'ChiefSessionCreator', 'WorkerSessionCreator', 'Scaffold',
      'Coordinator', 'SessionRunHook', 'SessionRunArgs', 'SessionRunContext', 'SessionRunValues', 'CheckpointSaverHook', 'CheckpointSaverListener',
      'SummarySaverHook', 'StepCounterHook', 'LoggingTensorHook', 'StopAtStepHook', 'NanTensorHook', 'NanLossDuringTrainingError', 'FinalOpsHook',
      'GlobalStepWaiterHook', 'FeedFnHook', 'ProfilerHook', 'SecondOrStepTimer', 'Saver', 'USE_DEFAULT',
      'get_global_step', 'create_global_step', 'get_or_create_global_step', 'latest_checkpoint', 'get_checkpoint_state', 'update_checkpoint_state',
      'checkpoint_exists', 'get_checkpoint_mtimes', 'list_variables', 'load_checkpoint', 'load_variable',
    ]) {
      expect([name, train[name]]).toEqual([name, v1[name]]);
      expect(train[name]).toBeDefined();
      const camel = name.replace(/_([a-z])/g, (_, c: string) => c.toUpperCase());
      if (/^[a-z]/.test(name)) expect(train[camel]).toBe(train[name]);
    }
  });

  test('classes carry their names with them, which a minifier changes', () => {
    const all = { ...tf.train, ...tf.errors, ...tf.summary } as unknown as Record<string, unknown>;
    const classes = Object.entries(all).filter(([name, x]) => typeof x === 'function' && /^[A-Z]/.test(name) && name !== 'MonitoredTrainingSession');
    expect(classes.length).toBeGreaterThan(40);
    const own = classes.filter(([name]) => !/^(OpError)$/.test(name));
    expect(own.filter(([name, x]) => (x as { className?: string }).className !== name).map(([name]) => name)).toEqual([]);
  });
});
