/** What jobs are started with, and what they tell. */
import type {Clock, LogFunction} from '../session/clock.js';
import type {TaskWorker} from './platform.js';

/** Chief or worker. */
export type TaskRole = 'chief' | 'worker';

/** What happens to a task. */
export interface JobEvent {
  /** `started` again with a higher `life` is a respawn after `lost`. */
  readonly type: 'started' | 'lost' | 'ended';
  readonly role: TaskRole;
  readonly index: number;
  /** 1 for the first, one more for each respawn. */
  readonly life: number;
}

/** Settings of `startJob`. */
export interface JobOptions {
  /** The job's name, `'job'` by default. */
  job?: string;
  /** How many workers compute gradients beside the chief; 1 by default. */
  workers?: number;
  /** Starts a module Worker under `name`, for bundlers: see `startJob`. */
  spawn?: (role: TaskRole, index: number, name: string) => TaskWorker;
  /** Hears of deaths and respawns. */
  onEvent?: (event: JobEvent) => void;
  /** Seconds that workers have to end after the chief; 120 by default. */
  stopGracePeriodSecs?: number;
  /** Lost tasks in a row, without a step in between; 10 by default. */
  maxRespawns?: number;
  onLog?: LogFunction;
  clock?: Clock;
}

/** How a job has ended. */
export interface JobResult {
  /** The chief's global step. */
  readonly globalStep: number;
}
