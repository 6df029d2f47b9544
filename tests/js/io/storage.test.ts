// Every storage keeps the same promises.
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { commit, recover } from '../../../js/src/io/storage/commit_log.js';
import { IndexedDbStorage } from '../../../js/src/io/storage/indexeddb.js';
import { MemoryStorage } from '../../../js/src/io/storage/memory.js';
import { fileLock } from '../../../js/src/io/storage/node_lock.js';
import { makeFolder, pathOf } from '../../../js/src/io/storage/node_folders.js';
import { NodeStorage } from '../../../js/src/io/storage/node_fs.js';
import { openStorage, registerStorage } from '../../../js/src/io/storage/open.js';
import { OpfsStorage } from '../../../js/src/io/storage/opfs.js';
import type { Contents, FileStorage } from '../../../js/src/io/storage/storage.js';
import { FakeFactory } from './support/indexed_db.js';
import { FakeFileHandle, FakeFolder, MovableFileHandle, SyncFileHandle, installOpfs } from './support/opfs.js';

const bytes = (...values: number[]): Uint8Array<ArrayBuffer> => new Uint8Array(values);
const read = async (s: FileStorage, name: string): Promise<number[]> => [...await s.read(name)];
const namesIn = async (s: FileStorage): Promise<string[]> => (await s.list()).map(({ name }) => name);

let folder: string;
let opfs: ReturnType<typeof installOpfs> | undefined;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});
afterEach(() => {
  opfs?.uninstall();
  opfs = undefined;
  delete (globalThis as any).indexedDB;
  FakeFactory.failWrites = 0;
  FakeFolder.failWrites = 0;
});

let runs = 0;
const kinds: [string, () => () => FileStorage][] = [
  ['memory', () => {
    const path = `run${runs++}/a`;
    return () => new MemoryStorage(path);
  }],
  ['node', () => {
    const url = `${pathToFileURL(folder).href}/run ${runs++}/a`;
    return () => new NodeStorage(url);
  }],
  ['indexeddb', () => {
    (globalThis as any).indexedDB = new FakeFactory();
    return () => new IndexedDbStorage('runs/a');
  }],
  ...([['opfs', FakeFileHandle], ['opfs that moves', MovableFileHandle], ['opfs in a worker', SyncFileHandle]] as const).map(
    ([name, handles]): [string, () => () => FileStorage] => [name, () => {
      opfs = installOpfs(handles);
      return () => new OpfsStorage('runs/a');
    }]),
];

describe.each(kinds)('%s', (_, prepare) => {
  let make: () => FileStorage;
  let s: FileStorage;
  beforeEach(() => {
    make = prepare();
    s = make();
  });
  afterEach(async () => {
    await s.close();
  });

  test('files come back whole, in part and from another opening', async () => {
    await s.replaceAtomic('x', [bytes(1, 2), bytes(), bytes(3, 4, 5)]);
    await s.replaceAtomic('deep/er/y', bytes(9));
    expect(await read(s, 'x')).toEqual([1, 2, 3, 4, 5]);
    expect([...await s.read('x', { start: 1, end: 3 })]).toEqual([2, 3]);
    expect([...await s.read('x', { start: 4, end: 99 })]).toEqual([5]);
    expect([...await s.read('x', { start: 9 })]).toEqual([]);
    const other = make();
    const files = await other.list();
    expect(files.map(({ name, size }) => [name, size])).toEqual([['deep/er/y', 1], ['x', 5]]);
    expect(Math.abs(files[0]!.modified.getTime() - Date.now())).toBeLessThan(60_000);
    expect(await read(other, 'deep/er/y')).toEqual([9]);
    await other.close();
  });

  test('however its URL is written, it is the same folder', async () => {
    registerStorage('file', (_, url) => new NodeStorage(url));
    const other = openStorage(s.url.replace(/\/a$/, '//./b/../a/'));
    await s.replaceAtomic('x', bytes(1));
    expect([other.url, await read(other, 'x')]).toEqual([s.url, [1]]);
    const lock = await s.lock('w');
    await expect(other.lock('w')).rejects.toMatchObject({ fault: 'locked' });
    await lock.release();
    await (await other.lock('w')).release();
    await other.close();
  });

  test('what is read and written is a copy', async () => {
    const mine = bytes(1, 2, 3);
    await s.replaceAtomic('x', mine);
    mine[0] = 7;
    (await s.read('x'))[1] = 7;
    expect(await read(s, 'x')).toEqual([1, 2, 3]);
  });

  test('an empty folder, an empty file', async () => {
    expect(await s.list()).toEqual([]);
    await s.replaceAtomic('x', bytes());
    expect((await s.list()).map(({ size }) => size)).toEqual([0]);
    expect(await read(s, 'x')).toEqual([]);
  });

  test('replace, append, create', async () => {
    await s.append('log', bytes(1));
    await s.append('log', [bytes(2), bytes(3)]);
    expect(await read(s, 'log')).toEqual([1, 2, 3]);
    expect([...await s.read('log', { start: 1, end: 2 })]).toEqual([2]);
    await s.replaceAtomic('log', bytes(4));
    await s.append('log', bytes(5));
    expect(await read(s, 'log')).toEqual([4, 5]);
    // Pieces of all sizes.
    const all: number[] = [];
    for (let i = 0; i < 20; i++) {
      const more = Array.from({ length: (i * 7) % 5 + (i === 9 ? 100 : 1) }, (_, j) => i + j);
      await s.append('long', bytes(...more));
      all.push(...more);
    }
    expect(await read(s, 'long')).toEqual(all);
    expect([...await s.read('long', { start: 20, end: 60 })]).toEqual(all.slice(20, 60));
    await s.remove('long');
    await s.createExclusive('new', bytes(6));
    await expect(s.createExclusive('new', bytes(7))).rejects.toMatchObject({ fault: 'exists' });
    expect(await read(s, 'new')).toEqual([6]);
  });

  test('a commit changes all of its files', async () => {
    await s.commit({ a: bytes(1), b: bytes(2), 'sub/c': bytes(3) });
    await s.commit({ a: bytes(4), b: bytes(5) });
    expect([await read(s, 'a'), await read(s, 'b'), await read(s, 'sub/c')]).toEqual([[4], [5], [3]]);
    expect(await namesIn(s)).toEqual(['a', 'b', 'sub/c']);
  });

  test('contents may come in pieces, made while they are written', async () => {
    const order: string[] = [];
    async function* coming(name: string, ...pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
      for (const piece of pieces) {
        order.push(name);
        yield piece;
        await Promise.resolve();
      }
    }
    await s.commit({ data: coming('data', bytes(1, 2), bytes(), bytes(3)), index: coming('index', bytes(4)) });
    expect(order).toEqual(['data', 'data', 'data', 'index']);
    expect([await read(s, 'data'), await read(s, 'index')]).toEqual([[1, 2, 3], [4]]);
    expect([...await s.read('data', { start: 1, end: 3 })]).toEqual([2, 3]);
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield bytes(9);
      throw new Error('no more');
    }
    await expect(s.commit({ data: failing(), index: bytes(9) })).rejects.toThrow('no more');
    expect([await read(s, 'data'), await read(s, 'index')]).toEqual([[1, 2, 3], [4]]);
    const left = await s.available();
    expect(left === undefined || left > 0).toBe(true);
  });

  test('removed files are gone; others need not exist', async () => {
    await s.commit({ a: bytes(1), b: bytes(2) });
    await s.remove('a', 'nothing');
    expect(await namesIn(s)).toEqual(['b']);
    await expect(s.read('a')).rejects.toMatchObject({ fault: 'missing', message: `${s.url} has no file 'a'` });
  });

  test.each(['', '/a', 'a/', '../a', 'a/../b', 'a//b', '.', 'a\\b', 'c:d', '.tidemark-tmp-1'])(
    'the name %j is refused', async (name) => {
      await expect(s.replaceAtomic(name, bytes(1))).rejects.toMatchObject({ fault: 'name', code: 'argument' });
      expect(await s.list()).toEqual([]);
    });

  test('a lock keeps others out until it is released', async () => {
    const lock = await s.lock('writer');
    await expect(make().lock('writer')).rejects.toMatchObject({ fault: 'locked' });
    const other = await s.lock('another');
    setTimeout(() => void lock.release(), 30);
    const next = await make().lock('writer', { wait: 5000 });
    await next.release();
    await other.release();
    await (await s.lock('writer')).release();
    expect(await s.list()).toEqual([]);
  });
});

describe('a full disk', () => {
  test.each(['indexeddb', 'opfs', 'opfs that moves'])('%s keeps the old files', async (kind) => {
    const s = kinds.find(([name]) => name === kind)![1]()();
    await s.commit({ a: bytes(1), b: bytes(2) });
    for (let n = 1; ; n++) {
      FakeFactory.failWrites = n;
      FakeFolder.failWrites = n;
      const failure = await s.commit({ a: bytes(3), b: bytes(4) }).then(() => undefined, (error: unknown) => error);
      FakeFactory.failWrites = 0;
      FakeFolder.failWrites = 0;
      const files = [await read(s, 'a'), await read(s, 'b')];
      if (failure === undefined) {
        expect([n > 2, files]).toEqual([true, [[3], [4]]]);
        break;
      }
      expect(failure).toMatchObject({ fault: 'full', message: expect.stringContaining('no space is left (the disk is full)') });
      expect([[[1], [2]], [[3], [4]]]).toContainEqual(files);
      await s.commit({ a: bytes(1), b: bytes(2) });
      expect(await namesIn(s)).toEqual(['a', 'b']);
    }
    await s.close();
  });

  test('indexeddb frees the chunks of what was replaced', async () => {
    const factory = new FakeFactory();
    (globalThis as any).indexedDB = factory;
    const s = new IndexedDbStorage('runs/a');
    for (let i = 0; i < 5; i++) await s.commit({ a: bytes(i), b: [bytes(i), bytes(i)] });
    expect(factory.rows('tidemark-files/runs', 'chunks').size).toBe(3);
    factory.rows('tidemark-files/runs', 'chunks').set(99, bytes(1));
    await s.close();
    await s.list();
    expect(factory.rows('tidemark-files/runs', 'chunks').size).toBe(3);
    // Small additions share chunks.
    for (let i = 0; i < 64; i++) await s.append('log', bytes(i));
    expect(factory.rows('tidemark-files/runs', 'chunks').size).toBeLessThan(3 + 8);
    expect((await s.read('log')).length).toBe(64);
    await s.remove('a', 'b', 'log');
    expect(factory.rows('tidemark-files/runs', 'chunks').size).toBe(0);
    await s.close();
  });
});

// A disk in memory that stops at the n-th step, before it, or in the middle of
// writing a file.
class FailingDisk {
  readonly url = 'test://';
  readonly files = new Map<string, string>();
  left = Infinity;
  torn = false;

  #step(): boolean {
    if (this.left-- > 0) return true;
    if (this.left < -1 || !this.torn) throw new Error('crashed');
    return false;
  }

  names = async (): Promise<string[]> => [...this.files.keys()];
  readText = async (name: string): Promise<string> => this.files.get(name)!;
  write = async (name: string, contents: Contents): Promise<void> => {
    const text = new TextDecoder().decode(contents as Uint8Array);
    if (this.#step()) {
      this.files.set(name, text);
      return;
    }
    this.files.set(name, text.slice(0, text.length >> 1));
    throw new Error('crashed');
  };
  move = async (from: string, to: string): Promise<void> => {
    if (!this.#step()) throw new Error('crashed');
    this.files.set(to, this.files.get(from)!);
    this.files.delete(from);
  };
  delete = async (name: string): Promise<void> => {
    if (!this.#step()) throw new Error('crashed');
    this.files.delete(name);
  };
}

describe('a crash at any step of a commit', () => {
  const text = (s: string): Uint8Array => new TextEncoder().encode(s);
  test.each([false, true])('leaves all or nothing (half-written files: %s)', async (torn) => {
    const seen = new Set<string>();
    for (let n = 0; ; n++) {
      const disk = new FailingDisk();
      disk.torn = torn;
      await commit(disk, { a: text('old a'), b: text('old b') });
      disk.left = n;
      const crashed = await commit(disk, { a: text('new a'), b: text('new b'), c: text('new c') }).then(() => false, () => true);
      disk.left = Infinity;
      await recover(disk);
      const state = JSON.stringify([...disk.files].sort());
      const [before, after] = [[['a', 'old a'], ['b', 'old b']], [['a', 'new a'], ['b', 'new b'], ['c', 'new c']]].map((s) => JSON.stringify(s));
      expect([before, after]).toContain(state);
      seen.add(state);
      // Finished commits are not undone.
      if (!crashed) {
        expect(state).toBe(after);
        break;
      }
    }
    expect(seen.size).toBe(2);
  });
});

describe('node', () => {
  test('a listing leaves out what is removed meanwhile', async () => {
    const dir = mkdtempSync(join(folder, 'listed-'));
    const s = new NodeStorage(dir);
    for (let round = 0; round < 5; round++) {
      const names = Array.from({ length: 200 }, (_, i) => `f${i}`);
      for (const name of ['kept', ...names]) writeFileSync(join(dir, name), name);
      const listing = namesIn(s);
      for (let turn = 0; turn <= round; turn++) await readdir(dir);
      for (const name of names) rmSync(join(dir, name));
      expect(await listing).toContain('kept');
    }
    await s.close();
  });

  test('clears what a crash left, but not what a living writer has', async () => {
    const path = join(folder, 'leftovers');
    const s = new NodeStorage(path);
    await s.replaceAtomic('kept', bytes(1));
    writeFileSync(join(path, '.tidemark-tmp-x-kept'), 'half');
    writeFileSync(join(path, '.tidemark-commit'), '{"steps": [');
    const lock = await s.lock('commit');
    await new NodeStorage(path).list();
    expect(readdirSync(path)).toContain('.tidemark-tmp-x-kept');
    await lock.release();
    expect(await namesIn(new NodeStorage(path))).toEqual(['kept']);
    expect(readdirSync(path)).toEqual(['kept']);
  });

  test('the lock of a dead process counts nothing', async () => {
    const path = join(folder, 'stale');
    const s = new NodeStorage(path);
    await s.replaceAtomic('x', bytes(1));
    writeFileSync(join(path, '.tidemark-lock-writer'), '999999999 0 3 -\n');
    await (await s.lock('writer')).release();
    // Process 1 lives, but is not the one that was started then.
    writeFileSync(join(path, '.tidemark-lock-writer'), '1 0 3 999999999999\n');
    await (await s.lock('writer')).release();
    writeFileSync(join(path, '.tidemark-lock-writer'), '1 0 3 -\n');
    await expect(s.lock('writer')).rejects.toThrow("'writer' is in use by process 1");
    // This process lives too, but has no such file open.
    writeFileSync(join(path, '.tidemark-lock-writer'), `${process.pid} 0 0 -\n`);
    await (await s.lock('writer')).release();
    expect(readdirSync(path)).toEqual(['x']);
  });

  test.each(['', '12', `${process.pid} 0`])('a lock file of %j is torn: held while it is new', async (text) => {
    const path = join(folder, 'torn');
    const s = new NodeStorage(path);
    await s.replaceAtomic('x', bytes(1));
    const file = join(path, '.tidemark-lock-writer');
    writeFileSync(file, text);
    await expect(s.lock('writer')).rejects.toThrow("'writer' is in use by a process that has just begun");
    const old = new Date(Date.now() - 4000);
    utimesSync(file, old, old);
    await (await s.lock('writer')).release();
    expect(readdirSync(path)).toEqual(['x']);
  });

  test('many take over a dead lock: one at a time has it', async () => {
    const path = join(folder, 'many');
    await new NodeStorage(path).replaceAtomic('x', bytes(1));
    const file = join(path, '.tidemark-lock-writer');
    writeFileSync(file, '999999999 0 3 -\n');
    let inside = 0, most = 0;
    await Promise.all(Array.from({ length: 8 }, async (_, i) => {
      // Past the lock of the realm, as other realms are.
      const lock = await fileLock(file, 'it', 20_000, () => join(path, `.tidemark-tmp-${i}-lock`));
      most = Math.max(most, ++inside);
      await new Promise((f) => setTimeout(f, 5));
      inside--;
      await lock.release();
    }));
    expect(most).toBe(1);
    expect(readdirSync(path)).toEqual(['x']);
  });

  test('URLs and paths', () => {
    expect(pathOf(pathToFileURL('/a b/c').href)).toBe('/a b/c');
    expect(pathOf('file://rel/x')).toBe(join(process.cwd(), 'rel/x'));
    expect(pathOf('rel/x')).toBe(join(process.cwd(), 'rel/x'));
  });

  test('folders are made one at a time, and where there can be none that is said', async () => {
    const deep = join(folder, 'deep', 'er', 'est');
    await Promise.all([makeFolder(deep), makeFolder(deep), makeFolder(join(deep, 'x'))]);
    expect(readdirSync(deep)).toEqual(['x']);
    writeFileSync(join(folder, 'plain'), '');
    await expect(makeFolder(join(folder, 'plain', 'x', 'y'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(makeFolder(join(folder, 'plain'))).rejects.toMatchObject({ code: 'EEXIST' });
    // Where Node itself tries for ever.
    if (process.platform === 'linux') await expect(makeFolder('/proc/nope/x')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('a URL that is none says so', () => {
    for (const url of [5, null, undefined, {}]) expect(() => openStorage(url as never)).toThrow('the URL must be a text');
    registerStorage('file', (_, url) => new NodeStorage(url));
    expect(() => openStorage('file:///%zz')).toThrow('file:///%zz: ');
  });

  test('a disk that refuses says so', async () => {
    writeFileSync(join(folder, 'file'), '');
    await expect(new NodeStorage(join(folder, 'file', 'x')).replaceAtomic('a', bytes(1))).rejects.toMatchObject({ fault: 'io' });
  });
});

test('storages by URL', async () => {
  await openStorage('memory://by/url').replaceAtomic('x', bytes(1));
  expect(await read(new MemoryStorage('by/url/'), 'x')).toEqual([1]);
  expect(await namesIn(openStorage('memory://by'))).toEqual(['url/x']);
  await openStorage('memory://by/url').remove('x');
  expect(openStorage('opfs://a/b').url).toBe('opfs://a/b');
  expect(openStorage('indexeddb://runs/a').url).toBe('indexeddb://runs/a');
  expect(() => openStorage('ftp://x')).toThrow("no storage is known for 'ftp://x'");
  expect(() => openStorage('indexeddb://')).toThrow('the name of a database is missing');
  const closed = openStorage('memory://by');
  await closed.close();
  await expect(closed.list()).rejects.toMatchObject({ fault: 'closed' });
});

test('an environment without the platform says so', async () => {
  await expect(new OpfsStorage('x').list()).rejects.toThrow('no origin private file system');
  await expect(new IndexedDbStorage('x').list()).rejects.toThrow('does not appear to support IndexedDB');
});
