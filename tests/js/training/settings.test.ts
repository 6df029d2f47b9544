// Settings, feeds and losses of a wrong kind.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { inGraph, inWorld, steps, tick } from './support.js';

const { InvalidArgumentError } = tf.errors;
const dir = 'memory://run';

describe('values that a placeholder does not take', () => {
  const range = 'which is no whole number from -2^31 to 2^31 - 1';
  const bad: [tf.DataType, number, unknown, string][] = [
    ['int32', 0, 1.5, `takes int32, got 1.5, ${range}`], ['int32', 0, NaN, `takes int32, got NaN, ${range}`], ['int32', 0, 2 ** 31, `got 2147483648, ${range}`],
    ['int32', 0, -(2 ** 31) - 1, `got -2147483649, ${range}`], ['int32', 0, 2n ** 40n, `got 1099511627776, ${range}`], ['int32', 0, '1', "takes int32, got '1'"],
    ['int32', 1, [1, Infinity], `got Infinity, ${range}`], ['int32', 1, new Float32Array([0.5]), `got 0.5, ${range}`],
    ['int32', 1, new Uint32Array([2 ** 32 - 1]), `got 4294967295, ${range}`], ['int32', 1, new BigInt64Array([2n ** 31n]), `got 2147483648, ${range}`],
    ['int32', 1, [[1], [2]], 'Cannot feed value of shape'], ['float32', 0, null, 'takes float32, got null'], ['float32', 0, undefined, 'takes float32, got undefined'],
    ['float32', 1, [1, null], 'takes float32, got null'], ['float32', 1, [undefined], 'takes float32, got undefined'], ['float32', 1, ['a'], "takes float32, got 'a'"],
    ['float32', 1, [{}], 'takes float32, got {}'], ['float32', 0, new Map(), 'takes float32, got Map'], ['float32', 0, new Date(0), 'takes float32, got Date'],
    ['float32', 1, new DataView(new ArrayBuffer(4)), 'takes float32, got DataView'], ['bool', 1, ['', true], "takes bool, got ''"], ['bool', 0, null, 'takes bool, got null'],
  ];
  test.each(bad)('are refused before the step: %p of rank %p, %p', (dtype, rank, value, message) => inWorld(async ({ options }) => {
    const x = tf.placeholder(dtype, Array<null>(rank).fill(null), 'x');
    const train = tf.train.step('train', { x }, ({ x }) => x.clone());
    await tf.train.withMonitoredTrainingSession(options, async (sess) => {
      const run = sess.run(train, { x: value });
      await expect(run).rejects.toThrow(message);
      await expect(run).rejects.not.toThrow(/feed.*feed:/);
      await expect(run).rejects.toBeInstanceOf(InvalidArgumentError);
      expect(await sess.run('global_step')).toBe(0);
    });
  }));

  const good: [tf.DataType, unknown, unknown][] = [
    ['int32', [1, -1, -0, true, 10n, 2 ** 31 - 1, -(2 ** 31)], [1, -1, 0, 1, 10, 2147483647, -2147483648]],
    ['int32', new Float64Array([1, 2]), [1, 2]], ['int32', new BigInt64Array([3n, -4n]), [3, -4]], ['int32', new Uint8Array([255]), [255]],
    ['float32', [NaN, Infinity, 1n, false], [NaN, Infinity, 1, 0]], ['float32', new BigUint64Array([7n]), [7]], ['float32', new Uint8Array([7]), [7]],
    ['bool', [true, 0, 255, 1n], [1, 0, 1, 1]], ['bool', new Uint8Array([0, 255]), [0, 1]],
  ];
  test.each(good)('are not %p %p', (dtype, value, seen) => inWorld(async ({ options }) => {
    const x = tf.placeholder(dtype, [null], 'x');
    const look = tf.train.fetch('look', { x }, ({ x }) => x.clone());
    expect(await tf.train.withMonitoredTrainingSession(options, (sess) => sess.run(look, { x: value }))).toEqual(seen);
  }));

  test('nor does a tensor: 64-bit integers', () => {
    for (const dtype of ['int32', 'float32', 'bool', undefined] as const) {
      expect(() => tf.tensor(new BigInt64Array(2) as never, [2], dtype))
        .toThrow('tensor: a BigInt64Array has 64-bit integers, which no tensor holds: give Array.from(values, Number)');
    }
    expect(() => tf.add(new BigUint64Array(1) as never, 1)).toThrow('add: a BigUint64Array has');
    expect(tf.tidy(() => tf.tensor(Array.from(new BigInt64Array([5n]), Number)).arraySync())).toEqual([5]);
  });
});

describe('NanTensorHook', () => {
  test.each<[unknown, string]>([
    [{ loss: null }, 'NanTensorHook: the loss must be a scalar, got null'], [{ loss: [1] }, 'must be a scalar, got [1]'],
    [{ loss: 'NaN' }, "must be a scalar, got 'NaN'"], [{}, "what 'train' returned has no 'train/loss'"], [{ loss: undefined }, "has no 'train/loss'"],
  ])('does not watch %p', (result, message) => inWorld(async (world) => {
    const train = tf.train.step('train', () => result);
    await expect(steps(world, [new tf.train.NanTensorHook('train/loss')], 1, 0, train)).rejects.toThrow(message);
  }));
});

describe('one option in both spellings', () => {
  const twice: [string, () => unknown, string][] = [
    ['a hook', () => new tf.train.StopAtStepHook({ lastStep: 1, last_step: 2 }), "StopAtStepHook: 'lastStep' is given twice"],
    ['by position and by name', () => new tf.train.StopAtStepHook(1, { numSteps: 2 }), "'numSteps' is given twice"],
    ['a saver', () => new tf.train.Saver(null, { maxToKeep: 1, max_to_keep: 2 }), "Saver: 'maxToKeep' is given twice"],
    ['a scaffold', () => new tf.train.Scaffold({ summaryOp: 'a', summary_op: 'a' }), "Scaffold: 'summaryOp' is given twice"],
    ['a job', () => tf.train.startJob('./x', { maxRespawns: 1, max_respawns: 1 } as never), "startJob: 'maxRespawns' is given twice"],
    ['a creator', () => new tf.train.ChiefSessionCreator({ checkpointDir: 'a', checkpoint_dir: 'b' }), "ChiefSessionCreator: 'checkpointDir' is given twice"],
  ];
  test.each(twice)('is an error: %s', (_, make, message) => {
    expect(make).toThrow(message);
  });

  inGraph('is an error of a session and its config', async ({ options }) => {
    const open = (more: object) => tf.train.MonitoredTrainingSession({ ...options, ...more });
    await expect(open({ checkpointDir: 'memory://a', checkpoint_dir: 'memory://b' })).rejects.toThrow("MonitoredTrainingSession: 'checkpointDir' is given twice");
    await expect(open({ config: { operationTimeoutInMs: 1, operation_timeout_in_ms: 2 } })).rejects.toThrow("config: 'operationTimeoutInMs' is given twice");
    await expect(open({ config: new Map() })).rejects.toThrow('config: expected an object of options, got Map');
    await (await open({ checkpointDir: undefined, checkpoint_dir: null })).close();
    await (await open({ maxRecoveries: tf.train.USE_DEFAULT })).close();
  });
});

describe('numbers that count nothing', () => {
  const counts: [string, unknown[], unknown[]][] = [
    ['maxRecoveries', [-1, 1.5, null, NaN, '3'], [0, 3, Infinity]], ['stopGracePeriodSecs', [-1, null, NaN, '3'], [0, 1.5]], ['maxWaitSecs', [-1, null, 'x'], [0.5]],
    ['saveCheckpointSteps', [1.5, NaN, '3'], [-1, 0, null]], ['saveSummariesSecs', [NaN, '3'], [-1, 0, 1.5, null]], ['logStepCountSteps', [0.5], [0, -1, null]],
  ];
  test.each(counts)('are refused for %s', (name, bad, good) => inWorld(async ({ options }) => {
    tick();
    const open = (x: unknown) => tf.train.MonitoredTrainingSession({ ...options, [name]: x });
    const snake = name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
    for (const x of bad) await expect(open(x)).rejects.toThrow(`MonitoredTrainingSession: ${snake} must be a`);
    for (const x of good) await (await open(x)).close();
  }));

  test('are refused by hooks, timers, creators and sessions of one kind', () => {
    const { train } = tf;
    const bad: [() => unknown, string][] = [
      [() => new train.StopAtStepHook({ lastStep: 1.5 }), 'last_step must be a whole number from 0 on, got 1.5'],
      [() => new train.StopAtStepHook({ numSteps: -1 }), 'num_steps must be a whole number from 0 on, got -1'],
      [() => new train.CheckpointSaverHook({ checkpointDir: dir, saveSteps: 0.5 }), 'CheckpointSaverHook: save_steps must be'],
      [() => new train.SummarySaverHook({ outputDir: dir, saveSecs: -5, summaryOp: 'a' }), 'SummarySaverHook: save_secs must be a number from 0 on, got -5'],
      [() => new train.StepCounterHook({ everyNSteps: 1.5 }), 'every_n_steps must be a whole number'],
      [() => new train.LoggingTensorHook(['w'], 1.5), 'every_steps must be a whole number from 0 on, got 1.5'],
      [() => new train.SecondOrStepTimer({ everySecs: '1' as never }), "every_secs must be a number from 0 on, got '1'"],
      [() => new train.WorkerSessionCreator({ max_wait_secs: -1 }), 'WorkerSessionCreator: max_wait_secs must be a number from 0 on, got -1'],
      [() => new train.ChiefSessionCreator({ checkpoint_directory: dir } as never), "ChiefSessionCreator: there is no option 'checkpoint_directory'"],
      [() => new train.ChiefSessionCreator(5 as never), 'ChiefSessionCreator: scaffold must be a Scaffold, got 5'],
      [() => new train.SingularMonitoredSession({ maxRecoveries: 1.5 }), 'SingularMonitoredSession: max_recoveries must be a whole number from 0 on, got 1.5'],
      [() => new train.SingularMonitoredSession({ handleSignals: 5 as never }), 'handle_signals must be true or false, got 5'],
      [() => new train.MonitoredSession({ sessionCreator: {} as never }), 'session_creator must be a session creator, got {}'],
      [() => new train.NanTensorHook('x', 'no' as never), "fail_on_nan_loss must be true or false, got 'no'"],
      [() => tf.train.startJob('./x', { stopGracePeriodSecs: -1 }), 'startJob: stop_grace_period_secs must be a number from 0 on, got -1'],
      [() => tf.train.startJob('./x', { job: 5 as never }), 'startJob: job must be a text, got 5'],
    ];
    for (const [make, message] of bad) expect(make).toThrow(message);
  });
});

describe('a job of nothing', () => {
  test.each([[undefined, 'undefined'], [null, 'null'], [5, '5'], ['', "''"], [{}, '{}']])('is refused: %p', (source, shown) => {
    expect(() => tf.train.startJob(source as never)).toThrow(`startJob: expected the URL of a module, or \`spawn\`, got ${shown}`);
  });

  test('is refused: what Workers cannot be made of, or no Worker', () => {
    expect(() => tf.train.startJob('x', 5 as never)).toThrow('startJob: expected an object of options, got 5');
    const ended: string[] = [];
    const worker = (name: string) => ({ terminate: () => ended.push(name), addEventListener() {} });
    const start = (second: unknown) => () => tf.train.startJob(null, { spawn: (role, _, name) => (role === 'chief' ? worker(name) : second) as never });
    expect(start(undefined)).toThrow('startJob: spawn returned undefined, no Worker');
    expect(start({ post() {} })).toThrow('startJob: spawn returned an object, no Worker');
    // The chief that was started is ended, and the name is free again.
    expect(ended).toHaveLength(2);
  });
});

describe('the budget of a session', () => {
  test.each([[5, '5'], [null, 'null'], ['x', "'x'"], [[], '[]'], [{ sofd: 5 }, 'an object']])('is no %p', (budget, shown) => {
    expect(() => tf.EagerSession.options().budget(budget as never)).toThrow(`setBudget: expected an object with soft and hard, but got ${shown}`);
    expect(() => tf.EagerSession.getDefault().setBudget(budget as never)).toThrow(`but got ${shown}`);
  });

  test('has positive numbers of bytes', () => {
    expect(() => tf.EagerSession.options().budget({ hard: '1' as never })).toThrow("hard must be a positive number of bytes, but is '1'");
    expect(() => tf.EagerSession.options().budget({ soft: null as never })).toThrow('soft must be a positive number of bytes, but is null');
    const session = tf.EagerSession.options().budget({ soft: 1e6 }).budget({ hard: 1e9 }).build();
    session.close();
  });
});

describe('calls that are none', () => {
  inGraph('of runStepFn', async ({ options }) => {
    await tf.train.withMonitoredTrainingSession(options, async (sess) => {
      for (const [fn, shown] of [[5, '5'], [() => 1, 'a function of 0'], [(_a: unknown, _b: unknown) => 1, 'a function of 2']] as const) {
        await expect(sess.runStepFn(fn as never)).rejects.toThrow(`runStepFn: \`step_fn\` must be a function of one argument, the \`step_context\`, got ${shown}`);
      }
    });
  });

  test('of classes without new', () => {
    for (const name of ['SingularMonitoredSession', 'MonitoredSession', 'Scaffold', 'Saver', 'StopAtStepHook', 'SessionRunHook'] as const) {
      const call = tf.train[name] as unknown as () => void;
      expect(() => call()).toThrow(`${name} is a class: new tf.train.${name}(...)`);
    }
    class Hook extends tf.train.SessionRunHook {}
    const hook = new Hook();
    expect(hook instanceof tf.train.SessionRunHook && hook instanceof Hook && hook.constructor === Hook).toBe(true);
  });
});
