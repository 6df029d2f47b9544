// The origin private file system as far as this library uses it: folders in
// memory, streams that show nothing until closed, and files that can move.

class FakeFile {
  bytes = new Uint8Array();
  modified = Date.now();
}

export class FakeFileHandle {
  readonly kind = 'file';
  constructor(readonly folder: FakeFolder, readonly name: string, readonly file: FakeFile) {}

  async getFile(): Promise<File> {
    return new File([this.file.bytes], this.name, { lastModified: this.file.modified });
  }

  async createWritable({ keepExistingData = false } = {}): Promise<unknown> {
    let draft = keepExistingData ? this.file.bytes.slice() : new Uint8Array();
    let at = 0;
    this.folder.add(`${this.name}.crswap`, new FakeFile());
    const done = (): void => void this.folder.entriesMap.delete(`${this.name}.crswap`);
    return {
      seek: async (position: number) => {
        at = position;
      },
      write: async (bytes: Uint8Array) => {
        if (FakeFolder.failWrites > 0 && --FakeFolder.failWrites === 0) {
          throw Object.assign(new Error('the disk is full'), { name: 'QuotaExceededError' });
        }
        const next = new Uint8Array(Math.max(draft.length, at + bytes.length));
        next.set(draft);
        next.set(bytes, at);
        [draft, at] = [next, at + bytes.length];
      },
      close: async () => {
        this.file.bytes = draft;
        this.file.modified = Date.now();
        done();
      },
      abort: async () => done(),
    };
  }
}

/** The same in an engine that can move files. */
export class MovableFileHandle extends FakeFileHandle {
  async move(folder: FakeFolder, name: string): Promise<void> {
    this.folder.entriesMap.delete(this.name);
    folder.add(name, this.file);
  }

  // Looked for on the prototype.
  override async createWritable(options?: { keepExistingData?: boolean }): Promise<unknown> {
    return super.createWritable(options);
  }
}

/** And in a worker. */
export class SyncFileHandle extends MovableFileHandle {
  async createSyncAccessHandle(): Promise<unknown> {
    const { file } = this;
    return {
      getSize: () => file.bytes.length,
      truncate: (size: number) => {
        file.bytes = file.bytes.slice(0, size);
      },
      write: (bytes: Uint8Array, { at }: { at: number }) => {
        const next = new Uint8Array(Math.max(file.bytes.length, at + bytes.length));
        next.set(file.bytes);
        next.set(bytes, at);
        file.bytes = next;
        return bytes.length;
      },
      flush: () => {},
      close: () => {},
    };
  }
}

const notFound = (name: string): Error => Object.assign(new Error(`no ${name}`), { name: 'NotFoundError' });

export class FakeFolder {
  /** The n-th write from now fails for want of space; 0: none does. */
  static failWrites = 0;
  readonly kind = 'directory';
  readonly entriesMap = new Map<string, FakeFileHandle | FakeFolder>();

  constructor(readonly handles: typeof FakeFileHandle) {}

  add(name: string, file: FakeFile): FakeFileHandle {
    const handle = new this.handles(this, name, file);
    this.entriesMap.set(name, handle);
    return handle;
  }

  async getDirectoryHandle(name: string, { create = false } = {}): Promise<FakeFolder> {
    const found = this.entriesMap.get(name);
    if (found instanceof FakeFolder) return found;
    if (!create) throw notFound(name);
    const made = new FakeFolder(this.handles);
    this.entriesMap.set(name, made);
    return made;
  }

  async getFileHandle(name: string, { create = false } = {}): Promise<FakeFileHandle> {
    const found = this.entriesMap.get(name);
    if (found instanceof FakeFileHandle) return found;
    if (!create) throw notFound(name);
    return this.add(name, new FakeFile());
  }

  async removeEntry(name: string): Promise<void> {
    if (!this.entriesMap.delete(name)) throw notFound(name);
  }

  async* entries(): AsyncIterable<[string, FakeFileHandle | FakeFolder]> {
    yield* [...this.entriesMap];
  }
}

/** Puts a root folder where pages find it; the answer takes it away again. */
export function installOpfs(handles: typeof FakeFileHandle): { root: FakeFolder; uninstall(): void } {
  const root = new FakeFolder(handles);
  const old = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  Object.defineProperty(globalThis, 'navigator', {
    configurable: true, value: { storage: { getDirectory: async () => root } },
  });
  (globalThis as any).FileSystemFileHandle = handles;
  return {
    root,
    uninstall: () => {
      if (old) Object.defineProperty(globalThis, 'navigator', old);
      else delete (globalThis as any).navigator;
      delete (globalThis as any).FileSystemFileHandle;
    },
  };
}
