/** Which checkpoints a directory has: the file `checkpoint`, and the files. */
import {TensorError} from '../../errors.js';
import {indexFileName} from '../../io/checkpoint/bundle.js';
import {readState, writeState} from '../../io/checkpoint/state.js';
import {loadFormats} from '../../io/formats.js';
import {StorageError} from '../../io/storage/storage.js';
import type {FileStorage} from '../../io/storage/storage.js';
import {CheckpointReader, listedVariables} from './checkpoint_reader.js';
import type {HostTensor} from './checkpoint_reader.js';
import {consoleLog} from './clock.js';
import type {LogFunction} from './clock.js';
import {
  DataLossError, InvalidArgumentError, NotFoundError, OpError, valueError,
} from './errors.js';
import {
  checkPath, filesOf, inTurn, joinPath, leaseDirectory, openDirectory, respelt,
  splitPath, trimmed,
} from './run_directory.js';
import {asSessionError} from './storage_errors.js';

/** What the file `checkpoint` says; the last of all paths is the newest. */
export class CheckpointState {
  static readonly className: string = 'CheckpointState';

  constructor(
      readonly modelCheckpointPath: string,
      readonly allModelCheckpointPaths: readonly string[],
      readonly allModelCheckpointTimestamps: readonly number[] = [],
      readonly lastPreservedTimestamp = 0) {}

  // The same by TensorFlow's names.
  get model_checkpoint_path(): string {
    return this.modelCheckpointPath;
  }
  get all_model_checkpoint_paths(): readonly string[] {
    return this.allModelCheckpointPaths;
  }
  get all_model_checkpoint_timestamps(): readonly number[] {
    return this.allModelCheckpointTimestamps;
  }
  get last_preserved_timestamp(): number {
    return this.lastPreservedTimestamp;
  }
}

/** Runs `f` with a directory that is only read. */
export async function reading<T>(
    directory: string, f: (storage: FileStorage) => Promise<T>): Promise<T> {
  const storage = openDirectory(directory);
  try {
    await loadFormats();
    return await f(storage);
  } catch (error) {
    throw asSessionError(error);
  } finally {
    await storage.close();
  }
}

/** The state of a directory; null where there is none that can be read. */
export async function stateIn(
    storage: FileStorage, directory: string, latestFilename: string,
    log: LogFunction = consoleLog): Promise<CheckpointState | null> {
  let text: string;
  try {
    text = new TextDecoder().decode(await storage.read(latestFilename));
  } catch (error) {
    if (error instanceof StorageError && error.fault === 'missing') return null;
    throw error;
  }
  const file = joinPath(directory, latestFilename);
  let state;
  try {
    state = readState(text, directory);
  } catch (error) {
    if (!(error instanceof TensorError)) throw error;
    log(`${file} is no list of checkpoints: ${error.message}`, 'warn');
    return null;
  }
  if (state.modelCheckpointPath === '') {
    log(`${file} is no list of checkpoints: it names none as the newest`, 'warn');
    return null;
  }
  const spelt = (path: string): string => respelt(path, directory);
  return new CheckpointState(
      spelt(state.modelCheckpointPath), state.allModelCheckpointPaths.map(spelt),
      state.allModelCheckpointTimestamps, state.lastPreservedTimestamp);
}

/**
 * What the file `checkpoint` of a directory says; null where it is not there,
 * or is empty or no list, which is logged.
 *
 * ```js
 * await tf.train.getCheckpointState('memory://nothing'); // => null
 * ```
 */
export async function getCheckpointState(
    directory: string,
    latestFilename: string | null = null): Promise<CheckpointState | null> {
  checkPath('getCheckpointState', directory);
  return reading(directory, (storage) =>
    stateIn(storage, trimmed(directory), latestFilename ?? 'checkpoint'));
}

/** The step at the end of a checkpoint's name; -1 where there is none. */
export function stepOf(path: string): number {
  return Number(/-(\d+)$/.exec(path)?.[1] ?? -1);
}

/** True for the index of a checkpoint: not for any file of that ending. */
function isIndex(name: string, names: readonly string[]): boolean {
  const base = /^(.*)\.index$/.exec(name)?.[1];
  return base !== undefined &&
      (stepOf(base) >= 0 || filesOf(base, names).length > 1);
}

/**
 * The prefixes of a directory's checkpoints to restore from, the best first:
 * those that the state names, the newest first; then all others there are.
 */
async function candidatesIn(
    storage: FileStorage, directory: string, latestFilename: string,
    log: LogFunction): Promise<{path: string, listed: boolean}[]> {
  const state = await stateIn(storage, directory, latestFilename, log);
  const listed = state === null ? [] : [
    state.modelCheckpointPath,
    ...[...state.allModelCheckpointPaths].reverse()
      .filter((path) => path !== state.modelCheckpointPath),
  ];
  const files = await storage.list({deep: false});
  const names = files.map(({name}) => name);
  const others = files
    .filter(({name}) => isIndex(name, names))
    .map(({name, modified}) => ({
      path: joinPath(directory, name.slice(0, -'.index'.length)), modified,
    }))
    .filter(({path}) => !listed.includes(path))
    // Copies and clocks change the times of files, but not their steps.
    .sort((a, b) => stepOf(b.path) - stepOf(a.path) || +b.modified - +a.modified);
  return [
    ...listed.map((path) => ({path, listed: true})),
    ...others.map(({path}) => ({path, listed: false})),
  ];
}

// What names no checkpoint may name a directory: its URL, taken apart like a
// checkpoint's path, may mean nothing.
const isNoFile = (error: unknown): boolean =>
  error instanceof NotFoundError || error instanceof InvalidArgumentError;

/** True for errors that say: this checkpoint is no good, try another. */
export function isBroken(error: unknown): boolean {
  return error instanceof TensorError &&
      (error.code === 'argument' || error.code === 'unsupported');
}

/** Opens a checkpoint, in `storage` if it lies in its directory. */
export async function openFrom(
    storage: FileStorage, directory: string,
    path: string): Promise<CheckpointReader> {
  const split = splitPath(path);
  return split.directory === directory ?
    CheckpointReader.in(storage, split.base, path) :
    CheckpointReader.open(path);
}

/**
 * Calls `f` with the best checkpoint of a directory, then with the next ones
 * while it finds them broken; says so. Null where there is none. Errors:
 * DataLoss where there are some, but none that can be used.
 */
async function withBestCheckpoint<T>(
    directory: string, latestFilename: string, log: LogFunction,
    f: (reader: CheckpointReader) => Promise<T>): Promise<T | null> {
  const dir = trimmed(directory);
  return reading(dir, async (storage) => {
    const broken: string[] = [];
    const all = await candidatesIn(storage, dir, latestFilename, log);
    for (const {path, listed} of all) {
      try {
        const result = await f(await openFrom(storage, dir, path));
        if (broken.length > 0 || !listed) {
          log(`using the checkpoint '${path}'` + (broken.length > 0 ?
            `, for these are broken: ${broken.join('; ')}` :
            `, which '${latestFilename}' does not list`), 'warn');
        }
        return result;
      } catch (error) {
        // What lies elsewhere is of another machine or user, perhaps.
        const elsewhere = error instanceof OpError &&
            splitPath(path).directory !== dir;
        if (!isBroken(error) && !elsewhere) throw error;
        const {message} = error as Error;
        broken.push(message.includes(path) ? message : `'${path}': ${message}`);
      }
    }
    if (broken.length === 0) return null;
    throw new DataLossError(
        `no checkpoint in '${dir}' can be used: ${broken.join('; ')}. To start ` +
            `over, move or delete them and the file '${latestFilename}'`);
  });
}

/**
 * The prefix of a directory's newest checkpoint that is whole, null where
 * there is none. Damaged ones are passed over, which is logged; so is a null
 * where all are damaged, which a session and `loadCheckpoint` refuse.
 *
 * ```js
 * const v = tf.variable(tf.scalar(1), true, 'v');
 * await new tf.train.Saver([v]).save(null, 'memory://latest/model.ckpt', {
 *   globalStep: 3, writeMetaGraph: false});
 * await tf.train.latestCheckpoint('memory://latest');
 * // => 'memory://latest/model.ckpt-3'
 * v.dispose();
 * ```
 */
export async function latestCheckpoint(
    directory: string, latestFilename: string | null = null,
    log: LogFunction = consoleLog): Promise<string | null> {
  checkPath('latestCheckpoint', directory);
  try {
    return await withBestCheckpoint(
        directory, latestFilename ?? 'checkpoint', log,
        async ({path}) => path);
  } catch (error) {
    if (!(error instanceof DataLossError)) throw error;
    log(error.message, 'warn');
    return null;
  }
}

/**
 * The state to restore from: its newest checkpoint is one of which every byte
 * was checked. Null where there is none. Errors: DataLoss where all are damaged.
 */
export async function soundState(
    directory: string, log: LogFunction,
    latestFilename = 'checkpoint'): Promise<CheckpointState | null> {
  const best = await withBestCheckpoint(
      directory, latestFilename, log, async (reader) => {
        for (const {name, sliced} of reader.entries.values()) {
          if (!sliced) await reader.getTensor(name);
        }
        return reader.path;
      });
  if (best === null) return null;
  const state = await reading(trimmed(directory), (storage) =>
    stateIn(storage, trimmed(directory), latestFilename, () => {}));
  const all = state?.allModelCheckpointPaths ?? [];
  const at = all.indexOf(best);
  // What is newer was broken; it is still counted, so that it is removed.
  return new CheckpointState(
      best, at < 0 ? [...all, best] :
        [...all.slice(0, at), ...all.slice(at + 1), best]);
}

/** True when a checkpoint has its index. */
export async function checkpointExists(path: string): Promise<boolean> {
  checkPath('checkpointExists', path);
  const {directory, base} = splitPath(path);
  return reading(directory, async (storage) =>
    (await storage.list({deep: false}))
      .some(({name}) => name === indexFileName(base)));
}

/** When checkpoints were written, in seconds; only of those that are there. */
export async function getCheckpointMtimes(
    paths: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const path of paths) {
    checkPath('getCheckpointMtimes', path);
    const {directory, base} = splitPath(path);
    await reading(directory, async (storage) => {
      const file = (await storage.list({deep: false}))
        .find(({name}) => name === indexFileName(base));
      if (file !== undefined) times.push(+file.modified / 1000);
    });
  }
  return times;
}

/** The bytes of a state file: paths within the directory become relative. */
export function stateBytes(
    directory: string, newest: string, all: readonly string[]): Uint8Array {
  const last = respelt(newest, directory);
  const paths = all.map((path) => respelt(path, directory)).filter((path, i) =>
    path !== last || i === all.length - 1);
  if (paths.at(-1) !== last) paths.push(last);
  return new TextEncoder().encode(writeState({
    modelCheckpointPath: last, allModelCheckpointPaths: paths,
  }, trimmed(directory)));
}

/**
 * Writes the file `checkpoint`. Errors: the state file's name is a
 * checkpoint's.
 */
export async function updateCheckpointState(
    directory: string, modelCheckpointPath: string,
    allModelCheckpointPaths: readonly string[] | null = null,
    latestFilename: string | null = null): Promise<void> {
  checkPath('updateCheckpointState', directory);
  checkPath('updateCheckpointState', modelCheckpointPath);
  const name = latestFilename ?? 'checkpoint';
  if (joinPath(trimmed(directory), name) ===
      respelt(modelCheckpointPath, directory)) {
    throw valueError(
        `Save path '${modelCheckpointPath}' conflicts with path used for ` +
            'checkpoint state. Please use a different save path.');
  }
  const lease = await leaseDirectory(directory);
  try {
    await loadFormats();
    await inTurn(directory, () => lease.storage.replaceAtomic(name, stateBytes(
        directory, modelCheckpointPath,
        allModelCheckpointPaths ?? [modelCheckpointPath])));
  } catch (error) {
    throw asSessionError(error);
  } finally {
    await lease.release();
  }
}

/**
 * Opens a checkpoint, or the newest of a directory, for reading.
 *
 * Errors: NotFound; DataLoss where it is damaged.
 *
 * ```js
 * const v = tf.variable(tf.tensor1d([1, 2]), true, 'v');
 * const path = await new tf.train.Saver([v]).save(
 *     null, 'memory://load/model.ckpt', {writeMetaGraph: false});
 * const reader = await tf.train.loadCheckpoint(path);
 * const {dtype, shape, data} = await reader.getTensor('v');
 * [dtype, shape, [...data]]; // => ['float32', [2], [1, 2]]
 * v.dispose();
 * ```
 */
export async function loadCheckpoint(
    pathOrDirectory: string): Promise<CheckpointReader> {
  checkPath('loadCheckpoint', pathOrDirectory);
  try {
    return await CheckpointReader.open(pathOrDirectory);
  } catch (error) {
    if (!isNoFile(error)) throw error;
    const path = await withBestCheckpoint(
        pathOrDirectory, 'checkpoint', consoleLog, async (reader) => reader.path);
    if (path === null) throw error;
    return CheckpointReader.open(path);
  }
}

/** Names and shapes of what a checkpoint, or a directory's newest, has. */
export async function listVariables(
    pathOrDirectory: string): Promise<[name: string, shape: number[]][]> {
  return listedVariables(await loadCheckpoint(pathOrDirectory));
}

/** One tensor of a checkpoint, or of a directory's newest. */
export async function loadVariable(
    pathOrDirectory: string, name: string): Promise<HostTensor> {
  checkPath('loadVariable', name, 'name');
  const reader = await loadCheckpoint(pathOrDirectory);
  return reader.getTensor(name.replace(/:0$/, ''));
}
