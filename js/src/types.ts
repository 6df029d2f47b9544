/** Names of the element types a tensor can have. */
export type DataType = 'float32' | 'int32' | 'bool';
/** Element types as numbers: the order is C++'s (`core/base/dtype.h`). */
export const dtypes = ['bool', 'int32', 'float32'] as const;

export interface DataTypeMap {
  float32: Float32Array;
  int32: Int32Array;
  bool: Uint8Array;
}

/** One element of each type, as JavaScript has it. */
export interface SingleValueMap {
  float32: number;
  int32: number;
  bool: boolean;
}
export type NumericDataType = DataType;
export type DataValues = DataTypeMap[DataType];
export type TypedArray =
  Float32Array | Int32Array | Uint8Array | Uint8ClampedArray;
export type FlatVector = boolean[] | number[] | TypedArray;
export type ScalarLike = number | boolean;
type Nested<T> = T | readonly Nested<T>[];
/** A value, or arrays of values at any depth. */
export type RecursiveArray<T> = {[index: number]: T | RecursiveArray<T>};
/** Anything an op takes for a tensor besides a tensor. */
export type TensorLikeData =
  ScalarLike | TypedArray | readonly Nested<ScalarLike | TypedArray>[];
export type TensorLike1D = TypedArray | readonly ScalarLike[];
export type TensorLike2D = TypedArray | readonly Nested<ScalarLike>[];
export type TensorLike3D = TensorLike2D;
export type TensorLike4D = TensorLike2D;
export type TensorLike5D = TensorLike2D;
export type TensorLike6D = TensorLike2D;

/** How many dimensions, as a type parameter: `Tensor<'R2'>` is `Tensor2D`. */
export type Rank = 'R0' | 'R1' | 'R2' | 'R3' | 'R4' | 'R5' | 'R6';
/** The ranks by name, as values. */
export const Rank = {
  R0: 'R0', R1: 'R1', R2: 'R2', R3: 'R3', R4: 'R4', R5: 'R5', R6: 'R6',
} as const;
/** The ranks by name, as types: `Tensor<Rank.R2>`. */
// eslint-disable-next-line @typescript-eslint/no-namespace
export declare namespace Rank {
  export type R0 = 'R0';
  export type R1 = 'R1';
  export type R2 = 'R2';
  export type R3 = 'R3';
  export type R4 = 'R4';
  export type R5 = 'R5';
  export type R6 = 'R6';
}

export interface ShapeMap {
  R0: number[];
  R1: [number];
  R2: [number, number];
  R3: [number, number, number];
  R4: [number, number, number, number];
  R5: [number, number, number, number, number];
  R6: [number, number, number, number, number, number];
}

export interface ArrayMap {
  R0: number;
  R1: number[];
  R2: number[][];
  R3: number[][][];
  R4: number[][][][];
  R5: number[][][][][];
  R6: number[][][][][][];
}
