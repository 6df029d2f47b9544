/** `model.json` and what it says, taken apart and put together. */
import {TensorError} from '../errors.js';
import {
  CompositeArrayBuffer, isArrayBuffer, stringByteLength,
} from './buffers.js';
import type {
  ModelArtifacts, ModelArtifactsInfo, ModelJSON, WeightData,
  WeightsManifestConfig, WeightsManifestEntry,
} from './types.js';
import {weightBytes} from './weights.js';

/** Throws for a model whose topology is not JSON. */
export function assertJSONTopology(
    artifacts: ModelArtifacts, where: string): void {
  if (isArrayBuffer(artifacts.modelTopology)) {
    throw new TensorError(
        'unsupported', `${where} does not support saving model topology in ` +
            'binary formats yet.');
  }
}

/**
 * When and how large: what is noted of a model at the moment it is saved.
 *
 * Errors: a topology that is not JSON.
 *
 * ```js
 * const info = tf.io.getModelArtifactsInfoForJSON({modelTopology: {a: 1}});
 * [info.modelTopologyType, info.modelTopologyBytes]; // => ['JSON', 7]
 * ```
 */
export function getModelArtifactsInfoForJSON(
    artifacts: ModelArtifacts): ModelArtifactsInfo {
  const {modelTopology, weightSpecs, weightData} = artifacts;
  if (isArrayBuffer(modelTopology)) {
    throw new TensorError(
        'argument', 'Expected JSON model topology, received ArrayBuffer.');
  }
  const bytes = (x: unknown): number =>
    x === undefined || x === null ? 0 : stringByteLength(JSON.stringify(x));
  return {
    dateSaved: new Date(),
    modelTopologyType: 'JSON',
    modelTopologyBytes: bytes(modelTopology),
    weightSpecsBytes: bytes(weightSpecs),
    weightDataBytes: new CompositeArrayBuffer(weightData).byteLength,
  };
}

/** The weights of all groups in one list. */
export function getWeightSpecs(
    manifest: WeightsManifestConfig): WeightsManifestEntry[] {
  return manifest.flatMap(({weights}) => weights);
}

const kept = [
  'trainingConfig', 'signature', 'userDefinedMetadata', 'modelInitializer',
  'initializerSignature',
] as const;

/** Copies the notes that are there. */
export function copyNotes(
    from: Partial<ModelJSON>, to: Partial<ModelArtifacts>): void {
  for (const key of kept) {
    const value = from[key];
    if (value !== undefined && value !== null) {
      (to as Record<string, unknown>)[key] = value;
    }
  }
}

/** The `model.json` of a model whose weights `manifest` places. */
export function modelJSONOf(
    artifacts: ModelArtifacts, manifest: WeightsManifestConfig): ModelJSON {
  const json: Record<string, unknown> = {
    modelTopology: artifacts.modelTopology,
    format: artifacts.format,
    generatedBy: artifacts.generatedBy,
    convertedBy: artifacts.convertedBy,
    weightsManifest: manifest,
  };
  copyNotes(artifacts, json);
  return json as unknown as ModelJSON;
}

/**
 * The model that a `model.json` and its weights make.
 *
 * Errors: a manifest without specs and data.
 *
 * ```js
 * const json = {modelTopology: {a: 1}, format: 'layers-model'};
 * tf.io.getModelArtifactsForJSONSync(json).format; // => 'layers-model'
 * ```
 */
export function getModelArtifactsForJSONSync(
    modelJSON: ModelJSON, weightSpecs?: WeightsManifestEntry[],
    weightData?: WeightData): ModelArtifacts {
  const artifacts: Record<string, unknown> = {
    modelTopology: modelJSON.modelTopology,
    format: modelJSON.format,
    generatedBy: modelJSON.generatedBy,
    convertedBy: modelJSON.convertedBy,
  };
  copyNotes(modelJSON, artifacts);
  if (hasManifest(modelJSON)) {
    if (!weightSpecs) {
      throw new TensorError(
          'argument', 'modelJSON has weightsManifest but weightSpecs is null');
    }
    if (!weightData) {
      throw new TensorError(
          'argument', 'modelJSON has weightsManifest but weightData is null');
    }
    artifacts['weightSpecs'] = weightSpecs;
    artifacts['weightData'] = weightData;
  }
  return artifacts;
}

const hasManifest = (json: ModelJSON): boolean =>
  (json as Partial<ModelJSON>).weightsManifest !== undefined &&
  (json as {weightsManifest: unknown}).weightsManifest !== null;

/**
 * The same, fetching the weights by `loadWeights` when there are any.
 *
 * ```js
 * const json = {modelTopology: {}, weightsManifest: [{paths: ['w.bin'],
 *   weights: [{name: 'w', shape: [1], dtype: 'float32'}]}]};
 * const artifacts = await tf.io.getModelArtifactsForJSON(json, async (m) =>
 *     [m[0].weights, new Float32Array([5]).buffer]);
 * tf.io.decodeWeights(
 *     artifacts.weightData, artifacts.weightSpecs).w.arraySync(); // => [5]
 * ```
 */
export async function getModelArtifactsForJSON(
    modelJSON: ModelJSON,
    loadWeights: (manifest: WeightsManifestConfig) =>
    Promise<[WeightsManifestEntry[], WeightData]>): Promise<ModelArtifacts> {
  const [specs, data] = hasManifest(modelJSON) ?
    await loadWeights(modelJSON.weightsManifest) : [undefined, undefined];
  return getModelArtifactsForJSONSync(modelJSON, specs, data);
}

/** The text of a `model.json`, parsed; `where` names the file in errors. */
export function parseModelJSON(text: string, where: string): ModelJSON {
  if (/^\s*</.test(text)) {
    throw new TensorError(
        'argument', `${where} is HTML, not a model: the server probably ` +
            'answered with a page of its own. Check the URL');
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new TensorError(
        'argument', `${where} is no JSON (${(error as Error).message}), ` +
            `${text.length} characters: cut off, or another file`);
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new TensorError(
        'argument', `${where} is no model: it holds ${short(json)}`);
  }
  checkManifest((json as Partial<ModelJSON>).weightsManifest, where);
  return json as ModelJSON;
}

const short = (x: unknown): string => JSON.stringify(x).slice(0, 60);

const isTextList = (x: unknown): boolean =>
  Array.isArray(x) && x.every((item) => typeof item === 'string');

function checkManifest(manifest: unknown, where: string): void {
  if (manifest === undefined || manifest === null) return;
  const good = Array.isArray(manifest) && manifest.every((group: unknown) =>
    typeof group === 'object' && group !== null &&
    isTextList((group as {paths?: unknown}).paths) &&
    Array.isArray((group as {weights?: unknown}).weights));
  if (!good) {
    throw new TensorError(
        'argument', `${where}: weightsManifest is no list of groups with ` +
            `'paths' and 'weights': ${short(manifest)}`);
  }
}

/** How many bytes the weights of a manifest take. */
export function manifestBytes(manifest: WeightsManifestConfig): number {
  return getWeightSpecs(manifest).reduce((n, spec) => n + weightBytes(spec), 0);
}

/**
 * Throws unless the files of every group have as many bytes as its weights
 * need; `files` are in the order of the manifest's paths.
 */
export function checkGroups(
    manifest: WeightsManifestConfig, files: readonly ArrayBuffer[],
    where: string): void {
  let at = 0;
  manifest.forEach(({paths, weights}) => {
    const own = files.slice(at, at + paths.length);
    at += paths.length;
    const have = own.reduce((n, {byteLength}) => n + byteLength, 0);
    const need = weights.reduce((n, spec) => n + weightBytes(spec), 0);
    if (have === need) return;
    const sizes = paths.map((path, i) => `'${path}' ${own[i]?.byteLength ?? 0}`);
    throw new TensorError(
        'argument', `${where}: the weight files have ${have} bytes ` +
            `(${sizes.join(', ')}), but the model's ${weights.length} weights ` +
            `need ${need}: a file is ${have < need ? 'cut off' : 'too long'} ` +
            'or of another model');
  });
}
