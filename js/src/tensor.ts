/// <reference lib="esnext.disposable" preserve="true" />
/**
 * Tensor: a handle. C++ owns the values and decides how long they live; this
 * object asks. Shape and dtype are read at first use and then remembered.
 */
import {TensorError} from './errors.js';
import {bytesOf, describe, describeAndDispose, raise, wasm} from './module.js';
import {dtypes} from './types.js';
import type {ArrayMap, DataType, DataTypeMap, Rank, ShapeMap} from './types.js';
import {formatTensor} from './format.js';
import {nest} from './nest.js';

// `using` needs the symbol before classes are made; engines without it agree
// on this registered one.
(Symbol as {dispose?: symbol}).dispose ??= Symbol.for('Symbol.dispose');

/** Reads a tensor's handle; works for live and disposed tensors. */
export let handleOf: (tensor: Tensor) => number;
/** True for tensors of this copy of the library. */
export let isTensor: (x: unknown) => x is Tensor;

/** An immutable array of numbers in WebAssembly memory. */
export class Tensor<R extends Rank = Rank> {
  readonly #handle: number;
  #shape: number[] | undefined;
  #dtype: DataType | undefined;
  /** True after `tf.keep`: scopes do not free this tensor. */
  kept = false;

  static {
    handleOf = (tensor) => tensor.#handle;
    isTensor = (x): x is Tensor =>
      typeof x === 'object' && x !== null && #handle in x;
  }

  /** Wraps a handle from C++; ops do this, users call `tf.tensor`. */
  constructor(handle: number) {
    this.#handle = handle;
  }

  #describe(): void {
    const {dtype, shape} = describe(this.#handle);
    this.#dtype = dtypes[dtype]!;
    this.#shape = shape;
  }

  /** Lengths of the dimensions; `[]` for a scalar. */
  get shape(): ShapeMap[R] {
    if (this.#shape === undefined) this.#describe();
    return this.#shape as ShapeMap[R];
  }

  /** Type of the elements. */
  get dtype(): DataType {
    if (this.#dtype === undefined) this.#describe();
    return this.#dtype!;
  }

  /** Number of dimensions. */
  get rank(): number {
    return this.shape.length;
  }

  /** `'0'` to `'6'`: the rank as TensorFlow.js spells it. */
  get rankType(): R {
    return String(this.rank) as R;
  }

  /** Number of elements. */
  get size(): number {
    return (this.shape as number[]).reduce((a, b) => a * b, 1);
  }

  /** Elements one step along each dimension but the last passes over. */
  get strides(): number[] {
    const shape = this.shape as number[];
    const strides = new Array<number>(Math.max(shape.length - 1, 0));
    let step = 1;
    for (let d = shape.length - 1; d > 0; d--) {
      step *= shape[d]!;
      strides[d - 1] = step;
    }
    return strides;
  }

  /** A number that no other living tensor has. */
  get id(): number {
    return this.#handle;
  }

  /** True once the tensor was disposed, by hand or by its scope. */
  get isDisposed(): boolean {
    return wasm.alive(this.#handle) === 0;
  }

  /** Throws `Tensor is disposed.` when it is. */
  throwIfDisposed(): void {
    if (this.isDisposed) throw new TensorError('disposed', 'Tensor is disposed.');
  }

  /** Frees the tensor now. A second call does nothing. */
  dispose(): void {
    if (this.#shape !== undefined) {
      wasm.dispose(this.#handle);
      return;
    }
    const known = describeAndDispose(this.#handle);
    if (known === undefined) return;
    this.#dtype = dtypes[known.dtype]!;
    this.#shape = known.shape;
  }

  /** The bytes of the values, little-endian, as a copy. */
  bytesSync(): Uint8Array {
    this.throwIfDisposed();
    const length = this.size * (this.dtype === 'bool' ? 1 : 4);
    return bytesOf(this.#handle, length).slice();
  }

  /** A promise of the bytes of the values. */
  async bytes(): Promise<Uint8Array> {
    return this.bytesSync();
  }

  /** The values as a flat typed array of their own. */
  dataSync<D extends DataType = DataType>(): DataTypeMap[D] {
    const {buffer} = this.bytesSync();
    switch (this.dtype) {
      case 'float32': return new Float32Array(buffer) as DataTypeMap[D];
      case 'int32': return new Int32Array(buffer) as DataTypeMap[D];
      default: return new Uint8Array(buffer) as DataTypeMap[D];
    }
  }

  /** A promise of the values, read now: disposing meanwhile does no harm. */
  async data<D extends DataType = DataType>(): Promise<DataTypeMap[D]> {
    return this.dataSync<D>();
  }

  /** The values as nested arrays; a number for a scalar. */
  arraySync(): ArrayMap[R] {
    return nest(this.dataSync(), this.shape, this.dtype) as
        ArrayMap[R];
  }

  /** A promise of the values as nested arrays. */
  async array(): Promise<ArrayMap[R]> {
    return this.arraySync();
  }

  /** Prints the values to the console; with `verbose`, shape and dtype too. */
  print(verbose = false): void {
    console.log(this.toString(verbose));
  }

  /** The values as NumPy would show them. */
  toString(verbose = false): string {
    this.throwIfDisposed();
    return formatTensor(
        this.dataSync(), this.shape, this.dtype, verbose);
  }

  /** What Node's console shows; a disposed tensor is shown, not refused. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.isDisposed ? 'Tensor (disposed)' : this.toString(true);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** Wraps the handle an op answered with, or throws the error (0). */
export function wrap<T extends Tensor>(handle: number, op?: string): T {
  if (handle === 0) raise(op);
  return new Tensor(handle) as T;
}

/** Tensors by name. */
export interface NamedTensorMap {
  [name: string]: Tensor;
}
/** A tensor and its name. */
export interface NamedTensor {
  name: string;
  tensor: Tensor;
}
/** What is known of a tensor without its values. */
export interface TensorInfo {
  shape: number[];
  dtype: DataType;
}

export type Scalar = Tensor<'R0'>;
export type Tensor1D = Tensor<'R1'>;
export type Tensor2D = Tensor<'R2'>;
export type Tensor3D = Tensor<'R3'>;
export type Tensor4D = Tensor<'R4'>;
export type Tensor5D = Tensor<'R5'>;
export type Tensor6D = Tensor<'R6'>;
