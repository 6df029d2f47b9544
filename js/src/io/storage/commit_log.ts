/**
 * Several files changed as one, where a platform can only replace one at a
 * time. New contents are written beside the old ones; then a log that lists
 * them is written; then each takes its place; then the log is removed. A crash
 * before the log is whole changes nothing; after it, the next open finishes.
 */
import {checkName, reserved} from './storage.js';
import type {Contents} from './storage.js';

const logName = `${reserved}commit`;
const temporary = `${reserved}tmp-`;

/** What the protocol needs of a platform. Names may be reserved ones. */
export interface Primitives {
  readonly url: string;
  /** Names of the files of the folder itself, reserved ones too. */
  names(): Promise<string[]>;
  readText(name: string): Promise<string>;
  /** Writes a file and sees it safe on the disk. */
  write(name: string, contents: Contents): Promise<void>;
  /** Puts a whole file in another's place, in one step if it can. */
  move(from: string, to: string): Promise<void>;
  delete(name: string): Promise<void>;
}

interface Step {
  readonly from: string;
  readonly to: string;
}

let count = 0;
// A writer that is dying must not share names with the one that follows it.
const epoch = Math.random().toString(36).slice(2, 8);

/**
 * A name for contents that are not yet those of `name`. It is in the folder
 * itself: what lies in inner ones may be another writer's.
 */
export function temporaryName(name: string): string {
  return `${temporary}${epoch}-${count++}-` +
      name.slice(name.lastIndexOf('/') + 1);
}

/** Changes the files, all or none. */
export async function commit(
    disk: Primitives,
    files: Readonly<Record<string, Contents>>): Promise<void> {
  const names = Object.keys(files);
  for (const name of names) checkName(disk.url, name);
  const steps: Step[] = [];
  try {
    for (const name of names) {
      const from = temporaryName(name);
      steps.push({from, to: name});
      await disk.write(from, files[name]!);
    }
    if (steps.length > 1) await writeLog(disk, steps);
  } catch (error) {
    for (const {from} of steps) await disk.delete(from).catch(() => undefined);
    throw error;
  }
  for (const {from, to} of steps) await disk.move(from, to);
  if (steps.length > 1) await disk.delete(logName);
}

async function writeLog(disk: Primitives, steps: Step[]): Promise<void> {
  const draft = temporaryName(logName);
  try {
    await disk.write(draft, new TextEncoder().encode(JSON.stringify({steps})));
    await disk.move(draft, logName);
  } catch (error) {
    await disk.delete(draft).catch(() => undefined);
    throw error;
  }
}

/**
 * Finishes what a crash left half done, and removes what it left undone. Only
 * the one who may write calls it.
 */
export async function recover(disk: Primitives): Promise<void> {
  let names = await disk.names();
  if (names.includes(logName)) {
    for (const {from, to} of await readLog(disk)) {
      if (names.includes(from)) await disk.move(from, to);
    }
    await disk.delete(logName);
    names = await disk.names();
  }
  for (const name of names) {
    if (isReserved(name)) await disk.delete(name);
  }
}

// A log that is not whole was never moved into place, unless the platform
// cannot move: then the files still have their old contents.
async function readLog(disk: Primitives): Promise<Step[]> {
  try {
    return (JSON.parse(await disk.readText(logName)) as {steps: Step[]}).steps;
  } catch {
    return [];
  }
}

/** True for files that are no one's but the storage's. */
export function isReserved(name: string): boolean {
  return name.slice(name.lastIndexOf('/') + 1).startsWith(reserved) ||
      name.endsWith('.crswap');
}
