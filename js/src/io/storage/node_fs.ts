/** Files on the disk, in Node. */
import * as fs from 'node:fs/promises';
import {dirname, join, relative, sep} from 'node:path';
import {pathToFileURL} from 'node:url';
import {commit, isReserved, recover, temporaryName} from './commit_log.js';
import type {Primitives} from './commit_log.js';
import {realmLock} from './locks.js';
import {codeOf, makeFolder, pathOf} from './node_folders.js';
import {fileLock} from './node_lock.js';
import {
  asStorageError, checkName, comingPieces, exists, missing,
  reserved, within,
} from './storage.js';
import type {
  ByteRange, Bytes, Contents, FileStorage, ListOptions, LockOptions,
  StorageLock, StoredFile,
} from './storage.js';

// How long a writer waits for another one, in milliseconds.
const commitWait = 10_000;

async function removeQuietly(path: string): Promise<void> {
  await fs.rm(path, {force: true});
}

/** Writes a file and waits until the disk has it. */
async function writeThrough(
    path: string, contents: Contents, flags: 'w' | 'wx' | 'a'): Promise<void> {
  const file = await fs.open(path, flags);
  try {
    for await (const piece of comingPieces(contents)) {
      await file.writeFile(piece);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

// A renamed file is safe when its folder is; Windows cannot and need not.
async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await fs.open(path, 'r');
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    if (process.platform !== 'win32') throw error;
  }
}

/** A folder on the disk. */
export class NodeStorage implements FileStorage {
  readonly url: string;
  readonly capabilities = {
    atomicRename: true, multiFileCommit: false, syncAppend: true,
    durableFlush: true,
  };
  readonly #root: string;
  readonly #disk: Primitives;
  #ready: Promise<void> | undefined;

  /** `around` may watch or fail what the storage asks of the disk. */
  constructor(
      url: string, around: (disk: Primitives) => Primitives = (disk) => disk) {
    this.#root = pathOf(url);
    this.url = pathToFileURL(this.#root).href;
    this.#disk = around({
      url: this.url,
      names: () => this.#names(false),
      readText: (name) => fs.readFile(this.#path(name), 'utf8'),
      write: async (name, contents) => {
        await makeFolder(dirname(this.#path(name)));
        await writeThrough(this.#path(name), contents, 'w');
      },
      move: async (from, to) => {
        await makeFolder(dirname(this.#path(to)));
        await fs.rename(this.#path(from), this.#path(to));
        await syncFolder(dirname(this.#path(to)));
      },
      delete: (name) => removeQuietly(this.#path(name)),
    });
  }

  #path(name: string): string {
    return join(this.#root, ...name.split('/'));
  }

  async #names(deep: boolean): Promise<string[]> {
    const entries = await fs
      .readdir(this.#root, {recursive: deep, withFileTypes: true})
      .catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return [];
        throw error;
      });
    return entries.filter((entry) => entry.isFile()).map((entry) =>
      relative(this.#root, join(entry.parentPath ?? entry.path, entry.name))
        .split(sep).join('/'));
  }

  // A crash's leavings are cleared before the first write or listing.
  async #run<T>(doing: string, f: () => Promise<T>): Promise<T> {
    try {
      await (this.#ready ??= this.#recover());
      return await f();
    } catch (error) {
      return this.#fail(error, doing);
    }
  }

  #fail(error: unknown, doing: string): never {
    throw asStorageError(error, this.url, doing);
  }

  async #recover(): Promise<void> {
    const names = await this.#names(false);
    if (!names.some((n) => isReserved(n) && !isLock(n))) return;
    let lock: StorageLock;
    try {
      lock = await this.#hold('commit', {});
    } catch {
      // Someone is writing just now: what lies there is theirs.
      return;
    }
    try {
      await recover({
        ...this.#disk,
        names: async () => (await this.#disk.names()).filter((n) => !isLock(n)),
      });
    } finally {
      await lock.release();
    }
  }

  async list({deep = true}: ListOptions = {}): Promise<StoredFile[]> {
    return this.#run('listing', async () => {
      const names =
          (await this.#names(deep)).filter((name) => !isReserved(name));
      const all = await Promise.all(names.sort().map(async (name) => {
        const stat = await fs.stat(this.#path(name)).catch((error: unknown) => {
          // Somebody has removed it since.
          if (codeOf(error) === 'ENOENT') return undefined;
          throw error;
        });
        return stat && {name, size: stat.size, modified: stat.mtime};
      }));
      return all.filter((file) => file !== undefined);
    });
  }

  async read(
      name: string, range: ByteRange = {}): Promise<Uint8Array<ArrayBuffer>> {
    checkName(this.url, name);
    return this.#run(`reading '${name}'`, async () => {
      const file = await fs.open(this.#path(name)).catch((error: unknown) => {
        throw codeOf(error) === 'ENOENT' ? missing(this.url, name) : error;
      });
      try {
        const [start, end] = within(range, (await file.stat()).size);
        const bytes = new Uint8Array(end - start);
        let at = 0;
        while (at < bytes.length) {
          const {bytesRead} =
              await file.read(bytes, at, bytes.length - at, start + at);
          if (bytesRead === 0) return bytes.slice(0, at);
          at += bytesRead;
        }
        return bytes;
      } finally {
        await file.close();
      }
    });
  }

  async createExclusive(name: string, contents: Bytes): Promise<void> {
    checkName(this.url, name);
    await this.#run(`making '${name}'`, async () => {
      await makeFolder(dirname(this.#path(name)));
      try {
        await writeThrough(this.#path(name), contents, 'wx');
      } catch (error) {
        throw codeOf(error) === 'EEXIST' ? exists(this.url, name) : error;
      }
    });
  }

  async append(name: string, contents: Bytes): Promise<void> {
    checkName(this.url, name);
    await this.#run(`appending to '${name}'`, async () => {
      await makeFolder(dirname(this.#path(name)));
      await writeThrough(this.#path(name), contents, 'a');
    });
  }

  async replaceAtomic(name: string, contents: Contents): Promise<void> {
    await this.commit({[name]: contents});
  }

  async commit(files: Readonly<Record<string, Contents>>): Promise<void> {
    await this.#run(
        `writing '${Object.keys(files).join("', '")}'`, async () => {
          const lock = await this.#hold('commit', {wait: commitWait});
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

  async lock(name: string, options: LockOptions = {}): Promise<StorageLock> {
    checkName(this.url, name);
    return this.#hold(name, options);
  }

  async #hold(name: string, options: LockOptions): Promise<StorageLock> {
    const own = await realmLock(`${this.url}#${name}`, options);
    try {
      const lock = await fileLock(
          this.#path(`${reserved}lock-${name}`), `${this.url}: '${name}'`,
          options.wait ?? 0, () => this.#path(temporaryName('lock')));
      return {
        // This realm's part goes whatever the disk says.
        release: () => lock.release()
          .catch((error: unknown) => this.#fail(error, `unlocking '${name}'`))
          .finally(() => own.release()),
      };
    } catch (error) {
      await own.release();
      return this.#fail(error, `locking '${name}'`);
    }
  }

  async available(): Promise<number | undefined> {
    // The folder may not be there yet; the disk is its nearest ancestor's.
    for (let path = this.#root; ; path = dirname(path)) {
      try {
        const {bavail, bsize} = await fs.statfs(path);
        return bavail * bsize;
      } catch {
        if (path === dirname(path)) return undefined;
      }
    }
  }

  async close(): Promise<void> {
    // Nothing is held open between calls.
  }
}

const isLock = (name: string): boolean =>
  name.slice(name.lastIndexOf('/') + 1).startsWith(`${reserved}lock-`);
