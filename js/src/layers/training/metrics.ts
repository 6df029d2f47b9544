/**
 * The metrics that `compile` knows by name. Labels and predictions are
 * `[..., n]`; most metrics give `[...]`, a value per sample; precision, recall
 * and r2Score give one number.
 */
import {TensorError} from '../../errors.js';
import {wasm} from '../../module.js';
import {add, div, divNoNan, sub} from '../../ops/binary.js';
import {cast} from '../../ops/creation.js';
import {equal, greater, logicalAnd} from '../../ops/logical.js';
import {argMax, mean, sum} from '../../ops/reduce.js';
import {reshape} from '../../ops/shape.js';
import {square} from '../../ops/unary.js';
import {op} from '../../op.js';
import {tidy} from '../../scope.js';
import type {Tensor} from '../../tensor.js';
import type {LossOrMetricFn} from './logs.js';
import * as losses from './losses.js';

const asFloat = (x: Tensor): Tensor => cast(x, 'float32');

/**
 * How many predictions, rounded at 1/2, equal their label of 0 or 1.
 *
 * ```js
 * tf.metrics.binaryAccuracy(
 *   tf.tensor2d([[1, 1]]), tf.tensor2d([[0.9, 0.2]])
 * ).arraySync(); // => [0.5]
 * ```
 */
export const binaryAccuracy: LossOrMetricFn = (yTrue, yPred) =>
  tidy(() => {
    const rounded = cast(greater(yPred, 0.5), yTrue.dtype);
    return mean(asFloat(equal(yTrue, rounded)), -1);
  });

/**
 * 1 where the largest prediction stands where the largest label does.
 *
 * ```js
 * tf.metrics.categoricalAccuracy(
 *   tf.tensor2d([[0, 1]]), tf.tensor2d([[0.3, 0.7]])
 * ).arraySync(); // => [1]
 * ```
 */
export const categoricalAccuracy: LossOrMetricFn = (yTrue, yPred) =>
  tidy(() => asFloat(equal(argMax(yTrue, -1), argMax(yPred, -1))));

// Class numbers [...] or [..., 1] as [...].
const classes = (yTrue: Tensor, yPred: Tensor): Tensor =>
  reshape(yTrue, (yPred.shape as number[]).slice(0, -1));

/**
 * The same for labels that are class numbers.
 *
 * ```js
 * tf.metrics.sparseCategoricalAccuracy(
 *   tf.tensor1d([1]), tf.tensor2d([[0.3, 0.7]])
 * ).arraySync(); // => [1]
 * ```
 */
export const sparseCategoricalAccuracy: LossOrMetricFn = (yTrue, yPred) =>
  tidy(() => {
    const labels = classes(yTrue, yPred);
    return asFloat(equal(labels, cast(argMax(yPred, -1), labels.dtype)));
  });

const inTopK = (yPred: Tensor, labels: Tensor): Tensor =>
  asFloat(op('inTopK', (arg) => wasm.inTopK(
      arg('predictions', yPred), arg('targets', cast(labels, 'int32')),
      Math.min(5, yPred.shape[yPred.rank - 1]!))));

/**
 * 1 where the label's class is among the five largest predictions.
 *
 * ```js
 * tf.metrics.topKCategoricalAccuracy(
 *   tf.tensor2d([[1, 0, 0, 0, 0, 0]]), tf.tensor2d([[0, 1, 2, 3, 4, 5]])
 * ).arraySync(); // => [0]
 * ```
 */
export const topKCategoricalAccuracy: LossOrMetricFn = (yTrue, yPred) =>
  tidy(() => inTopK(yPred, argMax(yTrue, -1)));

/** The same for labels that are class numbers. */
export const sparseTopKCategoricalAccuracy: LossOrMetricFn = (yTrue, yPred) =>
  tidy(() => inTopK(yPred, classes(yTrue, yPred)));

// How many elements have label a and prediction b.
const count = (yTrue: Tensor, a: number, yPred: Tensor, b: number): Tensor =>
  sum(asFloat(logicalAnd(equal(yTrue, a), equal(yPred, b))));

/**
 * Of the predictions that are 1, those whose label is; 0 without any.
 *
 * ```js
 * tf.metrics.precision(
 *   tf.tensor2d([[1, 0]]), tf.tensor2d([[1, 1]])
 * ).arraySync(); // => 0.5
 * ```
 */
export const precision: LossOrMetricFn = (yTrue, yPred) =>
  tidy(() => {
    const right = count(yTrue, 1, yPred, 1);
    return divNoNan(right, add(right, count(yTrue, 0, yPred, 1)));
  });

/**
 * Of the labels that are 1, those predicted as 1; 0 without any.
 *
 * ```js
 * tf.metrics.recall(
 *   tf.tensor2d([[1, 1]]), tf.tensor2d([[1, 0]])
 * ).arraySync(); // => 0.5
 * ```
 */
export const recall: LossOrMetricFn = (yTrue, yPred) =>
  tidy(() => {
    const right = count(yTrue, 1, yPred, 1);
    return divNoNan(right, add(right, count(yTrue, 1, yPred, 0)));
  });

/**
 * The share of the labels' variance that the predictions explain.
 *
 * ```js
 * tf.metrics.r2Score(
 *   tf.tensor1d([1, 3]), tf.tensor1d([1, 3])
 * ).arraySync(); // => 1
 * ```
 */
export const r2Score: LossOrMetricFn = (yTrue, yPred) =>
  tidy(() => {
    const unexplained = sum(square(sub(yTrue, yPred)));
    const all = sum(square(sub(yTrue, mean(yTrue))));
    return sub(1, div(unexplained, all));
  });

const ownMetrics: Readonly<Record<string, LossOrMetricFn>> = {
  binaryAccuracy, categoricalAccuracy, sparseCategoricalAccuracy,
  topKCategoricalAccuracy, sparseTopKCategoricalAccuracy, precision, recall,
  r2Score,
};

/** The library's metric or loss of a name, in any spelling. */
function findMetric(name: string): LossOrMetricFn | undefined {
  return losses.lookUp(ownMetrics, name) ??
      losses.lookUp(losses.lossesByName, name);
}

/** True when the library has a metric of this name. */
export function isMetricName(name: string): boolean {
  return shortName(name) !== undefined || findMetric(name) !== undefined;
}

/**
 * The metric that `identifier` names: a metric's or loss' name, TensorFlow.js's
 * or Keras', or a function of your own. Errors: an unknown name.
 */
export function getMetric(
    identifier: string | LossOrMetricFn): LossOrMetricFn {
  if (typeof identifier === 'function') return identifier;
  const found =
      typeof identifier === 'string' ? findMetric(identifier) : undefined;
  if (found !== undefined) return found;
  const names = [ownMetrics, losses.lossesByName].flatMap(Object.keys);
  throw new TensorError(
      'argument', `Unknown metric ${String(identifier)}; metrics are ` +
          `accuracy, crossentropy, ${names.join(', ')}`);
}

/** The name of a loss or metric of the library; undefined for others. */
export function libraryName(f: LossOrMetricFn): string | undefined {
  const base = losses.baseLoss(f);
  for (const table of [losses.lossesByName, ownMetrics]) {
    for (const [name, known] of Object.entries(table)) {
      if (known === base) return name;
    }
  }
  return undefined;
}

/** The name that logs have for a loss or metric. */
export function lossOrMetricName(identifier: string | LossOrMetricFn): string {
  if (typeof identifier === 'string') return identifier;
  return libraryName(identifier) ?? (identifier.name || 'metric');
}

/** 'acc' or 'ce' for the names that depend on the loss, else undefined. */
function shortName(identifier: unknown): 'acc' | 'ce' | undefined {
  if (identifier === 'accuracy' || identifier === 'acc') return 'acc';
  if (identifier === 'crossentropy' || identifier === 'ce') return 'ce';
  return undefined;
}

/** A metric and the name that logs have for it. */
export interface NamedMetric {
  readonly name: string;
  readonly compute: LossOrMetricFn;
}

/**
 * The metric for an output with this loss and this last dimension: 'accuracy'
 * and 'crossentropy' mean the binary one, that of class numbers, or that of
 * one-hot labels.
 */
export function resolveMetric(
    identifier: string | LossOrMetricFn, loss: LossOrMetricFn | undefined,
    lastDimension: number | null | undefined): NamedMetric {
  const name = shortName(identifier);
  if (name === undefined) {
    const compute = getMetric(identifier);
    return {name: lossOrMetricName(identifier), compute};
  }
  const base = losses.baseLoss(loss);
  const [accuracy, crossentropy] =
    lastDimension === 1 || base === losses.binaryCrossentropy ?
      [binaryAccuracy, losses.binaryCrossentropy] :
      base === losses.sparseCategoricalCrossentropy ?
        [sparseCategoricalAccuracy, losses.sparseCategoricalCrossentropy] :
        [categoricalAccuracy, losses.categoricalCrossentropy];
  return {name, compute: name === 'acc' ? accuracy : crossentropy};
}
