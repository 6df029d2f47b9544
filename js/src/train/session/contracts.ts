/**
 * What sessions need of checkpoints and event files. Hooks and creators speak
 * to these interfaces only; where the bytes go is chosen by the directory.
 */
import type {CheckpointState} from '../../io/checkpoint/state.js';
import type {SessionLog} from '../../io/events/event.js';
import type {Clock, LogFunction} from './clock.js';
import {runtimeError} from './errors.js';
import type {GlobalStep} from './global_step.js';
import type {Graph} from './graph.js';
import type {RawSession} from './session.js';

/** Options of one save. */
export interface SaveOptions {
  globalStep?: GlobalStep | number | bigint | null;
  /** Write `.meta` too; true by default. */
  writeMetaGraph?: boolean;
  /** The next save takes its place; it pushes no other checkpoint out. */
  transient?: boolean;
}

/** Writes and reads the variables of a session. */
export interface SaverLike {
  /** Resolves to the checkpoint's prefix once it is complete. */
  save(
    sess: RawSession, savePath: string,
    options?: SaveOptions): Promise<string>;
  restore(sess: RawSession, savePath: string): Promise<void>;
  /** Goes on counting the checkpoints an earlier run has kept. */
  recoverLastCheckpoints(paths: readonly string[]): Promise<void>;
  /** What of a graph it saves; a saver without this is not asked. */
  savedOf?(graph: Graph): ReadonlySet<unknown>;
}

/** Writes the event files of a directory. */
export interface SummaryWriterLike {
  addSummary(values: readonly Uint8Array[], globalStep: number): void;
  addGraph(graphDef: Uint8Array, globalStep?: number): void;
  addMetaGraph(metaGraphDef: Uint8Array, globalStep?: number): void;
  addSessionLog(log: SessionLog, globalStep: number): void;
  addRunMetadata(
    runMetadata: Uint8Array, tag: string, globalStep: number): void;
  flush(): Promise<void>;
}

/** What a writer or saver is made with. */
export interface StorageContext {
  readonly graph: Graph;
  readonly clock: Clock;
  readonly log: LogFunction;
}

/** A directory that a session writes to. */
export interface DirectoryClaim {
  /**
   * True while nobody else can have written there; false when it had been let
   * go and is taken again. Errors: FailedPrecondition when somebody has it.
   */
  revalidate(): Promise<boolean>;
  /** Lets go, and closes the writer of events when the last session does. */
  release(): Promise<void>;
}

/** Checkpoints and event files of directories. */
export interface TrainingStorage {
  makeSaver(context: StorageContext): SaverLike;
  /** What the file `checkpoint` says, or null. */
  checkpointState(
    directory: string, context: StorageContext): Promise<CheckpointState | null>;
  /** The one writer of a directory. */
  writer(
    directory: string, context: StorageContext): Promise<SummaryWriterLike>;
  /** Replaces a small file, as a whole. */
  writeFile(
    directory: string, name: string, text: string): Promise<void>;
  /**
   * Takes the directory for a session that writes to it. With `lock`, other
   * realms are kept out. Errors: FailedPrecondition when one is in.
   */
  claim(
    directory: string, context: StorageContext,
    lock: boolean): Promise<DirectoryClaim>;
}

let storage: TrainingStorage | undefined;

/** Says where checkpoints and events go; returns what was in force. */
export function setTrainingStorage(
    chosen: TrainingStorage | undefined): TrainingStorage | undefined {
  const before = storage;
  storage = chosen;
  return before;
}

/** Where checkpoints and events go. */
export function trainingStorage(): TrainingStorage {
  if (storage === undefined) {
    throw runtimeError('there is nothing here to write checkpoints with');
  }
  return storage;
}
