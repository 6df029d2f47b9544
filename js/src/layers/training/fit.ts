/** Training on tensors that hold all samples. */
import {TensorError, shown} from '../../errors.js';
import {clone} from '../../ops/creation.js';
import {max, min} from '../../ops/reduce.js';
import {dispose, keep, tidy} from '../../scope.js';
import type {Tensor} from '../../tensor.js';
import {epochRanges, ranges, take} from './batches.js';
import type {Range} from './batches.js';
import type {History} from './callbacks.js';
import type {Compiled, Target} from './compiled.js';
import {checkCount, sampleCount, standardize} from './data.js';
import type {Data} from './data.js';
import type {Logs} from './logs.js';
import {readStep, trainLoop} from './loop.js';
import type {LoopBatch, LoopData, TrainingArgs} from './loop.js';
import {sampleWeightsFor} from './sample_weights.js';
import type {ClassWeights, SampleWeights} from './sample_weights.js';
import {Means, testOn, trainOn} from './step.js';
import type {StepData} from './step.js';
import type {TrainedModel} from './trained_model.js';

/** What `fit` takes beside the data. */
export interface ModelFitArgs extends TrainingArgs {
  /** Samples per step; 32. */
  batchSize?: number;
  /** The share of the samples, the last ones, to validate with. */
  validationSplit?: number;
  /** What to validate with instead: inputs, targets and perhaps weights. */
  validationData?: [Data, Data] | [Data, Data, SampleWeights] | null;
  /** New order in every epoch; 'batch': only of the batches. True. */
  shuffle?: boolean | 'batch';
  classWeight?: ClassWeights | null;
  sampleWeight?: SampleWeights | null;
  /** Batches per epoch; the data is gone through again and again. */
  stepsPerEpoch?: number | null;
  /** How many batches to validate with; all. */
  validationSteps?: number | null;
}

/** Inputs in the model's order. */
export function inputsOf(model: TrainedModel, x: unknown): Tensor[] {
  return standardize(x, model.inputNames.map((name, i) =>
    ({name, shapes: [model.inputShapes[i]!]})), 'input');
}

/** Targets, of the outputs that need one, in the model's order. */
export function targetsOf(
    model: TrainedModel, {targets}: Compiled, y: unknown): Tensor[] {
  const all = Array.isArray(y) && y.length === model.outputNames.length;
  const given = all ? targets.map(({output}) => y[output] as Tensor) : y;
  const ys = standardize(given, targets, 'target');
  targets.forEach((target, i) => checkClasses(ys[i]!, target));
  return ys;
}

// One-hot rows of classes that are not there would be zeros, and so the loss.
function checkClasses(y: Tensor, {name, classes}: Target): void {
  if (classes === null || y.size === 0) return;
  const [low, high] = tidy(() =>
    [min(y).dataSync()[0]!, max(y).dataSync()[0]!] as const);
  if (low >= 0 && high < classes) return;
  throw new TensorError(
      'argument', `Error when checking target: ${name} has ${classes} ` +
          `classes, 0 to ${classes - 1}, but the targets go from ${low} to ` +
          String(high));
}

/** Everything a step takes, checked; owned by the current scope. */
export function stepData(
    model: TrainedModel, compiled: Compiled, x: unknown, y: unknown,
    sampleWeight: unknown, classWeight: unknown): StepData {
  const xs = inputsOf(model, x);
  const ys = targetsOf(model, compiled, y);
  sampleCount(xs, ys);
  const names = model.outputNames;
  const byOutput = names.map((_, output) => {
    const at = compiled.targets.findIndex((t) => t.output === output);
    return at < 0 ? null : ys[at]!;
  });
  const weights = sampleWeightsFor(byOutput, names, sampleWeight, classWeight);
  return {
    xs, ys, weights: compiled.targets.map(({output}) => weights[output]!),
  };
}

export function checkStateful(
    model: TrainedModel, count: number, batchSize: number): void {
  if (!model.stateful || count % batchSize === 0) return;
  throw new TensorError(
      'shape', 'In a stateful network, you should only pass inputs with a ' +
          'number of samples that is divisible by the batch size ' +
          `${batchSize}. Found: ${count} sample(s).`);
}

// References of our own: the user may free his, or his scope may end, while
// training goes on.
function own(data: StepData, owned: Tensor[]): StepData {
  const mine = <T extends Tensor | null>(x: T): T => {
    if (x === null) return x;
    owned.push(keep(clone(x)));
    return owned[owned.length - 1] as T;
  };
  return {
    xs: data.xs.map(mine), ys: data.ys.map(mine),
    weights: data.weights.map(mine),
  };
}

interface Prepared {
  readonly train: StepData;
  /** How many samples, from the first on, are trained on. */
  readonly count: number;
  readonly validation: {data: StepData, ranges: Range[]} | null;
}

function splitAt(count: number, share: number): number {
  if (typeof share !== 'number' || !(share >= 0 && share < 1)) {
    throw new TensorError(
        'argument', 'validationSplit must be a number from 0 up to 1, but ' +
            `not 1, got ${shown(share)}`);
  }
  const at = Math.floor(count * (1 - share));
  if (at === 0 && count > 0) {
    throw new TensorError(
        'argument', `validationSplit: ${share} of ${count} sample(s) leaves ` +
            'none to train on');
  }
  return at;
}

function prepare(
    model: TrainedModel, compiled: Compiled, x: unknown, y: unknown,
    args: ModelFitArgs, batchSize: number, owned: Tensor[]): Prepared {
  const {sampleWeight, classWeight, validationData} = args;
  const data = own(
      stepData(model, compiled, x, y, sampleWeight, classWeight), owned);
  const count = sampleCount(data.xs, data.ys);
  checkStateful(model, count, batchSize);
  const all = {train: data, count};
  const limit = (found: Range[]): Range[] =>
    found.slice(0, args.validationSteps ?? undefined);
  if (validationData !== undefined && validationData !== null) {
    const given: unknown = validationData;
    if (!Array.isArray(given) || given.length < 2 || given.length > 3) {
      throw new TensorError(
          'argument', 'When passing validation data, it must contain 2 ' +
              '(valX, valY) or 3 (valX, valY, valSampleWeight) items');
    }
    const val = own(stepData(
        model, compiled, given[0], given[1], given[2], null), owned);
    const size = sampleCount(val.xs, val.ys);
    return {...all, validation: {
      data: val, ranges: limit(ranges(0, size, batchSize)),
    }};
  }
  const share = args.validationSplit ?? 0;
  const at = splitAt(count, share);
  if (at === count) return {...all, validation: null};
  // Class weights are for training only.
  const {weights} = classWeight ? own(
      stepData(model, compiled, x, y, sampleWeight, null), owned) : data;
  return {
    train: data, count: at, validation: {
      data: {...data, weights}, ranges: limit(ranges(at, count, batchSize)),
    },
  };
}

/** Means of losses and metrics over the batches of `found`. */
export async function validate(
    model: TrainedModel, compiled: Compiled, data: StepData, found: Range[],
    breathe: () => Promise<void>): Promise<Logs> {
  const means = new Means();
  for (const range of found) {
    means.add(
        await readStep(() => testOn(model, compiled, take(data, range))),
        range.to - range.from);
    await breathe();
  }
  return means.get();
}

/** Batches without end, for epochs of any number of steps. */
function* endless(epoch: () => Range[]): Generator<Range, never> {
  for (;;) yield* epoch();
}

/** Trains on tensors; see `LayersModel.fit`. */
export async function fit(
    model: TrainedModel, compiled: Compiled, x: unknown, y: unknown,
    args: ModelFitArgs): Promise<History> {
  const {batchSize = 32, shuffle = true, stepsPerEpoch = null} = args;
  checkCount(batchSize, 'batchSize');
  if (stepsPerEpoch !== null) checkCount(stepsPerEpoch, 'stepsPerEpoch');
  if (args.validationSteps != null) {
    checkCount(args.validationSteps, 'validationSteps');
  }
  const owned: Tensor[] = [];
  try {
    const {train, count, validation} = tidy(() =>
      prepare(model, compiled, x, y, args, batchSize, owned));
    const epoch = (): Range[] => epochRanges(count, batchSize, shuffle);
    const stream = endless(epoch);
    const steps = stepsPerEpoch ?? Math.ceil(count / batchSize);
    const batchOf = (range: Range, last: boolean): LoopBatch => ({
      size: range.to - range.from, last,
      step: () => trainOn(model, compiled, take(train, range)),
      free: () => {},
    });
    const data: LoopData = {
      samples: count, steps, batchSize,
      * epoch() {
        if (stepsPerEpoch === null) {
          const found = epoch();
          for (const [i, range] of found.entries()) {
            yield batchOf(range, i === found.length - 1);
          }
        } else if (count > 0) {
          for (let i = 1; i <= steps; i++) {
            yield batchOf(stream.next().value, i === steps);
          }
        }
      },
      validate: validation && ((breathe) => validate(
          model, compiled, validation.data, validation.ranges, breathe)),
    };
    return await trainLoop(model, compiled, args, data);
  } finally {
    dispose(owned);
  }
}
