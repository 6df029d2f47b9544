/**
 * Saving and restoring variables. A save is one commit of the data, the index
 * and the list of checkpoints; old checkpoints are removed after it, and what
 * is to be removed is on record before, so that a crash leaves nothing.
 */
import {
  BundleWriter, dataFileName, indexFileName,
} from '../../io/checkpoint/bundle.js';
import {loadFormats} from '../../io/formats.js';
import type {Contents, FileStorage} from '../../io/storage/storage.js';
import type {Variable} from '../../variable.js';
import {
  getCheckpointMtimes, stateBytes, stateIn,
} from './checkpoint_management.js';
import {CheckpointReader} from './checkpoint_reader.js';
import {consoleLog, systemClock} from './clock.js';
import type {Clock, LogFunction} from './clock.js';
import {NotFoundError, valueError} from './errors.js';
import {Frozens} from './frozens.js';
import {GlobalStep} from './global_step.js';
import {getDefaultGraph} from './graph.js';
import type {Graph} from './graph.js';
import {frozenMetaGraphDef} from './graph_def.js';
import {keepUnclaimed, prepareOptimizers, unclaimed} from './late_optimizers.js';
import {isPlain, optionsOf} from './options.js';
import type {EitherCase} from './options.js';
import {
  checkPath, filesOf, inTurn, joinPath, leaseDirectory, normalPath, pruneFile,
  respelt, splitPath,
} from './run_directory.js';
import {givenSaveables, restoreAll, saveablesOf} from './saveables.js';
import type {Saveables} from './saveables.js';
import {
  SavedNames, checkOptions, checkPaths, isSaved, lazily, noSpace, stepSuffix,
  withSpace,
} from './saver_checks.js';
import {saveArguments, saverArguments} from './saver_options.js';
import type {SaveOptions, SaverOptions} from './saver_options.js';
import {asSessionError} from './storage_errors.js';

/** What the list of checkpoints is after a save. */
interface Plan {
  readonly keep: Kept[];
  readonly remove: string[];
  readonly nextKeep: number;
  readonly transient: string | undefined;
}

interface Kept {
  readonly path: string;
  readonly time: number;
}

/** Anything that knows its graph; null stands for the default one. */
export type HasGraph = {readonly graph: Graph | null} | null;

/**
 * Saves variables in TensorFlow's checkpoints and restores them.
 *
 * Takes TensorFlow's arguments by position or by name. Errors: variables
 * without a name of their own; two of one name.
 *
 * ```js
 * const w = tf.variable(tf.tensor1d([1, 2]), true, 'w');
 * const saver = new tf.train.Saver([w]);
 * const path = await saver.save(null, 'memory://saver/model.ckpt', {
 *   globalStep: 7, writeMetaGraph: false});
 * path; // => 'memory://saver/model.ckpt-7'
 * w.assign(tf.tensor1d([0, 0]));
 * await saver.restore(null, path);
 * w.arraySync(); // => [1, 2]
 * w.dispose();
 * ```
 */
export class Saver {
  static readonly className: string = 'Saver';
  readonly #options: SaverOptions;
  readonly #clock: Clock;
  readonly #log: LogFunction;
  readonly #max: number;
  #kept: Kept[] = [];
  #nextKeep: number;
  #transient: string | undefined;
  // Of a save that failed: it may have been done all the same.
  #unsure: {path: string, plan: Plan, doomed: string[]} | undefined;
  readonly #names = new SavedNames();
  // Removals that failed, or that a failed save still owes.
  #owed = new Set<string>();

  constructor(...given: unknown[]) {
    const [first, ...rest] = given;
    // A map of variables is no set of options.
    const asList = isPlain(first) && Object.keys(first).length > 0 &&
        Object.values(first).every((v) =>
          v instanceof GlobalStep ||
          (typeof v === 'object' && v !== null && 'trainable' in v));
    const extra = ['pruneFirst', 'clock', 'onLog', 'open'];
    const o = asList ? {
      ...optionsOf<SaverOptions>(
          'Saver', [null, ...rest], saverArguments, extra),
      varList: first as Readonly<Record<string, Variable>>,
    } : optionsOf<SaverOptions>('Saver', given, saverArguments, extra);
    checkOptions(o);
    this.#options = o;
    this.#clock = o.clock ?? systemClock;
    this.#log = o.onLog ?? consoleLog;
    this.#max = o.maxToKeep === undefined ? 5 : o.maxToKeep ?? 0;
    this.#nextKeep = this.#clock.wallTime() +
        (o.keepCheckpointEveryNHours ?? 10000) * 3600;
  }

  #saveables(graph: Graph): Saveables {
    const {varList} = this.#options;
    return varList ? givenSaveables(graph, varList) : saveablesOf(graph);
  }

  /**
   * What of a graph it saves: variables, optimizers' slots, the step. Errors:
   * as in `save`.
   */
  savedOf(graph: Graph): ReadonlySet<unknown> {
    return new Set(this.#saveables(graph).values());
  }

  /**
   * Saves what the variables are now, under `savePath` and, if given, `-` and
   * the step; resolves to that prefix once the checkpoint is complete. Training
   * may go on meanwhile: the values are those of the call.
   *
   * Errors: nothing to save; FailedPrecondition when another realm writes in
   * the directory; ResourceExhausted when there is no space, PermissionDenied
   * when nothing may be written. Older checkpoints are then as they were.
   */
  async save(
      sess: HasGraph, savePath: string,
      ...given: readonly (
        EitherCase<SaveOptions> | SaveOptions['globalStep'] | string | boolean)[])
      : Promise<string> {
    const options =
        optionsOf<SaveOptions>('save', given, saveArguments, ['transient']);
    checkPath('save', savePath);
    const graph = sess?.graph ?? getDefaultGraph();
    const latest = options.latestFilename ?? 'checkpoint';
    const path = normalPath(savePath) + stepSuffix(
        options.globalStep, this.#options.padStepNumber ?? false);
    const {directory, base} = splitPath(path);
    checkPaths(base, splitPath(savePath).base, latest);
    const saveables = this.#saveables(graph);
    if (saveables.size === 0) {
      if (this.#options.allowEmpty) return path;
      throw valueError('No variables to save');
    }
    // All of this before the first await: one moment, between two steps.
    const values = new Frozens(
        saveables, this.#options.varList ? undefined : unclaimed(graph));
    const gone = this.#names.gone(graph, saveables);
    if (gone !== undefined) this.#log(gone, 'warn');
    try {
      const meta = options.writeMetaGraph ?? true ?
        frozenMetaGraphDef(graph) : undefined;
      await loadFormats();
      const lease = await leaseDirectory(
          directory, {
            log: this.#log, open: this.#options.open,
            base: splitPath(savePath).base,
          });
      try {
        await inTurn(directory, async () => {
          await this.#write(lease.storage, path, values, latest, options);
          if (meta === undefined) return;
          await lease.storage.replaceAtomic(
              `${base}.${options.metaGraphSuffix ?? 'meta'}`, meta());
        });
      } finally {
        await lease.release();
      }
      return path;
    } catch (error) {
      throw asSessionError(error);
    } finally {
      values.dispose();
    }
  }

  async #write(
      storage: FileStorage, path: string, values: Frozens, latest: string,
      {writeState = true, transient = false}: SaveOptions): Promise<void> {
    const {directory, base} = splitPath(path);
    const files: Record<string, Contents> = {};
    if (this.#unsure) await this.#settle(storage, latest);
    // A checkpoint counts once, however its directory was written before.
    const spelt = (p: string): string => respelt(p, directory);
    this.#kept = this.#kept.map((k) => ({...k, path: spelt(k.path)}));
    this.#owed = new Set([...this.#owed].map(spelt));
    this.#transient &&= spelt(this.#transient);
    if (!await isSaved(storage, base, path, values)) {
      await this.#makeRoom(storage, directory, latest, values.size);
      const bundle = new BundleWriter();
      files[dataFileName(base)] = values.pieces(bundle);
      // Made when the data have gone out.
      files[indexFileName(base)] = lazily(() => bundle.index());
    }
    const plan = this.#plan(path, transient);
    const doomed = [...this.#owed, ...plan.remove]
        .filter((p) => !plan.keep.some((k) => k.path === p));
    if (writeState) {
      files[latest] = stateBytes(
          directory, path, plan.keep.map((k) => k.path));
    }
    if (doomed.length > 0) {
      files[pruneFile] = new TextEncoder().encode(
          doomed.map((p) => `${splitPath(p).base}\n`).join(''));
    }
    try {
      await storage.commit(files);
    } catch (error) {
      this.#unsure = {path, plan, doomed};
      await this.#settle(storage, latest).catch(() => undefined);
      throw await withSpace(error, storage, path, values.size);
    }
    this.#adopt(plan, doomed);
    await this.#remove(storage, directory);
  }

  #adopt(plan: Plan, doomed: readonly string[]): void {
    this.#kept = plan.keep;
    this.#nextKeep = plan.nextKeep;
    this.#transient = plan.transient;
    this.#owed = new Set(doomed);
  }

  // A commit that has come to its log is finished by whoever looks next.
  async #settle(storage: FileStorage, latest: string): Promise<void> {
    const {path, plan, doomed} = this.#unsure!;
    const {directory} = splitPath(path);
    const state = await stateIn(storage, directory, latest, this.#log);
    const done = state?.modelCheckpointPath === path &&
        plan.keep.length === state.allModelCheckpointPaths.length &&
        plan.keep.every((k, i) => k.path === state.allModelCheckpointPaths[i]);
    if (done) this.#adopt(plan, doomed);
    this.#unsure = undefined;
  }

  // What the list is after a save, and what then has to go.
  #plan(path: string, transient: boolean): Plan {
    const keep = this.#kept.filter((k) => k.path !== path);
    keep.push({path, time: this.#clock.wallTime()});
    const remove: string[] = [];
    let last = this.#transient === path ? undefined : this.#transient;
    if (transient) {
      const at = keep.findIndex((k) => k.path === last);
      if (at >= 0) remove.push(keep.splice(at, 1)[0]!.path);
      // A checkpoint that was there already stays a common one.
      const known = this.#kept.some((k) => k.path === path) &&
          this.#transient !== path;
      last = known ? undefined : path;
    }
    let nextKeep = this.#nextKeep;
    const counted = (): Kept[] => keep.filter((k) => k.path !== last);
    while (this.#max > 0 && counted().length > this.#max) {
      const oldest = counted()[0]!;
      keep.splice(keep.indexOf(oldest), 1);
      if (oldest.time > nextKeep) {
        nextKeep += (this.#options.keepCheckpointEveryNHours ?? 10000) * 3600;
      } else {
        remove.push(oldest.path);
      }
    }
    return {keep, remove, nextKeep, transient: last};
  }

  // Failures are no errors: the next save, or the next open, tries again.
  async #remove(storage: FileStorage, directory: string): Promise<void> {
    if (this.#owed.size === 0) return;
    try {
      const names =
          (await storage.list({deep: false})).map(({name}) => name);
      for (const path of [...this.#owed]) {
        const split = splitPath(path);
        if (split.directory === directory) {
          await storage.remove(...filesOf(split.base, names));
        }
        this.#owed.delete(path);
      }
      await storage.remove(pruneFile);
    } catch (error) {
      this.#log(`old checkpoints could not be removed: ${
        (error as Error).message}`, 'warn');
    }
  }

  async #makeRoom(
      storage: FileStorage, directory: string, latest: string,
      needed: number): Promise<void> {
    let left = await storage.available();
    while (left !== undefined && left < needed) {
      const oldest = this.#kept[0];
      if (!this.#options.pruneFirst || this.#kept.length < 2 ||
          oldest === undefined) {
        throw noSpace(joinPath(directory, ''), needed, left);
      }
      const rest = this.#kept.slice(1);
      await storage.replaceAtomic(latest, stateBytes(
          directory, rest.at(-1)!.path, rest.map((k) => k.path)));
      this.#kept = rest;
      this.#owed.add(oldest.path);
      await this.#remove(storage, directory);
      const now = await storage.available();
      if (now === undefined || now <= left) {
        throw noSpace(joinPath(directory, ''), needed, now ?? left);
      }
      left = now;
    }
  }

  /**
   * Gives the variables the values of a checkpoint: all of them or none.
   *
   * Errors: no such checkpoint; NotFound for what it has not; InvalidArgument
   * for other dtypes or shapes; DataLoss where it is damaged.
   */
  async restore(sess: HasGraph, savePath: string): Promise<void> {
    if (savePath === null || savePath === undefined) {
      throw valueError("Can't load save_path when it is None.");
    }
    checkPath('restore', savePath);
    const graph = sess?.graph ?? getDefaultGraph();
    const {directory, base} = splitPath(savePath);
    const make = this.#options.open;
    let reader: CheckpointReader;
    try {
      reader = make ?
        await CheckpointReader.in(make(directory), base, savePath) :
        await CheckpointReader.open(savePath);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      throw valueError(
          `The passed save_path is not a valid checkpoint: ${savePath}`);
    }
    if (!this.#options.varList) prepareOptimizers(graph);
    const saveables = this.#saveables(graph);
    if (saveables.size === 0) return;
    await restoreAll(saveables, reader);
    this.#names.set(graph, saveables);
    if (this.#options.varList) return;
    await keepUnclaimed(sess, graph, saveables, reader, this.#log);
  }

  /** The prefixes of the checkpoints that are kept, the oldest first. */
  get lastCheckpoints(): string[] {
    return this.#kept.map(({path}) => path);
  }

  /** Takes these for the checkpoints kept so far, the oldest first. */
  setLastCheckpoints(paths: readonly string[]): void {
    const time = this.#clock.wallTime();
    this.#kept = paths.map((path) => ({path, time}));
  }

  /** The same, with the times they were written. */
  setLastCheckpointsWithTime(
      list: readonly (readonly [path: string, seconds: number])[]): void {
    this.#kept = list.map(([path, time]) => ({path, time}));
  }

  /** Goes on counting those checkpoints of an earlier run that still exist. */
  async recoverLastCheckpoints(paths: readonly string[]): Promise<void> {
    const kept: Kept[] = [];
    for (const path of paths) {
      const [time] = await this.#times(path);
      if (time !== undefined) kept.push({path, time});
    }
    this.#kept = kept;
  }

  async #times(path: string): Promise<number[]> {
    const make = this.#options.open;
    if (!make) return getCheckpointMtimes([path]);
    const {directory, base} = splitPath(path);
    return (await make(directory).list({deep: false}))
      .filter(({name}) => name === indexFileName(base))
      .map(({modified}) => +modified / 1000);
  }

  // The same by TensorFlow's names.
  get last_checkpoints(): string[] {
    return this.lastCheckpoints;
  }
  set_last_checkpoints(paths: readonly string[]): void {
    this.setLastCheckpoints(paths);
  }
  set_last_checkpoints_with_time(
      list: readonly (readonly [path: string, seconds: number])[]): void {
    this.setLastCheckpointsWithTime(list);
  }
  recover_last_checkpoints(paths: readonly string[]): Promise<void> {
    return this.recoverLastCheckpoints(paths);
  }
}
