/** Helpers that TensorFlow.js shows as `tf.util`. */
import {TensorError} from './errors.js';
import {isTypedArray} from './nest.js';
import type {DataType, DataTypeMap, TypedArray} from './types.js';

export {isTypedArray};

/** Throws an error with the message that `message` makes unless `ok`. */
export function assert(ok: boolean, message: () => string): asserts ok {
  if (!ok) throw new TensorError('argument', message());
}

/** Throws when `x` is null or undefined. */
export function assertNonNull(x: unknown): void {
  assert(
      x !== null && x !== undefined,
      () => 'The input to the tensor constructor must be a non-null value.');
}

/** Throws when two shapes differ. */
export function assertShapesMatch(
    a: readonly number[], b: readonly number[], prefix = ''): void {
  assert(arraysEqual(a, b), () => `${prefix} Shapes ${a} and ${b} must match`);
}

/** Throws when a dimension is no count. */
export function assertNonNegativeIntegerDimensions(
    dimensions: readonly number[]): void {
  for (const d of dimensions) {
    assert(
        isInt(d) && d >= 0,
        () => 'Tensor must have a shape comprised of positive integers but ' +
            `got shape [${dimensions}].`);
  }
}

type List = {length: number, [i: number]: unknown};

/** Exchanges two items. */
export function swap(list: List, i: number, j: number): void {
  [list[i], list[j]] = [list[j], list[i]];
}

/** Puts the items of an array into random order, in place. */
export function shuffle(list: List): void {
  for (let i = list.length - 1; i > 0; i--) {
    swap(list, i, Math.floor(Math.random() * (i + 1)));
  }
}

/** Puts two arrays of one length into the same random order, in place. */
export function shuffleCombo(a: List, b: List): void {
  assert(
      a.length === b.length,
      () => 'Array sizes must match to be shuffled together First array ' +
          `length was ${a.length} Second array length was ${b.length}`);
  for (let i = a.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    swap(a, i, j);
    swap(b, i, j);
  }
}

/** 0 to n - 1 in random order. */
export function createShuffledIndices(n: number): Uint32Array {
  const indices = Uint32Array.from({length: n}, (_, i) => i);
  shuffle(indices);
  return indices;
}

/** The number of elements of a shape. */
export function sizeFromShape(shape: readonly number[]): number {
  return shape.reduce((a, b) => a * b, 1);
}

/** The items of nested arrays in one array. */
export function flatten<T>(
    nested: unknown, result: T[] = [], skipTypedArray = false): T[] {
  if (Array.isArray(nested) || (isTypedArray(nested) && !skipTypedArray)) {
    for (const item of nested) flatten(item, result, skipTypedArray);
  } else {
    result.push(nested as T);
  }
  return result;
}

/** True when two flat lists have the same items. */
export function arraysEqual(
    a: ArrayLike<unknown> | null, b: ArrayLike<unknown> | null): boolean {
  if (a === b) return true;
  if (!a || !b || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

export const isInt = (x: number): boolean => x % 1 === 0;
export const isString = (x: unknown): x is string =>
  typeof x === 'string' || x instanceof String;
export const isBoolean = (x: unknown): x is boolean => typeof x === 'boolean';
export const isNumber = (x: unknown): x is number => typeof x === 'number';
export const isFunction = (x: unknown): boolean => typeof x === 'function';
export const isScalarShape = (shape: readonly number[]): boolean =>
  shape.length === 0;
export const isPromise = (x: unknown): x is Promise<unknown> =>
  typeof (x as {then?: unknown} | null)?.then === 'function';
export const clamp = (low: number, x: number, high: number): number =>
  Math.max(low, Math.min(x, high));
export const nearestLargerEven = (x: number): number =>
  x % 2 === 0 ? x : x + 1;
export const sum = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((a, b) => a + b, 0);
/** A random number in [low, high). */
export const randUniform = (low: number, high: number): number =>
  low + (high - low) * Math.random();
/** The squared distance of two points. */
export const distSquared =
    (a: ArrayLike<number>, b: ArrayLike<number>): number =>
      Array.from(a).reduce((s, x, i) => s + (x - b[i]!) ** 2, 0);
/** Milliseconds, for differences. */
export const now = (): number => performance.now();
export const tanh = (x: number): number => Math.tanh(x);

/** The dtype that plain values become. */
export function inferDtype(values: unknown): DataType | 'string' {
  if (Array.isArray(values)) return inferDtype(values[0]);
  if (values instanceof Float32Array) return 'float32';
  if (isTypedArray(values)) return 'int32';
  if (isString(values)) return 'string';
  return isBoolean(values) ? 'bool' : 'float32';
}

/** Shape with its one -1 replaced so that it has `size` elements. */
export function inferFromImplicitShape(
    shape: readonly number[], size: number): number[] {
  const known = shape.reduce((p, d) => (d >= 0 ? p * d : p), 1);
  const at = shape.indexOf(-1);
  for (const [i, d] of shape.entries()) {
    assert(
        d >= 0 || (d === -1 && i === at),
        () => d === -1 ? 'Shapes can only have 1 implicit size. Found -1 at ' +
            `dim ${at} and dim ${i}` :
          `Shapes can not be < 0. Found ${d} at dim ${i}`);
  }
  if (at < 0) {
    assert(
        size <= 0 || size === known,
        () => `Size(${size}) must match the product of shape ${shape}`);
    return [...shape];
  }
  assert(
      known !== 0,
      () => `Cannot infer the missing size in [${shape}] when there are 0 ` +
          'elements');
  assert(
      size % known === 0,
      () => `The implicit shape can't be a fractional number. Got ${size} / ` +
          `${known}`);
  return shape.map((d, i) => (i === at ? size / known : d));
}

/** Axes as a list of numbers in 0 to rank - 1. */
export function parseAxisParam(
    axis: number | readonly number[] | null | undefined,
    shape: readonly number[]): number[] {
  const rank = shape.length;
  const axes = axis === null || axis === undefined ? shape.map((_, i) => i) :
    typeof axis === 'number' ? [axis] : [...axis];
  assert(
      axes.every((a) => a >= -rank && a < rank),
      () => `All values in axis param must be in range [-${rank}, ${rank}) ` +
          `but got axis ${axes}`);
  assert(
      axes.every(isInt),
      () => `All values in axis param must be integers but got axis ${axes}`);
  return axes.map((a) => (a < 0 ? a + rank : a));
}

/** Elements that one step along each dimension but the last passes over. */
export function computeStrides(shape: readonly number[]): number[] {
  return shape.slice(1).map((_, i) => sizeFromShape(shape.slice(i + 1)));
}

export const bytesPerElement = (dtype: DataType): number =>
  dtype === 'bool' ? 1 : 4;

export const isValidDtype = (dtype: string): dtype is DataType =>
  dtype === 'float32' || dtype === 'int32' || dtype === 'bool';

/** An array of zeros for the values of a tensor. */
export function makeZerosTypedArray<D extends DataType>(
    size: number, dtype: D): DataTypeMap[D] {
  const array: TypedArray = dtype === 'float32' ? new Float32Array(size) :
    dtype === 'int32' ? new Int32Array(size) : new Uint8Array(size);
  return array as DataTypeMap[D];
}

/** An array of ones for the values of a tensor. */
export function makeOnesTypedArray<D extends DataType>(
    size: number, dtype: D): DataTypeMap[D] {
  return makeZerosTypedArray(size, dtype).fill(1) as DataTypeMap[D];
}

/** Flat values as nested arrays. */
export function toNestedArray(
    shape: readonly number[], values: ArrayLike<number>): unknown {
  let at = 0;
  const level = (d: number): unknown => d === shape.length ? values[at++] :
    Array.from({length: shape[d]!}, () => level(d + 1));
  return level(0);
}

/** Bytes of a text in UTF-8. */
export const encodeString = (text: string): Uint8Array =>
  new TextEncoder().encode(text);
/** The text that bytes in UTF-8 hold. */
export const decodeString = (bytes: Uint8Array, encoding = 'utf-8'): string =>
  new TextDecoder(encoding).decode(bytes);
