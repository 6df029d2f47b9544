/** Nested arrays from flat values and back. */
import {TensorError} from './errors.js';
import type {DataType, TypedArray} from './types.js';

/** Flat values as nested arrays of `shape`. */
export function nest(
    values: ArrayLike<number>, shape: readonly number[],
    _dtype: DataType): unknown {
  let at = 0;
  const level = (d: number): unknown => {
    if (d === shape.length) return values[at++]!;
    const out: unknown[] = [];
    for (let i = 0; i < shape[d]!; i++) out.push(level(d + 1));
    return out;
  };
  return level(0);
}

/** True for the typed arrays that hold tensor values. */
export function isTypedArray(x: unknown): x is TypedArray {
  return ArrayBuffer.isView(x) && !(x instanceof DataView);
}

/** True for arrays of 64-bit integers, which no tensor holds. */
export function isWide(x: unknown): x is BigInt64Array | BigUint64Array {
  return x instanceof BigInt64Array || x instanceof BigUint64Array;
}

/** The shape of nested arrays, read along the first elements. */
export function inferShape(value: unknown): number[] {
  const shape: number[] = [];
  let v = value;
  while (Array.isArray(v) || isTypedArray(v)) {
    shape.push(v.length);
    // No tensor is this deep, but an array that holds itself is.
    if (shape.length > 32) {
      throw new TensorError(
          'shape', 'arrays nested more than 32 deep are no tensor');
    }
    if (isTypedArray(v)) break;
    v = (v as unknown[])[0];
  }
  return shape;
}

/**
 * Writes nested arrays of `shape` into `out`; an array of another length, or a
 * number in place of an array, is an error.
 */
export function flattenInto(
    value: unknown, shape: readonly number[],
    out: {[i: number]: number}): void {
  let at = 0;
  const level = (v: unknown, d: number, path: number[]): void => {
    if (d === shape.length) {
      if (Array.isArray(v) || isTypedArray(v)) {
        throw new TensorError(
            'shape', `Element arr[${path.join('][')}] should be a primitive, ` +
                `but is an array of ${v.length} elements`);
      }
      if (typeof v === 'string') {
        throw new TensorError(
            'dtype', `Element arr[${path.join('][')}] is a string: string ` +
                'tensors are not supported');
      }
      out[at++] = Number(v);
      return;
    }
    if (!Array.isArray(v) && !isTypedArray(v)) {
      throw new TensorError(
          'shape', `Element arr[${path.join('][')}] should be an array of ` +
              `${shape[d]} elements, but is a primitive`);
    }
    if (v.length !== shape[d]) {
      throw new TensorError(
          'shape', `Element arr[${path.join('][')}] should have ${shape[d]} ` +
              `elements, but has ${v.length} elements`);
    }
    for (let i = 0; i < v.length; i++) level(v[i], d + 1, [...path, i]);
  };
  level(value, 0, []);
}
