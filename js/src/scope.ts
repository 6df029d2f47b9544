/** Scopes: tidy, keep, dispose. C++ holds the tree; here is only its use. */
import {tensorsIn} from './container.js';
import type {TensorContainer} from './container.js';
import {TensorError} from './errors.js';
import {escaped, setEscaping, tracer} from './finalizer.js';
import {
  answer, checked, done, emptyList, list, mark, release, restoreStack, textAt,
  wasm, writeText,
} from './module.js';
import {handleOf, isTensor} from './tensor.js';
import type {Tensor} from './tensor.js';

const none: readonly Tensor[] = [];
const names = new Map<string, number>();
const mostNames = 1000;

/** The number C++ has for a name. */
export function nameNumber(name: string): number {
  let number = names.get(name);
  if (number === undefined) {
    // Names are never forgotten, so no program may make them without end.
    if (names.size >= mostNames && name !== 'scope') {
      return nameNumber('scope');
    }
    const position = mark();
    const place = writeText(String(name));
    release(position);
    number = checked(wasm.scopeName(place));
    names.set(name, number);
  }
  return number;
}

/** Opens a scope inside the current one and enters it; returns its id. */
export function startScope(name = 'scope'): number {
  // Errors of the engine's own in calls outside of ops leave it anywhere.
  restoreStack();
  const scope = checked(wasm.scopeOpen(nameNumber(name)));
  setEscaping(0);
  return scope;
}

/**
 * Takes what closing a scope has answered: throws its error, else tells the
 * finalizers what the scope's results are.
 */
export function closed(
    collecting: number, results: readonly Tensor[], op = 'endScope'): void {
  if (collecting !== collecting) setEscaping(wasm.collecting());
  else setEscaping(collecting);
  checked(collecting, op);
  if (collecting !== 1) return;
  for (const tensor of results) escaped(tensor, handleOf(tensor));
}

/**
 * Runs what closes a scope and tells who traces, if anybody does, what died.
 * `close` writes its lists itself: asking what the scope owns uses the block.
 */
export function traced<T>(scope: number, how: string, close: () => T): T {
  if (tracer === undefined || wasm.scopeIsOpen(scope) === 0) return close();
  const owned = answer(wasm.scopeOwned(scope));
  const label = textAt(wasm.scopeLabel(scope));
  const result = close();
  tracer.gone(
      owned.filter((handle) => !wasm.alive(handle)), `${how} '${label}'`);
  return result;
}

function leaveUntraced(scope: number, results: readonly Tensor[]): number {
  if (results.length === 0) return wasm.scopeLeave(scope, emptyList);
  const position = mark();
  const place = list(results.map(handleOf));
  release(position);
  return wasm.scopeLeave(scope, place);
}

/** Closes a scope that was entered when it was opened. */
function leave(scope: number, results: readonly Tensor[]): number {
  return tracer === undefined ? leaveUntraced(scope, results) :
    traced(scope, 'scope', () => leaveUntraced(scope, results));
}

/** Closes a scope whose function, or whose result, threw. */
function abandon(scope: number): void {
  // What was thrown matters more than a scope left open.
  restoreStack();
  leave(scope, none);
  setEscaping(wasm.collecting());
}

/**
 * Closes a scope (by default the current one): frees its tensors but those in
 * `result`, which move to the parent scope.
 */
export function endScope(
    result?: TensorContainer, scope: number = wasm.scopeCurrent()): void {
  let results = none;
  if (typeof result === 'object' && result !== null) {
    try {
      results = tensorsIn(result);
    } catch (error) {
      abandon(scope);  // getters and iterators may throw
      throw error;
    }
  }
  closed(leave(scope, results), results);
}

/**
 * Runs `fn` and frees every tensor it made, except those it returns.
 *
 * Takes `tidy(fn)` or `tidy(name, fn)`. Tensors in returned arrays, objects,
 * Maps and Sets live on; so do kept tensors and variables. When `fn` throws,
 * everything it made is freed and the error goes on. `fn` must not be async.
 *
 * ```js
 * const before = tf.memory().numTensors;
 * const y = tf.tidy(() => tf.tensor1d([1, 2]).add(1).square());
 * tf.memory().numTensors - before; // => 1
 * y.arraySync(); // => [4, 9]
 * ```
 */
export function tidy<T extends TensorContainer>(
    nameOrFn: string | (() => T), fn?: () => T): T {
  let name = 'tidy';
  if (fn === undefined) {
    if (typeof nameOrFn !== 'function') {
      throw new TensorError(
          'argument', 'Please provide a function to tidy()');
    }
    fn = nameOrFn;
  } else {
    if (typeof nameOrFn !== 'string' &&
        !((nameOrFn as unknown) instanceof String)) {
      throw new TensorError(
          'argument', 'When calling with two arguments, the first argument ' +
              'to tidy() must be a string');
    }
    if (typeof fn !== 'function') {
      throw new TensorError(
          'argument', 'When calling with two arguments, the 2nd argument to ' +
              'tidy() must be a function');
    }
    name = String(nameOrFn);
  }
  const scope = startScope(name);
  let result: T;
  try {
    result = fn();
  } catch (error) {
    abandon(scope);
    throw error;
  }
  if (typeof result === 'object' && result instanceof Promise) {
    console.error('Cannot return a Promise inside of tidy.');
  }
  endScope(result, scope);
  return result;
}

/**
 * Protects a tensor from the scopes around it: only `dispose` frees it.
 *
 * ```js
 * let kept;
 * tf.tidy(() => { kept = tf.keep(tf.scalar(1)); });
 * kept.isDisposed; // => false
 * kept.dispose();
 * ```
 */
export function keep<T extends Tensor>(tensor: T): T {
  if (!isTensor(tensor)) {
    throw new TensorError(
        'argument', 'keep: expected a tensor of this copy of the library, but ' +
            `got ${String(tensor)}`);
  }
  done(wasm.keep(handleOf(tensor)), 'keep');
  tensor.kept = true;
  escaped(tensor, handleOf(tensor));
  return tensor;
}

/**
 * Frees every tensor in a tensor, array, object, Map or Set.
 *
 * ```js
 * const pair = {a: tf.scalar(1), b: [tf.scalar(2)]};
 * tf.dispose(pair);
 * pair.b[0].isDisposed; // => true
 * ```
 */
export function dispose(container: TensorContainer): void {
  for (const tensor of tensorsIn(container)) tensor.dispose();
}
