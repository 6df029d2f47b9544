/** What the hooks of this library share. */
import {consoleLog, systemClock} from '../clock.js';
import type {Clock} from '../clock.js';
import {getDefaultGraph} from '../graph.js';
import {SessionRunHook} from '../hook.js';
import type {HookEnvironment} from '../hook.js';
import {SecondOrStepTimer} from '../timer.js';

/** A hook that is lent its session's clock, log and graph. */
export abstract class StockHook extends SessionRunHook {
  #environment: HookEnvironment | undefined;
  readonly #timers: SecondOrStepTimer[] = [];

  constructor(protected readonly ownClock?: Clock) {
    super();
  }

  /** What the session lends; outside of one, the platform's. */
  get environment(): HookEnvironment {
    return this.#environment ??= {
      graph: getDefaultGraph(), clock: this.ownClock ?? systemClock,
      log: consoleLog, onSaveError: 'raise', saved: () => {},
    };
  }

  set environment(environment: HookEnvironment) {
    this.#environment = this.ownClock ?
      {...environment, clock: this.ownClock} : environment;
    for (const timer of this.#timers) timer.useClock(this.#environment.clock);
  }

  /** A timer that goes by the session's clock. */
  protected timer(
      everySecs: number | null = null,
      everySteps: number | null = null): SecondOrStepTimer {
    const timer = new SecondOrStepTimer({everySecs, everySteps});
    this.#timers.push(timer);
    return timer;
  }
}
