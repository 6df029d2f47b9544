// Recorded graphs in TensorFlow: it runs our ops with our results, takes our
// checkpoints, trains a step and saves; we go on from there.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import * as tf from '../../../js/src/index.node.js';
import { loadFormats } from '../../../js/src/io/formats.js';
import { Session } from '../../../js/src/train/session/session.js';
import { graphDef, graphNodes } from '../../../js/src/train/session/graph_def.js';
import { GOLDEN } from '../formats/golden.js';
import { PYTHON, withTensorFlow } from '../support/python.js';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-graph-'));
afterAll(() => rmSync(folder, { recursive: true }));

const options = { onLog: () => {}, handleSignals: false as const };
const images = [0, 1].map((n) => Array.from({ length: 5 }, (_, i) =>
  Array.from({ length: 6 }, (_, j) => [Math.sin(n + i * 3 + j), Math.cos(n * 2 + i + j * 5)])));
const filters = Array.from({ length: 3 }, (_, i) => Array.from({ length: 2 }, (_, j) =>
  [[Math.sin(i + j), 0.5, -1], [Math.cos(i - j), 2, 0.25]]));
const feeds = {
  x: [[0.5, -1.25, 2], [-0.75, 0.1, -3]], p: [[0.5, 0.25, 0.75], [0.3, 0.6, 0.9]], i: [[3, -2, 7], [1, 5, -4]],
  b: [[true, false, true], [false, false, true]], c: [[true, true, false], [false, true, false]],
  ids: [1, 0], images, filters,
};

/** Ops that TensorFlow has too, and what comes out of them here. */
async function ops() {
  tf.keras.backend.clear_session();
  const [x, p] = [tf.placeholder('float32', [2, 3], 'x'), tf.placeholder('float32', [2, 3], 'p')];
  const [i, ids] = [tf.placeholder('int32', [2, 3], 'i'), tf.placeholder('int32', [2], 'ids')];
  const [b, c] = [tf.placeholder('bool', [2, 3], 'b'), tf.placeholder('bool', [2, 3], 'c')];
  const images = tf.placeholder('float32', [2, 5, 6, 2], 'images');
  const filters = tf.placeholder('float32', [3, 2, 2, 3], 'filters');
  const f = tf.train.fetch('ops', { x, p, i, ids, b, c, images, filters }, (of) => {
    const [x, p, i, b, c] = [of.x, of.p, of.i, of.b, of.c] as tf.Tensor2D[] as [tf.Tensor2D, tf.Tensor2D, tf.Tensor2D, tf.Tensor2D, tf.Tensor2D];
    const images = of.images as tf.Tensor4D;
    const ids = of.ids as tf.Tensor1D;
    const filters = of.filters as tf.Tensor4D;
    const unary = [
      'abs', 'neg', 'sign', 'square', 'round', 'relu', 'relu6', 'asinh', 'atan', 'ceil', 'cos', 'cosh', 'elu', 'erf', 'exp',
      'expm1', 'floor', 'isFinite', 'isInf', 'isNaN', 'reciprocal', 'selu', 'sigmoid', 'sin', 'sinh', 'softplus', 'tan', 'tanh',
      'softmax', 'logSoftmax', 'leakyRelu', 'onesLike', 'zerosLike', 'clone', 'transpose', 'sum', 'mean', 'max', 'min', 'prod',
      'argMax', 'argMin', 'cumsum', 'logSigmoid', 'step', 'logSumExp',
    ] as const;
    const positive = ['acos', 'asin', 'atanh', 'log', 'log1p', 'rsqrt', 'sqrt'] as const;
    const binary = ['add', 'sub', 'mul', 'maximum', 'minimum', 'squaredDifference', 'greater', 'greaterEqual', 'less', 'lessEqual', 'equal', 'notEqual', 'mod', 'floorDiv'] as const;
    const call = (name: string, ...args: unknown[]): tf.Tensor =>
      (tf as unknown as Record<string, (...args: unknown[]) => tf.Tensor>)[name]!(...args);
    const results: Record<string, tf.Tensor> = {};
    for (const name of unary.filter((name) => !['logSigmoid', 'step', 'logSumExp'].includes(name))) results[name] = call(name, x);
    for (const name of positive) results[name] = call(name, p);
    for (const name of binary) {
      results[name] = call(name, x, p);
      results[`${name}_int`] = call(name, i, tf.scalar(3, 'int32'));
    }
    const parts = tf.split(x, [1, 2], 1);
    const filter = filters.slice([0, 0, 0, 0], [3, 2, 2, 2]) as tf.Tensor4D;
    const square = (f: () => tf.Tensor): tf.Scalar => f().square().sum() as tf.Scalar;
    const both = (f: (x: tf.Tensor4D, w: tf.Tensor4D) => tf.Tensor): tf.Tensor[] =>
      tf.grads((x, w) => square(() => f(x as tf.Tensor4D, w as tf.Tensor4D)))([images, filters]);
    return {
      ...results,
      div: x.div(p), divNoNan: tf.divNoNan(x, p), atan2: tf.atan2(x, p), pow: tf.pow(p, x), pow_int: tf.pow(i, tf.scalar(2, 'int32')),
      acosh: tf.acosh(p.add(1)), and: b.logicalAnd(c), or: b.logicalOr(c), not: b.logicalNot(), xor: b.logicalXor(c),
      any: b.any(0), all: b.all(1, true), equal_bool: b.equal(c), where: tf.where(b, x, p), cast: x.cast('int32'),
      cast_bool: i.cast('bool').cast('float32'), reshape: x.reshape([3, -1]), broadcast: tf.broadcastTo(ids.reshape([2, 1]), [2, 4]),
      sum_axis: x.sum(1, true), mean_axis: x.mean([0]), max_axis: i.max(0), sum_scalar: x.sum().sum(), arg_axis: x.argMax(1),
      clip: tf.clipByValue(x, -1, 1), clip_int: tf.clipByValue(i, -1, 4), leaky: tf.leakyRelu(x, 0.3), addN: tf.addN([x, p, x]),
      perm: tf.transpose(images, [3, 0, 2, 1]), slice: x.slice([0, 1], [2, 2]), pad: x.pad([[1, 0], [0, 2]], 7), pad_bool: b.pad([[1, 1], [0, 0]]),
      concat: tf.concat([x, p], 1), stack: tf.stack([x, p, x], 1), first: parts[0]!, second: parts[1]!, unstack: tf.unstack(x, 1)[1]!,
      gather: tf.gather(x, ids), gather_axis: tf.gather(images, [2, 0, 0], 2), gather_batch: tf.gather(x, i.abs().minimum(tf.scalar(2, 'int32')), 1, 1),
      gatherND: tf.gatherND(x, [[1, 0], [0, 2]]), scatterND: tf.scatterND([[1], [3]], x, [5, 3]),
      update: tf.tensorScatterUpdate(x, [[0]], [[9, 8, 7]]), segments: tf.unsortedSegmentSum(x, ids, 3),
      fill: tf.fill([2, 2], 4, 'int32').add(ids), oneHot: tf.oneHot(ids, 3, 5, -1), cumsum_reverse: tf.cumsum(x, 1, true, true),
      matMul: tf.matMul(x, p, false, true), matMul_ta: tf.matMul(x, p, true), matMul_int: tf.matMul(i, i, true, false),
      batch: tf.matMul(images, images, true), fused: tf.fused.matMul({ a: x, b: p, transposeB: true, bias: tf.tensor1d([1, -2]), activation: 'relu' }),
      fused_plain: tf.fused.matMul({ a: x, b: p, transposeA: true }), fused_leaky: tf.fused.matMul({ a: x, b: p, transposeB: true, activation: 'leakyrelu', leakyreluAlpha: 0.4 }),
      conv_valid: tf.conv2d(images, filters, 2, 'valid'), conv_same: tf.conv2d(images, filters, [1, 2], 'same'), conv_pads: tf.conv2d(images, filters, 1, [[0, 0], [2, 1], [0, 3], [0, 0]]),
      conv_dilated: tf.conv2d(images, filters, 1, 'same', 'NHWC', [2, 3]),
      conv_fused: tf.fused.conv2d({ x: images, filter: filters, strides: 1, pad: 'same', bias: tf.tensor1d([1, 2, 3]), activation: 'relu6' }),
      depthwise: tf.depthwiseConv2d(images, filters, 2, 'same'),
      conv_grads: both((x, w) => tf.conv2d(x, w, 2, 'same')), depthwise_grads: both((x, w) => tf.depthwiseConv2d(x, w, 1, 'valid')),
      max_pool: tf.maxPool(images, 3, 2, 'same'), max_pool_valid: tf.maxPool(images, [2, 3], 1, 'valid'),
      avg_pool: tf.avgPool(images, 3, 2, 'same'), avg_pool_valid: tf.avgPool(images, 2, 2, 'valid'),
      grads: tf.grads((x, p) => tf.losses.meanSquaredError(x.mul(p).softmax(), p.log()))([x, p]),
      grad_slice: tf.grad((x) => x.slice([0, 1], [1, 2]).exp().sum())(x), filter,
    };
  });
  const values = await new Session(tf.getDefaultGraph()).run(f, feeds);
  const own = graphNodes(tf.getDefaultGraph()).filter(({ op }) => op.startsWith('Tidemark>')).map(({ op }) => op);
  expect([...new Set(own)]).toEqual([]);
  const graph = join(folder, 'ops.pb');
  writeFileSync(graph, graphDef(tf.getDefaultGraph()));
  const results: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values as Record<string, unknown>)) {
    if (!/grads$/.test(name)) results[name] = value;
    else (value as unknown[]).forEach((item, at) => (results[`${name}/${at}`] = item));
  }
  return { graph, feeds, results };
}

const rate = 0.05;
const data = { x: [[1, 2], [3, -1], [0.5, 0.25]], y: [[1], [-2], [0.5]] };

/** A linear model, after `steps` steps from the checkpoints of `dir`. */
async function linear(dir: string, steps: number) {
  tf.keras.backend.clear_session();
  const x = tf.placeholder('float32', [null, 2], 'x');
  const y = tf.placeholder('float32', [null, 1], 'y');
  const [w, b] = tf.tidy(() => [tf.variable(tf.zeros([2, 1]), true, 'w'), tf.variable(tf.zeros([1]), true, 'b')]);
  const opt = tf.train.sgd(rate);
  const train = tf.train.step('train', { x, y }, ({ x, y }) =>
    ({ loss: opt.minimize(() => tf.losses.meanSquaredError(y, x.matMul(w as tf.Tensor2D).add(b)), true, [w, b])! }));
  const losses: number[] = [];
  const state = (await tf.train.withMonitoredTrainingSession({ ...options, checkpointDir: dir }, async (sess) => {
    const before = await sess.run(['w', 'b', 'global_step']);
    for (let i = 0; i < steps; i++) losses.push((await sess.run(train, data)).loss);
    return { before, after: await sess.run(['w', 'b', 'global_step']) };
  }))!;
  tf.dispose([w, b]);
  return { losses, ...state };
}

/** A model of layers with Adam, whose updates TensorFlow does not have. */
async function layers(dir: string): Promise<void> {
  tf.keras.backend.clear_session();
  const model = tf.keras.Sequential([
    tf.keras.layers.Conv2D({ filters: 3, kernelSize: 2, inputShape: [5, 6, 2], activation: 'relu' }), tf.keras.layers.Flatten(), tf.keras.layers.Dense(2, { activation: 'softmax' }),
  ]);
  model.compile({ optimizer: tf.train.adam(0.01), loss: 'categoricalCrossentropy', metrics: ['accuracy'] });
  const [x, y] = tf.tidy(() => [tf.tensor4d(images as never), tf.oneHot([0, 1], 2)]);
  const train = tf.train.step('train', () => model.trainStep(x, y));
  await tf.train.withMonitoredTrainingSession({ ...options, checkpointDir: dir }, async (sess) => void await sess.run(train));
  tf.dispose([x, y]);
  const { optimizer } = model;
  model.dispose();
  optimizer.dispose();
}

withTensorFlow('TensorFlow runs our graphs with our results and trains on from our checkpoint, and we from its', async () => {
  const at = (name: string): string => join(folder, name);
  await loadFormats();
  const compared = await ops();
  await layers(at('layers'));
  const ours = await linear(at('ours'), 2);
  // The checkpoint of step 2 is the one that TensorFlow goes on from.
  cpSync(at('ours'), at('next'), { recursive: true });
  const next = await linear(at('next'), 1);
  const [w, b, step] = ours.after;
  expect(next.before).toEqual(ours.after);
  expect(step).toBe(2);
  writeFileSync(at('expected.json'), JSON.stringify({
    ops: compared,
    runs: [
      { dir: at('ours'), importable: true, nodes: ['train/MatMul', 'train/loss', 'train/SgdUpdate', 'w/Assign', 'x'] },
      { dir: at('layers'), importable: false, nodes: ['train/loss', 'train/acc', 'train/AdamUpdate', 'train/Captured'] },
    ],
    train: {
      prefix: at('ours/model.ckpt-2'), variables: { w, b, global_step: step }, trainable: ['w', 'b'], feeds: data, rate,
      loss: next.losses[0], after: { w: next.after[0], b: next.after[1] }, theirs: at('theirs/model.ckpt'), own: at('own/model.ckpt'),
    },
  }));
  const { status, stdout, stderr } = spawnSync(PYTHON, [join(GOLDEN, 'check_graph.py'), at('expected.json')]);
  if (status !== 0) throw new Error(stdout.toString().slice(-300) + stderr.toString().slice(-3000));
  expect(stdout.toString()).toContain('right: all');
  for (const dir of ['theirs', 'own']) {
    const further = await linear(at(dir), 1);
    expect(further.before[2]).toBe(3);
    (further.before as number[][]).slice(0, 2).flat(2).forEach((v, i) =>
      expect(v).toBeCloseTo((next.after as number[][]).slice(0, 2).flat(2)[i]!, 5));
    expect(further.after[2]).toBe(4);
    expect(further.losses[0]!).toBeLessThan(next.losses[0]!);
  }
});
