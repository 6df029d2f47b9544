/** Models out of JSON. */
import {TensorError} from '../errors.js';
import {registerLayers} from './catalog.js';
import {fromPythonic} from './key_case.js';
import {Layer} from './layer.js';
import {LayersModel} from './model.js';
import {deserialize} from './serialization.js';
import type {ConfigDict, CustomObjects} from './serialization.js';

/** What a model file says of the layers, in any of its wrappings. */
function topologyOf(json: ConfigDict): ConfigDict {
  const inner = json['modelTopology'] ?? json['model_config'];
  return inner === undefined || inner === null ? json :
    topologyOf(parse(inner));
}

function parse(json: unknown): ConfigDict {
  if (typeof json !== 'string') return json as ConfigDict;
  try {
    return JSON.parse(json) as ConfigDict;
  } catch (error) {
    throw new TensorError(
        'argument', `modelFromJSON: not JSON (${(error as Error).message})`);
  }
}

/** A model, with new weights, of what `model.toJSON` or Keras wrote. */
export function buildModel(
    json: unknown, customObjects?: CustomObjects): LayersModel {
  const whole = parse(json);
  const topology = typeof whole === 'object' && whole !== null ?
    topologyOf(whole) : whole;
  if (typeof topology !== 'object' || topology === null ||
      typeof (topology['class_name'] ?? topology['className']) !== 'string') {
    throw new TensorError(
        'argument', 'modelFromJSON: the JSON has no class_name: it is no ' +
            'layers model');
  }
  registerLayers();
  const made = deserialize<unknown>(
      'layer', fromPythonic(topology), customObjects);
  if (made instanceof LayersModel) return made;
  if (made instanceof Layer) made.dispose();
  throw new TensorError(
      'argument', 'modelFromJSON: the JSON describes a ' +
          `${String(topology['class_name'] ?? topology['className'])}, which ` +
          'is no model');
}

/**
 * A model, with new weights, of what `model.toJSON()` or Keras wrote: text or
 * parsed JSON.
 *
 * Errors: an unknown class; a graph that does not fit together.
 *
 * ```js
 * const model = tf.sequential({layers: [
 *   tf.layers.dense({units: 2, inputShape: [3]}),
 * ]});
 * const copy = await tf.models.modelFromJSON(model.toJSON());
 * copy.name === model.name; // => true
 * tf.dispose([model.getWeights(), copy.getWeights()]);
 * ```
 */
export async function modelFromJSON(
    json: unknown, customObjects?: CustomObjects): Promise<LayersModel> {
  return buildModel(json, customObjects);
}
