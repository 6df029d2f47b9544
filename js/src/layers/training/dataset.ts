/**
 * Batches from whatever gives them: objects with `iterator()` (`tf.data`),
 * generators and other iterables, iterators.
 */
import {tensorsIn} from '../../container.js';
import {TensorError, shown} from '../../errors.js';
import {isTensor} from '../../tensor.js';
import type {Data} from './data.js';
import type {SampleWeights} from './sample_weights.js';

/** A batch as an object or as a list. */
export type DatasetBatch =
  {xs: Data, ys: Data, sampleWeight?: SampleWeights} |
  [Data, Data] | [Data, Data, SampleWeights];

interface Step {
  done?: boolean;
  value?: unknown;
}

interface BatchIterator {
  next(): Step | Promise<Step>;
  return?(value?: undefined): unknown;
}

/** Anything that gives batches, synchronously or not. */
export type DatasetLike =
  {iterator(): BatchIterator | Promise<BatchIterator>} |
  Iterable<DatasetBatch> | AsyncIterable<DatasetBatch> | BatchIterator;

/** What a dataset gave, in parts. */
export interface BatchParts {
  readonly xs: unknown;
  readonly ys: unknown;
  readonly sampleWeight: unknown;
}

type Open = () => BatchIterator | Promise<BatchIterator>;

function opener(dataset: unknown): Open | undefined {
  if (dataset === null || dataset === undefined) return undefined;
  const source = dataset as {
    iterator?: Open, next?: unknown,
    [Symbol.asyncIterator]?: Open, [Symbol.iterator]?: Open,
  };
  if (typeof source.iterator === 'function') return () => source.iterator!();
  const open = source[Symbol.asyncIterator] ?? source[Symbol.iterator];
  if (typeof open === 'function' && typeof dataset !== 'string') {
    return () => open.call(dataset);
  }
  if (typeof source.next === 'function') return () => source as BatchIterator;
  return undefined;
}

/** True for what {@link openDataset} takes, lists of tensors excepted. */
export function isDataset(x: unknown): x is DatasetLike {
  if (isTensor(x)) return false;
  if (Array.isArray(x)) return x.length === 0 || 'xs' in Object(x[0]);
  return opener(x) !== undefined;
}

/** The number of batches, if the dataset tells it. */
export function datasetSize(dataset: unknown): number | null {
  if (Array.isArray(dataset)) return dataset.length;
  const size = (dataset as {size?: unknown} | null | undefined)?.size;
  return typeof size === 'number' && Number.isFinite(size) ? size : null;
}

/** A new pass over a dataset. Errors: nothing that can be iterated. */
export async function openDataset(
    dataset: unknown, who: string): Promise<BatchIterator> {
  const open = opener(dataset);
  if (open === undefined) {
    throw new TensorError(
        'argument', `${who}: the dataset must be iterable or have an ` +
            `iterator() method, got ${shown(dataset)}`);
  }
  const iterator = await open();
  if (typeof iterator?.next === 'function') return iterator;
  throw new TensorError(
      'argument', `${who}: the dataset's iterator has no next() method`);
}

/** The parts of a batch. Errors: not a batch. */
export function partsOf(batch: unknown, who: string): BatchParts {
  const given = batch as Partial<Record<'xs' | 'ys' | 'sampleWeight', unknown>>;
  const [xs, ys, sampleWeight] = Array.isArray(batch) ?
    batch as unknown[] : [given?.xs, given?.ys, given?.sampleWeight];
  if (xs === undefined || xs === null || ys === undefined || ys === null) {
    const keys = typeof batch === 'object' && batch !== null ?
      `an object with the keys ${Object.keys(batch).join(', ')}` :
      String(batch);
    throw new TensorError(
        'argument', `A Dataset iterator for ${who}() is expected to generate ` +
            'objects of the form `{xs: xVal, ys: yVal}`, where the two ' +
            'values may be `tf.Tensor`, an array of Tensors, or a map of ' +
            `string to Tensor. The provided Dataset instead generates ${keys}`);
  }
  for (const t of tensorsIn(batch)) {
    if (!t.isDisposed) continue;
    throw new TensorError(
        'disposed', `${who}: the dataset gave a batch that is disposed. The ` +
            'batches of an iterator are freed after use: let it make new ' +
            'tensors, tf.keep them, or pass an array of batches');
  }
  return {xs, ys, sampleWeight};
}

/**
 * Frees a batch after use, as its iterator made it for this. Batches in an
 * array, kept tensors and variables stay: they are the user's.
 */
export function freeBatch(dataset: unknown, batch: unknown): void {
  if (Array.isArray(dataset)) return;
  for (const tensor of tensorsIn(batch)) {
    if (!tensor.kept && !('assign' in tensor)) tensor.dispose();
  }
}
