/** What `compile` makes of its arguments. */
import {TensorError} from '../../errors.js';
import type {Optimizer} from '../../train/optimizer.js';
import type {LayerVariable} from '../weight.js';
import type {Slot} from './data.js';
import type {LossOrMetricFn} from './logs.js';
import {
  baseLoss, getLoss, lossesByName, sparseCategoricalCrossentropy,
} from './losses.js';
import {resolveMetric} from './metrics.js';
import type {NamedMetric} from './metrics.js';
import type {TrainedModel} from './trained_model.js';

type Identifier = string | LossOrMetricFn;
/** Metrics for all outputs, or by output name. */
export type MetricIdentifiers =
  Identifier | Identifier[] | {[output: string]: Identifier | Identifier[]};

/** How a model is to be trained. */
export interface ModelCompileArgs {
  /** A name ('adam') or an optimizer of your own, which you dispose. */
  optimizer: string | Optimizer;
  /** One loss for all outputs, one for each, or by output name. */
  loss?: Identifier | (Identifier | null)[] |
      {[output: string]: Identifier | null} | null;
  /** How much each output's loss counts: a list, or by output name. */
  lossWeights?: number[] | {[output: string]: number} | null;
  metrics?: MetricIdentifiers | null;
  /** Metrics in which samples count by their weights. */
  weightedMetrics?: MetricIdentifiers | null;
}

/** A metric of one output. */
export interface OutputMetric extends NamedMetric {
  readonly output: number;
  readonly weighted: boolean;
}

/** Losses, metrics and optimizer of a model. */
export interface Compiled {
  readonly optimizer: Optimizer;
  readonly losses: readonly (LossOrMetricFn | null)[];
  readonly lossWeights: readonly number[];
  readonly metrics: readonly OutputMetric[];
  /** Names of what a step gives: 'loss', losses of outputs, metrics. */
  readonly names: readonly string[];
  readonly targets: readonly Target[];
  /** What is trained, as it was when the model was compiled. */
  readonly weights: LayerVariable[];
}

/** A target that data has to give: that of an output with a loss or metric. */
export interface Target extends Slot {
  readonly output: number;
  /** For class numbers: they are below this. */
  readonly classes: number | null;
}

function checkNames(
    given: object, names: readonly string[], what: string): void {
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    throw new TensorError(
        'argument', `Unknown entry in ${what} dictionary: "${name}". Only ` +
            `expected the following keys: ${names.join(', ')}`);
  }
}

function checkLength(
    given: unknown[], names: readonly string[], what: string): void {
  if (given.length === names.length) return;
  throw new TensorError(
      'argument', `When passing an Array as ${what}, it should have one ` +
          `entry per model output. The model has ${names.length} output(s), ` +
          `but you passed ${what}=[${given.map(String).join(', ')}].`);
}

function lossesFor(
    loss: ModelCompileArgs['loss'],
    names: readonly string[]): (LossOrMetricFn | null)[] {
  if (loss === undefined || loss === null) return names.map(() => null);
  if (typeof loss === 'string' || typeof loss === 'function') {
    return names.map(() => getLoss(loss));
  }
  if (Array.isArray(loss)) {
    checkLength(loss, names, 'loss');
    return loss.map((l) => (l === null ? null : getLoss(l)));
  }
  checkNames(loss, names, 'loss');
  return names.map((name) => {
    const found = Object.hasOwn(loss, name) ? loss[name] : undefined;
    if (found !== undefined && found !== null) return getLoss(found);
    if (found === undefined) {
      console.warn(`Output "${name}" is missing from loss dictionary. We ` +
          'assume this was done on purpose, and we will not be expecting ' +
          `data to be passed to ${name} during training`);
    }
    return null;
  });
}

function lossWeightsFor(
    weights: ModelCompileArgs['lossWeights'],
    names: readonly string[]): number[] {
  if (weights === undefined || weights === null) return names.map(() => 1);
  if (Array.isArray(weights)) checkLength(weights, names, 'lossWeights');
  else checkNames(weights, names, 'lossWeights');
  return names.map((name, i) => {
    const weight = Array.isArray(weights) ? weights[i] :
      (Object.hasOwn(weights, name) ? weights[name] : null) ?? 1;
    if (typeof weight === 'number') return weight;
    throw new TensorError(
        'argument', `lossWeights: the weight of ${name} must be a number, ` +
            `got ${String(weight)}`);
  });
}

function metricsFor(
    given: MetricIdentifiers | null | undefined,
    names: readonly string[]): Identifier[][] {
  if (given === undefined || given === null) return names.map(() => []);
  if (typeof given === 'string' || typeof given === 'function') {
    return names.map(() => [given]);
  }
  if (Array.isArray(given)) return names.map(() => given);
  if (typeof given !== 'object') {
    throw new TensorError(
        'argument', 'Type of metrics argument not understood. Expected a ' +
            `string, function, Array, or Object, found: ${String(given)}`);
  }
  checkNames(given, names, 'metrics');
  return names.map((name) => {
    const found = (Object.hasOwn(given, name) ? given[name] : null) ?? [];
    return Array.isArray(found) ? found : [found];
  });
}

function unique(names: readonly string[]): string[] {
  return names.map((name, i) => {
    const same = names.filter((other) => other === name).length;
    const before = names.slice(0, i).filter((other) => other === name).length;
    return same > 1 ? `${name}_${before}` : name;
  });
}

function targetOf(
    model: TrainedModel, output: number,
    loss: LossOrMetricFn | null): Target {
  const name = model.outputNames[output]!;
  const shape = model.outputShapes[output]!;
  const base = baseLoss(loss);
  if (base === sparseCategoricalCrossentropy) {
    const samples = shape.slice(0, -1);
    const classes = shape[shape.length - 1] ?? null;
    return {name, output, shapes: [[...samples, 1], samples], classes};
  }
  const known = base !== null && Object.values(lossesByName).includes(base);
  return {name, output, shapes: known ? [shape] : [], classes: null};
}

/** Losses and metrics from `compile`'s arguments, and the optimizer. */
export function compiled(
    model: TrainedModel, args: ModelCompileArgs,
    optimizer: Optimizer): Compiled {
  const names = model.outputNames;
  const losses = lossesFor(args.loss, names);
  const lossWeights = lossWeightsFor(args.lossWeights, names);
  const several = names.length > 1;
  const metrics: OutputMetric[] = [];
  const plain = metricsFor(args.metrics, names);
  const weighted = metricsFor(args.weightedMetrics, names);
  names.forEach((outputName, output) => {
    const add = (identifier: Identifier, isWeighted: boolean): void => {
      const shape = model.outputShapes[output]!;
      const {name, compute} = resolveMetric(
          identifier, losses[output] ?? undefined, shape[shape.length - 1]);
      metrics.push({
        name: several ? `${outputName}_${name}` : name, compute, output,
        weighted: isWeighted,
      });
    };
    for (const metric of plain[output]!) add(metric, false);
    for (const metric of weighted[output]!) add(metric, true);
  });
  const outputLosses = several ?
    names.filter((_, i) => losses[i]).map((name) => `${name}_loss`) : [];
  const targets = names.map((_, i) => targetOf(model, i, losses[i]!))
      .filter(({output}) => losses[output] !== null ||
          metrics.some((metric) => metric.output === output));
  return {
    optimizer, losses, lossWeights, metrics, targets,
    weights: model.trainableWeights,
    names: unique(['loss', ...outputLosses, ...metrics.map(({name}) => name)]),
  };
}
