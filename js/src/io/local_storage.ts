/**
 * Models in the page's localStorage, under TensorFlow.js's keys:
 * `tensorflowjs_models/PATH/` and info, model_topology, weight_specs,
 * weight_data (base64) and model_metadata.
 */
import {TensorError} from '../errors.js';
import {
  assertJSONTopology, copyNotes, getModelArtifactsInfoForJSON,
} from './artifacts.js';
import {CompositeArrayBuffer, fromBase64, toBase64} from './buffers.js';
import {reportWhole} from './fetching.js';
import type {
  IOHandler, LoadOptions, ModelArtifacts, ModelArtifactsInfo, ModelJSON,
  ModelStoreManager, SaveResult, WeightsManifestEntry,
} from './types.js';

const scheme = 'localstorage://';
const prefix = 'tensorflowjs_models';
const parts = [
  'info', 'model_topology', 'weight_specs', 'weight_data', 'model_metadata',
] as const;
type Part = typeof parts[number];

const keyOf = (path: string, part: Part): string => `${prefix}/${path}/${part}`;

function localStorageOf(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    // Pages may be forbidden to store anything.
    return undefined;
  }
}

function needed(): Storage {
  const found = localStorageOf();
  if (found === undefined || found === null) {
    throw new TensorError(
        'unsupported',
        'The current environment does not support local storage.');
  }
  return found;
}

function parse(text: string, path: string, part: Part): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new TensorError(
        'argument', `In local storage, ${part} of model '${path}' is no JSON: ` +
            (error as Error).message);
  }
}

class LocalStorageModel implements IOHandler {
  readonly #path: string;
  readonly #options: LoadOptions;

  constructor(path: string, options: LoadOptions) {
    if (!path) {
      throw new TensorError(
          'argument', 'For local storage, modelPath must not be null, ' +
              'undefined or empty.');
    }
    this.#path = path;
    this.#options = options;
  }

  async save(artifacts: ModelArtifacts): Promise<SaveResult> {
    assertJSONTopology(artifacts, 'BrowserLocalStorage.save()');
    const info = getModelArtifactsInfoForJSON(artifacts);
    const notes: Partial<ModelArtifacts> = {
      format: artifacts.format!,
      generatedBy: artifacts.generatedBy!,
      convertedBy: artifacts.convertedBy!,
    };
    copyNotes(artifacts, notes);
    const values: Record<Part, string> = {
      info: JSON.stringify(info),
      model_topology: JSON.stringify(artifacts.modelTopology),
      weight_specs: JSON.stringify(artifacts.weightSpecs),
      weight_data: toBase64(CompositeArrayBuffer.join(artifacts.weightData)),
      model_metadata: JSON.stringify(notes),
    };
    this.#put(needed(), values, info);
    return {modelArtifactsInfo: info};
  }

  // When not all fits, what was there before is put back.
  #put(
      storage: Storage, values: Record<Part, string>,
      info: ModelArtifactsInfo): void {
    const before = parts.map((p) => storage.getItem(keyOf(this.#path, p)));
    try {
      for (const part of parts) {
        storage.setItem(keyOf(this.#path, part), values[part]);
      }
    } catch (error) {
      for (const part of parts) storage.removeItem(keyOf(this.#path, part));
      parts.forEach((part, i) => {
        const old = before[i];
        if (typeof old === 'string') storage.setItem(keyOf(this.#path, part), old);
      });
      throw new TensorError(
          'memory', `Failed to save model '${this.#path}' to local storage: ` +
              'size quota being exceeded is a possible cause of this failure: ' +
              `modelTopologyBytes=${info.modelTopologyBytes}, ` +
              `weightSpecsBytes=${info.weightSpecsBytes}, ` +
              `weightDataBytes=${info.weightDataBytes} ` +
              `(${(error as Error).message}). indexeddb:// holds more.`);
    }
  }

  async load(): Promise<ModelArtifacts> {
    const storage = needed();
    const path = this.#path;
    const get = (part: Part, what: string): string => {
      const text = storage.getItem(keyOf(path, part));
      if (text !== null && text !== undefined) return text;
      throw new TensorError('argument', `In local storage, ${what}`);
    };
    const info = parse(
        get('info', `there is no model with name '${path}'`), path, 'info') as
        ModelArtifactsInfo;
    if (info.modelTopologyType !== 'JSON') {
      throw new TensorError(
          'unsupported', 'BrowserLocalStorage does not support loading ' +
              `non-JSON model topology yet: '${path}' is ` +
              info.modelTopologyType);
    }
    const topology = get(
        'model_topology', `the topology of model '${path}' is missing.`);
    const specs = get(
        'weight_specs', `the weight specs of model '${path}' are missing.`);
    const data = get(
        'weight_data',
        `the binary weight values of model '${path}' are missing.`);
    const artifacts: ModelArtifacts = {
      modelTopology: parse(topology, path, 'model_topology') as object,
      weightSpecs: (specs === 'undefined' ? [] :
        parse(specs, path, 'weight_specs')) as WeightsManifestEntry[],
      weightData: this.#decode(data),
    };
    const notes = storage.getItem(keyOf(path, 'model_metadata'));
    if (notes !== null && notes !== undefined) {
      const found = parse(notes, path, 'model_metadata') as Partial<ModelJSON>;
      for (const key of ['format', 'generatedBy', 'convertedBy'] as const) {
        if (found[key] !== undefined) {
          (artifacts as Record<string, unknown>)[key] = found[key];
        }
      }
      copyNotes(found, artifacts);
    }
    reportWhole(
        this.#options, scheme + path,
        (artifacts.weightData as ArrayBuffer).byteLength);
    return artifacts;
  }

  #decode(text: string): ArrayBuffer {
    try {
      return fromBase64(text);
    } catch {
      throw new TensorError(
          'argument', `In local storage, the weight data of model ` +
              `'${this.#path}' is no base64 text (${text.length} characters).`);
    }
  }
}

/** Answers for `localstorage://` URLs. */
export function localStorageRouter(
    url: string | string[], options: LoadOptions = {}): IOHandler | null {
  return typeof url === 'string' && url.startsWith(scheme) ?
    new LocalStorageModel(url.slice(scheme.length), options) : null;
}

/** The models in localStorage. */
export class LocalStorageModels implements ModelStoreManager {
  async listModels(): Promise<{[path: string]: ModelArtifactsInfo}> {
    const storage = localStorageOf();
    const out: {[path: string]: ModelArtifactsInfo} = {};
    for (let i = 0; i < (storage?.length ?? 0); i++) {
      const key = storage!.key(i)!;
      if (!key.startsWith(`${prefix}/`) || !key.endsWith('/info')) continue;
      const path = key.slice(prefix.length + 1, -'/info'.length);
      out[path] = parse(storage!.getItem(key)!, path, 'info') as
          ModelArtifactsInfo;
    }
    return out;
  }

  async removeModel(path: string): Promise<ModelArtifactsInfo> {
    const name = path.startsWith(scheme) ? path.slice(scheme.length) : path;
    const storage = needed();
    const text = storage.getItem(keyOf(name, 'info'));
    if (text === null || text === undefined) {
      throw new TensorError(
          'argument', `Cannot find model at path '${name}' in local storage`);
    }
    for (const part of parts) storage.removeItem(keyOf(name, part));
    return parse(text, name, 'info') as ModelArtifactsInfo;
  }
}
