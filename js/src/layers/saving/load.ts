/** Models out of files. */
import {env} from '../../environment.js';
import {TensorError} from '../../errors.js';
import {ready} from '../../globals.js';
import {browserFiles} from '../../io/browser_files.js';
import {CompositeArrayBuffer} from '../../io/buffers.js';
import {http} from '../../io/http.js';
import {getLoadHandlers} from '../../io/router.js';
import {StorageModel} from '../../io/storage_models.js';
import type {
  IOHandler, IOHandlerSync, LoadOptions, ModelArtifacts, WeightsManifestEntry,
} from '../../io/types.js';
import {decodeWeightsStream} from '../../io/weight_stream.js';
import {decodeWeights, weightBytes} from '../../io/weights.js';
import {dispose} from '../../scope.js';
import type {NamedTensor, NamedTensorMap} from '../../tensor.js';
import type {LayersModel} from '../model.js';
import {assertOptimizerNamed, inFile, textOf} from './place.js';
import {buildModel} from '../model_from_json.js';
import type {CustomObjects} from '../serialization.js';
import {unknownFunctions} from '../training/training_config.js';
import type {TrainingConfig} from '../training/training_config.js';
import {setOptimizerWeights} from './optimizer_weights.js';

/** How a layers model is loaded. */
export interface LoadLayersModelOptions extends LoadOptions {
  /** Classes, losses and metrics of your own, by name. */
  customObjects?: CustomObjects;
}

type Source = string | IOHandler | IOHandlerSync | readonly File[];

function handlerFor(
    source: Source, options: LoadOptions): IOHandler | IOHandlerSync {
  if (Array.isArray(source)) return browserFiles(source as File[], options);
  if (typeof source !== 'string') return source as IOHandler;
  const handlers = getLoadHandlers(source, options);
  if (handlers.length > 1) {
    throw new TensorError(
        'argument', `Found more than one (${handlers.length}) load handlers ` +
            `for URL '${source}'`);
  }
  if (handlers.length === 1) return handlers[0]!;
  const scheme = /^[a-z][\w+.-]*(?=:\/\/)/i.exec(source)?.[0];
  if (scheme !== undefined && scheme.length > 1 && !options.fetchFunc) {
    throw new TensorError(
        'argument', `Cannot find any load handlers for URL '${source}': ` +
            `'${scheme}://' is no known scheme`);
  }
  // A path: of the page in browsers, of the disk in Node.
  return env().platformName === 'node' && !options.fetchFunc &&
    source !== '' ?
    new StorageModel(`file://${source}`, options) : http(source, options);
}

/**
 * Loads a layers model, ours, TensorFlow.js' or converted from Keras 2 or 3,
 * with its weights, and with its optimizer if that was saved.
 *
 * `source` is a URL, text or object (`http:`, `https:`, `indexeddb:`, `localstorage:`, `opfs:`,
 * `memory:`, in Node `file:`), a path, a handler of `tf.io`, or a list of files
 * a user has chosen. `onProgress(fraction, report)` hears of bytes; `strict:
 * false` tolerates weights that are missing or left over.
 *
 * Errors say what is wrong with which file: not found, no model, cut off,
 * weights that the model does not have or of another shape. After an error
 * nothing is left.
 *
 * ```js
 * const model = tf.sequential({layers: [
 *   tf.layers.dense({units: 1, inputShape: [2], kernelInitializer: 'ones'})]});
 * await model.save('memory://doubles');
 * const loaded = await tf.loadLayersModel('memory://doubles');
 * tf.tidy(() => loaded.predict(tf.tensor2d([[1, 2]])).arraySync()); // => [[3]]
 * model.dispose();
 * loaded.dispose();
 * await tf.io.removeModel('memory://doubles');
 * ```
 */
export async function loadLayersModel(
    source: Source | URL,
    options: LoadLayersModelOptions = {}): Promise<LayersModel> {
  const place = source instanceof URL ? textOf(source) : source;
  const handler = handlerFor(place, options ?? {});
  if (typeof handler?.load !== 'function') {
    throw new TensorError(
        'argument', 'Cannot proceed with model loading because the IOHandler ' +
            'provided does not have the `load` method implemented.');
  }
  const where = typeof place === 'string' ? place : 'the model';
  return inFile(where, async () => {
    const [artifacts] = await Promise.all([handler.load!(), ready()]);
    assertOptimizerNamed(artifacts);
    return modelOf(artifacts, options ?? {}, where);
  });
}

async function modelOf(
    artifacts: ModelArtifacts, options: LoadLayersModelOptions,
    where: string): Promise<LayersModel> {
  assertLayersModel(artifacts, where);
  const model = buildModel(artifacts.modelTopology, options.customObjects);
  try {
    const {trainingConfig, userDefinedMetadata} = artifacts;
    if (trainingConfig) {
      compileAs(
          model, trainingConfig as TrainingConfig, options.customObjects, where);
    }
    if (userDefinedMetadata) model.setUserDefinedMetadata(userDefinedMetadata);
    await takeWeights(model, artifacts, options.strict ?? true, where);
    return model;
  } catch (error) {
    model.dispose();
    throw error;
  }
}

/** Compiles the model, unless the file names functions that nobody gave. */
function compileAs(
    model: LayersModel, config: TrainingConfig,
    customObjects: CustomObjects | undefined, where: string): void {
  const unknown = unknownFunctions(config, customObjects);
  if (unknown.length === 0) {
    model.loadTrainingConfig(config, customObjects);
    return;
  }
  console.warn(
      `loadLayersModel: ${where} was trained with what this library does not ` +
      `know: ${unknown.join(', ')}. The model is loaded, but not compiled, and ` +
      'the state of its optimizer is left out. Give functions of your own by ' +
      'name in customObjects.');
}

function assertLayersModel(artifacts: ModelArtifacts, where: string): void {
  const topology = artifacts?.modelTopology as
      {node?: unknown} | null | undefined;
  if (topology === null || topology === undefined) {
    throw new TensorError(
        'argument', `loadLayersModel: ${where} has no model topology`);
  }
  if (artifacts.format === 'graph-model' || Array.isArray(topology.node)) {
    throw new TensorError(
        'argument', `loadLayersModel: ${where} is a graph model, not a layers ` +
            'model');
  }
}

async function takeWeights(
    model: LayersModel, artifacts: ModelArtifacts, strict: boolean,
    where: string): Promise<void> {
  const {weightData, weightSpecs, getWeightStream} = artifacts;
  if (!weightData && !getWeightStream) {
    if (!Array.isArray(weightSpecs) || weightSpecs.length === 0) return;
    throw new TensorError(
        'argument', `loadLayersModel: ${where} has weight specs ` +
            `(${weightSpecs.length}), but no weight data`);
  }
  if (!Array.isArray(weightSpecs)) {
    throw new TensorError(
        'argument', 'LayersModel artifacts contains weight data, but not ' +
            'weight specs. Therefore loading of weights cannot proceed.');
  }
  const need = weightSpecs.reduce((n, spec) => n + weightBytes(spec), 0);
  assertOnce(weightSpecs, where);
  let decoded: NamedTensorMap;
  if (weightData) {
    const have = new CompositeArrayBuffer(weightData).byteLength;
    if (have !== need) {
      throw new TensorError(
          'argument', `loadLayersModel: ${where}: the weights need ${need} ` +
              `bytes, but there are ${have}`);
    }
    decoded = decodeWeights(weightData, weightSpecs);
  } else {
    decoded = await decodeWeightsStream(getWeightStream!(), weightSpecs);
  }
  try {
    const own: NamedTensorMap = {};
    const slots: NamedTensor[] = [];
    for (const {name, group} of weightSpecs) {
      const tensor = decoded[name]!;
      if (group === 'optimizer') slots.push({name, tensor});
      else own[name] = tensor;
    }
    model.loadWeights(own, strict);
    if (model.optimizer && slots.length > 0) {
      await setOptimizerWeights(model, model.optimizer, slots);
    }
  } finally {
    dispose(decoded);
  }
}

function assertOnce(specs: WeightsManifestEntry[], where: string): void {
  const names = new Set<string>();
  for (const {name} of specs) {
    if (names.has(name)) {
      throw new TensorError(
          'argument', `loadLayersModel: ${where}: Duplicate weight name: ` + name);
    }
    names.add(name);
  }
}
