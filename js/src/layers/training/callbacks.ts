/** Callbacks: what `fit` tells while it trains. */
import {TensorError, shown} from '../../errors.js';
import type {TrainedModel} from './trained_model.js';
import type {Logs} from './logs.js';

type Answer = void | Promise<void>;

/** What a training is about, as callbacks see it. */
export interface Params {
  epochs: number;
  initialEpoch: number;
  /** How many samples an epoch has, if that is known. */
  samples: number | null;
  /** How many batches an epoch has, if that is known. */
  steps: number | null;
  batchSize: number | null;
  verbose: number;
  doValidation: boolean;
  /** The names that logs have at the end of an epoch. */
  metrics: string[];
}

/**
 * Base of all callbacks: override what you want to be told. Methods may return
 * a promise, which training waits for.
 *
 * ```js
 * class Losses extends tf.BaseCallback {
 *   seen = [];
 *   onEpochEnd(epoch, logs) { this.seen.push(logs.loss); }
 * }
 * const model = tf.sequential({layers: [
 *   tf.layers.dense({units: 1, inputShape: [1], kernelInitializer: 'zeros'}),
 * ]});
 * model.compile({optimizer: 'sgd', loss: 'meanSquaredError'});
 * const losses = new Losses();
 * const [x, y] = [tf.tensor2d([[1]]), tf.tensor2d([[1]])];
 * await model.fit(x, y, {callbacks: [losses], verbose: 0});
 * losses.seen; // => [1]
 * model.dispose();
 * tf.dispose([x, y]);
 * ```
 */
export class BaseCallback {
  validationData: unknown = null;
  params!: Params;

  setParams(params: Params): void {
    this.params = params;
  }

  setModel(_model: TrainedModel): void {}

  onTrainBegin(_logs?: Logs): Answer {}
  onTrainEnd(_logs?: Logs): Answer {}
  onEpochBegin(_epoch: number, _logs?: Logs): Answer {}
  onEpochEnd(_epoch: number, _logs?: Logs): Answer {}
  onBatchBegin(_batch: number, _logs?: Logs): Answer {}
  onBatchEnd(_batch: number, _logs?: Logs): Answer {}
  onYield(_epoch: number, _batch: number, _logs?: Logs): Answer {}

  /** Called last, however training ends: frees what the callback holds. */
  release(): void {}
}

/** A callback that knows its model, as `this.model`. */
export abstract class Callback extends BaseCallback {
  model: TrainedModel | null = null;

  override setModel(model: TrainedModel): void {
    this.model = model;
  }
}

/** A callback as an object of functions. */
export interface CustomCallbackArgs {
  onTrainBegin?: (logs?: Logs) => Answer;
  onTrainEnd?: (logs?: Logs) => Answer;
  onEpochBegin?: (epoch: number, logs?: Logs) => Answer;
  onEpochEnd?: (epoch: number, logs?: Logs) => Answer;
  onBatchBegin?: (batch: number, logs?: Logs) => Answer;
  onBatchEnd?: (batch: number, logs?: Logs) => Answer;
  /** Called when training lets the page breathe. */
  onYield?: (epoch: number, batch: number, logs?: Logs) => Answer;
  /** The clock, in milliseconds: by default `performance.now`. */
  nowFunc?: () => number;
  /** What is waited for when training yields: by default the next task. */
  nextFrameFunc?: () => Promise<void>;
}

const functionNames = [
  'onTrainBegin', 'onTrainEnd', 'onEpochBegin', 'onEpochEnd', 'onBatchBegin',
  'onBatchEnd', 'onYield', 'nowFunc', 'nextFrameFunc',
] as const;

/**
 * A callback made from an object of functions. Errors: something else in the
 * place of a function.
 */
export class CustomCallback extends BaseCallback {
  readonly args: CustomCallbackArgs;

  constructor(args: CustomCallbackArgs = {}) {
    super();
    for (const name of functionNames) {
      const given: unknown = args[name];
      if (given === undefined || given === null) continue;
      if (typeof given === 'function') continue;
      throw new TensorError(
          'argument', `callbacks: ${name} must be a function, got ` +
              shown(given));
    }
    this.args = args;
  }

  override onTrainBegin(logs?: Logs): Answer {
    return this.args.onTrainBegin?.(logs);
  }

  override onTrainEnd(logs?: Logs): Answer {
    return this.args.onTrainEnd?.(logs);
  }

  override onEpochBegin(epoch: number, logs?: Logs): Answer {
    return this.args.onEpochBegin?.(epoch, logs);
  }

  override onEpochEnd(epoch: number, logs?: Logs): Answer {
    return this.args.onEpochEnd?.(epoch, logs);
  }

  override onBatchBegin(batch: number, logs?: Logs): Answer {
    return this.args.onBatchBegin?.(batch, logs);
  }

  override onBatchEnd(batch: number, logs?: Logs): Answer {
    return this.args.onBatchEnd?.(batch, logs);
  }

  override onYield(epoch: number, batch: number, logs?: Logs): Answer {
    return this.args.onYield?.(epoch, batch, logs);
  }
}

/** Several callbacks as one: each method awaits them one after the other. */
export class CallbackList {
  readonly callbacks: BaseCallback[];

  constructor(callbacks: BaseCallback[] = []) {
    this.callbacks = callbacks;
  }

  append(callback: BaseCallback): void {
    this.callbacks.push(callback);
  }

  setParams(params: Params): void {
    for (const callback of this.callbacks) callback.setParams(params);
  }

  setModel(model: TrainedModel): void {
    for (const callback of this.callbacks) callback.setModel(model);
  }

  onTrainBegin(logs: Logs = {}): Promise<void> {
    return this.#each((c) => c.onTrainBegin(logs));
  }

  onTrainEnd(logs: Logs = {}): Promise<void> {
    return this.#each((c) => c.onTrainEnd(logs));
  }

  onEpochBegin(epoch: number, logs: Logs = {}): Promise<void> {
    return this.#each((c) => c.onEpochBegin(epoch, logs));
  }

  onEpochEnd(epoch: number, logs: Logs = {}): Promise<void> {
    return this.#each((c) => c.onEpochEnd(epoch, logs));
  }

  onBatchBegin(batch: number, logs: Logs = {}): Promise<void> {
    return this.#each((c) => c.onBatchBegin(batch, logs));
  }

  onBatchEnd(batch: number, logs: Logs = {}): Promise<void> {
    return this.#each((c) => c.onBatchEnd(batch, logs));
  }

  onYield(epoch: number, batch: number, logs: Logs = {}): Promise<void> {
    return this.#each((c) => c.onYield(epoch, batch, logs));
  }

  release(): void {
    for (const callback of this.callbacks) callback.release();
  }

  async #each(call: (callback: BaseCallback) => Answer): Promise<void> {
    for (const callback of this.callbacks) {
      const answer = call(callback);
      // Only what has to be waited for costs a turn.
      if (answer !== undefined) await answer;
    }
  }
}

/** What `fit` returns: losses and metrics of every epoch, by name. */
export class History extends BaseCallback {
  /** The epochs that were trained. */
  epoch: number[] = [];
  /** One value per epoch for every name. */
  history: {[name: string]: number[]} = {};

  override onTrainBegin(): void {
    this.epoch = [];
    this.history = {};
  }

  override onEpochEnd(epoch: number, logs: Logs = {}): void {
    this.epoch.push(epoch);
    for (const [name, value] of Object.entries(logs)) {
      (this.history[name] ??= []).push(value);
    }
  }

  /** Resolves when all values are numbers: they always are. */
  async syncData(): Promise<void> {}
}

/** What `fit` takes as callbacks. */
export type Callbacks =
  BaseCallback | CustomCallbackArgs | (BaseCallback | CustomCallbackArgs)[];

/** A list of callbacks from what a user gives. */
export function standardizeCallbacks(
    callbacks: Callbacks | null | undefined): BaseCallback[] {
  if (callbacks === null || callbacks === undefined) return [];
  const list = Array.isArray(callbacks) ? callbacks : [callbacks];
  return list.map((callback) => {
    if (callback instanceof BaseCallback) return callback;
    if (typeof callback !== 'object' || callback === null) {
      throw new TensorError(
          'argument', 'callbacks: a callback must be a tf.Callback or an ' +
              `object of functions, got ${shown(callback)}`);
    }
    return new CustomCallback(callback);
  });
}
