/** Locks by name: among tabs and workers where the platform has them. */
import {StorageError} from './storage.js';
import type {LockOptions, StorageLock} from './storage.js';

const prefix = 'tidemark:';
const poll = 50;
const held = new Set<string>();

const taken = (name: string): StorageError => new StorageError(
    'locked', `'${name}' is in use by another tab, worker or program`);

/** A lock that only this realm knows. */
export async function realmLock(
    name: string, {wait = 0}: LockOptions = {}): Promise<StorageLock> {
  const until = Date.now() + wait;
  while (held.has(name)) {
    if (Date.now() >= until) throw taken(name);
    await new Promise((resolve) => setTimeout(resolve, poll));
  }
  held.add(name);
  return {
    release: async () => {
      held.delete(name);
    },
  };
}

/** Who holds a lock, where the platform tells. */
async function clientOf(
    locks: LockManager, name: string): Promise<string | undefined> {
  const {held: all = []} = await locks.query();
  return all.find((lock) => lock.name === name)?.clientId;
}

/** A lock among all pages and workers of an origin. */
export async function originLock(
    name: string, {wait = 0}: LockOptions = {}): Promise<StorageLock> {
  const locks = (globalThis as {navigator?: Navigator}).navigator?.locks;
  if (locks === undefined) return realmLock(name, {wait});
  return new Promise<StorageLock>((resolve, reject) => {
    const options: {ifAvailable?: boolean, signal?: AbortSignal} =
        wait > 0 ? {signal: AbortSignal.timeout(wait)} : {ifAvailable: true};
    const settled = locks.request(prefix + name, options, (lock) => {
      if (lock === null) {
        reject(taken(name));
        return undefined;
      }
      const client = clientOf(locks, prefix + name);
      return new Promise<void>((free) => resolve({
        release: async () => {
          free();
          await settled.catch(() => undefined);
        },
        // A page that was in the browser's cache may have lost it.
        held: async () => {
          const mine = await client;
          return mine === undefined ||
              mine === await clientOf(locks, prefix + name);
        },
      }));
    });
    settled.catch((error: unknown) => {
      reject((error as Error).name === 'TimeoutError' ? taken(name) :
        error as Error);
    });
  });
}
