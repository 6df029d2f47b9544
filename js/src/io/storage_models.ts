/**
 * Models in folders: `model.json` beside `weights.bin`, as TensorFlow.js's
 * Node package writes them. Both files change as one.
 */
import {TensorError} from '../errors.js';
import {
  assertJSONTopology, checkGroups, getModelArtifactsForJSON,
  getModelArtifactsInfoForJSON, getWeightSpecs, manifestBytes, modelJSONOf,
  parseModelJSON,
} from './artifacts.js';
import {CompositeArrayBuffer, stringByteLength} from './buffers.js';
import {Progress} from './fetching.js';
import {openStorage} from './storage/open.js';
import {StorageError} from './storage/storage.js';
import type {FileStorage} from './storage/storage.js';
import type {
  IOHandler, LoadOptions, ModelArtifacts, ModelArtifactsInfo, ModelJSON,
  ModelStoreManager, SaveResult,
} from './types.js';

const modelFile = 'model.json';
const weightsFile = 'weights.bin';
// What is read at a time: a page goes on between the pieces.
const pieceBytes = 4 * 1024 * 1024;

const decoder = new TextDecoder();

/** The folder and the JSON file that a model's URL names. */
function placeOf(url: string): {folder: string, file: string} {
  const slash = url.lastIndexOf('/') + 1;
  return url.endsWith('.json') ?
    {folder: url.slice(0, slash), file: url.slice(slash)} :
    {folder: url, file: modelFile};
}

/** A model in a folder of a storage. */
export class StorageModel implements IOHandler {
  readonly #url: string;
  readonly #options: LoadOptions;

  constructor(url: string, options: LoadOptions = {}) {
    if (/^\w+:\/*$/.test(url) || url === '') {
      throw new TensorError(
          'argument', `'${url}' names no model: a path must follow`);
    }
    this.#url = url;
    this.#options = options;
  }

  async save(artifacts: ModelArtifacts): Promise<SaveResult> {
    assertJSONTopology(artifacts, `Saving to ${this.#url}`);
    const {folder, file} = placeOf(this.#url);
    const json = modelJSONOf(artifacts, [
      {paths: [weightsFile], weights: artifacts.weightSpecs ?? []},
    ]);
    await using(openStorage(folder), (storage) => storage.commit({
      [file]: new TextEncoder().encode(JSON.stringify(json)),
      [weightsFile]:
          new Uint8Array(CompositeArrayBuffer.join(artifacts.weightData)),
    }));
    return {modelArtifactsInfo: getModelArtifactsInfoForJSON(artifacts)};
  }

  async load(): Promise<ModelArtifacts> {
    const {folder, file} = placeOf(this.#url);
    return using(openStorage(folder), async (storage) => {
      const json = parseModelJSON(
          decoder.decode(await readModel(storage, file, this.#url)),
          this.#url);
      return getModelArtifactsForJSON(json, async (manifest) => {
        const progress = new Progress(
            this.#options.onProgress, manifestBytes(manifest));
        const sizes = new Map(
            (await storage.list()).map(({name, size}) => [name, size]));
        const buffers: ArrayBuffer[] = [];
        let last = '';
        for (const path of manifest.flatMap(({paths}) => paths)) {
          last = path;
          const name = path.replace(/^\.\//, '');
          const total = sizes.get(name);
          const bytes = new Uint8Array(total ?? 0);
          for (let at = 0; total === undefined || at < total;) {
            const piece =
                await storage.read(name, {start: at, end: at + pieceBytes});
            if (piece.length === 0) break;
            bytes.set(piece, at);
            at += piece.length;
            progress.report(path, `${storage.url}/${name}`, at, total, false);
          }
          buffers.push(bytes.buffer);
        }
        checkGroups(manifest, buffers, this.#url);
        progress.done(last, this.#url);
        return [getWeightSpecs(manifest), buffers];
      });
    });
  }
}

async function readModel(
    storage: FileStorage, file: string, url: string): Promise<Uint8Array> {
  try {
    return await storage.read(file);
  } catch (error) {
    if (!(error instanceof StorageError) || error.fault !== 'missing') {
      throw error;
    }
    throw new StorageError(
        'missing', `Cannot find model '${url}': ${error.message}`);
  }
}

async function using<T>(
    storage: FileStorage, f: (storage: FileStorage) => Promise<T>): Promise<T> {
  try {
    return await f(storage);
  } finally {
    await storage.close();
  }
}

/** The models below the root of a kind of storage. */
export class StorageModels implements ModelStoreManager {
  readonly #scheme: string;
  readonly #canList: boolean;

  constructor(scheme: string, canList = true) {
    this.#scheme = scheme;
    this.#canList = canList;
  }

  async listModels(): Promise<{[path: string]: ModelArtifactsInfo}> {
    if (!this.#canList || !supported(this.#scheme)) return {};
    return using(openStorage(`${this.#scheme}://`), async (storage) => {
      const out: {[path: string]: ModelArtifactsInfo} = {};
      for (const {name, modified} of await storage.list()) {
        if (!name.endsWith(`/${modelFile}`)) continue;
        const info = infoOf(await storage.read(name), modified);
        if (info !== undefined) out[name.slice(0, -modelFile.length - 1)] = info;
      }
      return out;
    });
  }

  async removeModel(path: string): Promise<ModelArtifactsInfo> {
    const url = `${this.#scheme}://${path}`;
    const {folder, file} = placeOf(url);
    return using(openStorage(folder), async (storage) => {
      const bytes = await readModel(storage, file, url);
      const found = (await storage.list()).find(({name}) => name === file);
      const info = infoOf(bytes, found?.modified ?? new Date());
      if (info === undefined) {
        throw new TensorError('argument', `${url} is no model: not removed`);
      }
      const json = JSON.parse(decoder.decode(bytes)) as ModelJSON;
      await storage.remove(
          file, ...(json.weightsManifest ?? []).flatMap(({paths}) =>
            paths.map((p) => p.replace(/^\.\//, ''))));
      return info;
    });
  }
}

// A folder may hold a model.json that is something else.
function infoOf(
    bytes: Uint8Array, modified: Date): ModelArtifactsInfo | undefined {
  try {
    const json = parseModelJSON(decoder.decode(bytes), modelFile);
    if (json.modelTopology === undefined) return undefined;
    const specs = getWeightSpecs(json.weightsManifest ?? []);
    return {
      dateSaved: modified,
      modelTopologyType: 'JSON',
      modelTopologyBytes: stringByteLength(JSON.stringify(json.modelTopology)),
      weightSpecsBytes: stringByteLength(JSON.stringify(specs)),
      weightDataBytes: manifestBytes(json.weightsManifest ?? []),
    };
  } catch {
    return undefined;
  }
}

const supported = (scheme: string): boolean => scheme !== 'opfs' ||
    typeof (globalThis as {navigator?: Navigator})
      .navigator?.storage?.getDirectory === 'function';

/** Answers for the URLs of a kind of storage. */
export function storageRouter(scheme: string):
(url: string | string[], options?: LoadOptions) => IOHandler | null {
  return (url, options) =>
    typeof url === 'string' && url.startsWith(`${scheme}://`) ?
      new StorageModel(url, options) : null;
}
