/** Ops that choose elements by a condition. */
import {wasm} from '../module.js';
import {op} from '../op.js';
import type {TensorLike} from '../op.js';
import type {Tensor} from '../tensor.js';

/**
 * `a` where `condition` holds and `b` elsewhere; the three are broadcast.
 *
 * Errors: `condition` is not bool; shapes that do not broadcast.
 *
 * ```js
 * tf.where([true, false], [1, 2], [3, 4]).arraySync(); // => [1, 4]
 * ```
 */
export function where<T extends Tensor>(
    condition: Tensor | TensorLike, a: T | TensorLike, b: T | TensorLike): T {
  return op('where', (arg) => wasm.where(
      arg('condition', condition, 'bool'), arg('a', a), arg('b', b)));
}
