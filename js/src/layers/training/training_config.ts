/** How a model is trained, as saved files tell it. */
import {TensorError} from '../../errors.js';
import type {OptimizerConfig} from '../../train/optimizer.js';
import type {Optimizer} from '../../train/optimizer.js';
import type {ModelCompileArgs} from './compiled.js';
import {camelCase} from './losses.js';
import type {LossOrMetricFn} from './logs.js';
import {lossOrMetricName} from './metrics.js';
import {optimizerFromConfig} from './optimizers.js';

type Names = string | string[] | {[output: string]: Names};

/** A model's training as TensorFlow.js and Keras save it. */
export interface TrainingConfig {
  optimizer_config?: {class_name: string, config: OptimizerConfig};
  loss?: unknown;
  metrics?: unknown;
  loss_weights?: unknown;
  weighted_metrics?: unknown;
  /** Keras 3's place for the optimizer. */
  optimizer?: unknown;
}

const snakeCase = (name: string): string =>
  name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();

function nameOf(identifier: unknown, kind: string): string {
  if (typeof identifier === 'string') return snakeCase(identifier);
  const name = typeof identifier === 'function' ?
    lossOrMetricName(identifier as LossOrMetricFn) : '';
  if (kind === 'metric' && name !== '') return snakeCase(name);
  // Only those that have a name can be found again.
  if (name !== '' && name !== (identifier as {name: string}).name) {
    return snakeCase(name);
  }
  throw new TensorError(
      'unsupported', `Serialization of a ${kind} that is a function of your ` +
          'own is not supported: save without the optimizer');
}

function namesOf(given: unknown, kind: string): Names {
  if (Array.isArray(given)) {
    return given.map((one) => nameOf(one, kind));
  }
  if (typeof given !== 'object' || given === null) return nameOf(given, kind);
  return Object.fromEntries(Object.entries(given).map(
      ([output, one]: [string, unknown]) => [output, namesOf(one, kind)]));
}

/** `compile`'s arguments as plain values. Errors: a loss of your own. */
export function trainingConfig(
    args: ModelCompileArgs, optimizer: Optimizer): TrainingConfig {
  const config: TrainingConfig = {
    loss: namesOf(args.loss ?? [], 'loss'),
    metrics: args.metrics === undefined || args.metrics === null ? [] :
      typeof args.metrics === 'string' || typeof args.metrics === 'function' ?
        [nameOf(args.metrics, 'metric')] : namesOf(args.metrics, 'metric'),
    optimizer_config: {
      class_name: optimizer.getClassName(), config: optimizer.getConfig(),
    },
  };
  if (args.lossWeights) config.loss_weights = args.lossWeights;
  if (args.weightedMetrics) {
    config.weighted_metrics = namesOf(args.weightedMetrics, 'metric');
  }
  return config;
}

// A name, or Keras 3's {class_name, config: {name}} of a loss or metric.
function identifierOf(saved: unknown): string {
  if (typeof saved === 'string') return camelCase(saved);
  const {class_name: className, config} = (saved ?? {}) as {
    class_name?: string, config?: {name?: string} | string,
  };
  if (className === 'function' && typeof config === 'string') {
    return camelCase(config);
  }
  if (typeof className === 'string') return camelCase(className);
  throw new TensorError(
      'argument', 'loadTrainingConfig: a loss or metric must be a name or ' +
          `{class_name, config}, got ${JSON.stringify(saved)}`);
}

function identifiersOf(saved: unknown): unknown {
  if (saved === undefined || saved === null) return null;
  if (Array.isArray(saved)) {
    return saved.flat().map((one) => (one === null ? null : identifierOf(one)));
  }
  if (typeof saved !== 'object' || 'class_name' in saved) {
    return identifierOf(saved);
  }
  return Object.fromEntries(Object.entries(saved).map(
      ([output, one]: [string, unknown]) => [output, identifiersOf(one)]));
}

/** `compile`'s arguments from a saved config. */
export function compileArgsFrom(config: TrainingConfig): ModelCompileArgs {
  const saved = config.optimizer_config ?? config.optimizer;
  const {class_name: className, config: settings} = (saved ?? {}) as {
    class_name?: string, config?: OptimizerConfig,
  };
  if (typeof saved !== 'string' && className === undefined) {
    throw new TensorError(
        'argument', 'loadTrainingConfig: the config names no optimizer');
  }
  return {
    optimizer: typeof saved === 'string' ? saved :
      optimizerFromConfig(className!, settings ?? {}),
    loss: identifiersOf(config.loss) as ModelCompileArgs['loss'],
    metrics: identifiersOf(config.metrics) as ModelCompileArgs['metrics'],
    lossWeights: (config.loss_weights ?? null) as
        ModelCompileArgs['lossWeights'],
    weightedMetrics: identifiersOf(config.weighted_metrics) as
        ModelCompileArgs['weightedMetrics'],
  };
}
