// Models in localStorage, IndexedDB, downloads and chosen files, with small
// stand-ins for the browser; interchange with TensorFlow.js' own handlers.
import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type * as Theirs from '@tensorflow/tfjs';
import * as tf from '../../../js/src/index.js';
import { FakeFactory } from './support/indexed_db.js';

const theirs = createRequire(import.meta.url)('@tensorflow/tfjs') as typeof Theirs;

const artifacts = (fill = 1): tf.ModelArtifacts => ({
  modelTopology: { class_name: 'Sequential', config: { name: 's', layers: [] } },
  weightSpecs: [{ name: 'a', shape: [2], dtype: 'float32' }],
  weightData: new Float32Array([fill, 2]).buffer,
  format: 'layers-model', generatedBy: 'g', convertedBy: null,
  trainingConfig: { loss: 'l', optimizer_config: {} }, userDefinedMetadata: { mine: [1, 'two'] }, signature: { s: 1 },
});
const info = {
  modelTopologyType: 'JSON', weightDataBytes: 8,
  modelTopologyBytes: JSON.stringify(artifacts().modelTopology).length, weightSpecsBytes: JSON.stringify(artifacts().weightSpecs).length,
};

class FakeLocalStorage {
  readonly map = new Map<string, string>();
  room = Infinity;
  get length(): number {
    return this.map.size;
  }
  key(i: number): string | null {
    return [...this.map.keys()][i] ?? null;
  }
  getItem(key: string): string | null {
    return this.map.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    const used = [...this.map].filter(([k]) => k !== key).reduce((n, [k, v]) => n + k.length + v.length, 0);
    if (used + key.length + value.length > this.room) throw Object.assign(new Error('too much'), { name: 'QuotaExceededError' });
    this.map.set(key, value);
  }
  removeItem(key: string): void {
    this.map.delete(key);
  }
}

let local: FakeLocalStorage;
let idb: FakeFactory;
const isBrowser = theirs.env().getBool('IS_BROWSER');
beforeAll(() => {
  theirs.env().set('IS_BROWSER', true);
});
afterAll(() => {
  theirs.env().set('IS_BROWSER', isBrowser);
});
beforeEach(() => {
  local = new FakeLocalStorage();
  idb = new FakeFactory();
  for (const [name, value] of [['localStorage', local], ['indexedDB', idb], ['window', globalThis]] as const) {
    Object.defineProperty(globalThis, name, { configurable: true, value });
  }
});
afterEach(() => {
  for (const name of ['localStorage', 'indexedDB', 'window', 'document']) delete (globalThis as any)[name];
  FakeFactory.failWrites = 0;
});
const save = (api: typeof tf.io, url: string, what = artifacts()): Promise<tf.SaveResult> => api.getSaveHandlers(url)[0]!.save!(what);
const load = (api: typeof tf.io, url: string): Promise<tf.ModelArtifacts> => api.getLoadHandlers(url)[0]!.load!();
const theirIo = theirs.io as unknown as typeof tf.io;
const dated = { ...info, dateSaved: expect.anything() };

describe.each(['localstorage://', 'indexeddb://'])('%s', (scheme) => {
  const url = `${scheme}my/digits`;

  test('saves, loads, lists, removes', async () => {
    const { modelArtifactsInfo } = await save(tf.io, url);
    expect(modelArtifactsInfo).toEqual(dated);
    const seen: unknown[] = [];
    expect(await tf.io.getLoadHandlers(url, { onProgress: (...args) => seen.push(args) })[0]!.load!()).toEqual(artifacts());
    expect(seen).toEqual([[1, { file: 'my/digits', url, loaded: 8, total: 8, allLoaded: 8, allTotal: 8, fromCache: false }]]);
    expect(await tf.io.listModels()).toEqual({ [url]: dated });
    expect(await tf.io.removeModel(url)).toEqual(dated);
    expect(await tf.io.listModels()).toEqual({});
    expect([local.length, idb.rows('tensorflowjs', 'models_store').size]).toEqual([0, 0]);
    await expect(tf.io.removeModel(url)).rejects.toThrow('Cannot find model');
    await expect(load(tf.io, url)).rejects.toThrow(/my\/digits/);
  });

  test("TensorFlow.js reads ours, and we TensorFlow.js'", async () => {
    await save(theirIo, url);
    expect(await load(tf.io, url)).toEqual(artifacts());
    expect(Object.keys(await tf.io.listModels())).toEqual([url]);
    const keys = [...local.map.keys()];
    await save(tf.io, url, artifacts(5));
    expect([...local.map.keys()]).toEqual(keys);
    expect(await load(theirIo, url)).toEqual(artifacts(5));
  });

  test('a name is needed', () => {
    expect(() => tf.io.getSaveHandlers(scheme)).toThrow('modelPath must not be null, undefined or empty.');
    expect(() => tf.io.getLoadHandlers(scheme)).toThrow('modelPath must not be null, undefined or empty.');
  });

  test('a full disk keeps what was there', async () => {
    await save(tf.io, url);
    local.room = 700;
    FakeFactory.failWrites = 2;
    const big = { ...artifacts(), weightData: new ArrayBuffer(600) };
    await expect(save(tf.io, url, big)).rejects.toThrow(
      scheme === 'indexeddb://' ? "IndexedDB: saving model 'my/digits' failed: no space is left (the disk is full)" :
        /Failed to save model 'my\/digits' to local storage: size quota.*weightDataBytes=600 \(too much\)/);
    expect(await load(tf.io, url)).toEqual(artifacts());
    await expect(save(tf.io, url, { ...artifacts(), modelTopology: new ArrayBuffer(1) })).rejects.toThrow('binary formats');
  });

  test('copies and moves to the other', async () => {
    const other = scheme === 'indexeddb://' ? 'localstorage://x' : 'indexeddb://x';
    await save(tf.io, url);
    expect(await tf.io.copyModel(url, other)).toEqual(dated);
    expect(await load(tf.io, other)).toEqual(artifacts());
    await tf.io.moveModel(url, 'memory://y');
    expect(Object.keys(await tf.io.listModels()).sort()).toEqual([other, 'memory://y'].sort());
    await tf.io.removeModel('memory://y');
  });

  test('an environment without it', async () => {
    for (const name of ['localStorage', 'indexedDB']) delete (globalThis as any)[name];
    await expect(save(tf.io, url)).rejects.toThrow(/does not (appear to )?support/);
    await expect(tf.io.removeModel(url)).rejects.toThrow(/does not (appear to )?support/);
    expect(await tf.io.listModels()).toEqual({});
  });
});

describe('localstorage://', () => {
  const key = (part: string): string => `tensorflowjs_models/m/${part}`;
  test.each<[string, string | null, string]>([
    ['info', null, "In local storage, there is no model with name 'm'"],
    ['info', '{', "In local storage, info of model 'm' is no JSON"],
    ['info', '{"modelTopologyType": "GraphDef"}', 'does not support loading non-JSON model topology'],
    ['model_topology', null, "In local storage, the topology of model 'm' is missing."],
    ['weight_specs', null, "In local storage, the weight specs of model 'm' are missing."],
    ['weight_data', null, "In local storage, the binary weight values of model 'm' are missing."],
    ['weight_data', '???', "In local storage, the weight data of model 'm' is no base64 text"],
    ['model_topology', '<html>', "In local storage, model_topology of model 'm' is no JSON"],
  ])('%s = %j', async (part, value, message) => {
    await save(tf.io, 'localstorage://m');
    if (value === null) local.removeItem(key(part));
    else local.setItem(key(part), value);
    await expect(load(tf.io, 'localstorage://m')).rejects.toThrow(message);
  });

  test('models without notes are old, not broken', async () => {
    await save(tf.io, 'localstorage://m');
    local.removeItem(key('model_metadata'));
    const { modelTopology, weightSpecs, weightData } = artifacts();
    expect(await load(tf.io, 'localstorage://m')).toEqual({ modelTopology, weightSpecs, weightData });
  });
});

describe('downloads', () => {
  test.each([['downloads://digits', 'digits'], ['downloads://', 'model']])('%s', async (url, name) => {
    const clicked: { download: string; blob: Blob }[] = [];
    (globalThis as any).document = {
      createElement: () => {
        const anchor = { download: '', href: '', click: () => void clicked.push({ download: anchor.download, blob: (globalThis as any).lastBlob }) };
        return anchor;
      },
    };
    const { createObjectURL, revokeObjectURL } = URL;
    URL.createObjectURL = (blob) => {
      (globalThis as any).lastBlob = blob;
      return 'blob:x';
    };
    try {
      expect((await save(tf.io, url)).modelArtifactsInfo).toEqual(dated);
    } finally {
      Object.assign(URL, { createObjectURL, revokeObjectURL });
    }
    expect(clicked.map(({ download }) => download)).toEqual([`${name}.json`, `${name}.weights.bin`]);
    const files = clicked.map(({ download, blob }) => new File([blob], download));
    expect(JSON.parse(await files[0]!.text()).weightsManifest[0].paths).toEqual([`./${name}.weights.bin`]);
    // What was downloaded can be chosen again.
    expect(await tf.io.browserFiles(files).load!()).toEqual({ ...artifacts(), weightData: [artifacts().weightData] });
  });

  test('not in Node', async () => {
    await expect(tf.io.browserDownloads().save!(artifacts())).rejects.toThrow('since `document` is not present');
  });
});

describe('browserFiles', () => {
  const specs = [{ name: 'a', shape: [1], dtype: 'float32' }, { name: 'b', shape: [1], dtype: 'float32' }];
  const json = (manifest: unknown, extra: object = { modelTopology: {} }): File =>
    new File([JSON.stringify({ ...extra, weightsManifest: manifest })], 'model.json');
  const bin = (name: string, length = 4): File => new File([new Uint8Array(length).fill(1)], name);
  const manifest = [{ paths: ['./d/w1', 'w2'], weights: specs }];

  test('in any order, with progress', async () => {
    const seen: number[] = [];
    const handler = tf.io.browserFiles([bin('w2'), json(manifest), bin('w1')], { onProgress: (fraction) => seen.push(fraction) });
    expect((await handler.load!()).weightSpecs).toEqual(specs);
    expect([seen.length, seen.at(-1)]).toEqual([3, 1]);
  });

  test.each<[string, File[] | null, string]>([
    ['none', [], 'at least 1 file is required, but received 0'],
    ['null', null, 'at least 1 file is required, but received null'],
    ['a weight file missing', [json(manifest), bin('w1')], "Weight file with basename 'w2' is not provided."],
    ['no weight file', [json(manifest)], "Weight file with basename 'w1' is not provided."],
    ['one too many', [json(manifest), bin('w1'), bin('w2'), bin('w3')], 'weights manifest (2) and the number of weight files provided (3)'],
    ['one name twice', [json([{ paths: ['x/w', 'y/w'], weights: specs }]), bin('w')], "Duplicate file basename found in weights manifest: 'w'"],
    ['no topology', [json(manifest, {}), bin('w1')], 'modelTopology field is missing from file model.json'],
    ['no manifest', [json(null)], 'weightsManifest field is missing from file model.json'],
    ['a wrong length', [json(manifest), bin('w1'), bin('w2', 3)], "model.json: the weight files have 7 bytes ('./d/w1' 4, 'w2' 3)"],
    ['no model', [bin('w1')], 'w1 is no JSON'],
  ])('%s', async (_, files, message) => {
    await expect((async () => tf.io.browserFiles(files as File[]).load!())()).rejects.toThrow(message);
  });
});
