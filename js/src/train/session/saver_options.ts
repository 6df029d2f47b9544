/** What savers and saves are told. */
import type {Variable} from '../../variable.js';
import type {Clock, LogFunction} from './clock.js';
import type {GlobalStep} from './global_step.js';
import type {LeaseOptions} from './run_directory.js';

/** Variables by list, or by the names to save them under. */
export type SaverVariables =
  readonly (Variable | GlobalStep)[] |
  Readonly<Record<string, Variable | GlobalStep>>;

/** Options of a {@link Saver}. */
export interface SaverOptions {
  /** All variables of the graph, optimizers' slots and the step, by default. */
  varList?: SaverVariables | null;
  /** Checkpoints to keep; 0 or null keeps all. Default 5. */
  maxToKeep?: number | null;
  /** One checkpoint in so many hours is kept for good. Default 10000. */
  keepCheckpointEveryNHours?: number;
  name?: string | null;
  /** Nothing to save is no error. */
  allowEmpty?: boolean;
  /** Steps in names have 8 digits. */
  padStepNumber?: boolean;
  /** Makes room, when it is short, by removing old checkpoints first. */
  pruneFirst?: boolean;
  clock?: Clock;
  onLog?: LogFunction;
  /** Opens directories: for tests, and for folders a user has picked. */
  open?: LeaseOptions['open'];
}

/** The arguments of `Saver` in TensorFlow's order. */
export const saverArguments = [
  'varList', 'reshape', 'sharded', 'maxToKeep', 'keepCheckpointEveryNHours',
  'name', 'restoreSequentially', 'saverDef', 'builder', 'deferBuild',
  'allowEmpty', 'writeVersion', 'padStepNumber', 'saveRelativePaths',
  'filename',
] as const;

/** Options of one save. */
export interface SaveOptions {
  globalStep?: GlobalStep | number | bigint | null;
  latestFilename?: string | null;
  metaGraphSuffix?: string;
  /** Write the graph too; default true. */
  writeMetaGraph?: boolean;
  /** Write the list of checkpoints; default true. */
  writeState?: boolean;
  /**
   * A save of the moment, as when a page is hidden: the next one takes its
   * place, and it pushes no other checkpoint out.
   */
  transient?: boolean;
}

/** Those of `save`, after the path. */
export const saveArguments = [
  'globalStep', 'latestFilename', 'metaGraphSuffix', 'writeMetaGraph',
  'writeState',
] as const;
