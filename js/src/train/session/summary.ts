/**
 * Summaries: what steps and fetches tell TensorBoard. They are encoded only in
 * runs that somebody asked for summaries.
 */
import {TensorError} from '../../errors.js';
import {histogramValue, imageValues, scalarValue} from '../../io/events/summary.js';
import type {SummaryData} from '../../io/events/summary.js';
import {tensor} from '../../ops/creation.js';
import {isTensor} from '../../tensor.js';
import type {Tensor} from '../../tensor.js';
import type {TensorLikeData} from '../../types.js';
import {InvalidArgumentError} from './errors.js';
import {checkTag} from './summary_values.js';

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

/** Numbers of a tensor, or of what makes one. Errors: there are none in it. */
function numbersOf(x: unknown): {data: SummaryData, shape: readonly number[]} {
  const made = isTensor(x) ? undefined : tensor(x as TensorLikeData);
  const t = made ?? x as Tensor;
  try {
    return {data: t.dataSync() as SummaryData, shape: t.shape};
  } finally {
    made?.dispose();
  }
}

function tell(tag: string, encode: () => SummaryValues): void {
  checkTag('summary', tag);
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
 * Tells how often numbers are how large: of a tensor, or what makes one.
 * Errors, in runs with summaries: NaN or infinity among them.
 *
 * ```js
 * tf.summary.histogram('weights', [1, 2, 3]);
 * ```
 */
export function histogram(
    tag: string, values: Tensor | TensorLikeData): void {
  tell(tag, () => {
    // As exact as they are, where there is nothing to convert.
    const flat = values instanceof Float64Array || (Array.isArray(values) &&
        values.every((x) => typeof x === 'number'));
    const data = flat ? values as SummaryData : numbersOf(values).data;
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
export function image(
    tag: string, images: Tensor | TensorLikeData, maxOutputs = 3): void {
  tell(tag, () => {
    const {data, shape} = numbersOf(images);
    return imageValues(tag, data, shape, maxOutputs);
  });
}
