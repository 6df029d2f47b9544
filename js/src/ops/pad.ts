/** Tensors set into larger ones. */
import {wasm} from '../module.js';
import {assert, list, op} from '../op.js';
import type {TensorLike} from '../op.js';
import type {Tensor} from '../tensor.js';

function pairs(paddings: ReadonlyArray<readonly number[]>): number[] {
  const flat: number[] = [];
  for (const pair of Array.isArray(paddings) ? paddings as number[][] : [[]]) {
    assert(Array.isArray(pair) && pair.length === 2,
           () => 'Invalid number of paddings. Must be length of 2 each.');
    flat.push(...pair);
  }
  return flat;
}

/**
 * `x` with `paddings[i]` (before, after) elements of `constantValue` added
 * along each dimension i.
 *
 * ```js
 * tf.pad([1, 2], [[1, 0]]).arraySync(); // => [0, 1, 2]
 * ```
 */
export function pad<T extends Tensor>(
    x: T | TensorLike, paddings: Array<[number, number]>,
    constantValue = 0): T {
  return op('pad', (arg) =>
    wasm.pad(arg('x', x), list(pairs(paddings)), Number(constantValue)));
}

/**
 * `x` with paddings that mirror it: `symmetric` repeats the edge elements,
 * `reflect` does not. Error: a padding longer than what there is to mirror.
 *
 * ```js
 * tf.mirrorPad([1, 2, 3], [[1, 1]], 'reflect').arraySync(); // => [2, 1, 2, 3, 2]
 * ```
 */
export function mirrorPad<T extends Tensor>(
    x: T | TensorLike, paddings: Array<[number, number]>,
    mode: 'reflect' | 'symmetric'): T {
  return op('mirrorPad', (arg) => {
    assert(mode === 'reflect' || mode === 'symmetric',
           () => 'Invalid mode. Mode must be either reflect or symmetric. ' +
               `Got ${mode}.`);
    return wasm.mirrorPad(
        arg('x', x), list(pairs(paddings)), mode === 'symmetric' ? 1 : 0);
  });
}
