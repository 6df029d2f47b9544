/**
 * One step: the model on one batch, its losses and metrics, and in training the
 * optimizer's update. Everything that trains goes through `trainStep`.
 */
import {TensorError} from '../../errors.js';
import {add, divNoNan, mul} from '../../ops/binary.js';
import {cast, clone, onesLike, scalar} from '../../ops/creation.js';
import {mean, sum} from '../../ops/reduce.js';
import {reshape} from '../../ops/shape.js';
import {dispose, keep, tidy} from '../../scope.js';
import type {Scalar, Tensor} from '../../tensor.js';
import {noteExamples} from '../../train/step_watch.js';
import {gatherCosts} from '../activity.js';
import {single} from '../shape.js';
import type {Compiled} from './compiled.js';
import type {Logs} from './logs.js';
import type {Outputs, TrainedModel} from './trained_model.js';

/** One batch: inputs, and for every target its values and weights. */
export interface StepData {
  readonly xs: Tensor[];
  readonly ys: Tensor[];
  readonly weights: (Tensor | null)[];
}

/** Loss and metrics of a step by name. */
export interface StepResults {
  [name: string]: Scalar;
}

interface Weighing {
  /** How much every value counts in the sum. */
  readonly factors: Tensor;
  /** What the sum is divided by. */
  readonly by: Tensor;
}

// Weights [n] or [n, steps] beside values of at least as many dimensions.
function align(weights: Tensor, values: Tensor): Tensor {
  const x = cast(weights, 'float32');
  const shape = x.shape as number[];
  if (x.rank < values.rank) {
    const ones = new Array<number>(values.rank - x.rank).fill(1);
    return reshape(x, [...shape, ...ones]);
  }
  if (x.rank === values.rank) return x;
  const rest = shape.slice(values.rank);
  if (values.rank > 0 && rest.every((n) => n === 1)) {
    return reshape(x, shape.slice(0, values.rank));
  }
  throw new TensorError(
      'shape', `sampleWeight: weights of shape [${shape}] do not fit losses ` +
          `of shape [${values.shape}]`);
}

/** Sums a mask or weights as often as they are spread over `values`. */
const total = (weights: Tensor, values: Tensor): Tensor =>
  sum(mul(weights, onesLike(values)));

/**
 * The loss of a batch. As in Keras, weights do not change what the sum is
 * divided by, but what a mask leaves out is not counted.
 */
function reduceLoss(
    values: Tensor, weights: Tensor | null, mask: Tensor | null): Scalar {
  const masked = mask !== null && values.rank > 0 && mask.rank <= values.rank;
  const weighed = weights === null ? values : mul(
      values, values.rank === 0 ? mean(weights) : align(weights, values));
  if (!masked) return mean(weighed);
  const valid = align(mask, values);
  return divNoNan(sum(mul(weighed, valid)), total(valid, values));
}

/** The mean of a metric over what counts. */
function reduceMetric(
    values: Tensor, weights: Tensor | null, mask: Tensor | null): Scalar {
  const weighing = values.rank === 0 ? null : weigh(values, weights, mask);
  const x = cast(values, 'float32');
  return weighing === null ? mean(x) :
    divNoNan(sum(mul(x, weighing.factors)), weighing.by);
}

function weigh(
    values: Tensor, weights: Tensor | null,
    mask: Tensor | null): Weighing | null {
  let factors = weights === null ? null : align(weights, values);
  if (mask !== null && mask.rank <= values.rank) {
    const valid = align(mask, values);
    factors = factors === null ? valid : mul(factors, valid);
  }
  return factors === null ? null : {factors, by: total(factors, values)};
}

/** The weighted sum of the outputs' losses and all penalties, and the parts. */
function losses(
    model: TrainedModel, compiled: Compiled, {tensors, masks}: Outputs,
    {ys, weights}: StepData,
    costs: Scalar[]): {total: Scalar, parts: Scalar[]} {
  const parts: Scalar[] = [];
  let sumOfAll: Tensor | undefined;
  const include = (loss: Tensor): void => {
    sumOfAll = sumOfAll === undefined ? loss : add(sumOfAll, loss);
  };
  compiled.targets.forEach(({output}, i) => {
    const loss = compiled.losses[output];
    if (!loss) return;
    const part = reduceLoss(
        loss(ys[i]!, tensors[output]!), weights[i] ?? null,
        masks[output] ?? null);
    parts.push(part);
    const factor = compiled.lossWeights[output]!;
    include(factor === 1 ? part : mul(part, factor));
  });
  for (const penalty of [...model.calculateLosses(), ...costs]) {
    include(mean(penalty));
  }
  if (sumOfAll === undefined) {
    throw new TensorError(
        'state', `${model.name}: there is no loss: compile was given none, ` +
            'and no layer adds one');
  }
  return {total: sumOfAll as Scalar, parts};
}

function results(
    compiled: Compiled, {tensors, masks}: Outputs, {ys, weights}: StepData,
    loss: Scalar, parts: Scalar[]): StepResults {
  const metrics = compiled.metrics.map(({compute, output, weighted}) => {
    const at = compiled.targets.findIndex((t) => t.output === output);
    return reduceMetric(
        compute(ys[at]!, tensors[output]!),
        weighted ? weights[at] ?? null : null, masks[output] ?? null);
  });
  const values = [
    loss, ...(compiled.losses.length > 1 ? parts : []), ...metrics,
  ];
  return Object.fromEntries(
      compiled.names.map((name, i) => [name, values[i]!]));
}

// Outlives the scope of the gradients; a new handle, so that freeing it frees
// nothing of the user's.
function hold<T extends Tensor | null>(list: T[], held: Tensor[]): T[] {
  return list.map((x) => {
    if (x === null) return x;
    held.push(keep(clone(x)));
    return held[held.length - 1] as T;
  });
}

/**
 * Trains on one batch and returns loss and metrics, which belong to the scope
 * it is called in. What throws leaves nothing.
 */
export function trainOn(
    model: TrainedModel, compiled: Compiled, data: StepData): StepResults {
  const variables = compiled.weights.filter(({trainable}) => trainable)
      .map((weight) => {
        weight.read(); // names the weight if it is disposed
        return weight.variable;
      });
  noteExamples(data.xs[0]?.shape[0] ?? 1);
  return tidy('trainStep', () => {
    const held: Tensor[] = [];
    let outputs: Outputs = {tensors: [], masks: []};
    let parts: Scalar[] = [];
    const forward = (): Scalar => {
      const {result: made, costs} =
          gatherCosts(() => model.runOn(data.xs, {training: true}));
      held.push(...costs);
      const loss = losses(model, compiled, made, data, costs);
      dispose(held.splice(0));
      // Metrics are computed after the gradients, where nothing is recorded.
      if (compiled.metrics.length > 0) {
        outputs = {
          tensors: hold(made.tensors, held), masks: hold(made.masks, held),
        };
      }
      parts = hold(loss.parts, held);
      return loss.total;
    };
    try {
      const loss = variables.length === 0 ? forward() :
        compiled.optimizer.minimize(forward, true, variables)!;
      for (const weight of compiled.weights) weight.constrain();
      return owned(results(compiled, outputs, data, loss, parts));
    } finally {
      dispose(held);
    }
  });
}

// What is held is freed in the end: what is returned must be others.
const owned = (values: StepResults): StepResults => Object.fromEntries(
    Object.entries(values).map(([name, x]) => [name, x.kept ? clone(x) : x]));

/** Loss and metrics of one batch, without training on it. */
export function testOn(
    model: TrainedModel, compiled: Compiled, data: StepData): StepResults {
  return tidy('testStep', () => {
    const {result: outputs, costs} =
        gatherCosts(() => model.runOn(data.xs, {training: false}));
    let sums: {total: Scalar, parts: Scalar[]};
    try {
      sums = losses(model, compiled, outputs, data, costs);
    } finally {
      dispose(costs);
    }
    const {total, parts} = sums;
    return results(compiled, outputs, data, total, parts);
  });
}

/** Running means of results: each batch counts by its samples. */
export class Means {
  readonly #sums: {[name: string]: number} = {};
  #seen = 0;

  add(values: {[name: string]: number}, size: number): void {
    this.#seen += size;
    for (const [name, value] of Object.entries(values)) {
      this.#sums[name] = (this.#sums[name] ?? 0) + value * size;
    }
  }

  get(): {[name: string]: number} {
    return Object.fromEntries(Object.entries(this.#sums)
        .map(([name, sum]) => [name, sum / this.#seen]));
  }
}

/** A mean as a tensor. */
export const asScalar = (value: number): Scalar => scalar(value, 'float32');

/** Numbers as scalars: one, or a list. */
export function asScalars(logs: Logs): Scalar | Scalar[] {
  const made: Scalar[] = [];
  try {
    for (const value of Object.values(logs)) made.push(asScalar(value));
  } catch (error) {
    dispose(made);
    throw error;
  }
  return single(made);
}
