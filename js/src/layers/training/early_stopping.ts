/** Stops training when a number no longer gets better. */
import {clone} from '../../ops/creation.js';
import {dispose, keep} from '../../scope.js';
import type {Tensor} from '../../tensor.js';
import {Callback} from './callbacks.js';
import type {Logs} from './logs.js';

/** Settings of early stopping. */
export interface EarlyStoppingCallbackArgs {
  /** The name in the logs of what is watched; 'val_loss'. */
  monitor?: string;
  /** A smaller change is no improvement; 0. */
  minDelta?: number;
  /** So many epochs without improvement are borne; 0. */
  patience?: number;
  /** 1: say so when training was stopped. */
  verbose?: number;
  /** What is better: 'min', 'max', or 'auto': the most for 'acc'. */
  mode?: 'auto' | 'min' | 'max';
  /** What has to be beaten at first. */
  baseline?: number | null;
  /** Give the model the weights of its best epoch at the end. */
  restoreBestWeights?: boolean;
}

/** Stops training when a number in the logs no longer gets better. */
export class EarlyStopping extends Callback {
  readonly monitor: string;
  readonly minDelta: number;
  readonly patience: number;
  readonly verbose: number;
  readonly mode: 'min' | 'max';
  readonly baseline: number | null;
  readonly restoreBestWeights: boolean;
  #wait = 0;
  #best = 0;
  #stoppedEpoch = -1;
  #bestWeights: Tensor[] = [];

  constructor(args: EarlyStoppingCallbackArgs = {}) {
    super();
    this.monitor = args.monitor ?? 'val_loss';
    this.minDelta = Math.abs(args.minDelta ?? 0);
    this.patience = args.patience ?? 0;
    this.verbose = args.verbose ?? 0;
    this.baseline = args.baseline ?? null;
    this.restoreBestWeights = args.restoreBestWeights ?? false;
    let mode = args.mode ?? 'auto';
    if (mode !== 'auto' && mode !== 'min' && mode !== 'max') {
      console.warn(`EarlyStopping mode '${String(mode)}' is invalid. Falling ` +
          "back to mode 'auto'.");
      mode = 'auto';
    }
    this.mode = mode !== 'auto' ? mode :
      this.monitor.includes('acc') ? 'max' : 'min';
  }

  override onTrainBegin(): void {
    this.#wait = 0;
    this.#stoppedEpoch = -1;
    this.#best = this.baseline ?? (this.mode === 'min' ? Infinity : -Infinity);
    this.release();
  }

  override onEpochEnd(epoch: number, logs: Logs = {}): void {
    const value = logs[this.monitor];
    if (value === undefined) {
      console.warn(`Metric for EarlyStopping ${this.monitor} is not ` +
          `available. Available metrics are: ${Object.keys(logs).join(', ')}`);
      return;
    }
    if (this.#isBetter(value)) {
      this.#best = value;
      this.#wait = 0;
      if (this.restoreBestWeights) this.#remember();
      return;
    }
    this.#wait++;
    if (this.#wait < this.patience) return;
    this.#stoppedEpoch = epoch;
    this.model!.stopTraining = true;
  }

  override onTrainEnd(): void {
    this.#bestWeights.forEach((best, i) => this.model!.weights[i]!.write(best));
    if (this.#stoppedEpoch >= 0 && this.verbose > 0) {
      console.log(`Epoch ${this.#stoppedEpoch}: early stopping.`);
    }
  }

  override release(): void {
    dispose(this.#bestWeights);
    this.#bestWeights = [];
  }

  #isBetter(value: number): boolean {
    return this.mode === 'min' ? value + this.minDelta < this.#best :
      value - this.minDelta > this.#best;
  }

  // Values never change in place, so a clone costs no memory until the model
  // moves on.
  #remember(): void {
    this.release();
    for (const weight of this.model!.weights) {
      this.#bestWeights.push(keep(clone(weight.read())));
    }
  }
}

/**
 * A callback that stops training when `monitor` no longer gets better.
 *
 * ```js
 * const callback = tf.callbacks.earlyStopping({monitor: 'val_acc'});
 * callback.mode; // => 'max'
 * ```
 */
export function earlyStopping(
    args?: EarlyStoppingCallbackArgs): EarlyStopping {
  return new EarlyStopping(args);
}
