/**
 * Chained methods, derived from the functions: `x.add(y)` is `add(x, y)`. The
 * mapped type gives each method its function's remaining parameters.
 */
/* eslint-disable @typescript-eslint/no-explicit-any */
import {TensorBuffer} from './buffer.js';
import * as binary from './ops/binary.js';
import {cast, clone} from './ops/creation.js';
import * as chainedCast from './ops/chained_cast.js';
import * as chainedShape from './ops/chained_shape.js';
import {split, tile, unstack} from './ops/concat.js';
import {gather, unsortedSegmentSum} from './ops/gather.js';
import {mirrorPad, pad} from './ops/pad.js';
import * as reduce from './ops/reduce.js';
import {broadcastTo, expandDims, reshape, squeeze} from './ops/shape.js';
import * as slice from './ops/slice.js';
import {topk, unique} from './ops/sort.js';
import * as transpose from './ops/transpose.js';
import * as unary from './ops/unary.js';
import {Tensor} from './tensor.js';
import type {DataType, Rank} from './types.js';
import {variable} from './variable.js';

const chained = {
  ...binary, broadcastTo, cast, ...chainedCast, ...chainedShape, clone,
  expandDims, gather, mirrorPad, pad, ...reduce, reshape, ...slice, split,
  squeeze, tile, topk, ...transpose, ...unary, unique, unsortedSegmentSum,
  unstack, variable,
};
type Chained = typeof chained;

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
      this.throwIfDisposed();
      return (f as any)(this, ...rest);
    },
    configurable: true,
    writable: true,
  });
}
