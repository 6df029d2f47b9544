/** Creators of sessions: the chief restores or initializes, workers wait. */
import {shown} from '../../errors.js';
import type {Optimizer} from '../optimizer.js';
import type {LogFunction} from './clock.js';
import type {SaverLike, StorageContext} from './contracts.js';
import {trainingStorage} from './contracts.js';
import {
  DataLossError, DeadlineExceededError, FailedPreconditionError, runtimeError,
  valueError,
} from './errors.js';
import {getGlobalStep} from './global_step.js';
import {isNodeName} from './graph.js';
import type {Graph} from './graph.js';
import {
  forgetUnclaimed, onLateOptimizer, prepareOptimizers,
} from './late_optimizers.js';
import {optionsOf} from './options.js';
import type {Arguments} from './options.js';
import {directoryName, settled, settledPath} from './run_directory.js';
import {Scaffold} from './scaffold.js';
import type {ReadyOp} from './scaffold.js';
import {Session} from './session.js';
import type {RawSession} from './session.js';
import {Snapshot} from './snapshot.js';

/** Makes sessions; asked again after each preemption. */
export interface SessionCreator {
  readonly scaffold: Scaffold;
  createSession(context: StorageContext): Promise<RawSession>;
  /** Lets go of what is held for recoveries. */
  dispose?(context: StorageContext): void;
  /** A directory has a checkpoint: recoveries start there if it is theirs. */
  saved?(directory: string, context: StorageContext): void;
}

/** What D13 takes of TensorFlow's ConfigProto, and what it passes over. */
export interface SessionConfig {
  intraOpParallelismThreads?: number;
  operationTimeoutInMs?: number;
  cluster?: {workers?: number};
}

// Fields of TensorFlow's ConfigProto; all but the first line mean nothing here.
const configNames = [
  'intraOpParallelismThreads', 'operationTimeoutInMs', 'cluster',
  'deviceCount', 'interOpParallelismThreads', 'usePerSessionThreads',
  'sessionInterOpThreadPool', 'placementPeriod', 'deviceFilters', 'gpuOptions',
  'pluggableDeviceOptions', 'allowSoftPlacement', 'logDevicePlacement',
  'graphOptions', 'rpcOptions', 'clusterDef', 'isolateSessionState',
  'shareClusterDevicesInSession', 'experimental',
];

/** What a session is opened for. */
export interface MasterRole {
  readonly isChief: boolean;
  /** How long a worker waits for its chief. */
  readonly maxWaitSecs: number;
}

/** Sessions for a `master` other than this realm. */
export interface Master {
  open(
    master: string, context: StorageContext, config: SessionConfig,
    role: MasterRole): Promise<RawSession>;
  /** What `isChief` is where it is not given. Errors: nothing known of it. */
  isChief(master: string): boolean;
}

const masters = new Map<string, Master>();
const schemeOf = (master: string): string =>
  /^([a-z]+):\/\//.exec(master)?.[1] ?? '';

/** Adds a kind of master: `worker` opens `worker://job`. */
export function registerMaster(scheme: string, kind: Master): void {
  masters.set(scheme, kind);
}

/** Whether a session is a chief's when nobody says so. */
export function chiefByDefault(master: string): boolean {
  return masters.get(schemeOf(master))?.isChief(master) ?? true;
}

async function open(
    master: string, config: SessionConfig, context: StorageContext,
    role: MasterRole): Promise<RawSession> {
  const {graph, clock} = context;
  if (master === '' || master === 'local') {
    return new Session(graph, clock, config.operationTimeoutInMs ?? 0);
  }
  const kind = masters.get(schemeOf(master));
  if (kind === undefined) {
    throw valueError(`master: nothing is known of '${master}'; '' is this ` +
        'page or worker' + [...masters.keys()].map((m) => `, ${m}://`).join(''));
  }
  return kind.open(master, context, config, role);
}

/** Names that are not ready, as text; undefined when all are. */
async function notReady(op: ReadyOp | null): Promise<string | undefined> {
  if (op === null) return undefined;
  let names: unknown;
  try {
    names = await op();
  } catch (error) {
    if (error instanceof FailedPreconditionError &&
        error.message.includes('uninitialized')) {
      return error.message;
    }
    throw error;
  }
  // Programs for TensorFlow 1 may answer with a number.
  if (names === null || names === undefined || typeof names === 'number') {
    return undefined;
  }
  if (!Array.isArray(names)) {
    throw valueError(
        `ready_op must answer with a list of names, got ${shown(names)}`);
  }
  if (names.length === 0) return undefined;
  return `Variables not initialized: ${names.join(', ')}`;
}

async function localInit(
    scaffold: Scaffold, session: RawSession): Promise<string | undefined> {
  if (scaffold.localInitOp === null) return undefined;
  const reason = await notReady(scaffold.readyForLocalInitOp);
  if (reason !== undefined) return reason;
  await scaffold.localInitOp(session, scaffold.localInitFeedDict);
  return undefined;
}

function checkNames(graph: Graph): void {
  const bad = [...graph.variables.keys()]
      .filter((name) => /^\d+$/.test(name) || !isNodeName(name));
  if (bad.length === 0) return;
  throw valueError(
      `checkpoint_dir: the variables ${bad.map((n) => `'${n}'`).join(', ')} ` +
          'have no names that a later run could find them by: name them, as ' +
          "in tf.variable(x, true, 'weights'), of letters, digits and " +
          '_ . - / >, and a letter, a digit or . first');
}

/**
 * Looks at what a saver leaves out, before anything is trained. Errors: the
 * global step, without which a later run would begin at 0 and write over the
 * checkpoints there are.
 */
function checkSaver(saver: SaverLike | null, context: StorageContext): void {
  const {graph, log} = context;
  const saved = saver?.savedOf?.(graph);
  if (saved === undefined) return;
  const step = getGlobalStep(graph);
  if (step !== null && !saved.has(step)) {
    throw valueError(
        'checkpoint_dir: the saver does not save global_step, so that a later ' +
            'run would begin at step 0: pass tf.train.getOrCreateGlobalStep() ' +
            'in its variables');
  }
  const out = [...graph.variables]
      .filter(([, v]) => v.trainable && !saved.has(v))
      .map(([name]) => `'${name}'`);
  warnOfUnsaved([...out, ...unsavedSlots(saved, graph.optimizers)], log);
}

const unsavedSlots = (
    saved: ReadonlySet<unknown>, optimizers: readonly Optimizer[]): string[] =>
  optimizers.filter((o) => o.slots().some(({value}) => !saved.has(value)))
      .map((o) => `the slots of ${o.getClassName()}`);

function warnOfUnsaved(out: readonly string[], log: LogFunction): void {
  if (out.length === 0) return;
  log('checkpoint_dir: the saver does not save ' + out.join(', ') +
      ': a later run starts with new ones', 'warn');
}

/** What all creators take. */
interface CreatorOptions {
  scaffold?: Scaffold | null;
  master?: string;
  /** As ConfigProto has it, in either case. */
  config?: Readonly<Record<string, unknown>> | null;
}

/** Options of a creator. Errors: a config with a field ConfigProto has not. */
function creatorOptions<T extends CreatorOptions>(
    what: string, given: readonly unknown[], names: readonly string[])
    : Omit<T, 'config'> & {config: SessionConfig} {
  const options = optionsOf<T>(what, given, names, [], ['config']);
  return {
    ...options,
    config: optionsOf<SessionConfig>(
        'config', [options.config ?? {}], [], configNames),
  };
}

/** Where and how a chief creates its sessions. */
export interface ChiefOptions extends CreatorOptions {
  checkpointDir?: string | null;
  checkpointFilenameWithPath?: string | null;
}

const chiefNames = [
  'scaffold', 'master', 'config', 'checkpointDir',
  'checkpointFilenameWithPath',
] as const;

/** Creates sessions that own the variables. */
export class ChiefSessionCreator implements SessionCreator {
  static readonly className: string = 'ChiefSessionCreator';
  readonly scaffold: Scaffold;
  readonly #options: ReturnType<typeof creatorOptions<ChiefOptions>>;
  // Of each session: what recoveries begin with while there is no checkpoint,
  // undefined once there is one.
  readonly #starts = new WeakMap<StorageContext, {snapshot?: Snapshot}>();
  readonly #warned = new WeakSet<Optimizer>();

  constructor(...given: Arguments<ChiefOptions, typeof chiefNames>) {
    this.#options = creatorOptions<ChiefOptions>(
        'ChiefSessionCreator', given, chiefNames);
    const {checkpointDir, checkpointFilenameWithPath: file} = this.#options;
    if (checkpointDir) this.#options.checkpointDir = settled(checkpointDir);
    if (file) this.#options.checkpointFilenameWithPath = settledPath(file);
    this.scaffold = this.#options.scaffold ?? new Scaffold();
  }

  async createSession(context: StorageContext): Promise<RawSession> {
    const {
      master = '', config, checkpointDir, checkpointFilenameWithPath,
    } = this.#options;
    const {graph} = context;
    if (checkpointDir && checkpointFilenameWithPath) {
      throw valueError(
          'Can not provide both checkpoint_dir and checkpoint_filename_with_path.');
    }
    this.scaffold.finalize(context);
    if (checkpointDir) checkNames(graph);
    prepareOptimizers(graph);
    if (checkpointDir) checkSaver(this.scaffold.saver, context);
    const session = await open(
        master, config, context, {isChief: true, maxWaitSecs: 0});
    if (checkpointDir) {
      onLateOptimizer(session, (optimizer) => {
        if (this.#warned.has(optimizer)) return;
        this.#warned.add(optimizer);
        const saved = this.scaffold.saver?.savedOf?.(graph);
        if (saved) warnOfUnsaved(unsavedSlots(saved, [optimizer]), context.log);
      });
    }
    try {
      if (!await this.#restore(session, context)) {
        await this.#init(session, context);
      }
      const local = await localInit(this.scaffold, session);
      if (local !== undefined) {
        throw runtimeError(
            `Init operations did not make model ready for local_init. ${local}`);
      }
      const reason = await notReady(this.scaffold.readyOp);
      if (reason !== undefined) {
        throw runtimeError(
            `Init operations did not make model ready. ${reason}`);
      }
    } catch (error) {
      await session.close().catch(() => {});
      throw error;
    }
    return session;
  }

  async #restore(
      session: RawSession, context: StorageContext): Promise<boolean> {
    const {checkpointDir, checkpointFilenameWithPath: file} = this.#options;
    const {saver} = this.scaffold;
    if (file) {
      await saver!.restore(session, file);
      return true;
    }
    if (!checkpointDir) return false;
    const state =
        await trainingStorage().checkpointState(checkpointDir, context);
    if (!state?.modelCheckpointPath) return false;
    context.log(
        `Restoring parameters from ${state.modelCheckpointPath}`, 'info');
    await saver!.restore(session, state.modelCheckpointPath);
    await saver!.recoverLastCheckpoints(state.allModelCheckpointPaths);
    this.#drop(context);
    return true;
  }

  async #init(session: RawSession, context: StorageContext): Promise<void> {
    const {initOp, initFn, localInitOp, initFeedDict} = this.scaffold;
    if (initOp === null && initFn === null && localInitOp === null) {
      throw runtimeError(
          'Model is not initialized and no init_op or init_fn or ' +
              'local_init_op was given');
    }
    const {graph} = context;
    const start = this.#starts.get(context);
    forgetUnclaimed(graph);
    if (start === undefined) {
      this.#starts.set(context, {snapshot: new Snapshot(graph)});
    } else if (start.snapshot) {
      start.snapshot.restore();
    } else {
      throw new DataLossError(
          `there is no checkpoint in '${this.#options.checkpointDir}' any ` +
              'more to go on from');
    }
    await initOp?.(session, initFeedDict);
    await initFn?.(session);
  }

  /** A checkpoint was written: recoveries begin there if it is in their place. */
  saved(directory: string, context: StorageContext): void {
    const own = this.#options.checkpointDir;
    if (own && directoryName(own) === directoryName(directory)) {
      this.#drop(context);
    }
  }

  #drop(context: StorageContext): void {
    this.#starts.get(context)?.snapshot?.dispose();
    this.#starts.set(context, {});
  }

  /** The session has ended. */
  dispose(context: StorageContext): void {
    this.#drop(context);
    this.#starts.delete(context);
  }

  create_session(context: StorageContext): Promise<RawSession> {
    return this.createSession(context);
  }
}

/** How a worker finds its chief. */
export interface WorkerOptions extends CreatorOptions {
  maxWaitSecs?: number;
}

const pollSecs = 30;

const workerNames = ['scaffold', 'master', 'config', 'maxWaitSecs'] as const;

/** Creates sessions that wait until the chief's variables are ready. */
export class WorkerSessionCreator implements SessionCreator {
  static readonly className: string = 'WorkerSessionCreator';
  readonly scaffold: Scaffold;
  readonly #options: ReturnType<typeof creatorOptions<WorkerOptions>>;

  constructor(...given: Arguments<WorkerOptions, typeof workerNames>) {
    this.#options = creatorOptions<WorkerOptions>(
        'WorkerSessionCreator', given, workerNames);
    this.scaffold = this.#options.scaffold ?? new Scaffold();
  }

  async createSession(context: StorageContext): Promise<RawSession> {
    const {clock, log} = context;
    const {master = '', config, maxWaitSecs = 30 * 60} = this.#options;
    this.scaffold.finalize(context);
    const end = clock.now() + maxWaitSecs;
    for (;;) {
      const session = await open(master, config, context, {
        isChief: false, maxWaitSecs: Math.max(end - clock.now(), 0),
      });
      let reason: string | undefined = 'not asked';
      try {
        reason = await localInit(this.scaffold, session) ??
            await notReady(this.scaffold.readyOp);
      } finally {
        if (reason !== undefined) await session.close().catch(() => {});
      }
      if (reason === undefined) return session;
      const left = end - clock.now();
      if (left <= 0) {
        throw new DeadlineExceededError(
            `Session was not ready after waiting ${maxWaitSecs} secs. ` +
                reason);
      }
      log(`Waiting for model to be ready: ${reason}`, 'info');
      await clock.sleep(Math.min(pollSecs, left));
    }
  }

  create_session(context: StorageContext): Promise<RawSession> {
    return this.createSession(context);
  }
}
