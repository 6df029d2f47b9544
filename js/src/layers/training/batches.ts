/** Batches of tensors that hold all samples. */
import {tensor1d} from '../../ops/creation.js';
import {gather} from '../../ops/gather.js';
import {slice} from '../../ops/slice.js';
import type {Tensor} from '../../tensor.js';
import {SeedGenerator, nextSeed} from '../global_state.js';
import type {StepData} from './step.js';

/** Samples `from` up to `to`, in order or in the order of `indices`. */
export interface Range {
  readonly from: number;
  readonly to: number;
  readonly indices?: Int32Array;
}

/** Samples in a row, `batchSize` at a time; the last may be fewer. */
export function ranges(
    from: number, to: number, batchSize: number): Range[] {
  const found: Range[] = [];
  for (let start = from; start < to; start += batchSize) {
    found.push({from: start, to: Math.min(start + batchSize, to)});
  }
  return found;
}

/** Puts a list into an order that the next of the layers' seeds determines. */
export function shuffle(list: {[i: number]: unknown, length: number}): void {
  const random = new SeedGenerator(nextSeed());
  for (let i = list.length - 1; i > 0; i--) {
    const j = random.next() % (i + 1);
    [list[i], list[j]] = [list[j], list[i]];
  }
}

/**
 * The batches of one epoch over the first `count` samples: in order, in any
 * order, or ('batch') with samples in order and batches in any.
 */
export function epochRanges(
    count: number, batchSize: number, how: boolean | 'batch'): Range[] {
  const found = ranges(0, count, batchSize);
  if (how === 'batch') shuffle(found);
  if (how !== true) return found;
  const order = Int32Array.from({length: count}, (_, i) => i);
  shuffle(order);
  return found.map(({from, to}) =>
    ({from, to, indices: order.subarray(from, to)}));
}

/** The samples of a range; the tensors belong to the current scope. */
export function take(
    {xs, ys, weights}: StepData, {from, to, indices}: Range): StepData {
  const at = indices && tensor1d(indices, 'int32');
  const of = (x: Tensor): Tensor => {
    if (at !== undefined) return gather(x, at);
    if (from === 0 && to === x.shape[0]) return x;
    const rest = (x.shape as number[]).slice(1);
    return slice(
        x, [from, ...rest.map(() => 0)], [to - from, ...rest]);
  };
  return {
    xs: xs.map(of), ys: ys.map(of),
    weights: weights.map((w) => (w === null ? null : of(w))),
  };
}
