/** What of training the library's page shows. */
import {chart} from './chart.js';
import {earlyStopping} from './early_stopping.js';

/** Ready-made callbacks. */
export const callbacks = {earlyStopping, chart};

export {
  BaseCallback, Callback, CallbackList, CustomCallback, History,
} from './callbacks.js';
export type {Callbacks, CustomCallbackArgs, Params} from './callbacks.js';
export {
  registerCallbackConstructor, unregisterCallbackConstructor,
} from './callback_registry.js';
export type {CallbackConstructor} from './callback_registry.js';
export {TrainingChart, drawChart} from './chart.js';
export type {ChartContainer} from './chart.js';
export type {ChartOptions, Series} from './chart_geometry.js';
export type {ModelCompileArgs} from './compiled.js';
export type {Data} from './data.js';
export type {DatasetBatch, DatasetLike} from './dataset.js';
export {EarlyStopping} from './early_stopping.js';
export type {EarlyStoppingCallbackArgs} from './early_stopping.js';
export type {ModelFitArgs} from './fit.js';
export type {
  ModelEvaluateDatasetArgs, ModelFitDatasetArgs,
} from './fit_dataset.js';
export type {Logs, LossOrMetricFn} from './logs.js';
export * as metrics from './metric_exports.js';
export type {StepArgs} from './model.js';
export type {ModelEvaluateArgs, ModelPredictArgs} from './predict.js';
export {
  LayersProgress, TrainingEvent, layersProgress,
} from './progress_events.js';
export type {TrainingEventType, TrainingProgress} from './progress_events.js';
export type {
  ClassWeight, ClassWeights, SampleWeights,
} from './sample_weights.js';
export type {StepResults} from './step.js';
export type {TrainingConfig} from './training_config.js';
export type {YieldEveryOptions} from './yielding.js';
