/** Monitored sessions: what training loops hold in their hands. */
import {shown} from '../../errors.js';
import {consoleLog, systemClock} from './clock.js';
import {Coordinator} from './coordinator.js';
import type {SessionCreator} from './creators.js';
import {ChiefSessionCreator} from './creators.js';
import {Directories} from './directories.js';
import {AbortedError, isCleanEnd, runtimeError, valueError} from './errors.js';
import type {Fetched} from './fetches.js';
import {passTurn} from './run_turns.js';
import {getDefaultGraph} from './graph.js';
import type {Graph} from './graph.js';
import {callHook, checkHooks} from './hook.js';
import type {Hook, HookEnvironment} from './hook.js';
import {CheckpointSaverHook} from './hooks/checkpoint.js';
import {StockHook} from './hooks/stock.js';
import {
  CoordinatedSession, HookedSession, RecoverableStack, SingularStack,
} from './layers.js';
import {forgetUnclaimed} from './late_optimizers.js';
import type {SessionStack} from './layers.js';
import type {Feeds} from './placeholder.js';
import type {RawSession, RunMetadata, RunOptions} from './session.js';
import {onPageEvents} from './quit.js';
import {onSignals} from './signals.js';
import {nextTurn} from '../../turns.js';
import {optionsOf} from './options.js';
import type {Arguments} from './options.js';
import type {Scaffold} from './scaffold.js';
import {StepContext, extraNames, sessionNames} from './session_args.js';
import type {MonitoredSessionArgs} from './session_args.js';

/**
 * A session with hooks that recovers from preemptions. Make one with
 * `MonitoredTrainingSession`, or of a creator and hooks; the first `run` opens
 * it, or `open`.
 */
export class MonitoredSession {
  static readonly className: string = 'MonitoredSession';
  readonly #creator: SessionCreator;
  readonly #hooks: readonly Hook[];
  readonly #graph: Graph;
  readonly #environment: HookEnvironment;
  readonly #gracePeriodSecs: number;
  readonly #directories: Directories;
  readonly #handleSignals: boolean;
  readonly #checkpointOnHide: boolean;
  readonly #stack: SessionStack;
  #opening: Promise<void> | undefined;
  #raw: RawSession | undefined;
  #wasFinalized = false;
  #opened = false;
  #closed = false;
  #freed = false;
  #running: Promise<unknown> | undefined;
  #failed = false;
  #stopRequested = false;
  #unwatch: (() => void)[] = [];

  constructor(...given: Arguments<MonitoredSessionArgs, typeof sessionNames>) {
    const args = optionsOf<MonitoredSessionArgs>(
        'MonitoredSession', given,
        sessionNames,
        ['directories', 'checkpointDir', ...extraNames]);
    const {
      clock = systemClock, onLog: log = consoleLog, onSaveError = 'raise',
      maxRecoveries = 10,
    } = args;
    this.#creator = args.sessionCreator ?? new ChiefSessionCreator();
    this.#hooks = checkHooks('hooks', args.hooks);
    this.#gracePeriodSecs = args.stopGracePeriodSecs ?? 120;
    this.#directories = new Directories(
        args.directories ?? [], this.#hooks, args.checkpointDir ?? null);
    this.#handleSignals = args.handleSignals ?? true;
    this.#checkpointOnHide = args.checkpointOnHide ?? true;
    this.#graph = getDefaultGraph();
    this.#environment = {
      graph: this.#graph, clock, log, onSaveError,
      saved: (directory) =>
        this.#creator.saved?.(directory, this.#environment),
    };
    const create = (): Promise<CoordinatedSession> => this.#create();
    this.#stack = this.recovers() ?
      new RecoverableStack(create, {clock, log, maxRecoveries}) :
      new SingularStack(create);
  }

  /** Whether preemptions are recovered from. */
  protected recovers(): boolean {
    return true;
  }

  /** The graph; null once the session is closed. */
  get graph(): Graph | null {
    return this.#closed ? null : this.#graph;
  }

  /** The scaffold the session was made with. */
  get scaffold(): Scaffold {
    return this.#creator.scaffold;
  }

  /** True once the session is closed. */
  get closed(): boolean {
    return this.#closed;
  }

  /** The session without hooks. */
  protected raw(): RawSession | undefined {
    return this.#stack.current()?.inner.raw;
  }

  /**
   * Calls the hooks' `begin` and creates the session, unless that is done.
   * Errors: of hooks, scaffold and restoring; then the session is closed.
   */
  open(): Promise<this> {
    this.#assertOpen();
    this.#opening ??= this.#open();
    return this.#opening.then(() => this);
  }

  async #open(): Promise<void> {
    this.#wasFinalized = this.#graph.finalized;
    try {
      await this.#directories.claim(this.#environment);
      for (const hook of this.#hooks) {
        if (hook instanceof StockHook) hook.environment = this.#environment;
      }
      for (const hook of this.#hooks) {
        await this.#graph.enter(() => callHook(hook, 'begin'));
      }
      this.#unwatch.push(this.#watchPage());
      if (this.#handleSignals) {
        this.#unwatch.push(onSignals(
            () => this.requestStop(), this.#environment.log));
      }
      await this.#stack.open();
      this.#opened = true;
    } catch (error) {
      this.#closed = true;
      await this.#cleanUp().catch(() => {});
      throw error;
    }
  }

  /** Saves and flushes when the page is hidden or left. */
  #watchPage(): () => void {
    const {clock, log} = this.#environment;
    const saver = this.#hooks.find((hook) => hook instanceof CheckpointSaverHook);
    return onPageEvents({
      flush: () => this.#directories.flush(this.#environment),
      save: async () => {
        const raw = this.raw();
        if (raw) await saver?.saveForNow(raw);
      },
      saving: () => saver?.saving ?? false,
      revalidate: () => this.#revalidate(),
    }, {clock, log, checkpointOnHide: this.#checkpointOnHide});
  }

  /** After a page was in the browser's cache, others may have written. */
  async #revalidate(): Promise<void> {
    const ask = (error: unknown): void =>
      this.#stack.current()?.coord.requestStop(error);
    try {
      if (await this.#directories.revalidate()) return;
      ask(new AbortedError(
          'the directory was let go while the page was in the cache of the ' +
              'browser: the next run restores what is there now'));
    } catch (error) {
      ask(error);
      throw error;
    }
  }

  async #create(): Promise<CoordinatedSession> {
    // A recovery that waits may outlive the session.
    if (this.#freed) throw runtimeError('Session is already closed.');
    const {clock, log} = this.#environment;
    const raw = await this.#creator.createSession(this.#environment);
    const coord = new Coordinator([], clock, log);
    if (this.#stopRequested) coord.requestStop();
    raw.coordinate?.(coord);
    this.#raw = raw;
    const session = new CoordinatedSession(
        new HookedSession(raw, this.#hooks), coord, this.#gracePeriodSecs);
    try {
      for (const hook of this.#hooks) {
        await callHook(hook, 'afterCreateSession', raw, coord);
      }
    } catch (error) {
      await session.close().catch(() => {});
      throw error;
    }
    return session;
  }

  #assertOpen(): void {
    if (this.#closed) throw runtimeError('Session is already closed.');
  }

  /** Holds other runs off while `work` is at it. */
  async #exclusive<T>(
      work: (session: HookedSession) => Promise<T>): Promise<T> {
    this.#assertOpen();
    if (this.#running) {
      throw runtimeError(
          'run: another run of this session is in progress: await it first');
    }
    const running = this.#use(work);
    this.#running = running;
    try {
      return await running;
    } finally {
      this.#running = undefined;
    }
  }

  async #use<T>(work: (session: HookedSession) => Promise<T>): Promise<T> {
    try {
      if (!this.#opened) await this.open();
      const result = await this.#stack.use(work);
      this.#failed = false;
      await passTurn();
      return result;
    } catch (error) {
      this.#failed = !isCleanEnd(error);
      throw error;
    }
  }

  /**
   * Runs steps and fetches, with all hooks, and resolves to their values as
   * plain ones in the nesting they were asked for. After a preemption it makes
   * a new session and tries again.
   *
   * Errors: closed; a stop was asked for by a hook in the run before; another
   * run in progress; what hooks and functions throw.
   */
  run<const F>(
      fetches: F, feedDict: Feeds | null = null,
      options: RunOptions | null = null,
      runMetadata: RunMetadata | null = null): Promise<Fetched<F>> {
    return this.#exclusive((session) =>
      session.run({fetches, feedDict, options, runMetadata}) as
        Promise<Fetched<F>>);
  }

  /**
   * Calls `fn` with a context that has the session without hooks and
   * `runWithHooks`; resolves to what it returns. After a preemption it is
   * called again. Errors: `fn` does not take exactly one argument.
   */
  async runStepFn<T>(fn: (stepContext: StepContext) => T | Promise<T>): Promise<T> {
    if (typeof fn !== 'function' || fn.length !== 1) {
      throw valueError(
          'runStepFn: `step_fn` must be a function of one argument, the ' +
              '`step_context`, got ' + (typeof fn === 'function' ?
              `a function of ${fn.length}` : shown(fn)));
    }
    return this.#exclusive(async (session) => {
      const runWithHooks: StepContext['runWithHooks'] =
          <const F>(fetches: F, feedDict: Feeds | null = null) =>
            session.run(
                {fetches, feedDict, options: null, runMetadata: null}) as
              Promise<Fetched<F>>;
      return fn(new StepContext(session.raw, runWithHooks));
    });
  }

  /** True when the loop shall end: a stop was asked for, or it is closed. */
  shouldStop(): boolean {
    if (this.#closed || this.#stopRequested) return true;
    return this.#stack.shouldStop();
  }

  /** Asks the loop to end after the run in progress. */
  requestStop(): void {
    this.#stopRequested = true;
    this.#stack.current()?.coord.requestStop();
  }

  /**
   * Ends in a clean way: calls the hooks' `end`, then frees everything.
   * Errors: closed already; a run in progress, unless a stop was asked for; what
   * `end` throws; what a helper reported.
   */
  async close(): Promise<void> {
    this.#assertOpen();
    if (this.#running && !this.shouldStop()) {
      throw runtimeError(
          'close: a run of this session is in progress: await it first');
    }
    await this.exit(undefined);
  }

  /**
   * Closes after the block of the session ended with `error`, undefined for
   * none; hooks' `end` is called only for a clean end. A run in progress is
   * waited for, but not longer than the grace period: then it counts as failed.
   */
  async exit(error: unknown): Promise<void> {
    this.#assertOpen();
    this.#closed = true;
    const ended = await this.#runEnds();
    const clean = ended && (error === undefined || isCleanEnd(error));
    const raw = this.raw() ?? this.#raw;
    let failure: [unknown] | undefined;
    try {
      if (clean && raw) {
        for (const hook of this.#hooks) await callHook(hook, 'end', raw);
      }
    } catch (ended) {
      failure = [ended];
    }
    raw?.leave?.(clean ? failure?.[0] :
      error ?? runtimeError('a run did not end'));
    try {
      await this.#cleanUp();
    } catch (closing) {
      failure ??= [closing];
    }
    if (failure && clean) throw failure[0];
  }

  /** Waits for the run in progress; false when it does not end in time. */
  async #runEnds(): Promise<boolean> {
    let ended = false;
    const patience = new AbortController();
    const runs = Promise.allSettled([this.#opening, this.#running])
        .then(() => {
          ended = true;
          patience.abort();
        });
    // Most end at once, whatever the clock is; some give away a turn.
    for (let turn = 0; turn < 3 && !ended; turn++) {
      await Promise.race([runs, nextTurn()]);
    }
    if (!ended) {
      const {clock} = this.#environment;
      await Promise.race(
          [runs, clock.sleep(this.#gracePeriodSecs, patience.signal)]);
    }
    if (ended) return true;
    this.#stack.current()?.inner.abandon();
    this.#environment.log(
        `A run did not end within ${this.#gracePeriodSecs} s: the session is ` +
            'closed without it, and without a last checkpoint.', 'error');
    return false;
  }

  /** Frees everything, whatever fails. Errors: the first of those. */
  async #cleanUp(): Promise<void> {
    this.#freed = true;
    const steps: (() => void | Promise<void>)[] = [
      ...this.#unwatch.splice(0),
      () => this.#stack.close(),
      () => this.#creator.dispose?.(this.#environment),
      () => forgetUnclaimed(this.#graph),
      () => {
        if (!this.#wasFinalized) this.#graph.unfinalize();
      },
      () => this.#directories.release(),
    ];
    let failure: [unknown] | undefined;
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        failure ??= [error];
      }
    }
    if (failure) throw failure[0];
  }

  /** Closes; a session whose last run failed is not ended but only closed. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    await this.exit(this.#failed ? runtimeError('the last run failed') : undefined);
  }

  // The same by TensorFlow's names.
  should_stop(): boolean {
    return this.shouldStop();
  }
  request_stop(): void {
    this.requestStop();
  }
  run_step_fn<T>(fn: (stepContext: StepContext) => T | Promise<T>): Promise<T> {
    return this.runStepFn(fn);
  }
}
