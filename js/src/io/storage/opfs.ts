/**
 * Files in the browser's origin private file system. A dedicated Worker writes
 * them itself; pages have one storage Worker write for them, so that no save
 * stops a page; where there can be none, they write through streams.
 */
import {cut, mayHaveHelper, opfsHelper} from './opfs_helper.js';
import type {OpfsHelper} from './opfs_helper.js';
import {can} from './opfs_handles.js';
import {LocalOpfs} from './opfs_local.js';
import type {OpfsOptions} from './opfs_local.js';
import {checkName, originAvailable, partsOf, piecesOf} from './storage.js';
import type {
  ByteRange, Bytes, Contents, FileStorage, ListOptions, LockOptions,
  StorageCapabilities, StorageLock, StoredFile,
} from './storage.js';

/** A folder in the origin private file system, or one a user has chosen. */
export class OpfsStorage implements FileStorage {
  readonly url: string;
  // Reads; and writes, where there is no storage Worker.
  readonly #local: LocalOpfs;
  readonly #path: string;
  readonly #here: boolean;
  #helper: Promise<OpfsHelper | undefined> | undefined;

  /** `path` follows `opfs://`. */
  constructor(path: string, options: OpfsOptions = {}) {
    this.#local = new LocalOpfs(path, options);
    this.url = this.#local.url;
    this.#path = partsOf(path).join('/');
    // A Worker needs none, and a chosen folder has no access handles.
    this.#here = can('createSyncAccessHandle') || options.root !== undefined ||
        options.around !== undefined;
  }

  get capabilities(): StorageCapabilities {
    const helped = !this.#here && mayHaveHelper();
    return {
      ...this.#local.capabilities,
      ...helped && {syncAppend: true, durableFlush: true},
    };
  }

  // Of this storage: it is counted as one that needs the Worker.
  async #help(): Promise<OpfsHelper | undefined> {
    if (this.#here) return undefined;
    if ((await this.#helper)?.lives === false) this.#helper = undefined;
    return this.#helper ??= opfsHelper().then(async (helper) => {
      helper?.use();
      await helper?.order(this.#path, {do: 'open'});
      return helper;
    });
  }

  list(options?: ListOptions): Promise<StoredFile[]> {
    return this.#local.list(options);
  }

  read(name: string, range?: ByteRange): Promise<Uint8Array<ArrayBuffer>> {
    return this.#local.read(name, range);
  }

  async createExclusive(name: string, contents: Bytes): Promise<void> {
    checkName(this.url, name);
    const helper = await this.#help();
    if (helper === undefined) return this.#local.createExclusive(name, contents);
    const pieces = piecesOf(contents).flatMap((piece) => [...cut(piece)]);
    await helper.order(this.#path, {do: 'create', name, pieces}, undefined, pieces);
  }

  async append(name: string, contents: Bytes): Promise<void> {
    checkName(this.url, name);
    const helper = await this.#help();
    if (helper === undefined) return this.#local.append(name, contents);
    const pieces = piecesOf(contents).flatMap((piece) => [...cut(piece)]);
    await helper.order(this.#path, {do: 'append', name, pieces}, undefined, pieces);
  }

  async replaceAtomic(name: string, contents: Contents): Promise<void> {
    await this.commit({[name]: contents});
  }

  async commit(files: Readonly<Record<string, Contents>>): Promise<void> {
    for (const name of Object.keys(files)) checkName(this.url, name);
    const helper = await this.#help();
    if (helper === undefined) return this.#local.commit(files);
    try {
      await helper.commit(this.#path, files);
    } catch (error) {
      // It may have gone so far that the next to look has to finish it.
      this.#local.lookAgain();
      throw error;
    }
  }

  async remove(...names: string[]): Promise<void> {
    for (const name of names) checkName(this.url, name);
    const helper = await this.#help();
    if (helper === undefined) return this.#local.remove(...names);
    await helper.order(this.#path, {do: 'remove', names});
  }

  async lock(name: string, options: LockOptions = {}): Promise<StorageLock> {
    checkName(this.url, name);
    const helper = await this.#help();
    if (helper === undefined) return this.#local.lock(name, options);
    const lock = await helper.order(
        this.#path, {do: 'lock', name, wait: options.wait ?? 0});
    return {
      release: async () => {
        await helper.order(this.#path, {do: 'release', lock});
      },
    };
  }

  available(): Promise<number | undefined> {
    return originAvailable();
  }

  async close(): Promise<void> {
    const helper = await this.#helper;
    this.#helper = undefined;
    if (helper?.lives) {
      await helper.order(this.#path, {do: 'close'});
      helper.leave();
    }
    await this.#local.close();
  }
}
