import type * as Tidemark from '../../../../js/src/index.js';
import type { Primitives } from '../../../../js/src/io/storage/commit_log.js';
import type { Contents, FileStorage, StorageError } from '../../../../js/src/io/storage/storage.js';
import type { getCheckpointState, soundState } from '../../../../js/src/train/session/checkpoint_management.js';
import type { leaseDirectory } from '../../../../js/src/train/session/run_directory.js';
import type { Saver } from '../../../../js/src/train/session/saver.js';

/** The library's parts, from wherever they were loaded. */
export interface Library {
  readonly tf: Pick<typeof Tidemark, 'tidy' | 'variable' | 'zeros' | 'fill'>;
  readonly Saver: typeof Saver;
  readonly StorageError: typeof StorageError;
  readonly soundState: typeof soundState;
  readonly getCheckpointState: typeof getCheckpointState;
  readonly leaseDirectory: typeof leaseDirectory;
}
export type Mode = 'throw' | 'stop' | 'torn';
export const modes: readonly Mode[];
export class Fault {
  constructor(at: number, mode: Mode, lib: Pick<Library, 'StorageError'>);
  dead: boolean;
  readonly hit: boolean;
  op<T>(whole: () => Promise<T>, half?: () => Promise<unknown>): Promise<T>;
}
export function faultyDisk(disk: Primitives, fault: Fault): Primitives;
export function faultyTransactions(fault: Fault): <T>(transaction: () => Promise<T>) => Promise<T>;
export interface FaultyStorage extends FileStorage {
  commit(files: Readonly<Record<string, Contents>>): Promise<void>;
}
export const FaultyStorage: new (inner: FileStorage, fault: Fault) => FaultyStorage;
export function everyFault(
  mode: Mode, make: (n: number) => string, open: (directory: string, fault: Fault) => FileStorage, lib: Library,
  atOnce?: number): Promise<number>;
