/** Files in the browser's origin private file system. */
import {commit, isReserved, recover} from './commit_log.js';
import type {Primitives} from './commit_log.js';
import {originLock} from './locks.js';
import {
  StorageError, asStorageError, checkName, comingPieces, exists, joined,
  missing, originAvailable, within,
} from './storage.js';
import type {
  ByteRange, Bytes, Contents, FileStorage, LockOptions, StorageLock, StoredFile,
} from './storage.js';

/** What engines add to the standard's handles. */
type FileHandle = FileSystemFileHandle & {
  move?(folder: FileSystemDirectoryHandle, name: string): Promise<void>;
  createSyncAccessHandle?(): Promise<SyncHandle>;
};
interface SyncHandle {
  getSize(): number;
  truncate(size: number): void;
  write(bytes: Uint8Array, at: {at: number}): number;
  flush(): void;
  close(): void;
}
type FolderHandle = FileSystemDirectoryHandle & {
  entries(): AsyncIterable<[string, FileSystemHandle]>;
};

// How long a writer waits for another one, in milliseconds.
const commitWait = 10_000;

const can = (method: string): boolean => {
  const type = (globalThis as {FileSystemFileHandle?: {prototype: object}})
      .FileSystemFileHandle;
  return type !== undefined && method in type.prototype;
};

const isMissing = (error: unknown): boolean =>
  (error as Error).name === 'NotFoundError' ||
  (error as Error).name === 'TypeMismatchError';

/** A folder in the origin private file system, or one a user has chosen. */
export class OpfsStorage implements FileStorage {
  readonly url: string;
  readonly capabilities = {
    atomicRename: can('move') || can('createWritable'),
    multiFileCommit: false,
    // Streams copy a file before they add to it.
    syncAppend: can('createSyncAccessHandle'),
    durableFlush: can('createSyncAccessHandle'),
  };
  readonly #path: string[];
  readonly #given: FolderHandle | undefined;
  readonly #disk: Primitives;
  #ready: Promise<void> | undefined;

  /** `path` follows `opfs://`; `root` is a folder the user has chosen. */
  constructor(path: string, root?: FileSystemDirectoryHandle) {
    this.#path = path.split('/').filter((part) => part !== '');
    this.#given = root as FolderHandle | undefined;
    this.url = `opfs://${this.#path.join('/')}`;
    this.#disk = {
      url: this.url,
      names: async () => [...(await this.#files()).keys()],
      readText: async (name) =>
        (await (await this.#file(name, false)).getFile()).text(),
      write: async (name, contents) => this.#write(name, contents),
      move: async (from, to) => this.#move(from, to),
      delete: async (name) => this.#delete(name),
    };
  }

  async #root(create: boolean): Promise<FolderHandle | undefined> {
    let folder = this.#given;
    if (folder === undefined) {
      const storage =
          (globalThis as {navigator?: Navigator}).navigator?.storage;
      if (typeof storage?.getDirectory !== 'function') {
        throw new StorageError(
            'io', `${this.url}: this browser or page has no origin private ` +
                'file system (it needs https or localhost)');
      }
      folder = await storage.getDirectory() as FolderHandle;
    }
    return this.#inner(folder, this.#path, create);
  }

  async #inner(
      folder: FolderHandle, path: readonly string[],
      create: boolean): Promise<FolderHandle | undefined> {
    try {
      for (const part of path) {
        folder = await folder.getDirectoryHandle(part, {create}) as FolderHandle;
      }
      return folder;
    } catch (error) {
      if (!create && isMissing(error)) return undefined;
      throw error;
    }
  }

  async #folderOf(
      name: string, create: boolean): Promise<[FolderHandle, string]> {
    const parts = name.split('/');
    const base = parts.pop()!;
    const root = await this.#root(create);
    const folder = root && await this.#inner(root, parts, create);
    if (folder === undefined) throw missing(this.url, name);
    return [folder, base];
  }

  async #file(name: string, create: boolean): Promise<FileHandle> {
    const [folder, base] = await this.#folderOf(name, create);
    try {
      return await folder.getFileHandle(base, {create});
    } catch (error) {
      if (isMissing(error)) throw missing(this.url, name);
      throw error;
    }
  }

  async #files(): Promise<Map<string, FileHandle>> {
    const found = new Map<string, FileHandle>();
    const walk = async (folder: FolderHandle, prefix: string): Promise<void> => {
      for await (const [name, handle] of folder.entries()) {
        if (handle.kind === 'file') {
          found.set(prefix + name, handle as FileHandle);
        } else {
          await walk(handle as FolderHandle, `${prefix}${name}/`);
        }
      }
    };
    const root = await this.#root(false);
    if (root !== undefined) await walk(root, '');
    return found;
  }

  async #write(name: string, contents: Contents): Promise<void> {
    await this.#put(await this.#file(name, true), contents, false);
  }

  async #put(
      handle: FileHandle, contents: Contents, keep: boolean): Promise<void> {
    if (handle.createSyncAccessHandle) {
      const access = await handle.createSyncAccessHandle();
      try {
        if (!keep) access.truncate(0);
        let at = access.getSize();
        for await (const piece of comingPieces(contents)) {
          const written = access.write(piece, {at});
          if (written !== piece.byteLength) {
            throw new DOMException(
                `${written} of ${piece.byteLength} bytes`, 'QuotaExceededError');
          }
          at += written;
        }
        access.flush();
      } finally {
        access.close();
      }
      return;
    }
    const stream = await handle.createWritable({keepExistingData: keep});
    try {
      if (keep) await stream.seek((await handle.getFile()).size);
      for await (const piece of comingPieces(contents)) {
        await stream.write(piece as Uint8Array<ArrayBuffer>);
      }
    } catch (error) {
      await stream.abort().catch(() => undefined);
      throw error;
    }
    await stream.close();
  }

  async #move(from: string, to: string): Promise<void> {
    const source = await this.#file(from, false);
    const [folder, base] = await this.#folderOf(to, true);
    if (source.move) {
      await source.move(folder, base);
      return;
    }
    const bytes = new Uint8Array(await (await source.getFile()).arrayBuffer());
    await this.#write(to, bytes);
    await this.#delete(from);
  }

  async #delete(name: string): Promise<void> {
    try {
      const [folder, base] = await this.#folderOf(name, false);
      await folder.removeEntry(base);
    } catch (error) {
      const gone = isMissing(error) ||
          (error instanceof StorageError && error.fault === 'missing');
      if (!gone) throw error;
    }
  }

  async #run<T>(doing: string, f: () => Promise<T>): Promise<T> {
    try {
      await (this.#ready ??= this.#recover());
      return await f();
    } catch (error) {
      throw asStorageError(error, this.url, doing);
    }
  }

  async #recover(): Promise<void> {
    if (![...(await this.#files()).keys()].some(isReserved)) return;
    let lock: StorageLock;
    try {
      lock = await originLock(`${this.url}#commit`);
    } catch {
      // Someone is writing just now: what lies there is theirs.
      return;
    }
    await recover(this.#disk).finally(() => lock.release());
  }

  async list(): Promise<StoredFile[]> {
    return this.#run('listing', async () => {
      const files = [...await this.#files()]
        .filter(([name]) => !isReserved(name))
        .sort(([a], [b]) => (a < b ? -1 : 1));
      return Promise.all(files.map(async ([name, handle]) => {
        const {size, lastModified} = await handle.getFile();
        return {name, size, modified: new Date(lastModified)};
      }));
    });
  }

  async read(
      name: string, range: ByteRange = {}): Promise<Uint8Array<ArrayBuffer>> {
    checkName(this.url, name);
    return this.#run(`reading '${name}'`, async () => {
      const file = await (await this.#file(name, false)).getFile();
      const part = file.slice(...within(range, file.size));
      return new Uint8Array(await part.arrayBuffer());
    });
  }

  async createExclusive(name: string, contents: Bytes): Promise<void> {
    checkName(this.url, name);
    const lock = await originLock(`${this.url}#create`, {wait: commitWait});
    try {
      const found = await this.#run('listing', () => this.#files());
      if (found.has(name)) throw exists(this.url, name);
      await this.commit({[name]: contents});
    } finally {
      await lock.release();
    }
  }

  async append(name: string, contents: Bytes): Promise<void> {
    checkName(this.url, name);
    await this.#run(`appending to '${name}'`, async () =>
      this.#put(await this.#file(name, true), joined(contents), true));
  }

  async replaceAtomic(name: string, contents: Contents): Promise<void> {
    await this.commit({[name]: contents});
  }

  async commit(files: Readonly<Record<string, Contents>>): Promise<void> {
    await this.#run(
        `writing '${Object.keys(files).join("', '")}'`, async () => {
          const lock =
              await originLock(`${this.url}#commit`, {wait: commitWait});
          try {
            await commit(this.#disk, files);
          } catch (error) {
            this.#ready = undefined;
            throw error;
          } finally {
            await lock.release();
          }
        });
  }

  async remove(...names: string[]): Promise<void> {
    for (const name of names) checkName(this.url, name);
    await this.#run('removing', async () => {
      for (const name of names) await this.#delete(name);
    });
  }

  async lock(name: string, options?: LockOptions): Promise<StorageLock> {
    checkName(this.url, name);
    return originLock(`${this.url}#${name}`, options);
  }

  async available(): Promise<number | undefined> {
    return originAvailable();
  }

  async close(): Promise<void> {
    // Nothing is held open between calls.
  }
}
