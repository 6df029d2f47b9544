/** What went wrong, in one word; the order is C++'s (`core/base/error.h`). */
export const errorCodes = [
  'none', 'shape', 'dtype', 'argument', 'disposed', 'memory', 'unsupported',
  'callback', 'closed', 'state', 'internal',
] as const;

/** One of {@link errorCodes}. */
export type ErrorCode = (typeof errorCodes)[number];

/**
 * The error every function of this library throws: a sentence that names the
 * op, the fault and the values, and a `code` for programs.
 *
 * ```js
 * try {
 *   tf.add([1, 2], [1, 2, 3]);
 * } catch (e) {
 *   e.code; // => 'shape'
 * }
 * ```
 */
export class TensorError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = 'TensorError';
    this.code = code;
  }
}

/** Throws unless `fn` is a function. */
export function assertFunction(op: string, fn: unknown): void {
  if (typeof fn === 'function') return;
  throw new TensorError(
      'argument', `${op}: expected a function but got ${shown(fn)}`);
}

/** A value as messages show it: text in quotes, so that '3' is not 3. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shown).join(',')}]`;
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  const {className, name} =
      (value.constructor ?? {}) as {className?: string, name?: string};
  const kind = className ?? name ?? 'Object';
  if (kind !== 'Object') return kind;
  return Object.keys(value).length === 0 ? '{}' : 'an object';
}
