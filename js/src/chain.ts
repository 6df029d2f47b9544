/**
 * Chained methods, derived from the functions: `x.add(y)` is `add(x, y)`. The
 * mapped type gives each method its function's remaining parameters.
 */
/* eslint-disable @typescript-eslint/no-explicit-any */
import * as binary from './ops/binary.js';
import {cast, clone} from './ops/creation.js';
import {dot, matMul} from './ops/linalg.js';
import {
  batchNorm, euclideanNorm, localResponseNormalization, logSoftmax, norm,
  softmax,
} from './ops/normalization.js';
import * as reduce from './ops/reduce.js';
import * as shape from './ops/shape.js';
import * as unary from './ops/unary.js';
import {Tensor} from './tensor.js';

const chained = {
  ...binary, cast, clone, dot, matMul, batchNorm, euclideanNorm,
  localResponseNormalization, logSoftmax, norm, softmax, ...reduce, ...shape,
  ...unary,
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
