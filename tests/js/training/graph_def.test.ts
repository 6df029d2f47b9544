// The graph that is written of what functions did when they first ran.
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.node.js';
import { decodeGraph, decodeMetaGraph, graphText } from '../../../js/src/io/checkpoint/graph.js';
import type { GraphNode } from '../../../js/src/io/checkpoint/graph.js';
import { loadFormats } from '../../../js/src/io/formats.js';
import { Session } from '../../../js/src/train/session/session.js';
import { graphDef, graphNodes, metaGraphDef } from '../../../js/src/train/session/graph_def.js';
import { isNodeName } from '../../../js/src/train/session/graph.js';

const graph = (): tf.Graph => tf.getDefaultGraph();
const session = (): Session => new Session(graph());
const bare = (input: string): string => input.replace(/^\^/, '').replace(/:\d+$/, '');

/** The nodes by name; checks what holds of every graph. */
function nodes(): Map<string, GraphNode> {
  const all = graphNodes(graph());
  const seen = new Map<string, GraphNode>();
  for (const node of all) {
    expect(isNodeName(node.name)).toBe(true);
    expect(node.op).toMatch(/^(Tidemark>)?[A-Z][A-Za-z0-9]*$/);
    // Every input stands before what takes it: so there is no cycle.
    expect(node.inputs!.filter((input) => !seen.has(bare(input)))).toEqual([]);
    const waits = node.inputs!.map((input) => input.startsWith('^'));
    expect(waits).toEqual([...waits].sort());
    for (const input of node.inputs!) {
      const output = Number(/:(\d+)$/.exec(input)?.[1] ?? 0);
      if (!input.startsWith('^')) expect(seen.get(bare(input))!.outputShapes!.length).toBeGreaterThan(output);
    }
    expect(node.outputShapes).toBeDefined();
    expect(seen.has(node.name)).toBe(false);
    seen.set(node.name, node);
  }
  const { node } = decodeGraph(graphDef(graph())) as { node: { attr: Record<string, unknown> }[] };
  expect(node.every(({ attr }) => '_output_shapes' in attr)).toBe(true);
  return seen;
}

/** What one node takes of the others, as one text. */
function line({ name, op, inputs }: GraphNode): string {
  return `${name} = ${op}(${inputs!.join(', ')})`;
}
const lines = (scope: string): string[] =>
  [...nodes().values()].filter(({ name }) => name === scope || name.startsWith(`${scope}/`)).map(line);

describe('the recorded graph', () => {
  beforeAll(() => loadFormats());
  beforeEach(() => tf.keras.backend.clear_session());
  afterEach(() => tf.disposeVariables());

  test('of a linear model with sgd', async () => {
    const x = tf.placeholder('float32', [null, 3], 'x');
    const y = tf.placeholder('float32', [null, 1], 'y');
    const w = tf.tidy(() => tf.variable(tf.zeros([3, 1]), true, 'w'));
    const opt = tf.train.sgd(0.1);
    const train = tf.train.step('train', { x, y }, ({ x, y }) =>
      ({ loss: opt.minimize(() => x.matMul(w).sub(y).square().mean() as tf.Scalar, true, [w])! }));
    expect(line(nodes().get('train')!)).toBe('train = NoOp(^x, ^y)');
    await session().run(train, { x: [[1, 2, 3]], y: [[1]] });
    const of = lines('train');
    expect(of).toEqual(expect.arrayContaining([
      'train/MatMul = MatMul(x, w/Read/ReadVariableOp)',
      'train/Sub = Sub(train/MatMul, y)',
      'train/Square = Square(train/Sub)',
      'train/Mean = Mean(train/Square, train/Mean/axis)',
      'train/loss = Identity(train/Mean)',
      'train/SgdUpdate/step = Mul(train/SgdUpdate/learning_rate, train/MatMul_1)',
      'train/SgdUpdate = Sub(w/Read/ReadVariableOp, train/SgdUpdate/step)',
      'train/AssignVariableOp = AssignVariableOp(w, train/SgdUpdate, ^w/Read/ReadVariableOp)',
    ]));
    const all = nodes();
    expect(all.get('train/MatMul_1')).toMatchObject({
      op: 'MatMul', attrs: { T: { type: 'float32' }, transpose_a: { b: true }, transpose_b: { b: false } }, outputShapes: [[3, 1]],
    });
    expect(all.get('train/MatMul_1')!.inputs![0]).toBe('x');
    expect(all.get('train')!.inputs).toEqual([
      '^x', '^y', '^train/loss', '^train/AssignVariableOp', '^train/global_step/AssignAddVariableOp',
    ]);
    expect([...all.values()].filter(({ op }) => op.startsWith('Tidemark>'))).toEqual([]);
    // Once is enough: later runs say nothing new.
    const { version } = graph();
    await session().run(train, { x: [[1, 2, 3]], y: [[1]] });
    expect(graph().version).toBe(version);
  });

  test('of a model of layers with Adam', async () => {
    const model = tf.keras.Sequential([
      tf.keras.layers.Dense(4, { inputShape: [3], activation: 'relu' }), tf.keras.layers.Dense(2, { activation: 'softmax' }),
    ]);
    model.compile({ optimizer: tf.train.adam(0.01), loss: 'categoricalCrossentropy', metrics: ['accuracy'] });
    const [x, y] = tf.tidy(() => [tf.ones([5, 3]), tf.oneHot([0, 1, 0, 1, 0], 2)]);
    const train = tf.train.step('train', () => model.trainStep(x, y));
    await session().run(train);
    const all = nodes();
    const ops = [...all.values()].filter(({ name }) => name.startsWith('train/')).map(({ op }) => op);
    expect(ops).toEqual(expect.arrayContaining(['MatMul', 'Relu', 'Softmax', 'Tidemark>AdamUpdate', 'Tidemark>Captured']));
    expect(ops.filter((op) => op === 'Tidemark>AdamUpdate')).toHaveLength(4);
    const update = all.get('train/AdamUpdate')!;
    expect(update.inputs!.slice(0, 3).map((input) => input.replace('/Read/ReadVariableOp', ''))).toEqual([
      expect.stringMatching(/\/kernel$/), expect.stringMatching(/\/kernel\/Adam$/), expect.stringMatching(/\/kernel\/Adam_1$/),
    ]);
    expect(update.attrs).toMatchObject({ learning_rate: { f: expect.closeTo(0.01) }, beta1: { f: expect.closeTo(0.9) } });
    expect(update.outputShapes).toHaveLength(3);
    const assigns = lines('train').filter((l) => l.includes('= AssignVariableOp('));
    expect(assigns).toHaveLength(12);
    expect(assigns[2]).toMatch(/\(([^,]*\/kernel\/Adam_1), train\/AdamUpdate:2, \^\1\/Read\/ReadVariableOp\)$/);
    expect(all.get('train/loss')!.op).toBe('Identity');
    expect(all.get('train/acc')!.op).toBe('Identity');
    tf.dispose([x, y]);
    const { optimizer } = model;
    model.dispose();
    optimizer.dispose();
    // What is gone is not asked for any more.
    expect(lines('train').filter((l) => l.includes('AssignVariableOp'))).toHaveLength(0);
  });

  test('of a fetch with feeds, of constants and of what comes from outside', async () => {
    const x = tf.placeholder('float32', [null], 'x');
    const [small, big] = tf.tidy(() => [tf.scalar(2), tf.ones([2000])]);
    const f = tf.train.fetch('f', { x }, ({ x }) => x.mul(3).add(small).add(tf.tensor1d([5])).add(big.sum()).add(tf.zeros([1])));
    await session().run(f, { x: [1, 2] });
    expect(lines('f')).toEqual([
      'f/Const = Const()', 'f/Mul = Mul(x, f/Const)', 'f/Captured = Tidemark>Captured()', 'f/Add = AddV2(f/Mul, f/Captured)',
      'f/Const_1 = Const()', 'f/Add_1 = AddV2(f/Add, f/Const_1)', 'f/Captured_1 = Tidemark>Captured()', 'f/Sum/axis = Const()',
      'f/Sum = Sum(f/Captured_1, f/Sum/axis)', 'f/Add_2 = AddV2(f/Add_1, f/Sum)', 'f/Fill/dims = Const()', 'f/Fill/value = Const()',
      'f/Fill = Fill(f/Fill/dims, f/Fill/value)', 'f/Add_3 = AddV2(f/Add_2, f/Fill)', 'f = Identity(f/Add_3, ^x)',
    ]);
    const all = nodes();
    expect(all.get('f/Const')!.attrs).toEqual({
      dtype: { type: 'float32' }, value: { tensor: { dtype: 'float32', shape: [], bytes: new Uint8Array(Float32Array.of(3).buffer) } },
    });
    expect(all.get('f/Captured_1')!.outputShapes).toEqual([[2000]]);
    expect(all.get('x')!.outputShapes).toEqual([[-1]]);
    tf.dispose([small, big]);
  });

  test('of several outputs, nested results, and names that are taken', async () => {
    const x = tf.placeholder('float32', [4], 'x');
    const f = tf.train.fetch('f', { x }, ({ x }) => {
      const [a, b] = tf.split(x, 2) as [tf.Tensor, tf.Tensor];
      return { Split: a, both: [b, a.add(b)], 'not a name': b, none: null, n: 7 };
    });
    tf.train.fetch('f/Add', () => tf.scalar(1));
    await session().run(f, { x: [1, 2, 3, 4] });
    expect(lines('f')).toEqual([
      'f/Split_1/sizes = Const()', 'f/Split_1/axis = Const()', 'f/Split_1 = SplitV(x, f/Split_1/sizes, f/Split_1/axis)',
      'f/Add_1 = AddV2(f/Split_1, f/Split_1:1)',
      'f/Split = Identity(f/Split_1)', 'f/both/0 = Identity(f/Split_1:1)', 'f/both/1 = Identity(f/Add_1)',
      'f = NoOp(^x, ^f/Split, ^f/both/0, ^f/both/1)', 'f/Add = NoOp()',
    ]);
    expect(nodes().get('f/Split_1')!.outputShapes).toEqual([[2], [2]]);
  });

  test('of aliases: views, copies, and a tensor that is fed twice', async () => {
    const a = tf.placeholder('float32', [2, 2], 'a');
    const b = tf.placeholder('float32', [2, 2], 'b');
    const v = tf.tidy(() => tf.variable(tf.ones([2, 2]), true, 'v'));
    const f = tf.train.fetch('f', { a, b }, ({ a, b }) => {
      const flat = a.reshape([4]);
      // The slot of a freed tensor is used again by the next one.
      b.add(1).dispose();
      return { a, flat, again: flat.reshape([2, 2]).clone(), sum: tf.tidy(() => a.sub(b)), v: v.clone(), w: v };
    });
    const same = tf.tidy(() => tf.keep(tf.ones([2, 2])));
    await session().run(f, { a: same, b: same });
    const of = lines('f');
    expect(of).toEqual(expect.arrayContaining([
      'f/Reshape = Reshape(a, f/Reshape/shape)', 'f/Add = AddV2(b, f/Const)', 'f/Reshape_1 = Reshape(f/Reshape, f/Reshape_1/shape)',
      'f/Sub = Sub(a, b)', 'f/a = Identity(a)', 'f/flat = Identity(f/Reshape)', 'f/sum = Identity(f/Sub)',
      'f/w = Identity(v/Read/ReadVariableOp)',
    ]));
    expect(of.at(-1)).toBe('f = NoOp(^a, ^b, ^f/a, ^f/flat, ^f/again, ^f/sum, ^f/v, ^f/w, ^f/Add)');
    same.dispose();
  });

  test('of a variable that is assigned, read again and assigned again', async () => {
    const w: tf.Variable = tf.tidy(() => tf.variable(tf.scalar(1), true, 'w')) as tf.Tensor as tf.Variable;
    const train = tf.train.step('train', () => {
      w.assign(w.add(1));
      const square = w.square();
      w.assign(square);
      return square;
    });
    await session().run(train);
    expect(w.arraySync()).toBe(4);
    expect(lines('train')).toEqual([
      'train/Const = Const()', 'train/Add = AddV2(w/Read/ReadVariableOp, train/Const)', 'train/Square = Square(train/Add)',
      'train/AssignVariableOp = AssignVariableOp(w, train/Add, ^w/Read/ReadVariableOp)',
      'train/AssignVariableOp_1 = AssignVariableOp(w, train/Square, ^train/AssignVariableOp)',
      'train/global_step/value = Const()',
      'train/global_step/AssignAddVariableOp = AssignAddVariableOp(global_step, train/global_step/value, ' +
        '^global_step/Read/ReadVariableOp, ^train/AssignVariableOp, ^train/AssignVariableOp_1)',
      'train = Identity(train/Square, ^train/AssignVariableOp, ^train/AssignVariableOp_1, ^train/global_step/AssignAddVariableOp)',
    ]);
  });

  test('of constants that are assigned and returned', async () => {
    const w = tf.tidy(() => tf.variable(tf.scalar(1), true, 'w'));
    const outside = tf.tidy(() => tf.keep(tf.scalar(4)));
    const f = tf.train.fetch('f', () => {
      const five = tf.scalar(5);
      w.assign(five);
      five.dispose();
      return { flags: tf.tensor1d([true, false]), big: tf.tensor1d(new Float32Array(1025)), outside, w };
    });
    await session().run(f);
    expect(lines('f')).toEqual([
      'f/Const = Const()', 'f/flags = Identity(f/Const)', 'f/Captured = Tidemark>Captured()', 'f/big = Identity(f/Captured)',
      'f/Captured_1 = Tidemark>Captured()', 'f/outside = Identity(f/Captured_1)', 'f/Const_1 = Const()', 'f/w = Identity(f/Const_1)',
      'f/AssignVariableOp = AssignVariableOp(w, f/Const_1, ^w/Read/ReadVariableOp)',
      'f = NoOp(^f/flags, ^f/big, ^f/outside, ^f/w, ^f/AssignVariableOp)',
    ]);
    const bytes = (name: string) => (nodes().get(name)!.attrs!['value'] as { tensor: { bytes: Uint8Array } }).tensor.bytes;
    expect([...bytes('f/Const')]).toEqual([1, 0]);
    expect([...bytes('f/Const_1')]).toEqual([...new Uint8Array(Float32Array.of(5).buffer)]);
    outside.dispose();
  });

  test('of a step that is first run within a profile and in a traced run', async () => {
    const f = tf.train.fetch('f', () => tf.scalar(3).square());
    const report = await tf.profile(() => session().run(f));
    expect(report.kernelNames).toEqual(['Square']);
    expect(Object.keys(report.kernels[0]!)).not.toContain('attrs');
    expect(lines('f')).toContain('f/Square = Square(f/Const)');
    const g = tf.train.fetch('g', () => tf.scalar(3).exp());
    const metadata: { kernels?: { name: string }[] } = {};
    await session().run(g, null, { traceLevel: 3 }, metadata as never);
    expect(metadata.kernels!.map(({ name }) => name)).toEqual(['Exp']);
    expect(lines('g')).toContain('g/Exp = Exp(g/Const)');
  });

  test('is not recorded of a run that fails, and then of the next', async () => {
    let fails = true;
    const f = tf.train.fetch('f', () => {
      const x = tf.scalar(1).neg();
      if (fails) throw new RangeError('no');
      return x;
    });
    await expect(session().run(f)).rejects.toThrow('no');
    expect(lines('f')).toEqual(['f = NoOp()']);
    fails = false;
    await session().run(f);
    expect(lines('f')).toEqual(['f/Const = Const()', 'f/Neg = Neg(f/Const)', 'f = Identity(f/Neg)']);
    const report = await tf.profile(() => tf.tidy(() => void tf.scalar(1).exp()));
    expect(report.kernelNames).toEqual(['Exp']);
  });

  test('has names of variables of its own where a program took them', () => {
    tf.tidy(() => {
      tf.variable(tf.scalar(1), true, 'w');
      tf.variable(tf.scalar(1), true, 'w/Assign');
    });
    expect([...nodes().keys()]).toEqual([
      'w/Initializer/initial_value', 'w', 'w/Assign_1', 'w/Read/ReadVariableOp',
      'w/Assign/Initializer/initial_value', 'w/Assign', 'w/Assign/Assign', 'w/Assign/Read/ReadVariableOp',
    ]);
    const { collection_def: collections } = decodeMetaGraph(metaGraphDef(graph())) as {
      collection_def: Record<string, { bytes_list: { value: Uint8Array[] } }>,
    };
    const [first] = collections['variables']!.bytes_list.value;
    expect(new TextDecoder().decode(first)).toContain('w/Assign_1');
  });

  test('is written as protobuf\'s text, with collections in .meta', async () => {
    tf.tidy(() => {
      tf.variable(tf.ones([2]), true, 'w');
      tf.variable(tf.ones([2]), false, 'frozen');
    });
    const train = tf.train.step('train', () => tf.scalar(1));
    await session().run(train);
    expect(graphText(graphDef(graph()))).toContain('node {\n  name: "train"\n  op: "Identity"\n  input: "train/Const"\n');
    const meta = decodeMetaGraph(metaGraphDef(graph())) as {
      meta_info_def: object,
      collection_def: Record<string, { bytes_list?: { value: Uint8Array[] }, node_list?: { value: string[] } }>,
    };
    expect(meta.meta_info_def).not.toHaveProperty('tensorflow_version');
    const count = (key: string) => meta.collection_def[key]!.bytes_list!.value.length;
    expect(['variables', 'trainable_variables', 'global_step'].map(count)).toEqual([3, 1, 1]);
    expect(meta.collection_def['train_op']!.node_list!.value).toEqual(['train']);
    expect(new TextDecoder().decode(meta.collection_def['global_step']!.bytes_list!.value[0])).toContain('global_step:0');
  });

  test('is made anew when anything has changed, and each time for whoever takes it away', () => {
    const w = tf.tidy(() => tf.variable(tf.ones([2]), true, 'w'));
    const v = tf.tidy(() => tf.variable(tf.ones([2]), true, 'v'));
    const text = (): string => graphText(graphDef(graph()));
    const variables = (): number => {
      const { collection_def: collections } = decodeMetaGraph(metaGraphDef(graph())) as {
        collection_def: Record<string, { bytes_list: { value?: Uint8Array[] } }>,
      };
      return collections['trainable_variables']!.bytes_list.value?.length ?? 0;
    };
    const before = text();
    expect(variables()).toBe(2);
    expect(graphNodes(graph())).toBe(graphNodes(graph()));
    const taken = [graphDef(graph()), metaGraphDef(graph())].map(({ buffer }) => buffer);
    structuredClone(null, { transfer: taken });
    expect(taken.map(({ byteLength }) => byteLength)).toEqual([0, 0]);
    expect(text()).toBe(before);
    expect(variables()).toBe(2);
    w.trainable = false;
    expect(variables()).toBe(1);
    v.dispose();
    expect(variables()).toBe(0);
    expect(text()).not.toContain('"v');
    // The same name, another shape.
    tf.tidy(() => tf.variable(tf.ones([7]), true, 'v'));
    expect(text()).toContain('size: 7');
    tf.placeholder('float32', [null, 3], 'x');
    expect(text()).toContain('name: "x"');
  });
});
