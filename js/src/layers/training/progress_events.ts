/** Training as events, for progress displays in pages. */
import {BaseCallback} from './callbacks.js';
import type {TrainedModel} from './trained_model.js';
import type {Logs} from './logs.js';

/** How far a training is. */
export interface TrainingProgress {
  /** The model's name. */
  model: string;
  /** The epoch at hand, from 0, and how many there will be. */
  epoch: number;
  epochs: number;
  /** Batches done in this epoch; null where the number is unknown. */
  batch: number;
  batches: number | null;
  /** The share of all work that is done, 0 to 1; null where unknown. */
  fraction: number | null;
  /** Losses and metrics of the batch or epoch. */
  logs: Logs;
  /** Time since the start and, by the pace so far, until the end. */
  elapsedMs: number;
  remainingMs: number | null;
}

/** What {@link layersProgress} sends. */
export type TrainingEventType =
  'trainbegin' | 'batchend' | 'epochend' | 'trainend' | 'trainerror';

/** An event of a training; `detail` says how far it is. */
export class TrainingEvent extends Event {
  readonly detail: TrainingProgress;
  /** What ended training, for 'trainerror'. */
  readonly error: unknown;

  constructor(
      type: TrainingEventType, detail: TrainingProgress, error?: unknown) {
    super(type);
    this.detail = detail;
    this.error = error;
  }
}

/** The events of every training in this page or worker. */
export class LayersProgress extends EventTarget {
  override addEventListener(
      type: TrainingEventType, listener: ((event: TrainingEvent) => void) |
          EventListenerOrEventListenerObject | null,
      options?: boolean | AddEventListenerOptions): void {
    super.addEventListener(type, listener as EventListener, options);
  }

  override removeEventListener(
      type: TrainingEventType, listener: ((event: TrainingEvent) => void) |
          EventListenerOrEventListenerObject | null,
      options?: boolean | EventListenerOptions): void {
    super.removeEventListener(type, listener as EventListener, options);
  }
}

/**
 * Sends events of every training: 'trainbegin', 'batchend', 'epochend', then
 * 'trainend' or 'trainerror'. Their `detail` holds `epoch`, `epochs`, `batch`,
 * `batches`, `fraction` (0 to 1), `logs`, `elapsedMs` and `remainingMs`.
 *
 * ```js
 * const model = tf.sequential({layers: [
 *   tf.layers.dense({units: 1, inputShape: [2]})]});
 * model.compile({optimizer: 'sgd', loss: 'meanSquaredError'});
 * const fractions = [];
 * const listener = ({detail}) => fractions.push(detail.fraction);
 * tf.layersProgress.addEventListener('batchend', listener);
 * const [x, y] = [tf.ones([4, 2]), tf.ones([4, 1])];
 * await model.fit(x, y, {batchSize: 2, epochs: 2});
 * tf.layersProgress.removeEventListener('batchend', listener);
 * fractions; // => [0.25, 0.5, 0.75, 1]
 * model.dispose();
 * tf.dispose([x, y]);
 * ```
 */
export const layersProgress = new LayersProgress();

/** Counts a training's batches and time. */
export class Pace {
  #start = 0;
  #done = 0;

  constructor(readonly now: () => number = () => performance.now()) {}

  begin(): void {
    this.#start = this.now();
    this.#done = 0;
  }

  batchDone(): void {
    this.#done++;
  }

  get elapsedMs(): number {
    return this.now() - this.#start;
  }

  /** The share that is done of `total` batches, and the time for the rest. */
  of(total: number | null): {
    fraction: number | null, remainingMs: number | null,
  } {
    if (total === null || total === 0) {
      return {fraction: null, remainingMs: null};
    }
    const fraction = Math.min(1, this.#done / total);
    const remainingMs = fraction === 0 ? null :
      this.elapsedMs * (1 - fraction) / fraction;
    return {fraction, remainingMs};
  }
}

/** The callback that turns training into events. */
export class ProgressEvents extends BaseCallback {
  readonly #pace = new Pace();
  #model = '';
  #epoch = 0;
  #batch = 0;
  #logs: Logs = {};

  override setModel(model: TrainedModel): void {
    this.#model = model.name;
  }

  override onTrainBegin(logs: Logs = {}): void {
    this.#pace.begin();
    this.#epoch = this.params.initialEpoch;
    this.#send('trainbegin', logs);
  }

  override onEpochBegin(epoch: number): void {
    this.#epoch = epoch;
    this.#batch = 0;
  }

  override onBatchEnd(batch: number, logs: Logs = {}): void {
    this.#pace.batchDone();
    this.#batch = batch + 1;
    this.#send('batchend', logs);
  }

  override onEpochEnd(_epoch: number, logs: Logs = {}): void {
    this.#send('epochend', logs);
  }

  override onTrainEnd(): void {
    this.#send('trainend', this.#logs);
  }

  /** Tells that training ended with an error. */
  failed(error: unknown): void {
    this.#send('trainerror', this.#logs, error);
  }

  #send(type: TrainingEventType, logs: Logs, error?: unknown): void {
    this.#logs = logs;
    const {epochs, initialEpoch, steps} = this.params;
    layersProgress.dispatchEvent(new TrainingEvent(type, {
      model: this.#model,
      epoch: this.#epoch,
      epochs,
      batch: this.#batch,
      batches: steps,
      ...this.#pace.of(steps === null ? null : steps * (epochs - initialEpoch)),
      logs: {...logs},
      elapsedMs: this.#pace.elapsedMs,
    }, error));
  }
}
