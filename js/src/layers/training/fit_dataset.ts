/** Training and evaluating on batches that come one after the other. */
import {tensorsIn} from '../../container.js';
import {TensorError, shown} from '../../errors.js';
import {clone} from '../../ops/creation.js';
import {dispose, keep, tidy} from '../../scope.js';
import type {Tensor} from '../../tensor.js';
import {ranges} from './batches.js';
import type {History} from './callbacks.js';
import type {Compiled} from './compiled.js';
import {checkCount, sampleCount} from './data.js';
import type {Data} from './data.js';
import {
  datasetSize, freeBatch, isDataset, openDataset, partsOf,
} from './dataset.js';
import type {BatchParts, DatasetLike} from './dataset.js';
import {stepData, validate} from './fit.js';
import type {Logs} from './logs.js';
import {readStep, trainLoop} from './loop.js';
import type {LoopBatch, TrainingArgs} from './loop.js';
import type {ClassWeights, SampleWeights} from './sample_weights.js';
import {Means, testOn, trainOn} from './step.js';
import type {StepData, StepResults} from './step.js';
import type {TrainedModel} from './trained_model.js';

/** What `fitDataset` takes beside the dataset. */
export interface ModelFitDatasetArgs extends TrainingArgs {
  epochs: number;
  /** Batches per epoch; without it an epoch is all the dataset gives. */
  batchesPerEpoch?: number | null;
  /** A dataset, or tensors as for `fit`. */
  validationData?: DatasetLike | [Data, Data] | [Data, Data, SampleWeights] |
      null;
  /** Samples per batch of validation tensors; 32. */
  validationBatchSize?: number | null;
  /** Batches of a validation dataset; all. */
  validationBatches?: number | null;
  classWeight?: ClassWeights | null;
}

/** What `evaluateDataset` takes beside the dataset. */
export interface ModelEvaluateDatasetArgs {
  /** How many batches; all. */
  batches?: number | null;
  verbose?: number;
}

const given = <T>(x: T | null | undefined): x is T =>
  x !== null && x !== undefined;

function check(args: ModelFitDatasetArgs | undefined): void {
  if (!given(args) || typeof args !== 'object') {
    throw new TensorError(
        'argument', 'For fitDataset(), the 2nd argument (config) is ' +
            'required, but it is not provided in this call.');
  }
  const positive = (n: unknown, name: string): void => {
    if (Number.isInteger(n) && (n as number) > 0) return;
    throw new TensorError(
        'argument', `For fitDataset(), config.${name} is expected to be a ` +
            `positive integer, but got ${shown(n)}`);
  };
  positive(args.epochs, 'epochs');
  if (given(args.batchesPerEpoch)) {
    positive(args.batchesPerEpoch, 'batchesPerEpoch');
  }
  if (given(args.validationBatches)) {
    positive(args.validationBatches, 'validationBatches');
  }
  if (given(args.validationBatchSize)) {
    positive(args.validationBatchSize, 'validationBatchSize');
  }
  if ('validationSplit' in args) {
    throw new TensorError(
        'argument', '`validationSplit` is not supported by `fitDataset()`. ' +
            'Use validationData instead.');
  }
}

/** A step on a batch's parts, its temporaries in the scope at hand. */
function onParts(
    model: TrainedModel, compiled: Compiled, {xs, ys, sampleWeight}: BatchParts,
    classWeight: unknown, run: typeof trainOn): StepResults {
  return tidy(() => run(model, compiled, stepData(
      model, compiled, xs, ys, sampleWeight, classWeight)));
}

// How many samples the batch has; what is wrong with it the step tells.
const sizeOf = ({xs}: BatchParts): number => tensorsIn(xs)[0]?.shape[0] ?? 0;

/** Losses and metrics over a dataset's batches. */
async function evaluateBatches(
    model: TrainedModel, compiled: Compiled, dataset: unknown,
    batches: number | null, breathe: () => Promise<void>): Promise<Logs> {
  const who = 'evaluateDataset';
  const means = new Means();
  const iterator = await openDataset(dataset, who);
  let count = 0;
  let ended = false;
  try {
    while (batches === null || count < batches) {
      const {value, done} = await iterator.next();
      ended = done === true;
      if (given(value)) {
        try {
          const parts = partsOf(value, who);
          const size = sizeOf(parts);
          means.add(await readStep(() =>
            onParts(model, compiled, parts, null, testOn)), size);
        } finally {
          freeBatch(dataset, value);
        }
        count++;
        await breathe();
      }
      if (ended) break;
    }
  } finally {
    if (!ended) await iterator.return?.();
  }
  if (count === 0) {
    throw new TensorError('argument', `${who}: the dataset gave no batch`);
  }
  if (batches !== null && count < batches) {
    console.warn('The dataset ran out of data during evaluateDataset(): it ' +
        `gave ${count} of ${batches} batches.`);
  }
  return means.get();
}

/** Loss and metrics over a dataset; see `LayersModel.evaluateDataset`. */
export async function evaluateDataset(
    model: TrainedModel, compiled: Compiled, dataset: unknown,
    args: ModelEvaluateDatasetArgs): Promise<Logs> {
  if (given(args.batches)) checkCount(args.batches, 'batches');
  return evaluateBatches(
      model, compiled, dataset, args.batches ?? null, async () => {});
}

/** Trains on a dataset; see `LayersModel.fitDataset`. */
export async function fitDataset(
    model: TrainedModel, compiled: Compiled, dataset: unknown,
    args: ModelFitDatasetArgs): Promise<History> {
  check(args);
  const {validationData = null, classWeight = null} = args;
  const steps = args.batchesPerEpoch ?? null;
  const owned: Tensor[] = [];
  const passes = new Passes(model, compiled, dataset, steps, classWeight);
  try {
    const tensors = validationData === null || isDataset(validationData) ?
      null : holdValidation(model, compiled, validationData, owned);
    const size = args.validationBatchSize ?? 32;
    return await trainLoop(model, compiled, args, {
      samples: null, steps: steps ?? datasetSize(dataset), batchSize: null,
      epoch: () => passes.epoch(),
      validate: validationData === null ? null : (breathe) => (tensors ?
        validate(
            model, compiled, tensors.data,
            ranges(0, tensors.count, size), breathe) :
        evaluateBatches(
            model, compiled, validationData, args.validationBatches ?? null,
            breathe)),
    });
  } finally {
    dispose(owned);
    await passes.end();
  }
}

function holdValidation(
    model: TrainedModel, compiled: Compiled, data: unknown,
    owned: Tensor[]): {data: StepData, count: number} {
  if (!Array.isArray(data) || data.length < 2 || data.length > 3) {
    throw new TensorError(
        'argument', 'fitDataset: validationData must be a dataset or a list ' +
            'of inputs, targets and perhaps sample weights');
  }
  return tidy(() => {
    const made = stepData(model, compiled, data[0], data[1], data[2], null);
    const mine = <T extends Tensor | null>(x: T): T => {
      if (x === null) return x;
      owned.push(keep(clone(x)));
      return owned[owned.length - 1] as T;
    };
    const held = {
      xs: made.xs.map(mine), ys: made.ys.map(mine),
      weights: made.weights.map(mine),
    };
    return {data: held, count: sampleCount(held.xs, held.ys)};
  });
}

/** The epochs of a dataset: a pass each, or so many batches of one pass. */
class Passes {
  #iterator: Awaited<ReturnType<typeof openDataset>> | null = null;
  #done = 0;

  constructor(
      readonly model: TrainedModel, readonly compiled: Compiled,
      readonly dataset: unknown, readonly batches: number | null,
      readonly classWeight: unknown) {}

  /** Lets an iterator that was left in the middle clean up. */
  async end(): Promise<void> {
    const iterator = this.#iterator;
    this.#iterator = null;
    await iterator?.return?.();
  }

  async* epoch(): AsyncGenerator<LoopBatch, void> {
    if (this.batches === null) await this.end();
    this.#iterator ??= await openDataset(this.dataset, 'fitDataset');
    const iterator = this.#iterator;
    for (let i = 0; this.batches === null || i < this.batches;) {
      const {value, done} = await iterator.next();
      if (given(value)) {
        i++;
        yield this.#batch(value, done === true || i === this.batches);
      }
      if (done !== true) continue;
      this.#iterator = null;
      if (this.batches !== null && i < this.batches) {
        console.warn('The dataset ran out of data: it gave ' +
            `${i} of ${this.batches} batches of this epoch. It must give ` +
            'batchesPerEpoch * epochs batches, or an epoch be all of it.');
      } else if (i === 0 && this.#done > 0) {
        console.warn('The dataset ran out of data: it gave no batch after ' +
            `${this.#done} epoch(s), and training ends. Generators and ` +
            'iterators can be gone through only once: give an object whose ' +
            'iterator() or [Symbol.iterator]() makes a new one.');
      }
      break;
    }
    this.#done++;
  }

  #batch(value: unknown, last: boolean): LoopBatch {
    const {model, compiled, dataset, classWeight} = this;
    const free = (): void => freeBatch(dataset, value);
    try {
      const parts = partsOf(value, 'fitDataset');
      return {
        size: sizeOf(parts), last, free,
        step: () => onParts(model, compiled, parts, classWeight, trainOn),
      };
    } catch (error) {
      free();
      throw error;
    }
  }
}
