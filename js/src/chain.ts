/**
 * Chained methods, derived from the functions: `x.add(y)` is `add(x, y)`. The
 * mapped type gives each method its function's remaining parameters.
 */
/* eslint-disable @typescript-eslint/no-explicit-any */
import * as binary from './ops/binary.js';
import {cast, clone} from './ops/creation.js';
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

const chained = {
  ...binary, broadcastTo, cast, ...chainedShape, clone, expandDims, gather,
  mirrorPad, pad, ...reduce, reshape, ...slice, split, squeeze, tile, topk,
  ...transpose, ...unary, unique, unsortedSegmentSum, unstack,
};
type Chained = typeof chained;

type Method<F> = F extends (x: any, ...rest: infer R) => infer T ?
  (...rest: R) => T : never;
type Methods = {[K in keyof Chained]: Method<Chained[K]>};

declare module './tensor.js' {
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  interface Tensor<R> extends Methods {}
}

for (const [name, f] of Object.entries(chained)) {
  Object.defineProperty(Tensor.prototype, name, {
    value(this: Tensor, ...rest: any[]) {
      this.throwIfDisposed();
      return (f as any)(this, ...rest);
    },
    configurable: true,
    writable: true,
  });
}
