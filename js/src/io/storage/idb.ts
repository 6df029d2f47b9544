/** IndexedDB with promises. */
import {StorageError} from './storage.js';

const asError = (error: DOMException | null): Error =>
  error ?? new StorageError('io', 'the transaction was aborted');

/** The answer to a request. */
export function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(asError(request.error));
  });
}

/** Opens a database, making the object stores it lacks; `url` is for errors. */
export function openDatabase(
    name: string, upgrade: (db: IDBDatabase) => void,
    url = ''): Promise<IDBDatabase> {
  const factory = (globalThis as {indexedDB?: IDBFactory}).indexedDB;
  if (factory === undefined || factory === null) {
    return Promise.reject(new StorageError(
        'unsupported', `${url}The current environment does not appear to ` +
            'support IndexedDB.'));
  }
  const request = factory.open(name, 1);
  request.onupgradeneeded = () => upgrade(request.result);
  return new Promise((resolve, reject) => {
    request.onsuccess = () => {
      const db = request.result;
      // Someone wants to delete it: do not stand in the way.
      db.onversionchange = () => db.close();
      resolve(db);
    };
    request.onerror = () => reject(asError(request.error));
    request.onblocked = () => reject(new StorageError(
        'locked', `IndexedDB database '${name}' is in use by another tab`));
  });
}

/**
 * Runs `f` in one transaction; resolves with its answer once all of it is
 * stored. `f` waits for nothing but requests of the transaction.
 */
export async function inTransaction<T>(
    db: IDBDatabase, stores: string[], mode: 'readonly' | 'readwrite',
    f: (store: (name: string) => IDBObjectStore) => Promise<T>): Promise<T> {
  const transaction = db.transaction(
      stores, mode, mode === 'readwrite' ? {durability: 'strict'} : {});
  const finished = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(
        asError(transaction.error));
  });
  finished.catch(() => undefined);
  let result: T;
  try {
    result = await f((name) => transaction.objectStore(name));
  } catch (error) {
    try {
      transaction.abort();
    } catch {
      // It has ended by itself, and knows better why.
      await finished;
    }
    throw error;
  }
  await finished;
  return result;
}
