/** What saving adds to `tf.train` and `tf.summary`. */
import {
  checkpointExists, getCheckpointMtimes, getCheckpointState, latestCheckpoint,
  listVariables, loadCheckpoint, loadVariable, updateCheckpointState,
} from './checkpoint_management.js';
import {setTrainingStorage} from './contracts.js';
import {directoryStorage} from './directory_storage.js';
import {FileWriter} from './event_writer.js';
import {twins} from './options.js';
import {relayPageEvents} from './page_events.js';
import {Saver} from './saver.js';
import {summaryIterator} from './summary_iterator.js';
import {merge} from './summary_values.js';
import {FileWriterCache} from './writer_cache.js';

setTrainingStorage(directoryStorage);

/** Savers and checkpoints, for `tf.train`; functions in both cases. */
export const savingTrain = {
  Saver,
  ...twins({
    latestCheckpoint, getCheckpointState, updateCheckpointState,
    checkpointExists, getCheckpointMtimes, listVariables, loadCheckpoint,
    loadVariable, summaryIterator, relayPageEvents,
  }),
};

/** Event files, for `tf.summary`. */
export const savingSummary = {FileWriter, FileWriterCache, merge};
