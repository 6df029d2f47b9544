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
export * from './ops/binary.js';
export * from './ops/concat.js';
export * from './ops/count.js';
export * from './ops/creation.js';
export * from './ops/gather.js';
export * from './ops/pad.js';
export * from './ops/ranked.js';
export * from './ops/reduce.js';
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
