/** The loop over epochs and batches that `fit` and `fitDataset` share. */
import {TensorError} from '../../errors.js';
import {tidy} from '../../scope.js';
import {CallbackList, History, standardizeCallbacks} from './callbacks.js';
import type {Callbacks} from './callbacks.js';
import {registeredCallbacks} from './callback_registry.js';
import type {Compiled} from './compiled.js';
import {checkCount} from './data.js';
import type {Logs} from './logs.js';
import {ProgressBar, terminal} from './progress_bar.js';
import {ProgressEvents} from './progress_events.js';
import {Means} from './step.js';
import type {StepResults} from './step.js';
import type {TrainedModel} from './trained_model.js';
import {Yielder} from './yielding.js';
import type {YieldEveryOptions} from './yielding.js';

/** What `fit` and `fitDataset` both take. */
export interface TrainingArgs {
  /** How often to go through the data; 1. */
  epochs?: number;
  /** The epoch to begin with, for training that goes on; 0. */
  initialEpoch?: number;
  /** 0: silent, 1: a bar where there is a terminal, 2: a line per epoch. */
  verbose?: number;
  callbacks?: Callbacks | null;
  /** When to let the page breathe; 'auto'. */
  yieldEvery?: YieldEveryOptions;
  /** Validate after every so many epochs; 1. */
  validationFreq?: number;
}

/** One batch of an epoch. */
export interface LoopBatch {
  readonly size: number;
  /** Whether it is known to be the epoch's last. */
  readonly last: boolean;
  /** Trains on it; called inside a scope. */
  step(): StepResults;
  /** Frees what the batch holds. */
  free(): void;
}

/** Where a loop gets its batches from, and what it validates with. */
export interface LoopData {
  readonly samples: number | null;
  readonly steps: number | null;
  readonly batchSize: number | null;
  epoch(): Iterable<LoopBatch> | AsyncIterable<LoopBatch>;
  /** Losses and metrics of the validation data, if there is any. */
  readonly validate: ((breathe: () => Promise<void>) => Promise<Logs>) | null;
}

/** Runs a step and reads what it gave; the tensors are gone when it returns. */
export async function readStep(step: () => StepResults): Promise<Logs> {
  let names: string[] = [];
  // Read at once and waited for afterwards: nothing is held meanwhile.
  const values = tidy(() => {
    const results = step();
    names = Object.keys(results);
    return Object.values(results).map((scalar) => scalar.data());
  });
  const numbers = await Promise.all(values);
  return Object.fromEntries(names.map((name, i) => [name, numbers[i]![0]!]));
}

interface Settings {
  readonly epochs: number;
  readonly initialEpoch: number;
  readonly verbose: number;
  readonly validationFreq: number;
}

function settingsOf(args: TrainingArgs): Settings {
  const {
    epochs = 1, initialEpoch = 0, verbose = 1, validationFreq = 1,
  } = args;
  checkCount(epochs, 'epochs', 0);
  checkCount(initialEpoch, 'initialEpoch', 0);
  checkCount(validationFreq, 'validationFreq');
  checkCount(verbose, 'verbose', 0);
  return {epochs, initialEpoch, verbose, validationFreq};
}

/** Trains over all epochs and returns their history. */
export async function trainLoop(
    model: TrainedModel, compiled: Compiled, args: TrainingArgs,
    data: LoopData): Promise<History> {
  const settings = settingsOf(args);
  const {epochs, initialEpoch, verbose} = settings;
  const history = new History();
  const events = new ProgressEvents();
  const out = verbose > 0 ? terminal() : undefined;
  const callbacks = new CallbackList([
    ...(out ? [new ProgressBar(out)] : []), events,
    ...registeredCallbacks(verbose), ...standardizeCallbacks(args.callbacks),
    history,
  ]);
  const {names} = compiled;
  callbacks.setParams({
    epochs, initialEpoch, samples: data.samples, steps: data.steps,
    batchSize: data.batchSize, verbose, doValidation: data.validate !== null,
    metrics: data.validate === null ? [...names] :
      [...names, ...names.map((name) => `val_${name}`)],
  });
  callbacks.setModel(model);
  const yielder = new Yielder(args.yieldEvery, callbacks);
  try {
    model.stopTraining = false;
    await callbacks.onTrainBegin();
    for (let epoch = initialEpoch; epoch < epochs; epoch++) {
      if (model.stopTraining) break;
      if (!await oneEpoch(model, epoch, settings, data, callbacks, yielder)) {
        break;
      }
    }
    await callbacks.onTrainEnd();
    return history;
  } catch (error) {
    events.failed(error);
    throw error;
  } finally {
    callbacks.release();
  }
}

/** One epoch; false when there was no batch for it. */
async function oneEpoch(
    model: TrainedModel, epoch: number, settings: Settings, data: LoopData,
    callbacks: CallbackList, yielder: Yielder): Promise<boolean> {
  await callbacks.onEpochBegin(epoch);
  const means = new Means();
  let batch = 0;
  let complete = true;
  for await (const {size, last, step, free} of data.epoch()) {
    const logs: Logs = {batch, size};
    try {
      await callbacks.onBatchBegin(batch, {...logs});
      const values = await readStep(step);
      means.add(values, size);
      Object.assign(logs, values);
    } finally {
      free();
    }
    await callbacks.onBatchEnd(batch, logs);
    await yielder.afterBatch(epoch, batch, logs);
    batch++;
    if (model.stopTraining) {
      complete = last;
      break;
    }
  }
  if (batch === 0) {
    if (epoch > settings.initialEpoch) return false;
    throw new TensorError(
        'argument', 'there is nothing to train on: the data gave no batch');
  }
  const logs: Logs = means.get();
  const isDue = (epoch + 1) % settings.validationFreq === 0;
  if (data.validate !== null && complete && isDue) {
    const found = await data.validate(() => yielder.breathe());
    for (const [name, value] of Object.entries(found)) {
      logs[`val_${name}`] = value;
    }
  }
  await callbacks.onEpochEnd(epoch, logs);
  await yielder.afterEpoch(epoch, batch - 1, logs);
  return true;
}
