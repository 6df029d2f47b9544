/** Handles of files and folders, where engines and platforms differ. */

/** What engines add to the standard's handles. */
export type FileHandle = FileSystemFileHandle & {
  move?(folder: FileSystemDirectoryHandle, name: string): Promise<void>;
  createSyncAccessHandle?(): Promise<SyncHandle>;
};

/** An access handle: what is done through it is done at once. */
export interface SyncHandle {
  getSize(): number;
  truncate(size: number): void;
  write(bytes: Uint8Array, at: {at: number}): number;
  flush(): void;
  close(): void;
}

export type FolderHandle = FileSystemDirectoryHandle & {
  entries(): AsyncIterable<[string, FileSystemHandle]>;
};

/** True when this realm's handles of files have the method. */
export const can = (method: string): boolean => {
  const type = (globalThis as {FileSystemFileHandle?: {prototype: object}})
      .FileSystemFileHandle;
  return type !== undefined && method in type.prototype;
};

/** True for failures that say: there is no such file or folder. */
export const isMissing = (error: unknown): boolean =>
  (error as Error).name === 'NotFoundError' ||
  (error as Error).name === 'TypeMismatchError';

// Bytes in one step of copying a file.
const copyBytes = 4 * 1024 * 1024;

/** Writes all of a piece. Throws as engines do where there is no space. */
export function writeAt(
    access: SyncHandle, piece: Uint8Array, at: number): number {
  const written = access.write(piece, {at});
  if (written !== piece.byteLength) {
    throw new DOMException(
        `${written} of ${piece.byteLength} bytes`, 'QuotaExceededError');
  }
  return written;
}

/** A file's bytes, a few MB at a time. */
export async function* piecesOfFile(file: File): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += copyBytes) {
    yield new Uint8Array(await file.slice(at, at + copyBytes).arrayBuffer());
  }
}
