/**
 * Models in IndexedDB, in TensorFlow.js's database `tensorflowjs`: one record
 * of artifacts in `models_store` and one of notes in `model_info_store`.
 */
import {TensorError} from '../errors.js';
import {
  assertJSONTopology, getModelArtifactsInfoForJSON,
} from './artifacts.js';
import {CompositeArrayBuffer} from './buffers.js';
import {reportWhole} from './fetching.js';
import {answerOf, inTransaction, openDatabase} from './storage/idb.js';
import {asStorageError} from './storage/storage.js';
import type {
  IOHandler, LoadOptions, ModelArtifacts, ModelArtifactsInfo,
  ModelStoreManager, SaveResult,
} from './types.js';

const scheme = 'indexeddb://';
const database = 'tensorflowjs';
const models = 'models_store';
const infos = 'model_info_store';

type GetStore = (name: string) => IDBObjectStore;

async function withStores<T>(
    mode: 'readonly' | 'readwrite', doing: string,
    f: (store: GetStore) => Promise<T>): Promise<T> {
  try {
    const db = await openDatabase(database, (made) => {
      for (const name of [models, infos]) {
        made.createObjectStore(name, {keyPath: 'modelPath'});
      }
    });
    try {
      return await inTransaction(db, [models, infos], mode, f);
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof TensorError) throw error;
    throw asStorageError(error, 'IndexedDB', doing);
  }
}

class IndexedDbModel implements IOHandler {
  readonly #path: string;
  readonly #options: LoadOptions;

  constructor(path: string, options: LoadOptions) {
    if (!path) {
      throw new TensorError(
          'argument', 'For IndexedDB, modelPath must not be null, undefined ' +
              'or empty.');
    }
    this.#path = path;
    this.#options = options;
  }

  async save(artifacts: ModelArtifacts): Promise<SaveResult> {
    assertJSONTopology(artifacts, 'BrowserIndexedDB.save()');
    const modelPath = this.#path;
    const modelArtifactsInfo = getModelArtifactsInfoForJSON(artifacts);
    const modelArtifacts = {
      ...artifacts, weightData: CompositeArrayBuffer.join(artifacts.weightData),
    };
    await withStores(
        'readwrite', `saving model '${modelPath}'`, async (store) => {
          await answerOf(store(infos).put({modelPath, modelArtifactsInfo}));
          await answerOf(store(models).put({modelPath, modelArtifacts}));
        });
    return {modelArtifactsInfo};
  }

  async load(): Promise<ModelArtifacts> {
    const artifacts = await withStores(
        'readonly', `loading model '${this.#path}'`, async (store) => {
          const record = await answerOf(store(models).get(this.#path)) as
              {modelArtifacts: ModelArtifacts} | undefined;
          if (record === undefined) throw notFound(this.#path);
          return record.modelArtifacts;
        });
    reportWhole(
        this.#options, scheme + this.#path,
        new CompositeArrayBuffer(artifacts.weightData).byteLength);
    return artifacts;
  }
}

const notFound = (path: string): TensorError => new TensorError(
    'argument', `Cannot find model with path '${path}' in IndexedDB.`);

/** Answers for `indexeddb://` URLs. */
export function indexedDbRouter(
    url: string | string[], options: LoadOptions = {}): IOHandler | null {
  return typeof url === 'string' && url.startsWith(scheme) ?
    new IndexedDbModel(url.slice(scheme.length), options) : null;
}

interface InfoRecord {
  modelPath: string;
  modelArtifactsInfo: ModelArtifactsInfo;
}

/** The models in IndexedDB. */
export class IndexedDbModels implements ModelStoreManager {
  async listModels(): Promise<{[path: string]: ModelArtifactsInfo}> {
    const factory = (globalThis as {indexedDB?: IDBFactory}).indexedDB;
    if (factory === undefined || factory === null) return {};
    const records = await withStores('readonly', 'listing', async (store) =>
      await answerOf(store(infos).getAll()) as InfoRecord[]);
    return Object.fromEntries(records.map(({modelPath, modelArtifactsInfo}) =>
      [modelPath, modelArtifactsInfo]));
  }

  async removeModel(path: string): Promise<ModelArtifactsInfo> {
    const name = path.startsWith(scheme) ? path.slice(scheme.length) : path;
    return withStores('readwrite', `removing '${name}'`, async (store) => {
      const record = await answerOf(store(infos).get(name)) as
          InfoRecord | undefined;
      if (record === undefined) throw notFound(name);
      await answerOf(store(infos).delete(name));
      await answerOf(store(models).delete(name));
      return record.modelArtifactsInfo;
    });
  }
}
