/**
 * What pages and the storage Worker say to each other. Contents of a commit are
 * asked for piece by piece, so that neither side has more than one of them.
 */
import {StorageError} from './storage.js';
import type {StorageFault} from './storage.js';

/** Bytes in one message at most. */
export const pieceBytes = 4 * 1024 * 1024;

/** What a page wants done in a folder. */
export type Order =
  {readonly do: 'commit', readonly names: readonly string[]} |
  {readonly do: 'append' | 'create', readonly name: string,
   readonly pieces: readonly Uint8Array[]} |
  {readonly do: 'remove', readonly names: readonly string[]} |
  {readonly do: 'lock', readonly name: string, readonly wait: number} |
  {readonly do: 'release', readonly lock: number} |
  {readonly do: 'open' | 'close'};

/** An order, or the next piece of a file of a commit: none, at its end. */
export type ToWorker =
  {readonly id: number, readonly path: string, readonly order: Order} |
  {readonly id: number, readonly piece?: Uint8Array | undefined,
   readonly failed?: boolean};

/** The answer to an order, or a question for the next piece of a file. */
export type FromWorker =
  {readonly ready: boolean} |
  {readonly id: number, readonly failure?: Failure | undefined} |
  {readonly id: number, readonly wants: string};

/** An error on its way between realms. */
export interface Failure {
  readonly fault: StorageFault;
  readonly message: string;
  readonly cause: {readonly name?: string, readonly message?: string};
}

export function asFailure(error: unknown): Failure {
  const {fault, message, cause} = error as StorageError;
  const {name, message: why} = (cause ?? error) as Error;
  return {
    fault: error instanceof StorageError ? fault : 'io',
    message: String(message ?? error), cause: {name, message: why},
  };
}

export function fromFailure({fault, message, cause}: Failure): StorageError {
  return new StorageError(fault, message, cause);
}
