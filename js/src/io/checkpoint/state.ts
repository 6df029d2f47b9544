/** The file `checkpoint`: which checkpoints a directory has. */
import {decode, encode, parseText, printText} from '../formats.js';

export interface CheckpointState {
  /** The newest checkpoint's path, without its file endings. */
  modelCheckpointPath: string;
  /** All that are kept, the oldest first; the last is the newest. */
  allModelCheckpointPaths: string[];
  /** Seconds since 1970; only a CheckpointManager writes them. */
  allModelCheckpointTimestamps?: number[];
  lastPreservedTimestamp?: number;
}

const isAbsolute = (path: string): boolean =>
  /^(\/|\\\\|[A-Za-z]:[\\/]|[A-Za-z][\w+.-]*:\/\/)/.test(path);

const inside = (directory: string): string =>
  directory === '' || /[\\/]$/.test(directory) ? directory : `${directory}/`;

/** A path as the file has it: relative to `directory` when it is inside. */
export function relativePath(path: string, directory: string): string {
  const prefix = inside(directory);
  return prefix !== '' && path.startsWith(prefix) ?
    path.slice(prefix.length) : path;
}

/** A path of the file, from where `directory` is. */
export function resolvedPath(path: string, directory: string): string {
  return path === '' || isAbsolute(path) ? path : inside(directory) + path;
}

/**
 * The text of a state file. With `directory`, paths inside of it become
 * relative, so that it can be moved.
 */
export function writeState(state: CheckpointState, directory = ''): string {
  const relative = (path: string): string => relativePath(path, directory);
  return printText('CheckpointState', encode('CheckpointState', {
    model_checkpoint_path: relative(state.modelCheckpointPath),
    all_model_checkpoint_paths: state.allModelCheckpointPaths.map(relative),
    all_model_checkpoint_timestamps: state.allModelCheckpointTimestamps,
    last_preserved_timestamp: state.lastPreservedTimestamp,
  }));
}

/**
 * What a state file says, with relative paths resolved against `directory`.
 * Throws `argument` where the text is no state file.
 */
export function readState(text: string, directory = ''): CheckpointState {
  const bytes = parseText('CheckpointState', text);
  const read = decode('CheckpointState', bytes) as {
    model_checkpoint_path?: string;
    all_model_checkpoint_paths?: string[];
    all_model_checkpoint_timestamps?: number[];
    last_preserved_timestamp?: number;
  };
  const resolve = (path: string): string => resolvedPath(path, directory);
  const state: CheckpointState = {
    modelCheckpointPath: resolve(read.model_checkpoint_path ?? ''),
    allModelCheckpointPaths:
      (read.all_model_checkpoint_paths ?? []).map(resolve),
  };
  const {all_model_checkpoint_timestamps: times} = read;
  if (times) state.allModelCheckpointTimestamps = times;
  const last = read.last_preserved_timestamp;
  if (last !== undefined) state.lastPreservedTimestamp = last;
  return state;
}
