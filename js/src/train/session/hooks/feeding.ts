/** Hooks that feed, wait, and evaluate at the end. */
import type {Coordinator} from '../coordinator.js';
import {OutOfRangeError, StopIteration, valueError} from '../errors.js';
import type {Fetches} from '../fetches.js';
import {needGlobalStep} from '../global_step.js';
import type {GlobalStep} from '../global_step.js';
import {bothCases} from '../hook.js';
import {optionsOf} from '../options.js';
import type {Arguments} from '../options.js';
import type {Feeds} from '../placeholder.js';
import {SessionRunArgs} from '../run_context.js';
import type {SessionRunContext} from '../run_context.js';
import type {RawSession} from '../session.js';
import {StockHook} from './stock.js';

/** Makes feeds for one run. */
export type FeedFn = () => Feeds | Promise<Feeds>;

/**
 * Feeds every run with what a function gives, or an iterable of feeds: when it
 * has ended, training ends in a clean way.
 *
 * ```js
 * const x = tf.placeholder('float32', [], 'x');
 * const train = tf.train.step('train', {x}, ({x}) => x.mul(2));
 * const hook = new tf.train.FeedFnHook([{x: 1}, {x: 2}]);
 * const seen = [];
 * await tf.train.withMonitoredTrainingSession({hooks: [hook]}, async (sess) => {
 *   while (!sess.shouldStop()) seen.push(await sess.run(train));
 * });
 * seen; // => [2, 4]
 * tf.resetDefaultGraph();
 * ```
 */
export class FeedFnHook extends StockHook {
  static override readonly className: string = 'FeedFnHook';
  readonly #next: FeedFn;

  constructor(feedFn: FeedFn | Iterable<Feeds> | AsyncIterable<Feeds>) {
    super();
    if (typeof feedFn === 'function') {
      this.#next = feedFn;
      return;
    }
    const source = Object(feedFn) as object;
    if (!(Symbol.asyncIterator in source || Symbol.iterator in source)) {
      throw valueError(
          'FeedFnHook: expected a function or an iterable of feeds');
    }
    const iterator: Iterator<Feeds> | AsyncIterator<Feeds> = Symbol.asyncIterator in feedFn ?
      feedFn[Symbol.asyncIterator]() : feedFn[Symbol.iterator]();
    this.#next = async () => {
      const next = await iterator.next();
      if (next.done === true) throw new OutOfRangeError('End of sequence');
      return next.value;
    };
  }

  override async beforeRun(_context: SessionRunContext): Promise<SessionRunArgs> {
    return new SessionRunArgs(null, await this.#next());
  }
}

/** Settings of a {@link FinalOpsHook}. */
export interface FinalOpsOptions {
  finalOps: Fetches;
  finalOpsFeedDict?: Feeds | null;
}

/** Settings of a {@link GlobalStepWaiterHook}. */
export interface WaiterOptions {
  waitUntilStep?: number;
}

const finalOpsHookNames = ['finalOps', 'finalOpsFeedDict'] as const;

/**
 * Evaluates something at the end of training, to be read from
 * `finalOpsValues`. Errors, at the start: names and feeds that do not fit.
 *
 * ```js
 * const f = tf.train.fetch('f', () => tf.scalar(7));
 * const hook = new tf.train.FinalOpsHook({f});
 * await tf.train.withMonitoredTrainingSession({hooks: [hook]}, async () => {});
 * hook.finalOpsValues; // => {f: 7}
 * tf.resetDefaultGraph();
 * ```
 */
export class FinalOpsHook extends StockHook {
  static override readonly className: string = 'FinalOpsHook';
  readonly #ops: Fetches;
  readonly #feeds: Feeds | null;
  #values: unknown = null;

  constructor(
      ...given: Arguments<FinalOpsOptions, typeof finalOpsHookNames>) {
    const options =
        optionsOf<FinalOpsOptions>(
            'FinalOpsHook', given, finalOpsHookNames, [],
            ['finalOps', 'finalOpsFeedDict']);
    super();
    this.#ops = options.finalOps;
    this.#feeds = options.finalOpsFeedDict ?? null;
  }

  /** The values, once training has ended. */
  get finalOpsValues(): unknown {
    return this.#values;
  }

  override afterCreateSession(session: RawSession, _coord?: Coordinator): void {
    if (this.#ops === null || this.#ops === undefined) return;
    session.plan?.([{fetches: this.#ops, lenient: false}], this.#feeds);
  }

  override async end(session: RawSession): Promise<void> {
    if (this.#ops === null || this.#ops === undefined) return;
    try {
      this.#values = await session.run<unknown>(this.#ops, this.#feeds);
    } catch (error) {
      if (error instanceof OutOfRangeError || error instanceof StopIteration) {
        this.environment.log(
            'An OutOfRangeError or StopIteration exception is raised by the ' +
                'code in FinalOpsHook. This typically means the Ops running ' +
                'by the FinalOpsHook have a dependency back to some input ' +
                'source, which should not happen.', 'error');
      }
      throw error;
    }
  }
}

const pollSecs = 0.5;

const globalStepWaiterHookNames = ['waitUntilStep'] as const;

/**
 * Delays the first run until others have brought the global step to
 * `waitUntilStep`; 0 and less is no wait.
 *
 * ```js
 * new tf.train.GlobalStepWaiterHook(0) instanceof tf.train.SessionRunHook; // => true
 * ```
 */
export class GlobalStepWaiterHook extends StockHook {
  static override readonly className: string = 'GlobalStepWaiterHook';
  readonly #until: number;
  #step: GlobalStep | undefined;
  #coord: Coordinator | undefined;
  #done = false;

  constructor(
      ...given: Arguments<WaiterOptions, typeof globalStepWaiterHookNames>) {
    const {waitUntilStep = 0} = optionsOf<WaiterOptions>(
        'GlobalStepWaiterHook', given, globalStepWaiterHookNames);
    super();
    this.#until = waitUntilStep;
  }

  override begin(): void {
    this.#done = false;
    this.#step = needGlobalStep(this.environment.graph, 'GlobalStepWaiterHook');
  }

  override afterCreateSession(_session: RawSession, coord: Coordinator): void {
    this.#coord = coord;
  }

  override async beforeRun({session}: SessionRunContext): Promise<null> {
    if (this.#done) return null;
    this.#done = true;
    if (this.#until <= 0) return null;
    const {clock, log} = this.environment;
    log(`Waiting for global step ${this.#until} before starting training.`, 'info');
    let told = 0;
    for (;;) {
      const step = await session.run(this.#step!);
      if (step >= this.#until) {
        log('Done waiting.', 'info');
        return null;
      }
      if (step - told > 1000) {
        log(`Waiting for global step ${this.#until} before starting ` +
            `training. Current step is ${step}.`, 'info');
        told = step;
      }
      // Whoever wants to stop does not wait for others first.
      if (this.#coord?.shouldStop()) return null;
      await clock.sleep(pollSecs, this.#coord?.signal);
    }
  }
}

bothCases(FeedFnHook, FinalOpsHook, GlobalStepWaiterHook);
