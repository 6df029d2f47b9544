/** Reading event files. */
import {decodeEvent} from '../../io/events/event.js';
import type {ReadEvent} from '../../io/events/event.js';
import {readRecords} from '../../io/events/record.js';
import {reading} from './checkpoint_management.js';
import {DataLossError, valueError} from './errors.js';
import {checkPath, splitPath} from './run_directory.js';

/**
 * The events of an event file, oldest first, by TensorFlow's name. A file that
 * is still being written may end in the middle of an event; that is its end.
 *
 * Errors: NotFound; DataLoss where the bytes are damaged.
 *
 * ```js
 * const writer = new tf.summary.FileWriter('memory://iterated');
 * writer.addSummary({loss: 0.5}, 3);
 * await writer.close();
 * const directory = tf.io.openStorage('memory://iterated');
 * const [{name}] = await directory.list();
 * const seen = [];
 * for await (const event of tf.train.summaryIterator(`memory://iterated/${name}`)) {
 *   for (const {tag, simpleValue} of event.summary ?? []) {
 *     seen.push([Number(event.step), tag, simpleValue]);
 *   }
 * }
 * seen; // => [[3, 'loss', 0.5]]
 * ```
 */
export async function* summaryIterator(
    path: string): AsyncGenerator<ReadEvent, void> {
  checkPath('summaryIterator', path);
  const {directory, base} = splitPath(path);
  if (base === '') {
    throw valueError(`summaryIterator: '${path}' names no file: pass the path ` +
        'of an event file');
  }
  const bytes = await reading(directory, (storage) => storage.read(base));
  const {records, damaged, rest, next} = readRecords(bytes);
  for (const record of records) yield decodeEvent(record);
  if (damaged.length === 0 && rest !== 'damaged') return;
  const at = damaged[0]?.offset ?? next;
  throw new DataLossError(`'${path}': corrupted record at ${at}`);
}
