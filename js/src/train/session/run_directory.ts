/**
 * Directories of training runs: who may write, and what a crash has left. One
 * lock a realm and directory, counted: a session holds it for its life, a
 * Saver used by hand for the time of a save.
 */
import {indexFileName} from '../../io/checkpoint/bundle.js';
import {openStorage} from '../../io/storage/open.js';
import {StorageError} from '../../io/storage/storage.js';
import type {FileStorage, StorageLock} from '../../io/storage/storage.js';
import {consoleLog} from './clock.js';
import type {LogFunction} from './clock.js';
import {
  FailedPreconditionError, NotFoundError, OpError, PermissionDeniedError,
  ResourceExhaustedError, UnknownError, valueError,
} from './errors.js';

/** Milliseconds a dying writer is waited for before it counts as alive. */
export const lockWait = 5000;

/** The prefix of a checkpoint: its directory and its name there. */
export interface SplitPath {
  readonly directory: string;
  readonly base: string;
}

/** `memory://runs/a/model.ckpt` as `memory://runs/a` and `model.ckpt`. */
export function splitPath(path: string): SplitPath {
  const root = /^[a-z]+:\/\//.exec(path)?.[0] ?? '';
  const at = path.lastIndexOf('/');
  if (at < root.length) {
    return {directory: root, base: path.slice(root.length)};
  }
  if (at === 0) return {directory: '/', base: path.slice(1)};
  return {directory: path.slice(0, at), base: path.slice(at + 1)};
}

/** A name in a directory; the inverse of {@link splitPath}. */
export function joinPath(directory: string, name: string): string {
  if (directory === '' || directory.endsWith('/')) return directory + name;
  return `${directory}/${name}`;
}

/** A directory without the slashes at its end. */
export function trimmed(directory: string): string {
  return directory.replace(/([^/:])\/+$/, '$1');
}

/** Opens a directory. Errors: one that could not be read again. */
export function openDirectory(directory: string): FileStorage {
  if (/^downloads:/.test(directory)) {
    throw valueError(
        `'${directory}': downloads cannot be read again, so they are no ` +
            'place for checkpoints: take opfs://, indexeddb://, memory:// or, ' +
            'in Node, a path');
  }
  return openStorage(directory === '' ? '.' : directory);
}

const refusals = new Set([
  'EACCES', 'EPERM', 'EROFS', 'NotAllowedError',
  'NoModificationAllowedError', 'SecurityError',
]);

/** What a failure of storage means to a session. */
export function asSessionError(error: unknown): unknown {
  if (!(error instanceof StorageError) || error instanceof OpError) return error;
  const {name, code} =
      (error.cause ?? {}) as {name?: string, code?: string};
  const Kind = error.fault === 'full' ? ResourceExhaustedError :
    error.fault === 'locked' ? FailedPreconditionError :
      error.fault === 'missing' ? NotFoundError :
        refusals.has(code ?? '') || refusals.has(name ?? '') ?
          PermissionDeniedError : UnknownError;
  const made = new Kind(error.message);
  made.cause = error;
  return made;
}

interface Held {
  count: number;
  opened: Promise<{storage: FileStorage, lock: StorageLock}>;
  // Why nobody may write here any more.
  lost?: Error;
  // Saves of one directory come one after the other.
  queue: Promise<unknown>;
  releasing?: Promise<void>;
}

// Of this realm, by the directory's URL.
const held = new Map<string, Held>();

/** The right to write in a directory, until released. */
export interface DirectoryLease {
  readonly storage: FileStorage;
  /**
   * True while the lock was held all the time; false when it had been lost and
   * is taken again. Errors: FailedPrecondition when somebody else has it.
   */
  revalidate(): Promise<boolean>;
  release(): Promise<void>;
}

/** Options of {@link leaseDirectory}. */
export interface LeaseOptions {
  /** Milliseconds to wait for another writer; default 5 s. */
  readonly wait?: number;
  readonly log?: LogFunction;
  /** Opens the storage: for tests, and for folders a user has picked. */
  readonly open?: (directory: string) => FileStorage;
}

/**
 * Takes the right to write in a directory; the first lease of a realm takes
 * the lock and removes what a crash has left.
 *
 * Errors: FailedPrecondition when another realm writes there.
 */
export async function leaseDirectory(
    directory: string, options: LeaseOptions = {}): Promise<DirectoryLease> {
  const key = trimmed(directory);
  await held.get(key)?.releasing;
  let entry = held.get(key);
  if (entry === undefined) {
    entry = {
      count: 0, opened: open(directory, options), queue: Promise.resolve(),
    };
    held.set(key, entry);
  }
  const mine = entry;
  mine.count++;
  let live = true;
  const release = async (): Promise<void> => {
    if (!live) return;
    live = false;
    if (--mine.count > 0 || held.get(key) !== mine) return;
    mine.releasing = (async () => {
      try {
        const {storage, lock} = await mine.opened;
        await lock.release();
        await storage.close();
      } finally {
        held.delete(key);
      }
    })();
    await mine.releasing;
  };
  const revalidate = (): Promise<boolean> =>
    stillHeld(mine, directory, options.wait ?? lockWait);
  try {
    const {storage} = await mine.opened;
    if (mine.lost) {
      await release();
      throw mine.lost;
    }
    return {storage, revalidate, release};
  } catch (error) {
    if (error === mine.lost) throw error;
    if (held.get(key) === mine) held.delete(key);
    throw error;
  }
}

async function stillHeld(
    entry: Held, directory: string, wait: number): Promise<boolean> {
  const {storage, lock} = await entry.opened;
  if (entry.lost) throw entry.lost;
  if (await lock.held?.() ?? true) return true;
  try {
    const again = await storage.lock('ckpt', {wait});
    entry.opened = Promise.resolve({storage, lock: again});
    return false;
  } catch (error) {
    entry.lost = refused(directory, error as Error);
    throw entry.lost;
  }
}

function refused(directory: string, error: Error): FailedPreconditionError {
  const made = new FailedPreconditionError(
      `'${directory}' has another writer: a second chief must not save ` +
          `there (${error.message})`);
  made.cause = error;
  return made;
}

async function open(
    directory: string, {wait = lockWait, log = consoleLog, open: make}:
        LeaseOptions): Promise<{storage: FileStorage, lock: StorageLock}> {
  const storage = (make ?? openDirectory)(directory);
  let lock: StorageLock | undefined;
  try {
    lock = await storage.lock('ckpt', {wait});
    // Not waited for: a browser may ask its user, who may never answer.
    askToPersist(storage.url, log).catch(() => undefined);
    await cleanDirectory(storage, log);
    return {storage, lock};
  } catch (error) {
    await lock?.release();
    await storage.close();
    if (error instanceof StorageError && error.fault === 'locked') {
      throw refused(directory, error);
    }
    throw asSessionError(error);
  }
}

/** Runs `f` after all saves of the directory that were begun before. */
export async function inTurn<T>(
    directory: string, f: () => Promise<T>): Promise<T> {
  const entry = held.get(trimmed(directory));
  if (entry === undefined) return f();
  const result = entry.queue.then(f);
  entry.queue = result.catch(() => undefined);
  return result;
}

let asked = false;

// Browsers may throw away what pages store, unless they have said they won't.
async function askToPersist(url: string, log: LogFunction): Promise<void> {
  if (asked || !/^(opfs|indexeddb):/.test(url)) return;
  asked = true;
  const storage = (globalThis as {navigator?: Navigator}).navigator?.storage;
  // Not in workers of every engine.
  if (typeof storage?.persist !== 'function') return;
  if (await storage.persisted() || await storage.persist()) return;
  log(`${url}: the browser may remove what this page stores when space is ` +
      'short: it did not agree to persistent storage', 'info');
}

/** The list of checkpoints that are about to be removed. */
export const pruneFile = 'checkpoint.prune';

const dataPattern = /^(.*)\.data-\d{5}-of-(\d{5})$/;

/** True for names that only writers which died can have left. */
function isLeftover(name: string, names: ReadonlySet<string>): boolean {
  if (name.endsWith('.crswap') || /\.tempstate\d+$/.test(name)) return true;
  if (/(^checkpoint|^graph\.pbtxt|\.(index|meta|data-[^/]*))\.tmp[^/.]*$/
        .test(name)) return true;
  if (/_temp(_[^/]*)?\/part-\d{5}-of-\d{5}\./.test(name)) return true;
  if (name.endsWith('.commit') && name.includes('.ckpt')) return true;
  const prefix = dataPattern.exec(name)?.[1];
  return prefix !== undefined && !names.has(indexFileName(prefix));
}

/** The files of a checkpoint, the index first: without it the rest is none. */
export function filesOf(
    base: string, names: Iterable<string>): string[] {
  const found = [...names].filter((name) =>
    name === `${base}.meta` || dataPattern.exec(name)?.[1] === base);
  return [indexFileName(base), ...found];
}

/** Removes what crashes have left. Only the holder of the lock calls it. */
export async function cleanDirectory(
    storage: FileStorage, log: LogFunction): Promise<void> {
  const names = new Set((await storage.list()).map(({name}) => name));
  if (names.has(pruneFile)) {
    const text = new TextDecoder().decode(await storage.read(pruneFile));
    for (const base of text.split('\n').filter((line) => line !== '')) {
      await storage.remove(...filesOf(base, names));
    }
    await storage.remove(pruneFile);
    names.clear();
    for (const {name} of await storage.list()) names.add(name);
    log(`${storage.url}: finished removing old checkpoints`, 'info');
  }
  const leftovers = [...names].filter((name) => isLeftover(name, names));
  if (leftovers.length === 0) return;
  await storage.remove(...leftovers);
  log(`${storage.url}: removed what a crash has left: ` +
      leftovers.join(', '), 'info');
}
