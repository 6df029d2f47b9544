// Storages that fail at their n-th operation, in three ways.
import type { Primitives } from '../../../../js/src/io/storage/commit_log.js';
import { NodeStorage } from '../../../../js/src/io/storage/node_fs.js';
import { MemoryStorage } from '../../../../js/src/io/storage/memory.js';
import { joined, StorageError } from '../../../../js/src/io/storage/storage.js';
import type { Bytes, Contents, FileStorage } from '../../../../js/src/io/storage/storage.js';

/**
 * throw: one operation fails, the rest work. stop: the process is dead from there on. torn: half of what is written
 * arrives, then the process is dead.
 */
export const modes = ['throw', 'stop', 'torn'] as const;
export type Mode = (typeof modes)[number];

export class Fault {
  count = 0;
  dead = false;
  hit = false;

  constructor(readonly at: number, readonly mode: Mode) {}

  /** One operation; `half` does half of it. */
  async op<T>(whole: () => Promise<T>, half?: () => Promise<unknown>): Promise<T> {
    if (this.dead) throw new StorageError('io', 'the process is dead');
    if (++this.count !== this.at) return whole();
    this.hit = true;
    this.dead = this.mode !== 'throw';
    if (this.mode === 'torn') await half?.();
    throw new StorageError('io', `operation ${this.at} failed`);
  }
}

/** Half the bytes of contents. */
async function half(contents: Contents): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  if (ArrayBuffer.isView(contents)) pieces.push(contents);
  else for await (const piece of contents) pieces.push(piece);
  const all = joined(pieces);
  return all.slice(0, all.length / 2);
}

/** A disk whose operations may fail; a move that dies half-way has happened or not. */
export function faultyDisk(disk: Primitives, fault: Fault): Primitives {
  return {
    url: disk.url,
    names: () => fault.op(() => disk.names()),
    readText: (name) => fault.op(() => disk.readText(name)),
    write: (name, contents) => fault.op(() => disk.write(name, contents), async () => disk.write(name, await half(contents))),
    move: (from, to) => fault.op(() => disk.move(from, to), () => disk.move(from, to)),
    delete: (name) => fault.op(() => disk.delete(name), () => disk.delete(name)),
  };
}

/** Counts what a storage is asked for. A commit in memory happens or does not. */
export class FaultyStorage implements FileStorage {
  readonly url: string;
  readonly capabilities;

  constructor(readonly inner: FileStorage, readonly fault: Fault) {
    this.url = inner.url;
    this.capabilities = inner.capabilities;
  }

  list() {
    return this.fault.op(() => this.inner.list());
  }
  read(name: string, range?: { start?: number; end?: number }) {
    return this.fault.op(() => this.inner.read(name, range));
  }
  createExclusive(name: string, contents: Bytes) {
    return this.fault.op(() => this.inner.createExclusive(name, contents));
  }
  append(name: string, contents: Bytes) {
    return this.fault.op(() => this.inner.append(name, contents), async () => this.inner.append(name, await half(contents)));
  }
  replaceAtomic(name: string, contents: Contents) {
    return this.fault.op(() => this.inner.replaceAtomic(name, contents), () => this.inner.replaceAtomic(name, contents));
  }
  commit(files: Readonly<Record<string, Contents>>) {
    return this.fault.op(() => this.inner.commit(files), () => this.inner.commit(files));
  }
  remove(...names: string[]) {
    return this.fault.op(() => this.inner.remove(...names), () => this.inner.remove(...names.slice(0, names.length / 2)));
  }
  lock(name: string, options?: { wait?: number }) {
    return this.fault.op(() => this.inner.lock(name, options));
  }
  available() {
    return this.inner.available();
  }
  close() {
    return this.inner.close();
  }
}

/** Opens directories with the fault; `file` ones fail in what they ask of the disk. */
export function faultyOpen(fault: Fault): (directory: string) => FileStorage {
  return (directory) => directory.startsWith('memory://') ?
    new FaultyStorage(new MemoryStorage(directory.slice('memory://'.length)), fault) :
    new FaultyStorage(new NodeStorage(directory, (disk) => faultyDisk(disk, fault)), new Fault(0, 'throw'));
}
