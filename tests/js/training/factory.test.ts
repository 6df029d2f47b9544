// What MonitoredTrainingSession makes of its arguments; scaffolds and creators.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { intervals } from '../../../js/src/train/session/factory.js';
import { MonitoredSession } from '../../../js/src/train/session/monitored_session.js';
import { Session } from '../../../js/src/train/session/session.js';
import { registerMaster } from '../../../js/src/train/session/creators.js';
import { inWorld, Recorder } from './support.js';
import type { World } from './support.js';

const inGraph = (name: string, f: (world: World) => Promise<void>): void => test(name, () => inWorld(f));
const USE_DEFAULT: typeof tf.train.USE_DEFAULT = tf.train.USE_DEFAULT;
const dir = 'memory://run';

describe('defaults', () => {
  test.each([
    [undefined, undefined, 100, null],
    [USE_DEFAULT, USE_DEFAULT, 100, null],
    [7, undefined, 7, null],
    [null, USE_DEFAULT, null, null],
    [undefined, 9, null, 9],
    [USE_DEFAULT, null, null, null],
    [7, 9, 7, 9],
    [0, undefined, 0, null],
  ] as const)('summaries: steps %p, secs %p', (saveSummariesSteps, saveSummariesSecs, steps, secs) => {
    expect(intervals({ saveSummariesSteps, saveSummariesSecs })).toMatchObject({ summarySteps: steps, summarySecs: secs });
  });

  test.each([
    [undefined, undefined, null, 600],
    [7, undefined, 7, null],
    [null, undefined, null, null],
    [undefined, 9, null, 9],
    [undefined, null, null, null],
    [7, 9, null, 9],
    [7, 0, 7, null],
    [7, null, 7, null],
  ] as const)('checkpoints: steps %p, secs %p', (saveCheckpointSteps, saveCheckpointSecs, steps, secs) => {
    const warnings: string[] = [];
    const onLog = (line: string): void => void warnings.push(line);
    expect(intervals({ saveCheckpointSteps, saveCheckpointSecs, onLog })).toMatchObject({ checkpointSteps: steps, checkpointSecs: secs });
    expect(warnings).toHaveLength(saveCheckpointSteps && typeof saveCheckpointSecs === 'number' ? 1 : 0);
  });

  inGraph('both values for summaries are an error', async ({ options }) => {
    tf.train.createGlobalStep();
    await expect(tf.train.MonitoredTrainingSession({ ...options, checkpointDir: dir, saveSummariesSteps: 1, saveSummariesSecs: 1 })).rejects.toThrow('Can not provide both');
  });
});

/** What a session writes in `n` runs of a step with a summary. */
async function written(world: World, args: object, n = 3): Promise<string[]> {
  const train = tf.getDefaultGraph().functionNamed('train') as tf.Fetch ??
    tf.train.step('train', () => tf.summary.scalar('loss', 1));
  const from = world.storage.log.length;
  await tf.train.withMonitoredTrainingSession({ ...world.options, ...args }, async (sess) => {
    for (let i = 0; i < n; i++) {
      await sess.run(train);
      world.clock.time += 1;
    }
  });
  return world.storage.log.slice(from).map(({ what, step }) => `${what} ${step}`);
}

describe('the hooks of a chief', () => {
  inGraph('come in order: chief only, counter, summaries, checkpoints, yours', async (world) => {
    const all: string[] = [];
    const probe = (name: string): tf.Hook => ({
      begin: () => void all.push(`${name} begin`),
      afterRun: () => void all.push(`${name}: ${world.storage.log.length} writes, ${world.lines.length} lines`),
    });
    await written(world, {
      chief_only_hooks: [probe('chief')], hooks: [probe('mine')], checkpoint_dir: dir,
      save_summaries_steps: 1, save_checkpoint_steps: 1, log_step_count_steps: 1,
    }, 2);
    expect(all.slice(0, 2)).toEqual(['chief begin', 'mine begin']);
    const log = world.storage.log.map(({ what, step }) => `${what} ${step}`);
    expect(log).toEqual([
      'graph 0', 'meta 0', 'save 0', 'CHECKPOINT 0',
      'START 1', 'summary 1', 'graph 1', 'save 1', 'CHECKPOINT 1',
      'summary 2', 'summary 2', 'save 2', 'CHECKPOINT 2', 'flush -1',
    ]);
    // Before the built-in ones, and after them.
    expect(all[2]).toBe('chief: 4 writes, 1 lines');
    expect(all[3]).toBe('mine: 9 writes, 2 lines');
  });

  inGraph('without directories there are none', async (world) => {
    expect(await written(world, { saveCheckpointSteps: 1, saveSummariesSteps: 1, logStepCountSteps: 1 })).toEqual([]);
    expect(world.lines).toEqual([]);
  });

  inGraph('summary_dir alone: no checkpoints', async (world) => {
    expect(await written(world, { summaryDir: dir })).toEqual(['START 1', 'summary 1', 'flush -1']);
    expect(world.storage.claims).toEqual([`+${dir}`, `-${dir}`]);
  });

  inGraph('checkpoints and summaries may be in two directories', async (world) => {
    await written(world, { checkpointDir: dir, summaryDir: 'memory://events' });
    const where = (what: string) => new Set(world.storage.log.filter((w) => w.what === what).map(({ directory }) => directory));
    expect(where('summary')).toEqual(new Set(['memory://events']));
    expect(where('CHECKPOINT')).toEqual(new Set([dir]));
    expect(world.storage.claims).toEqual([`+${dir}`, '+memory://events', `-${dir}`, '-memory://events']);
  });

  inGraph('null and 0 turn them off', async (world) => {
    const base = ['graph 0', 'meta 0', 'save 0', 'CHECKPOINT 0'];
    expect(await written(world, { checkpointDir: dir, saveCheckpointSecs: null })).toEqual(['START 1', 'summary 1', 'flush -1']);
    expect(await written(world, { checkpointDir: dir, saveSummariesSteps: 0, saveCheckpointSteps: 0, logStepCountSteps: null })).toEqual([]);
    const fresh = await written(world, { checkpointDir: 'memory://b', saveSummariesSecs: null, logStepCountSteps: 0 });
    expect(fresh.map((w) => w.replace(/\d+$/, '0')).slice(0, 4)).toEqual(base);
  });

  inGraph('your own hook for the directory takes the built-in one\'s place', async (world) => {
    const log = await written(world, {
      checkpointDir: dir, saveCheckpointSteps: 1, saveSummariesSteps: 1,
      hooks: [
        new tf.train.CheckpointSaverHook({ checkpointDir: `${dir}/`, saveSteps: 3 }),
        new tf.train.SummarySaverHook({ outputDir: dir, saveSteps: 2, summaryOp: 'summary_op' }),
      ],
    }, 6);
    expect(log.filter((w) => w.startsWith('save'))).toEqual(['save 0', 'save 3', 'save 6']);
    expect(log.filter((w) => w.startsWith('summary'))).toEqual(['summary 1', 'summary 3', 'summary 5']);
    expect(world.warnings).toHaveLength(2);
  });

  inGraph('save_graph_def reaches the saver', async (world) => {
    await written(world, { checkpointDir: dir, saveGraphDef: false });
    expect(world.storage.files.size).toBe(0);
  });
});

describe('arguments', () => {
  inGraph('by position, in TensorFlow\'s order, with the extras at the end', async (world) => {
    const train = tf.train.step('train', () => tf.summary.scalar('loss', 1));
    const hook = new Recorder();
    const chief = new Recorder();
    const sess = await tf.train.MonitoredTrainingSession(
      '', true, dir, new tf.train.Scaffold(), [hook], [chief], null, 2, USE_DEFAULT, { allow_soft_placement: true },
      60, null, 100, 3, 'memory://events', false, world.options);
    for (let i = 0; i < 4; i++) await sess.run(train);
    await sess.close();
    expect(hook.calls).toHaveLength(11);
    expect(chief.calls).toHaveLength(11);
    expect(world.storage.steps('save')).toEqual([0, 3, 4]);
    expect(world.storage.steps('summary')).toEqual([1, 3]);
    expect(world.storage.files.size).toBe(0);
  });

  inGraph('also with new, and where TensorFlow 1 has it', async ({ options }) => {
    const Make = tf.compat.v1.train.MonitoredTrainingSession as unknown as new (options: object) => Promise<MonitoredSession>;
    const sess = await new Make(options);
    expect(sess).toBeInstanceOf(MonitoredSession);
    await sess.close();
    expect(tf.train.with_monitored_training_session).toBe(tf.train.withMonitoredTrainingSession);
  });

  inGraph('unknown ones are errors; config is what TensorFlow knows', async ({ options }) => {
    const open = (more: object) => tf.train.MonitoredTrainingSession({ ...options, ...more });
    await expect(open({ checkpointdir: dir })).rejects.toThrow("no option 'checkpointdir'");
    await expect(open({ config: { threads: 2 } })).rejects.toThrow("no option 'threads'");
    await expect(open({ checkpointDir: 'downloads://run' })).rejects.toThrow('cannot be read again');
    await expect(open({ master: 'grpc://host' })).rejects.toThrow("nothing is known of 'grpc://host'");
    await expect(tf.train.withMonitoredTrainingSession(null as never, async () => {})).rejects.toThrow('expected options');
    const sess = await open({ config: { gpu_options: {}, operation_timeout_in_ms: 5, intra_op_parallelism_threads: 1, cluster: { workers: 2 } } });
    await sess.close();
  });

  inGraph('operation_timeout_in_ms is looked at between functions and after them', async ({ options, clock }) => {
    const slow = tf.train.fetch('slow', () => void (clock.time += 1));
    const next = tf.train.fetch('next', () => 1);
    const config = { operation_timeout_in_ms: 500 };
    await tf.train.withMonitoredTrainingSession({ ...options, config }, async (sess) => {
      await sess.run(next);
      await expect(sess.run([slow, next])).rejects.toThrow("'next' was not started within 500 ms");
      await expect(sess.run([next, slow])).rejects.toThrow('it took 1000 ms, more than 500 ms');
      await expect(sess.run(slow)).rejects.toBeInstanceOf(tf.errors.DeadlineExceededError);
    });
    const hooks = [{ beforeRun: () => void (clock.time += 9), afterRun: () => void (clock.time += 9) }];
    await tf.train.withMonitoredTrainingSession({ ...options, config, hooks }, async (sess) => {
      expect(await sess.run(next)).toBe(1);
    });
  });
});

describe('a scaffold', () => {
  inGraph('initializes in order, only where nothing was restored', async (world) => {
    const order: string[] = [];
    const feeds = {};
    const scaffold = () => new tf.train.Scaffold({
      init_op: async (_, given) => {
        expect(given).toBe(feeds);
        order.push('init_op');
      },
      init_feed_dict: feeds,
      init_fn: (s, session) => {
        expect(s).toBeInstanceOf(tf.train.Scaffold);
        expect(session).toBeInstanceOf(Session);
        order.push('init_fn');
      },
      ready_for_local_init_op: () => void order.push('ready_for_local'),
      local_init_op: () => void order.push('local_init'),
      ready_op: () => {
        order.push('ready');
        return [];
      },
    });
    await written(world, { scaffold: scaffold(), checkpointDir: dir });
    expect(order).toEqual(['init_op', 'init_fn', 'ready_for_local', 'local_init', 'ready']);
    order.length = 0;
    await written(world, { scaffold: scaffold(), checkpointDir: dir });
    expect(order).toEqual(['ready_for_local', 'local_init', 'ready']);
    expect(world.lines).toContain(`Restoring parameters from ${dir}/model.ckpt-3`);
  });

  inGraph('says what is not ready', async ({ options }) => {
    const open = (pieces: object) => tf.train.MonitoredTrainingSession({ ...options, scaffold: new tf.train.Scaffold(pieces) });
    await expect(open({ readyOp: () => ['w', 'b'] })).rejects.toThrow('did not make model ready. Variables not initialized: w, b');
    await expect(open({ readyForLocalInitOp: () => ['w'] })).rejects.toThrow('ready for local_init. Variables not initialized: w');
    const fails = (message: string) => () => {
      throw new tf.errors.FailedPreconditionError(message);
    };
    await expect(open({ readyOp: fails('w is uninitialized') })).rejects.toThrow('did not make model ready. w is uninitialized');
    await expect(open({ readyOp: fails('else') })).rejects.toThrow(/^else$/);
    for (const ready of [null, 3, []]) await (await open({ readyOp: () => ready })).close();
  });

  inGraph('copies another, but for what is given, and binds its init_fn anew', async ({ options }) => {
    const seen: unknown[] = [];
    const first = new tf.train.Scaffold({ initFn: (scaffold) => void seen.push(scaffold), summaryOp: ['a'] });
    const second = new tf.train.Scaffold({ copy_from_scaffold: first, summary_op: ['b'] });
    expect(second.summary_op).toEqual(['b']);
    await (await tf.train.MonitoredTrainingSession({ ...options, scaffold: second })).close();
    expect(seen).toEqual([second]);
    expect(() => new tf.train.Scaffold({ copyFromScaffold: {} as never })).toThrow('is not a Scaffold instance');
  });

  inGraph('takes pieces of collections; two are an error; defaults go there', async ({ options }) => {
    const graph = tf.getDefaultGraph();
    let ran = 0;
    graph.addToCollection('init_op', () => void ran++);
    const open = () => tf.train.MonitoredTrainingSession({ ...options });
    await (await open()).close();
    expect(ran).toBe(1);
    for (const key of ['ready_op', 'ready_for_local_init_op', 'local_init_op', 'summary_op', 'savers']) {
      expect(graph.getCollection(key)).toHaveLength(1);
    }
    const own = () => [];
    await (await tf.train.MonitoredTrainingSession({ ...options, scaffold: new tf.train.Scaffold({ readyOp: own }) })).close();
    expect(graph.getCollection('ready_op')).not.toContain(own);
    graph.addToCollection('init_op', () => {});
    await expect(open()).rejects.toThrow('More than one item in the collection "init_op"');
  });

  inGraph('a summary_op of tags, or none at all', async (world) => {
    expect(await written(world, { summaryDir: dir, scaffold: new tf.train.Scaffold({ summaryOp: null }) })).toEqual(['START 1', 'flush -1']);
    expect(await written(world, { summaryDir: dir, scaffold: new tf.train.Scaffold({ summaryOp: ['loss', 'none'] }) })).toEqual(['START 4', 'summary 4', 'flush -1']);
  });

  inGraph('finalize twice is harmless', async ({ options }) => {
    const scaffold = new tf.train.Scaffold();
    for (let i = 0; i < 2; i++) await (await tf.train.MonitoredTrainingSession({ ...options, scaffold })).close();
  });
});

describe('creators', () => {
  inGraph('a chief takes a directory or a file', async ({ options, storage }) => {
    const initial = tf.scalar(1);
    const w: tf.Variable = tf.variable(initial, true, 'w');
    initial.dispose();
    const both = new tf.train.SingularMonitoredSession({ ...options, checkpointDir: dir, checkpointFilenameWithPath: `${dir}/x` });
    await expect(both.open()).rejects.toThrow('both checkpoint_dir and checkpoint_filename_with_path');
    const saver = storage.makeSaver({ graph: tf.getDefaultGraph() } as never);
    const path = await saver.save(null as never, `${dir}/x`, { globalStep: 4 });
    const other = tf.scalar(5);
    w.assign(other);
    other.dispose();
    const sess = new tf.train.SingularMonitoredSession({ ...options, checkpoint_filename_with_path: path });
    expect(await sess.run('w')).toBe(1);
    await sess.close();
  });

  inGraph('variables need names that a later run can find', async ({ options }) => {
    const initial = tf.scalar(1);
    tf.variable(initial);
    tf.train.createGlobalStep();
    initial.dispose();
    await (await tf.train.MonitoredTrainingSession({ ...options })).close();
    await expect(tf.train.MonitoredTrainingSession({ ...options, checkpointDir: dir })).rejects.toThrow('name them');
  });

  inGraph('optimizers have their slots before the first checkpoint', async ({ options }) => {
    const initial = tf.ones([2]);
    tf.variable(initial, true, 'w');
    tf.variable(initial, false, 'frozen');
    initial.dispose();
    const adam = tf.train.adam(0.1);
    tf.train.adam(0.2).dispose();
    const sess = await tf.train.MonitoredTrainingSession({ ...options });
    expect(adam.slots().map(({ owner, slot }) => `${owner}/${slot}`)).toEqual(['w/m', 'w/v']);
    expect([...tf.getDefaultGraph().variables.keys()]).toEqual(['w', 'frozen']);
    await sess.close();
    adam.dispose();
  });

  inGraph('a worker has only hooks, waits for its chief, and then gives up', async (world) => {
    const { options, clock, lines } = world;
    let ready = 3;
    const scaffold = new tf.train.Scaffold({ readyOp: () => (--ready > 0 ? ['w'] : []), initOp: () => { throw new Error('not for workers'); } });
    const [mine, chiefs] = [new Recorder(), new Recorder()];
    const open = (more: object) => tf.train.MonitoredTrainingSession({
      ...options, scaffold, isChief: false, hooks: [mine], chiefOnlyHooks: [chiefs], checkpointDir: dir, saveCheckpointSteps: 1, ...more,
    });
    await (await open({})).close();
    expect(clock.slept).toEqual([30, 30]);
    expect(lines[0]).toBe('Waiting for model to be ready: Variables not initialized: w');
    expect(mine.calls).toEqual(['begin', 'create', 'end']);
    expect(chiefs.calls).toEqual([]);
    expect([world.storage.log, world.storage.claims]).toEqual([[], []]);
    ready = 99;
    clock.slept.length = 0;
    await expect(open({ maxWaitSecs: 70 })).rejects.toBeInstanceOf(tf.errors.DeadlineExceededError);
    // A bound, not a number of polls.
    expect(clock.slept).toEqual([30, 30, 10]);
  });

  inGraph('other masters are opened by who registered them', async ({ options }) => {
    const opened: unknown[] = [];
    registerMaster('test', {
      open: async (master, { graph, clock }, config) => {
        opened.push(master, graph, config);
        return new Session(graph, clock);
      },
      isChief: () => true,
    });
    const sess = await tf.train.MonitoredTrainingSession({ ...options, master: 'test://job', config: { cluster: { workers: 2 } } });
    await sess.close();
    expect(opened).toEqual(['test://job', tf.getDefaultGraph(), { cluster: { workers: 2 } }]);
  });
});
