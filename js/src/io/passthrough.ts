/** Handlers for models that are in memory already, or leave by a callback. */
import {assertFunction} from '../errors.js';
import type {
  IOHandler, IOHandlerSync, ModelArtifacts, SaveResult, TrainingConfig,
  WeightData, WeightsManifestEntry,
} from './types.js';

function artifactsOf(
    given: object | ModelArtifacts, weightSpecs?: WeightsManifestEntry[],
    weightData?: WeightData, trainingConfig?: TrainingConfig): ModelArtifacts {
  if (weightSpecs === undefined && weightData === undefined &&
      trainingConfig === undefined) {
    const artifacts = given as ModelArtifacts;
    if (artifacts.modelTopology !== undefined ||
        artifacts.weightSpecs !== undefined) {
      return artifacts;
    }
    return {modelTopology: given};
  }
  const artifacts: ModelArtifacts = {modelTopology: given};
  if (weightSpecs !== undefined) artifacts.weightSpecs = weightSpecs;
  if (weightData !== undefined) artifacts.weightData = weightData;
  if (trainingConfig !== undefined) artifacts.trainingConfig = trainingConfig;
  return artifacts;
}

/**
 * A handler that loads a model from memory: artifacts, or topology, weight
 * specs, weight data and training config one by one.
 *
 * ```js
 * const handler = tf.io.fromMemory({modelTopology: {a: 1}});
 * (await handler.load()).modelTopology; // => {a: 1}
 * ```
 */
export function fromMemory(
    artifacts: object | ModelArtifacts, weightSpecs?: WeightsManifestEntry[],
    weightData?: WeightData, trainingConfig?: TrainingConfig): IOHandler {
  const found =
      artifactsOf(artifacts, weightSpecs, weightData, trainingConfig);
  return {load: async () => found};
}

/**
 * The same, answering at once.
 *
 * ```js
 * tf.io.fromMemorySync({modelTopology: {a: 1}}).load(); // => {modelTopology: {a: 1}}
 * ```
 */
export function fromMemorySync(
    artifacts: object | ModelArtifacts, weightSpecs?: WeightsManifestEntry[],
    weightData?: WeightData, trainingConfig?: TrainingConfig): IOHandlerSync {
  const found =
      artifactsOf(artifacts, weightSpecs, weightData, trainingConfig);
  return {load: () => found};
}

/**
 * A handler that hands a saved model's artifacts to a callback.
 *
 * ```js
 * const handler = tf.io.withSaveHandler(async ({format}) => ({
 *   modelArtifactsInfo: {dateSaved: new Date(0), modelTopologyType: format}}));
 * const {modelArtifactsInfo} = await handler.save({format: 'JSON'});
 * modelArtifactsInfo.modelTopologyType; // => 'JSON'
 * ```
 */
export function withSaveHandler(
    saveHandler: (artifacts: ModelArtifacts) => Promise<SaveResult>): IOHandler {
  assertFunction('withSaveHandler', saveHandler);
  return {save: async (artifacts) => saveHandler(artifacts)};
}

/**
 * The same for a callback that answers at once.
 *
 * ```js
 * let seen;
 * tf.io.withSaveHandlerSync((artifacts) => { seen = artifacts; }).save({});
 * seen; // => {}
 * ```
 */
export function withSaveHandlerSync(
    saveHandler: (artifacts: ModelArtifacts) => SaveResult): IOHandlerSync {
  assertFunction('withSaveHandlerSync', saveHandler);
  return {save: saveHandler};
}
