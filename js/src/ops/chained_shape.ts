/**
 * What exists as methods only, or is called differently there: `x.as2D(r, c)`,
 * `x.concat(others)`.
 */
import type {TensorLike} from '../op.js';
import type {
  Scalar, Tensor, Tensor1D, Tensor2D, Tensor3D, Tensor4D, Tensor5D,
} from '../tensor.js';
import {concat as concatAll, stack as stackAll} from './concat.js';
import {reshape} from './shape.js';

/** The one element of `x` as a scalar; an error when it has more. */
export function asScalar(x: Tensor): Scalar {
  return reshape<'R0'>(x, []);
}

/** The elements of `x` as a vector. */
export function flatten(x: Tensor): Tensor1D {
  return reshape<'R1'>(x, [x.size]);
}

/** The elements of `x` as a vector. */
export function as1D(x: Tensor): Tensor1D {
  return flatten(x);
}

/** `x` as a matrix. */
export function as2D(x: Tensor, rows: number, columns: number): Tensor2D {
  return reshape<'R2'>(x, [rows, columns]);
}

/** `x` with three dimensions. */
export function as3D(
    x: Tensor, rows: number, columns: number, depth: number): Tensor3D {
  return reshape<'R3'>(x, [rows, columns, depth]);
}

/** `x` with four dimensions. */
export function as4D(
    x: Tensor, rows: number, columns: number, depth: number,
    depth2: number): Tensor4D {
  return reshape<'R4'>(x, [rows, columns, depth, depth2]);
}

/** `x` with five dimensions. */
export function as5D(
    x: Tensor, rows: number, columns: number, depth: number, depth2: number,
    depth3: number): Tensor5D {
  return reshape<'R5'>(x, [rows, columns, depth, depth2, depth3]);
}

/** `x` in the shape of `y`. */
export function reshapeAs<T extends Tensor>(x: Tensor, y: T): T {
  return reshape(x, y.shape) as unknown as T;
}

/** `x`, then the other tensor or tensors, along `axis`. */
export function concat<T extends Tensor>(
    x: T, others: T | Array<T | TensorLike>, axis = 0): T {
  return concatAll<T>(
      [x, ...(Array.isArray(others) ? others : [others])], axis);
}

/** `x` and the other tensor or tensors along a new dimension `axis`. */
export function stack(
    x: Tensor, others: Tensor | Tensor[], axis = 0): Tensor {
  return stackAll([x, ...(Array.isArray(others) ? others : [others])], axis);
}
