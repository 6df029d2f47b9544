/** Ops that make tensors out of numbers. */
import {TensorError} from '../errors.js';
import {wasm} from '../module.js';
import {inferShape, isTypedArray} from '../nest.js';
import {assert, dtypeNumber, inferDtype, list, op, upload} from '../op.js';
import type {TensorLike} from '../op.js';
import type {
  Scalar, Tensor1D, Tensor2D, Tensor3D, Tensor4D, Tensor5D, Tensor6D,
} from '../tensor.js';
import {Tensor} from '../tensor.js';
import type {
  DataType, Rank, ShapeMap, TensorLikeData, TypedArray,
} from '../types.js';
import {checkedShape} from './checks.js';

function assertGiven(values: unknown): void {
  assert(values !== null && values !== undefined,
         () => 'The input to the tensor constructor must be a non-null value.');
}

/** A tensor of given values, checked as `tensor` and its kin check them. */
function make<R extends Rank>(
    name: string, values: TensorLikeData, shape: readonly number[] | undefined,
    dtype: DataType | undefined): Tensor<R> {
  return op(name, () => {
    assertGiven(values);
    if (typeof values === 'string' ||
        (typeof values === 'object' && !Array.isArray(values) &&
         !isTypedArray(values))) {
      throw new TensorError(
          'argument', 'values passed to tensor(values) must be a ' +
              'number/boolean/string or an array of numbers/booleans/strings, ' +
              'or a TypedArray');
    }
    const inferred = inferShape(values);
    const type = dtype ?? inferDtype(values);
    if (shape === undefined) return upload(values, inferred, type);
    const wanted = checkedShape(shape).reduce((a, b) => a * b, 1);
    const given = inferred.reduce((a, b) => a * b, 1);
    assert(given === wanted,
           () => `Based on the provided shape, [${shape}], the tensor should ` +
               `have ${wanted} values but has ${given}`);
    const flat = inferred.length === 1;
    for (let d = 0; !flat && d < inferred.length; d++) {
      assert(inferred[d] === shape[d] ||
                 (d === inferred.length - 1 &&
                  inferred[d] === shape.slice(d).reduce((a, b) => a * b, 1)),
             () => `Error creating a new Tensor. Inferred shape ` +
                 `(${inferred}) does not match the provided shape (${shape}). `);
    }
    if (flat || isTypedArray(values)) return upload(values, shape, type);
    const handle = upload(values, inferred, type);
    const reshaped = wasm.reshape(handle, list(shape));
    wasm.dispose(handle);
    return reshaped;
  });
}

/**
 * Makes a tensor from a number, nested arrays or a typed array.
 *
 * `shape` is read off nested arrays; `dtype` is float32 unless the values say
 * otherwise. Errors: a shape that does not fit the values.
 *
 * ```js
 * tf.tensor([[1, 2], [3, 4]]).shape; // => [2, 2]
 * tf.tensor([1, 2, 3, 4], [2, 2]).arraySync(); // => [[1, 2], [3, 4]]
 * ```
 */
export function tensor<R extends Rank>(
    values: TensorLikeData, shape?: ShapeMap[R],
    dtype?: DataType): Tensor<R> {
  return make('tensor', values, shape, dtype);
}

/**
 * Makes a rank-0 tensor.
 *
 * ```js
 * tf.scalar(3.5).arraySync(); // => 3.5
 * ```
 */
export function scalar(value: number | boolean, dtype?: DataType): Scalar {
  return op('scalar', () => {
    if (typeof value !== 'number' && typeof value !== 'boolean') {
      throw new TensorError(
          'argument', 'Error creating a new Scalar: value must be a primitive ' +
              '(number|boolean|string)');
    }
    return wasm.scalar(Number(value), dtypeNumber(dtype ?? inferDtype(value)));
  });
}

/**
 * Makes a rank-1 tensor.
 *
 * ```js
 * tf.tensor1d([1, 2, 3]).arraySync(); // => [1, 2, 3]
 * ```
 */
export function tensor1d(
    values: TypedArray | readonly (number | boolean)[],
    dtype?: DataType): Tensor1D {
  assertGiven(values);
  if (inferShape(values).length !== 1) {
    throw new TensorError(
        'shape', 'tensor1d() requires values to be a flat/TypedArray');
  }
  return make('tensor1d', values as TensorLikeData, undefined, dtype);
}

/**
 * Makes a rank-2 tensor.
 *
 * ```js
 * tf.tensor2d([[1, 2], [3, 4]]).shape; // => [2, 2]
 * tf.tensor2d([1, 2, 3, 4], [1, 4]).shape; // => [1, 4]
 * ```
 */
export function tensor2d(
    values: TensorLikeData, shape?: ShapeMap['R2'],
    dtype?: DataType): Tensor2D {
  return ranked(2, 'tensor2d', values, shape, dtype);
}

/**
 * Makes a rank-3 tensor from nested arrays, or from flat ones and a shape.
 *
 * Errors: values of another rank; a shape that does not fit them.
 *
 * ```js
 * tf.tensor3d([[[1, 2]], [[3, 4]]]).shape; // => [2, 1, 2]
 * ```
 */
export function tensor3d(
    values: TensorLikeData, shape?: ShapeMap['R3'],
    dtype?: DataType): Tensor3D {
  return ranked(3, 'tensor3d', values, shape, dtype);
}

/**
 * Makes a rank-4 tensor from nested arrays, or from flat ones and a shape.
 *
 * Errors: values of another rank; a shape that does not fit them.
 *
 * ```js
 * tf.tensor4d([[[[1, 2]]]]).shape; // => [1, 1, 1, 2]
 * ```
 */
export function tensor4d(
    values: TensorLikeData, shape?: ShapeMap['R4'],
    dtype?: DataType): Tensor4D {
  return ranked(4, 'tensor4d', values, shape, dtype);
}

/**
 * Makes a rank-5 tensor from nested arrays, or from flat ones and a shape.
 *
 * Errors: values of another rank; a shape that does not fit them.
 *
 * ```js
 * tf.tensor5d([[[[[1, 2]]]]]).shape; // => [1, 1, 1, 1, 2]
 * ```
 */
export function tensor5d(
    values: TensorLikeData, shape?: ShapeMap['R5'],
    dtype?: DataType): Tensor5D {
  return ranked(5, 'tensor5d', values, shape, dtype);
}

/**
 * Makes a rank-6 tensor from nested arrays, or from flat ones and a shape.
 *
 * Errors: values of another rank; a shape that does not fit them.
 *
 * ```js
 * tf.tensor6d([[[[[[1, 2]]]]]]).shape; // => [1, 1, 1, 1, 1, 2]
 * ```
 */
export function tensor6d(
    values: TensorLikeData, shape?: ShapeMap['R6'],
    dtype?: DataType): Tensor6D {
  return ranked(6, 'tensor6d', values, shape, dtype);
}

const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six'];

function ranked<R extends Rank>(
    rank: number, name: string, values: TensorLikeData,
    shape: ShapeMap[R] | undefined, dtype: DataType | undefined): Tensor<R> {
  assertGiven(values);
  if (shape !== undefined && shape !== null && shape.length !== rank) {
    throw new TensorError(
        'shape', `${name}() requires shape to have ${words[rank]} numbers`);
  }
  const inferred = inferShape(values);
  if (inferred.length !== rank && inferred.length !== 1) {
    throw new TensorError(
        'shape', `${name}() requires values to be number` +
            `${'[]'.repeat(rank)} or flat/TypedArray`);
  }
  if (inferred.length === 1 && (shape === undefined || shape === null)) {
    throw new TensorError(
        'shape', `${name}() requires shape to be provided when \`values\` ` +
            'are a flat/TypedArray');
  }
  return make(name, values, shape ?? undefined, dtype);
}

/**
 * A tensor whose elements are all `value`, a number or a boolean.
 *
 * ```js
 * tf.fill([2, 2], 4).arraySync(); // => [[4, 4], [4, 4]]
 * ```
 */
export function fill<R extends Rank>(
    shape: ShapeMap[R], value: number | boolean, dtype?: DataType): Tensor<R> {
  if (typeof value !== 'number' && typeof value !== 'boolean') {
    throw new TensorError(
        'dtype', `fill: value must be a number or a boolean, got ` +
            `${JSON.stringify(value)}: string tensors are not supported`);
  }
  return op('fill', () => wasm.fill(
      list(checkedShape(shape)), Number(value),
      dtypeNumber(dtype ?? inferDtype(value))));
}

/**
 * A tensor of zeros.
 *
 * Errors: a shape that is not of whole numbers.
 *
 * ```js
 * tf.zeros([2, 2]).arraySync(); // => [[0, 0], [0, 0]]
 * ```
 */
export function zeros<R extends Rank>(
    shape: ShapeMap[R], dtype: DataType = 'float32'): Tensor<R> {
  return op('zeros', () => wasm.fill(
      list(checkedShape(shape)), 0, dtypeNumber(dtype)));
}

/**
 * A tensor of ones.
 *
 * Errors: a shape that is not of whole numbers.
 *
 * ```js
 * tf.ones([3]).arraySync(); // => [1, 1, 1]
 * ```
 */
export function ones<R extends Rank>(
    shape: ShapeMap[R], dtype: DataType = 'float32'): Tensor<R> {
  return op('ones', () => wasm.fill(
      list(checkedShape(shape)), 1, dtypeNumber(dtype)));
}

/**
 * Zeros in the shape and dtype of `x`.
 *
 * ```js
 * tf.zerosLike([1, 2]).arraySync(); // => [0, 0]
 * ```
 */
export function zerosLike<T extends Tensor>(x: T | TensorLike): T {
  return op('zerosLike', (arg) => wasm.zerosLike(arg('x', x)));
}

/**
 * Ones in the shape and dtype of `x`.
 *
 * ```js
 * tf.onesLike([1, 2]).arraySync(); // => [1, 1]
 * ```
 */
export function onesLike<T extends Tensor>(x: T | TensorLike): T {
  return op('onesLike', (arg) => wasm.onesLike(arg('x', x)));
}

/**
 * The numbers `start`, `start + step`, ... before `stop`. Without a step it
 * counts down when `stop < start`.
 *
 * Errors: a step of zero.
 *
 * ```js
 * tf.range(0, 9, 3).arraySync(); // => [0, 3, 6]
 * tf.range(3, 0).arraySync(); // => [3, 2, 1]
 * ```
 */
export function range(
    start: number, stop: number, step = 1,
    dtype: 'float32' | 'int32' = 'float32'): Tensor1D {
  return op('range', () => wasm.range(start, stop, step, dtypeNumber(dtype)));
}

/**
 * `num` evenly spaced numbers from `start` to `stop`, both included.
 *
 * Errors: `num` is not positive.
 *
 * ```js
 * tf.linspace(0, 9, 4).arraySync(); // => [0, 3, 6, 9]
 * ```
 */
export function linspace(start: number, stop: number, num: number): Tensor1D {
  return op('linspace', () => wasm.linspace(start, stop, num));
}

/**
 * An identity matrix, or a batch of them: `[...batchShape, numRows,
 * numColumns]`.
 *
 * ```js
 * tf.eye(2).arraySync(); // => [[1, 0], [0, 1]]
 * tf.eye(2, 3, [4]).shape; // => [4, 2, 3]
 * ```
 */
export function eye(
    numRows: number, numColumns?: number,
    batchShape?: readonly number[],
    dtype: DataType = 'float32'): Tensor2D {
  return op('eye', () => wasm.eye(
      numRows, numColumns ?? numRows, list(batchShape ?? []),
      dtypeNumber(dtype)));
}

/**
 * One-hot vectors: `onValue` at each index and `offValue` elsewhere, in a new
 * innermost dimension. An index out of range gives `offValue` only.
 *
 * Errors: `indices` is not int32; `depth` is less than 2.
 *
 * ```js
 * tf.oneHot([1, 0], 3).arraySync(); // => [[0, 1, 0], [1, 0, 0]]
 * ```
 */
export function oneHot(
    indices: Tensor | TensorLike, depth: number, onValue = 1, offValue = 0,
    dtype: DataType = 'int32'): Tensor {
  return op('oneHot', (arg) => wasm.oneHot(
      arg('indices', indices, 'int32'), depth, onValue, offValue,
      dtypeNumber(dtype)));
}

/**
 * A copy of a tensor that shares its values until one of them is freed.
 *
 * ```js
 * tf.clone([1, 2]).arraySync(); // => [1, 2]
 * ```
 */
export function clone<T extends Tensor>(x: T | TensorLike): T {
  return op('clone', (arg) => wasm.clone(arg('x', x)));
}

/**
 * `x` with elements of another type: to int32 by truncation, to bool as
 * `x != 0`.
 *
 * ```js
 * tf.cast([1.9, -1.9], 'int32').arraySync(); // => [1, -1]
 * ```
 */
export function cast<T extends Tensor>(x: T | TensorLike, dtype: DataType): T {
  return op('cast', (arg) => wasm.cast(arg('x', x), dtypeNumber(dtype)));
}
