// The library and its parts, in pages and in Workers.
import * as tf from '/dist/index.js';
import { IndexedDbStorage } from '/dist/io/storage/indexeddb.js';
import { LocalOpfs } from '/dist/io/storage/opfs_local.js';
import { OpfsStorage } from '/dist/io/storage/opfs.js';
import { openStorage } from '/dist/io/storage/open.js';
import { StorageError } from '/dist/io/storage/storage.js';
import { getCheckpointState, soundState } from '/dist/train/session/checkpoint_management.js';
import { leaseDirectory } from '/dist/train/session/run_directory.js';
import { Saver } from '/dist/train/session/saver.js';

await tf.ready();

export { IndexedDbStorage, LocalOpfs, OpfsStorage, Saver, StorageError, getCheckpointState, leaseDirectory, openStorage, soundState, tf };
