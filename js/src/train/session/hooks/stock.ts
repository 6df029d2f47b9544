/** What the hooks of this library share. */
import {consoleLog, systemClock} from '../clock.js';
import type {Clock} from '../clock.js';
import {getDefaultGraph} from '../graph.js';
import {SessionRunHook} from '../hook.js';
import type {HookEnvironment} from '../hook.js';

/** A hook that is lent its session's clock, log and graph. */
export abstract class StockHook extends SessionRunHook {
  #environment: HookEnvironment | undefined;

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
    this.lent(this.#environment);
  }

  /** Called when a session has lent its things. */
  protected lent(_environment: HookEnvironment): void {}
}
