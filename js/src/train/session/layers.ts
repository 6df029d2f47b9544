/**
 * The layers of a monitored session, from the inside: hooks around each run, a
 * coordinator for helpers, and recovery from preemptions.
 */
import {shown} from '../../errors.js';
import {mergeFeeds} from './feeds.js';
import type {Clock, LogFunction} from './clock.js';
import type {Coordinator} from './coordinator.js';
import {isPreemption, runtimeError, valueError} from './errors.js';
import {callHook} from './hook.js';
import type {Hook, HookMethods} from './hook.js';
import type {Fetches} from './fetches.js';
import type {Feeds} from './placeholder.js';
import {SessionRunArgs, SessionRunContext, SessionRunValues} from './run_context.js';
import type {RunWishes} from './run_context.js';
import {checkNamed} from './names.js';
import {isPlain, optionsOf} from './options.js';
import type {RawSession, RunMetadata, RunOptions} from './session.js';

/** Arguments of a run. */
export interface RunArguments {
  readonly fetches: unknown;
  readonly feedDict: Feeds | null;
  readonly options: RunOptions | null;
  readonly runMetadata: RunMetadata | null;
}

const runOptionNames = [
  'traceLevel', 'timeoutInMs', 'interOpThreadPool', 'outputPartitionGraphs',
  'debugTensorWatches', 'resetDiskByteUsage',
  'reportTensorAllocationsUponOom', 'experimental',
];

/** Options in camelCase. Errors: what RunOptions have not. */
const normal = (options: RunOptions | null | undefined): RunOptions =>
  (options === null || options === undefined ? {} :
    optionsOf<RunOptions>('RunOptions', [options], [], runOptionNames));

/** Options of hooks and caller in one: the stronger wish wins. */
export function mergeRunOptions(
    a: RunOptions | null, b: RunOptions | null): RunOptions {
  const [x, y] = [normal(a), normal(b)];
  const merged: RunOptions = {...x, ...y};
  for (const key of ['traceLevel', 'timeoutInMs', 'interOpThreadPool'] as const) {
    if (x[key] === undefined && y[key] === undefined) continue;
    merged[key] = Math.max(x[key] ?? 0, y[key] ?? 0);
  }
  for (const key of [
    'outputPartitionGraphs', 'resetDiskByteUsage',
    'reportTensorAllocationsUponOom',
  ] as const) {
    if (x[key] === undefined && y[key] === undefined) continue;
    merged[key] = Boolean(x[key]) || Boolean(y[key]);
  }
  if (x.debugTensorWatches || y.debugTensorWatches) {
    merged.debugTensorWatches =
        [...x.debugTensorWatches ?? [], ...y.debugTensorWatches ?? []];
  }
  return merged;
}

/** What a hook wants of a run. Errors: it answers with something else. */
function argsOf(hook: Hook, answer: unknown): RunWishes {
  if (answer === null || answer === undefined) return {};
  if (answer instanceof SessionRunArgs) return answer;
  const what = `before_run of ${shown(hook)}`;
  if (!isPlain(answer)) {
    throw valueError(
        `${what} must answer with SessionRunArgs or nothing, got ` +
            shown(answer));
  }
  return optionsOf<RunWishes>(
      what, [answer], [], ['fetches', 'feedDict', 'options']);
}

/** Calls hooks around each run. */
export class HookedSession {
  #stop = false;
  #abandoned = false;

  constructor(readonly raw: RawSession, readonly hooks: readonly Hook[]) {}

  shouldStop(): boolean {
    return this.#stop;
  }

  /** Makes a run that hangs fail as soon as it goes on. */
  abandon(): void {
    this.#abandoned = true;
  }

  async #call<P extends 'beforeRun' | 'afterRun'>(
      hook: Hook, phase: P,
      ...args: Parameters<NonNullable<HookMethods[P]>>): Promise<unknown> {
    const answer: unknown = await callHook(hook, phase, ...args);
    if (this.#abandoned) {
      throw runtimeError('run: the session was closed during this run');
    }
    return answer;
  }

  async run(
      {fetches, feedDict, options, runMetadata}: RunArguments): Promise<unknown> {
    if (this.#stop) {
      throw runtimeError('Run called even after should_stop requested.');
    }
    const {raw, hooks} = this;
    // Hooks may take a batch for this run.
    checkNamed('run', fetches, raw.graph);
    const context = new SessionRunContext(
        new SessionRunArgs(fetches as Fetches, feedDict), raw);
    const asked: unknown[] = [];
    const feeds: (Feeds | null)[] = [];
    let merged = normal(options);
    for (const hook of hooks) {
      const args =
          argsOf(hook, await this.#call(hook, 'beforeRun', context));
      asked.push(args.fetches ?? null);
      feeds.push(args.feedDict ?? null);
      if (args.options) merged = mergeRunOptions(merged, args.options);
    }
    const metadata = runMetadata ?? {};
    const [result, ...forHooks] = await raw.runAll(
        [
          {fetches, lenient: false},
          ...asked.map((wish) => ({fetches: wish, lenient: true})),
        ],
        mergeFeeds(raw.graph, feedDict, feeds), merged, metadata);
    for (const [i, hook] of hooks.entries()) {
      await this.#call(
          hook, 'afterRun', context,
          new SessionRunValues(forHooks[i], merged, metadata));
    }
    this.#stop ||= context.stopRequested;
    return result;
  }
}

/** Stops with a coordinator, and raises what its helpers reported. */
export class CoordinatedSession {
  constructor(
      readonly inner: HookedSession, readonly coord: Coordinator,
      readonly gracePeriodSecs: number) {}

  /** Whether helpers or hooks want to stop. Errors: what helpers reported. */
  shouldStop(): boolean {
    this.coord.raiseRequestedException();
    return this.coord.shouldStop() || this.inner.shouldStop();
  }

  async use<T>(work: (session: HookedSession) => Promise<T>): Promise<T> {
    try {
      return await work(this.inner);
    } catch (error) {
      if (isPreemption(error)) throw error;
      // The helper's preemption may be what made the run fail.
      try {
        this.coord.raiseRequestedException();
      } catch (reported) {
        if (isPreemption(reported)) throw reported;
      }
      throw error;
    }
  }

  async close(): Promise<void> {
    this.coord.requestStop();
    try {
      await this.coord.join({
        stopGracePeriodSecs: this.gracePeriodSecs, ignoreLiveThreads: true,
      });
    } finally {
      await this.inner.raw.close().catch(() => {});
    }
  }
}

/** What the outermost session needs of the layers below. */
export interface SessionStack {
  /** Makes the session now. */
  open(): Promise<void>;
  current(): CoordinatedSession | undefined;
  shouldStop(): boolean;
  use<T>(work: (session: HookedSession) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Makes the layers below. */
export type StackFactory = () => Promise<CoordinatedSession>;

/** Without recovery: a preemption is an error like any other. */
export class SingularStack implements SessionStack {
  #inner: CoordinatedSession | undefined;

  constructor(private readonly create: StackFactory) {}

  async open(): Promise<void> {
    this.#inner ??= await this.create();
  }

  current(): CoordinatedSession | undefined {
    return this.#inner;
  }

  shouldStop(): boolean {
    try {
      return this.#inner?.shouldStop() ?? false;
    } catch {
      return true;
    }
  }

  use<T>(work: (session: HookedSession) => Promise<T>): Promise<T> {
    return this.#inner!.use(work);
  }

  async close(): Promise<void> {
    const inner = this.#inner;
    this.#inner = undefined;
    await inner?.close();
  }
}

/** How recoveries are tried. */
export interface RecoveryOptions {
  readonly clock: Clock;
  readonly log: LogFunction;
  /** How many in a row, before the error goes on. */
  readonly maxRecoveries: number;
}

const firstWaitSecs = 0.1;
const longestWaitSecs = 30;

/** Makes a new session after a preemption and repeats what was called. */
export class RecoverableStack implements SessionStack {
  #inner: CoordinatedSession | undefined;
  #failures = 0;

  constructor(
      private readonly create: StackFactory,
      private readonly recovery: RecoveryOptions) {}

  open(): Promise<void> {
    return this.#attempt(async () => {});
  }

  current(): CoordinatedSession | undefined {
    return this.#inner;
  }

  shouldStop(): boolean {
    try {
      return this.#inner?.shouldStop() ?? false;
    } catch (error) {
      // The next run makes a new session.
      return !isPreemption(error);
    }
  }

  async use<T>(work: (session: HookedSession) => Promise<T>): Promise<T> {
    const result = await this.#attempt((inner) => inner.use(work));
    this.#failures = 0;
    return result;
  }

  async #attempt<T>(
      work: (inner: CoordinatedSession) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        await this.#dropPreempted();
        this.#inner ??= await this.create();
        return await work(this.#inner);
      } catch (error) {
        if (!isPreemption(error)) throw error;
        await this.#recover(error as Error);
      }
    }
  }

  /** Drops a session whose helper reported a preemption. */
  async #dropPreempted(): Promise<void> {
    try {
      this.#inner?.coord.raiseRequestedException();
    } catch (error) {
      if (isPreemption(error)) await this.close();
    }
  }

  async #recover(error: Error): Promise<void> {
    const {clock, log, maxRecoveries} = this.recovery;
    await this.close();
    if (this.#failures >= maxRecoveries) {
      log(`Giving up after ${maxRecoveries} recoveries in a row.`, 'error');
      throw error;
    }
    const wait =
        Math.min(firstWaitSecs * 2 ** this.#failures++, longestWaitSecs);
    log(
        'An error was raised. This may be due to a preemption in a connected ' +
            'worker or parameter server. The current session will be closed ' +
            `and a new session will be created in ${wait} s. Error: ` +
            error.message, 'info');
    await clock.sleep(wait);
  }

  async close(): Promise<void> {
    const inner = this.#inner;
    this.#inner = undefined;
    try {
      await inner?.close();
    } catch (error) {
      if (!isPreemption(error)) throw error;
      this.recovery.log(
          `An error occurred when attempting to close the session: ${
            (error as Error).message}`, 'error');
    }
  }
}
