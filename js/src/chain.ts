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
import {dot, matMul} from './ops/linalg.js';
import * as logical from './ops/logical.js';
import * as math from './ops/math.js';
import {
  batchNorm, euclideanNorm, localResponseNormalization, logSoftmax, norm,
  softmax,
} from './ops/normalization.js';
import * as reduce from './ops/reduce.js';
import {where} from './ops/select.js';
import * as shape from './ops/shape.js';
import * as unary from './ops/unary.js';
import type {TensorLike} from './op.js';
import {Tensor} from './tensor.js';

/** `a.where(condition, b)`: the tensor is the one chosen where it holds. */
function whereMethod<T extends Tensor>(
    a: T, condition: Tensor | TensorLike, b: T | TensorLike): T {
  return where(condition, a, b);
}

const chained = {
  ...activation, batchNorm, ...binary, cast, clone, dot, euclideanNorm,
  localResponseNormalization, logSoftmax, ...logical, ...math, matMul, norm,
  oneHot, onesLike, ...reduce, ...shape, softmax, ...unary, where: whereMethod,
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
