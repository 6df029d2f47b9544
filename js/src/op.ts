/**
 * What every op function does: turn its arguments into handles, call one
 * export, wrap the answer, and leave nothing behind when it fails.
 */
import {TensorError, shown} from './errors.js';
import {
  afterForeign, answer, bytesOf, checked, list as writeList, mark, raise,
  release, scalarOperand, wasm,
} from './module.js';
import {flattenInto, inferShape, isTypedArray, isWide} from './nest.js';
import {Tensor, handleOf, isTensor, wrap} from './tensor.js';
import {dtypes} from './types.js';
import type {DataType, TensorLikeData} from './types.js';

/** What ops accept for a tensor: a tensor, a number, or (nested) arrays. */
export type TensorLike = Tensor | TensorLikeData;

/**
 * Turns an argument into a handle; `name` is the parameter's name. With
 * `dtype`, tensors must have it and plain values are made with it.
 */
export type Arg = (name: string, x: TensorLike, dtype?: DataType) => number;

let afterOp: (() => void) | undefined;

/** Makes `f` run after every op: debug mode does. */
export function setAfterOp(f: (() => void) | undefined): void {
  afterOp = f;
}

// The op being called, for messages, and the handles made for its arguments.
let opName = '';
let temporaries: number[] | undefined;

/** The number C++ has for a dtype. */
export function dtypeNumber(dtype: DataType): number {
  const n = dtypes.indexOf(dtype);
  if (n < 0) {
    throw new TensorError(
        dtype as string === 'string' || dtype as string === 'complex64' ?
          'unsupported' : 'dtype',
        `${opName || 'tensor'}: dtype '${String(dtype)}' is not supported, ` +
            `only ${dtypes.join(', ')}`);
  }
  return n;
}

/** The dtype TensorFlow.js gives to plain values. */
export function inferDtype(value: unknown): DataType {
  if (Array.isArray(value)) return inferDtype(value[0]);
  if (value instanceof Float32Array) return 'float32';
  if (isTypedArray(value)) return 'int32';
  return typeof value === 'boolean' ? 'bool' : 'float32';
}

/** Uploads plain values and returns a handle owned by the current scope. */
export function upload(
    value: unknown, shape: readonly number[], dtype: DataType): number {
  const position = mark();
  let handle: number;
  try {
    handle = wasm.empty(list(shape), dtypeNumber(dtype));
  } finally {
    release(position);
  }
  if (handle === 0) raise(opName);
  try {
    write(value, handle, shape, dtype);
  } catch (error) {
    wasm.dispose(handle);
    throw error;
  }
  return handle;
}

function write(
    value: unknown, handle: number, shape: readonly number[],
    dtype: DataType): void {
  if (isWide(value)) {
    throw new TensorError(
        'dtype', `${opName}: a ${shown(value)} has 64-bit integers, which no ` +
            'tensor holds: give Array.from(values, Number)');
  }
  if (!Array.isArray(value) && !isTypedArray(value)) value = [value];
  const size = shape.reduce((a, b) => a * b, 1);
  const bytes = bytesOf(handle, size * (dtype === 'bool' ? 1 : 4));
  const at = [bytes.buffer, bytes.byteOffset, size] as const;
  // Flat values may fill any shape: their nesting is checked against itself.
  const nested = Array.isArray(value) ? inferShape(value) : undefined;
  if (dtype === 'float32') {
    const out = new Float32Array(...at);
    if (nested) flattenInto(value, nested, out);
    else out.set(value as ArrayLike<number>);
  } else if (dtype === 'int32') {
    const out = new Int32Array(...at);
    if (nested) flattenInto(value, nested, out);
    else if (value instanceof Float32Array) out.set(value.map(Math.trunc));
    else out.set(value as ArrayLike<number>);
  } else {
    const flags = nested ? new Float64Array(size) : value as ArrayLike<number>;
    if (nested) flattenInto(value, nested, flags);
    // As in a cast, NaN is true: it is not zero.
    for (let i = 0; i < size; i++) bytes[i] = Number(flags[i]) === 0 ? 0 : 1;
  }
}

const arg: Arg = (name, x, dtype) => {
  if (isTensor(x)) {
    if (dtype !== undefined && x.dtype !== dtype) {
      throw new TensorError(
          'dtype', `Argument '${name}' passed to '${opName}' must be ` +
              `${dtype} tensor, but got ${x.dtype} tensor`);
    }
    return handleOf(x);
  }
  if (typeof x === 'number') {
    return scalarOperand(x, dtype ? dtypeNumber(dtype) : 2);
  }
  if (typeof x === 'boolean') {
    return scalarOperand(x ? 1 : 0, dtype ? dtypeNumber(dtype) : 0);
  }
  if (Array.isArray(x) || isTypedArray(x)) {
    const first = firstOf(x);
    if (typeof first === 'string') throw badArgument(name, first, dtype);
    const handle = upload(x, inferShape(x), dtype ?? inferDtype(x));
    (temporaries ??= []).push(handle);
    return handle;
  }
  throw badArgument(name, x, dtype);
};

/** The first value of nested arrays. */
function firstOf(x: unknown): unknown {
  return Array.isArray(x) ? firstOf(x[0]) : x;
}

function badArgument(
    name: string, x: unknown, dtype?: DataType): TensorError {
  if (typeof x === 'string') {
    return new TensorError(
        'dtype', `Argument '${name}' passed to '${opName}' must be ` +
            `${dtype ?? 'numeric'} tensor, but got string tensor`);
  }
  if (typeof x === 'object' && x !== null && 'dataSync' in x) {
    return new TensorError(
        'argument', `Argument '${name}' passed to '${opName}' is a tensor of ` +
            'another library or of another copy of this one: pass its values ' +
            'through tf.tensor(await x.data(), x.shape, x.dtype)');
  }
  const type = x === null || x === undefined ? 'null' :
    (x).constructor?.name ?? typeof x;
  return new TensorError(
      'argument', `Argument '${name}' passed to '${opName}' must be a Tensor ` +
          `or TensorLike, but got '${type}'`);
}

/**
 * An op with one result. `body` calls one export with its arguments;
 * afterwards its temporaries and lists are gone.
 */
export function op<T extends Tensor>(
    name: string, body: (arg: Arg) => number): T {
  // Ops nest: an argument may be made by another op.
  const outerName = opName;
  const outerTemporaries = temporaries;
  const position = mark();
  opName = name;
  temporaries = undefined;
  try {
    return wrap<T>(body(arg), name);
  } catch (error) {
    throw asTensorError(name, error);
  } finally {
    leave(outerName, outerTemporaries, position);
  }
}

/**
 * What the engine itself throws at an argument of a wrong type (a missing
 * list, a symbol for a number), under the op's name.
 */
function asTensorError(name: string, error: unknown): unknown {
  const lost = error instanceof TensorError ? undefined : afterForeign(error);
  if (lost !== undefined) return lost;
  if (!(error instanceof TypeError)) return error;
  return new TensorError(
      'argument', `${name}: an argument has a wrong type or is missing ` +
          `(${error.message})`);
}

/** Writes a list of numbers for the op in progress. */
export function list(values: ArrayLike<number>): number {
  if (!Array.isArray(values) && !isTypedArray(values)) {
    throw new TensorError(
        'argument', `${opName}: expected a list of numbers, got ` +
            `${isTensor(values) ? 'a tensor' : JSON.stringify(values)}`);
  }
  return writeList(values);
}

function leave(
    outerName: string, outerTemporaries: number[] | undefined,
    position: number): void {
  if (temporaries !== undefined) {
    for (const handle of temporaries) wasm.dispose(handle);
  }
  opName = outerName;
  temporaries = outerTemporaries;
  release(position);
  if (afterOp !== undefined) afterOp();
}

/** The same for any other result. */
function call<T>(name: string, body: () => T): T {
  const outerName = opName;
  const outerTemporaries = temporaries;
  const position = mark();
  opName = name;
  temporaries = undefined;
  try {
    return body();
  } catch (error) {
    throw asTensorError(name, error);
  } finally {
    leave(outerName, outerTemporaries, position);
  }
}

/** An op with several results. */
export function ops<T extends Tensor>(
    name: string, body: (arg: Arg) => number): T[] {
  return call(name, () => {
    const n = body(arg);
    if (n < 0) raise(name);
    return answer(n).map((handle) => wrap<T>(handle, name));
  });
}

/** An op whose result is a plain number. */
export function numberOp(name: string, body: (arg: Arg) => number): number {
  return call(name, () => checked(body(arg), name));
}

/** Writes a list of tensors, each converted by `arg`. */
export function handles(
    arg: Arg, name: string, tensors: readonly TensorLike[],
    dtype?: DataType): number {
  if (!Array.isArray(tensors)) {
    throw new TensorError(
        'argument', `Argument ${name} passed to ${opName} must be a ` +
            '`Tensor[]` or `TensorLike[]`');
  }
  return list(tensors.map((t: TensorLike, i) =>
    arg(`${name}[${i}]`, t, dtype)));
}

/** A handle for an optional tensor: 0 when there is none. */
export function optional(
    arg: Arg, name: string, x: TensorLike | null | undefined): number {
  return x === null || x === undefined ? 0 : arg(name, x);
}

/** Throws an argument error in the op's name unless `condition` holds. */
export function assert(
    condition: boolean, message: () => string): asserts condition {
  if (!condition) throw new TensorError('argument', message());
}

