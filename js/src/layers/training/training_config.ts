/** How a model is trained, as saved files tell it. */
import {TensorError} from '../../errors.js';
import type {OptimizerConfig} from '../../train/optimizer.js';
import type {Optimizer} from '../../train/optimizer.js';
import {lookUp} from '../serialization.js';
import type {CustomObjects} from '../serialization.js';
import type {ModelCompileArgs} from './compiled.js';
import {
  baseLoss, binaryCrossentropy, camelCase, categoricalCrossentropy,
  lookUp as lookUpIn, lossesByName, ofLogits, sparseCategoricalCrossentropy,
} from './losses.js';
import type {LossOrMetricFn} from './logs.js';
import {isMetricName, libraryName} from './metrics.js';
import {optimizerFromConfig} from './optimizers.js';

type Kind = 'loss' | 'metric';
/** A name, or what Keras writes of a loss of logits. */
type Name = string | {class_name: string, config: {from_logits: true}};
type Names = Name | null | (Name | null)[] | {[output: string]: Names};

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

// Before the name of a function of the user's own that the library has, too.
const ownPrefix = 'Custom>';

const isKnown = (name: string, kind: Kind): boolean => kind === 'metric' ?
  isMetricName(name) : lookUpIn(lossesByName, name) !== undefined;

function nameOf(identifier: unknown, kind: Kind): Name | null {
  if (typeof identifier === 'string') return snakeCase(identifier);
  if (typeof identifier !== 'function') return null;
  const f = identifier as LossOrMetricFn;
  const known = libraryName(f);
  if (known === undefined) {
    const name = f.name || kind;
    return isKnown(name, kind) ? ownPrefix + name : name;
  }
  return baseLoss(f) === f ? snakeCase(known) : {
    class_name: known.replace(/^./, (c) => c.toUpperCase()),
    config: {from_logits: true},
  };
}

function namesOf(given: unknown, kind: Kind): Names {
  if (Array.isArray(given)) {
    return given.map((one) => nameOf(one, kind));
  }
  if (typeof given !== 'object' || given === null) return nameOf(given, kind);
  return Object.fromEntries(Object.entries(given).map(
      ([output, one]: [string, unknown]) => [output, namesOf(one, kind)]));
}

/** `compile`'s arguments as plain values: functions as their names. */
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

// One of the user's own, else the library's name for it.
function resolved(
    saved: string, kind: Kind,
    customObjects: CustomObjects): string | LossOrMetricFn {
  const isOwn = saved.startsWith(ownPrefix);
  const plain = isOwn ? saved.slice(ownPrefix.length) : saved;
  for (const name of [saved, plain, camelCase(plain)]) {
    const found = lookUp(name, customObjects);
    // Classes share the registry: an activation is no loss.
    if (typeof found === 'function' && !('className' in found)) {
      return found as LossOrMetricFn;
    }
  }
  return isOwn || !isKnown(plain, kind) ? saved : camelCase(plain);
}

const crossentropies = [
  binaryCrossentropy, categoricalCrossentropy, sparseCategoricalCrossentropy,
];

// A name, or Keras 3's {class_name, config: {name}} of a loss or metric.
function identifierOf(
    saved: unknown, kind: Kind,
    customObjects: CustomObjects): string | LossOrMetricFn {
  if (typeof saved === 'string') return resolved(saved, kind, customObjects);
  const {class_name: className, config} = (saved ?? {}) as {
    class_name?: string,
    config?: {name?: string, from_logits?: boolean} | string,
  };
  if (className === 'function' && typeof config === 'string') {
    return resolved(config, kind, customObjects);
  }
  if (typeof className === 'string') {
    const found = resolved(className, kind, customObjects);
    const ofProbabilities = typeof config === 'object' && config?.from_logits ?
      crossentropies.find((f) => libraryName(f) === found) : undefined;
    return ofProbabilities ? ofLogits(ofProbabilities) : found;
  }
  throw new TensorError(
      'argument', 'loadTrainingConfig: a loss or metric must be a name or ' +
          `{class_name, config}, got ${JSON.stringify(saved)}`);
}

function identifiersOf(
    saved: unknown, kind: Kind, customObjects: CustomObjects): unknown {
  if (saved === undefined || saved === null) return null;
  if (Array.isArray(saved)) {
    return saved.flat().map((one) =>
      (one === null ? null : identifierOf(one, kind, customObjects)));
  }
  if (typeof saved !== 'object' || 'class_name' in saved) {
    return identifierOf(saved, kind, customObjects);
  }
  return Object.fromEntries(Object.entries(saved).map(
      ([output, one]: [string, unknown]) =>
        [output, identifiersOf(one, kind, customObjects)]));
}

/** The losses and metrics of a saved config that are neither known nor given. */
export function unknownFunctions(
    config: TrainingConfig, customObjects: CustomObjects = {}): string[] {
  const unknown = (saved: unknown, kind: Kind): string[] => {
    const walk = (x: unknown): string[] => {
      if (typeof x === 'string') {
        return isKnown(x, kind) ? [] : [`${kind} '${x}'`];
      }
      return typeof x === 'object' && x !== null ?
        Object.values(x).flatMap(walk) : [];
    };
    return walk(identifiersOf(saved, kind, customObjects));
  };
  return [...new Set([
    ...unknown(config.loss, 'loss'), ...unknown(config.metrics, 'metric'),
    ...unknown(config.weighted_metrics, 'metric'),
  ])];
}

/** `compile`'s arguments from a saved config. */
export function compileArgsFrom(
    config: TrainingConfig,
    customObjects: CustomObjects = {}): ModelCompileArgs {
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
    loss: identifiersOf(config.loss, 'loss', customObjects) as
        ModelCompileArgs['loss'],
    metrics: identifiersOf(config.metrics, 'metric', customObjects) as
        ModelCompileArgs['metrics'],
    lossWeights: (config.loss_weights ?? null) as
        ModelCompileArgs['lossWeights'],
    weightedMetrics: identifiersOf(
        config.weighted_metrics, 'metric', customObjects) as
        ModelCompileArgs['weightedMetrics'],
  };
}
