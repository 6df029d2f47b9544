/** What monitored sessions are made of, and what their step functions get. */
import type {Clock, LogFunction} from './clock.js';
import type {SessionCreator} from './creators.js';
import {StopIteration} from './errors.js';
import type {Fetched} from './fetches.js';
import type {Hook} from './hook.js';
import type {Feeds} from './placeholder.js';
import type {RawSession} from './session.js';

/** Options that TensorFlow's sessions don't have. */
export interface SessionExtras {
  /** Where time comes from; the platform by default. */
  clock?: Clock;
  /** Takes what would be printed. */
  onLog?: LogFunction;
  /** Save when the page is hidden; true by default. */
  checkpointOnHide?: boolean;
  /** In Node, end training cleanly at SIGINT and SIGTERM; true by default. */
  handleSignals?: boolean;
  /** What a failed save does; `'raise'` by default. */
  onSaveError?: 'raise' | 'warn';
  /** Recoveries in a row before the error goes on; 10 by default. */
  maxRecoveries?: number;
}

/** Names of the extras. */
export const extraNames = [
  'clock', 'onLog', 'checkpointOnHide', 'handleSignals', 'onSaveError',
  'maxRecoveries',
] as const;

/** What a monitored session is made of. */
export interface MonitoredSessionArgs extends SessionExtras {
  sessionCreator?: SessionCreator | null;
  hooks?: readonly Hook[] | null;
  stopGracePeriodSecs?: number;
  /** Directories the session writes to. */
  directories?: readonly string[];
  /** Where the session trains: no other one of this realm may meanwhile. */
  checkpointDir?: string | null;
}

/** The arguments of `MonitoredSession` in TensorFlow's order. */
export const sessionNames = [
  'sessionCreator', 'hooks', 'stopGracePeriodSecs',
] as const;

/** What the function of `runStepFn` gets. */
export class StepContext {
  static readonly className: string = 'StepContext';

  constructor(
      /** The session without hooks. */
      readonly session: RawSession,
      /** One run with all hooks. */
      readonly runWithHooks: <const F>(
        fetches: F, feedDict?: Feeds | null) => Promise<Fetched<F>>) {}

  /** Leaves the block of the session in a clean way. */
  requestStop(): never {
    throw new StopIteration('step_fn has requested the iterations to stop.');
  }

  get run_with_hooks(): StepContext['runWithHooks'] {
    return this.runWithHooks;
  }
  request_stop(): never {
    return this.requestStop();
  }
}
