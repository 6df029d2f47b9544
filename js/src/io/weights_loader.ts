/** Weight files that a manifest lists. */
import {TensorError} from '../errors.js';
import {tidy} from '../scope.js';
import type {NamedTensorMap} from '../tensor.js';
import {checkGroups, getWeightSpecs, manifestBytes} from './artifacts.js';
import {CompositeArrayBuffer} from './buffers.js';
import {Progress, fetchFile} from './fetching.js';
import type {
  LoadOptions, WeightsManifestConfig, WeightsManifestEntry,
} from './types.js';
import {decodeWeights, weightBytes} from './weights.js';

/** The paths of a manifest's files in order. */
export const pathsOf = (manifest: WeightsManifestConfig): string[] =>
  manifest.flatMap(({paths}) => paths);

/** Fetches every file of a manifest; `urls` are in the order of its paths. */
export async function loadManifest(
    manifest: WeightsManifestConfig, urls: readonly string[],
    options: LoadOptions, where: string):
    Promise<{buffers: ArrayBuffer[], keep(): Promise<void>}> {
  const paths = pathsOf(manifest);
  const progress = new Progress(options.onProgress, manifestBytes(manifest));
  const files = await Promise.all(urls.map((url, i) =>
    fetchFile(url, options, (loaded, total, fromCache) =>
      progress.report(paths[i]!, url, loaded, total, fromCache))));
  const buffers = files.map(({buffer}) => buffer);
  checkGroups(manifest, buffers, where);
  progress.done(paths.at(-1) ?? '', urls.at(-1) ?? '');
  return {
    buffers,
    keep: async () => {
      await Promise.all(files.map((file) => file.keep()));
    },
  };
}

/**
 * Loads weights, by name, that a manifest places in files under
 * `filePathPrefix`; files without a wanted weight are not fetched.
 *
 * Errors: names that the manifest lacks; files that cannot be had or are too
 * short. After an error no tensor is left.
 *
 * ```js
 * const manifest = [{paths: ['data:,%00%00%80%3F'],
 *   weights: [{name: 'w', shape: [1], dtype: 'float32'}]}];
 * (await tf.io.loadWeights(manifest)).w.arraySync(); // => [1]
 * ```
 */
export async function loadWeights(
    manifest: WeightsManifestConfig, filePathPrefix = '',
    weightNames?: string[], requestInit?: RequestInit):
    Promise<NamedTensorMap> {
  const options: LoadOptions = requestInit ? {requestInit} : {};
  return weightsLoaderFactory(async (urls) =>
    Promise.all(urls.map(async (url) => (await fetchFile(url, options)).buffer)))(
      manifest, filePathPrefix, weightNames);
}

/**
 * Makes a `loadWeights` that fetches by a function of yours: it gets URLs and
 * answers with their bytes.
 *
 * ```js
 * const load = tf.io.weightsLoaderFactory(
 *     async (urls) => urls.map(() => new Float32Array([1, 2]).buffer));
 * const manifest = [{paths: ['a.bin'], weights: [
 *   {name: 'v', shape: [1], dtype: 'float32'},
 *   {name: 'w', shape: [1], dtype: 'float32'}]}];
 * const {w} = await load(manifest, 'models/', ['w']);
 * w.arraySync(); // => [2]
 * ```
 */
export function weightsLoaderFactory(
    fetchWeights: (urls: string[]) => Promise<ArrayBuffer[]>):
    (manifest: WeightsManifestConfig, filePathPrefix?: string,
     weightNames?: string[]) => Promise<NamedTensorMap> {
  return async (manifest, filePathPrefix = '', weightNames) => {
    const wanted = weightNames && new Set(weightNames);
    const isWanted = ({name}: WeightsManifestEntry): boolean =>
      wanted === undefined || wanted.has(name);
    assertKnown(manifest, weightNames ?? []);
    const groups = manifest.filter(({weights}) => weights.some(isWanted));
    const slash = filePathPrefix === '' || filePathPrefix.endsWith('/') ? '' : '/';
    const buffers = await fetchWeights(
        pathsOf(groups).map((path) => filePathPrefix + slash + path));
    return tidy(() => {
      const out: NamedTensorMap = {};
      let at = 0;
      for (const {paths, weights} of groups) {
        const data = new CompositeArrayBuffer(
            buffers.slice(at, at + paths.length));
        at += paths.length;
        let start = 0;
        for (const spec of weights) {
          const end = start + weightBytes(spec);
          if (isWanted(spec)) {
            Object.assign(out, decodeWeights(data.slice(start, end), [spec]));
          }
          start = end;
        }
      }
      return out;
    });
  };
}

function assertKnown(manifest: WeightsManifestConfig, names: string[]): void {
  const known = getWeightSpecs(manifest).map(({name}) => name);
  const missing = names.filter((name) => !known.includes(name));
  if (missing.length === 0) return;
  throw new TensorError(
      'argument', `Could not find weights in manifest with names: ` +
          `${missing.join(', ')}. \nManifest JSON has weights with names: ` +
          `${known.join(', ')}.`);
}
