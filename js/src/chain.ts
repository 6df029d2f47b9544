/**
 * Chained methods, derived from the functions: `x.add(y)` is `add(x, y)`. The
 * mapped type gives each method its function's remaining parameters.
 */
/* eslint-disable @typescript-eslint/no-explicit-any */
import * as activation from './ops/activation.js';
import * as binary from './ops/binary.js';
import {
  cast, clone, oneHot, onesLike, zerosLike,
} from './ops/creation.js';
import * as chainedShape from './ops/chained_shape.js';
import {split, tile, unstack} from './ops/concat.js';
import {gather, unsortedSegmentSum} from './ops/gather.js';
import * as logical from './ops/logical.js';
import * as math from './ops/math.js';
import {mirrorPad, pad} from './ops/pad.js';
import * as reduce from './ops/reduce.js';
import {where} from './ops/select.js';
import {broadcastTo, expandDims, reshape, squeeze} from './ops/shape.js';
import * as slice from './ops/slice.js';
import {topk, unique} from './ops/sort.js';
import * as transpose from './ops/transpose.js';
import * as unary from './ops/unary.js';
import type {TensorLike} from './op.js';
import {Tensor} from './tensor.js';
import {variable} from './variable.js';

/** `a.where(condition, b)`: the tensor is the one chosen where it holds. */
function whereMethod<T extends Tensor>(
    a: T, condition: Tensor | TensorLike, b: T | TensorLike): T {
  return where(condition, a, b);
}

const chained = {
  ...activation, ...binary, broadcastTo, cast, ...chainedShape, clone,
  expandDims, gather, ...logical, ...math, mirrorPad, oneHot, onesLike, pad,
  ...reduce, reshape, ...slice, split, squeeze, tile, topk, ...transpose,
  ...unary, unique, unsortedSegmentSum, unstack, variable, where: whereMethod,
  zerosLike,
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
