/**
 * Errors of training sessions, by the names TensorFlow gives them. They are
 * `TensorError`s; what they are for programs of TensorFlow is their class.
 */
import {TensorError} from '../../errors.js';
import type {ErrorCode} from '../../errors.js';

/** TensorFlow's numbers of its errors. */
export const statusCodes = {
  OK: 0, CANCELLED: 1, UNKNOWN: 2, INVALID_ARGUMENT: 3, DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5, ALREADY_EXISTS: 6, PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8, FAILED_PRECONDITION: 9, ABORTED: 10,
  OUT_OF_RANGE: 11, UNIMPLEMENTED: 12, INTERNAL: 13, UNAVAILABLE: 14,
  DATA_LOSS: 15, UNAUTHENTICATED: 16,
} as const;

type StatusName = keyof typeof statusCodes;

/** What TensorFlow calls an error of an op. */
export class OpError extends TensorError {
  /** TensorFlow's number of the error. */
  readonly errorCode: number;

  constructor(code: ErrorCode, status: StatusName, message: string) {
    super(code, message);
    this.errorCode = statusCodes[status];
  }
}

/** A class of errors with these codes; names survive a minifier. */
function kind(name: string, code: ErrorCode, status: StatusName):
    new (message?: string) => OpError {
  const Kind = class extends OpError {
    static readonly className = name;

    constructor(message = name) {
      super(code, status, message);
      this.name = name;
    }
  };
  Object.defineProperty(Kind, 'name', {value: name});
  return Kind;
}

/** A step was cancelled by a recovery: it is tried again. */
export class AbortedError extends kind('AbortedError', 'state', 'ABORTED') {}
/** Somebody needed is gone: the session recovers. */
export class UnavailableError extends kind(
    'UnavailableError', 'closed', 'UNAVAILABLE') {}
/** The data has ended; a session takes it for a clean end. */
export class OutOfRangeError extends kind(
    'OutOfRangeError', 'state', 'OUT_OF_RANGE') {}
export class CancelledError extends kind(
    'CancelledError', 'state', 'CANCELLED') {}
export class UnknownError extends kind('UnknownError', 'internal', 'UNKNOWN') {}
export class InvalidArgumentError extends kind(
    'InvalidArgumentError', 'argument', 'INVALID_ARGUMENT') {}
export class DeadlineExceededError extends kind(
    'DeadlineExceededError', 'state', 'DEADLINE_EXCEEDED') {}
export class NotFoundError extends kind('NotFoundError', 'argument', 'NOT_FOUND') {}
export class AlreadyExistsError extends kind(
    'AlreadyExistsError', 'state', 'ALREADY_EXISTS') {}
export class PermissionDeniedError extends kind(
    'PermissionDeniedError', 'state', 'PERMISSION_DENIED') {}
export class ResourceExhaustedError extends kind(
    'ResourceExhaustedError', 'memory', 'RESOURCE_EXHAUSTED') {}
export class FailedPreconditionError extends kind(
    'FailedPreconditionError', 'state', 'FAILED_PRECONDITION') {}
export class UnimplementedError extends kind(
    'UnimplementedError', 'unsupported', 'UNIMPLEMENTED') {}
export class InternalError extends kind('InternalError', 'internal', 'INTERNAL') {}
export class DataLossError extends kind('DataLossError', 'argument', 'DATA_LOSS') {}
export class UnauthenticatedError extends kind(
    'UnauthenticatedError', 'state', 'UNAUTHENTICATED') {}

/** Leaves the block of a session in a clean way. */
export class StopIteration extends TensorError {
  static readonly className: string = 'StopIteration';

  constructor(message = 'stop') {
    super('state', message);
    this.name = 'StopIteration';
  }
}

/** What `NanTensorHook` throws. */
export class NanLossDuringTrainingError extends TensorError {
  static readonly className: string = 'NanLossDuringTrainingError';

  constructor(message = 'NaN loss during training.') {
    super('state', message);
    this.name = 'NanLossDuringTrainingError';
  }
}

/** What Python calls a ValueError. */
export function valueError(message: string): TensorError {
  return new TensorError('argument', message);
}

/** What Python calls a RuntimeError. */
export function runtimeError(message: string): TensorError {
  return new TensorError('state', message);
}

/** True for what a session recovers from: nothing but these two. */
export function isPreemption(error: unknown): boolean {
  return error instanceof AbortedError || error instanceof UnavailableError;
}

/** True for what ends a session without being an error; subclasses are none. */
export function isCleanEnd(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const {constructor} = error;
  return constructor === OutOfRangeError || constructor === StopIteration;
}
