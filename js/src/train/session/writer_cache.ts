/** One event writer a directory, for all sessions and hooks of this realm. */
import {FileWriter} from './event_writer.js';
import type {FileWriterOptions} from './event_writer.js';
import {getDefaultGraph} from './graph.js';
import type {Graph} from './graph.js';
import {checkFolder, directoryName} from './run_directory.js';

const cache = new Map<string, FileWriter>();
// How many sessions there are on a directory.
const users = new Map<string, number>();

/**
 * One writer a directory, so that hooks and programs add to the same file. The
 * last session on a directory closes its writer.
 *
 * ```js
 * const writer = tf.summary.FileWriterCache.get('memory://cached');
 * writer === tf.summary.FileWriterCache.get('memory://cached/'); // => true
 * await tf.summary.FileWriterCache.clear();
 * ```
 */
export class FileWriterCache {
  static readonly className: string = 'FileWriterCache';

  /**
   * The writer of a directory; its file begins with the default graph. Errors:
   * no directory.
   */
  static get(
      directory: string, graph?: Graph,
      options: FileWriterOptions = {}): FileWriter {
    checkFolder('FileWriterCache', directory);
    const key = directoryName(directory);
    let writer = cache.get(key);
    if (writer === undefined) {
      writer = new FileWriter(directory, graph ?? getDefaultGraph(), options);
      cache.set(key, writer);
    }
    return writer;
  }

  /** Closes all writers. */
  static async clear(): Promise<void> {
    const all = [...cache.values()];
    cache.clear();
    await Promise.all(all.map((writer) => writer.close()));
  }

  /** Flushes all writers. */
  static async flush(): Promise<void> {
    await Promise.all([...cache.values()].map((writer) => writer.flush()));
  }
}

/** Counts a session on a directory; what it returns ends that. */
export function useWriter(directory: string): () => Promise<void> {
  const key = directoryName(directory);
  users.set(key, (users.get(key) ?? 0) + 1);
  let live = true;
  return async () => {
    if (!live) return;
    live = false;
    const left = users.get(key)! - 1;
    users.set(key, left);
    if (left > 0) return;
    users.delete(key);
    const writer = cache.get(key);
    cache.delete(key);
    await writer?.close();
  };
}
