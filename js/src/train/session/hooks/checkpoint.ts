/** Saves checkpoints every so often, and before and after training. */
import {graphNodes, graphDef, metaGraphDef} from '../graph_def.js';
import {encodeGraph, graphText} from '../../../io/checkpoint/graph.js';
import {sessionStatus} from '../../../io/events/event.js';
import {loadFormats} from '../../../io/formats.js';
import type {Clock} from '../clock.js';
import type {SaverLike, SummaryWriterLike} from '../contracts.js';
import {trainingStorage} from '../contracts.js';
import type {Coordinator} from '../coordinator.js';
import {runtimeError, valueError} from '../errors.js';
import {needGlobalStep} from '../global_step.js';
import type {GlobalStep} from '../global_step.js';
import {bothCases, checkMethods} from '../hook.js';
import type {MaybePromise} from '../hook.js';
import {optionsOf, snakeCase} from '../options.js';
import type {Arguments} from '../options.js';
import {SessionRunArgs} from '../run_context.js';
import type {SessionRunContext, SessionRunValues} from '../run_context.js';
import {joinPath, settled} from '../run_directory.js';
import type {Scaffold} from '../scaffold.js';
import type {RawSession} from '../session.js';
import type {SecondOrStepTimer} from '../timer.js';
import {StockHook} from './stock.js';

/** Methods of listeners, in either case; all may be left out. */
export interface CheckpointListener {
  begin?(): MaybePromise<void>;
  beforeSave?(session: RawSession, globalStep: number): MaybePromise<void>;
  /** True asks the loop to stop. */
  afterSave?(session: RawSession, globalStep: number): MaybePromise<boolean | void>;
  end?(session: RawSession, globalStep: number): MaybePromise<void>;
  before_save?(session: RawSession, globalStep: number): MaybePromise<void>;
  after_save?(session: RawSession, globalStep: number): MaybePromise<boolean | void>;
}

/** A base for listeners; write the methods you need. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging
export class CheckpointSaverListener {
  static readonly className: string = 'CheckpointSaverListener';
}
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-empty-object-type
export interface CheckpointSaverListener extends CheckpointListener {}

async function tell(
    listener: CheckpointListener,
    method: 'begin' | 'beforeSave' | 'afterSave' | 'end',
    ...args: unknown[]): Promise<unknown> {
  const methods = listener as unknown as
      Record<string, ((...args: unknown[]) => unknown) | undefined>;
  const name = methods[method] ? method : snakeCase(method);
  return await methods[name]?.(...args);
}

/** Settings of a {@link CheckpointSaverHook}. */
export interface CheckpointSaverOptions {
  checkpointDir: string;
  saveSecs?: number | null;
  saveSteps?: number | null;
  saver?: SaverLike | null;
  checkpointBasename?: string;
  scaffold?: Scaffold | null;
  listeners?: readonly CheckpointListener[] | null;
  saveGraphDef?: boolean;
  clock?: Clock;
}

const checkpointSaverHookNames = [
          'checkpointDir', 'saveSecs', 'saveSteps', 'saver',
          'checkpointBasename', 'scaffold', 'listeners', 'saveGraphDef',
        ] as const;

/**
 * Saves when a session is created, every `saveSecs` seconds or `saveSteps`
 * steps, and at the end if the last step is not saved yet. `graph.pbtxt` is
 * written unless `saveGraphDef` is false.
 *
 * Errors: saver and scaffold both; not exactly one of seconds and steps;
 * listeners that have none of their methods, or a misspelt one.
 *
 * ```js
 * const hook = new tf.train.CheckpointSaverHook(
 *     {checkpointDir: 'memory://run', saveSteps: 10});
 * hook.checkpointDir; // => 'memory://run'
 * ```
 */
export class CheckpointSaverHook extends StockHook {
  static override readonly className: string = 'CheckpointSaverHook';
  readonly checkpointDir: string;
  readonly #timer: SecondOrStepTimer;
  readonly #saver: SaverLike | null;
  readonly #scaffold: Scaffold | null;
  readonly #listeners: readonly CheckpointListener[];
  readonly #prefix: string;
  readonly #saveGraphDef: boolean;
  #writer: SummaryWriterLike | undefined;
  #step: GlobalStep | undefined;
  // The version of the graph that was written.
  #written = -1;
  // Saves under way, and the step last saved because the page was hidden.
  #saves = 0;
  #hidden: number | undefined;

  constructor(
      ...given: Arguments<CheckpointSaverOptions, typeof checkpointSaverHookNames>) {
    const options = optionsOf<CheckpointSaverOptions>(
        'CheckpointSaverHook', given, checkpointSaverHookNames, ['clock']);
    super(options.clock);
    const {checkpointDir, saver = null, scaffold = null} = options;
    if (typeof checkpointDir !== 'string' || checkpointDir === '') {
      throw valueError('CheckpointSaverHook: checkpoint_dir is missing');
    }
    if (saver !== null && scaffold !== null) {
      throw valueError('You cannot provide both saver and scaffold.');
    }
    this.checkpointDir = settled(checkpointDir);
    this.#saver = saver;
    this.#scaffold = scaffold;
    this.#listeners = checkMethods(
        'CheckpointSaverHook: listeners', options.listeners,
        ['begin', 'beforeSave', 'afterSave', 'end'], CheckpointSaverListener);
    this.#saveGraphDef = options.saveGraphDef ?? true;
    this.#prefix = joinPath(
        this.checkpointDir, options.checkpointBasename ?? 'model.ckpt');
    this.#timer = this.timer(options.saveSecs, options.saveSteps);
  }

  override async begin(): Promise<void> {
    const {environment} = this;
    this.#step = needGlobalStep(environment.graph, 'CheckpointSaverHook');
    await loadFormats();
    this.#writer =
        await trainingStorage().writer(this.checkpointDir, environment);
    for (const listener of this.#listeners) await tell(listener, 'begin');
  }

  override async afterCreateSession(
      session: RawSession, _coord?: Coordinator): Promise<void> {
    const step = this.#step!.number;
    const {graph} = this.environment;
    await this.#writeGraph(step);
    this.#writer!.addMetaGraph(metaGraphDef(graph), step);
    await this.#save(session, step);
    this.#timer.updateLastTriggeredStep(step);
  }

  override beforeRun(_context: SessionRunContext): SessionRunArgs {
    return new SessionRunArgs(this.#step);
  }

  override async afterRun(
      context: SessionRunContext, _values: SessionRunValues): Promise<void> {
    const {graph} = this.environment;
    const step = this.#step!.number;
    // Functions that ran for the first time have been recorded.
    if (graph.version !== this.#written) await this.#writeGraph(step);
    if (!this.#timer.shouldTriggerForStep(step)) return;
    this.#timer.updateLastTriggeredStep(step);
    if (await this.#save(context.session, step)) context.requestStop();
  }

  override async end(session: RawSession): Promise<void> {
    const step = this.#step!.number;
    if (step !== this.#timer.lastTriggeredStep()) {
      await this.#save(session, step);
    }
    for (const listener of this.#listeners) {
      await tell(listener, 'end', session, step);
    }
  }

  /** True while a save is under way. */
  get saving(): boolean {
    return this.#saves > 0;
  }

  /**
   * Saves what is not saved yet, as when the page is hidden. The values are
   * those of the call; the rhythm stays as it is, and the next such save takes
   * this one's place.
   */
  async saveForNow(session: RawSession): Promise<void> {
    const step = this.#step!.number;
    if (step === this.#timer.lastTriggeredStep() || step === this.#hidden) {
      return;
    }
    await this.#write(session, step, true);
    this.#hidden = step;
  }

  async #write(
      session: RawSession, step: number, transient = false): Promise<void> {
    this.#saves++;
    try {
      await this.#chosenSaver().save(session, this.#prefix, transient ?
        {globalStep: step, writeMetaGraph: false, transient} :
        {globalStep: step, writeMetaGraph: this.#saveGraphDef});
    } finally {
      this.#saves--;
    }
  }

  async #writeGraph(step: number): Promise<void> {
    const {graph} = this.environment;
    this.#written = graph.version;
    if (this.#saveGraphDef) {
      await trainingStorage().writeFile(
          this.checkpointDir, 'graph.pbtxt',
          graphText(encodeGraph({nodes: graphNodes(graph)})));
    }
    this.#writer!.addGraph(graphDef(graph), step);
  }

  #chosenSaver(): SaverLike {
    const saver = this.#saver ?? this.#scaffold?.saver;
    if (saver) return saver;
    const found = this.environment.graph.getCollection('savers');
    if (found.length !== 1) {
      throw runtimeError(found.length === 0 ?
        'No items in collection savers. Please add a saver to the ' +
          'collection or provide a saver or scaffold.' :
        'More than one item in collection savers. Please indicate which one ' +
          'to use by passing it to the constructor.');
    }
    return found[0] as SaverLike;
  }

  /** Saves; true when a listener wants to stop. */
  async #save(session: RawSession, step: number): Promise<boolean> {
    const {log, onSaveError, saved} = this.environment;
    log(`Saving checkpoints for ${step} into ${this.#prefix}.`, 'info');
    for (const listener of this.#listeners) {
      await tell(listener, 'beforeSave', session, step);
    }
    try {
      await this.#write(session, step);
    } catch (error) {
      if (onSaveError !== 'warn') throw error;
      log(`Saving for step ${step} failed: ${(error as Error).message}`, 'warn');
      return false;
    }
    saved(this.checkpointDir);
    this.#writer!.addSessionLog(
        {status: sessionStatus.checkpoint, checkpointPath: this.#prefix}, step);
    let stop = false;
    for (const listener of this.#listeners) {
      if (await tell(listener, 'afterSave', session, step) === true) {
        log('A CheckpointSaverListener requested that training be stopped.',
            'info');
        stop = true;
      }
    }
    return stop;
  }
}

bothCases(CheckpointSaverHook);
