/** Writes summaries and the speed of training to event files. */
import {sessionStatus} from '../../../io/events/event.js';
import {scalarValue} from '../../../io/events/summary.js';
import {loadFormats} from '../../../io/formats.js';
import type {Clock} from '../clock.js';
import type {SummaryWriterLike} from '../contracts.js';
import {trainingStorage} from '../contracts.js';
import {valueError} from '../errors.js';
import type {Fetches} from '../fetches.js';
import {leavesOf, mapFetches} from '../fetches.js';
import {needGlobalStep} from '../global_step.js';
import type {GlobalStep} from '../global_step.js';
import {bothCases} from '../hook.js';
import {bare, isSummary} from '../names.js';
import {optionsOf} from '../options.js';
import type {Arguments} from '../options.js';
import {SessionRunArgs} from '../run_context.js';
import type {SessionRunContext, SessionRunValues} from '../run_context.js';
import {settled} from '../run_directory.js';
import {checkTags} from '../scaffold.js';
import type {Scaffold} from '../scaffold.js';
import type {RawSession} from '../session.js';
import {GraphFunction} from '../step.js';
import type {SecondOrStepTimer} from '../timer.js';
import {StockHook} from './stock.js';

/** Settings of a {@link SummarySaverHook}. */
export interface SummarySaverOptions {
  saveSteps?: number | null;
  saveSecs?: number | null;
  outputDir?: string | null;
  summaryWriter?: SummaryWriterLike | null;
  scaffold?: Scaffold | null;
  /** Tags, one or a list; `'summary_op'` is all of them. */
  summaryOp?: Fetches | undefined;
  clock?: Clock;
}

const isTag = (leaf: unknown): leaf is string =>
  typeof leaf === 'string' && !isSummary(bare(leaf));

/** The fetch that gives the summaries of a tag. */
const ofTag = (leaf: unknown): unknown =>
  (isTag(leaf) ? `summary_op/${leaf}` : leaf);

const summarySaverHookNames = [
      'saveSteps', 'saveSecs', 'outputDir', 'summaryWriter', 'scaffold',
      'summaryOp',
    ] as const;

/**
 * Writes what steps tell with `tf.summary`: at the first run, then every
 * `saveSteps` steps or `saveSecs` seconds.
 *
 * Tags that nothing has told are logged once. Errors: not exactly one of seconds
 * and steps, and of scaffold and summaryOp; what is no tag; neither directory
 * nor writer.
 *
 * ```js
 * const hook = new tf.train.SummarySaverHook(
 *     {saveSteps: 10, outputDir: 'memory://run', summaryOp: ['loss']});
 * hook.outputDir; // => 'memory://run'
 * ```
 */
export class SummarySaverHook extends StockHook {
  static override readonly className: string = 'SummarySaverHook';
  readonly outputDir: string | null;
  readonly #timer: SecondOrStepTimer;
  readonly #scaffold: Scaffold | null;
  readonly #summaryOp: Fetches | undefined;
  #writer: SummaryWriterLike | null;
  #step: GlobalStep | undefined;
  #next: number | undefined;
  #started = false;
  #asked = false;
  // Tags that were told, or are known to be missing.
  readonly #seen = new Set<string>();

  constructor(
      ...given: Arguments<SummarySaverOptions, typeof summarySaverHookNames>) {
    const options = optionsOf<SummarySaverOptions>('SummarySaverHook', given, summarySaverHookNames, ['clock']);
    super(options.clock);
    const {scaffold = null, summaryOp, outputDir = null} = options;
    const hasOp = summaryOp !== undefined && summaryOp !== null;
    if ((scaffold === null) === !hasOp) {
      throw valueError(
          'Exactly one of scaffold or summary_op must be provided.');
    }
    this.#writer = options.summaryWriter ?? null;
    if (outputDir === null && this.#writer === null) {
      throw valueError(
          'SummarySaverHook: output_dir or summary_writer must be provided.');
    }
    this.outputDir = outputDir && settled(outputDir);
    this.#scaffold = scaffold;
    this.#summaryOp = summaryOp;
    checkTags('SummarySaverHook', summaryOp);
    this.#timer = this.timer(options.saveSecs, options.saveSteps);
  }

  override async begin(): Promise<void> {
    const {environment} = this;
    this.#step = needGlobalStep(environment.graph, 'SummarySaverHook');
    this.#next = undefined;
    this.#started = false;
    this.#writer ??=
        await trainingStorage().writer(this.outputDir!, environment);
    this.#timer.reset();
  }

  override beforeRun(_context: SessionRunContext): SessionRunArgs {
    this.#asked = this.#next === undefined ||
        this.#timer.shouldTriggerForStep(this.#next);
    const op = this.#op();
    const wanted = this.#asked && op !== undefined && op !== null ?
      mapFetches(op, ofTag) as Fetches : null;
    return new SessionRunArgs({globalStep: this.#step!, summary: wanted});
  }

  #op(): Fetches | undefined {
    return this.#scaffold ? this.#scaffold.summaryOp : this.#summaryOp;
  }

  /** Says which tags nobody has told so far, once. */
  #watch(told: readonly string[]): void {
    for (const tag of told) this.#seen.add(tag);
    if (told.length === 0) return;
    for (const tag of leavesOf(this.#op()).filter(isTag)) {
      if (this.#seen.has(tag)) continue;
      this.#seen.add(tag);
      this.environment.log(
          `SummarySaverHook: no summary '${tag}' was told so far, only ` +
              told.map((name) => `'${name}'`).join(', '), 'warn');
    }
  }

  override afterRun(
      _context: SessionRunContext,
      {results, runMetadata}: SessionRunValues): void {
    if (this.#asked) this.#watch(runMetadata.summaryTags ?? []);
    const {globalStep: stale, summary} =
        results as {globalStep: number, summary: unknown};
    const now = this.#step!.number;
    const told = summariesIn(summary);
    const first = this.#next === undefined;
    const step = first || this.#asked ? now : stale + 1;
    if (!this.#started) {
      this.#writer!.addSessionLog({status: sessionStatus.start}, step);
      this.#started = true;
    }
    // A run that only looks at something leaves the turn to the next.
    if (now <= stale && told.length === 0) return;
    if (this.#asked) {
      this.#timer.updateLastTriggeredStep(step);
      for (const values of told) this.#writer!.addSummary(values, step);
    }
    this.#next = step + 1;
  }

  override async end(_session?: RawSession): Promise<void> {
    await this.#writer?.flush();
  }
}

/** The summaries that a fetch gave, in order. */
function summariesIn(x: unknown): Uint8Array[][] {
  if (x === null || x === undefined) return [];
  if (Array.isArray(x)) {
    if (x.length > 0 && x.every((v) => v instanceof Uint8Array)) return [x];
    return x.flatMap(summariesIn);
  }
  return typeof x === 'object' ? Object.values(x).flatMap(summariesIn) : [];
}

/** Settings of a {@link StepCounterHook}. */
export interface StepCounterOptions {
  everyNSteps?: number | null;
  everyNSecs?: number | null;
  outputDir?: string | null;
  summaryWriter?: SummaryWriterLike | null;
  clock?: Clock;
}

const stepCounterHookNames = [
      'everyNSteps', 'everyNSecs', 'outputDir', 'summaryWriter',
    ] as const;

/**
 * Logs how many steps a second are made, and writes it under
 * `global_step/sec`. The first time only starts the measurement.
 *
 * Errors: not exactly one of steps and seconds.
 *
 * ```js
 * new tf.train.StepCounterHook({everyNSteps: 10}).outputDir; // => null
 * ```
 */
export class StepCounterHook extends StockHook {
  static override readonly className: string = 'StepCounterHook';
  readonly outputDir: string | null;
  readonly #timer: SecondOrStepTimer;
  #writer: SummaryWriterLike | null;
  #step: GlobalStep | undefined;
  #last: number | undefined;
  // Whether there was a step at all, and whether the run before should have
  // been one: programs that have steps may look at other things between them.
  #trains = false;
  #suspect = false;
  #warnings = 0;

  constructor(
      ...given: Arguments<StepCounterOptions, typeof stepCounterHookNames>) {
    const options = optionsOf<StepCounterOptions>('StepCounterHook', given, stepCounterHookNames, ['clock']);
    super(options.clock);
    const secs = options.everyNSecs ?? null;
    // The default of steps gives way to seconds only when it is null.
    const steps = options.everyNSteps === undefined ?
      secs === null ? 100 : null : options.everyNSteps;
    if ((secs === null) === (steps === null)) {
      throw valueError(
          'exactly one of every_n_steps and every_n_secs should be provided.');
    }
    this.#timer = this.timer(secs, steps);
    this.#writer = options.summaryWriter ?? null;
    this.outputDir = options.outputDir ? settled(options.outputDir) : null;
  }

  override async begin(): Promise<void> {
    const {environment} = this;
    this.#step = needGlobalStep(environment.graph, 'StepCounterHook');
    // For writers of others.
    await loadFormats();
    if (this.#writer === null && this.outputDir) {
      this.#writer =
          await trainingStorage().writer(this.outputDir, environment);
    }
  }

  override beforeRun(_context: SessionRunContext): SessionRunArgs {
    return new SessionRunArgs(this.#step);
  }

  override afterRun(
      {originalArgs}: SessionRunContext, {results}: SessionRunValues): void {
    const stale = results as number;
    const step = this.#step!.number;
    if (this.#timer.shouldTriggerForStep(stale + 1) &&
        this.#timer.shouldTriggerForStep(step)) {
      const [secs, steps] = this.#timer.updateLastTriggeredStep(step);
      if (secs !== null) this.#tell(steps, secs, step);
    }
    this.#watch(stale);
    const ran = leavesOf(originalArgs.fetches)
        .filter((leaf) => leaf instanceof GraphFunction);
    const stepped = ran.some(({kind}) => kind === 'step');
    this.#trains ||= stepped;
    this.#suspect = stepped || (ran.length > 0 && !this.#trains);
  }

  #tell(steps: number, secs: number, step: number): void {
    // A clock too coarse for the steps would give infinity, and a recovery may
    // have gone back.
    if (secs <= 0 || steps <= 0) return;
    const tag = `${this.#step!.name}/sec`;
    this.environment.log(`${tag}: ${Number((steps / secs).toPrecision(6))}`, 'info');
    this.#writer?.addSummary([scalarValue(tag, steps / secs)], step);
  }

  #watch(stale: number): void {
    if (this.#suspect && stale === this.#last && this.#warnings < 5) {
      this.#warnings++;
      this.environment.log(
          'It seems that global step (tf.train.getGlobalStep) has not been ' +
              `increased. Current value (could be stable): ${stale} vs ` +
              `previous value: ${this.#last}. Run a tf.train.step to ` +
              'increase it.', 'warn');
    }
    this.#last = stale;
  }
}

bothCases(SummarySaverHook, StepCounterHook);
