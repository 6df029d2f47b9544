/** Checkpoints and event files of directories, as sessions use them. */
import {soundState} from './checkpoint_management.js';
import type {StorageContext, TrainingStorage} from './contracts.js';
import {leaseDirectory} from './run_directory.js';
import {Saver} from './saver.js';
import {asSessionError} from './storage_errors.js';
import {FileWriterCache, useWriter} from './writer_cache.js';

/** The storage that a directory's URL names. */
export const directoryStorage: TrainingStorage = {
  makeSaver: ({clock, log}) => new Saver({clock, onLog: log}),

  checkpointState: async (directory, {log}) => {
    const state = await soundState(directory, log);
    return state && {
      modelCheckpointPath: state.modelCheckpointPath,
      allModelCheckpointPaths: [...state.allModelCheckpointPaths],
    };
  },

  writer: async (directory, {graph, clock, log}) =>
    FileWriterCache.get(directory, graph, {clock, onLog: log}),

  writeFile: async (directory, name, text) => {
    const lease = await leaseDirectory(directory);
    try {
      await lease.storage.replaceAtomic(name, new TextEncoder().encode(text));
    } catch (error) {
      throw asSessionError(error);
    } finally {
      await lease.release();
    }
  },

  claim: async (directory: string, {log}: StorageContext, lock: boolean) => {
    const lease = lock ? await leaseDirectory(directory, {log}) : undefined;
    const done = useWriter(directory);
    return {
      revalidate: async () => await lease?.revalidate() ?? true,
      release: async () => {
        try {
          await done();
        } finally {
          await lease?.release();
        }
      },
    };
  },
};
