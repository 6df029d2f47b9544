/**
 * Chained methods, derived from the functions: `x.add(y)` is `add(x, y)`. The
 * mapped type gives each method its function's remaining parameters.
 */
import {TensorBuffer} from './buffer.js';
import * as activation from './ops/activation.js';
import * as binary from './ops/binary.js';
import * as chainedCast from './ops/chained_cast.js';
import * as chainedShape from './ops/chained_shape.js';
import * as concat from './ops/concat.js';
import * as conv from './ops/conv.js';
import * as creation from './ops/creation.js';
import * as gather from './ops/gather.js';
import * as image from './ops/image.js';
import * as linalg from './ops/linalg.js';
import * as logical from './ops/logical.js';
import * as math from './ops/math.js';
import * as normalization from './ops/normalization.js';
import * as pad from './ops/pad.js';
import * as pool from './ops/pool.js';
import * as reduce from './ops/reduce.js';
import {where} from './ops/select.js';
import * as shape from './ops/shape.js';
import * as slice from './ops/slice.js';
import * as sort from './ops/sort.js';
import * as transpose from './ops/transpose.js';
import * as unary from './ops/unary.js';
import type {TensorLike} from './op.js';
import {Tensor} from './tensor.js';
import type {DataType, Rank} from './types.js';
import {variable} from './variable.js';

/** `a.where(condition, b)`: the tensor is the one chosen where it holds. */
function whereMethod<T extends Tensor>(
    a: T, condition: Tensor | TensorLike, b: T | TensorLike): T {
  return where(condition, a, b);
}

// Named, not inferred: the declaration file would spell every function out.
type Chained =
  typeof activation & typeof binary & typeof chainedCast &
  typeof chainedShape &
  Omit<typeof concat, 'concat' | 'stack'> &
  Omit<typeof conv, 'conv2dDerInput' | 'conv2dDerFilter'> &
  Pick<typeof creation, 'cast' | 'clone' | 'oneHot' | 'onesLike' | 'zerosLike'> &
  Pick<typeof gather, 'gather' | 'unsortedSegmentSum'> & typeof image &
  Pick<typeof linalg, 'dot' | 'matMul'> & typeof logical &
  typeof math &
  Pick<
    typeof normalization, 'batchNorm' | 'euclideanNorm' |
    'localResponseNormalization' | 'logSoftmax' | 'norm' | 'softmax'> &
  typeof pad & typeof pool & typeof reduce &
  Pick<typeof shape, 'broadcastTo' | 'expandDims' | 'reshape' | 'squeeze'> &
  typeof slice & Pick<typeof sort, 'topk' | 'unique'> & typeof transpose &
  typeof unary & {variable: typeof variable, where: typeof whereMethod};

const {cast, clone, oneHot, onesLike, zerosLike} = creation;
const {
  conv1d, conv2d, conv2dTranspose, depthwiseConv2d, separableConv2d,
} = conv;
const {broadcastTo, expandDims, reshape, squeeze} = shape;
const {split, tile, unstack} = concat;
const {dot, matMul} = linalg;
const {
  batchNorm, euclideanNorm, localResponseNormalization, logSoftmax, norm,
  softmax,
} = normalization;
const chained: Chained = {
  ...activation, batchNorm, ...binary, broadcastTo, cast, ...chainedCast,
  ...chainedShape, clone, conv1d, conv2d, conv2dTranspose, depthwiseConv2d, dot,
  euclideanNorm, expandDims, gather: gather.gather, ...image,
  localResponseNormalization, logSoftmax, ...logical, ...math, matMul, norm,
  oneHot, onesLike, ...pad, ...pool, ...reduce, reshape, separableConv2d,
  ...slice, softmax, split, squeeze, tile, topk: sort.topk, ...transpose,
  ...unary, unique: sort.unique,
  unsortedSegmentSum: gather.unsortedSegmentSum, unstack, variable,
  where: whereMethod, zerosLike,
};

type Method<F> = F extends (x: any, ...rest: infer R) => infer T ?
  (...rest: R) => T : never;
type Methods = {[K in keyof Chained]: Method<Chained[K]>};

declare module './tensor.js' {
  interface Tensor<R> extends Methods {
    /** A promise of the values as a buffer of their own. */
    buffer<D extends DataType = 'float32'>(): Promise<TensorBuffer<R, D>>;
    /** The values as a buffer of their own, to be changed or read by index. */
    bufferSync<D extends DataType = 'float32'>(): TensorBuffer<R, D>;
  }
}

/** The values of `x` as a buffer of their own. */
function bufferSync(x: Tensor): TensorBuffer<Rank, DataType> {
  return new TensorBuffer(x.shape, x.dtype, x.dataSync());
}

const methods = {
  ...chained, bufferSync, buffer: async (x: Tensor) => bufferSync(x),
};

for (const [name, f] of Object.entries(methods)) {
  Object.defineProperty(Tensor.prototype, name, {
    value(this: Tensor, ...rest: any[]) {
      return (f as any)(this, ...rest);
    },
    configurable: true,
    writable: true,
  });
}
