/** Models to files. */
import {TensorError} from '../../errors.js';
import {version} from '../../globals.js';
import {CompositeArrayBuffer} from '../../io/buffers.js';
import {getSaveHandlers} from '../../io/router.js';
import type {
  IOHandler, IOHandlerSync, ModelArtifacts, SaveConfig, SaveResult,
  TrainingConfig,
} from '../../io/types.js';
import {encodeWeights} from '../../io/weights.js';
import type {LayersModel} from '../model.js';
import {checkMetadata} from './metadata.js';
import {textOf} from './place.js';
import {withOptimizerWeights} from './optimizer_weights.js';
import {weightNames} from './weight_names.js';

function handlerFor(target: IOHandler | IOHandlerSync | string):
IOHandler | IOHandlerSync {
  if (typeof target !== 'string') return target;
  const handlers = getSaveHandlers(target);
  if (handlers.length === 0) {
    throw new TensorError(
        'argument', `Cannot find any save handlers for URL '${target}'`);
  }
  if (handlers.length > 1) {
    throw new TensorError(
        'argument', `Found more than one (${handlers.length}) save handlers ` +
            `for URL '${target}'`);
  }
  return handlers[0]!;
}

/** Saves a model; see `LayersModel.save`. */
export async function saveModel(
    model: LayersModel, target: IOHandler | IOHandlerSync | string | URL,
    config: SaveConfig = {}): Promise<SaveResult> {
  const handler =
      handlerFor(target instanceof URL ? textOf(target) : target);
  if (typeof handler?.save !== 'function') {
    throw new TensorError(
        'argument', 'LayersModel.save() cannot proceed because the IOHandler ' +
            'provided does not have the `save` attribute defined.');
  }
  return handler.save(await artifactsOf(model, config));
}

/** A model as files hold it. */
export async function artifactsOf(
    model: LayersModel, config: SaveConfig = {}): Promise<ModelArtifacts> {
  const names = weightNames(model);
  const weights = (config.trainableOnly ? model.trainableWeights :
    model.weights).map((weight) => (
    {name: names.get(weight)!, tensor: weight.read()}));
  const {data, specs} = await encodeWeights(weights);
  const artifacts: ModelArtifacts = {
    modelTopology: model.toJSON(null, false),
    weightSpecs: specs,
    weightData: data,
    format: 'layers-model',
    generatedBy: `Tidemark v${version.tidemark}`,
    convertedBy: null,
  };
  const {optimizer} = model;
  if (config.includeOptimizer && optimizer) {
    artifacts.trainingConfig = model.getTrainingConfig() as TrainingConfig;
    const more = await withOptimizerWeights(
        model, optimizer, (slots) => encodeWeights(slots, 'optimizer'));
    artifacts.weightSpecs = [...specs, ...more.specs];
    artifacts.weightData = CompositeArrayBuffer.join([data, more.data]);
  }
  const metadata = model.getUserDefinedMetadata();
  if (metadata !== undefined) {
    checkMetadata(metadata, model.name);
    artifacts.userDefinedMetadata = metadata as {[key: string]: unknown};
  }
  return artifacts;
}
