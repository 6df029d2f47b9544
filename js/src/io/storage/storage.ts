/**
 * Storage: a folder of files, wherever the program runs. Model files and
 * checkpoints are written through it, so it promises what they need: a file is
 * replaced whole or not at all, and so is a set of files.
 *
 * Names are relative, with `/` between folders.
 */
import {TensorError} from '../../errors.js';

/** What a kind of storage can do by itself. */
export interface StorageCapabilities {
  /** A file takes another's place in one step. */
  readonly atomicRename: boolean;
  /** `commit` is one step; otherwise a log is rolled forward at the next open. */
  readonly multiFileCommit: boolean;
  /** `append` costs what it appends, not what the file has. */
  readonly syncAppend: boolean;
  /** What was written is on the disk when the promise resolves. */
  readonly durableFlush: boolean;
}

/** A file in a storage. */
export interface StoredFile {
  readonly name: string;
  readonly size: number;
  readonly modified: Date;
}

/** Bytes of a file, from `start` up to `end`. */
export interface ByteRange {
  readonly start?: number;
  readonly end?: number;
}

/** Bytes in one piece or several. */
export type Bytes = Uint8Array | readonly Uint8Array[];

/**
 * What a file is given: bytes, or pieces that are made while they are written,
 * so that a large file is never whole in memory. Files of one commit are
 * written in their order: one may depend on what an earlier one has become.
 */
export type Contents = Bytes | AsyncIterable<Uint8Array>;

/** A lock that is held until it is released. */
export interface StorageLock {
  release(): Promise<void>;
  /** False when the platform has let go of it; where that can happen. */
  held?(): Promise<boolean>;
}

/** Which files to list. */
export interface ListOptions {
  /** Those in the folders of this folder too; default true. */
  readonly deep?: boolean;
}

/** How long to wait for a lock. */
export interface LockOptions {
  /** Milliseconds; default 0, which fails at once when the lock is taken. */
  readonly wait?: number;
}

/** A folder of files. */
export interface FileStorage {
  /** What the storage was opened by. */
  readonly url: string;
  readonly capabilities: StorageCapabilities;
  /** The files, sorted by name, of this folder and those in it. */
  list(options?: ListOptions): Promise<StoredFile[]>;
  /** The bytes of a file, or of a part of it. Errors: `missing`. */
  read(name: string, range?: ByteRange): Promise<Uint8Array<ArrayBuffer>>;
  /** Makes a file. Errors: `exists`. */
  createExclusive(name: string, contents: Bytes): Promise<void>;
  /** Adds to the end of a file, which is made if it is not there. */
  append(name: string, contents: Bytes): Promise<void>;
  /** Gives a file new contents; a reader sees the old or the new ones. */
  replaceAtomic(name: string, contents: Contents): Promise<void>;
  /** Gives several files new contents: all of them or, after a crash, none. */
  commit(files: Readonly<Record<string, Contents>>): Promise<void>;
  /** Removes files; those that are not there are no error. */
  remove(...names: string[]): Promise<void>;
  /** Keeps others out until released. Errors: `locked`. */
  lock(name: string, options?: LockOptions): Promise<StorageLock>;
  /** Bytes that can still be written, where the platform tells. */
  available(): Promise<number | undefined>;
  /** Lets go of what the storage holds open. */
  close(): Promise<void>;
}

/** Why a storage refused. */
export type StorageFault =
  'missing' | 'exists' | 'locked' | 'full' | 'name' | 'closed' | 'unsupported' |
  'io';

/** An error of a storage; `fault` says in one word what went wrong. */
export class StorageError extends TensorError {
  readonly fault: StorageFault;

  constructor(fault: StorageFault, message: string, cause?: unknown) {
    super(
        fault === 'name' ? 'argument' :
          fault === 'unsupported' ? fault : 'state', message);
    this.name = 'StorageError';
    this.fault = fault;
    if (cause !== undefined) this.cause = cause;
  }
}

/** Files that a storage keeps for itself begin so. */
export const reserved = '.tidemark-';

/** Throws unless `name` is a relative path of plain parts. */
export function checkName(url: string, name: string): void {
  const parts = typeof name === 'string' ? name.split('/') : [];
  const good = parts.length > 0 && parts.every((part) =>
    part !== '' && part !== '.' && part !== '..' && !/[\\\0:]/.test(part) &&
    !part.startsWith(reserved));
  if (!good) {
    throw new StorageError(
        'name', `${url}: ${JSON.stringify(name)} is no name for a file`);
  }
}

/** The folders of a path: its one name, however it is written. */
export function partsOf(path: string): string[] {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts;
}

/** The pieces of bytes. */
export function piecesOf(bytes: Bytes): readonly Uint8Array[] {
  return ArrayBuffer.isView(bytes) ? [bytes] : bytes;
}

/** The pieces of contents: with `for await` they come one after the other. */
export function comingPieces(
    contents: Contents): readonly Uint8Array[] | AsyncIterable<Uint8Array> {
  return Symbol.asyncIterator in contents ? contents : piecesOf(contents);
}

/** What the browser says of the space that is left. */
export async function originAvailable(): Promise<number | undefined> {
  const storage = (globalThis as {navigator?: Navigator}).navigator?.storage;
  if (typeof storage?.estimate !== 'function') return undefined;
  const {quota, usage} = await storage.estimate();
  return quota === undefined ? undefined : Math.max(0, quota - (usage ?? 0));
}

/** Bytes in one piece of their own. */
export function joined(bytes: Bytes): Uint8Array<ArrayBuffer> {
  const pieces = piecesOf(bytes);
  const out =
      new Uint8Array(pieces.reduce((n, {byteLength}) => n + byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.byteLength;
  }
  return out;
}

/** The start and end of a range within a file of `size` bytes. */
export function within(
    {start = 0, end = Infinity}: ByteRange, size: number): [number, number] {
  const from = Math.max(0, Math.min(start, size));
  return [from, Math.max(from, Math.min(end, size))];
}

/** The error of a file that is not there. */
export function missing(url: string, name: string): StorageError {
  return new StorageError('missing', `${url} has no file '${name}'`);
}

/** The error of a file that is there already. */
export function exists(url: string, name: string): StorageError {
  return new StorageError('exists', `${url} has a file '${name}' already`);
}

/** What a failure of the platform means. */
export function asStorageError(
    error: unknown, url: string, doing: string): unknown {
  if (error instanceof StorageError) return error;
  const {name, code, message} =
    error as {name?: string, code?: string, message?: string};
  const full = name === 'QuotaExceededError' || code === 'ENOSPC' ||
      code === 'EDQUOT';
  // A path with a zero in it, one that is too long.
  const badName = code === 'ERR_INVALID_ARG_VALUE' || code === 'ENAMETOOLONG';
  return new StorageError(
      full ? 'full' : badName ? 'name' : 'io',
      `${url}: ${doing} failed: ${full ? 'no space is left' : ''}` +
          `${full ? ' (' : ''}${message ?? String(error)}${full ? ')' : ''}`,
      error);
}
