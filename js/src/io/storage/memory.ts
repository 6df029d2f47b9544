/** Files in memory: for tests, and for models that need not last. */
import {realmLock} from './locks.js';
import {
  StorageError, checkName, comingPieces, exists, missing, partsOf, piecesOf,
  within,
} from './storage.js';
import type {
  ByteRange, Bytes, Contents, FileStorage, ListOptions, LockOptions,
  StorageLock, StoredFile,
} from './storage.js';

interface Entry {
  // Never joined: that would stop the page for large files.
  readonly pieces: readonly Uint8Array[];
  readonly size: number;
  readonly modified: Date;
}

// Every folder of this realm, by full name.
const all = new Map<string, Entry>();

/** A folder of files in this realm's memory. */
export class MemoryStorage implements FileStorage {
  readonly url: string;
  readonly capabilities = {
    atomicRename: true, multiFileCommit: true, syncAppend: true,
    durableFlush: false,
  };
  readonly #folder: string;
  #open = true;

  /** `path` is what follows `memory://`. */
  constructor(path = '') {
    const parts = partsOf(path);
    this.url = `memory://${parts.join('/')}`;
    this.#folder = parts.map((part) => `${part}/`).join('');
  }

  #key(name: string): string {
    if (!this.#open) throw new StorageError('closed', `${this.url} is closed`);
    checkName(this.url, name);
    return this.#folder + name;
  }

  #put(name: string, pieces: readonly Uint8Array[]): void {
    const size = pieces.reduce((n, {byteLength}) => n + byteLength, 0);
    all.set(this.#key(name), {pieces, size, modified: new Date()});
  }

  async list({deep = true}: ListOptions = {}): Promise<StoredFile[]> {
    if (!this.#open) throw new StorageError('closed', `${this.url} is closed`);
    return [...all]
      .filter(([key]) => key.startsWith(this.#folder))
      .map(([key, {size, modified}]) => ({
        name: key.slice(this.#folder.length), size, modified,
      }))
      .filter(({name}) => deep || !name.includes('/'))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async read(
      name: string, range: ByteRange = {}): Promise<Uint8Array<ArrayBuffer>> {
    const entry = all.get(this.#key(name));
    if (entry === undefined) throw missing(this.url, name);
    const [start, end] = within(range, entry.size);
    const out = new Uint8Array(end - start);
    let at = 0;
    for (const piece of entry.pieces) {
      if (at < end && at + piece.length > start) {
        out.set(
            piece.subarray(Math.max(0, start - at), end - at),
            Math.max(0, at - start));
      }
      at += piece.length;
    }
    return out;
  }

  async createExclusive(name: string, contents: Bytes): Promise<void> {
    if (all.has(this.#key(name))) throw exists(this.url, name);
    this.#put(name, copies(contents));
  }

  async append(name: string, contents: Bytes): Promise<void> {
    const old = all.get(this.#key(name))?.pieces ?? [];
    this.#put(name, [...old, ...copies(contents)]);
  }

  async replaceAtomic(name: string, contents: Contents): Promise<void> {
    await this.commit({[name]: contents});
  }

  async commit(files: Readonly<Record<string, Contents>>): Promise<void> {
    // All bytes are there before the first file changes.
    for (const name of Object.keys(files)) this.#key(name);
    const made: [string, Uint8Array[]][] = [];
    for (const [name, contents] of Object.entries(files)) {
      const pieces: Uint8Array[] = [];
      for await (const piece of comingPieces(contents)) {
        pieces.push(piece.slice());
      }
      made.push([name, pieces]);
    }
    for (const [name, pieces] of made) this.#put(name, pieces);
  }

  async remove(...names: string[]): Promise<void> {
    for (const key of names.map((name) => this.#key(name))) all.delete(key);
  }

  async lock(name: string, options?: LockOptions): Promise<StorageLock> {
    this.#key(name);
    return realmLock(`${this.url}#${name}`, options);
  }

  async available(): Promise<number | undefined> {
    return undefined;
  }

  async close(): Promise<void> {
    this.#open = false;
  }
}

const copies = (bytes: Bytes): Uint8Array[] =>
  piecesOf(bytes).map((piece) => piece.slice());
