/** Models as files that a user downloads or chooses. */
import {TensorError} from '../errors.js';
import {
  assertJSONTopology, checkGroups, getModelArtifactsForJSON,
  getModelArtifactsInfoForJSON, getWeightSpecs, manifestBytes, modelJSONOf,
  parseModelJSON,
} from './artifacts.js';
import {CompositeArrayBuffer} from './buffers.js';
import {Progress} from './fetching.js';
import type {
  IOHandler, LoadOptions, ModelArtifacts, ModelJSON, SaveResult,
  WeightData, WeightsManifestConfig, WeightsManifestEntry,
} from './types.js';

const scheme = 'downloads://';
// The browser reads the bytes some time after the click.
const revokeAfter = 60_000;

const basename = (path: string): string => path.split('/').at(-1)!;

class BrowserDownloads implements IOHandler {
  readonly #prefix: string;

  constructor(prefix?: string) {
    const name = prefix?.startsWith(scheme) ? prefix.slice(scheme.length) :
      prefix ?? '';
    this.#prefix = name === '' ? 'model' : name;
  }

  async save(artifacts: ModelArtifacts): Promise<SaveResult> {
    if (typeof document === 'undefined') {
      throw new TensorError(
          'unsupported', 'Browser downloads are not supported in this ' +
              'environment since `document` is not present');
    }
    assertJSONTopology(artifacts, 'BrowserDownloads.save()');
    const weightsFile = `${this.#prefix}.weights.bin`;
    const json = modelJSONOf(artifacts, [
      {paths: [`./${weightsFile}`], weights: artifacts.weightSpecs ?? []},
    ]);
    download(`${this.#prefix}.json`, JSON.stringify(json), 'application/json');
    if (artifacts.weightData !== undefined) {
      // One click at a time: a second at once would take the place of the first.
      await new Promise((resolve) => setTimeout(resolve));
      download(
          weightsFile, CompositeArrayBuffer.join(artifacts.weightData),
          'application/octet-stream');
    }
    return {modelArtifactsInfo: getModelArtifactsInfoForJSON(artifacts)};
  }
}

function download(name: string, part: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([part], {type}));
  const anchor = document.createElement('a');
  anchor.download = name;
  anchor.href = url;
  anchor.click();
  const timer: unknown = setTimeout(() => URL.revokeObjectURL(url), revokeAfter);
  (timer as {unref?: () => void}).unref?.();
}

/** Answers for `downloads://` URLs. */
export function downloadsRouter(url: string | string[]): IOHandler | null {
  return typeof url === 'string' && url.startsWith(scheme) ?
    browserDownloads(url.slice(scheme.length)) : null;
}

/**
 * A handler that saves a model as two downloads, `NAME.json` and
 * `NAME.weights.bin`; in a page, as the answer to a click of the user.
 *
 * ```js
 * typeof tf.io.browserDownloads('digits').save; // => 'function'
 * ```
 */
export function browserDownloads(fileNamePrefix = 'model'): IOHandler {
  return new BrowserDownloads(fileNamePrefix);
}

class BrowserFiles implements IOHandler {
  readonly #json: File;
  readonly #weights: File[];
  readonly #options: LoadOptions;

  constructor(files: readonly File[], options: LoadOptions) {
    if (files === null || files === undefined || files.length < 1) {
      throw new TensorError(
          'argument', 'When calling browserFiles, at least 1 file is ' +
              `required, but received ${files ? '0' : String(files)}`);
    }
    const all = [...files];
    this.#json = all.find(({name}) => name.endsWith('.json')) ?? all[0]!;
    this.#weights = all.filter((file) => file !== this.#json);
    this.#options = options;
  }

  async load(): Promise<ModelArtifacts> {
    const {name} = this.#json;
    const json: Partial<ModelJSON> =
        parseModelJSON(await this.#json.text(), name);
    for (const [key, value] of [
      ['modelTopology', json.modelTopology],
      ['weightsManifest', json.weightsManifest],
    ] as const) {
      if (value === undefined || value === null) {
        throw new TensorError(
            'argument', `${key} field is missing from file ${name}`);
      }
    }
    return getModelArtifactsForJSON(
        json as ModelJSON, (manifest) => this.#read(manifest));
  }

  async #read(manifest: WeightsManifestConfig):
  Promise<[WeightsManifestEntry[], WeightData]> {
    const found = this.#match(manifest);
    const progress = new Progress(
        this.#options.onProgress, manifestBytes(manifest));
    const buffers = await Promise.all(found.map(async (file) => {
      const buffer = await file.arrayBuffer();
      progress.report(file.name, file.name, file.size, file.size, false);
      return buffer;
    }));
    checkGroups(manifest, buffers, this.#json.name);
    const last = found.at(-1)?.name ?? '';
    progress.done(last, last);
    return [getWeightSpecs(manifest), buffers];
  }

  #match(manifest: WeightsManifestConfig): File[] {
    const names = manifest.flatMap(({paths}) => paths).map(basename);
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    if (twice !== undefined) {
      throw new TensorError(
          'argument',
          `Duplicate file basename found in weights manifest: '${twice}'`);
    }
    const found = names.map((name) => {
      const file = this.#weights.find((f) => f.name === name);
      if (file !== undefined) return file;
      throw new TensorError(
          'argument', `Weight file with basename '${name}' is not provided.`);
    });
    if (found.length !== this.#weights.length) {
      throw new TensorError(
          'argument', 'Mismatch between the number of files in weights ' +
              `manifest (${found.length}) and the number of weight files ` +
              `provided (${this.#weights.length}).`);
    }
    return found;
  }
}

/**
 * A handler that loads a model from files a user has chosen: `model.json` and
 * the weight files it names, in any order.
 *
 * Errors while loading: a file is missing, left over or of a wrong length.
 *
 * ```js
 * const json = {modelTopology: {}, weightsManifest: [{paths: ['w.bin'],
 *   weights: [{name: 'w', shape: [1], dtype: 'int32'}]}]};
 * const files = [new Blob([JSON.stringify(json)]),
 *   new Blob([new Int32Array([9])])];
 * Object.assign(files[0], {name: 'model.json'});
 * Object.assign(files[1], {name: 'w.bin'});
 * const {weightData, weightSpecs} = await tf.io.browserFiles(files).load();
 * tf.io.decodeWeights(weightData, weightSpecs).w.arraySync(); // => [9]
 * ```
 */
export function browserFiles(
    files: readonly File[], options: LoadOptions = {}): IOHandler {
  return new BrowserFiles(files, options);
}
