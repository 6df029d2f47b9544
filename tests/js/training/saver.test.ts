// Savers: what is saved and restored.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { MemoryStorage } from '../../../js/src/io/storage/memory.js';
import { listVariables, loadCheckpoint, loadVariable } from '../../../js/src/train/session/checkpoint_management.js';
import { GlobalStep, createGlobalStep } from '../../../js/src/train/session/global_step.js';
import { joinPath, splitPath } from '../../../js/src/train/session/run_directory.js';
import { widened } from '../../../js/src/train/session/saveables.js';
import { Saver } from '../../../js/src/train/session/saver.js';
import { GOLDEN, golden } from '../formats/golden.js';
import { declare, dir, errorOf, filesIn, graph, onLog, sess, textIn } from './saver_support.js';

describe('paths', () => {
  test.each([
    ['memory://runs/a/model.ckpt', 'memory://runs/a', 'model.ckpt'],
    ['memory://model.ckpt', 'memory://', 'model.ckpt'],
    ['/runs/a/model', '/runs/a', 'model'],
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
