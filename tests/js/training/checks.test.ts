// What is refused before anything runs, and what is told of a step that did run.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { inGraph, inWorld, Recorder, steps, tick } from './support.js';

const dir = 'memory://run';
const { InvalidArgumentError } = tf.errors;
const { CheckpointSaverHook, Scaffold, SessionRunHook, SummarySaverHook } = tf.train;

/** A step that counts its calls in a variable. */
function counting(result: () => unknown = () => ({ loss: 1, all: [2, { deep: tf.scalar(3) }] })) {
  const w: tf.Variable = tf.tidy(() => tf.variable(tf.scalar(0), true, 'w'));
  return tf.train.step('t', () => {
    w.assign(w.add(1));
    return result();
  });
}

const spent = (sess: tf.MonitoredSession): Promise<unknown> => sess.run(['w', 'global_step']);

describe('a run that cannot be answered', () => {
  const unanswerable: [string, (t: tf.Fetch) => unknown, string][] = [
    ['an unknown name', (t) => [t, 'nope'], "the graph has nothing of the name 'nope'"],
    ['a misspelt function', (t) => [t, 'tt/loss'], "the graph has nothing of the name 'tt/loss'"],
    ['a misspelt placeholder', (t) => [t, 'inpt'], "nothing of the name 'inpt'; did you mean 'input'?"],
    ['a placeholder that is not fed', (t) => [t, 'input'], "You must feed a value for placeholder 'input' with dtype float32 and shape [?]"],
    ['a function whose placeholder is not fed', (t) => [t, tf.getDefaultGraph().functionNamed('look') as tf.Fetch], "placeholder 'input' with dtype float32 and shape [?]: 'look' needs it"],
    ['a result of a function that is not there', (t) => [t, 'look'], "'look' is a result of the fetch 'look', which is not part of this run"],
    ['something else', (t) => [t, { deep: [5] }], '5 cannot be fetched'],
    ['a placeholder of another graph', (t) => [t, new tf.Graph().asDefault(() => tf.placeholder('float32', [], 'input'))], "'input' is not an element of this session's graph"],
    ['fetches that hold themselves', (t) => {
      const all: unknown[] = [t];
      all.push(all);
      return all;
    }, 'run: what is fetched holds itself'],
  ];

  test.each(unanswerable)('runs nothing: %s', (_, fetches, message) => inWorld(async ({ options }) => {
    const input = tf.placeholder('float32', [null], 'input');
    tf.train.fetch('look', { input }, ({ input }) => input.mul(2));
    const t = counting();
    await tf.train.withMonitoredTrainingSession(options, async (sess) => {
      await expect(sess.run<unknown>(fetches(t))).rejects.toThrow(message);
      expect(await spent(sess)).toEqual([0, 0]);
      await sess.run(t);
      await expect(sess.run<unknown>(fetches(t))).rejects.toThrow(message);
      expect(await spent(sess)).toEqual([1, 1]);
    });
  }));

  inGraph('by what hooks add to it runs nothing either', async ({ options }) => {
    const input = tf.placeholder('float32', [], 'input');
    const look = tf.train.fetch('look', { input }, ({ input }) => input.clone());
    const t = counting();
    let adds: tf.Fetches = null;
    const hooks = [{ beforeRun: () => new tf.train.SessionRunArgs(adds) }];
    await tf.train.withMonitoredTrainingSession({ ...options, hooks }, async (sess) => {
      for (const [wish, message] of [[look, "'look' needs it"], ['nope', "nothing of the name 'nope'"]] as const) {
        adds = wish;
        await expect(sess.run(t)).rejects.toThrow(message);
        adds = null;
        expect(await spent(sess)).toEqual([0, 0]);
      }
      // Hooks go without functions that are not in the run, and without feeds.
      adds = ['look', 'input'];
      await sess.run(t);
    });
  });

  inGraph('at the end of training is refused at its start', async ({ options }) => {
    const x = tf.placeholder('float32', [], 'x');
    const look = tf.train.fetch('look', { x }, ({ x }) => x.mul(2));
    counting();
    const open = async (...args: unknown[]) => tf.train.MonitoredTrainingSession({ ...options, hooks: [new tf.train.FinalOpsHook(...args as [])] });
    await expect(open('nope')).rejects.toThrow("nothing of the name 'nope'");
    await expect(open('t/loss')).rejects.toThrow('a name never makes a function run');
    await expect(open(look)).rejects.toThrow("'look' needs it");
    await expect(open(look, { y: 1 })).rejects.toThrow("no placeholder 'y'");
    await expect(open(look, 5)).rejects.toThrow('final_ops_feed_dict must be an object of feeds, got 5');
    await (await open(look, { x: 1 })).close();
  });

  inGraph('takes nothing of what hooks feed', async ({ options }) => {
    const x = tf.placeholder('float32', [], 'x');
    const t = tf.train.step('t', { x }, ({ x }) => x.clone());
    const hooks = [new tf.train.FeedFnHook([{ x: 1 }, { x: 2 }])];
    await tf.train.withMonitoredTrainingSession({ ...options, hooks }, async (sess) => {
      await expect(sess.run([t, 'nope'])).rejects.toThrow('nope');
      expect(await sess.run(t)).toBe(1);
    });
  });

  inGraph('for want of a global step runs nothing', async () => {
    const t = counting();
    tf.getDefaultGraph().clearCollection('global_step');
    const session = new tf.compat.v1.Session(tf.getDefaultGraph());
    await expect(session.run(t)).rejects.toThrow("Global step should be created to use step 't'");
    await expect(session.run([t, 'global_step'])).rejects.toThrow('Global step should be created');
    await expect(session.run('global_step')).rejects.toThrow("nothing of the name 'global_step'");
    expect(await session.run('w')).toBe(0);
  });
});

describe('a part that a step does not return', () => {
  inGraph('is told with the step at first, and before the step from then on', async ({ options }) => {
    const t = counting();
    await tf.train.withMonitoredTrainingSession(options, async (sess) => {
      const asked = sess.run([t, 't/lose']);
      await expect(asked).rejects.toThrow("run: what 't' returned has no 't/lose'; 't' did run, and the global step is 1");
      await expect(asked).rejects.toBeInstanceOf(InvalidArgumentError);
      for (const name of ['t/lose', 't/all/2', 't/all/1/deeper', 't/loss/x', 't/all/1/deep/shape']) {
        const again = sess.run([t, name]);
        await expect(again).rejects.toThrow(`what 't' returned has no '${name}'`);
        await expect(again).rejects.not.toThrow('did run');
      }
      expect(await spent(sess)).toEqual([1, 1]);
      expect(await sess.run([t, 't/loss', 't/all/0', 't/all/1/deep', 't/all/1', 't'])).toMatchObject({ 1: 1, 2: 2, 3: 3, 4: { deep: 3 } });
    });
  });

  inGraph('but returned before is told with the step', async ({ options }) => {
    let n = 0;
    const t = counting(() => (n++ === 1 ? {} : { loss: n }));
    await tf.train.withMonitoredTrainingSession(options, async (sess) => {
      expect((await sess.run([t, 't/loss']))[1]).toBe(1);
      await expect(sess.run([t, 't/loss'])).rejects.toThrow("has no 't/loss'; 't' did run, and the global step is 2");
      expect((await sess.run([t, 't/loss']))[1]).toBe(3);
    });
  });

  inGraph('is told by a step that returns nothing', async ({ options }) => {
    const t = counting(() => undefined);
    await tf.train.withMonitoredTrainingSession(options, async (sess) => {
      expect(await sess.run([t, 't'])).toEqual([null, null]);
      await expect(sess.run([t, 't/loss'])).rejects.toThrow("has no 't/loss'");
      expect(await spent(sess)).toEqual([1, 1]);
    });
  });
});

describe('results that are none', () => {
  class Logs {
    loss = 1;
  }
  const self: unknown[] = [];
  self.push({ self });
  const bad: [string, unknown, string][] = [
    ['a Map', new Map([['loss', 1]]), "'t' returned Map"], ['a Set', { all: [new Set([1])] }, "'t' returned Set"],
    ['a Date', new Date(0), "'t' returned Date"], ['an instance', new Logs(), "'t' returned Logs"],
    ['what holds itself', self, "what 't' returned holds itself"],
    ['a promise', Promise.resolve(1), "'t' returned a promise"],
  ];
  test.each(bad)('are refused, and the step is told to have run: %s', (_, result, message) => inWorld(async ({ options }) => {
    const t = counting(() => result);
    await tf.train.withMonitoredTrainingSession(options, async (sess) => {
      const run = sess.run(t);
      await expect(run).rejects.toThrow(message);
      await expect(run).rejects.toThrow('; it did run, but is not counted: the global step is 0');
      await expect(run).rejects.toBeInstanceOf(InvalidArgumentError);
    });
  }));

  inGraph('may be any plain ones', async ({ options }) => {
    const t = counting(() => [null, undefined, 'text', NaN, 10n, { typed: new Float32Array(2) }, Object.create(null)]);
    await tf.train.withMonitoredTrainingSession(options, async (sess) => {
      expect(await sess.run(t)).toEqual([null, null, 'text', NaN, 10n, { typed: new Float32Array(2) }, {}]);
    });
  });
});

describe('hooks that are none', () => {
  const all = 'begin, afterCreateSession, beforeRun, afterRun, end';
  class Misspelt extends SessionRunHook {
    before_rum(): void {}
  }
  const bad: [string, unknown, string][] = [
    ['a list in the list', [[new Recorder()]], `hooks: expected objects with some of ${all}, got a list in the list`],
    ['an empty object', [{}], `hooks: {} has none of the methods ${all}`],
    ['an object with something else', [{ name: 'x', start() {} }], 'hooks: an object has none of the methods'],
    ['a misspelt method', [{ befor_run() {} }], "hooks: there is no method 'befor_run'; did you mean 'beforeRun'?"],
    ['another', [{ begin() {}, AfterRun() {} }], "hooks: there is no method 'AfterRun'; did you mean 'afterRun'?"],
    ['a misspelt method of a class', [new Misspelt()], "there is no method 'before_rum'; did you mean 'beforeRun'?"],
    ['a number for a method', [{ begin: 5 }], 'hooks: begin must be a function, got 5'],
    ['a text for a method', [{ begin() {}, after_run: 'x' }], "hooks: after_run must be a function, got 'x'"],
    ['null for the only method', [{ end: null }], 'hooks: an object has none of the methods'],
  ];
  test.each(bad)('are refused: %s', (_, hooks, message) => inWorld(async ({ options }) => {
    tick();
    await expect(tf.train.MonitoredTrainingSession({ ...options, hooks } as never)).rejects.toThrow(message);
    await expect(tf.train.MonitoredTrainingSession({ ...options, chiefOnlyHooks: hooks } as never)).rejects.toThrow(message);
    expect(() => new tf.train.MonitoredSession({ hooks } as never)).toThrow(message);
    expect(() => new tf.train.SingularMonitoredSession(hooks as never)).toThrow(message);
  }));

  test.each([
    ['a base without methods', () => new SessionRunHook()],
    ['methods and members of its own', () => ({ begun: 0, send() {}, _beforeRun() {}, before_run() {}, end: undefined })],
    ['helpers', () => ({ _end() {}, onAfterRun() {}, isBegin() {}, begin2() {}, before_run() {} })],
  ])('are not those with %s', (_, hook) => inWorld(async (world) => {
    await steps(world, [hook()], 1);
  }));

  test.each<[unknown, string]>([
    [5, 'before_run of an object must answer with SessionRunArgs or nothing, got 5'],
    [[], 'before_run of an object must answer with SessionRunArgs or nothing, got []'],
    [{ fetch: 'w' }, "before_run of an object: there is no option 'fetch', only fetches, feedDict, options"],
    [{ feedDict: {}, feed_dict: {} }, "'feedDict' is given twice"],
    [{ options: { traceLevl: 1 } }, "RunOptions: there is no option 'traceLevl'"],
    [{ options: { trace_level: 'x' } }, "RunOptions: trace_level must be a whole number from 0 on, got 'x'"],
    [{ options: 5 }, 'RunOptions: expected an object of options, got 5'],
  ])('answer with something else before a run: %p', (answer, message) => inWorld(async ({ options }) => {
    const t = counting();
    let given: unknown = answer;
    const hooks = [{ beforeRun: async () => given as never }];
    await tf.train.withMonitoredTrainingSession({ ...options, hooks }, async (sess) => {
      await expect(sess.run(t)).rejects.toThrow(message);
      for (given of [null, undefined, {}, { fetches: 'w', feed_dict: null }]) expect(await sess.run('w')).toBe(0);
    });
  }));

  test('nor listeners', () => {
    const make = (listeners: unknown) => () => new CheckpointSaverHook({ checkpointDir: dir, saveSteps: 1, listeners } as never);
    expect(make([{}])).toThrow('CheckpointSaverHook: listeners: {} has none of the methods begin, beforeSave, afterSave, end');
    expect(make([{ befor_save() {} }])).toThrow("there is no method 'befor_save'; did you mean 'beforeSave'?");
    expect(make({ begin() {} })).toThrow('listeners: expected a list');
    expect(make([{ after_save: 5 }])).toThrow('after_save must be a function, got 5');
    make([new tf.train.CheckpointSaverListener(), { afterSave() {} }])();
  });
});

describe('a scaffold of something else', () => {
  const functions = ['initOp', 'initFn', 'readyOp', 'readyForLocalInitOp', 'localInitOp'];
  test.each(functions)('is refused: %s', (name) => {
    const snake = name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
    expect(() => new Scaffold({ [name]: 5 })).toThrow(`Scaffold: ${snake} must be a function, got 5`);
    expect(() => new Scaffold({ [snake]: 'w' })).toThrow(`Scaffold: ${snake} must be a function, got 'w'`);
    const f = new tf.Graph().asDefault(() => tf.train.fetch('f', () => 1));
    expect(() => new Scaffold({ [name]: f })).toThrow(`Scaffold: ${snake} must be a function, got GraphFunction`);
    new Scaffold({ [name]: null });
    expect(() => new Scaffold({ initFeedDict: 5 as never })).toThrow('init_feed_dict must be an object of feeds, got 5');
  });

  test('is refused: a saver, a summary_op', () => {
    expect(() => new Scaffold({ saver: {} as never })).toThrow('Scaffold: saver must be a Saver, got {}');
    expect(() => new CheckpointSaverHook({ checkpointDir: dir, saveSteps: 1, saver: 5 as never })).toThrow('CheckpointSaverHook: saver must be a Saver, got 5');
    expect(() => new Scaffold({ summaryOp: 5 as never })).toThrow('Scaffold: summary_op must be a tag, or tags in a list, got 5');
    expect(() => new Scaffold({ summaryOp: ['a', { b: new Map() }] as never })).toThrow('or tags in a list, got Map');
    expect(() => new SummarySaverHook({ saveSteps: 1, outputDir: dir, summaryOp: true as never })).toThrow('SummarySaverHook: summary_op must be a tag');
    expect(() => new SummarySaverHook({ saveSteps: 1, outputDir: dir, scaffold: {} as never })).toThrow('scaffold must be a Scaffold');
    expect(() => new SummarySaverHook({ saveSteps: 1, summaryWriter: {} as never, summaryOp: 'a' })).toThrow('summary_writer must be a writer');
  });

  test.each([['init_op', 5], ['savers', {}], ['summary_op', [7]]])('is refused from a collection: %s', (key, item) => inWorld(async ({ options }) => {
    tick();
    tf.getDefaultGraph().addToCollection(key, item);
    await expect(tf.train.MonitoredTrainingSession(options)).rejects.toThrow(/^Scaffold: (init_op|saver|summary_op) must be/);
  }));

  inGraph('answers with something else when it is asked whether it is ready', async ({ options }) => {
    const open = (answer: unknown) => tf.train.MonitoredTrainingSession({ ...options, scaffold: new Scaffold({ readyOp: () => answer as never }) });
    await expect(open('w')).rejects.toThrow("ready_op must answer with a list of names, got 'w'");
    await expect(open(['w'])).rejects.toThrow('Variables not initialized: w');
    for (const ready of [[], null, undefined, 0]) await (await open(ready)).close();
  });
});

describe('a tag that no summary has', () => {
  inGraph('is told once', async (world) => {
    const scaffold = new Scaffold({ summaryOp: ['lose', 'loss'] });
    const train = tick();
    const sess = await tf.train.MonitoredTrainingSession({ ...world.options, scaffold, summaryDir: dir, saveSummariesSteps: 1 });
    await sess.run('global_step');
    expect(world.warnings).toEqual([]);
    for (let i = 0; i < 3; i++) await sess.run(train);
    await sess.close();
    expect(world.warnings).toEqual(["SummarySaverHook: no summary 'lose' was told so far, only 'loss'"]);
  });

  test.each<[tf.Fetches, string[]]>([
    ['loss', []], ['summary_op', []], [['loss', 'summary_op:0'], []], [null, []],
    [{ x: 'third' }, ["SummarySaverHook: no summary 'third' was told so far, only 'loss'"]],
  ])('is not one of %p, or may come later', (summaryOp, warnings) => inWorld(async (world) => {
    let n = 0;
    const train = tf.train.step('train', () => {
      tf.summary.scalar('loss', 1);
      if (++n === 3) tf.summary.scalar('third', n);
    });
    const hooks = [new SummarySaverHook({ saveSteps: 1, outputDir: dir, scaffold: new Scaffold({ summaryOp }) })];
    await steps(world, hooks, 4, 0, train);
    expect(world.warnings).toEqual(warnings);
  }));
});
