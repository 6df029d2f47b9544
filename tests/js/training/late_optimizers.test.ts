// Optimizers that a step makes or brings from another graph go on in the next life.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { Saver } from '../../../js/src/train/session/saver.js';
import type { GraphFunction } from '../../../js/src/train/session/step.js';
import { dir, options, programs } from './programs_support.js';

const crash = new Error('crash');
const makers: Record<string, () => tf.Optimizer> = {
  adam: () => tf.train.adam(0.1), adamax: () => tf.train.adamax(0.1), momentum: () => tf.train.momentum(0.1, 0.9),
  adagrad: () => tf.train.adagrad(0.1), adadelta: () => tf.train.adadelta(1), rmsprop: () => tf.train.rmsprop(0.1, 0.9, 0.5),
  sgd: () => tf.train.sgd(0.1),
};
type Make = (use: (make: () => tf.Optimizer, ...names: string[]) => void) => Record<string, () => void>;

interface Life {
  values: Record<string, number>;
  warnings: string[];
  assigns: string[];
}

/** A program that just began: variables `w` and `v`, steps of `make`, run in the order of `run`. */
async function life(make: Make, run: string[], directory: string | null = dir, saveSteps = 1, fails = true): Promise<Life> {
  tf.keras.backend.clear_session();
  const all = Object.fromEntries(['w', 'v'].map((name) => [name, tf.tidy(() => tf.variable(tf.scalar(1), true, name))]));
  const optimizers = new Map<() => tf.Optimizer, tf.Optimizer>();
  const bodies = make((make, ...names) => {
    if (!optimizers.has(make)) optimizers.set(make, make());
    const list = names.map((name) => all[name]!);
    optimizers.get(make)!.minimize(() => tf.addN(list.map((v) => v.square())).asScalar(), false, list);
  });
  const steps: Record<string, GraphFunction> = {};
  for (const [name, body] of Object.entries(bodies)) steps[name] = tf.train.step(name, body);
  const warnings: string[] = [];
  const onLog = (message: string, level: string): void => {
    if (level !== 'info') warnings.push(message);
  };
  const values: Record<string, number> = {};
  const { graph } = steps[run[0]!]!;
  try {
    await tf.train.withMonitoredTrainingSession(
      { ...options, onLog, checkpointDir: directory, saveCheckpointSteps: saveSteps }, async (sess) => {
        for (const name of run) await sess.run(steps[name]!);
        for (const [name, v] of Object.entries(all)) values[name] = v.arraySync();
        if (fails) throw crash;
      });
  } catch (error) {
    if (error !== crash) throw error;
  } finally {
    tf.dispose(Object.values(all));
    for (const optimizer of optimizers.values()) optimizer.dispose();
  }
  expect(graph.finalized).toBe(false);
  return { values, warnings, assigns: steps[run[0]!]!.recorded!.assigns.map(({ variable }) => variable) };
}

const times = (n: number, name = 'train'): string[] => Array.from({ length: n }, () => name);
const keys = async (): Promise<string[]> => (await tf.train.listVariables(dir)).map(([name]) => name);

describe('an optimizer that comes late', () => {
  programs();

  test.each(Object.keys(makers))('%s made in the step goes on after a crash', async (kind) => {
    const make: Make = (use) => ({ train: () => use(makers[kind]!, 'w', 'v') });
    const whole = await life(make, times(6), null);
    const first = await life(make, times(3));
    const second = await life(make, times(3));
    expect(second.values).toEqual(whole.values);
    expect([...first.warnings, ...second.warnings]).toEqual([]);
    // What the checkpoint gave is no part of what the step does.
    expect(second.assigns).toEqual(first.assigns);
  });

  test('one of another graph goes on', async () => {
    const make: Make = (use) => {
      const optimizer = new tf.Graph().asDefault(() => tf.train.adam(0.1));
      const same = (): tf.Optimizer => optimizer;
      return { train: () => use(same, 'w') };
    };
    const whole = await life(make, times(5), null);
    await life(make, times(2));
    expect((await life(make, times(3))).values).toEqual(whole.values);
    expect(await keys()).toEqual(['Adam/iterations', 'beta1_power', 'beta2_power', 'global_step', 'v', 'w', 'w/Adam', 'w/Adam_1']);
  });

  test('it has all it needs in a crash before its first use', async () => {
    const make: Make = (use) => ({ train: () => use(makers['momentum']!, 'w') });
    const whole = await life(make, times(4), null);
    await life(make, times(2));
    // Saves when it is created, and again at the end of the look.
    tf.keras.backend.clear_session();
    const w = tf.tidy(() => [tf.variable(tf.scalar(0), true, 'w'), tf.variable(tf.scalar(0), true, 'v')]);
    tf.train.step('train', () => 1);
    for (let i = 0; i < 2; i++) {
      await tf.train.withMonitoredTrainingSession({ ...options, checkpointDir: dir }, async () => {});
    }
    tf.dispose(w);
    expect(await keys()).toContain('w/Momentum');
    expect((await life(make, times(2))).values).toEqual(whole.values);
  });

  test('steps and optimizers that take turns, with a crash between', async () => {
    const [one, two] = [makers['momentum']!, makers['adam']!];
    const make: Make = (use) => ({
      first: () => use(one, 'w'), second: () => { use(two, 'v'); use(two, 'w'); },
    });
    const whole = await life(make, ['first', 'second', 'first', 'second', 'first', 'second'], null);
    await life(make, ['first', 'second']);
    const lone = await life(make, ['first']);
    const second = await life(make, ['second', 'first', 'second']);
    expect(second.values).toEqual(whole.values);
    expect([...lone.warnings, ...second.warnings]).toEqual([]);
  });

  test('what no optimizer takes is told once, and kept', async () => {
    await life((use) => ({ train: () => use(makers['momentum']!, 'w', 'v') }), times(2));
    const { warnings } = await life((use) => ({ train: () => use(makers['sgd']!, 'w', 'v') }), times(3));
    expect(warnings).toEqual([
      "restore: no optimizer has taken 'v/Momentum', 'w/Momentum' of the checkpoint so far: later checkpoints keep it. " +
        'Was the optimizer changed?']);
    expect(await keys()).toEqual(['global_step', 'v', 'v/Momentum', 'w', 'w/Momentum']);
  });

  test('one that is not used in every run goes on whenever it is used', async () => {
    const make = (from: number): Make => (use) => {
      let k = from;
      return { train: () => {
        if (k++ % 3 === 0) use(makers['adam']!, 'w');
        else tf.tidy(() => tf.engine().registeredVariables['v']!.assign(tf.scalar(k)));
      } };
    };
    const whole = await life(make(0), times(8), null);
    await life(make(0), times(5));
    expect((await life(make(5), times(3))).values).toEqual(whole.values);
  });

  test('of several of one kind, the order is warned of', async () => {
    const [one, two] = [() => tf.train.adam(0.1), () => tf.train.adam(0.2)];
    const make: Make = (use) => ({ first: () => use(one, 'w'), second: () => use(two, 'v') });
    const whole = await life(make, ['first', 'second', 'first', 'second'], null);
    await life(make, ['first', 'second']);
    const { warnings, values } = await life(make, ['first', 'second']);
    expect(values).toEqual(whole.values);
    expect(warnings).toEqual([expect.stringContaining('several optimizers of the kind Adam')]);
    const shared: Make = (use) => ({ first: () => use(makers['momentum']!, 'w'), second: () => use(() => tf.train.momentum(0.2, 0.9), 'w') });
    await life(shared, ['first', 'second'], `${dir}/shared`);
    expect((await life(shared, ['first', 'second'], `${dir}/shared`)).warnings).toEqual([expect.stringContaining('of the kind Momentum')]);
  });

  test.each(['adam', 'momentum', 'rmsprop'])('a recovery gives %s what it brought from an older graph', async (kind) => {
    const train = async (fails: number, directory: string | null): Promise<number> => {
      tf.disposeVariables();
      tf.resetDefaultGraph();
      const w = tf.tidy(() => tf.variable(tf.scalar(3), true, 'w'));
      const optimizer = makers[kind]!();
      const update = (): unknown => optimizer.minimize(() => w.square().asScalar(), false, [w]);
      for (let i = 0; i < 3; i++) update();
      tf.resetDefaultGraph();
      tf.getDefaultGraph().addVariable(w);
      const step = tf.train.step('train', () => {
        update();
        if (--fails === 0) throw new tf.errors.AbortedError('weak');
      });
      await tf.train.withMonitoredTrainingSession({ ...options, checkpointDir: directory }, (s) => s.run(step));
      const value = w.dataSync()[0]!;
      if (kind === 'adam') expect(optimizer.iterations).toBe(4);
      optimizer.dispose();
      return value;
    };
    const whole = await train(0, null);
    expect(await train(1, null)).toBe(whole);
    expect(await train(1, dir)).toBe(whole);
  });

  /** A variable at 3 in a new graph, and a step that trains it with a momentum that it makes. */
  function late(name = 'train') {
    tf.disposeVariables();
    tf.keras.backend.clear_session();
    const w: tf.Variable = tf.tidy(() => tf.variable(tf.scalar(3), true, 'w'));
    let momentum: tf.Optimizer | undefined;
    const step = tf.train.step(name, () => {
      (momentum ??= tf.train.momentum(0.1, 0.9)).minimize(() => w.square().asScalar(), false, [w]);
    });
    return { w, step, value: () => w.dataSync()[0]!, dispose: () => momentum!.dispose() };
  }

  test('what waits is of one start: a recovery or session that begins elsewhere does not take it', async () => {
    const first = late();
    await tf.train.withMonitoredTrainingSession({ ...options, checkpointDir: dir }, (s) => s.run(first.step));
    first.dispose();
    const checkpoint = (await tf.train.latestCheckpoint(dir))!;
    const wanted = Math.fround(2.4);
    // Restored by hand, and then back at the start.
    const second = late();
    let fail = true;
    const other = tf.train.step('other', () => {
      if (fail) {
        fail = false;
        throw new tf.errors.AbortedError('weak');
      }
    });
    await tf.train.withMonitoredTrainingSession(options, async (s) => {
      await new Saver().restore(s, checkpoint);
      await s.run(other);
      await s.run(second.step);
    });
    expect(second.value()).toBeCloseTo(wanted, 6);
    second.dispose();
    // The next session of the graph, in another directory.
    const third = late();
    await tf.train.withMonitoredTrainingSession({ ...options, checkpointDir: dir, saveCheckpointSecs: null }, (s) => s.run('w'));
    tf.tidy(() => third.w.assign(tf.scalar(3)));
    await tf.train.withMonitoredTrainingSession({ ...options, checkpointDir: `${dir}/b` }, (s) => s.run(third.step));
    expect(third.value()).toBeCloseTo(wanted, 6);
    third.dispose();
  });

  test('one that takes its state when all steps had been run says so', async () => {
    const phases = (from: number): Make => (use) => {
      let k = from;
      return { train: () => { use(k++ % 2 === 0 ? makers['momentum']! : makers['sgd']!, 'w'); } };
    };
    await life(phases(0), times(1));
    const { warnings } = await life(phases(1), times(2));
    expect(warnings).toEqual([
      expect.stringContaining("no optimizer has taken 'w/Momentum' of the checkpoint so far"),
      expect.stringContaining("Momentum takes 'w/Momentum' of the checkpoint only now")]);
  });

  test('what a session was told is no reason to warn the next one', async () => {
    await life((use) => ({ train: () => use(makers['momentum']!, 'w') }), times(1));
    tf.disposeVariables();
    tf.keras.backend.clear_session();
    const [w] = ['w', 'v'].map((name) => tf.tidy(() => tf.variable(tf.scalar(1), true, name))) as [tf.Variable];
    let momentum: tf.Optimizer | undefined;
    let trains = false;
    const step = tf.train.step('train', () => {
      if (trains) (momentum ??= makers['momentum']!()).minimize(() => w.square().asScalar(), false, [w]);
    });
    const warnings: string[] = [];
    const onLog = (message: string, level: string): void => {
      if (level !== 'info') warnings.push(message);
    };
    const run = () => tf.train.withMonitoredTrainingSession({ ...options, checkpointDir: dir, onLog }, (s) => s.run(step));
    await run();
    expect(warnings).toEqual([expect.stringContaining("no optimizer has taken 'w/Momentum'")]);
    trains = true;
    await run();
    expect(warnings).toHaveLength(1);
    momentum!.dispose();
  });

  test.each([['a directory', true], ['a snapshot', false]])('one that was disposed of before goes on after a recovery from %s', async (_, saved) => {
    const train = async (fails: number, directory: string | null) => {
      tf.disposeVariables();
      tf.keras.backend.clear_session();
      const w: tf.Variable = tf.tidy(() => tf.variable(tf.scalar(3), true, 'w'));
      const adam = tf.train.adam(0.1);
      const update = (): unknown => adam.minimize(() => w.square().asScalar(), false, [w]);
      for (let i = 0; i < 3; i++) update();
      adam.dispose();
      const step = tf.train.step('train', () => {
        update();
        if (--fails === 0) throw new tf.errors.AbortedError('weak');
      });
      await tf.train.withMonitoredTrainingSession(
        { ...options, checkpointDir: directory, saveCheckpointSecs: 600 }, (s) => s.run(step));
      const found = [w.dataSync()[0], adam.iterations];
      adam.dispose();
      return found;
    };
    const whole = await train(0, null);
    expect(whole[1]).toBe(4);
    expect(await train(1, saved ? dir : null)).toEqual(whole);
  });

  test('a recovery leaves what an optimizer has of another graph', async () => {
    const make = (name: string): tf.Variable => tf.tidy(() => tf.variable(tf.scalar(3), true, name));
    const w = make('w');
    const momentum = tf.train.momentum(0.1, 0.9);
    const train = (v: tf.Variable): unknown => momentum.minimize(() => v.square().asScalar(), false, [v]);
    train(w);
    const { value } = momentum.slots()[0]!;
    tf.resetDefaultGraph();
    const u = make('u');
    let runs = 0;
    const step = tf.train.step('train', () => {
      train(u);
      if (++runs === 2) throw new tf.errors.AbortedError('weak');
    });
    await tf.train.withMonitoredTrainingSession(options, async (s) => {
      await s.run(step);
      train(w);
      const before = value.dataSync()[0]!;
      await s.run(step);
      expect(value.dataSync()[0]).toBe(before);
    });
    expect(u.dataSync()[0]).toBeCloseTo(2.4, 6);
    momentum.dispose();
  });

  test('one takes what a saver by hand has restored into the session', async () => {
    const make: Make = (use) => ({ train: () => use(makers['adam']!, 'w') });
    const whole = await life(make, times(3), null);
    await life(make, times(2));
    tf.keras.backend.clear_session();
    const w = tf.tidy(() => tf.variable(tf.scalar(0), true, 'w'));
    tf.tidy(() => tf.variable(tf.scalar(0), true, 'v'));
    let adam: tf.Optimizer | undefined;
    const step = tf.train.step('train', () => {
      (adam ??= makers['adam']!()).minimize(() => w.square().asScalar(), false, [w]);
    });
    await tf.train.withMonitoredTrainingSession(options, async (s) => {
      await new Saver().restore(s, (await tf.train.latestCheckpoint(dir))!);
      await s.run(step);
    });
    expect(w.dataSync()[0]).toBe(whole.values['w']);
    adam!.dispose();
  });

  test('one that was made before the session and is another one is an error', async () => {
    await life((use) => ({ train: () => use(makers['momentum']!, 'w') }), times(2));
    await expect(life((use) => {
      const early = tf.train.adam(0.1);
      return { train: () => use(() => early, 'w') };
    }, times(1))).rejects.toThrow('Key w/Adam not found');
  });

  test.each([['a directory', true], ['a snapshot', false]])('a recovery to %s of before begins anew', async (_, saved) => {
    let failed = 0;
    const program = (fail: boolean): Make => (use) => {
      let runs = 0;
      return { train: () => {
        use(makers['adam']!, 'w');
        if (fail && ++runs === 3) {
          failed++;
          throw new tf.errors.AbortedError('weak');
        }
      } };
    };
    const make = program(true);
    // The third run is made again from what was there before the first.
    const whole = await life(program(false), times(1), null);
    const again = await life(make, times(3), saved ? dir : null, 100);
    expect(failed).toBe(1);
    expect(again.values).toEqual(whole.values);
  });

  test('a recovery when some of its slots are in the checkpoint', async () => {
    let runs = 0;
    const make: Make = (use) => ({ train: () => {
      use(makers['momentum']!, 'w');
      if (++runs === 2) {
        use(makers['momentum']!, 'v');
        throw new tf.errors.AbortedError('weak');
      }
    } });
    const whole = await life((use) => ({ train: () => use(makers['momentum']!, 'w') }), times(2), null);
    expect((await life(make, times(2))).values).toEqual(whole.values);
    expect(await keys()).toEqual(['global_step', 'v', 'v/Momentum', 'w', 'w/Momentum']);
    expect((await tf.train.loadVariable(dir, 'v/Momentum')).data[0]).toBe(0);
  });

  test("TensorFlow's powers tell the steps, and what does not fit is an error", async () => {
    tf.keras.backend.clear_session();
    const make: Make = (use) => ({ train: () => use(makers['adam']!, 'w') });
    const whole = await life(make, times(4), null);
    await life(make, times(2));
    const reader = await tf.train.loadCheckpoint(dir);
    const values = await Promise.all(['w', 'w/Adam', 'w/Adam_1', 'beta1_power', 'beta2_power'].map(
      async (key) => [key, (await reader.getTensor(key)).data as Float32Array] as const));
    const write = async (directory: string, shape: number[]): Promise<void> => {
      tf.keras.backend.clear_session();
      const step = tf.train.createGlobalStep();
      step.assign(2);
      const made = tf.tidy(() => Object.fromEntries(values.map(([key, data]) => [
        key, tf.variable(tf.fill(key === 'w/Adam' ? shape : [], data[0]!), false, key)])));
      const v = tf.tidy(() => tf.variable(tf.scalar(1), false, 'v'));
      await new Saver({ ...made, v, global_step: step }).save(null, `${directory}/model.ckpt`, { globalStep: 2 });
      tf.dispose([made, v]);
    };
    await write(`${dir}/powers`, []);
    expect((await life(make, times(2), `${dir}/powers`)).values).toEqual(whole.values);
    await write(`${dir}/shapes`, [2]);
    await expect(life(make, times(1), `${dir}/shapes`)).rejects.toMatchObject({
      name: 'InvalidArgumentError', message: expect.stringContaining("'w/Adam' is [] here and [2]") as unknown });
  });
});
