/**
 * Scopes as objects, for `using` and for async functions. Nothing is ambient
 * across `await`: an async function is given its scope and runs synchronous
 * sections in it, so that any number of them can interleave.
 */
import {tensorsIn} from './container.js';
import type {TensorContainer} from './container.js';
import {TensorError, assertFunction} from './errors.js';
import {escaped, setEscaping} from './finalizer.js';
import {
  answer, checked, done, list, mark, release, restoreStack, wasm,
} from './module.js';
import {
  closed, keep, nameNumber, startScope, tidy, traced,
} from './scope.js';
import {siteOf} from './site.js';
import {SweptMap} from './swept_map.js';
import {handleOf} from './tensor.js';
import type {Tensor} from './tensor.js';
import {stackNow} from './trace.js';

/** What to do with scopes that are still open inside one that closes. */
export interface CloseOptions {
  /**
   * `'throw'` (the default) closes them too and throws an error that names
   * them; `'adopt'` moves them to the scope around.
   */
  orphans?: 'throw' | 'adopt';
}

/** Options of {@link tidyAsync} and {@link tidyGen}. */
export interface AsyncScopeOptions extends CloseOptions {
  /** What errors call the scope. */
  name?: string;
}

// Where the open scopes with an object of their own were opened.
const sites = new SweptMap<number, Error>((id) => !wasm.scopeIsOpen(id));

function where(id: number): string {
  const site = sites.get(id);
  return site ? ` opened at ${siteOf(site)}` : '';
}

const isThenable = (x: unknown): x is PromiseLike<unknown> =>
  (typeof x === 'object' || typeof x === 'function') && x !== null &&
    typeof (x as {then?: unknown}).then === 'function';

/** Writes the handles of what is in a container; gives their place. */
function handlesOf(tensors: readonly Tensor[]): number {
  const position = mark();
  const place = list(tensors.map(handleOf));
  release(position);
  return place;
}

/** Runs `fn` with a scope current. What it returns must be no promise. */
export function runIn<T>(id: number, fn: () => T, instead: string): T {
  assertFunction('run', fn);
  const session = wasm.sessionOf(wasm.scopeCurrent());
  const before = checked(wasm.scopeEnter(id));
  setEscaping(wasm.collecting());
  let result: T;
  try {
    result = fn();
  } catch (error) {
    restoreStack();
    wasm.scopeExit(id, before, session);
    setEscaping(wasm.collecting());
    throw error;
  }
  const collecting = wasm.scopeExit(id, before, session);
  setEscaping(wasm.collecting());
  checked(collecting, 'run');
  if (isThenable(result)) {
    result.then(undefined, () => undefined);  // the error below is enough
    throw new TensorError(
        'callback', 'run: the function returned a Promise, but only what it ' +
            `does before its first await would be in the scope; ${instead}`);
  }
  return result;
}

/**
 * A scope of its own. Tensors made in `run`, and for one from `tf.scope()`
 * everything made while it is current, are freed when it closes.
 */
export class Scope {
  readonly #id: number;
  readonly #session: number;
  /** True when the scope is current from its opening to its closing. */
  readonly #entered: boolean;
  readonly #site: Error;
  readonly name: string;

  /** Takes an open scope; users call `tf.scope` or `tf.tidyAsync`. */
  constructor(id: number, name: string, entered: boolean) {
    this.#id = id;
    this.name = name;
    this.#entered = entered;
    this.#session = checked(wasm.sessionOf(id));
    this.#site = stackNow();
    sites.set(id, this.#site);
  }

  /** True until the scope, or its session, is closed. */
  get isOpen(): boolean {
    return wasm.scopeIsOpen(this.#id) !== 0;
  }

  #assertOpen(): void {
    if (this.isOpen) return;
    if (wasm.scopeIsOpen(this.#session) === 0) {
      throw new TensorError('closed', 'Eager session has been closed');
    }
    throw new TensorError(
        'closed', `run: scope '${this.name}' has been closed; it was opened ` +
            `at ${siteOf(this.#site)}`);
  }

  /**
   * Runs `fn` in this scope and returns its result. Errors: a promise as
   * result; a closed scope.
   */
  run<T>(fn: () => T): T {
    this.#assertOpen();
    return runIn(
        this.#id, fn,
        'await outside and call run for each synchronous part.');
  }

  /** `tf.tidy` in this scope: the result belongs to it. */
  tidy<T extends TensorContainer>(fn: () => T): T {
    return this.run(() => tidy(fn));
  }

  /** `tf.tidyAsync` in a scope inside this one: the result belongs to it. */
  tidyAsync<T extends TensorContainer>(
      fn: (scope: Scope) => Promise<T>,
      options: AsyncScopeOptions = {}): Promise<T> {
    this.#assertOpen();
    return asyncUnder(this.#id, fn, options);
  }

  /** Protects a tensor from this and all scopes around: see `tf.keep`. */
  keep<T extends Tensor>(tensor: T): T {
    return keep(tensor);
  }

  /**
   * Moves tensors that this scope owns to the scope around, in any container,
   * and returns it: what a function with a `using` scope can return.
   */
  move<T extends TensorContainer>(container: T): T {
    this.#assertOpen();
    const tensors = tensorsIn(container);
    done(wasm.scopeGive(this.#id, handlesOf(tensors)), 'move');
    for (const tensor of tensors) escaped(tensor, handleOf(tensor));
    return container;
  }

  /**
   * Frees what is left in the scope. A second call does nothing. Tensors in
   * `result` move to the scope around. Errors: scopes still open inside.
   */
  close(result?: TensorContainer, options: CloseOptions = {}): void {
    if (!this.isOpen) {
      sites.delete(this.#id);
      return;
    }
    let tensors: readonly Tensor[];
    try {
      tensors = tensorsIn(result);
    } catch (error) {
      this.close(undefined, options);  // getters and iterators may throw
      throw error;
    }
    const adopt = options.orphans === 'adopt';
    const answered = traced(this.#id, 'scope', () => {
      const place = handlesOf(tensors);
      return this.#entered && !adopt ? wasm.scopeLeave(this.#id, place) :
        wasm.scopeClose(this.#id, place, adopt ? 1 : 0);
    });
    const site = where(this.#id);
    sites.delete(this.#id);
    try {
      closed(answered, tensors);
    } catch (error) {
      throw withSites(error, `'${this.name}'${site}`);
    }
    // Whatever is current now, the scope around may have been a session's root.
    for (const tensor of tensors) escaped(tensor, handleOf(tensor));
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** Adds to an error about scopes left open where they were opened. */
function withSites(error: unknown, scope: string): unknown {
  if (!(error instanceof TensorError) || error.code !== 'state') return error;
  const inside = answer(wasm.scopeOpenInside());
  const lines = [scope, ...inside.map((id) => {
    const line = `inside${where(id)}`;
    sites.delete(id);
    return line;
  })];
  return new TensorError('state', [error.message, ...lines].join('\n  '));
}

/**
 * Opens a scope that lasts to the end of the block: `using s = tf.scope()`.
 *
 * What is made meanwhile is freed then; `s.move(x)` saves what the function
 * returns. Without `using`, call `s.close()`.
 *
 * ```js
 * function norm(x) {
 *   const s = tf.scope('norm');
 *   try {
 *     return s.move(x.square().sum().sqrt());
 *   } finally {
 *     s.close();
 *   }
 * }
 * const x = tf.tensor1d([3, 4]);
 * const before = tf.memory().numTensors;
 * const y = norm(x);
 * tf.memory().numTensors - before; // => 1
 * y.arraySync(); // => 5
 * ```
 */
export function scope(name = 'scope'): Scope {
  return new Scope(startScope(name), name, true);
}

/** `tidyAsync` in a scope under `parent`. */
export async function asyncUnder<T extends TensorContainer>(
    parent: number, fn: (scope: Scope) => Promise<T>,
    options: AsyncScopeOptions): Promise<T> {
  const name = options.name ?? 'tidyAsync';
  assertFunction(name, fn);
  const id = checked(wasm.scopeOpenUnder(parent, nameNumber(name)));
  const opened = new Scope(id, name, false);
  let result: T;
  try {
    result = await fn(opened);
  } catch (error) {
    // What fn threw matters more than a scope it left open.
    try {
      opened.close(undefined, options);
    } catch { /* closed nevertheless */ }
    throw error;
  }
  if (!opened.isOpen) {
    throw new TensorError(
        'closed', `tidyAsync: scope '${name}' was closed before its function ` +
            'ended: the scope around it, or its session, did not wait for it');
  }
  opened.close(result, options);
  return result;
}

/**
 * `tidy` for async functions: frees what `fn` made in its scope when its
 * promise settles, except what it resolves to.
 *
 * `fn` is given the scope. Its `run` makes it current for a synchronous
 * section; between sections, at each `await`, nothing is current. Functions
 * may interleave and nest (`s.tidyAsync`). Errors: a scope inside that is
 * still open at the end, a scope around that closed before.
 *
 * ```js
 * const before = tf.memory().numTensors;
 * const y = await tf.tidyAsync(async (s) => {
 *   const x = s.run(() => tf.tensor1d([1, 2, 3]).square());
 *   const values = await x.data();
 *   return s.run(() => x.div(values[2]).sum());
 * });
 * tf.memory().numTensors - before; // => 1
 * y.dispose();
 * ```
 */
export function tidyAsync<T extends TensorContainer>(
    fn: (scope: Scope) => Promise<T>,
    options: AsyncScopeOptions = {}): Promise<T> {
  return asyncUnder(wasm.scopeCurrent(), fn, options);
}

/** Lets a generator that will not go on run its `finally` blocks. */
function abandon(steps: Generator): void {
  try {
    steps.return(undefined);
  } catch { /* what made us give up matters more */ }
}

/**
 * `tidy` for generators, which wait with `yield` where async functions have
 * `await`: the scope is current in all of the generator's code.
 *
 * ```js
 * const before = tf.memory().numTensors;
 * const sum = await tf.tidyGen(function* () {
 *   const x = tf.tensor1d([1, 2, 3]).square();
 *   const values = yield x.data();
 *   return x.div(values[2]).sum();
 * });
 * tf.memory().numTensors - before; // => 1
 * sum.dispose();
 * ```
 */
export function tidyGen<T extends TensorContainer>(
    // What a yield gives back depends on what was yielded; no type says so.
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    fn: (scope: Scope) => Generator<unknown, T, any>,
    options: AsyncScopeOptions = {}): Promise<T> {
  const named = {name: 'tidyGen', ...options};
  assertFunction('tidyGen', fn);
  return asyncUnder(wasm.scopeCurrent(), async (s) => {
    const steps = s.run(() => fn(s));
    if (typeof (steps as Partial<Generator> | undefined)?.next !== 'function') {
      throw new TensorError(
          'argument', 'tidyGen: expected a generator function, but what it ' +
              `returned is a ${typeof steps}`);
    }
    try {
      let step = s.run(() => steps.next());
      while (!step.done) {
        let resume: () => IteratorResult<unknown, T>;
        try {
          const value = await step.value;
          resume = () => steps.next(value);
        } catch (error) {
          resume = () => steps.throw(error);
        }
        step = s.run(resume);
      }
      return step.value;
    } catch (error) {
      abandon(steps);
      throw error;
    }
  }, named);
}
