/**
 * Summaries: what steps and fetches tell TensorBoard. They are encoded only in
 * runs that somebody asked for summaries.
 */
import {TensorError} from '../../errors.js';
import {histogramValue, imageValues, scalarValue} from '../../io/events/summary.js';
import {isTensor} from '../../tensor.js';
import type {Tensor} from '../../tensor.js';
import {InvalidArgumentError} from './errors.js';

/** Encoded summary values, as event writers take them. */
export type SummaryValues = Uint8Array[];

// Tags and values of the run in progress, when somebody wants them.
let collected: Map<string, SummaryValues> | undefined;

/** Runs `f` and returns what it told, if `wanted`, by tag. */
export function collectSummaries<T>(
    into: Map<string, SummaryValues> | undefined, f: () => T): T {
  const outer = collected;
  collected = into;
  try {
    return f();
  } finally {
    collected = outer;
  }
}

/** Takes summaries that were told elsewhere for told here. */
export function addSummaries(
    told: Iterable<readonly [tag: string, values: SummaryValues]>): void {
  for (const [tag, values] of told) collected?.set(tag, values);
}

/** True in runs that somebody asked for summaries. */
export function summariesWanted(): boolean {
  return collected !== undefined;
}

function tell(tag: string, encode: () => SummaryValues): void {
  if (collected === undefined) return;
  if (collected.has(tag)) {
    throw new InvalidArgumentError(
        `summary: two summaries of one run have the tag '${tag}'`);
  }
  try {
    collected.set(tag, encode());
  } catch (error) {
    if (!(error instanceof TensorError)) throw error;
    throw new InvalidArgumentError(`summary '${tag}': ${error.message}`);
  }
}

/**
 * Tells a number under a tag. Call it in a step or fetch; elsewhere, and in
 * runs nobody asked for summaries, it does nothing.
 *
 * ```js
 * tf.summary.scalar('loss', 0.5);
 * ```
 */
export function scalar(tag: string, value: Tensor | number): void {
  tell(tag, () => {
    const number = isTensor(value) ? value.dataSync()[0]! : value;
    if (isTensor(value) && value.size !== 1) {
      throw new TensorError(
          'shape', `expected a scalar, got shape [${value.shape}]`);
    }
    return [scalarValue(tag, number)];
  });
}

/**
 * Tells how often numbers are how large. Errors, in runs with summaries: NaN or
 * infinity among them.
 *
 * ```js
 * tf.summary.histogram('weights', [1, 2, 3]);
 * ```
 */
export function histogram(
    tag: string, values: Tensor | readonly number[]): void {
  tell(tag, () => {
    const data = isTensor(values) ? values.dataSync() : values;
    if (!Array.isArray(data) && !ArrayBuffer.isView(data)) {
      throw new TensorError('argument', 'expected a tensor or numbers');
    }
    return [histogramValue(tag, data)];
  });
}

/**
 * Tells images [batch, height, width, channels] with 1, 3 or 4 channels: int32
 * and floats are scaled to bytes as TensorFlow does. At most `maxOutputs` (3).
 *
 * ```js
 * tf.summary.image('digits', tf.zeros([1, 2, 2, 1]), 1);
 * ```
 */
export function image(tag: string, images: Tensor, maxOutputs = 3): void {
  tell(tag, () => {
    if (!isTensor(images)) {
      throw new TensorError('argument', 'expected a tensor');
    }
    return imageValues(tag, images.dataSync(), images.shape, maxOutputs);
  });
}
