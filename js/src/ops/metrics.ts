/** How good predictions are. */
import {wasm} from '../module.js';
import {inferShape} from '../nest.js';
import {assert, op} from '../op.js';
import type {TensorLike} from '../op.js';
import type {Tensor} from '../tensor.js';
import {isTensor} from '../tensor.js';

const shapeOf = (x: Tensor | TensorLike): readonly number[] =>
  isTensor(x) ? x.shape : inferShape(x);

/**
 * Whether the prediction at each target's index is among the `k` largest of
 * its row, as bool. `predictions` is `[..., classes]`, `targets` `[...]`; of
 * equal predictions the first counts as larger. Errors: ranks that do not fit,
 * `k` outside 1 to the number of classes.
 *
 * ```js
 * const hit = await tf.inTopKAsync([[20, 10, 40, 30], [30, 50, 0, 10]], [2, 0]);
 * hit.arraySync(); // => [1, 0]
 * ```
 */
export async function inTopKAsync<T extends Tensor, U extends Tensor>(
    predictions: T | TensorLike, targets: U | TensorLike, k = 1): Promise<U> {
  const [shape, target] = [shapeOf(predictions), shapeOf(targets)];
  assert(shape.length > 1,
         () => 'inTopK() expects the predictions to be of rank 2 or higher, ' +
             `but got ${shape.length}`);
  assert(shape.length - 1 === target.length,
         () => 'predictions rank should be 1 larger than targets rank, but ' +
             `got predictions rank ${shape.length} and targets rank ` +
             `${target.length}`);
  const last = shape[shape.length - 1]!;
  assert(k > 0 && k <= last,
         () => `'k' passed to inTopK() must be > 0 && <= the predictions ` +
             `last dimension (${last}), but got ${k}`);
  return op<U>('inTopK', (arg) => wasm.inTopK(
      arg('predictions', predictions), arg('targets', targets), k));
}
