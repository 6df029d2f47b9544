/**
 * Files in IndexedDB. A file is a record with the numbers of its chunks, so a
 * part can be read, and more appended, without touching the rest. Chunks are
 * written first; one transaction then changes the records of all files of a
 * commit.
 */
import {answerOf, inTransaction, openDatabase} from './idb.js';
import {originLock} from './locks.js';
import {
  StorageError, asStorageError, checkName, comingPieces, exists, joined,
  missing, originAvailable, within,
} from './storage.js';
import type {
  ByteRange, Bytes, Contents, FileStorage, LockOptions, StorageLock, StoredFile,
} from './storage.js';

interface FileRecord {
  name: string;
  size: number;
  modified: Date;
  /** Number and length of each chunk. */
  chunks: [id: number, length: number][];
}

// A transaction of at most this much keeps the page alive.
const chunkBytes = 4 * 1024 * 1024;
const files = 'files';
const chunks = 'chunks';

/** A folder of files in an IndexedDB database of this library. */
export class IndexedDbStorage implements FileStorage {
  readonly url: string;
  readonly capabilities = {
    atomicRename: true, multiFileCommit: true, syncAppend: true,
    durableFlush: true,
  };
  readonly #folder: string;
  readonly #database: string;
  #db: Promise<IDBDatabase> | undefined;

  /** `path` follows `indexeddb://`: a database and a folder in it. */
  constructor(path: string) {
    const [database = '', ...folder] =
        path.split('/').filter((part) => part !== '');
    if (database === '') {
      throw new StorageError(
          'name', `indexeddb://${path}: the name of a database is missing`);
    }
    this.url = `indexeddb://${[database, ...folder].join('/')}`;
    this.#database = `tidemark-files/${database}`;
    this.#folder = folder.map((part) => `${part}/`).join('');
  }

  async #run<T>(
      doing: string, mode: 'readonly' | 'readwrite',
      f: (store: (name: string) => IDBObjectStore) => Promise<T>): Promise<T> {
    try {
      const db = await (this.#db ??= this.#open());
      return await inTransaction(db, [files, chunks], mode, f);
    } catch (error) {
      // A connection the browser has closed is opened anew the next time.
      if ((error as Error).name === 'InvalidStateError') this.#db = undefined;
      throw asStorageError(error, this.url, doing);
    }
  }

  async #open(): Promise<IDBDatabase> {
    const db = await openDatabase(this.#database, (made) => {
      made.createObjectStore(files, {keyPath: 'name'});
      made.createObjectStore(chunks, {autoIncrement: true});
    });
    await this.#sweep(db);
    return db;
  }

  // Chunks of writes that never came to their record.
  async #sweep(db: IDBDatabase): Promise<void> {
    let lock: StorageLock;
    try {
      lock = await originLock(`${this.#database}#write`);
    } catch {
      return;
    }
    try {
      await inTransaction(db, [files, chunks], 'readwrite', async (store) => {
        const records =
            await answerOf(store(files).getAll()) as FileRecord[];
        const used = new Set(records.flatMap((r) => r.chunks.map(([id]) => id)));
        const keys = await answerOf(store(chunks).getAllKeys()) as number[];
        for (const key of keys) if (!used.has(key)) store(chunks).delete(key);
      });
    } finally {
      await lock.release();
    }
  }

  #key(name: string): string {
    checkName(this.url, name);
    return this.#folder + name;
  }

  async list(): Promise<StoredFile[]> {
    const records = await this.#run('listing', 'readonly', async (store) =>
      await answerOf(store(files).getAll()) as FileRecord[]);
    return records
      .filter(({name}) => name.startsWith(this.#folder))
      .map(({name, size, modified}) =>
        ({name: name.slice(this.#folder.length), size, modified}));
  }

  async read(
      name: string, range: ByteRange = {}): Promise<Uint8Array<ArrayBuffer>> {
    const key = this.#key(name);
    return this.#run(`reading '${name}'`, 'readonly', async (store) => {
      const record =
          await answerOf(store(files).get(key)) as FileRecord | undefined;
      if (record === undefined) throw missing(this.url, name);
      const [start, end] = within(range, record.size);
      const out = new Uint8Array(end - start);
      let at = 0;
      for (const [id, length] of record.chunks) {
        if (at < end && at + length > start) {
          const bytes = await answerOf(store(chunks).get(id)) as Uint8Array;
          out.set(
              bytes.subarray(Math.max(0, start - at), end - at),
              Math.max(0, at - start));
        }
        at += length;
      }
      return out;
    });
  }

  // Writes contents as chunks that no file has yet.
  async #store(contents: Contents): Promise<FileRecord['chunks']> {
    const made: FileRecord['chunks'] = [];
    for await (const piece of comingPieces(contents)) {
      for (let at = 0; at < piece.byteLength; at += chunkBytes) {
        const part = piece.slice(at, at + chunkBytes);
        const id = await this.#run('writing', 'readwrite', async (store) =>
          await answerOf(store(chunks).add(part)) as number);
        made.push([id, part.byteLength]);
      }
    }
    return made;
  }

  async #write(
      given: Readonly<Record<string, Contents>>,
      change: (old: FileRecord | undefined, record: FileRecord,
               name: string) => FileRecord): Promise<void> {
    const keys = Object.keys(given).map((name) => [name, this.#key(name)] as const);
    const doing = `writing '${Object.keys(given).join("', '")}'`;
    const lock = await originLock(`${this.#database}#write`, {wait: 10_000});
    try {
      const records: [string, FileRecord][] = [];
      for (const [name, key] of keys) {
        const made = await this.#store(given[name]!);
        const size = made.reduce((n, [, length]) => n + length, 0);
        records.push([
          name, {name: key, size, modified: new Date(), chunks: made},
        ]);
      }
      await this.#run(doing, 'readwrite', async (store) => {
        for (const [name, record] of records) {
          const old = await answerOf(store(files).get(record.name)) as
              FileRecord | undefined;
          const next = change(old, record, name);
          store(files).put(next);
          const used = new Set(next.chunks.map(([id]) => id));
          for (const [id] of old?.chunks ?? []) {
            if (!used.has(id)) store(chunks).delete(id);
          }
        }
      });
    } finally {
      await lock.release();
    }
  }

  async createExclusive(name: string, contents: Bytes): Promise<void> {
    await this.#write({[name]: contents}, (old, record) => {
      if (old !== undefined) throw exists(this.url, name);
      return record;
    });
  }

  async append(name: string, contents: Bytes): Promise<void> {
    await this.#write({[name]: joined(contents)}, (old, record) => ({
      ...record,
      size: (old?.size ?? 0) + record.size,
      chunks: [...old?.chunks ?? [], ...record.chunks],
    }));
  }

  async replaceAtomic(name: string, contents: Contents): Promise<void> {
    await this.commit({[name]: contents});
  }

  async commit(given: Readonly<Record<string, Contents>>): Promise<void> {
    await this.#write(given, (_, record) => record);
  }

  async remove(...names: string[]): Promise<void> {
    const keys = names.map((name) => this.#key(name));
    await this.#run('removing', 'readwrite', async (store) => {
      for (const key of keys) {
        const old =
            await answerOf(store(files).get(key)) as FileRecord | undefined;
        if (old === undefined) continue;
        store(files).delete(key);
        for (const [id] of old.chunks) store(chunks).delete(id);
      }
    });
  }

  async lock(name: string, options?: LockOptions): Promise<StorageLock> {
    this.#key(name);
    return originLock(`${this.url}#${name}`, options);
  }

  async available(): Promise<number | undefined> {
    return originAvailable();
  }

  async close(): Promise<void> {
    const db = this.#db;
    this.#db = undefined;
    if (db !== undefined) (await db.catch(() => undefined))?.close();
  }
}
