// Savers: what is saved, kept, removed and restored.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { registerStorage } from '../../../js/src/io/storage/open.js';
import { MemoryStorage } from '../../../js/src/io/storage/memory.js';
import { NodeStorage } from '../../../js/src/io/storage/node_fs.js';
import {
  getCheckpointMtimes, getCheckpointState, latestCheckpoint, listVariables, loadCheckpoint, loadVariable, soundState,
  updateCheckpointState, checkpointExists,
} from '../../../js/src/train/session/checkpoint_management.js';
import type { Clock } from '../../../js/src/train/session/clock.js';
import { GlobalStep, createGlobalStep } from '../../../js/src/train/session/global_step.js';
import { Graph } from '../../../js/src/train/session/graph.js';
import { joinPath, leaseDirectory, splitPath } from '../../../js/src/train/session/run_directory.js';
import { widened } from '../../../js/src/train/session/saveables.js';
import { Saver } from '../../../js/src/train/session/saver.js';
import { GOLDEN, golden } from '../formats/golden.js';

jest.setTimeout(60_000);
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-saver-'));
  registerStorage('file', (_, url) => new NodeStorage(url));
});
afterAll(() => rmSync(folder, { recursive: true }));

let runs = 0;
let dir: string;
let graph: Graph;
let sess: { graph: Graph };
let logged: string[];
const onLog = (message: string): void => {
  logged.push(message);
};
beforeEach(() => {
  dir = `memory://saver${runs++}`;
  graph = new Graph();
  sess = { graph };
  logged = [];
});

const fixedClock = (seconds: { now: number }): Clock =>
  ({ now: () => seconds.now, wallTime: () => seconds.now, sleep: async () => {} });
const filesIn = async (directory: string): Promise<string[]> =>
  (await new MemoryStorage(directory.slice('memory://'.length)).list()).map(({ name }) => name);
const textIn = async (directory: string, name: string): Promise<string> =>
  new TextDecoder().decode(await new MemoryStorage(directory.slice('memory://'.length)).read(name));
const declare = (values: number[], name: string): tf.Variable =>
  graph.asDefault(() => tf.tidy(() => tf.variable(tf.tensor1d(values), true, name)));
const errorOf = async (p: Promise<unknown>): Promise<{ name: string; code: string; message: string }> => {
  try {
    await p;
  } catch (error) {
    return error as { name: string; code: string; message: string };
  }
  throw new Error('nothing was thrown');
};

describe('paths', () => {
  test.each([
    ['memory://runs/a/model.ckpt', 'memory://runs/a', 'model.ckpt'],
    ['memory://model.ckpt', 'memory://', 'model.ckpt'],
    ['/tmp/a/model', '/tmp/a', 'model'],
    ['/model', '/', 'model'],
    ['model', '', 'model'],
    ['a/model', 'a', 'model'],
  ])('%s', (path, directory, base) => {
    expect(splitPath(path)).toEqual({ directory, base });
    expect(joinPath(directory, base)).toBe(path);
  });
});

describe('saving', () => {
  test('the files and the state', async () => {
    const bias = declare([0.5, -0.5, 0], 'dense/bias');
    const step = graph.asDefault(() => createGlobalStep());
    step.assign(7);
    const saver = new Saver({ onLog });
    const path = await saver.save(sess, `${dir}/model.ckpt`, { globalStep: step });
    expect(path).toBe(`${dir}/model.ckpt-7`);
    expect(await filesIn(dir)).toEqual([
      'checkpoint', 'model.ckpt-7.data-00000-of-00001', 'model.ckpt-7.index', 'model.ckpt-7.meta',
    ]);
    expect(await textIn(dir, 'checkpoint')).toBe(
      'model_checkpoint_path: "model.ckpt-7"\nall_model_checkpoint_paths: "model.ckpt-7"\n');
    expect(await listVariables(path)).toEqual([['dense/bias', [3]], ['global_step', []]]);
    expect((await loadVariable(path, 'global_step:0')).data).toEqual(BigInt64Array.of(7n));
    expect(await loadVariable(dir, 'dense/bias')).toEqual(
      { dtype: 'float32', shape: [3], data: Float32Array.of(0.5, -0.5, 0) });
    bias.dispose();
  });

  test('what is saved is what the variables were at the call', async () => {
    const v = declare([1, 2], 'v');
    const step = graph.asDefault(() => createGlobalStep());
    const saving = new Saver({ onLog }).save(sess, `${dir}/m`, 3);
    tf.tidy(() => v.assign(tf.tensor1d([8, 9])));
    step.assign(99);
    const path = await saving;
    expect((await loadVariable(path, 'v')).data).toEqual(Float32Array.of(1, 2));
    expect((await loadVariable(path, 'global_step')).data).toEqual(BigInt64Array.of(0n));
    v.dispose();
  });

  test('steps in names: numbers, bigints, padded, none', async () => {
    const v = declare([1], 'v');
    const saver = new Saver([v], { padStepNumber: true, onLog });
    expect(await saver.save(null, `${dir}/m`, 12)).toBe(`${dir}/m-00000012`);
    expect(await saver.save(null, `${dir}/m`, 2n ** 62n)).toBe(`${dir}/m-${2n ** 62n}`);
    expect(await saver.save(null, `${dir}/m`)).toBe(`${dir}/m`);
    expect(await saver.save(null, `${dir}/n`, { global_step: 1, write_meta_graph: false })).toBe(`${dir}/n-00000001`);
    for (const bad of [-1, 0.5, NaN]) await expect(saver.save(null, `${dir}/m`, bad)).rejects.toThrow('no whole number');
    v.dispose();
  });

  test('names and lists that cannot be saved', async () => {
    const v = declare([1], 'v');
    const nameless = graph.asDefault(() => tf.tidy(() => tf.variable(tf.scalar(1))));
    const saver = new Saver({ onLog });
    await expect(saver.save(sess, `${dir}/m`)).rejects.toThrow(`'${nameless.name}' is no name`);
    nameless.dispose();
    await expect(saver.save(sess, `${dir}/`)).rejects.toThrow('must end with a name');
    await expect(saver.save(sess, `${dir}/checkpoint`)).rejects.toThrow('collides');
    await expect(saver.save(sess, `${dir}/m`, { latestFilename: 'a/b' })).rejects.toThrow('collides');
    await expect(saver.save(sess, 'downloads://x/m')).rejects.toThrow('downloads cannot be read again');
    await expect(new Saver([v, v], { onLog }).save(null, `${dir}/m`)).rejects.toThrow('the same name: v');
    await expect(new Saver({ varList: [], onLog }).save(null, `${dir}/m`)).rejects.toThrow('No variables to save');
    expect(await new Saver({ varList: [], allowEmpty: true }).save(null, `${dir}/m`)).toBe(`${dir}/m`);
    expect(() => new Saver({ maxToKeeep: 2 })).toThrow("there is no option 'maxToKeeep'");
    expect(await filesIn(dir)).toEqual([]);
    v.dispose();
  });

  test('a map saves under its names', async () => {
    const v = declare([1, 2], 'v');
    const step = new GlobalStep();
    step.assign(2n ** 60n);
    const path = await new Saver({ other: v, count: step }).save(null, `${dir}/m`, { writeMetaGraph: false });
    expect((await loadCheckpoint(path)).getVariableToShapeMap()).toEqual({ other: [2], count: [] });
    step.assign(0);
    const w = declare([0, 0], 'w');
    await new Saver({ other: w, count: step }).restore(null, path);
    expect([w.arraySync(), step.bigint]).toEqual([[1, 2], 2n ** 60n]);
    tf.dispose([v, w]);
  });

  test('all that a graph can have comes back, odd shapes too', async () => {
    const make = (): tf.Variable[] => graph.asDefault(() => tf.tidy(() => [
      tf.variable(tf.tensor([true, false, true], [3], 'bool'), false, 'b'),
      tf.variable(tf.tensor1d([1, -2, 2 ** 31 - 1], 'int32'), false, 'i'),
      tf.variable(tf.zeros([0, 3]), true, 'none'),
      tf.variable(tf.tensor2d([[NaN, -0], [Infinity, 1e-45]]), true, 'scope/f'),
      tf.variable(tf.scalar(4), true, 's'),
    ]));
    const vs = make();
    const before = vs.map((v) => v.arraySync());
    const path = await new Saver({ onLog }).save(sess, `${dir}/m`, 1);
    tf.tidy(() => vs.forEach((v) => v.assign(tf.zerosLike(v))));
    await new Saver({ onLog }).restore(sess, path);
    expect(vs.map((v) => v.arraySync())).toEqual(before);
    tf.dispose(vs);
  });

  test('the same values at the same prefix are not written again', async () => {
    const v = declare([1], 'v');
    const saver = new Saver({ onLog });
    const path = await saver.save(sess, `${dir}/m`, 1);
    const storage = new MemoryStorage(dir.slice(9));
    const times = async (): Promise<Date[]> =>
      (await storage.list()).filter(({ name }) => /data|index/.test(name)).map(({ modified }) => modified);
    const before = await times();
    expect(await saver.save(sess, `${dir}/m`, 1)).toBe(path);
    // The very same objects: memory storage makes a date when it writes.
    expect((await times()).every((time, i) => time === before[i])).toBe(true);
    tf.tidy(() => v.assign(tf.tensor1d([2])));
    await saver.save(sess, `${dir}/m`, 1);
    expect((await loadVariable(path, 'v')).data).toEqual(Float32Array.of(2));
    expect(saver.lastCheckpoints).toEqual([path]);
    v.dispose();
  });
});

describe('keeping', () => {
  const kept = async (): Promise<number[]> =>
    (await filesIn(dir)).filter((name) => name.endsWith('.index')).map((name) => Number(/-(\d+)/.exec(name)![1]))
      .sort((a, b) => a - b);

  test('the newest five, and what another save moves to the end', async () => {
    const v = declare([1], 'v');
    const saver = new Saver({ onLog });
    for (const step of [1, 2, 3, 4, 5, 1, 6, 7]) await saver.save(sess, `${dir}/m`, step);
    expect(await kept()).toEqual([1, 4, 5, 6, 7]);
    expect(saver.last_checkpoints.map((p) => p.slice(-1))).toEqual(['4', '5', '1', '6', '7']);
    expect((await filesIn(dir)).filter((name) => name.includes('-2') || name.includes('prune'))).toEqual([]);
    v.dispose();
  });

  test('an earlier run is counted on', async () => {
    const v = declare([1], 'v');
    const first = new Saver({ maxToKeep: 2, onLog });
    for (const step of [1, 2, 3]) await first.save(sess, `${dir}/m`, step);
    const state = (await getCheckpointState(dir))!;
    expect(state.all_model_checkpoint_paths).toEqual([`${dir}/m-2`, `${dir}/m-3`]);
    const second = new Saver({ max_to_keep: 2, onLog });
    await second.recoverLastCheckpoints([`${dir}/m-1`, ...state.allModelCheckpointPaths]);
    for (const step of [4, 5, 6]) await second.save(sess, `${dir}/m`, step);
    expect(await kept()).toEqual([5, 6]);
    expect((await getCheckpointState(dir))!.allModelCheckpointPaths).toEqual([`${dir}/m-5`, `${dir}/m-6`]);
    v.dispose();
  });

  test.each([0, null])('max_to_keep %s keeps and lists all', async (maxToKeep) => {
    const v = declare([1], 'v');
    const saver = new Saver({ maxToKeep, onLog });
    for (let step = 1; step <= 7; step++) await saver.save(sess, `${dir}/m`, step);
    expect(await kept()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect((await getCheckpointState(dir))!.allModelCheckpointPaths).toHaveLength(7);
    v.dispose();
  });

  test('one in so many hours is kept for good', async () => {
    const v = declare([1], 'v');
    const seconds = { now: 0 };
    const saver = new Saver({ maxToKeep: 1, keepCheckpointEveryNHours: 1, clock: fixedClock(seconds), onLog });
    for (let step = 1; step <= 8; step++) {
      seconds.now = step * 1000;
      await saver.save(sess, `${dir}/m`, step);
    }
    // Later than 3600 s: step 4; later than 7200 s: step 8, which is the newest still.
    expect(await kept()).toEqual([4, 8]);
    seconds.now = 9000;
    await saver.save(sess, `${dir}/m`, 9);
    expect(await kept()).toEqual([4, 8, 9]);
    v.dispose();
  });

  test('a save of the moment replaces the last one and pushes none out', async () => {
    const v = declare([1], 'v');
    const saver = new Saver({ maxToKeep: 2, onLog });
    for (const [step, transient] of [[1, false], [2, false], [3, true], [4, true]] as const) {
      await saver.save(sess, `${dir}/m`, { globalStep: step, transient });
    }
    expect(await kept()).toEqual([1, 2, 4]);
    expect(await latestCheckpoint(dir)).toBe(`${dir}/m-4`);
    await saver.save(sess, `${dir}/m`, { globalStep: 5 });
    expect(await kept()).toEqual([2, 4, 5]);
    // Saved again as a common one, it counts.
    await saver.save(sess, `${dir}/m`, { globalStep: 4 });
    expect(await kept()).toEqual([4, 5]);
    v.dispose();
  });
});

describe('restoring', () => {
  test('errors name what is wrong and change nothing', async () => {
    const v = declare([1, 2], 'v');
    const w = declare([5], 'w');
    const path = await new Saver([v], { onLog }).save(sess, `${dir}/m`, 1);
    tf.tidy(() => v.assign(tf.tensor1d([8, 9])));
    const all = new Saver({ onLog });
    const missing = await errorOf(all.restore(sess, path));
    expect(missing.name).toBe('NotFoundError');
    expect(missing.message).toMatch(/^Key w not found in checkpoint .*clear_session/);
    expect(v.arraySync()).toEqual([8, 9]);
    const shape = await errorOf(new Saver({ v: w }).restore(null, path));
    expect([shape.name, shape.code]).toEqual(['InvalidArgumentError', 'argument']);
    expect(shape.message).toContain("'v' is [1] here and [2] in the checkpoint");
    await expect(all.restore(sess, `${dir}/m-2`)).rejects.toThrow(
      `The passed save_path is not a valid checkpoint: ${dir}/m-2`);
    await expect(all.restore(sess, null as never)).rejects.toThrow("Can't load save_path when it is None.");
    const i = graph.asDefault(() => tf.tidy(() => tf.variable(tf.tensor1d([1, 2], 'int32'), true, 'int')));
    const dtype = await errorOf(new Saver({ v: i }).restore(null, path));
    expect(dtype.message).toContain("'v' is float32 in the checkpoint and int32 here");
    tf.dispose([v, w, i]);
  });

  test('16-bit floats widen exactly; int64 and float64 are refused with a hint', async () => {
    expect([...widened(Uint16Array.of(0x3c00, 0xc000, 1, 0x7c00, 0xfc00, 0x3555), 'float16')]).toEqual(
      [1, -2, 2 ** -24, Infinity, -Infinity, 0.333251953125]);
    expect(Object.is(widened(Uint16Array.of(0x8000), 'float16')[0], -0)).toBe(true);
    expect([...widened(Uint16Array.of(0x3f80, 0xc000, 0x7f80), 'bfloat16')]).toEqual([1, -2, Infinity]);
    const path = `${GOLDEN}tensorflow/types.ckpt`;
    const reader = await loadCheckpoint(path);
    const dtypes = reader.getVariableToDtypeMap();
    const shapes = reader.getVariableToShapeMap();
    expect(Object.values(dtypes)).toEqual(expect.arrayContaining(['float16', 'bfloat16', 'float64', 'int64']));
    for (const [name, dtype] of Object.entries(dtypes)) {
      const v = graph.asDefault(() => tf.tidy(() => tf.variable(tf.zeros(shapes[name]!), true, `t/${dtype}`)));
      const restoring = new Saver({ [name]: v }).restore(null, path);
      const { data } = await reader.getTensor(name);
      if (dtype === 'float32') {
        await restoring;
        expect(v.dataSync()).toEqual(data);
      } else if (dtype === 'float16' || dtype === 'bfloat16') {
        await restoring;
        expect(v.dataSync()).toEqual(widened(data as Uint16Array, dtype));
      } else {
        expect((await errorOf(restoring)).message).toContain('tf.train.loadCheckpoint');
      }
      v.dispose();
    }
  });

  test('the golden checkpoint is read in full', async () => {
    const reader = await loadCheckpoint(`${GOLDEN}model.ckpt-7`);
    expect(reader.getVariableToShapeMap()).toEqual(
      { 'dense/bias': [3], 'dense/kernel': [2, 3], global_step: [], vocab: [2] });
    expect((await reader.getTensor('dense/kernel')).data).toEqual(Float32Array.of(1, 2, 3, 4, 5, 6));
    expect((await reader.getTensor('vocab')).data).toEqual(['hi', 'é'].map((s) => new TextEncoder().encode(s)));
    await expect(reader.getTensor('nothing')).rejects.toThrow('Key nothing not found');
    expect([reader.hasTensor('vocab'), reader.has_tensor('x')]).toEqual([true, false]);
    expect(golden('checkpoint').length).toBeGreaterThan(0);
  });
});

describe('beside TensorFlow', () => {
  test('a checkpoint it has written is saved again with the same bytes', async () => {
    const path = `${GOLDEN}tensorflow/model.ckpt-5`;
    const reader = await loadCheckpoint(path);
    const vs: Record<string, tf.Variable | GlobalStep> = {};
    for (const { name, dtype, shape } of reader.entries.values()) {
      vs[name] = dtype === 'int64' ? new GlobalStep() :
        graph.asDefault(() => tf.tidy(() => tf.variable(tf.zeros(shape, dtype as 'float32'), true, `r/${name}`)));
    }
    const saver = new Saver({ varList: vs, onLog });
    await saver.restore(null, path);
    await saver.save(null, `${dir}/model.ckpt`, { globalStep: 5, writeMetaGraph: false });
    const storage = new MemoryStorage(dir.slice(9));
    for (const name of ['model.ckpt-5.index', 'model.ckpt-5.data-00000-of-00001']) {
      expect(new Uint8Array(await storage.read(name))).toEqual(golden(`tensorflow/${name}`));
    }
    tf.dispose(Object.values(vs).filter((v) => v instanceof tf.Variable));
  });
});

describe("optimizers' slots", () => {
  const train = (optimizer: tf.Optimizer, w: tf.Variable, steps: number): void => {
    for (let i = 0; i < steps; i++) optimizer.minimize(() => w.square().sum(), false, [w]);
  };
  test.each<[string, () => tf.Optimizer, string[]]>([
    ['Adam', () => tf.train.adam(0.1), ['Adam/iterations', 'beta1_power', 'beta2_power', 'd/w', 'd/w/Adam', 'd/w/Adam_1']],
    ['Adamax', () => tf.train.adamax(0.1, 0.9, 0.999, 1e-7, 0.5), ['AdaMax/iterations', 'beta1_power', 'd/w', 'd/w/AdaMax', 'd/w/AdaMax_1']],
    ['Momentum', () => tf.train.momentum(0.1, 0.9), ['d/w', 'd/w/Momentum']],
    ['Adagrad', () => tf.train.adagrad(0.1), ['d/w', 'd/w/Adagrad']],
    ['Adadelta', () => tf.train.adadelta(0.1), ['d/w', 'd/w/Adadelta', 'd/w/Adadelta_1']],
    ['RMSProp', () => tf.train.rmsprop(0.1, 0.9, 0.5, null, true), ['d/w', 'd/w/RMSProp', 'd/w/RMSProp_1', 'd/w/RMSProp_2']],
    ['SGD', () => tf.train.sgd(0.1), ['d/w']],
  ])('%s goes on as if it had not stopped', async (_, make, keys) => {
    const w = declare([1, -2], 'd/w');
    const optimizer = graph.asDefault(make);
    train(optimizer, w, 3);
    const path = await new Saver({ onLog }).save(sess, `${dir}/m`, 3);
    expect((await listVariables(path)).map(([name]) => name)).toEqual(keys);
    train(optimizer, w, 3);
    const straight = w.arraySync();
    tf.dispose(w);
    optimizer.dispose();

    const again = new Graph();
    const w2 = again.asDefault(() => tf.tidy(() => tf.variable(tf.tensor1d([0, 0]), true, 'd/w')));
    const second = again.asDefault(make);
    await new Saver({ onLog }).restore({ graph: again }, path);
    train(second, w2, 3);
    expect(w2.arraySync()).toEqual(straight);
    tf.dispose(w2);
    second.dispose();
  });

  test("RMSProp's slots are in TensorFlow's order", async () => {
    const w = declare([1, -2], 'w');
    const optimizer = graph.asDefault(() => tf.train.rmsprop(0.1, 0.9, 0.5, null, true));
    train(optimizer, w, 2);
    const path = await new Saver({ onLog }).save(sess, `${dir}/m`);
    const slots = Object.fromEntries(optimizer.slots().map(({ slot, value }) => [slot, value.dataSync()]));
    for (const [key, slot] of [['w/RMSProp', 'rms'], ['w/RMSProp_1', 'mg'], ['w/RMSProp_2', 'momentum']] as const) {
      expect((await loadVariable(path, key)).data).toEqual(slots[slot]);
    }
    tf.dispose(w);
    optimizer.dispose();
  });

  test("two of a kind have numbered names, and TensorFlow's powers tell the steps", async () => {
    const w = declare([1], 'w');
    const a = graph.asDefault(() => tf.train.adam(0.1));
    const b = graph.asDefault(() => tf.train.adam(0.1, 0.5));
    train(a, w, 5);
    train(b, w, 2);
    const path = await new Saver({ onLog }).save(sess, `${dir}/m`);
    const names = (await listVariables(path)).map(([name]) => name);
    expect(names).toEqual([
      'Adam/iterations', 'Adam/iterations_1', 'beta1_power', 'beta1_power_1', 'beta2_power', 'beta2_power_1',
      'w', 'w/Adam', 'w/Adam_1', 'w/Adam_2', 'w/Adam_3',
    ]);
    expect((await loadVariable(path, 'beta1_power')).data[0]).toBeCloseTo(0.9 ** 6, 6);
    const reader = await loadCheckpoint(path);
    // As TensorFlow writes it: without the count of steps.
    const { restoreAll, saveablesOf } = await import('../../../js/src/train/session/saveables.js');
    const bare = {
      path, entries: new Map([...reader.entries].filter(([name]) => !name.includes('iterations'))),
      hasTensor: (name: string) => bare.entries.has(name), getTensor: (name: string) => reader.getTensor(name),
    };
    a.resume(0);
    b.resume(0);
    await restoreAll(saveablesOf(graph), bare as never);
    expect([a.iterations, b.iterations]).toEqual([5, 2]);
    tf.dispose(w);
    a.dispose();
    b.dispose();
  });
});

describe('which checkpoint', () => {
  const damage = async (name: string, at: number): Promise<void> => {
    const storage = new MemoryStorage(dir.slice(9));
    const bytes = await storage.read(name);
    bytes[at]! ^= 1;
    await storage.replaceAtomic(name, bytes);
  };
  const three = async (): Promise<tf.Variable> => {
    const v = declare([1], 'v');
    const saver = new Saver({ onLog });
    for (const step of [1, 2, 3]) {
      tf.tidy(() => v.assign(tf.tensor1d([step])));
      await saver.save(sess, `${dir}/m`, step);
    }
    return v;
  };

  test('nothing, and an empty state', async () => {
    expect([await latestCheckpoint(dir), await getCheckpointState(dir), await soundState(dir, onLog)]).toEqual([null, null, null]);
    await new MemoryStorage(dir.slice(9)).replaceAtomic('checkpoint', new TextEncoder().encode('model_checkpoint_path: ""\n'));
    await expect(getCheckpointState(dir)).rejects.toThrow('Invalid checkpoint state loaded from');
    await expect(loadCheckpoint(dir)).rejects.toThrow();
  });

  test('a damaged index: the one before, and it is said', async () => {
    const v = await three();
    await damage('m-3.index', 10);
    expect(await latestCheckpoint(dir, null, onLog)).toBe(`${dir}/m-2`);
    expect(logged.at(-1)).toContain(`using the checkpoint '${dir}/m-2'`);
    expect(logged.at(-1)).toContain('m-3');
    v.dispose();
  });

  test('damaged or short data: the one before', async () => {
    const v = await three();
    await damage('m-3.data-00000-of-00001', 1);
    // The index is whole: only reading all of it finds out.
    expect(await latestCheckpoint(dir, null, onLog)).toBe(`${dir}/m-3`);
    const state = (await soundState(dir, onLog))!;
    expect(state.modelCheckpointPath).toBe(`${dir}/m-2`);
    expect(state.allModelCheckpointPaths).toEqual([`${dir}/m-1`, `${dir}/m-3`, `${dir}/m-2`]);
    expect((await errorOf(new Saver({ onLog }).restore(sess, `${dir}/m-3`))).name).toBe('DataLossError');
    expect(v.arraySync()).toEqual([3]);
    await new MemoryStorage(dir.slice(9)).replaceAtomic('m-2.data-00000-of-00001', new Uint8Array(1));
    expect((await soundState(dir, onLog))!.modelCheckpointPath).toBe(`${dir}/m-1`);
    v.dispose();
  });

  test('a state that is gone, unreadable, or lists what is gone: the newest there is', async () => {
    const v = await three();
    const storage = new MemoryStorage(dir.slice(9));
    await storage.replaceAtomic('checkpoint', new TextEncoder().encode('model_checkpoint_path: "m-9'));
    expect(await latestCheckpoint(dir, null, onLog)).toBe(`${dir}/m-3`);
    expect(logged.some((line) => line.includes('no list of checkpoints'))).toBe(true);
    await storage.remove('checkpoint');
    expect(await latestCheckpoint(dir, null, onLog)).toBe(`${dir}/m-3`);
    await updateCheckpointState(dir, `${dir}/m-9`, [`${dir}/m-8`, `${dir}/m-9`]);
    expect(await latestCheckpoint(dir, null, onLog)).toBe(`${dir}/m-3`);
    await expect(updateCheckpointState(dir, `${dir}/checkpoint`)).rejects.toThrow('conflicts');
    v.dispose();
  });

  test('times, existence', async () => {
    const v = await three();
    expect(await getCheckpointMtimes([`${dir}/m-1`, `${dir}/m-7`])).toHaveLength(1);
    expect([await checkpointExists(`${dir}/m-1`), await checkpointExists(`${dir}/m-7`)]).toEqual([true, false]);
    v.dispose();
  });
});

describe('the directory', () => {
  test('of files: a second writer is told, readers read, leftovers go', async () => {
    const files = join(folder, 'run');
    const v = declare([1], 'v');
    const lease = await leaseDirectory(files, { log: onLog });
    // Another process: what this realm knows of the lock must not help.
    writeFileSync(join(files, '.tidemark-lock-ckpt'), `${process.ppid} 0`);
    await lease.release();
    writeFileSync(join(files, '.tidemark-lock-ckpt'), `${process.ppid} 0`);
    const other = await errorOf(leaseDirectory(files, { wait: 60, log: onLog }));
    expect(other.name).toBe('FailedPreconditionError');
    expect(other.message).toContain('has another writer');
    expect(await latestCheckpoint(files)).toBeNull();
    rmSync(join(files, '.tidemark-lock-ckpt'));
    const leftovers = [
      'checkpoint.tmp12ab', 'm-9.data-00000-of-00001', 'm-9.index.tmp1', 'm-9.data-00000-of-00001.tempstate123', 'x.crswap',
      'm.ckpt-3.commit',
    ];
    for (const name of leftovers) writeFileSync(join(files, name), 'x');
    const others = ['notes.txt', 'weights.tmp', 'events.out.tfevents.1.a'];
    for (const name of others) writeFileSync(join(files, name), 'x');
    await new Saver({ onLog }).save(sess, `${files}/m`, 1);
    expect(readdirSync(files).sort()).toEqual([
      'checkpoint', ...others, 'm-1.data-00000-of-00001', 'm-1.index', 'm-1.meta',
    ].sort());
    expect(logged.some((line) => line.includes('removed what a crash has left'))).toBe(true);
    expect(readFileSync(join(files, 'checkpoint'), 'utf8')).not.toContain(folder);
    v.dispose();
  });

  test('of one realm is counted: a session and a save share it', async () => {
    const v = declare([1], 'v');
    const a = await leaseDirectory(dir, { log: onLog });
    const b = await leaseDirectory(`${dir}/`, { log: onLog });
    await new Saver({ onLog }).save(sess, `${dir}/m`, 1);
    await a.release();
    await a.release();
    await expect(new MemoryStorage(dir.slice(9)).lock('ckpt')).rejects.toThrow('in use');
    await b.release();
    await (await new MemoryStorage(dir.slice(9)).lock('ckpt')).release();
    v.dispose();
  });

  test('saves of one directory come one after the other', async () => {
    const v = declare([1], 'v');
    const saver = new Saver({ maxToKeep: 2, onLog });
    await Promise.all([1, 2, 3, 4].map((step) => saver.save(sess, `${dir}/m`, step)));
    expect(saver.lastCheckpoints).toEqual([`${dir}/m-3`, `${dir}/m-4`]);
    expect((await getCheckpointState(dir))!.modelCheckpointPath).toBe(`${dir}/m-4`);
    v.dispose();
  });
});
