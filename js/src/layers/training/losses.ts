/**
 * The losses that `compile` knows by name. Each takes labels and predictions of
 * one shape `[..., n]` and gives `[...]`: the last dimension is reduced, the
 * samples are not.
 */
import {TensorError} from '../../errors.js';
import {relu, softplus} from '../../ops/activation.js';
import {
  add, div, maximum, mul, squaredDifference, sub,
} from '../../ops/binary.js';
import {cast, oneHot} from '../../ops/creation.js';
import {exp, log, log1p} from '../../ops/math.js';
import {softmax} from '../../ops/normalization.js';
import {max, mean, sum} from '../../ops/reduce.js';
import {reshape} from '../../ops/shape.js';
import {abs, clipByValue, neg, sqrt, square} from '../../ops/unary.js';
import {tidy} from '../../scope.js';
import type {Tensor} from '../../tensor.js';
import type {LossOrMetricFn} from './logs.js';

const epsilon = 1e-7;

const last = (x: Tensor): number => x.rank - 1;
const atLeastEpsilon = (x: Tensor): Tensor => maximum(x, epsilon);
const probability = (x: Tensor): Tensor =>
  clipByValue(x, epsilon, 1 - epsilon);

/**
 * `mean((yPred - yTrue)^2)` along the last dimension.
 *
 * ```js
 * tf.metrics.meanSquaredError(
 *   tf.tensor2d([[0, 1]]), tf.tensor2d([[1, 3]])
 * ).arraySync(); // => [2.5]
 * ```
 */
export const meanSquaredError: LossOrMetricFn = (yTrue, yPred) =>
  tidy(() => mean(squaredDifference(yPred, yTrue), -1));

/**
 * `mean(|yPred - yTrue|)` along the last dimension.
 *
 * ```js
 * tf.metrics.meanAbsoluteError(
 *   tf.tensor2d([[0, 1]]), tf.tensor2d([[1, 3]])
 * ).arraySync(); // => [1.5]
 * ```
 */
export const meanAbsoluteError: LossOrMetricFn = (yTrue, yPred) =>
  tidy(() => mean(abs(sub(yPred, yTrue)), -1));

/**
 * `100 mean(|yTrue - yPred| / |yTrue|)` along the last dimension.
 *
 * ```js
 * tf.metrics.meanAbsolutePercentageError(
 *   tf.tensor2d([[2, 1]]), tf.tensor2d([[1, 3]])
 * ).arraySync(); // => [125]
 * ```
 */
export const meanAbsolutePercentageError: LossOrMetricFn = (yTrue, yPred) =>
  tidy(() => {
    const scale = atLeastEpsilon(abs(yTrue));
    return mul(100, mean(abs(div(sub(yTrue, yPred), scale)), -1));
  });

/** The mean squared difference of `log(1 + y)` along the last dimension. */
export const meanSquaredLogarithmicError: LossOrMetricFn = (yTrue, yPred) =>
  tidy(() => {
    const logOf = (y: Tensor): Tensor => log(add(1, atLeastEpsilon(y)));
    return mean(squaredDifference(logOf(yPred), logOf(yTrue)), -1);
  });

// How far a prediction is from being right by 1: labels are -1 and 1.
const margins = (yTrue: Tensor, yPred: Tensor): Tensor =>
  maximum(0, sub(1, mul(yTrue, yPred)));

/** `mean(max(0, 1 - yTrue yPred)^2)` along the last dimension. */
export const squaredHinge: LossOrMetricFn = (yTrue, yPred) =>
  tidy(() => mean(square(margins(yTrue, yPred)), -1));

/** `mean(max(0, 1 - yTrue yPred))` along the last dimension. */
export const hinge: LossOrMetricFn = (yTrue, yPred) =>
  tidy(() => mean(margins(yTrue, yPred), -1));

/** How far the right class is from leading the others by 1. */
export const categoricalHinge: LossOrMetricFn = (yTrue, yPred) =>
  tidy(() => {
    const right = sum(mul(yTrue, yPred), -1);
    const wrong = max(mul(sub(1, yTrue), yPred), -1);
    return maximum(0, add(1, sub(wrong, right)));
  });

// log(cosh(x)) = x + softplus(-2x) - log(2), which does not overflow.
/** `mean(log(cosh(yPred - yTrue)))` along the last dimension. */
export const logcosh: LossOrMetricFn = (yTrue, yPred) =>
  tidy(() => {
    const x = sub(yPred, yTrue);
    return mean(sub(add(x, softplus(mul(-2, x))), Math.log(2)), -1);
  });

/**
 * `-sum(yTrue log(p))` along the last dimension, for one-hot labels; `p` are
 * the predictions scaled to sum to 1, or their softmax with `fromLogits`.
 *
 * ```js
 * tf.metrics.categoricalCrossentropy(
 *   tf.tensor2d([[0, 1]]), tf.tensor2d([[1, 1]])
 * ).arraySync()[0].toFixed(4); // => '0.6931'
 * ```
 */
export function categoricalCrossentropy(
    yTrue: Tensor, yPred: Tensor, fromLogits = false): Tensor {
  return tidy(() => {
    const p = fromLogits ? softmax(yPred) :
      div(yPred, sum(yPred, last(yPred), true));
    return neg(sum(mul(cast(yTrue, 'float32'), log(probability(p))), -1));
  });
}

/** The same for labels that are class numbers, `[...]` or `[..., 1]`. */
export function sparseCategoricalCrossentropy(
    yTrue: Tensor, yPred: Tensor, fromLogits = false): Tensor {
  return tidy(() => {
    const shape = yPred.shape as number[];
    const classes = shape[shape.length - 1]!;
    const flat = cast(reshape(yTrue, [yTrue.size]), 'int32');
    return categoricalCrossentropy(
        reshape(oneHot(flat, classes), shape),
        fromLogits ? yPred : probability(yPred), fromLogits);
  });
}

// The cross entropy of sigmoid(x) and z is max(x, 0) - x z + log(1 + e^-|x|).
/**
 * The mean cross entropy of labels of 0 and 1 with probabilities, or with
 * `fromLogits` the sigmoid of the predictions.
 *
 * ```js
 * tf.metrics.binaryCrossentropy(
 *   tf.tensor2d([[1]]), tf.tensor2d([[0.5]])
 * ).arraySync()[0].toFixed(4); // => '0.6931'
 * ```
 */
export function binaryCrossentropy(
    yTrue: Tensor, yPred: Tensor, fromLogits = false): Tensor {
  return tidy(() => {
    const p = fromLogits ? yPred : probability(yPred);
    const x = fromLogits ? yPred : log(div(p, sub(1, p)));
    const tail = log1p(exp(neg(abs(x))));
    return mean(add(sub(relu(x), mul(x, yTrue)), tail), -1);
  });
}

/** `sum(yTrue log(yTrue / yPred))` along the last dimension. */
export const kullbackLeiblerDivergence: LossOrMetricFn = (yTrue, yPred) =>
  tidy(() => {
    const p = clipByValue(yTrue, epsilon, 1);
    const q = clipByValue(yPred, epsilon, 1);
    return sum(mul(yTrue, log(div(p, q))), -1);
  });

/** `mean(yPred - yTrue log(yPred))` along the last dimension. */
export const poisson: LossOrMetricFn = (yTrue, yPred) =>
  tidy(() => mean(sub(yPred, mul(yTrue, log(add(epsilon, yPred)))), -1));

/**
 * Minus the cosine of the angle between labels and predictions.
 *
 * ```js
 * tf.metrics.cosineProximity(
 *   tf.tensor2d([[0, 1]]), tf.tensor2d([[0, 2]])
 * ).arraySync(); // => [-1]
 * ```
 */
export const cosineProximity: LossOrMetricFn = (yTrue, yPred) =>
  tidy(() => {
    const unit = (y: Tensor): Tensor => {
      const x = cast(y, 'float32');
      return div(x, sqrt(atLeastEpsilon(sum(square(x), -1, true))));
    };
    return neg(sum(mul(unit(yTrue), unit(yPred)), -1));
  });

/** The losses by TensorFlow.js's names. */
export const lossesByName: Readonly<Record<string, LossOrMetricFn>> = {
  meanSquaredError, meanAbsoluteError, meanAbsolutePercentageError,
  meanSquaredLogarithmicError, squaredHinge, hinge, categoricalHinge, logcosh,
  categoricalCrossentropy, sparseCategoricalCrossentropy, binaryCrossentropy,
  kullbackLeiblerDivergence, poisson, cosineProximity,
};

// The losses of logits, and the ones they are variants of.
const variants = new WeakMap<LossOrMetricFn, LossOrMetricFn>();

/** A cross entropy that takes logits in place of probabilities. */
export function ofLogits(
    loss: (yTrue: Tensor, yPred: Tensor, fromLogits?: boolean) => Tensor)
    : LossOrMetricFn {
  const variant: LossOrMetricFn = (yTrue, yPred) => loss(yTrue, yPred, true);
  variants.set(variant, loss);
  return variant;
}

/** The loss itself, or the one that it is a variant of. */
export function baseLoss<T extends LossOrMetricFn | null | undefined>(
    loss: T): T {
  return (loss ? variants.get(loss) ?? loss : loss) as T;
}

// What else Keras and TensorFlow.js call them.
const otherNames: Readonly<Record<string, string>> = {
  mse: 'meanSquaredError', mae: 'meanAbsoluteError',
  mape: 'meanAbsolutePercentageError', msle: 'meanSquaredLogarithmicError',
  kld: 'kullbackLeiblerDivergence', klDivergence: 'kullbackLeiblerDivergence',
  cosine: 'cosineProximity', logCosh: 'logcosh',
};

/** `mean_squared_error` and `MeanSquaredError` as `meanSquaredError`. */
export function camelCase(name: string): string {
  if (/^[A-Z0-9]+$/.test(name)) return name.toLowerCase();
  return name.replace(/_+([a-zA-Z0-9])/g, (_, c: string) => c.toUpperCase())
      .replace(/^[A-Z]/, (c) => c.toLowerCase());
}

/** The loss or metric of `table` that `name` means, in any spelling. */
export function lookUp(
    table: Readonly<Record<string, LossOrMetricFn>>,
    name: string): LossOrMetricFn | undefined {
  const key = camelCase(name);
  for (const candidate of [name, key, otherNames[key]]) {
    if (candidate !== undefined && Object.hasOwn(table, candidate)) {
      return table[candidate];
    }
  }
  return undefined;
}

/**
 * The loss that `identifier` names: TensorFlow.js's or Keras' name, or a
 * function of your own. Errors: a name that no loss has.
 */
export function getLoss(identifier: string | LossOrMetricFn): LossOrMetricFn {
  if (typeof identifier === 'function') return identifier;
  const found = typeof identifier === 'string' ?
    lookUp(lossesByName, identifier) : undefined;
  if (found !== undefined) return found;
  const hint = /softmax_?cross_?entropy/i.test(String(identifier)) ?
    ". Use 'categoricalCrossentropy' for tf.losses.softmaxCrossEntropy" :
    `; losses are ${Object.keys(lossesByName).join(', ')}`;
  throw new TensorError(
      'argument', `Unknown loss ${String(identifier)}${hint}`);
}
