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
import {Variable, variableNamed} from '../../variable.js';
import {guardStep} from '../step_watch.js';
import {systemClock} from './clock.js';
import type {Clock} from './clock.js';
import type {Coordinator} from './coordinator.js';
import {
  DeadlineExceededError, InvalidArgumentError, runtimeError, valueError,
} from './errors.js';
import {checkLeaves, hostValue, leavesOf, mapFetches} from './fetches.js';
import type {Fetched} from './fetches.js';
import {GlobalStep, getGlobalStep} from './global_step.js';
import type {Graph, Placeholder} from './graph.js';
import {noteStep, stepGuard} from './late_optimizers.js';
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
  /** Lets the session ask for the end of training. */
  coordinate?(coord: Coordinator): void;
  /** Before the last close: how training ended, undefined for well. */
  leave?(error: unknown): void;
}

interface Running {
  readonly results: Map<GraphFunction, unknown>;
  readonly stale: Map<unknown, unknown>;
  readonly feeds: Map<Placeholder, FeedValue>;
  readonly tensors: Map<Placeholder, Tensor>;
  readonly summaries: Map<string, SummaryValues> | undefined;
}

const bare = (name: string): string => name.replace(/:0$/, '');

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
   * Errors: closed; a name that is not there or whose function is not in this
   * run; feeds that are missing or do not fit; what functions throw;
   * DeadlineExceeded after a run that took longer than it may.
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

  #run(
      requests: readonly FetchRequest[], given: Feeds | null,
      options: RunOptions | null, metadata: RunMetadata | null): unknown[] {
    if (this.#closed) throw runtimeError('Attempted to use a closed Session.');
    const leaves = requests.map(({fetches}) => leavesOf(fetches));
    leaves.forEach(checkLeaves);
    const all = leaves.flat();
    for (const leaf of all) this.#checkElement(leaf);
    const running: Running = {
      results: new Map(),
      stale: new Map(),
      feeds: resolveFeeds(this.graph, given),
      tensors: new Map(),
      summaries: wantsSummaries(all) ? new Map() : undefined,
    };
    const traced = (options?.traceLevel ?? 0) > traceLevels.NO_TRACE;
    const timeout = options?.timeoutInMs || this.timeoutInMs;
    const started = this.clock.now();
    const body = (): unknown[] => tidy('run', () => {
      // All feeds are checked, also those that nothing in this run reads.
      for (const [p, value] of running.feeds) {
        running.tensors.set(p, fedTensor(p, value));
      }
      this.#readFirst(all, running);
      this.#runFunctions(all, running, options);
      const values = requests.map(({fetches, lenient}) => mapFetches(
          fetches, (leaf) => this.#value(leaf, lenient, running)));
      // Nothing can interrupt a function, so this is told afterwards.
      const took = (this.clock.now() - started) * 1000;
      if (timeout > 0 && took > timeout) {
        throw new DeadlineExceededError(
            `run: it took ${Math.round(took)} ms, more than ${timeout} ms`);
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

  #readFirst(leaves: readonly unknown[], {stale}: Running): void {
    for (const leaf of leaves) {
      const source = typeof leaf === 'string' ? this.#named(leaf) : leaf;
      if (source instanceof GlobalStep) stale.set(leaf, source.number);
      else if (source instanceof Variable) stale.set(leaf, source.arraySync());
    }
  }

  #named(name: string): unknown {
    const {graph} = this;
    return bare(name) === 'global_step' ? getGlobalStep(graph) :
      graph.variableNamed(name) ?? graph.variableNamed(bare(name));
  }

  #runFunctions(
      leaves: readonly unknown[], running: Running,
      options: RunOptions | null): void {
    const timeout = options?.timeoutInMs || this.timeoutInMs;
    const started = this.clock.now();
    for (const leaf of leaves) {
      if (!(leaf instanceof GraphFunction) || running.results.has(leaf)) {
        continue;
      }
      if (timeout > 0 && (this.clock.now() - started) * 1000 > timeout) {
        throw new DeadlineExceededError(
            `run: '${leaf.name}' was not started within ${timeout} ms`);
      }
      running.results.set(leaf, this.#call(leaf, running));
      if (leaf.kind !== 'step') continue;
      getGlobalStep(this.graph)!.increment();
      noteStep(this, this.graph, leaf.name);
    }
  }

  /** Calls a function; sessions of jobs do steps in their own way. */
  protected invoke(
      f: GraphFunction, inputs: () => Record<string, Tensor>): unknown {
    return f.call(inputs() as never);
  }

  #inputs(
      f: GraphFunction,
      tensors: ReadonlyMap<Placeholder, Tensor>): Record<string, Tensor> {
    const inputs: Record<string, Tensor> = {};
    for (const [key, p] of Object.entries(f.inputs)) {
      const fed = tensors.get(p);
      if (fed === undefined) {
        throw new InvalidArgumentError(
            `You must feed a value for placeholder '${p.name}' with dtype ` +
                `${p.dtype} and shape [${p.shape.map((n) => n ?? '?')}]: ` +
                `'${f.name}' needs it`);
      }
      inputs[key] = fed;
    }
    return inputs;
  }

  #call(f: GraphFunction, {tensors, summaries}: Running): unknown {
    const recorded = f.recorded !== undefined;
    // Copies when recorded: one tensor may be fed for two placeholders.
    const fed = new Map<Placeholder, Tensor>();
    for (const p of Object.values(f.inputs)) {
      const x = tensors.get(p);
      if (x !== undefined) fed.set(p, recorded ? x : clone(x));
    }
    const call = (): unknown => {
      const result = this.invoke(f, () => this.#inputs(f, fed));
      if (result instanceof Promise) {
        result.catch(() => {});
        throw new InvalidArgumentError(
            `run: '${f.name}' returned a promise; a ${f.kind} must be ` +
                'synchronous: await its data before the run');
      }
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
    f.outputs = outputs;
    this.graph.version++;
    return result;
  }

  #value(leaf: unknown, lenient: boolean, running: Running): unknown {
    const {results, stale, summaries, tensors} = running;
    if (leaf === null) return null;
    if (stale.has(leaf)) {
      this.#checkClash(leaf, results);
      return stale.get(leaf);
    }
    if (leaf instanceof GraphFunction) return hostValue(results.get(leaf));
    if (leaf instanceof Variable || leaf instanceof GlobalStep) {
      throw new InvalidArgumentError(`run: '${leaf.name}' cannot be read`);
    }
    const name = bare(typeof leaf === 'string' ? leaf : (leaf as Placeholder).name);
    if (name === 'summary_op') {
      const values = [...summaries!.values()].flat();
      return values.length > 0 ? values : null;
    }
    if (name.startsWith('summary_op/')) {
      return summaries!.get(name.slice('summary_op/'.length)) ?? null;
    }
    if (this.graph.placeholderNamed(name)) {
      const fed = tensors.get(this.graph.placeholderNamed(name)!);
      if (fed) return fed.arraySync();
      if (lenient) return undefined;
      throw new InvalidArgumentError(
          `You must feed a value for placeholder '${name}'`);
    }
    const found = partNamed(name, results);
    if (found !== undefined) return hostValue(found.value);
    // Hooks go without functions that did not run, but not without parts that
    // functions do not have: those are misspelt.
    const owner = this.graph.functions
        .filter((f) => name === f.name || name.startsWith(`${f.name}/`))
        .reduce<string>((a, {name: b}) => (b.length > a.length ? b : a), '');
    const ran = [...results.keys()].some((f) => f.name === owner);
    if (lenient && !ran) return undefined;
    throw this.#missing(name, results);
  }

  /** Errors: a name that a variable and a result have. */
  #checkClash(
      name: unknown, results: ReadonlyMap<GraphFunction, unknown>): void {
    const found = typeof name === 'string' && partNamed(bare(name), results);
    if (!found) return;
    throw new InvalidArgumentError(
        `run: '${name}' is a variable, and what the ${found.f.kind} ` +
            `'${found.f.name}' returned: give one of them another name, or ` +
            'fetch the variable itself');
  }

  #missing(
      name: string, results: ReadonlyMap<GraphFunction, unknown>)
      : InvalidArgumentError {
    const f = this.graph.functions.find(
        (f) => name === f.name || name.startsWith(`${f.name}/`));
    if (f === undefined) {
      const other = variableNamed(name) !== undefined;
      return new InvalidArgumentError(
          `run: the graph has nothing of the name '${name}'` + (other ?
            ': the variable of that name was made in another graph, as ' +
            'before clear_session() or resetDefaultGraph()' : ''));
    }
    const ran = [...results.keys()].some((g) => g.name === f.name);
    return new InvalidArgumentError(ran ?
      `run: what '${f.name}' returned has no '${name}'` :
      `run: '${name}' is a result of the ${f.kind} '${f.name}', which is not ` +
          'part of this run: a name never makes a function run');
  }
}

/** True where summaries are fetched, which are encoded as they are told. */
export function wantsSummaries(fetches: readonly unknown[]): boolean {
  return leavesOf(fetches).some((leaf) =>
    typeof leaf === 'string' && /^summary_op(\/|(:0)?$)/.test(leaf));
}

/** Who returned what has this name. */
function partNamed(name: string, results: ReadonlyMap<GraphFunction, unknown>)
    : {f: GraphFunction, value: unknown} | undefined {
  for (const [f, result] of results) {
    if (name === f.name) return {f, value: result};
    if (!name.startsWith(`${f.name}/`)) continue;
    const value = part(result, name.slice(f.name.length + 1));
    if (value !== undefined) return {f, value};
  }
  return undefined;
}

/** The part of a result that `a/b` leads to. */
function part(result: unknown, path: string): unknown {
  let x = result;
  for (const key of path.split('/')) {
    if (typeof x !== 'object' || x === null || !Object.hasOwn(x, key)) {
      return undefined;
    }
    x = (x as Record<string, unknown>)[key];
  }
  return x;
}
