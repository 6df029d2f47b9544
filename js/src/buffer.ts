/** TensorBuffer: values to be filled in one by one, then made a tensor. */
import {TensorError} from './errors.js';
import {op, upload} from './op.js';
import type {Tensor} from './tensor.js';
import type {DataType, DataTypeMap, Rank, ShapeMap} from './types.js';

/** Refuses a shape with a dimension that is no count. */
export function assertShape(shape: readonly number[]): void {
  for (const d of shape) {
    if (!Number.isInteger(d) || d < 0) {
      throw new TensorError(
          'shape', 'Tensor must have a shape comprised of positive integers ' +
              `but got shape [${shape}].`);
    }
  }
}

const arrays = {float32: Float32Array, int32: Int32Array, bool: Uint8Array};

/** Values under a shape, in JavaScript's memory. See {@link buffer}. */
export class TensorBuffer<R extends Rank = Rank,
    D extends DataType = 'float32'> {
  readonly shape: ShapeMap[R];
  readonly dtype: D;
  /** Number of elements. */
  readonly size: number;
  /** Elements that one step along each dimension but the last passes over. */
  readonly strides: number[];
  readonly values: DataTypeMap[D];

  constructor(shape: ShapeMap[R], dtype: D, values?: DataTypeMap[D]) {
    const dims = [...shape as number[]];
    assertShape(dims);
    const make = arrays[dtype];
    if (make === undefined) {
      throw new TensorError(
          'unsupported', `buffer: dtype '${String(dtype)}' is not supported`);
    }
    this.shape = dims as ShapeMap[R];
    this.dtype = dtype;
    this.size = dims.reduce((a, b) => a * b, 1);
    if (values !== undefined && values !== null &&
        values.length !== this.size) {
      throw new TensorError(
          'shape', `Length of values '${values.length}' does not match the ` +
              `size inferred by the shape '${this.size}'.`);
    }
    this.strides = new Array<number>(Math.max(dims.length - 1, 0));
    for (let d = dims.length - 1, step = 1; d > 0; d--) {
      step *= dims[d]!;
      this.strides[d - 1] = step;
    }
    this.values = values ?? new make(this.size) as DataTypeMap[D];
  }

  /** Number of dimensions. */
  get rank(): number {
    return (this.shape as number[]).length;
  }

  /** Puts `value` at the given indices. */
  set(value: number | boolean, ...locs: number[]): void {
    const at = locs.length === 0 ? [0] : locs;
    if (at.length !== this.rank && !(this.rank === 0 && at.length === 1)) {
      throw new TensorError(
          'argument', `The number of provided coordinates (${at.length}) must ` +
              `match the rank (${this.rank})`);
    }
    this.values[this.locToIndex(at)] = Number(value);
  }

  /** The value at the given indices. Errors: an index outside the shape. */
  get(...locs: number[]): number {
    const shape = this.shape as number[];
    const at = locs.length === 0 ? [0] : locs;
    const bad = this.rank > 0 &&
        at.some((i, d) => !(i >= 0 && i < shape[d]!));
    if (bad) {
      throw new TensorError(
          'argument', `Requested out of range element at ${at}.   Buffer ` +
              `shape=${shape}`);
    }
    return this.values[this.locToIndex(at)]!;
  }

  /** The place in `values` of the given indices. */
  locToIndex(locs: number[]): number {
    if (this.rank === 0) return 0;
    let index = locs[this.rank - 1] ?? 0;
    for (let d = 0; d < this.rank - 1; d++) {
      index += this.strides[d]! * locs[d]!;
    }
    return index;
  }

  /** The indices of a place in `values`. */
  indexToLoc(index: number): number[] {
    if (this.rank === 0) return [];
    const locs: number[] = [];
    let rest = index;
    for (const step of this.strides) {
      const i = Math.floor(rest / step);
      locs.push(i);
      rest -= i * step;
    }
    locs.push(rest);
    return locs;
  }

  /** A tensor with a copy of the values. */
  toTensor(): Tensor<R> {
    return op('toTensor', () =>
      upload(this.values, this.shape as number[], this.dtype));
  }
}

/**
 * Makes a buffer of zeros, or around given values, to be filled and then turned
 * into a tensor.
 *
 * ```js
 * const b = tf.buffer([2, 2]);
 * b.set(3, 0, 1);
 * b.get(0, 1); // => 3
 * b.toTensor().arraySync(); // => [[0, 3], [0, 0]]
 * ```
 */
export function buffer<R extends Rank, D extends DataType = 'float32'>(
    shape: ShapeMap[R], dtype: D = 'float32' as D,
    values?: DataTypeMap[D]): TensorBuffer<R, D> {
  return new TensorBuffer<R, D>(shape, dtype, values);
}
