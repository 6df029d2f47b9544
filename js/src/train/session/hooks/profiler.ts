/** Writes down what runs spend their time on. */
import {runMetadataBytes} from '../run_metadata.js';
import type {Clock} from '../clock.js';
import type {SummaryWriterLike} from '../contracts.js';
import {trainingStorage} from '../contracts.js';
import {needGlobalStep} from '../global_step.js';
import type {GlobalStep} from '../global_step.js';
import {bothCases} from '../hook.js';
import {optionsOf} from '../options.js';
import type {Arguments} from '../options.js';
import {SessionRunArgs} from '../run_context.js';
import type {SessionRunContext, SessionRunValues} from '../run_context.js';
import {settled} from '../run_directory.js';
import type {RunMetadata} from '../session.js';
import {traceLevels} from '../session.js';
import type {SecondOrStepTimer} from '../timer.js';
import {StockHook} from './stock.js';

/** Settings of a {@link ProfilerHook}. */
export interface ProfilerOptions {
  saveSteps?: number | null;
  saveSecs?: number | null;
  outputDir?: string;
  showDataflow?: boolean;
  showMemory?: boolean;
  clock?: Clock;
}

/** A run's kernels as Chrome's trace viewer reads them. */
export function timeline(
    {kernels = [], startSecs = 0}: RunMetadata, showMemory = false): string {
  let ts = startSecs * 1e6;
  const traceEvents: object[] = [
    {name: 'process_name', ph: 'M', pid: 0, args: {name: 'wasm'}},
  ];
  for (const [i, k] of kernels.entries()) {
    const dur = k.kernelTimeMs * 1000;
    traceEvents.push({
      name: k.name, cat: 'Op', ph: 'X', pid: 0, tid: 0, ts, dur,
      args: {
        name: `${k.name}_${i}`, op: k.name,
        input_shapes: JSON.stringify(k.inputShapes),
        output_shapes: JSON.stringify(k.outputShapes),
      },
    });
    ts += dur;
    if (showMemory) {
      traceEvents.push({
        name: 'bytes', cat: 'Memory', ph: 'C', pid: 0, tid: 0, ts,
        args: {bytes: k.totalBytesSnapshot},
      });
    }
  }
  return JSON.stringify({traceEvents});
}

const profilerHookNames = [
      'saveSteps', 'saveSecs', 'outputDir', 'showDataflow', 'showMemory',
    ] as const;

/**
 * Profiles a run every `saveSteps` steps or `saveSecs` seconds, never the
 * first: writes `timeline-<step>.json` for Chrome's trace viewer to
 * `outputDir`, and an event tagged `step_<step>`.
 *
 * Errors: not exactly one of the two.
 *
 * ```js
 * new tf.train.ProfilerHook({saveSteps: 100, outputDir: 'memory://run'})
 *     .outputDir; // => 'memory://run'
 * ```
 */
export class ProfilerHook extends StockHook {
  static override readonly className: string = 'ProfilerHook';
  readonly outputDir: string;
  readonly #showMemory: boolean;
  readonly #timer: SecondOrStepTimer;
  #writer: SummaryWriterLike | undefined;
  #step: GlobalStep | undefined;
  #next: number | undefined;
  #asked = false;

  constructor(
      ...given: Arguments<ProfilerOptions, typeof profilerHookNames>) {
    const options = optionsOf<ProfilerOptions>('ProfilerHook', given, profilerHookNames, ['clock']);
    super(options.clock);
    this.outputDir = settled(options.outputDir ?? '');
    this.#showMemory = options.showMemory ?? false;
    this.#timer = this.timer(options.saveSecs, options.saveSteps);
  }

  override async begin(): Promise<void> {
    const {environment} = this;
    this.#next = undefined;
    this.#step = needGlobalStep(environment.graph, 'ProfilerHook');
    this.#writer = await trainingStorage().writer(this.outputDir, environment);
  }

  override beforeRun(_context: SessionRunContext): SessionRunArgs {
    // After a recovery steps come again: a tag is used once.
    this.#asked = this.#next !== undefined &&
        this.#next > (this.#timer.lastTriggeredStep() ?? -1) &&
        this.#timer.shouldTriggerForStep(this.#next);
    return new SessionRunArgs(
        this.#step, null,
        this.#asked ? {traceLevel: traceLevels.FULL_TRACE} : null);
  }

  override async afterRun(
      _context: SessionRunContext,
      {results, runMetadata}: SessionRunValues): Promise<void> {
    const stale = results as number;
    if (this.#next === undefined) this.#timer.updateLastTriggeredStep(stale);
    let step = stale + 1;
    if (this.#asked) {
      step = this.#step!.number;
      this.#timer.updateLastTriggeredStep(step);
      await trainingStorage().writeFile(
          this.outputDir, `timeline-${step}.json`,
          timeline(runMetadata, this.#showMemory));
      this.#writer!.addRunMetadata(
          runMetadataBytes(runMetadata), `step_${step}`, step);
    }
    this.#next = step + 1;
  }
}

bothCases(ProfilerHook);
