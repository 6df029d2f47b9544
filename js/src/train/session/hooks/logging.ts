/** Prints values every so often. */
import type {Clock} from '../clock.js';
import type {Coordinator} from '../coordinator.js';
import {valueError} from '../errors.js';
import {leavesOf} from '../fetches.js';
import type {Fetch, Fetches} from '../fetches.js';
import {bothCases} from '../hook.js';
import {checkNamed} from '../names.js';
import {isPlain, optionsOf} from '../options.js';
import type {Arguments} from '../options.js';
import {SessionRunArgs} from '../run_context.js';
import type {SessionRunContext, SessionRunValues} from '../run_context.js';
import type {RawSession} from '../session.js';
import {NeverTriggerTimer} from '../timer.js';
import type {StepTimer} from '../timer.js';
import {StockHook} from './stock.js';

/** Settings of a {@link LoggingTensorHook}. */
export interface LoggingOptions {
  /** What to print, by tag or in a list. */
  tensors: readonly Fetch[] | Readonly<Record<string, Fetch>>;
  everyNIter?: number | null;
  everyNSecs?: number | null;
  atEnd?: boolean;
  /** Makes the text of values by tag. */
  formatter?: ((values: Record<string, unknown>) => string) | null;
  clock?: Clock;
}

const loggingTensorHookNames = [
      'tensors', 'everyNIter', 'everyNSecs', 'atEnd', 'formatter',
    ] as const;

/**
 * Prints values every `everyNIter` runs of this session or `everyNSecs`
 * seconds, the first run included; `atEnd` prints once more at the end, with
 * the last values of steps and new ones of everything else.
 *
 * Errors: not exactly one of the two, unless only `atEnd`; `everyNIter` below
 * 1; a name that the graph or the function that ran does not have.
 *
 * ```js
 * const train = tf.train.step('train', () => ({loss: 0.5}));
 * const lines = [];
 * await tf.train.withMonitoredTrainingSession({
 *   hooks: [new tf.train.LoggingTensorHook(['train/loss'], {everyNIter: 10})],
 *   onLog: (line) => lines.push(line),
 * }, async (sess) => { await sess.run(train); });
 * lines; // => ['train/loss = 0.5']
 * tf.resetDefaultGraph();
 * ```
 */
export class LoggingTensorHook extends StockHook {
  static override readonly className: string = 'LoggingTensorHook';
  readonly #tags: string[];
  readonly #fetches: Fetches[];
  readonly #timer: StepTimer;
  readonly #atEnd: boolean;
  readonly #formatter: LoggingOptions['formatter'];
  #iteration = 0;
  #due = false;
  #last: unknown[] = [];

  constructor(
      ...given: Arguments<LoggingOptions, typeof loggingTensorHookNames>) {
    const options = optionsOf<LoggingOptions>('LoggingTensorHook', given, loggingTensorHookNames, ['clock'], ['tensors']);
    super(options.clock);
    const {tensors, everyNIter = null, everyNSecs = null, atEnd = false} = options;
    const onlyAtEnd = atEnd && everyNIter === null && everyNSecs === null;
    if (!onlyAtEnd && (everyNIter === null) === (everyNSecs === null)) {
      throw valueError(
          'either at_end and/or exactly one of every_n_iter and every_n_secs ' +
              'must be provided.');
    }
    if (everyNIter !== null && everyNIter <= 0) {
      throw valueError(`invalid every_n_iter=${everyNIter}.`);
    }
    if (!Array.isArray(tensors) && !isPlain(tensors)) {
      throw valueError(
          'LoggingTensorHook: expected a list of what to print, or an object');
    }
    const entries: [string, Fetches][] = Array.isArray(tensors) ?
      (tensors as Fetch[]).map((x) => [tagOf(x), x]) :
      Object.entries(tensors as Record<string, Fetch>)
          .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    this.#tags = entries.map(([tag]) => tag);
    this.#fetches = entries.map(([, x]) => x);
    this.#atEnd = atEnd;
    this.#formatter = options.formatter;
    this.#timer = onlyAtEnd ? new NeverTriggerTimer() :
      this.timer(everyNSecs, everyNIter);
  }

  override begin(): void {
    this.#timer.reset();
    this.#iteration = 0;
  }

  override afterCreateSession({graph}: RawSession, _coord?: Coordinator): void {
    checkNamed('LoggingTensorHook', this.#fetches, graph);
  }

  override beforeRun(_context: SessionRunContext): SessionRunArgs | null {
    this.#due = this.#timer.shouldTriggerForStep(this.#iteration);
    return this.#due || this.#atEnd ? new SessionRunArgs(this.#fetches) : null;
  }

  override afterRun(_context: SessionRunContext, {results}: SessionRunValues): void {
    if (results !== null) this.#last = results as unknown[];
    if (this.#due) this.#print(this.#last);
    this.#iteration++;
  }

  override async end(session: RawSession): Promise<void> {
    if (!this.#atEnd) return;
    const values: unknown[] = [];
    for (const [i, fetch] of this.#fetches.entries()) {
      values.push(isStepPart(fetch, session) ? this.#last[i] :
        await session.run<unknown>(fetch));
    }
    this.#print(values);
  }

  #print(values: readonly unknown[]): void {
    const [secs] = this.#timer.updateLastTriggeredStep(this.#iteration);
    // What did not run has nothing to show.
    const shown = this.#tags
        .map((tag, i) => [tag, values[i]] as const)
        .filter(([, value]) => value !== undefined);
    if (shown.length === 0) return;
    const text = this.#formatter ? this.#formatter(Object.fromEntries(shown)) :
      shown.map(([tag, value]) => `${tag} = ${textOf(value)}`).join(', ') +
          (secs === null ? '' : ` (${secs.toFixed(3)} sec)`);
    this.environment.log(text, 'info');
  }
}

const tagOf = (x: Fetches): string =>
  (typeof x === 'string' ? x : (x as {name?: string} | null)?.name ?? 'null');

const textOf = (value: unknown): string =>
  (typeof value === 'object' ? JSON.stringify(value) : `${value as number}`);

/** True for what only a run of a step, or of a function by name, gives. */
function isStepPart(fetch: Fetches, {graph}: RawSession): boolean {
  return leavesOf(fetch).some((leaf) => {
    if (typeof leaf !== 'string') {
      return (leaf as {kind?: string} | null)?.kind === 'step';
    }
    const name = leaf.replace(/:0$/, '');
    return graph.functions.some((f) => name === f.name || name.startsWith(`${f.name}/`));
  });
}

bothCases(LoggingTensorHook);
