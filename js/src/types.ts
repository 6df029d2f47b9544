/** Names of the element types a tensor can have. */
export type DataType = 'float32' | 'int32' | 'bool';
/** Element types as numbers: the order is C++'s (`core/base/dtype.h`). */
export const dtypes = ['bool', 'int32', 'float32'] as const;

export interface DataTypeMap {
  float32: Float32Array;
  int32: Int32Array;
  bool: Uint8Array;
}

export type NumericDataType = DataType;
export type TypedArray =
  Float32Array | Int32Array | Uint8Array | Uint8ClampedArray;
export type FlatVector = boolean[] | number[] | TypedArray;
export type ScalarLike = number | boolean;
type Nested<T> = T | readonly Nested<T>[];
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
