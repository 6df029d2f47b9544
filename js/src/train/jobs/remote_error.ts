/** Errors on their way from one realm to another. */
import {TensorError, errorCodes} from '../../errors.js';
import type {ErrorCode} from '../../errors.js';
import * as classes from '../session/errors.js';
import type {RemoteError} from './messages.js';

/** An error as text. */
export function toRemote(error: unknown, who?: string): RemoteError {
  // An error of another realm is no instance of this one's class.
  const {name = 'Error', message} =
      (error ?? {}) as {name?: unknown, message?: unknown};
  const text = typeof message === 'string' ? message : String(error);
  return {
    name: String(name),
    message: who === undefined ? text : `${who}: ${text}`,
    ...(error instanceof TensorError ? {code: error.code} : {}),
  };
}

/** The error again, of its class where sessions know it. */
export function fromRemote({name, message, code}: RemoteError): Error {
  const Kind = (classes as Record<string, unknown>)[name];
  if (typeof Kind === 'function' && Kind.prototype instanceof TensorError) {
    return new (Kind as new (message: string) => TensorError)(message);
  }
  const known = errorCodes.find((c): c is ErrorCode => c === code);
  if (known !== undefined) return new TensorError(known, message);
  const error = new Error(message);
  error.name = name;
  return error;
}
