/**
 * Eager sessions, after TensorFlow Java: who frees what nobody refers to any
 * more, and a root scope that `close` empties.
 */
import {asyncUnder, runIn} from './async_scope.js';
import type {AsyncScopeOptions, Scope} from './async_scope.js';
import {assertBudget, forgetBudgetOf, resetBudget, setBudgetOf} from './budget.js';
import type {Budget} from './budget.js';
import {tensorsIn} from './container.js';
import type {TensorContainer} from './container.js';
import {TensorError} from './errors.js';
import {collected, drainAll, escaped, flush, setEscaping} from './finalizer.js';
import {checked, done, list, mark, release, wasm} from './module.js';
import {nameNumber, traced} from './scope.js';
import {handleOf} from './tensor.js';

(Symbol as {asyncDispose?: symbol}).asyncDispose ??=
    Symbol.for('Symbol.asyncDispose');

/** In the order of `core/runtime/session.h`. */
export const strategies = [
  'IN_BACKGROUND', 'ON_SAFE_POINTS', 'ON_SESSION_CLOSE',
] as const;

/** Who frees tensors that nobody refers to any more, and when. */
export type ResourceCleanupStrategy = (typeof strategies)[number];

/**
 * - `IN_BACKGROUND`: a task of the library's own, soon after the garbage
 *   collection that noticed; near the soft budget one is provoked.
 * - `ON_SAFE_POINTS`: the same collection, but freed only when an op starts,
 *   at `safePoint()` and at reads.
 * - `ON_SESSION_CLOSE`: nobody before `close()`.
 */
export const ResourceCleanupStrategy = {
  IN_BACKGROUND: 'IN_BACKGROUND',
  ON_SAFE_POINTS: 'ON_SAFE_POINTS',
  ON_SESSION_CLOSE: 'ON_SESSION_CLOSE',
} as const;

/** What a session is built with; see {@link EagerSession.options}. */
export class EagerSessionOptions {
  #strategy: ResourceCleanupStrategy = 'IN_BACKGROUND';
  #budget: Budget = {};
  #name = 'session';

  /** Who frees what nobody refers to any more. */
  resourceCleanupStrategy(strategy: ResourceCleanupStrategy): this {
    if (!strategies.includes(strategy)) {
      throw new TensorError(
          'argument', `EagerSession: there is no strategy ` +
              `'${String(strategy)}', only ${strategies.join(', ')}`);
    }
    this.#strategy = strategy;
    return this;
  }

  /** Bytes the session should stay below (soft) and may have (hard). */
  budget(budget: Budget): this {
    assertBudget(budget);
    this.#budget = {...this.#budget, ...budget};
    return this;
  }

  /** What errors and `tf.memory()` call the session. */
  name(name: string): this {
    this.#name = name;
    return this;
  }

  /** Opens a session with these options. */
  build(): EagerSession {
    return EagerSession.create(this);
  }

  /** @internal */
  get chosen(): {
    name: string, strategy: ResourceCleanupStrategy, budget: Budget,
  } {
    return {name: this.#name, strategy: this.#strategy, budget: this.#budget};
  }
}

function assertOptions(options: unknown): void {
  if (options instanceof EagerSessionOptions) return;
  throw new TensorError(
      'argument', 'EagerSession: expected EagerSession.options(), but got ' +
          String(options));
}

function closedError(): TensorError {
  return new TensorError('closed', 'Eager session has been closed');
}

/**
 * A session owns every tensor made in it: `close` frees what is left, kept
 * tensors and variables too.
 *
 * ```js
 * const before = tf.memory().numTensors;
 * const session = tf.EagerSession.options()
 *     .resourceCleanupStrategy('ON_SESSION_CLOSE').build();
 * const sum = session.run(() => tf.tensor1d([1, 2]).square().sum());
 * sum.arraySync(); // => 5
 * session.close();
 * tf.memory().numTensors - before; // => 0
 * ```
 */
export class EagerSession {
  static #default: EagerSession | undefined;

  readonly name: string;
  readonly strategy: ResourceCleanupStrategy;
  /** The root scope: it names the session. */
  readonly #root: number;
  // Async scopes that have not ended, for `await using`.
  readonly #running = new Set<Promise<unknown>>();

  private constructor(root: number, options: EagerSessionOptions) {
    const {name, strategy, budget} = options.chosen;
    this.#root = root;
    this.name = root === 0 ? 'default' : name;
    this.strategy = strategy;
    setBudgetOf(root, budget);
  }

  /** Options to choose from; `build()` opens the session. */
  static options(): EagerSessionOptions {
    return new EagerSessionOptions();
  }

  /** Opens a session. */
  static create(options = new EagerSessionOptions()): EagerSession {
    assertOptions(options);
    const {name, strategy} = options.chosen;
    const root = checked(wasm.sessionOpen(
        nameNumber(name), strategies.indexOf(strategy)));
    return new EagerSession(root, options);
  }

  /** The session of all work outside other sessions. */
  static getDefault(): EagerSession {
    return this.#default ??= new EagerSession(0, new EagerSessionOptions());
  }

  /**
   * Chooses the default session's options, once, before `getDefault`. Errors:
   * `Default eager session is already initialized`.
   */
  static initDefault(options: EagerSessionOptions): EagerSession {
    if (this.#default) {
      throw new TensorError(
          'state', 'Default eager session is already initialized');
    }
    assertOptions(options);
    const session = new EagerSession(0, options);
    this.#setDefault(options.chosen.strategy);
    return this.#default = session;
  }

  /** Makes the default session what it is at the start, for tests. */
  static resetDefaultForTest(): void {
    this.#default = undefined;
    this.#setDefault('IN_BACKGROUND');
    resetBudget();
  }

  static #setDefault(strategy: ResourceCleanupStrategy): void {
    done(wasm.sessionDefault(
        nameNumber('default'), strategies.indexOf(strategy)));
    setEscaping(wasm.collecting());
  }

  /** True until the session is closed. */
  get isOpen(): boolean {
    return wasm.scopeIsOpen(this.#root) !== 0;
  }

  #assertOpen(): void {
    if (!this.isOpen) throw closedError();
  }

  /** Tensors and bytes that the session owns. */
  memory(): {numTensors: number, numBytes: number} {
    this.#assertOpen();
    return {
      numTensors: wasm.sessionTensors(this.#root),
      numBytes: wasm.sessionBytes(this.#root),
    };
  }

  /**
   * Runs `fn` with this session current and returns its result, which stays
   * the session's. Errors: a promise as result (see `tidyAsync`).
   */
  run<T>(fn: () => T): T {
    this.#assertOpen();
    return runIn(this.#root, fn, 'use session.tidyAsync.');
  }

  /** `tf.tidyAsync` in this session: what `fn` resolves to stays its. */
  tidyAsync<T extends TensorContainer>(
      fn: (scope: Scope) => Promise<T>,
      options: AsyncScopeOptions = {}): Promise<T> {
    this.#assertOpen();
    const running = asyncUnder(this.#root, fn, options);
    const settled = running.then(() => undefined, () => undefined)
        .finally(() => this.#running.delete(settled));
    this.#running.add(settled);
    return running;
  }

  /** Frees now what finalizers have named. */
  safePoint(): void {
    this.#assertOpen();
    drainAll();
  }

  /** Sets the budget; what is not given stays. */
  setBudget(budget: Budget): void {
    this.#assertOpen();
    setBudgetOf(this.#root, budget);
  }

  /**
   * Makes this session own the tensors in a container, whichever scope or
   * session did before, and returns it.
   */
  adopt<T extends TensorContainer>(container: T): T {
    this.#assertOpen();
    const tensors = tensorsIn(container);
    const position = mark();
    const place = list(tensors.map(handleOf));
    release(position);
    done(wasm.sessionAdopt(this.#root, place));
    for (const tensor of tensors) escaped(tensor, handleOf(tensor));
    return container;
  }

  /**
   * Does what the finalizers of these tensors would do, for tests that do not
   * depend on a garbage collector. Tensors without one are passed over.
   */
  simulateCollect(container: TensorContainer): void {
    this.#assertOpen();
    flush();
    for (const tensor of tensorsIn(container)) collected(handleOf(tensor));
  }

  /**
   * Frees everything that is left in the session and ends it; a second call
   * does nothing. Errors: `Default eager session cannot be closed`.
   */
  close(): void {
    if (this.#root === 0) {
      throw new TensorError('state', 'Default eager session cannot be closed');
    }
    if (!this.isOpen) return;
    setEscaping(checked(traced(
        this.#root, 'session.close of', () => wasm.sessionClose(this.#root))));
    forgetBudgetOf(this.#root);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Waits for `tidyAsync` functions in progress, then closes. */
  async [Symbol.asyncDispose](): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running]);
    this.close();
  }
}
