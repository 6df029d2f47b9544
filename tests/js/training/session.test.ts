// Graph, steps, fetches, feeds: what one run does.
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { Session } from '../../../js/src/train/session/session.js';
import { graphNodes } from '../../../js/src/train/session/graph_def.js';
import { inWorld } from './support.js';

const session = (): Session => new Session(tf.getDefaultGraph());
const inGraph = (name: string, f: () => Promise<void>): void => test(name, () => inWorld(f));

describe('the graph', () => {
  inGraph('knows variables, placeholders, steps and fetches by name', async () => {
    const graph = tf.getDefaultGraph();
    tf.tidy(() => tf.variable(tf.scalar(1), true, 'w').dispose());
    const initial = tf.scalar(1);
    tf.variable(initial, true, 'v');
    tf.variable(initial, false, 'frozen');
    initial.dispose();
    tf.placeholder('float32', [], 'x');
    tf.placeholder('float32');
    tf.placeholder('float32');
    tf.train.step('train', () => 1);
    tf.train.fetch('look', () => 1);
    expect([...graph.variables.keys()]).toEqual(['v', 'frozen']);
    expect(graph.placeholders.map(({ name }) => name)).toEqual(['x', 'Placeholder', 'Placeholder_1']);
    expect(graph.functions.map(({ name }) => name)).toEqual(['train', 'look']);
    expect(graph.getCollection('trainable_variables')).toHaveLength(1);
    expect(graph.get_collection('variables')).toHaveLength(2);
    expect(graph.unique_name('v')).toBe('v_1');
  });

  inGraph('refuses taken and illegal names', async () => {
    tf.train.step('train', () => 1);
    expect(() => tf.train.fetch('train', () => 1)).toThrow("has 'train' already");
    expect(() => tf.train.fetch('global_step', () => 1)).toThrow('global_step');
    expect(() => tf.placeholder('float32', [], 'no name')).toThrow("'no name' is no name");
    expect(() => tf.placeholder('string' as 'bool')).toThrow('not supported');
    expect(() => tf.train.step('x', {} as never)).toThrow('a function');
  });

  inGraph('refuses declarations once it is finalized, but no maths', async () => {
    const graph = tf.getDefaultGraph();
    graph.finalize();
    const before = tf.memory().numTensors;
    tf.tidy(() => {
      expect(() => tf.variable(tf.scalar(1), true, 'late')).toThrow('Graph is finalized');
      expect(tf.scalar(1).add(1).arraySync()).toBe(2);
    });
    expect(() => tf.placeholder('float32')).toThrow('Graph is finalized');
    expect(() => tf.train.step('s', () => 1)).toThrow('Graph is finalized');
    expect(() => graph.add_to_collection('c', 1)).toThrow('Graph is finalized');
    expect(tf.memory().numTensors).toBe(before);
    graph.unfinalize();
    tf.placeholder('float32');
  });

  inGraph('clear_session makes a new one, but not within another', async () => {
    const first = tf.getDefaultGraph();
    const other = new tf.Graph();
    expect(other.as_default(() => tf.getDefaultGraph())).toBe(other);
    expect(() => other.asDefault(() => tf.keras.backend.clear_session())).toThrow('nested graphs');
    expect(() => other.asDefault(async () => {})).toThrow('must not be async');
    expect(tf.getDefaultGraph()).toBe(first);
    tf.keras.backend.clear_session();
    expect(tf.getDefaultGraph()).not.toBe(first);
    expect(tf.compat.v1.get_default_graph()).toBe(tf.getDefaultGraph());
  });

  inGraph('gives weights the names they had, though an older model has them too', async () => {
    const layer = () => {
      const model = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [1] })] });
      return model;
    };
    tf.keras.backend.clear_session();
    const old = layer();
    const names = [...tf.getDefaultGraph().variables.keys()];
    tf.keras.backend.clear_session();
    const young = layer();
    expect([...tf.getDefaultGraph().variables.keys()]).toEqual(names);
    old.dispose();
    young.dispose();
  });

  inGraph('makes one global step', async () => {
    expect(tf.train.getGlobalStep()).toBeNull();
    const step = tf.train.create_global_step();
    expect(() => tf.train.createGlobalStep()).toThrow('already exists');
    expect(tf.train.getOrCreateGlobalStep()).toBe(step);
    step.assign(2n ** 53n);
    expect(step.bigint).toBe(9007199254740992n);
    expect(() => step.number).toThrow('.bigint');
    expect(() => step.assign(-1)).toThrow('out of range');
    expect(() => step.assign(0.5)).toThrow('no whole number');
    await expect(session().run('global_step')).rejects.toThrow('.bigint');
    for (const exact of [2n ** 31n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 53n + 1n, 2n ** 63n - 1n]) {
      step.assign(exact);
      expect([step.bigint, String(step)]).toEqual([exact, String(exact)]);
    }
    expect(() => step.increment()).toThrow('9223372036854775807 + 1 is out of range');
    expect(step.bigint).toBe(2n ** 63n - 1n);
    expect(() => step.assign(2n ** 63n)).toThrow('out of range');
    step.assign(2n ** 53n - 1n);
    expect(step.number).toBe(Number.MAX_SAFE_INTEGER);
    step.increment();
    expect(step.bigint).toBe(2n ** 53n);
  });

  // In a process of its own: collections take long in one that has run other tests.
  test('is freed with its graph, unless somebody holds it', () => {
    const program = `
      const tf = await import(process.argv[1] + '/index.node.js');
      const { liveGlobalSteps } = await import(process.argv[1] + '/train/session/global_step.js');
      await tf.ready();
      const make = (value) => {
        const step = tf.train.getOrCreateGlobalStep();
        step.assign(value);
        tf.keras.backend.clear_session();
        return step;
      };
      for (let i = 0; i < 50; i++) make(7);
      const before = liveGlobalSteps();
      const held = make(5);
      for (let i = 0; i < 100 && liveGlobalSteps() > 1; i++) {
        gc();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      console.log(before, liveGlobalSteps(), held.number);`;
    const dist = new URL('../../../dist', import.meta.url).href;
    const out = execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', program, dist]);
    expect(out.toString()).toBe('50 1 5\n');
  }, 60_000);

  inGraph('has nodes of all that was declared, and of kernels once they ran', async () => {
    const initial = tf.ones([2]);
    const w: tf.Variable = tf.variable(initial, true, 'w');
    const x = tf.placeholder('float32', [null, 2], 'x');
    const train = tf.train.step('train', { x }, ({ x }) => ({ loss: x.mul(w).sum() }));
    const before = graphNodes(tf.getDefaultGraph());
    expect(before.map(({ name }) => name)).toEqual([
      'x', 'w/Initializer/initial_value', 'w', 'w/Assign', 'w/Read/ReadVariableOp',
      'global_step/Initializer/initial_value', 'global_step', 'global_step/Assign',
      'global_step/Read/ReadVariableOp', 'train',
    ]);
    expect(before.at(-1)).toMatchObject({ op: 'NoOp', inputs: ['^x'] });
    await session().run(train, { x: [[1, 2]] });
    const after = graphNodes(tf.getDefaultGraph());
    const added = after.filter(({ name }) => name.startsWith('train'));
    expect(added.map(({ name }) => name)).toEqual([
      'train/Mul', 'train/Sum/axis', 'train/Sum', 'train/loss', 'train/global_step/value',
      'train/global_step/AssignAddVariableOp', 'train',
    ]);
    expect(added[0]).toMatchObject({ op: 'Mul', inputs: ['x', 'w/Read/ReadVariableOp'], outputShapes: [[1, 2]] });
    expect(added.at(-1)).toMatchObject({ op: 'NoOp', inputs: ['^x', '^train/loss', '^train/global_step/AssignAddVariableOp'] });
    const names = new Set(after.map(({ name }) => name));
    expect(names.size).toBe(after.length);
    const inputs = after.flatMap(({ inputs = [] }) => inputs).map((i) => i.replace(/^\^/, ''));
    expect(inputs.filter((name) => !names.has(name))).toEqual([]);
    initial.dispose();
  });
});

describe('a run', () => {
  inGraph('reads variables and the step first, then runs functions once, then names', async () => {
    const initial = tf.scalar(1);
    const w: tf.Variable = tf.variable(initial, true, 'w');
    initial.dispose();
    let runs = 0;
    const train = tf.train.step('train', () => {
      runs++;
      w.assign(w.add(1));
      return { w: w.clone(), deep: [tf.tensor1d([1, 2]), { flag: true }], none: undefined };
    });
    const result = await session().run(['global_step:0', w, train, 'train/w', { again: train, part: 'train/deep/1' }, null, 'w:0']);
    expect(result).toEqual([
      0, 1, { w: 2, deep: [[1, 2], { flag: true }], none: null }, 2,
      { again: { w: 2, deep: [[1, 2], { flag: true }], none: null }, part: { flag: true } }, null, 1,
    ]);
    expect(runs).toBe(1);
    expect(await session().run(tf.train.getGlobalStep()!)).toBe(1);
  });

  inGraph('adds to the step for steps only, after they returned', async () => {
    const seen: number[] = [];
    const step = tf.train.getOrCreateGlobalStep();
    const train = tf.train.step('train', () => {
      seen.push(step.number);
    });
    const look = tf.train.fetch('look', () => step.number);
    const bad = tf.train.step('bad', () => {
      throw new RangeError('no');
    });
    expect(await session().run([look, train])).toEqual([0, null]);
    expect(await session().run([train, look])).toEqual([null, 2]);
    await expect(session().run(bad)).rejects.toThrow(RangeError);
    expect(step.number).toBe(2);
    expect(seen).toEqual([0, 1]);
  });

  inGraph('never runs a function for a name', async () => {
    const train = tf.train.step('train', () => ({ loss: 1 }));
    await expect(session().run('train/loss')).rejects.toThrow('a name never makes a function run');
    await expect(session().run('train')).rejects.toBeInstanceOf(tf.errors.InvalidArgumentError);
    await expect(session().run([train, 'train/acc'])).rejects.toThrow("has no 'train/acc'");
    await expect(session().run('nothing')).rejects.toThrow("nothing of the name 'nothing'");
    const asHook = (fetches: unknown): Promise<unknown[]> => session().runAll([{ fetches, lenient: true }]);
    expect(await asHook(['train/loss', null])).toEqual([[undefined, null]]);
    await expect(asHook('nothing')).rejects.toThrow("nothing of the name 'nothing'");
    await expect(session().run([3 as never])).rejects.toThrow('cannot be fetched');
    await expect(session().run([tf.Tensor as never])).rejects.toThrow('cannot be fetched');
  });

  inGraph('refuses promises, and frees what functions make', async () => {
    const late = tf.train.step('late', async () => tf.scalar(1).arraySync());
    const before = tf.memory().numTensors;
    await expect(session().run(late)).rejects.toThrow("'late' returned a promise");
    const fails = tf.train.fetch('fails', () => {
      tf.ones([3]).square();
      throw new Error('x');
    });
    await expect(session().run(fails)).rejects.toThrow('x');
    await session().run(tf.train.fetch('fine', () => [tf.ones([3]), tf.ones([2]).square()]));
    expect(tf.memory().numTensors).toBe(before);
    expect(tf.train.getGlobalStep()!.number).toBe(0);
  });

  inGraph('takes feeds by placeholder and by name, and checks them', async () => {
    const x = tf.placeholder('float32', [null, 2], 'x');
    const n = tf.placeholder('int32', [], 'n');
    const f = tf.train.fetch('f', { x, n }, ({ x, n }) => x.mul(n.cast('float32')).sum());
    const s = session();
    expect(await s.run(f, { x: [[1, 2]], n: 2 })).toBe(6);
    expect(await s.run(f, new Map<unknown, unknown>([[x, new Float32Array([1, 2, 3, 4])], ['n:0', 1]]) as never)).toBe(10);
    expect(await s.run(f, { [String(x)]: [[1, 1]], n: 1 })).toBe(2);
    const mine = tf.ones([3, 2]);
    expect(await s.run([f, 'x'], { x: mine, n: 1 })).toEqual([6, [[1, 1], [1, 1], [1, 1]]]);
    expect(mine.isDisposed).toBe(false);
    mine.dispose();
    await expect(s.run(f, { x: [[1, 2]] })).rejects.toThrow("feed a value for placeholder 'n'");
    await expect(s.run(f, { x: [1, 2], n: 1 })).rejects.toThrow("shape [2] for placeholder 'x', which has shape [?,2]");
    await expect(s.run(f, { x: [[1, 2, 3]], n: 1 })).rejects.toThrow('[1,3]');
    await expect(s.run(f, { y: 1 })).rejects.toThrow("no placeholder 'y'");
    await expect(s.run(f, new Map<unknown, unknown>([[x, 1], ['x', 1]]) as never)).rejects.toThrow('fed twice');
    const wrong = tf.ones([1, 2], 'int32');
    await expect(s.run(f, { x: wrong, n: 1 })).rejects.toThrow("'x' takes float32, got int32");
    wrong.dispose();
    expect(await s.run('n', { n: 3 })).toBe(3);
    await expect(s.run('n')).rejects.toThrow("placeholder 'n'");
  });

  inGraph('encodes summaries only when asked, by tag or all', async () => {
    const train = tf.train.step('train', () => {
      tf.summary.scalar('a', tf.scalar(1));
      tf.summary.histogram('b', tf.tensor1d([0, 1, 2]));
      tf.summary.image('c', tf.zeros([1, 2, 2, 1]), 1);
    });
    tf.summary.scalar('outside', 1);
    const s = session();
    expect(await s.run(train)).toBeNull();
    const [all, b, none] = (await s.run(['summary_op', 'summary_op/b', 'summary_op/x', train])) as unknown as [Uint8Array[], Uint8Array[], null];
    expect(all).toHaveLength(3);
    expect(all[0]).toBeInstanceOf(Uint8Array);
    expect(b).toHaveLength(1);
    expect(none).toBeNull();
    expect(await s.run('summary_op')).toBeNull();
    const twice = tf.train.fetch('twice', () => {
      tf.summary.scalar('t', 1);
      tf.summary.scalar('t', 2);
    });
    await s.run(twice);
    await expect(s.run([twice, 'summary_op'])).rejects.toThrow("the tag 't'");
    const nan = tf.train.fetch('nan', () => tf.summary.histogram('h', [NaN]));
    await expect(s.run([nan, 'summary_op'])).rejects.toBeInstanceOf(tf.errors.InvalidArgumentError);
  });

  inGraph('is refused once the session is closed, and for functions of other graphs', async () => {
    const s = session();
    const other = new tf.Graph().asDefault(() => tf.train.fetch('f', () => 1));
    await expect(s.run(other)).rejects.toThrow("not an element of this session's graph");
    await s.close();
    await expect(s.run(null)).rejects.toThrow('closed Session');
  });

  inGraph('tells its kernels when traced', async () => {
    const f = tf.train.fetch('f', () => tf.ones([2]).square());
    const metadata: tf.RunMetadata = {};
    await session().run(f);
    await session().run(f, null, { traceLevel: 3 }, metadata);
    expect(metadata.kernels!.map(({ name }) => name)).toContain('Square');
    const plain: tf.RunMetadata = {};
    await session().run(f, null, null, plain);
    expect(plain.kernels).toBeUndefined();
  });
});

test('errors are TensorErrors with codes and names of their own', () => {
  const error = new tf.errors.OutOfRangeError('end');
  expect(error).toBeInstanceOf(tf.TensorError);
  expect(error).toMatchObject({ name: 'OutOfRangeError', code: 'state', errorCode: 11, message: 'end' });
  expect(new tf.errors.InvalidArgumentError('x').code).toBe('argument');
  expect(tf.errors.UNAVAILABLE).toBe(14);
});
