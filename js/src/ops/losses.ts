/** Losses: how far predictions are from labels: `tf.losses`. */
import {TensorError} from '../errors.js';
import {wasm} from '../module.js';
import {op, optional} from '../op.js';
import type {Arg, TensorLike} from '../op.js';
import type {Tensor} from '../tensor.js';

/**
 * How the losses of the elements become one number: not at all, their mean,
 * their sum, or the sum over the number of weights that are not 0.
 */
export const Reduction = {
  NONE: 0,
  MEAN: 1,
  SUM: 2,
  SUM_BY_NONZERO_WEIGHTS: 3,
} as const;
export type Reduction = (typeof Reduction)[keyof typeof Reduction];

type Like = Tensor | TensorLike;
type Weights = Like | null | undefined;

function checked(reduction: Reduction): number {
  if (Object.values(Reduction).includes(reduction)) return reduction;
  throw new TensorError('argument', `Unknown reduction: ${reduction}`);
}

// Operands as C++ takes them, `names` being what messages call them.
function loss<O extends Tensor>(
    name: string, names: readonly [string, string], a: Like, b: Like,
    weights: Weights, f: (a: number, b: number, weights: number) => number): O {
  return op(name, (arg: Arg) => f(
      arg(names[0], a), arg(names[1], b), optional(arg, 'weights', weights)));
}

const predicted = ['labels', 'predictions'] as const;

/**
 * Weights losses that exist already, and reduces them. `weights` broadcast to
 * the losses.
 *
 * ```js
 * tf.losses.computeWeightedLoss([1, 2, 3], [1, 0, 1]).arraySync(); // => 2
 * ```
 */
export function computeWeightedLoss<O extends Tensor>(
    losses: Like, weights?: Like | null,
    reduction: Reduction = Reduction.SUM_BY_NONZERO_WEIGHTS): O {
  return op('computeWeightedLoss', (arg) => wasm.computeWeightedLoss(
      arg('losses', losses), optional(arg, 'weights', weights),
      checked(reduction)));
}

/**
 * `|labels - predictions|`.
 *
 * ```js
 * tf.losses.absoluteDifference([1, 2], [1, 4]).arraySync(); // => 1
 * ```
 */
export function absoluteDifference<O extends Tensor>(
    labels: Like, predictions: Like, weights?: Like | null,
    reduction: Reduction = Reduction.SUM_BY_NONZERO_WEIGHTS): O {
  return loss('absoluteDifference', predicted, labels, predictions, weights,
      (a, b, w) => wasm.absoluteDifference(a, b, w, checked(reduction)));
}

/**
 * `1 - sum(labels * predictions)` along `axis`, along which both are unit
 * vectors.
 *
 * ```js
 * tf.losses.cosineDistance([[0, 1]], [[0, 1]], 1).arraySync(); // => 0
 * ```
 */
export function cosineDistance<O extends Tensor>(
    labels: Like, predictions: Like, axis: number, weights?: Like | null,
    reduction: Reduction = Reduction.SUM_BY_NONZERO_WEIGHTS): O {
  return loss('cosineDistance', predicted, labels, predictions, weights,
      (a, b, w) => wasm.cosineDistance(a, b, axis, w, checked(reduction)));
}

/**
 * `max(0, 1 - s * predictions)`, where `s` is 1 for label 1 and -1 for label
 * 0.
 *
 * ```js
 * tf.losses.hingeLoss([1, 0], [2, 0]).arraySync(); // => 0.5
 * ```
 */
export function hingeLoss<O extends Tensor>(
    labels: Like, predictions: Like, weights?: Like | null,
    reduction: Reduction = Reduction.SUM_BY_NONZERO_WEIGHTS): O {
  return loss('hingeLoss', predicted, labels, predictions, weights,
      (a, b, w) => wasm.hingeLoss(a, b, w, checked(reduction)));
}

/**
 * Half the squared error where it is at most `delta`, and a straight line
 * beyond.
 *
 * ```js
 * tf.losses.huberLoss([0, 0], [1, 3]).arraySync(); // => 1.5
 * ```
 */
export function huberLoss<O extends Tensor>(
    labels: Like, predictions: Like, weights?: Like | null, delta = 1,
    reduction: Reduction = Reduction.SUM_BY_NONZERO_WEIGHTS): O {
  return loss('huberLoss', predicted, labels, predictions, weights,
      (a, b, w) => wasm.huberLoss(a, b, w, delta, checked(reduction)));
}

/**
 * `-labels * log(p) - (1 - labels) * log(1 - p)` for predictions `p`, with
 * `epsilon` added inside the logarithms.
 *
 * ```js
 * tf.losses.logLoss([1, 0], [0.5, 0.5], null, 0).arraySync(); // => 0.6931472
 * ```
 */
export function logLoss<O extends Tensor>(
    labels: Like, predictions: Like, weights?: Like | null, epsilon = 1e-7,
    reduction: Reduction = Reduction.SUM_BY_NONZERO_WEIGHTS): O {
  return loss('logLoss', predicted, labels, predictions, weights,
      (a, b, w) => wasm.logLoss(a, b, w, epsilon, checked(reduction)));
}

/**
 * `(labels - predictions) ** 2`.
 *
 * ```js
 * tf.losses.meanSquaredError([1, 2], [1, 4]).arraySync(); // => 2
 * ```
 */
export function meanSquaredError<O extends Tensor>(
    labels: Like, predictions: Like, weights?: Like | null,
    reduction: Reduction = Reduction.SUM_BY_NONZERO_WEIGHTS): O {
  return loss('meanSquaredError', predicted, labels, predictions, weights,
      (a, b, w) => wasm.meanSquaredError(a, b, w, checked(reduction)));
}

/**
 * The cross entropy of `sigmoid(logits)` and labels between 0 and 1, without
 * overflow. `labelSmoothing` draws labels towards 1/2.
 *
 * ```js
 * tf.losses.sigmoidCrossEntropy([1, 0], [1000, -1000]).arraySync(); // => 0
 * ```
 */
export function sigmoidCrossEntropy<O extends Tensor>(
    multiClassLabels: Like, logits: Like, weights?: Like | null,
    labelSmoothing = 0,
    reduction: Reduction = Reduction.SUM_BY_NONZERO_WEIGHTS): O {
  return loss('sigmoidCrossEntropy', ['multiClassLabels', 'logits'],
      multiClassLabels, logits, weights, (a, b, w) => wasm.sigmoidCrossEntropy(
          a, b, w, labelSmoothing, checked(reduction)));
}

/**
 * The cross entropy of `softmax(logits)` and labels along the last dimension,
 * without overflow. `labelSmoothing` draws labels towards uniform ones.
 *
 * ```js
 * tf.losses.softmaxCrossEntropy([[1, 0]], [[1000, 0]]).arraySync(); // => 0
 * ```
 */
export function softmaxCrossEntropy<O extends Tensor>(
    onehotLabels: Like, logits: Like, weights?: Like | null,
    labelSmoothing = 0,
    reduction: Reduction = Reduction.SUM_BY_NONZERO_WEIGHTS): O {
  return loss('softmaxCrossEntropy', ['onehotLabels', 'logits'], onehotLabels,
      logits, weights, (a, b, w) => wasm.softmaxCrossEntropy(
          a, b, w, labelSmoothing, checked(reduction)));
}
