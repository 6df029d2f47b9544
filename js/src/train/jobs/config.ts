/** What a task of a job knows of itself from its first line on. */
import {runtimeError} from '../session/errors.js';
import type {TaskConfig} from './messages.js';
import {platform} from './platform.js';

const prefix = 'tidemark-job:';

/** The name that a task's Worker is started with. */
export function nameOf(config: TaskConfig): string {
  return prefix + JSON.stringify(config);
}

/** What this realm is in a job, undefined when it is in none. */
export function taskConfig(): TaskConfig | undefined {
  const name = platform().name();
  return name?.startsWith(prefix) ?
    JSON.parse(name.slice(prefix.length)) as TaskConfig : undefined;
}

/** The same; errors when there is no job. */
export function needConfig(who: string): TaskConfig {
  const config = taskConfig();
  if (config !== undefined) return config;
  throw runtimeError(
      `${who}: this is no task of a job: start its module with ` +
          'tf.train.startJob, and if you start the Workers yourself, give ' +
          'them the name that `spawn` is given');
}

/** What a task is; see {@link jobConfig}. */
export interface JobConfig {
  /** The job's name. */
  readonly job: string;
  readonly role: 'chief' | 'worker';
  readonly isChief: boolean;
  /** Which worker this is, from 0; 0 for the chief. */
  readonly index: number;
  /** How many workers there are. */
  readonly workers: number;
}

/**
 * What this Worker is in the job that started it: `{job, role, isChief, index,
 * workers}`. Worker `index` of `workers` takes its share of the data by them.
 *
 * Errors: this is no task of a job.
 *
 * ```js
 * let message = '';
 * try {
 *   tf.train.jobConfig();
 * } catch (error) {
 *   message = error.message;
 * }
 * message.startsWith('jobConfig: this is no task of a job'); // => true
 * ```
 */
export function jobConfig(): JobConfig {
  const {job, role, index, workers} = needConfig('jobConfig');
  return {job, role, isChief: role === 'chief', index, workers};
}
