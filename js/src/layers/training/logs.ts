/** What callbacks are told: numbers by name. */
import type {Tensor} from '../../tensor.js';

/** Losses and metrics by name, and what else a callback is told. */
export interface Logs {
  [name: string]: number;
}

/** A loss or a metric: from labels and predictions, a value per sample. */
export type LossOrMetricFn = (yTrue: Tensor, yPred: Tensor) => Tensor;
