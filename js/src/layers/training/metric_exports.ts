/** `tf.metrics`: metrics and losses as functions of labels and predictions. */
export {
  binaryCrossentropy, categoricalCrossentropy, cosineProximity,
  meanAbsoluteError, meanAbsoluteError as MAE, meanAbsoluteError as mae,
  meanAbsolutePercentageError, meanAbsolutePercentageError as MAPE,
  meanAbsolutePercentageError as mape, meanSquaredError,
  meanSquaredError as MSE, meanSquaredError as mse,
  sparseCategoricalCrossentropy,
} from './losses.js';
export {
  binaryAccuracy, categoricalAccuracy, precision, r2Score, recall,
  sparseCategoricalAccuracy, sparseTopKCategoricalAccuracy,
  topKCategoricalAccuracy,
} from './metrics.js';
