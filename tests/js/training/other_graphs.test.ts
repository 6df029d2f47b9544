// What was made in another graph than the session's, and names that clash.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { dir, options, programs } from './programs_support.js';

const session = <T>(fn: (sess: tf.MonitoredSession) => Promise<T>, more: object = {}): Promise<T | undefined> =>
  tf.train.withMonitoredTrainingSession({ ...options, checkpointDir: dir, ...more }, fn);
const declare = (value: number, name: string): tf.Variable =>
  tf.tidy(() => tf.variable(tf.scalar(value), true, name));
const model = (name = 'd'): tf.Sequential => {
  const made = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [1], name, kernelInitializer: 'ones' })] });
  made.compile({ optimizer: tf.train.momentum(0.1, 0.9), loss: 'meanSquaredError' });
  return made;
};
const trained = (m: tf.Sequential) => (): unknown => m.trainStep(tf.ones([2, 1]), tf.zeros([2, 1]));
const free = (...models: tf.Sequential[]): void => {
  for (const m of models) {
    m.optimizer.dispose();
    m.dispose();
  }
};

describe('what was made in another graph', () => {
  programs();

  test.each([['with a directory', {}], ['without', { checkpointDir: null }]])('a step must not assign it, %s', async (_, more) => {
    const old = declare(1, 'old');
    tf.resetDefaultGraph();
    const own = declare(1, 'own');
    const train = tf.train.step('train', () => {
      old.assign(old.add(1));
      own.assign(own.add(1));
    });
    await session(async (sess) => {
      await expect(sess.run(train)).rejects.toMatchObject({ code: 'state', message: expect.stringMatching(
        /^run: the step 'train' changes the variable 'old', which is not in the session's graph.*addVariable/) as unknown });
      await expect(sess.runStepFn((context) => context.runWithHooks(train))).rejects.toThrow("variable 'old'");
      await expect(sess.runStepFn((context) => context.session.run(train))).rejects.toThrow("variable 'old'");
      expect(await sess.run(['own', 'global_step'])).toEqual([1, 0]);
    }, more);
    expect(old.arraySync()).toBe(1);
  });

  test('an optimizer raises before it has changed any', async () => {
    const b = declare(1, 'b');
    tf.resetDefaultGraph();
    const a = declare(1, 'a');
    const sgd = tf.train.sgd(0.1);
    const train = tf.train.step('train', () => { sgd.minimize(() => a.mul(b).asScalar(), false, [a, b]); });
    await session(async (sess) => {
      await expect(sess.run(train)).rejects.toThrow("variable 'b'");
    });
    expect([a.arraySync(), b.arraySync(), sgd.iterations]).toEqual([1, 1, 0]);
  });

  test("one that a cost does not depend on is in nobody's way", async () => {
    const old = declare(1, 'old');
    tf.resetDefaultGraph();
    const own = declare(1, 'own');
    const sgd = tf.train.sgd(0.5);
    const train = tf.train.step('train', () => sgd.minimize(() => own.mul(2).asScalar(), true));
    expect(await session((sess) => sess.run([train, 'own']))).toEqual([2, 1]);
    expect([own.arraySync(), old.arraySync()]).toEqual([0, 1]);
  });

  test('a model of before is refused, and taken in it is trained, saved and restored', async () => {
    const life = async (refused: boolean): Promise<unknown> => {
      const m = model();
      tf.keras.backend.clear_session();
      const train = tf.train.step('train', trained(m));
      if (refused) {
        await session((sess) => expect(sess.run(train)).rejects.toThrow("'d/kernel'"), { checkpointDir: null });
      }
      const graph = tf.getDefaultGraph();
      for (const w of m.weights) graph.addVariable(w);
      await session(async (sess) => { for (let i = 0; i < 2; i++) await sess.run(train); });
      const values = m.getWeights().map((w) => w.arraySync());
      free(m);
      tf.keras.backend.clear_session();
      return values;
    };
    const first = await life(true);
    expect((await tf.train.listVariables(dir)).map(([name]) => name)).toEqual(
      ['d/bias', 'd/bias/Momentum', 'd/kernel', 'd/kernel/Momentum', 'global_step']);
    const second = await life(false);
    const m = model();
    for (let i = 0; i < 4; i++) tf.tidy(() => { trained(m)(); });
    const values = m.getWeights().map((w) => w.arraySync());
    expect(second).toEqual(values);
    expect(first).not.toEqual(values);
    free(m);
  });

  test('addVariable: again is nothing, and what it refuses', async () => {
    const tensor = tf.scalar(1);
    const [w, x, gone] = [declare(1, 'w'), declare(2, 'x'), declare(3, 'gone')];
    tf.resetDefaultGraph();
    const graph = tf.getDefaultGraph();
    gone.dispose();
    tf.placeholder('float32', [], 'x');
    graph.addVariable(w);
    const { version } = graph;
    graph.addVariable(w);
    expect(graph.version).toBe(version);
    expect([...graph.variables]).toEqual([['w', w]]);
    for (const [given, text] of [
      [5, 'addVariable: expected a variable, got 5'], [null, 'addVariable: expected a variable, got null'],
      [tensor, 'addVariable: expected a variable, got Tensor'],
      [gone, "addVariable: the variable 'gone' is disposed"], [x, "variable: the graph has 'x' already"],
    ] as const) {
      expect(() => graph.addVariable(given as never)).toThrow(text);
    }
    graph.finalize();
    graph.addVariable(w);
    expect(() => graph.addVariable(declare(1, 'late'))).toThrow('Graph is finalized');
    graph.unfinalize();
    tensor.dispose();
  });

  test('what the library keeps for itself goes on: slots, moving means, constraints', async () => {
    const m = tf.keras.Sequential([
      tf.keras.layers.Dense(2, { inputShape: [2], kernelConstraint: tf.constraints.nonNeg() }),
      tf.keras.layers.BatchNormalization(), tf.keras.layers.Dropout(0.5), tf.keras.layers.Dense(1),
    ]);
    m.compile({ optimizer: 'adam', loss: 'meanSquaredError', metrics: ['mse', 'mae'] });
    const train = tf.train.step('train', () => m.trainStep(tf.ones([4, 2]), tf.zeros([4, 1])));
    await session(async (sess) => { for (let i = 0; i < 3; i++) await sess.run(train); });
    expect((await tf.train.listVariables(dir)).map(([name]) => name)).toEqual(expect.arrayContaining([
      'batch_normalization/moving_mean', 'batch_normalization/moving_variance', 'dense/kernel/Adam', 'dense_1/bias/Adam_1']));
    m.optimizer.dispose();
    m.dispose();
  });

  test('fetching it is an error before anything runs', async () => {
    const old = declare(1, 'old');
    const x = tf.placeholder('float32', [], 'x');
    const oldStep = tf.train.step('train', () => 1);
    const oldCount = tf.train.getGlobalStep();
    tf.resetDefaultGraph();
    tf.placeholder('float32', [], 'x');
    const own = declare(0, 'own');
    const train = tf.train.step('train', () => own.assign(own.add(1)));
    await session(async (sess) => {
      for (const [what, name] of [[old, 'old'], [oldStep, 'train'], [x, 'x'], [oldCount, 'global_step']] as const) {
        await expect(sess.run([train, what], { x: 1 })).rejects.toMatchObject({
          code: 'argument', message: expect.stringContaining(`'${name}' is not an element of this session's graph`) as unknown });
      }
      await expect(sess.run('old')).rejects.toThrow(/nothing of the name 'old': the variable .* made in another graph/);
      await expect(sess.run('nothing')).rejects.toThrow(/nothing of the name 'nothing'$/);
      expect(await sess.run(['own', 'global_step'])).toEqual([0, 0]);
    });
  });
});

describe('names', () => {
  programs();

  test("a variable 'a:0' keeps its name, beside 'a'", async () => {
    const numbered = declare(1, 'a:0');
    const a = declare(2, 'a');
    expect([...tf.getDefaultGraph().variables]).toEqual([['a:0', numbered], ['a', a]]);
    tf.train.getOrCreateGlobalStep();
    await session(async (sess) => {
      expect(await sess.run(['a', 'a:0'])).toEqual([2, 1]);
    }, { checkpointDir: null });
    await expect(session(async () => {})).rejects.toThrow("'a:0'");
    numbered.dispose();
    await session(async (sess) => {
      expect(await sess.run(['a', 'a:0'])).toEqual([2, 2]);
    });
    expect(await tf.train.listVariables(dir)).toEqual([['a', []], ['global_step', []]]);
  });

  test('weights whose names an older model has are saved under the names they were given', async () => {
    const older = model();
    tf.keras.backend.clear_session();
    const newer = model();
    expect(newer.weights.map(({ name }) => name)).toEqual(['d/kernel', 'd/bias']);
    expect([...tf.getDefaultGraph().variables.keys()]).toEqual(['d/kernel', 'd/bias']);
    free(older);
    // The name is free again, but not in this graph.
    expect(() => declare(1, 'd/kernel')).toThrow("variable: the graph has 'd/kernel' already");
    expect(tf.getDefaultGraph().variables.get('d/kernel')).toBe((newer.weights[0] as tf.LayerVariable).variable);
    free(newer);
  });

  test.each([['train/loss', 1], ['train', { loss: 1 }]])("a variable '%s' and what the step returned", async (name, result) => {
    const train = tf.train.step('train', () => ({ loss: 1 }));
    const graph = tf.getDefaultGraph();
    if (name === 'train') {
      expect(() => declare(7, name)).toThrow("variable: the graph has 'train' already");
      return;
    }
    const w = declare(7, name);
    expect(graph.variables.get(name)).toBe(w);
    await session(async (sess) => {
      expect(await sess.run(name)).toBe(7);
      expect(await sess.run([w, train])).toEqual([7, { loss: result }]);
      await expect(sess.run([train, name])).rejects.toThrow(
        `run: '${name}' is a variable, and what the step 'train' returned`);
    }, { checkpointDir: null });
  });
});
