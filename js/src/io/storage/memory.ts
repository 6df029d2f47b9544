/** Files in memory: for tests, and for models that need not last. */
import {realmLock} from './locks.js';
import {
  StorageError, checkName, exists, joined, missing, within,
} from './storage.js';
import type {
  ByteRange, Contents, FileStorage, LockOptions, StorageLock, StoredFile,
} from './storage.js';

interface Entry {
  readonly bytes: Uint8Array<ArrayBuffer>;
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
    const trimmed = path.replace(/\/+$/, '');
    this.url = `memory://${trimmed}`;
    this.#folder = trimmed === '' ? '' : `${trimmed}/`;
  }

  #key(name: string): string {
    if (!this.#open) throw new StorageError('closed', `${this.url} is closed`);
    checkName(this.url, name);
    return this.#folder + name;
  }

  #put(name: string, bytes: Uint8Array<ArrayBuffer>): void {
    all.set(this.#key(name), {bytes, modified: new Date()});
  }

  async list(): Promise<StoredFile[]> {
    if (!this.#open) throw new StorageError('closed', `${this.url} is closed`);
    return [...all]
      .filter(([key]) => key.startsWith(this.#folder))
      .map(([key, {bytes, modified}]) => ({
        name: key.slice(this.#folder.length), size: bytes.length, modified,
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async read(
      name: string, range: ByteRange = {}): Promise<Uint8Array<ArrayBuffer>> {
    const entry = all.get(this.#key(name));
    if (entry === undefined) throw missing(this.url, name);
    return entry.bytes.slice(...within(range, entry.bytes.length));
  }

  async createExclusive(name: string, contents: Contents): Promise<void> {
    if (all.has(this.#key(name))) throw exists(this.url, name);
    this.#put(name, joined(contents));
  }

  async append(name: string, contents: Contents): Promise<void> {
    const old = all.get(this.#key(name))?.bytes ?? new Uint8Array();
    this.#put(name, joined([old, joined(contents)]));
  }

  async replaceAtomic(name: string, contents: Contents): Promise<void> {
    this.#put(name, joined(contents));
  }

  async commit(files: Readonly<Record<string, Contents>>): Promise<void> {
    // All bytes are copied before the first file changes.
    const copies = Object.entries(files).map(([name, contents]) => {
      this.#key(name);
      return [name, joined(contents)] as const;
    });
    for (const [name, bytes] of copies) this.#put(name, bytes);
  }

  async remove(...names: string[]): Promise<void> {
    for (const key of names.map((name) => this.#key(name))) all.delete(key);
  }

  async lock(name: string, options?: LockOptions): Promise<StorageLock> {
    this.#key(name);
    return realmLock(`${this.url}#${name}`, options);
  }

  async close(): Promise<void> {
    this.#open = false;
  }
}
