/** `tf.keras`: the same layers and models by Keras' names and conventions. */
import {clearSession} from './clear_session.js';
import type {ContainerArgs} from './container.js';
import {kerasClass, twins} from './keras_class.js';
import * as layers from './keras_layers.js';
import * as state from './keras_state.js';
import {LayersModel} from './model.js';
import {buildModel} from './model_from_json.js';
import {loadLayersModel} from './saving/load.js';
import {Sequential as SequentialModel} from './sequential.js';

export {layers};
export {Input} from './keras_layers.js';
export {
  callbacks, losses, metrics, optimizers,
} from './training/keras_exports.js';

/** A model of layers one after the other: `tf.keras.Sequential([...])`. */
export const Sequential = kerasClass(SequentialModel, 'layers', 'name');
/** A model of a graph: `tf.keras.Model(inputs, outputs)`. */
export const Model = kerasClass<
  ContainerArgs, LayersModel, ['inputs', 'outputs', 'name']>(
    LayersModel, 'inputs', 'outputs', 'name');

export const models = {
  Sequential, Model,
  ...twins({modelFromJson: buildModel, loadModel: loadLayersModel}),
};

const {
  floatx, setFloatx, epsilon, setEpsilon, imageDataFormat, setImageDataFormat,
  getUid, resetUids, nameScope, setNamingStyle, setRandomSeed, getRandomSeed,
  customObjectScope, getCustomObjects, getRegisteredName, getRegisteredObject,
  registerKerasSerializable, dtypePolicy, setDtypePolicy, policyOf,
} = state;

/** Settings, counters and scopes; every function in both cases. */
export const backend = twins({
  clearSession, getUid, resetUids, nameScope, floatx, setFloatx, epsilon,
  setEpsilon, imageDataFormat, setImageDataFormat, setNamingStyle,
});

export const utils = {
  ...twins({
    clearSession, setRandomSeed, getRandomSeed, customObjectScope,
    getCustomObjects, getRegisteredName, getRegisteredObject,
    registerKerasSerializable,
  }),
  CustomObjectScope: customObjectScope,
};

export const config = twins({
  floatx, setFloatx, epsilon, setEpsilon, imageDataFormat, setImageDataFormat,
  dtypePolicy, setDtypePolicy,
});

// Keras 2's names of the same.
export const mixed_precision = twins({
  globalPolicy: dtypePolicy, setGlobalPolicy: setDtypePolicy,
});

/** A dtype policy by name. */
export const DTypePolicy = policyOf;
export const name_scope = nameScope;
export {
  activations, constraints, initializers, regularizers,
} from './keras_objects.js';
