/** Folders on the disk, in Node: their one name, and making them. */
import {realpathSync} from 'node:fs';
import {mkdir, stat} from 'node:fs/promises';
import {basename, dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

/** The error code of Node's, such as `ENOENT`. */
export const codeOf = (error: unknown): string | undefined =>
  (error as {code?: string}).code;

/** The path of a `file://` URL or plain path: absolute, without links. */
export function pathOf(url: string): string {
  if (!url.startsWith('file://')) return linked(resolve(url));
  // `file://relative/path` is what TensorFlow.js's users write.
  return linked(resolve(/^file:\/\/\/|^file:\/\/[A-Za-z]:/.test(url) ?
    fileURLToPath(new URL(url)) : decodeURI(url.slice(7))));
}

/** Where links lead to, as far as there is something. */
function linked(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(linked(above), basename(path));
  }
}

/**
 * Makes a folder and those it is in. Not as Node does: it tries for ever where
 * a system says, as `/proc` does, that a folder is not there which cannot be.
 */
export async function makeFolder(path: string, climb = true): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const there = await stat(path).catch(() => undefined);
    if (there?.isDirectory()) return;
    const above = dirname(path);
    if (!climb || codeOf(error) !== 'ENOENT' || above === path) throw error;
    await makeFolder(above);
    await makeFolder(path, false);
  }
}
