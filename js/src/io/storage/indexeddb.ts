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
  missing, originAvailable, partsOf, within,
} from './storage.js';
import type {
  ByteRange, Bytes, Contents, FileStorage, ListOptions, LockOptions,
  StorageLock, StoredFile,
} from './storage.js';

interface FileRecord {
  name: string;
  size: number;
  modified: Date;
  chunks: Chunk[];
}

/** Number, from 1 on, and length of a chunk. */
type Chunk = [id: number, length: number];

/** A file that is being written. */
interface Draft {
  readonly name: string;
  readonly key: string;
  readonly chunks: Chunk[];
  /** Chunks that go out with the file's record. */
  readonly waiting: [Chunk, Uint8Array][];
  /** Bytes that may still wait, of all files of the commit. */
  readonly room: {left: number};
}

// A transaction of at most this much keeps the page alive.
const chunkBytes = 4 * 1024 * 1024;
// So much of a commit may wait for its transaction.
const waitingBytes = 1024 * 1024;
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
  readonly #around: <T>(transaction: () => Promise<T>) => Promise<T>;
  #db: Promise<IDBDatabase> | undefined;

  /**
   * `path` follows `indexeddb://`: a database and a folder in it. `around` may
   * watch or fail the transactions.
   */
  constructor(
      path: string,
      around: <T>(transaction: () => Promise<T>) => Promise<T> = (f) => f()) {
    this.#around = around;
    const [database = '', ...folder] = partsOf(path);
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
      return await this.#around(
          () => inTransaction(db, [files, chunks], mode, f));
    } catch (error) {
      // A connection the browser has closed is opened anew the next time, and
      // so is one that could not be opened.
      const lost = (error as Error).name === 'InvalidStateError' ||
          await this.#db?.then(() => false, () => true);
      if (lost) this.#db = undefined;
      throw asStorageError(error, this.url, doing);
    }
  }

  async #open(): Promise<IDBDatabase> {
    const db = await openDatabase(this.#database, (made) => {
      made.createObjectStore(files, {keyPath: 'name'});
      made.createObjectStore(chunks, {autoIncrement: true});
    }, `${this.url}: `);
    try {
      await this.#sweep(db);
    } catch (error) {
      db.close();
      throw error;
    }
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
      const orphans = await this.#around(() => inTransaction(
          db, [files, chunks], 'readonly', async (store) => {
            const records =
                await answerOf(store(files).getAll()) as FileRecord[];
            const used =
                new Set(records.flatMap((r) => r.chunks.map(([id]) => id)));
            const keys = await answerOf(store(chunks).getAllKeys()) as number[];
            return keys.filter((key) => !used.has(key));
          }));
      if (orphans.length === 0) return;
      await this.#around(() => inTransaction(
          db, [chunks], 'readwrite', async (store) => {
            for (const key of orphans) store(chunks).delete(key);
          }));
    } finally {
      await lock.release();
    }
  }

  #key(name: string): string {
    checkName(this.url, name);
    return this.#folder + name;
  }

  async list({deep = true}: ListOptions = {}): Promise<StoredFile[]> {
    const records = await this.#run('listing', 'readonly', async (store) =>
      await answerOf(store(files).getAll()) as FileRecord[]);
    return records
      .filter(({name}) => name.startsWith(this.#folder))
      .map(({name, size, modified}) =>
        ({name: name.slice(this.#folder.length), size, modified}))
      .filter(({name}) => deep || !name.includes('/'));
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

  // Writes contents as chunks that no file has yet; the first few stay in
  // memory, so that a small commit is one transaction.
  async #store(contents: Contents, draft: Draft): Promise<void> {
    for await (const piece of comingPieces(contents)) {
      for (let at = 0; at < piece.byteLength; at += chunkBytes) {
        const bytes = piece.slice(at, at + chunkBytes);
        const chunk: Chunk = [0, bytes.byteLength];
        draft.chunks.push(chunk);
        if (draft.room.left >= bytes.byteLength) {
          draft.room.left -= bytes.byteLength;
          draft.waiting.push([chunk, bytes]);
        } else {
          await this.#run('writing', 'readwrite', async (store) => {
            chunk[0] = await answerOf(store(chunks).add(bytes)) as number;
          });
        }
      }
    }
  }

  // What was to become a file, and takes up space. The next open does it too.
  async #discard(made: readonly Chunk[]): Promise<void> {
    const stored = made.filter(([id]) => id > 0);
    if (stored.length === 0) return;
    await this.#run('removing', 'readwrite', async (store) => {
      for (const [id] of stored) store(chunks).delete(id);
    }).catch(() => undefined);
  }

  // Writers of a database come one after the other.
  async #alone<T>(f: () => Promise<T>): Promise<T> {
    const lock = await originLock(`${this.#database}#write`, {wait: 10_000});
    try {
      return await f();
    } finally {
      await lock.release();
    }
  }

  async #write(
      given: Readonly<Record<string, Contents>>, fresh = false): Promise<void> {
    const room = {left: waitingBytes};
    const drafts = Object.keys(given).map((name): Draft =>
      ({name, key: this.#key(name), chunks: [], waiting: [], room}));
    const doing = `writing '${Object.keys(given).join("', '")}'`;
    await this.#alone(async () => {
      try {
        for (const draft of drafts) await this.#store(given[draft.name]!, draft);
        await this.#run(doing, 'readwrite', async (store) => {
          for (const {name, key, chunks: made, waiting} of drafts) {
            const old = await answerOf(store(files).get(key)) as
                FileRecord | undefined;
            if (fresh && old !== undefined) throw exists(this.url, name);
            for (const [chunk, bytes] of waiting) {
              chunk[0] = await answerOf(store(chunks).add(bytes)) as number;
            }
            const size = made.reduce((n, [, length]) => n + length, 0);
            store(files).put(
                {name: key, size, modified: new Date(), chunks: made});
            for (const [id] of old?.chunks ?? []) store(chunks).delete(id);
          }
        });
      } catch (error) {
        await this.#discard(drafts.flatMap((draft) => draft.chunks));
        throw error;
      }
    });
  }

  async createExclusive(name: string, contents: Bytes): Promise<void> {
    await this.#write({[name]: contents}, true);
  }

  async append(name: string, contents: Bytes): Promise<void> {
    const key = this.#key(name);
    const doing = `appending to '${name}'`;
    await this.#alone(() => this.#run(doing, 'readwrite', async (store) => {
      const record = await answerOf(store(files).get(key)) as
          FileRecord | undefined ??
          {name: key, size: 0, modified: new Date(), chunks: []};
      let bytes = joined(contents);
      record.size += bytes.byteLength;
      // Each chunk is longer than the one after it: so there are few, and a
      // byte is written again only as often as their number's logarithm.
      for (;;) {
        const [id, length] = record.chunks.at(-1) ?? [0, Infinity];
        if (length > bytes.byteLength ||
            length + bytes.byteLength > chunkBytes) break;
        const last = await answerOf(store(chunks).get(id)) as Uint8Array;
        bytes = joined([last, bytes]);
        record.chunks.pop();
        store(chunks).delete(id);
      }
      for (let at = 0; at < bytes.byteLength; at += chunkBytes) {
        const part = bytes.slice(at, at + chunkBytes);
        const id = await answerOf(store(chunks).add(part)) as number;
        record.chunks.push([id, part.byteLength]);
      }
      store(files).put({...record, modified: new Date()});
    }));
  }

  async replaceAtomic(name: string, contents: Contents): Promise<void> {
    await this.commit({[name]: contents});
  }

  async commit(given: Readonly<Record<string, Contents>>): Promise<void> {
    await this.#write(given);
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
