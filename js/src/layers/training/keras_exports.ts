/**
 * `tf.keras.losses`, `.metrics`, `.optimizers`, `.callbacks`: Keras' names, as
 * functions in both cases and as classes that need no `new`.
 */
import type {Optimizer} from '../../train/optimizer.js';
import type {OptimizerConfig} from '../../train/optimizer.js';
import {kerasClass, settingsOf, twins} from '../keras_class.js';
import {Callback, CustomCallback, History} from './callbacks.js';
import {EarlyStopping as EarlyStoppingCallback} from './early_stopping.js';
import type {LossOrMetricFn} from './logs.js';
import {lossesByName, ofLogits} from './losses.js';
import * as functions from './metric_exports.js';
import {optimizerFromConfig} from './optimizers.js';

/** A class that gives a function: called with or without `new`. */
interface FunctionClass<A extends unknown[]> {
  (...args: A): LossOrMetricFn;
  new (...args: A): LossOrMetricFn;
}

/** Whether predictions are logits. */
export interface CrossentropyArgs {
  fromLogits?: boolean;
  from_logits?: boolean;
}

// What a constructor returns, if it is an object, is what `new` gives.
const giving = <A extends unknown[]>(
    make: (...args: A) => LossOrMetricFn): FunctionClass<A> =>
  function(...args: A) {
    return make(...args);
  } as FunctionClass<A>;

const named = (name: string): FunctionClass<[]> =>
  giving(() => lossesByName[name]!);
const metric = (f: LossOrMetricFn): FunctionClass<[]> => giving(() => f);
const crossentropy = (
    loss: (a: Parameters<LossOrMetricFn>[0], b: Parameters<LossOrMetricFn>[1],
      fromLogits?: boolean) => ReturnType<LossOrMetricFn>)
    : FunctionClass<[CrossentropyArgs?]> =>
  giving((args = {}) =>
    (args.fromLogits ?? args.from_logits ? ofLogits(loss) : loss));

const lossClasses = {
  MeanSquaredError: named('meanSquaredError'),
  MeanAbsoluteError: named('meanAbsoluteError'),
  MeanAbsolutePercentageError: named('meanAbsolutePercentageError'),
  MeanSquaredLogarithmicError: named('meanSquaredLogarithmicError'),
  Hinge: named('hinge'),
  SquaredHinge: named('squaredHinge'),
  CategoricalHinge: named('categoricalHinge'),
  LogCosh: named('logcosh'),
  KLDivergence: named('kullbackLeiblerDivergence'),
  Poisson: named('poisson'),
  CosineSimilarity: named('cosineProximity'),
  BinaryCrossentropy: crossentropy(functions.binaryCrossentropy),
  CategoricalCrossentropy: crossentropy(functions.categoricalCrossentropy),
  SparseCategoricalCrossentropy:
      crossentropy(functions.sparseCategoricalCrossentropy),
};

const {
  binaryCrossentropy, categoricalCrossentropy, sparseCategoricalCrossentropy,
  meanSquaredError, meanAbsoluteError, meanAbsolutePercentageError,
} = functions;

/** Losses: functions in both cases, and classes. */
export const losses = {
  ...twins({
    binaryCrossentropy, categoricalCrossentropy, sparseCategoricalCrossentropy,
    meanSquaredError, meanAbsoluteError, meanAbsolutePercentageError,
    meanSquaredLogarithmicError: lossesByName['meanSquaredLogarithmicError']!,
    hinge: lossesByName['hinge']!,
    squaredHinge: lossesByName['squaredHinge']!,
    categoricalHinge: lossesByName['categoricalHinge']!,
    logCosh: lossesByName['logcosh']!,
    klDivergence: lossesByName['kullbackLeiblerDivergence']!,
    poisson: lossesByName['poisson']!,
    cosineSimilarity: lossesByName['cosineProximity']!,
  }),
  ...lossClasses,
};

const {
  binaryAccuracy, categoricalAccuracy, sparseCategoricalAccuracy,
  topKCategoricalAccuracy, sparseTopKCategoricalAccuracy, precision, recall,
  r2Score,
} = functions;

/** Metrics: functions in both cases, and classes. */
export const metrics = {
  ...losses,
  ...twins({
    binaryAccuracy, categoricalAccuracy, sparseCategoricalAccuracy,
    topKCategoricalAccuracy, sparseTopKCategoricalAccuracy,
  }),
  BinaryAccuracy: metric(binaryAccuracy),
  CategoricalAccuracy: metric(categoricalAccuracy),
  SparseCategoricalAccuracy: metric(sparseCategoricalAccuracy),
  TopKCategoricalAccuracy: metric(topKCategoricalAccuracy),
  SparseTopKCategoricalAccuracy: metric(sparseTopKCategoricalAccuracy),
  Precision: metric(precision),
  Recall: metric(recall),
  R2Score: metric(r2Score),
};

interface OptimizerClass {
  (learningRate?: number, settings?: OptimizerConfig): Optimizer;
  (settings: OptimizerConfig): Optimizer;
  new (learningRate?: number, settings?: OptimizerConfig): Optimizer;
  new (settings: OptimizerConfig): Optimizer;
}

const optimizer = (className: string): OptimizerClass =>
  function(...args: unknown[]) {
    return optimizerFromConfig(
        className, settingsOf(args, ['learningRate']) as OptimizerConfig);
  } as OptimizerClass;

/** Optimizers: `tf.keras.optimizers.Adam({learning_rate: 0.01})`. */
export const optimizers = {
  SGD: optimizer('SGD'), Adam: optimizer('Adam'), Adamax: optimizer('Adamax'),
  Adagrad: optimizer('Adagrad'), Adadelta: optimizer('Adadelta'),
  RMSprop: optimizer('RMSProp'),
};

/** Callbacks by Keras' names. */
export const callbacks = {
  Callback, History, LambdaCallback: kerasClass(CustomCallback),
  EarlyStopping: kerasClass(
      EarlyStoppingCallback, 'monitor', 'minDelta', 'patience', 'verbose',
      'mode', 'baseline', 'restoreBestWeights'),
};
