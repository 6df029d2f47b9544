/** Folders of the user's own disk, which a page may write to when asked. */
import {OpfsStorage} from './opfs.js';
import {StorageError, partsOf} from './storage.js';

const picked = new Map<string, FileSystemDirectoryHandle>();

/**
 * Resolves to the URL of a folder that the user has picked: files, such as the
 * checkpoints of a `checkpointDir`, are then written there. It is good in this
 * page or Worker, and the same for the same folder.
 *
 * ```ts
 * const folder = await showDirectoryPicker({mode: 'readwrite'});
 * const checkpointDir = await tf.io.pickedDirectory(folder);
 * checkpointDir; // => 'picked://runs', for a folder of that name
 * ```
 */
export async function pickedDirectory(
    handle: FileSystemDirectoryHandle): Promise<string> {
  if (handle?.kind !== 'directory') {
    throw new StorageError(
        'name', 'pickedDirectory: this is no handle of a directory');
  }
  const stem = handle.name === '' ? 'folder' : handle.name;
  for (let name = stem, n = 1; ; name = `${stem}-${n++}`) {
    const known = picked.get(name);
    if (known !== undefined && !await known.isSameEntry(handle)) continue;
    // The newer handle may have more permissions.
    picked.set(name, handle);
    return `picked://${name}`;
  }
}

/** Opens a folder, or one in it, by the URL that was given out for it. */
export function openPicked(path: string): OpfsStorage {
  const [name = '', ...inner] = partsOf(path);
  const root = picked.get(name);
  if (root === undefined) {
    throw new StorageError(
        'name', `picked://${path}: no folder of that name was picked here: ` +
            'await tf.io.pickedDirectory(handle) first');
  }
  const url = `picked://${[name, ...inner].join('/')}`;
  return new OpfsStorage(inner.join('/'), {root, url});
}
