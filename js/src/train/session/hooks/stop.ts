/** Hooks that end training: after so many steps, or at a loss that is NaN. */
import {shown} from '../../../errors.js';
import type {Coordinator} from '../coordinator.js';
import {NanLossDuringTrainingError, valueError} from '../errors.js';
import type {Fetches} from '../fetches.js';
import {checkNamed} from '../names.js';
import {needGlobalStep} from '../global_step.js';
import type {GlobalStep} from '../global_step.js';
import {bothCases} from '../hook.js';
import {optionsOf} from '../options.js';
import type {Arguments} from '../options.js';
import {SessionRunArgs} from '../run_context.js';
import type {SessionRunContext, SessionRunValues} from '../run_context.js';
import type {RawSession} from '../session.js';
import {StockHook} from './stock.js';

/** Settings of a {@link StopAtStepHook}. */
export interface StopOptions {
  numSteps?: number | null;
  lastStep?: number | null;
}

/** Settings of a {@link NanTensorHook}. */
export interface NanOptions {
  lossTensor: Fetches;
  failOnNanLoss?: boolean;
}

const stopAtStepHookNames = ['numSteps', 'lastStep'] as const;

/**
 * Ends training at a step: `lastStep`, or `numSteps` after the step that the
 * session starts with. A session that is restored at or past it makes no run.
 *
 * Errors: not exactly one of the two.
 *
 * ```js
 * const train = tf.train.step('train', () => 1);
 * let runs = 0;
 * await tf.train.withMonitoredTrainingSession(
 *     {hooks: [new tf.train.StopAtStepHook({lastStep: 3})]},
 *     async (sess) => {
 *       while (!sess.shouldStop()) { await sess.run(train); runs++; }
 *     });
 * runs; // => 3
 * tf.resetDefaultGraph();
 * ```
 */
export class StopAtStepHook extends StockHook {
  static override readonly className: string = 'StopAtStepHook';
  readonly #numSteps: number | null;
  #lastStep: number | null;
  #step: GlobalStep | undefined;

  constructor(
      ...given: Arguments<StopOptions, typeof stopAtStepHookNames>) {
    const {numSteps = null, lastStep = null} =
        optionsOf<StopOptions>(
            'StopAtStepHook', given, stopAtStepHookNames);
    super();
    if (numSteps === null && lastStep === null) {
      throw valueError('One of num_steps or last_step must be specified.');
    }
    if (numSteps !== null && lastStep !== null) {
      throw valueError('Only one of num_steps or last_step can be specified.');
    }
    this.#numSteps = numSteps;
    this.#lastStep = lastStep;
  }

  override begin(): void {
    this.#step = needGlobalStep(this.environment.graph, 'StopAtStepHook');
  }

  override afterCreateSession(_session: RawSession, coord: Coordinator): void {
    const step = this.#step!.number;
    this.#lastStep ??= step + this.#numSteps!;
    if (step >= this.#lastStep) coord.requestStop();
  }

  override beforeRun(_context: SessionRunContext): SessionRunArgs {
    return new SessionRunArgs(this.#step);
  }

  override afterRun(context: SessionRunContext, _values: SessionRunValues): void {
    if (this.#step!.number >= this.#lastStep!) context.requestStop();
  }
}

const nanTensorHookNames = ['lossTensor', 'failOnNanLoss'] as const;

/**
 * Watches a loss: when it is NaN, training fails, or ends with a warning if
 * `failOnNanLoss` is false. Runs without the loss are passed over.
 *
 * Errors: a loss that the graph or the function that ran does not have, or
 * that is null or no scalar; `NanLossDuringTrainingError`.
 *
 * ```js
 * const train = tf.train.step('train', () => ({loss: NaN}));
 * const hook = new tf.train.NanTensorHook('train/loss', false);
 * let runs = 0;
 * await tf.train.withMonitoredTrainingSession(
 *     {hooks: [hook], onLog: () => {}}, async (sess) => {
 *       while (!sess.shouldStop()) { await sess.run(train); runs++; }
 *     });
 * runs; // => 1
 * tf.resetDefaultGraph();
 * ```
 */
export class NanTensorHook extends StockHook {
  static override readonly className: string = 'NanTensorHook';
  readonly #loss: Fetches;
  readonly #fail: boolean;

  constructor(
      ...given: Arguments<NanOptions, typeof nanTensorHookNames>) {
    const options =
        optionsOf<NanOptions>(
            'NanTensorHook', given, nanTensorHookNames);
    super();
    if (options.lossTensor === undefined || options.lossTensor === null) {
      throw valueError('NanTensorHook: loss_tensor is missing');
    }
    this.#loss = options.lossTensor;
    this.#fail = options.failOnNanLoss ?? true;
  }

  override afterCreateSession({graph}: RawSession, _coord?: Coordinator): void {
    checkNamed('NanTensorHook', this.#loss, graph);
  }

  override beforeRun(_context: SessionRunContext): SessionRunArgs {
    return new SessionRunArgs(this.#loss);
  }

  override afterRun(context: SessionRunContext, {results}: SessionRunValues): void {
    if (results === undefined) return;
    if (typeof results !== 'number') {
      throw valueError(
          `NanTensorHook: the loss must be a scalar, got ${shown(results)}`);
    }
    if (!Number.isNaN(results)) return;
    const message = 'Model diverged with loss = NaN.';
    const {log} = this.environment;
    if (this.#fail) {
      log(message, 'error');
      throw new NanLossDuringTrainingError();
    }
    log(message, 'warn');
    context.requestStop();
  }
}

bothCases(StopAtStepHook, NanTensorHook);
