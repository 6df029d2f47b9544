/**
 * Locks between processes and worker threads, in Node: files that say who
 * holds them. A holder that died holds nothing, however it died:
 *
 * - Another process is looked up by its id and, where the system tells it, the
 *   time it was started: ids are given out again.
 * - A thread of this process keeps its lock file open. Descriptors belong to
 *   the process, so every thread can see whether that one still leads to the
 *   file; the end of a thread closes it.
 *
 * A file appears under its name when it is whole. One that is not (its disk
 * was full, or cannot link) counts as held while it is new.
 */
import * as fs from 'node:fs';
import {link, open, readFile, rm, stat} from 'node:fs/promises';
import type {FileHandle} from 'node:fs/promises';
import {dirname} from 'node:path';
import {threadId} from 'node:worker_threads';
import {codeOf, makeFolder} from './node_folders.js';
import {StorageError} from './storage.js';
import type {StorageLock} from './storage.js';

const poll = 50;
/** Milliseconds for which a lock file may say nothing. */
const youth = 3000;

/** When a process was started; undefined where the system does not tell. */
function startOf(pid: number): string | undefined {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is a name, which may have any characters.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

interface Holder {
  readonly pid: number;
  readonly thread: number;
  readonly start: string | undefined;
  readonly descriptor: number;
}

/** Who a lock file says that holds it; undefined where it is not whole. */
function holderOf(text: string): Holder | undefined {
  const match = /^(\d+) (\d+) (\d+) (\d+|-)\n$/.exec(text);
  if (match === null) return undefined;
  const [, pid, thread, descriptor, start] = match;
  return {
    pid: Number(pid), thread: Number(thread), descriptor: Number(descriptor),
    start: start === '-' ? undefined : start,
  };
}

function isOpenHere(descriptor: number, inode: number): boolean {
  try {
    return fs.fstatSync(descriptor).ino === inode;
  } catch {
    return false;
  }
}

function isAlive(holder: Holder, inode: number): boolean {
  const {pid, start, descriptor} = holder;
  if (pid === process.pid) return isOpenHere(descriptor, inode);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return false;
  }
  const now = startOf(pid);
  return now === undefined || start === undefined || now === start;
}

/** Who holds a lock file; undefined for nobody. */
async function heldBy(path: string): Promise<string | undefined> {
  try {
    const {ino, mtimeMs} = await stat(path);
    const holder = holderOf(await readFile(path, 'utf8'));
    if (holder === undefined) {
      return Date.now() - mtimeMs < youth ? 'a process that has just begun' :
        undefined;
    }
    if (!isAlive(holder, ino)) return undefined;
    const {pid, thread} = holder;
    return `process ${pid}` +
        (pid === process.pid ? `, thread ${thread}` : '');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Makes the lock file; undefined when it is there already. */
async function make(
    path: string, draft: string): Promise<FileHandle | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await open(draft, 'wx');
    const start = startOf(process.pid) ?? '-';
    await file.writeFile(`${process.pid} ${threadId} ${file.fd} ${start}\n`);
    await link(draft, path).catch(async (error: unknown) => {
      // Drafts of others may be cleared away as what a crash has left.
      if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') throw error;
      // A disk without links.
      const direct = await open(path, 'wx');
      await file!.close();
      file = direct;
      await file.writeFile(`${process.pid} ${threadId} ${file.fd} ${start}\n`);
    });
    await rm(draft, {force: true});
    return file;
  } catch (error) {
    await file?.close();
    await rm(draft, {force: true});
    const again = ['EEXIST', 'ENOENT'].includes(codeOf(error) ?? '');
    if (again) return undefined;
    throw error;
  }
}

/**
 * Removes a lock file nobody holds. One at a time may do it: else the second
 * could remove what the first has put in its place. False when another is at
 * it.
 */
async function clear(path: string): Promise<boolean> {
  const guard = `${path}.clearing`;
  try {
    await (await open(guard, 'wx')).close();
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    const made = await stat(guard).catch(() => undefined);
    // Whoever was at it has died.
    if (made && Date.now() - made.mtimeMs > youth) await rm(guard, {force: true});
    return false;
  }
  try {
    if (await heldBy(path) === undefined) await rm(path, {force: true});
    return true;
  } finally {
    await rm(guard, {force: true});
  }
}

/**
 * Takes the lock of a file; `draft` names one beside it that is not there.
 * Errors: `locked` when another thread or process has it for `wait`
 * milliseconds.
 */
export async function fileLock(
    path: string, what: string, wait: number,
    draft: () => string): Promise<StorageLock> {
  const until = Date.now() + wait;
  await makeFolder(dirname(path));
  for (;;) {
    const file = await make(path, draft());
    if (file !== undefined) {
      return {
        release: async () => {
          try {
            await rm(path, {force: true});
          } finally {
            await file.close();
          }
        },
      };
    }
    const holder = await heldBy(path);
    if (holder === undefined) {
      if (await clear(path)) continue;
    } else if (Date.now() >= until) {
      throw new StorageError('locked', `${what} is in use by ${holder}`);
    }
    await new Promise((f) => setTimeout(f, poll));
  }
}
