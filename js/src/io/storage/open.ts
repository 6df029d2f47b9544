/** Storages by URL. */
import {shown} from '../../errors.js';
import {IndexedDbStorage} from './indexeddb.js';
import {MemoryStorage} from './memory.js';
import {OpfsStorage} from './opfs.js';
import {openPicked} from './picked.js';
import {StorageError} from './storage.js';
import type {FileStorage} from './storage.js';

/** Opens a storage; `path` is the URL without its scheme and `://`. */
export type StorageOpener = (path: string, url: string) => FileStorage;

const openers = new Map<string, StorageOpener>([
  ['memory', (path) => new MemoryStorage(path)],
  ['opfs', (path) => new OpfsStorage(path)],
  ['indexeddb', (path) => new IndexedDbStorage(path)],
  ['picked', (path) => openPicked(path)],
]);

/** Adds a kind of storage, or takes the place of one. */
export function registerStorage(scheme: string, opener: StorageOpener): void {
  openers.set(scheme, opener);
}

/**
 * Opens the folder that a URL names: `memory://`, `opfs://`, `indexeddb://`
 * (a database and a folder), `picked://` (see {@link pickedDirectory}) or, in
 * Node, `file://` and plain paths.
 *
 * Errors: a scheme that is not known here.
 *
 * ```js
 * const folder = tf.io.openStorage('memory://notes');
 * await folder.append('a.txt', new TextEncoder().encode('hello'));
 * (await folder.list()).map(({name, size}) => [name, size]); // => [['a.txt', 5]]
 * await folder.remove('a.txt');
 * await folder.close();
 * ```
 */
export function openStorage(url: string): FileStorage {
  if (typeof url !== 'string') {
    throw new StorageError(
        'name', `openStorage: the URL must be a text, got ${shown(url)}`);
  }
  const match = /^([a-z]+):\/\/(.*)$/s.exec(url);
  const scheme = match?.[1] ?? 'file';
  const opener = openers.get(scheme);
  if (opener === undefined) {
    throw new StorageError(
        'name', `no storage is known for '${url}': there are ` +
            [...openers.keys()].map((name) => `${name}://`).join(', ') +
            (scheme === 'file' ? ' (files only in Node)' : ''));
  }
  try {
    return opener(match?.[2] ?? url, url);
  } catch (error) {
    if (error instanceof StorageError) throw error;
    // Escapes in a URL that are none.
    throw new StorageError(
        'name', `${url}: ${(error as Error).message}`, error);
  }
}
