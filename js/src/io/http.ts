/** Models over HTTP. */
import {TensorError} from '../errors.js';
import {
  assertJSONTopology, getModelArtifactsForJSON, getModelArtifactsInfoForJSON,
  getWeightSpecs, modelJSONOf, parseModelJSON,
} from './artifacts.js';
import {CompositeArrayBuffer} from './buffers.js';
import {answer, fetchText} from './fetching.js';
import type {
  IOHandler, LoadOptions, ModelArtifacts, SaveResult, WeightsManifestConfig,
} from './types.js';
import {loadManifest, pathsOf} from './weights_loader.js';

/** The folder of a URL, and its query, which the files of a model share. */
export function parseUrl(url: string): [string, string] {
  const query = url.lastIndexOf('?');
  const end = query < 0 ? url.length : query;
  const slash = url.lastIndexOf('/', end - 1);
  return [url.slice(0, slash + 1), url.slice(end)];
}

/**
 * True for `http:` and `https:` URLs.
 *
 * ```js
 * tf.io.isHTTPScheme('https://example.org/model.json'); // => true
 * tf.io.isHTTPScheme('indexeddb://model'); // => false
 * ```
 */
export function isHTTPScheme(url: string): boolean {
  return HTTPRequest.URL_SCHEME_REGEX.test(url);
}

/** Loads a model by GET and saves it by POST. */
export class HTTPRequest implements IOHandler {
  readonly DEFAULT_METHOD = 'POST';
  static readonly URL_SCHEME_REGEX = /^https?:\/\//;
  readonly #path: string;
  readonly #options: LoadOptions;

  constructor(path: string, options: LoadOptions = {}) {
    if (typeof path !== 'string' || path.length === 0) {
      throw new TensorError(
          'argument', 'URL path for http must not be null, undefined or ' +
              `empty.${Array.isArray(path) ? ' Lists of URLs are not ' +
              'supported: give that of model.json' : ''}`);
    }
    if (options.fetchFunc !== undefined &&
        typeof options.fetchFunc !== 'function') {
      throw new TensorError(
          'argument', 'fetchFunc must be a function with the signature of ' +
              '`fetch`, got ' + typeof options.fetchFunc);
    }
    const body = options.requestInit?.body;
    if (body !== undefined && body !== null) {
      throw new TensorError(
          'argument',
          'requestInit is expected to have no pre-existing body, but has one.');
    }
    this.#path = path;
    this.#options = options;
  }

  /** Sends `model.json` and `model.weights.bin` as a form. */
  async save(artifacts: ModelArtifacts): Promise<SaveResult> {
    assertJSONTopology(artifacts, 'BrowserHTTPRequest.save()');
    const weights = artifacts.weightSpecs ?? [];
    const json = modelJSONOf(
        artifacts, [{paths: ['./model.weights.bin'], weights}]);
    const form = new FormData();
    form.append(
        'model.json',
        new Blob([JSON.stringify(json)], {type: 'application/json'}),
        'model.json');
    if (artifacts.weightData !== undefined) {
      form.append(
          'model.weights.bin',
          new Blob([CompositeArrayBuffer.join(artifacts.weightData)],
                   {type: 'application/octet-stream'}),
          'model.weights.bin');
    }
    const response = await answer(this.#path, this.#options, {
      method: this.DEFAULT_METHOD, ...this.#options.requestInit, body: form,
    });
    if (!response.ok) {
      throw new TensorError(
          'state', `BrowserHTTPRequest.save() failed due to HTTP response ` +
              `status ${response.status}, ${this.#path}.`);
    }
    return {
      modelArtifactsInfo: getModelArtifactsInfoForJSON(artifacts),
      responses: [response],
    };
  }

  /** Fetches `model.json` and the weight files it names. */
  async load(): Promise<ModelArtifacts> {
    const {text, keep} = await fetchText(this.#path, this.#options);
    const json = parseModelJSON(text, this.#path);
    if ((json.modelTopology ?? json.weightsManifest ?? null) === null) {
      throw new TensorError(
          'argument', `The JSON from HTTP path ${this.#path} contains neither ` +
              'model topology or manifest for weights.');
    }
    const keeps = [keep];
    const artifacts = await getModelArtifactsForJSON(json, async (manifest) => {
      const {buffers, keep: keepWeights} = await loadManifest(
          manifest, await this.#urls(manifest), this.#options, this.#path);
      keeps.push(keepWeights);
      return [getWeightSpecs(manifest), buffers];
    });
    await Promise.all(keeps.map((f) => f()));
    return artifacts;
  }

  async #urls(manifest: WeightsManifestConfig): Promise<string[]> {
    const {weightPathPrefix, weightUrlConverter} = this.#options;
    if (weightUrlConverter) {
      return Promise.all(pathsOf(manifest).map(weightUrlConverter));
    }
    const [folder, query] = parseUrl(this.#path);
    const prefix = weightPathPrefix ?? folder;
    return pathsOf(manifest).map((path) =>
      // A path may be a whole URL.
      /^[a-z][\w+.-]*:/i.test(path) ? path : prefix + path + query);
  }
}

/** Answers for `http:` and `https:` URLs. */
export function httpRouter(
    url: string | string[], options?: LoadOptions): IOHandler | null {
  const urls = Array.isArray(url) ? url : [url];
  return urls.every((u) => typeof u === 'string' && isHTTPScheme(u)) ?
    http(url as string, options) : null;
}

/**
 * A handler that loads a model from a URL by GET, or saves to it by POST.
 *
 * `options`: `requestInit` (headers, credentials), `fetchFunc`, `onProgress`,
 * `weightPathPrefix`, `weightUrlConverter`, `cache`. Errors while loading: a
 * status that is not good; HTML in place of a model; weight files of a wrong
 * length.
 *
 * ```js
 * const weights = [{name: 'w', shape: [1], dtype: 'float32'}];
 * const files = {
 *   'm/model.json': JSON.stringify({
 *     modelTopology: {}, weightsManifest: [{paths: ['w.bin'], weights}]}),
 *   'm/w.bin': new Float32Array([7])};
 * const seen = [];
 * const {weightData, weightSpecs} = await tf.io.http('m/model.json', {
 *   fetchFunc: async (url) => new Response(files[url]),
 *   onProgress: (fraction, {file}) => seen.push([file, fraction])}).load();
 * tf.io.decodeWeights(weightData, weightSpecs).w.arraySync(); // => [7]
 * seen.at(-1); // => ['w.bin', 1]
 * ```
 */
export function http(path: string, options?: LoadOptions): IOHandler {
  return new HTTPRequest(path, options);
}

/**
 * Another name of {@link http}.
 *
 * ```js
 * typeof tf.io.browserHTTPRequest('model.json').load; // => 'function'
 * ```
 */
export function browserHTTPRequest(
    path: string, options?: LoadOptions): IOHandler {
  return http(path, options);
}
