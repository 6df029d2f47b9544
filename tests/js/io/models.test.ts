// Models in folders, handlers of one's own, and which handler answers.
import { createRequire } from 'node:module';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type * as Theirs from '@tensorflow/tfjs';
import * as tf from '../../../js/src/index.node.js';
import { FakeFolder, MovableFileHandle, installOpfs } from './support/opfs.js';

const theirs = createRequire(import.meta.url)('@tensorflow/tfjs') as typeof Theirs;
const weightSpecs = [{ name: 'a', shape: [2], dtype: 'float32' as const }];
const artifacts = (fill = 1): tf.ModelArtifacts => ({
  modelTopology: { t: 1 }, weightSpecs, weightData: new Float32Array([fill, 2]).buffer, format: 'layers-model', generatedBy: 'g', convertedBy: null,
});
const numbers = (a: tf.ModelArtifacts): number[] => [...new Float32Array(tf.io.concatenateArrayBuffers(a.weightData!))];
const save = (url: string, what = artifacts()): Promise<tf.SaveResult> => tf.io.getSaveHandlers(url)[0]!.save!(what);
const load = (url: string, options?: tf.LoadOptions): Promise<tf.ModelArtifacts> => tf.io.getLoadHandlers(url, options)[0]!.load!();

let folder: string;
let opfs: ReturnType<typeof installOpfs> | undefined;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});
afterEach(() => {
  opfs?.uninstall();
  opfs = undefined;
});

const places: [string, () => string][] = [
  ['memory', () => 'memory://m/digits'],
  ['file', () => `${pathToFileURL(folder).href}/digits`],
  ['opfs', () => {
    opfs = installOpfs(MovableFileHandle);
    return 'opfs://m/digits';
  }],
];
describe.each(places)('%s://', (scheme, make) => {
  test('saves, loads, lists, removes', async () => {
    const url = make();
    expect((await save(url)).modelArtifactsInfo).toMatchObject({ modelTopologyBytes: 7, weightDataBytes: 8 });
    const seen: [number, tf.LoadReport][] = [];
    const loaded = await load(url, { onProgress: (fraction, report) => seen.push([fraction, report]) });
    expect(loaded).toEqual({ ...artifacts(), weightData: [artifacts().weightData] });
    expect(seen.at(-1)).toEqual([1, expect.objectContaining({ file: 'weights.bin', loaded: 8, total: 8, allTotal: 8 })]);
    expect(await load(`${url}/model.json`)).toEqual(loaded);
    const listed = await tf.io.listModels();
    expect(Object.keys(listed)).toEqual(scheme === 'file' ? [] : [url]);
    if (scheme !== 'file') expect(listed[url]).toMatchObject({ modelTopologyBytes: 7, weightDataBytes: 8, dateSaved: expect.any(Date) });
    await save(url, artifacts(7));
    expect(numbers(await load(url))).toEqual([7, 2]);
    expect(await tf.io.removeModel(url)).toMatchObject({ modelTopologyType: 'JSON', weightDataBytes: 8 });
    await expect(load(url)).rejects.toThrow(`Cannot find model '${url}'`);
    await expect(tf.io.removeModel(url)).rejects.toThrow(`Cannot find model '${url}'`);
  });

  test('a model needs a name', () => {
    if (scheme === 'file') return expect(() => tf.io.getSaveHandlers('file://')).toThrow("'file://' names no model");
    return expect(() => tf.io.getSaveHandlers(`${scheme}://`)).toThrow(`'${scheme}://' names no model`);
  });
});

describe('file://', () => {
  test("the files are TensorFlow.js' for Node, sharded ones can be read", async () => {
    const url = `${pathToFileURL(folder).href}/layout`;
    await save(url);
    expect(readdirSync(join(folder, 'layout')).sort()).toEqual(['model.json', 'weights.bin']);
    const json = JSON.parse(readFileSync(join(folder, 'layout/model.json'), 'utf8'));
    expect(json.weightsManifest).toEqual([{ paths: ['weights.bin'], weights: weightSpecs }]);
    json.weightsManifest[0].paths = ['./s1.bin', 's2.bin'];
    writeFileSync(join(folder, 'layout/model.json'), JSON.stringify(json));
    const bytes = readFileSync(join(folder, 'layout/weights.bin'));
    writeFileSync(join(folder, 'layout/s1.bin'), bytes.subarray(0, 3));
    writeFileSync(join(folder, 'layout/s2.bin'), bytes.subarray(3));
    expect(numbers(await load(url))).toEqual([1, 2]);
    rmSync(join(folder, 'layout/s2.bin'));
    await expect(load(url)).rejects.toThrow("has no file 's2.bin'");
    writeFileSync(join(folder, 'layout/s2.bin'), '');
    await expect(load(url)).rejects.toThrow("have 3 bytes ('./s1.bin' 3, 's2.bin' 0)");
    writeFileSync(join(folder, 'layout/model.json'), '{"a"');
    await expect(load(url)).rejects.toThrow('is no JSON');
    await expect(tf.io.removeModel(url)).rejects.toThrow('is no model: not removed');
  });
});

test('an OPFS save that fails leaves the old model', async () => {
  opfs = installOpfs(MovableFileHandle);
  await save('opfs://m');
  for (let n = 1; n <= 3; n++) {
    FakeFolder.failWrites = n;
    await expect(save('opfs://m', artifacts(9))).rejects.toThrow('no space is left');
    FakeFolder.failWrites = 0;
    expect(numbers(await load('opfs://m'))).toEqual([1, 2]);
  }
});

describe('management', () => {
  test.each<[string, () => Promise<unknown>, string]>([
    ['no scheme', () => tf.io.removeModel('digits'), 'The url string provided does not contain a scheme. Supported schemes are: localstorage,indexeddb,opfs,memory,file'],
    ['another scheme', () => tf.io.removeModel('ftp://digits'), "Cannot find model manager for scheme 'ftp'"],
    ['the same place', () => tf.io.copyModel('memory://a', 'memory://a'), "Old path and new path are the same: 'memory://a'"],
    ['no source', () => tf.io.copyModel('ftp://a', 'memory://a'), 'no load handler is found for source URL ftp://a.'],
    ['no destination', () => tf.io.moveModel('memory://a', 'ftp://a'), 'no save handler is found for destination URL ftp://a.'],
    ['no model', () => tf.io.copyModel('memory://nowhere', 'memory://a'), "Cannot find model 'memory://nowhere'"],
    ['only downloads', () => tf.io.copyModel('downloads://x', 'memory://a'), 'no load handler is found'],
  ])('%s', async (_, f, message) => {
    await expect(f()).rejects.toThrow(message);
    expect(await tf.io.listModels()).toEqual({});
  });
});

describe('routers', () => {
  test('which handlers answer', () => {
    const counts = (url: string): number[] => [tf.io.getSaveHandlers(url).length, tf.io.getLoadHandlers(url).length];
    expect(['http://x', 'https://x', 'downloads://x', 'model.json', 'httpx://x'].map(counts)).toEqual([[1, 1], [1, 1], [1, 0], [0, 0], [0, 0]]);
    expect(tf.io.isHTTPScheme('https://x')).toBe(true);
    expect(tf.io.isHTTPScheme('x')).toBe(false);
  });

  test("one's own, with the options", async () => {
    const given: unknown[] = [];
    tf.io.registerLoadRouter((url, options) => {
      given.push(options);
      return url === 'own://x' ? tf.io.fromMemory({ own: 1 }) : null;
    });
    tf.io.registerSaveRouter((url) => (url === 'own://x' ? { save: async () => ({ modelArtifactsInfo: 'saved' as never }) } : null));
    expect(await load('own://x', { strict: false })).toEqual({ modelTopology: { own: 1 } });
    expect(given).toEqual([{ strict: false }]);
    expect((await save('own://x')).modelArtifactsInfo).toBe('saved');
    expect(await tf.io.copyModel('own://x', 'own://x').catch((e: Error) => e.message)).toContain('are the same');
  });
});

describe('handlers in memory', () => {
  test('artifacts, or parts one by one', async () => {
    const whole = artifacts();
    expect(await tf.io.fromMemory(whole).load!()).toEqual(whole);
    expect(tf.io.fromMemorySync(whole).load!()).toEqual(whole);
    expect(await tf.io.fromMemory({ t: 1 }).load!()).toEqual({ modelTopology: { t: 1 } });
    const training = { loss: 'x', optimizer_config: {} };
    const parts = [{ t: 1 }, weightSpecs, whole.weightData, training] as const;
    const expected = { modelTopology: { t: 1 }, weightSpecs, weightData: whole.weightData, trainingConfig: training };
    expect(await tf.io.fromMemory(...parts).load!()).toEqual(expected);
    expect(tf.io.fromMemorySync(...parts).load!()).toEqual(expected);
  });

  test('callbacks', async () => {
    const seen: tf.ModelArtifacts[] = [];
    const result = { modelArtifactsInfo: tf.io.getModelArtifactsInfoForJSON(artifacts()) };
    expect(await tf.io.withSaveHandler(async (a) => {
      seen.push(a);
      return result;
    }).save!(artifacts())).toBe(result);
    expect(tf.io.withSaveHandlerSync(() => result).save!(artifacts())).toBe(result);
    expect(seen).toEqual([artifacts()]);
    expect(() => tf.io.withSaveHandler(5 as never)).toThrow('withSaveHandler: expected a function but got 5');
  });

  test("the notes are TensorFlow.js'", () => {
    const { dateSaved: _, ...ours } = tf.io.getModelArtifactsInfoForJSON(artifacts());
    const { dateSaved: __, ...expected } = theirs.io.getModelArtifactsInfoForJSON(artifacts() as never);
    expect(ours).toEqual(expected);
    expect(tf.io.getModelArtifactsInfoForJSON({})).toMatchObject({ modelTopologyBytes: 0, weightSpecsBytes: 0, weightDataBytes: 0 });
    expect(() => tf.io.getModelArtifactsInfoForJSON({ modelTopology: new ArrayBuffer(1) })).toThrow('Expected JSON model topology, received ArrayBuffer.');
  });

  test('model.json to artifacts', async () => {
    const json = { modelTopology: {}, weightsManifest: [{ paths: ['a'], weights: weightSpecs }, { paths: ['b'], weights: weightSpecs }], format: 'f' };
    expect(tf.io.getWeightSpecs(json.weightsManifest)).toEqual([...weightSpecs, ...weightSpecs]);
    expect(() => tf.io.getModelArtifactsForJSONSync(json)).toThrow('modelJSON has weightsManifest but weightSpecs is null');
    expect(() => tf.io.getModelArtifactsForJSONSync(json, weightSpecs)).toThrow('modelJSON has weightsManifest but weightData is null');
    const data = new ArrayBuffer(8);
    expect(await tf.io.getModelArtifactsForJSON(json, async () => [weightSpecs, data]))
      .toEqual(await theirs.io.getModelArtifactsForJSON(json, async () => [weightSpecs, data]));
  });
});
