/** The public API on one page. */
import './chain.js';
import {load} from './module.js';
import type {InitOptions} from './module.js';

export {TensorError} from './errors.js';
export type {ErrorCode} from './errors.js';
export {getVariant} from './module.js';
export type {InitOptions, Variant} from './module.js';
export type * from './types.js';
export {Tensor} from './tensor.js';
export type {
  Scalar, Tensor1D, Tensor2D, Tensor3D, Tensor4D, Tensor5D, Tensor6D,
} from './tensor.js';
export type {TensorLike} from './op.js';
export {tidy, keep, dispose} from './scope.js';
export {memory} from './memory.js';
export type {MemoryInfo} from './memory.js';
export {Variable, disposeVariables, variable} from './variable.js';
export {
  customGrad, grad, grads, valueAndGrad, valueAndGrads, variableGrads,
} from './gradients.js';
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

/**
 * Loads the library's WebAssembly core; await it once before the first op.
 *
 * ```js
 * await tf.ready();
 * tf.add(1, 2).arraySync(); // => 3
 * ```
 */
export async function ready(options?: InitOptions): Promise<void> {
  await load(options);
}
