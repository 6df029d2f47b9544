/** The public API on one page. */
import './chain.js';
import * as backend_util from './backend_util.js';
import * as browser from './browser/pixels.js';
import * as tensor_util from './tensor_util.js';
import * as test_util from './test_util.js';
import * as util from './util.js';

export {TensorError} from './errors.js';
export type {ErrorCode} from './errors.js';
export {getVariant} from './module.js';
export type {InitOptions, Variant} from './module.js';
export type * from './types.js';
export {Rank} from './types.js';
export {Tensor} from './tensor.js';
export type {
  NamedTensor, NamedTensorMap, Scalar, Tensor1D, Tensor2D, Tensor3D, Tensor4D,
  Tensor5D, Tensor6D, TensorInfo,
} from './tensor.js';
export type {
  TensorContainer, TensorContainerArray, TensorContainerObject,
} from './container.js';
export type {TensorLike} from './op.js';
export {TensorBuffer, buffer} from './buffer.js';
export {tidy, keep, dispose} from './scope.js';
export {Scope, scope, tidyAsync, tidyGen} from './async_scope.js';
export type {AsyncScopeOptions, CloseOptions} from './async_scope.js';
export {
  EagerSession, EagerSessionOptions, ResourceCleanupStrategy,
} from './session.js';
export type {Budget} from './budget.js';
export {nextTurn} from './turns.js';
export {memory} from './memory.js';
export type {MemoryInfo, SessionMemory} from './memory.js';
export type {
  MemoryDiff, MemoryReport, MemorySnapshot, SiteReport, TraceOptions,
} from './trace.js';
export {Variable, disposeVariables, variable} from './variable.js';
export {
  customGrad, grad, grads, valueAndGrad, valueAndGrads, variableGrads,
} from './gradients.js';
export type {CustomGradientFunc, GradSaveFunc} from './gradients.js';

export {Environment, env} from './environment.js';
export type {FlagValue, Flags} from './environment.js';
export {Engine, backend, engine} from './engine.js';
export {
  deprecationWarn, disableDeprecationWarnings, enableDebugMode,
  enableProdMode, getBackend, nextFrame, ready, setBackend, version,
  version_core,
} from './globals.js';
export type {Backend} from './globals.js';
export {profile, time} from './profile.js';
export type {KernelInfo, ProfileInfo, TimingInfo} from './profile.js';
export {backend_util, browser, tensor_util, test_util, util};
export type {PixelData, PixelSource} from './browser/pixels.js';

export * as io from './io/io.js';
export type {
  IOHandler, LoadOptions, LoadReport, ModelArtifacts, SaveResult,
} from './io/types.js';
export type {Platform} from './environment.js';

export * as constraints from './layers/exports_constraints.js';
export * as initializers from './layers/exports_initializers.js';
export * as keras from './layers/keras.js';
export * as layers from './layers/exports_layers.js';
export * as regularizers from './layers/exports_regularizers.js';
export * as serialization from './layers/serialization_exports.js';
export {input} from './layers/input.js';
export type {InputConfig, InputLayerArgs} from './layers/input.js';
export {InputSpec} from './layers/input_spec.js';
export type {
  DisposeResult, Kwargs, LayerArgs, LayerValue,
} from './layers/layer.js';
export {RNN} from './layers/families/rnn.js';
export {LayersModel, model, version_layers} from './layers/model.js';
export * as models from './layers/exports_models.js';
export {loadLayersModel} from './layers/saving/load.js';
export type {LoadLayersModelOptions} from './layers/saving/load.js';
export {Sequential, sequential} from './layers/sequential.js';
export type {SequentialArgs} from './layers/sequential.js';
export type {Shape} from './layers/shape.js';
export {SymbolicTensor} from './layers/symbolic.js';
export {LayerVariable} from './layers/weight.js';
export * from './layers/training/exports.js';

export {
  Graph, compat, getDefaultGraph, placeholder, resetDefaultGraph, summary,
  tfErrors as errors, train,
} from './train/session/exports.js';
export type {Placeholder} from './train/session/graph.js';
export type {Hook, HookMethods} from './train/session/hook.js';
export type {
  MonitoredTrainingSessionArgs, TrainingSessionOptions,
} from './train/session/factory.js';
export type {Clock, LogFunction} from './train/session/clock.js';
export type {CheckpointListener} from './train/session/hooks/checkpoint.js';
export type {Fetch, Fetched, Fetches} from './train/session/fetches.js';
export type {MonitoredSession} from './train/session/monitored_session.js';
export type {
  RawSession, RunMetadata, RunOptions,
} from './train/session/session.js';
export {Optimizer} from './train/optimizer.js';
export type {
  OptimizerConfig, OptimizerConstructor,
} from './train/optimizer.js';
export {
  AdadeltaOptimizer, AdagradOptimizer, AdamOptimizer, AdamaxOptimizer,
  MomentumOptimizer, RMSPropOptimizer, SGDOptimizer,
} from './train/optimizers.js';

export * from './ops/activation.js';
export * from './ops/binary.js';
export * from './ops/concat.js';
export * from './ops/conv.js';
export * from './ops/count.js';
export {
  cast, clone, eye, fill, linspace, oneHot, ones, onesLike, range, scalar,
  tensor, tensor1d, tensor2d, tensor3d, tensor4d, tensor5d, tensor6d, zeros,
  zerosLike,
} from './ops/creation.js';
export * as fused from './ops/fused.js';
export * from './ops/gather.js';
export * as image from './ops/image.js';
export * as linalg from './ops/decompose.js';
export * from './ops/linalg.js';
export * from './ops/lists.js';
export * from './ops/logical.js';
export * as losses from './ops/losses.js';
export {Reduction} from './ops/losses.js';
export * from './ops/math.js';
export * from './ops/metrics.js';
export * from './ops/normalization.js';
export * from './ops/pad.js';
export * from './ops/pool.js';
export * from './ops/random.js';
export * from './ops/ranked.js';
export * from './ops/reduce.js';
export * from './ops/select.js';
export {
  broadcastTo, ensureShape, expandDims, reshape, squeeze,
} from './ops/shape.js';
export * from './ops/slice.js';
export * from './ops/sort.js';
export * from './ops/transpose.js';
export * from './ops/unary.js';
