/**
 * Directories of training runs: who may write, and what a crash has left. One
 * lock a realm and directory, counted: a session holds it for its life, a
 * Saver used by hand for the time of a save.
 */
import {shown} from '../../errors.js';
import {indexFileName} from '../../io/checkpoint/bundle.js';
import {openStorage} from '../../io/storage/open.js';
import {StorageError} from '../../io/storage/storage.js';
import type {FileStorage, StorageLock} from '../../io/storage/storage.js';
import {consoleLog} from './clock.js';
import type {LogFunction} from './clock.js';
import {FailedPreconditionError, valueError} from './errors.js';
import {asSessionError} from './storage_errors.js';

/** Milliseconds a dying writer is waited for before it counts as alive. */
export const lockWait = 5000;

/** The prefix of a checkpoint: its directory and its name there. */
export interface SplitPath {
  readonly directory: string;
  readonly base: string;
}

/** `memory://runs/a/model.ckpt` as `memory://runs/a` and `model.ckpt`. */
export function splitPath(path: string): SplitPath {
  const root = rootOf(path);
  const at = path.lastIndexOf('/');
  if (at < root.length) {
    return {directory: root, base: path.slice(root.length)};
  }
  return {
    directory: trimmed(path.slice(0, at + 1)), base: path.slice(at + 1),
  };
}

/** A name in a directory; the inverse of {@link splitPath}. */
export function joinPath(directory: string, name: string): string {
  const folder = trimmed(directory);
  if (folder === '' || folder.endsWith('/')) return folder + name;
  return `${folder}/${name}`;
}

/** A path with one slash before its name, which lists are compared by. */
export function normalPath(path: string): string {
  const {directory, base} = splitPath(path);
  return joinPath(directory, base);
}

/** A directory without the slashes at its end, unless it is a root. */
export function trimmed(directory: string): string {
  const root = rootOf(directory);
  const path = directory.slice(root.length).replace(/\/+$/, '');
  if (path !== '' || root !== '' || directory === '') return root + path;
  return '/';
}

/** `memory://` of a URL; empty for paths. */
function rootOf(path: string): string {
  return /^(file:\/\/\/|[a-z]+:\/\/)/.exec(path)?.[0] ?? '';
}

/** The one name of a directory, which others may write in other ways. */
export function directoryName(directory: string): string {
  try {
    return openDirectory(directory).url;
  } catch {
    // Whoever opens it to use it says what is wrong.
    return trimmed(directory);
  }
}

/**
 * A directory that stays the one it is now: relative paths follow the process'
 * folder, and sessions are open for long.
 */
export function settled(directory: string): string {
  const whole = /^(file:\/\/(\/|[A-Za-z]:)|(?!file:)[a-z]+:\/\/|\/|[A-Za-z]:[\\/]|$)/;
  return whole.test(directory) ? directory : directoryName(directory);
}

/** The same for what is in it. */
export function settledPath(path: string): string {
  const {directory, base} = splitPath(path);
  return joinPath(settled(directory), base);
}

/** A path, spelt as `directory` is if that is where it lies. */
export function respelt(path: string, directory: string): string {
  const {directory: own, base} = splitPath(path);
  const same = directoryName(own) === directoryName(directory);
  return joinPath(same ? trimmed(directory) : own, base);
}

/** Opens a directory. Errors: one that could not be read again. */
export function openDirectory(directory: string): FileStorage {
  if (/^downloads:/.test(directory)) {
    throw valueError(
        `'${directory}': downloads cannot be read again, so they are no ` +
            'place for checkpoints: take opfs://, indexeddb://, memory:// or, ' +
            'in Node, a path');
  }
  try {
    return openStorage(directory === '' ? '.' : directory);
  } catch (error) {
    throw asSessionError(error);
  }
}

/** Errors: a path, or a name, that is no text. */
export function checkPath(
    what: string, path: unknown, kind = 'path'): asserts path is string {
  if (typeof path === 'string') return;
  throw valueError(`${what}: the ${kind} must be a text, got ${shown(path)}`);
}

/** Errors: no text, or an empty one. */
export function checkFolder(what: string, path: unknown): void {
  checkPath(what, path);
  if (path !== '') return;
  throw valueError(`${what}: the path is empty: '.' is this folder`);
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

// Of this realm, by the directory's one name.
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
  /** The name of checkpoints that will be written, as `model.ckpt`. */
  readonly base?: string;
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
  const key = directoryName(directory);
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
        await lock.release().finally(() => storage.close());
      } catch (error) {
        throw asSessionError(error);
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
    directory: string, {wait = lockWait, log = consoleLog, base, open: make}:
        LeaseOptions): Promise<{storage: FileStorage, lock: StorageLock}> {
  const storage = (make ?? openDirectory)(directory);
  let lock: StorageLock | undefined;
  try {
    lock = await storage.lock('ckpt', {wait});
    // Not waited for: a browser may ask its user, who may never answer.
    askToPersist(storage.url, log).catch(() => undefined);
    await cleanDirectory(storage, log, base);
    return {storage, lock};
  } catch (error) {
    // What went wrong first is what counts.
    await lock?.release().catch(() => undefined);
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
  const entry = held.get(directoryName(directory));
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

const stepPattern = /-\d+$/;

/** The names of checkpoints of a directory, without their steps. */
async function stemsIn(
    storage: FileStorage, names: ReadonlySet<string>,
    base: string): Promise<Set<string>> {
  const stems = new Set(['model.ckpt', base]);
  for (const name of names) {
    const prefix = /^(.*)\.index$/.exec(name)?.[1];
    if (prefix !== undefined && stepPattern.test(prefix)) {
      stems.add(prefix.replace(stepPattern, ''));
    }
  }
  if (!names.has('checkpoint')) return stems;
  // Where the list is damaged the names are those of the files only.
  const text = new TextDecoder().decode(await storage.read('checkpoint'));
  for (const [, path] of text.matchAll(/_paths?: *"([^"\\]*)"/g)) {
    stems.add(splitPath(path!).base.replace(stepPattern, ''));
  }
  return stems;
}

/**
 * True for names that only writers of these checkpoints, which have died, can
 * have left. A file that may be anything else stays.
 */
function isLeftover(
    name: string, names: ReadonlySet<string>,
    stems: ReadonlySet<string>): boolean {
  if (/^(checkpoint|graph\.pbtxt)\.tmp[^.]*$/.test(name)) return true;
  const [, stem, rest] = /^(.*?)-\d+\.(.*)$/.exec(name) ?? [];
  if (stem === undefined || !stems.has(stem)) return false;
  if (/^((index|meta|data-\d{5}-of-\d{5})\.(tmp[^.]*|tempstate\d+)|commit)$/
    .test(rest!)) return true;
  return rest === 'data-00000-of-00001' &&
      !names.has(indexFileName(dataPattern.exec(name)![1]!));
}

/** The files of a checkpoint, the index first: without it the rest is none. */
export function filesOf(
    base: string, names: Iterable<string>): string[] {
  const found = [...names].filter((name) =>
    name === `${base}.meta` || dataPattern.exec(name)?.[1] === base);
  return [indexFileName(base), ...found];
}

// Not those of folders in it: they are other runs'.
async function namesIn(storage: FileStorage): Promise<Set<string>> {
  const files = await storage.list({deep: false});
  return new Set(files.map(({name}) => name));
}

/**
 * Removes what crashes have left of checkpoints that are named `base`, or like
 * those which are there. Only the holder of the lock calls it.
 */
export async function cleanDirectory(
    storage: FileStorage, log: LogFunction,
    base = 'model.ckpt'): Promise<void> {
  let names = await namesIn(storage);
  if (names.has(pruneFile)) {
    const text = new TextDecoder().decode(await storage.read(pruneFile));
    for (const base of text.split('\n').filter((line) => line !== '')) {
      await storage.remove(...filesOf(base, names));
    }
    await storage.remove(pruneFile);
    names = await namesIn(storage);
    log(`${storage.url}: finished removing old checkpoints`, 'info');
  }
  const stems = await stemsIn(storage, names, base);
  const leftovers =
      [...names].filter((name) => isLeftover(name, names, stems));
  if (leftovers.length === 0) return;
  await storage.remove(...leftovers);
  log(`${storage.url}: removed what a crash has left: ` +
      leftovers.join(', '), 'info');
}
