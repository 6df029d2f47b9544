/** `tf.io`: model files, where they are kept, and weights as bytes. */
export {
  getModelArtifactsForJSON, getModelArtifactsForJSONSync,
  getModelArtifactsInfoForJSON, getWeightSpecs,
} from './artifacts.js';
export {browserDownloads, browserFiles} from './browser_files.js';
export {CompositeArrayBuffer, concatenateArrayBuffers} from './buffers.js';
export {browserHTTPRequest, http, isHTTPScheme} from './http.js';
export {
  copyModel, listModels, moveModel, removeModel,
} from './model_management.js';
export {
  fromMemory, fromMemorySync, withSaveHandler, withSaveHandlerSync,
} from './passthrough.js';
export {
  getLoadHandlers, getSaveHandlers, registerLoadRouter, registerSaveRouter,
} from './router.js';
export type {IORouter} from './router.js';
export {pickedDirectory} from './storage/picked.js';
export {openStorage} from './storage/open.js';
export type {FileStorage, StoredFile} from './storage/storage.js';
export type * from './types.js';
export {decodeWeightsStream} from './weight_stream.js';
export {decodeWeights, encodeWeights} from './weights.js';
export {loadWeights, weightsLoaderFactory} from './weights_loader.js';
