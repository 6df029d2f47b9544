/**
 * The session under all layers: runs functions and reads values. One run is
 * synchronous from its first read to its last, so nothing comes between.
 */
import {formatsLoaded, loadFormats} from '../../io/formats.js';
import {clone} from '../../ops/creation.js';
import {noteKernels} from '../../profile.js';
import type {KernelInfo} from '../../profile.js';
import {tidy} from '../../scope.js';
import type {Tensor} from '../../tensor.js';
import {Variable} from '../../variable.js';
import {guardStep} from '../step_watch.js';
import {systemClock} from './clock.js';
import type {Clock} from './clock.js';
import type {Coordinator} from './coordinator.js';
import {
  DeadlineExceededError, InvalidArgumentError, runtimeError, valueError,
} from './errors.js';
import {
  checkLeaf, hostValue, isPlaceholder, leavesOf, mapFetches, outlineOf,
} from './fetches.js';
import type {Fetched} from './fetches.js';
import {GlobalStep, getGlobalStep, needGlobalStep} from './global_step.js';
import type {Graph, Placeholder} from './graph.js';
import {noteStep, stepGuard} from './late_optimizers.js';
import {
  bare, checkClash, checkNamed, isSummary, notGiven, partNamed,
} from './names.js';
import {fedTensor, resolveFeeds} from './placeholder.js';
import type {FeedValue, Feeds} from './placeholder.js';
import {record} from './recorder.js';
import {GraphFunction} from './step.js';
import {collectSummaries} from './summary.js';
import type {SummaryValues} from './summary.js';

/** How much a run is watched, as TensorFlow numbers it. */
export const traceLevels = {
  NO_TRACE: 0, SOFTWARE_TRACE: 1, HARDWARE_TRACE: 2, FULL_TRACE: 3,
} as const;

/** Options of a run. */
export interface RunOptions {
  traceLevel?: number;
  timeoutInMs?: number;
  interOpThreadPool?: number;
  outputPartitionGraphs?: boolean;
  debugTensorWatches?: readonly unknown[];
  resetDiskByteUsage?: boolean;
  reportTensorAllocationsUponOom?: boolean;
}

/** What a traced run tells. */
export interface RunMetadata {
  /** Kernels in the order they ran, when traced. */
  kernels?: KernelInfo[];
  /** When the run began, in seconds of the session's clock. */
  startSecs?: number;
  /** Tags of what was told, in runs with summaries. */
  summaryTags?: string[];
}

/** Something to fetch in a run: hooks get undefined for what did not run. */
export interface FetchRequest {
  readonly fetches: unknown;
  readonly lenient: boolean;
}

/** The session that hooks are given. */
export interface RawSession {
  readonly graph: Graph;
  run<const F>(
    fetches: F, feedDict?: Feeds | null, options?: RunOptions | null,
    runMetadata?: RunMetadata | null): Promise<Fetched<F>>;
  /** Answers several requests with one run. */
  runAll(
    requests: readonly FetchRequest[], feeds?: Feeds | null,
    options?: RunOptions | null,
    runMetadata?: RunMetadata | null): Promise<unknown[]>;
  close(): Promise<void>;
  /** Errors: what would be one in a run before anything runs. */
  plan?(requests: readonly FetchRequest[], feeds: Feeds | null): unknown;
  /** Lets the session ask for the end of training. */
  coordinate?(coord: Coordinator): void;
  /** Before the last close: how training ended, undefined for well. */
  leave?(error: unknown): void;
}

/** What a run will do. */
interface Plan {
  readonly leaves: readonly unknown[];
  readonly functions: ReadonlySet<GraphFunction>;
  readonly feeds: Map<Placeholder, FeedValue>;
}

interface Running extends Plan {
  readonly results: Map<GraphFunction, unknown>;
  readonly stale: Map<unknown, unknown>;
  readonly tensors: Map<Placeholder, Tensor>;
  readonly summaries: Map<string, SummaryValues> | undefined;
}

/** A session in this realm. */
export class Session implements RawSession {
  static readonly className: string = 'Session';
  #closed = false;

  constructor(
      readonly graph: Graph, readonly clock: Clock = systemClock,
      readonly timeoutInMs = 0) {}

  /**
   * Runs what is asked for and reads it: variables and the global step first,
   * then functions in order, then their parts by name.
   *
   * Errors, before anything runs: closed; a name that is not there or whose
   * function is not in this run; feeds that are missing or do not fit. Later:
   * what functions throw; a part that a function did not return, when it ran for
   * the first time; DeadlineExceeded after a run that took longer than it may.
   */
  async run<const F>(
      fetches: F, feedDict: Feeds | null = null,
      options: RunOptions | null = null,
      runMetadata: RunMetadata | null = null): Promise<Fetched<F>> {
    const [result] = await this.runAll(
        [{fetches, lenient: false}], feedDict, options, runMetadata);
    return result as Fetched<F>;
  }

  async runAll(
      requests: readonly FetchRequest[], feeds: Feeds | null = null,
      options: RunOptions | null = null,
      runMetadata: RunMetadata | null = null): Promise<unknown[]> {
    const fetches = requests.map((request) => request.fetches);
    if (wantsSummaries(fetches) && !formatsLoaded()) await loadFormats();
    return this.#run(requests, feeds, options, runMetadata);
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  /** Checks all that can be known of a run before anything runs. */
  plan(
      requests: readonly FetchRequest[], given: Feeds | null): Plan {
    if (this.#closed) throw runtimeError('Attempted to use a closed Session.');
    const leaves = requests.map(({fetches}) => leavesOf(fetches));
    const all = leaves.flat();
    const functions = new Set<GraphFunction>();
    for (const leaf of all) {
      checkLeaf('run', leaf);
      this.#checkElement(leaf);
      if (leaf instanceof GraphFunction) functions.add(leaf);
    }
    const feeds = resolveFeeds(this.graph, given);
    for (const f of functions) {
      if (f.kind === 'step') needGlobalStep(this.graph, `step '${f.name}'`);
      if (!this.feeds(f)) continue;
      for (const p of Object.values(f.inputs)) {
        if (!feeds.has(p)) throw notFed(p, `: '${f.name}' needs it`);
      }
    }
    for (const [i, {lenient}] of requests.entries()) {
      for (const leaf of leaves[i]!) {
        this.#checkName(leaf, lenient, functions, feeds);
      }
    }
    return {leaves: all, functions, feeds};
  }

  #checkName(
      leaf: unknown, lenient: boolean, functions: ReadonlySet<GraphFunction>,
      feeds: ReadonlyMap<Placeholder, unknown>): void {
    if (!(typeof leaf === 'string' || isPlaceholder(leaf))) return;
    checkNamed('run', String(leaf), this.graph);
    const name = bare(String(leaf));
    const p = this.graph.placeholderNamed(name);
    if (p !== undefined) {
      if (!lenient && !feeds.has(p)) throw notFed(p);
    } else if (this.#named(String(leaf)) !== undefined) {
      for (const f of functions) checkClash(name, f, f.outline);
    } else if (!isSummary(name)) {
      const reason = notGiven(name, this.graph, functions, lenient);
      if (reason !== undefined) throw new InvalidArgumentError(reason);
    }
  }

  #run(
      requests: readonly FetchRequest[], given: Feeds | null,
      options: RunOptions | null, metadata: RunMetadata | null): unknown[] {
    const plan = this.plan(requests, given);
    const running: Running = {
      leaves: plan.leaves,
      functions: plan.functions,
      feeds: plan.feeds,
      results: new Map(),
      stale: new Map(),
      tensors: new Map(),
      summaries: wantsSummaries(plan.leaves) ? new Map() : undefined,
    };
    const traced = (options?.traceLevel ?? 0) > traceLevels.NO_TRACE;
    const timeout = options?.timeoutInMs || this.timeoutInMs;
    const started = this.clock.now();
    const body = (): unknown[] => tidy('run', () => {
      // All feeds are checked, also those that nothing in this run reads.
      for (const [p, value] of running.feeds) {
        running.tensors.set(p, fedTensor(p, value));
      }
      this.#readFirst(running);
      this.#runFunctions(running, options);
      const values = requests.map(({fetches, lenient}) => mapFetches(
          fetches, (leaf) => this.#value(leaf, lenient, running)));
      // Nothing can interrupt a function, so this is told afterwards.
      const took = (this.clock.now() - started) * 1000;
      if (timeout > 0 && took > timeout) {
        throw new DeadlineExceededError(
            `run: it took ${Math.round(took)} ms, more than ${timeout} ms` +
                this.#spent(running));
      }
      if (metadata !== null && running.summaries) {
        metadata.summaryTags = [...running.summaries.keys()];
      }
      return values;
    });
    if (!traced || metadata === null) return body();
    metadata.startSecs = this.clock.now();
    return noteKernels(metadata.kernels = [], body);
  }

  /** Errors: it is of another graph. */
  #checkElement(leaf: unknown): void {
    const {graph} = this;
    const own = leaf instanceof GraphFunction ? leaf.graph === graph :
      leaf instanceof Variable ? !graph.isForeign(leaf as Variable) :
        leaf instanceof GlobalStep ? leaf === getGlobalStep(graph) :
          leaf === null || typeof leaf === 'string' ||
              graph.placeholderNamed((leaf as Placeholder).name) === leaf;
    if (own) return;
    throw valueError(
        `run: '${(leaf as Placeholder).name}' is not an element of this ` +
            "session's graph: it was made in another tf.Graph, or before " +
            'clear_session() or resetDefaultGraph()');
  }

  /** What errors add that are told when steps of the run are done. */
  #spent({results}: Running): string {
    const steps = [...results.keys()].filter(({kind}) => kind === 'step');
    return steps.length === 0 ? '' :
      `; ${steps.map(({name}) => `'${name}'`).join(', ')} did run, and the ` +
          `global step is ${String(getGlobalStep(this.graph))}`;
  }

  /** The same for a step whose result is none. */
  #uncounted({kind}: GraphFunction): string {
    return kind === 'fetch' ? '' :
      '; it did run, but is not counted: the global step is ' +
          String(getGlobalStep(this.graph));
  }

  #readFirst({leaves, stale}: Running): void {
    for (const leaf of leaves) {
      const source = typeof leaf === 'string' ? this.#named(leaf) : leaf;
      if (source instanceof GlobalStep) stale.set(leaf, source.number);
      else if (source instanceof Variable) stale.set(leaf, source.arraySync());
    }
  }

  #named(name: string): Variable | GlobalStep | undefined {
    const {graph} = this;
    return bare(name) === 'global_step' ? getGlobalStep(graph) ?? undefined :
      graph.variableNamed(name) ?? graph.variableNamed(bare(name));
  }

  #runFunctions(running: Running, options: RunOptions | null): void {
    const timeout = options?.timeoutInMs || this.timeoutInMs;
    const started = this.clock.now();
    for (const f of running.functions) {
      if (timeout > 0 && (this.clock.now() - started) * 1000 > timeout) {
        throw new DeadlineExceededError(
            `run: '${f.name}' was not started within ${timeout} ms` +
                this.#spent(running));
      }
      running.results.set(f, this.#call(f, running));
      if (f.kind !== 'step') continue;
      getGlobalStep(this.graph)!.increment();
      noteStep(this.graph, f.name);
    }
  }

  /** Whether a function needs its feeds: a chief only hears of steps. */
  protected feeds(_f: GraphFunction): boolean {
    return true;
  }

  /** Calls a function; sessions of jobs do steps in their own way. */
  protected invoke(
      f: GraphFunction, inputs: () => Record<string, Tensor>): unknown {
    return f.call(inputs() as never);
  }

  #call(f: GraphFunction, {tensors, summaries}: Running): unknown {
    const recorded = f.recorded !== undefined;
    // Copies when recorded: one tensor may be fed for two placeholders.
    const fed = new Map<Placeholder, Tensor>();
    for (const p of Object.values(f.inputs)) {
      const x = tensors.get(p);
      if (x !== undefined) fed.set(p, recorded ? x : clone(x));
    }
    const inputs = (): Record<string, Tensor> => Object.fromEntries(
        Object.entries(f.inputs).map(([key, p]) => [key, fed.get(p)!]));
    let outline: unknown;
    const call = (): unknown => {
      const result = this.invoke(f, inputs);
      if (result instanceof Promise) {
        result.catch(() => {});
        throw new InvalidArgumentError(
            `run: '${f.name}' returned a promise; a ${f.kind} must be ` +
                'synchronous: await its data before the run' +
                this.#uncounted(f));
      }
      outline = outlineOf(f.name, result, () => this.#uncounted(f));
      return result;
    };
    const guarded = f.kind === 'step' ? (): unknown =>
      guardStep(stepGuard(this, this.graph, f.name), call) : call;
    const run = (): unknown => this.graph.enter(() =>
      collectSummaries(summaries, () => tidy(f.name, guarded)));
    if (recorded) return run();
    const names = [...fed].map(([{name}, x]) => [name, x] as const);
    const {result, recording, outputs} = record(this.graph, names, run);
    f.recorded = recording;
    f.outline = outline;
    f.outputs = outputs;
    this.graph.version++;
    return result;
  }

  #value(leaf: unknown, lenient: boolean, running: Running): unknown {
    const {results, stale, summaries, tensors} = running;
    if (leaf === null) return null;
    if (leaf instanceof GraphFunction) return hostValue(results.get(leaf));
    const name = bare(
        typeof leaf === 'string' ? leaf : (leaf as Placeholder).name);
    if (stale.has(leaf)) {
      if (typeof leaf === 'string') {
        for (const [f, result] of results) {
          checkClash(name, f, result, this.#spent(running));
        }
      }
      return stale.get(leaf);
    }
    if (isSummary(name)) {
      const values = name === 'summary_op' ? [...summaries!.values()].flat() :
        summaries!.get(name.slice('summary_op/'.length)) ?? [];
      return values.length > 0 ? values : null;
    }
    const p = this.graph.placeholderNamed(name);
    if (p !== undefined) return tensors.get(p)?.arraySync();
    for (const [f, result] of results) {
      const found = partNamed(name, f, result);
      if (found !== undefined) return hostValue(found);
    }
    // Its function ran for the first time, or returned something else before.
    const reason = notGiven(
        name, this.graph, running.functions, lenient, () => false);
    if (reason === undefined) return undefined;
    throw new InvalidArgumentError(reason + this.#spent(running));
  }
}

/** The error for a placeholder without a value. */
function notFed({name, dtype, shape}: Placeholder, why = ''): Error {
  return new InvalidArgumentError(
      `You must feed a value for placeholder '${name}' with dtype ${dtype} ` +
          `and shape [${shape.map((n) => n ?? '?')}]${why}`);
}

/** True where summaries are fetched, which are encoded as they are told. */
export function wantsSummaries(fetches: readonly unknown[]): boolean {
  return leavesOf(fetches).some((leaf) =>
    typeof leaf === 'string' && isSummary(bare(leaf)));
}
