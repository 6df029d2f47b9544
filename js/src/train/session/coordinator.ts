/** Who asks whom to stop: helpers that run beside the training loop. */
import {consoleLog, systemClock} from './clock.js';
import type {Clock, LogFunction} from './clock.js';
import {OutOfRangeError} from './errors.js';

/** What {@link Coordinator.join} takes. */
export interface JoinOptions {
  stopGracePeriodSecs?: number;
  /** Log helpers that don't stop in time instead of throwing. */
  ignoreLiveThreads?: boolean;
}

type ErrorClass = abstract new (...args: never[]) => Error;

interface Helper {
  readonly name: string;
  readonly ended: Promise<void>;
  alive: boolean;
}

/**
 * Stops helpers (promises of loops that watch `signal`) together, and carries
 * the first error of one of them to whoever closes the session.
 *
 * ```js
 * const coord = new tf.train.Coordinator();
 * coord.requestStop();
 * coord.shouldStop(); // => true
 * ```
 */
export class Coordinator {
  static readonly className: string = 'Coordinator';
  readonly #abort = new AbortController();
  readonly #helpers: Helper[] = [];
  readonly #cleanStops: readonly ErrorClass[];
  #error: unknown;
  #hasError = false;

  constructor(
      cleanStopExceptionTypes: readonly ErrorClass[] = [OutOfRangeError],
      readonly clock: Clock = systemClock,
      readonly log: LogFunction = consoleLog) {
    this.#cleanStops = cleanStopExceptionTypes;
  }

  /** Aborts when a stop is requested. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Asks everybody to stop; the first error is kept, clean stops are none. */
  requestStop(error?: unknown): void {
    const clean = this.#cleanStops.some((type) => error instanceof type);
    if (error !== undefined && !clean && !this.#hasError) {
      // After a stop, helpers may fail because of it: the first stop counts.
      if (!this.shouldStop()) {
        this.#hasError = true;
        this.#error = error;
      }
    }
    this.#abort.abort();
  }

  shouldStop(): boolean {
    return this.#abort.signal.aborted;
  }

  /** Throws the error a helper reported, if one did. */
  raiseRequestedException(): void {
    if (this.#hasError) throw this.#error;
  }

  /** Resolves to true when a stop is requested, false after `timeoutSecs`. */
  async waitForStop(timeoutSecs = Infinity): Promise<boolean> {
    if (timeoutSecs < Infinity) {
      await this.clock.sleep(timeoutSecs, this.signal);
    } else if (!this.shouldStop()) {
      await new Promise((resolve) => {
        this.signal.addEventListener('abort', resolve, {once: true});
      });
    }
    return this.shouldStop();
  }

  /** Watches a helper; when it fails, everybody is asked to stop. */
  registerThread(work: Promise<unknown>, name = 'helper'): void {
    const helper: Helper = {
      name,
      alive: true,
      ended: work.then(() => {}, (error) => this.requestStop(error))
          .finally(() => {
            helper.alive = false;
          }),
    };
    this.#helpers.push(helper);
  }

  /** Waits for the helpers, then throws the error one of them reported. */
  async join({
    stopGracePeriodSecs = 120, ignoreLiveThreads = false,
  }: JoinOptions = {}): Promise<void> {
    await this.waitForStop();
    const patience = new AbortController();
    const all = Promise.all(this.#helpers.map(({ended}) => ended))
        .then(() => patience.abort());
    if (this.#helpers.some(({alive}) => alive)) {
      await Promise.race(
          [all, this.clock.sleep(stopGracePeriodSecs, patience.signal)]);
    }
    const late = this.#helpers.filter(({alive}) => alive)
        .map(({name}) => name);
    if (late.length > 0) {
      const message = 'Coordinator stopped with helpers still running: ' +
          late.join(' ');
      this.log(message, 'warn');
      if (!ignoreLiveThreads && !this.#hasError) {
        throw new Error(message);
      }
    }
    this.raiseRequestedException();
  }

  // The same by TensorFlow's names.
  request_stop(error?: unknown): void {
    this.requestStop(error);
  }
  should_stop(): boolean {
    return this.shouldStop();
  }
  raise_requested_exception(): void {
    this.raiseRequestedException();
  }
  wait_for_stop(timeoutSecs?: number): Promise<boolean> {
    return this.waitForStop(timeoutSecs);
  }
  register_thread(work: Promise<unknown>, name?: string): void {
    this.registerThread(work, name);
  }
}
