/** What failures of storage mean to a session, by what platforms say. */
import {StorageError} from '../../io/storage/storage.js';
import type {StorageFault} from '../../io/storage/storage.js';
import {
  AlreadyExistsError, FailedPreconditionError, InvalidArgumentError,
  NotFoundError, OpError, PermissionDeniedError, ResourceExhaustedError,
  UnimplementedError, UnknownError,
} from './errors.js';

type Kind = new (message: string) => OpError;

const kinds: Partial<Record<StorageFault, Kind>> = {
  full: ResourceExhaustedError, locked: FailedPreconditionError,
  missing: NotFoundError, name: InvalidArgumentError,
  exists: AlreadyExistsError, closed: FailedPreconditionError,
  unsupported: UnimplementedError,
};

// Where a directory should be there is a file.
const inTheWay = ['EEXIST', 'ENOTDIR', 'TypeMismatchError'];

// By what platforms say.
const reasons: readonly [Kind, readonly string[]][] = [
  [PermissionDeniedError, [
    'EACCES', 'EPERM', 'EROFS', 'NotAllowedError',
    'NoModificationAllowedError', 'SecurityError',
  ]],
  [FailedPreconditionError, [
    ...inTheWay, 'EISDIR', 'ELOOP', 'EBUSY', 'ETXTBSY', 'ENOTEMPTY',
  ]],
  [NotFoundError, ['ENOENT', 'ENODEV', 'ENXIO', 'NotFoundError']],
  [ResourceExhaustedError, ['EMFILE', 'ENFILE', 'ENOMEM', 'EMLINK']],
  [UnimplementedError, ['ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'NotSupportedError']],
  [InvalidArgumentError, ['EINVAL']],
];

/** What a failure of storage means to a session. */
export function asSessionError(error: unknown): unknown {
  if (!(error instanceof StorageError) || error instanceof OpError) return error;
  const {name = '', code = ''} =
      (error.cause ?? {}) as {name?: string, code?: string};
  const says = (words: readonly string[]): boolean =>
    words.includes(code) || words.includes(name);
  const blocked = error.fault === 'io' && says(inTheWay);
  const Found = kinds[error.fault] ??
      reasons.find(([, words]) => says(words))?.[0] ?? UnknownError;
  const made = new Found(
      (blocked ? 'a file is where a directory should be: ' : '') + error.message);
  made.cause = error;
  return made;
}
