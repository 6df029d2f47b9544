/**
 * Files in folders that browsers hand out: the origin private file system, and
 * folders a user has chosen. In a dedicated Worker files of the former are
 * written through access handles, which are quick and wait for the disk;
 * elsewhere through streams, which copy a file before they add to it.
 */
import {commit, isReserved, recover} from './commit_log.js';
import type {Primitives} from './commit_log.js';
import {originLock} from './locks.js';
import {can, isMissing, piecesOfFile, writeAt} from './opfs_handles.js';
import type {FileHandle, FolderHandle, SyncHandle} from './opfs_handles.js';
import {
  StorageError, asStorageError, checkName, comingPieces, exists, missing,
  originAvailable, partsOf, piecesOf, within,
} from './storage.js';
import type {
  ByteRange, Bytes, Contents, FileStorage, ListOptions, LockOptions,
  StorageLock, StoredFile,
} from './storage.js';

// How long a writer waits for another one, in milliseconds.
const commitWait = 10_000;
const readAttempts = 10;

/** How a folder is opened. */
export interface OpfsOptions {
  /** A folder the user has chosen; default the origin's own. */
  readonly root?: FileSystemDirectoryHandle | undefined;
  /** What the storage calls itself; default `opfs://` and the path. */
  readonly url?: string | undefined;
  /** May watch or fail what the storage asks of the disk. */
  readonly around?: ((disk: Primitives) => Primitives) | undefined;
}

/** The file that is added to: it stays open, as opening takes its time. */
interface Appending {
  readonly name: string;
  readonly access: SyncHandle;
  size: number;
}

/** A folder, as this realm can write to it. */
export class LocalOpfs implements FileStorage {
  readonly url: string;
  readonly capabilities;
  readonly #path: string[];
  readonly #given: FolderHandle | undefined;
  readonly #disk: Primitives;
  // Folders that users have chosen give no access handles.
  readonly #sync: boolean;
  #ready: Promise<void> | undefined;
  #appending: Appending | undefined;

  /** `path` follows `opfs://`. */
  constructor(path: string, {root, url, around}: OpfsOptions = {}) {
    this.#path = partsOf(path);
    this.#given = root as FolderHandle | undefined;
    this.#sync = root === undefined && can('createSyncAccessHandle');
    this.url = url ?? `opfs://${this.#path.join('/')}`;
    this.capabilities = {
      atomicRename: can('move') || can('createWritable'),
      multiFileCommit: false, syncAppend: this.#sync, durableFlush: this.#sync,
    };
    const disk: Primitives = {
      url: this.url,
      names: async () => [...(await this.#files(false)).keys()],
      readText: async (name) =>
        (await (await this.#file(name, false)).getFile()).text(),
      write: async (name, contents) => this.#write(name, contents),
      move: async (from, to) => this.#move(from, to),
      delete: async (name) => this.#delete(name),
    };
    this.#disk = around === undefined ? disk : around(disk);
  }

  async #root(create: boolean): Promise<FolderHandle | undefined> {
    let folder = this.#given;
    if (folder === undefined) {
      const storage =
          (globalThis as {navigator?: Navigator}).navigator?.storage;
      if (typeof storage?.getDirectory !== 'function') {
        throw new StorageError(
            'unsupported', `${this.url}: there is no origin private file ` +
                'system here: pages and workers of https or localhost have one');
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

  async #files(deep: boolean): Promise<Map<string, FileHandle>> {
    const found = new Map<string, FileHandle>();
    const walk = async (folder: FolderHandle, prefix: string): Promise<void> => {
      for await (const [name, handle] of folder.entries()) {
        if (handle.kind === 'file') {
          found.set(prefix + name, handle as FileHandle);
        } else if (deep) {
          await walk(handle as FolderHandle, `${prefix}${name}/`);
        }
      }
    };
    const root = await this.#root(false);
    if (root !== undefined) await walk(root, '');
    return found;
  }

  async #write(name: string, contents: Contents): Promise<void> {
    this.#endAppending(name);
    const handle = await this.#file(name, true);
    if (this.#sync) {
      const access = await handle.createSyncAccessHandle!();
      try {
        access.truncate(0);
        let at = 0;
        for await (const piece of comingPieces(contents)) {
          at += writeAt(access, piece, at);
        }
        access.flush();
      } finally {
        access.close();
      }
      return;
    }
    await this.#stream(handle, contents, 0);
  }

  async #stream(
      handle: FileHandle, contents: Contents, after: number): Promise<void> {
    const stream = await handle.createWritable({keepExistingData: after > 0});
    try {
      if (after > 0) await stream.seek(after);
      for await (const piece of comingPieces(contents)) {
        await stream.write(piece as Uint8Array<ArrayBuffer>);
      }
    } catch (error) {
      await stream.abort().catch(() => undefined);
      throw error;
    }
    await stream.close();
  }

  async #append(name: string, contents: Bytes): Promise<void> {
    if (!this.#sync) {
      const handle = await this.#file(name, true);
      await this.#stream(handle, contents, (await handle.getFile()).size);
      return;
    }
    if (this.#appending?.name !== name) {
      this.#endAppending();
      const handle = await this.#file(name, true);
      const access = await handle.createSyncAccessHandle!();
      this.#appending = {name, access, size: access.getSize()};
    }
    const {access, size} = this.#appending;
    try {
      let at = size;
      for (const piece of piecesOf(contents)) at += writeAt(access, piece, at);
      access.flush();
      this.#appending.size = at;
    } catch (error) {
      // Half of it is worse than nothing.
      access.truncate(size);
      throw error;
    }
  }

  // An open file can be neither replaced nor removed.
  #endAppending(name = this.#appending?.name): void {
    if (this.#appending === undefined || this.#appending.name !== name) return;
    this.#appending.access.close();
    this.#appending = undefined;
  }

  async #move(from: string, to: string): Promise<void> {
    this.#endAppending(to);
    const source = await this.#file(from, false);
    const [folder, base] = await this.#folderOf(to, true);
    if (source.move) {
      try {
        await source.move(folder, base);
        return;
      } catch (error) {
        // Engines have the method before they can use it everywhere.
        if (this.#given === undefined) throw error;
      }
    }
    await this.#write(to, piecesOfFile(await source.getFile()));
    await this.#delete(from);
  }

  async #delete(name: string): Promise<void> {
    this.#endAppending(name);
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

  /** Before what comes next, what a failed commit has left is put right. */
  lookAgain(): void {
    this.#ready = undefined;
  }

  async #recover(): Promise<void> {
    if (!(await this.#disk.names()).some(isReserved)) return;
    let lock: StorageLock;
    try {
      lock = await originLock(`${this.url}#commit`);
    } catch {
      // Someone is writing just now: what lies there is theirs.
      return;
    }
    await recover(this.#disk).finally(() => lock.release());
  }

  async list({deep = true}: ListOptions = {}): Promise<StoredFile[]> {
    return this.#run('listing', async () => {
      const files = [...await this.#files(deep)]
        .filter(([name]) => !isReserved(name))
        .sort(([a], [b]) => (a < b ? -1 : 1));
      const all = await Promise.all(files.map(async ([name, handle]) => {
        const file = await handle.getFile().catch((error: unknown) => {
          // Another realm has removed it since.
          if (isMissing(error)) return undefined;
          throw error;
        });
        return file &&
            {name, size: file.size, modified: new Date(file.lastModified)};
      }));
      return all.filter((file) => file !== undefined);
    });
  }

  async #read(name: string, range: ByteRange): Promise<ArrayBuffer> {
    for (let attempt = 1; ; attempt++) {
      try {
        const file = await (await this.#file(name, false)).getFile();
        return await file.slice(...within(range, file.size)).arrayBuffer();
      } catch (error) {
        // Another realm may have put a new file in its place meanwhile.
        if (attempt === readAttempts || error instanceof StorageError) {
          throw error;
        }
      }
    }
  }

  async read(
      name: string, range: ByteRange = {}): Promise<Uint8Array<ArrayBuffer>> {
    checkName(this.url, name);
    return this.#run(
        `reading '${name}'`,
        async () => new Uint8Array(await this.#read(name, range)));
  }

  async createExclusive(name: string, contents: Bytes): Promise<void> {
    checkName(this.url, name);
    const lock = await originLock(`${this.url}#create`, {wait: commitWait});
    try {
      const found = await this.#run('listing', () => this.#disk.names());
      if (found.includes(name)) throw exists(this.url, name);
      await this.commit({[name]: contents});
    } finally {
      await lock.release();
    }
  }

  async append(name: string, contents: Bytes): Promise<void> {
    checkName(this.url, name);
    await this.#run(
        `appending to '${name}'`, () => this.#append(name, contents));
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
      for (const name of names) await this.#disk.delete(name);
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
    this.#endAppending();
  }
}
