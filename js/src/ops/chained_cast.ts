/** Casts that exist only as methods: `x.toInt()`. */
import type {Tensor} from '../tensor.js';
import type {DataType} from '../types.js';
import {cast} from './creation.js';

/**
 * `x` with elements of another type; the same as `cast`.
 *
 * ```js
 * tf.tensor1d([1.5]).asType('int32').arraySync(); // => [1]
 * ```
 */
export function asType<T extends Tensor>(x: T, dtype: DataType): T {
  return cast(x, dtype);
}

/**
 * `x` as float32.
 *
 * ```js
 * tf.tensor1d([true]).toFloat().dtype; // => 'float32'
 * ```
 */
export function toFloat<T extends Tensor>(x: T): T {
  return cast(x, 'float32');
}

/**
 * `x` as int32, truncated.
 *
 * ```js
 * tf.tensor1d([-1.5]).toInt().arraySync(); // => [-1]
 * ```
 */
export function toInt<T extends Tensor>(x: T): T {
  return cast(x, 'int32');
}

/**
 * `x` as bool: what is not 0 is true.
 *
 * ```js
 * tf.tensor1d([0, 3.7]).toBool().arraySync(); // => [0, 1]
 * ```
 */
export function toBool<T extends Tensor>(x: T): T {
  return cast(x, 'bool');
}
