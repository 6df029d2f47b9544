/**
 * What the parts of a job say to each other. Three kinds of lines: from the
 * realm that started the job to each task (control), and one from the chief to
 * each worker. All are MessagePorts; a new life of a task gets new ones, so
 * what a former life sent arrives nowhere, and epochs catch what is left.
 *
 * One step of a worker: `pull`, answered by `work` once the chief is in a run
 * of the same steps; `gradients`; then `published` when the chief has applied
 * all workers' and begins its next run, or ends. A worker that dies in between
 * makes the chief send `work` again to the others, under a new round.
 */
import type {DataType} from '../../types.js';

/** An error as text: classes do not cross. */
export interface RemoteError {
  /** The class by which it can be told, as in `InvalidArgumentError`. */
  readonly name: string;
  readonly message: string;
  readonly code?: string;
}

/** What a task is: told by the name of its Worker, so known from the start. */
export interface TaskConfig {
  /** The job's name: `master` is `worker://` and this. */
  readonly job: string;
  readonly role: 'chief' | 'worker';
  /** Of the worker among the workers; 0 for the chief. */
  readonly index: number;
  /** How many workers the job has. */
  readonly workers: number;
  /** Which life of the task this is, from 1. */
  readonly life: number;
}

/** A task's first word to whoever started it, through the Worker itself. */
export interface Hello {
  readonly tidemark: 'job';
  /** Where the task hears orders. */
  readonly port: MessagePort;
  /** The lock that is held while the task lives, where there are locks. */
  readonly lock: string | null;
}

/** To a task, on the control line. */
export type Order =
  /** The answer to `open`, for chiefs as often as a worker opens too. */
  | {type: 'line', index: number, port: MessagePort}
  /** Chief: this worker is gone, another will come. Worker: the chief is. */
  | {type: 'lost', index: number}
  /** Chief: this worker has ended in a former chief's time. */
  | {type: 'ended', index: number}
  /** End training after the run in progress. */
  | {type: 'stop'}
  /** Chief: another task has failed, and training with it. */
  | {type: 'fail', error: RemoteError};

/** From a task, on the control line. */
export type Report =
  /** A session is being made, and needs a new line or lines. */
  | {type: 'open'}
  /** Chief: a step has succeeded since somebody was lost. */
  | {type: 'progress'}
  /** The session has ended, with an error or well. */
  | {type: 'left', error: RemoteError | null, globalStep: number};

/** Where a variable's values are among all values. */
export interface Place {
  readonly name: string;
  readonly dtype: DataType;
  readonly shape: readonly number[];
  /** In bytes. */
  readonly offset: number;
}

/** All values of a chief's variables. */
export interface Weights {
  readonly places: readonly Place[];
  readonly bytes: ArrayBuffer;
}

/** From the chief to a worker; dropped when the epoch is not the line's. */
export type ToWorker =
  /** The chief's session is there. */
  | {type: 'welcome', epoch: number}
  /** The answer to `pull`: compute gradients with the weights of a version. */
  | {
    type: 'work', epoch: number, round: number, version: number, step: number,
    /** Null when the worker has them. */
    weights: Weights | null,
    /** Send what the steps tell TensorBoard. */
    summaries: boolean,
  }
  /** The step is made: this is the global step now, and whether to end. */
  | {type: 'published', epoch: number, step: number, stop: boolean}
  /** Training has ended. */
  | {type: 'stop', epoch: number}
  /** The chief's session is made anew: a `welcome` will follow. */
  | {type: 'aborted', epoch: number};

/** A gradient, or the values that a step has given a variable. */
export interface Values {
  readonly name: string;
  readonly dtype: DataType;
  readonly shape: readonly number[];
  /** float32, except for values of int32 and bool variables. */
  readonly values: Float32Array | Int32Array | Uint8Array;
}

/** Gradients for one call of `applyGradients`. */
export interface Update {
  /** The optimizer by its place among the graph's. */
  readonly optimizer: number;
  /** Its class, to be sure. */
  readonly kind: string;
  readonly gradients: readonly Values[];
}

/** What one step function did on a worker. */
export interface StepPart {
  readonly updates: readonly Update[];
  /** Variables it has assigned itself, as moving averages. */
  readonly assigned: readonly Values[];
  /** Its result with numbers in place of scalars, null for all that is none. */
  readonly scalars: unknown;
  /** By tag; null unless asked for. */
  readonly summaries: readonly (readonly [string, Uint8Array[]])[] | null;
}

/** From a worker to the chief; dropped when the epoch is not the chief's. */
export type ToChief =
  /** A run has begun: the worker's version, and the steps it will make. */
  | {type: 'pull', epoch: number, version: number, steps: readonly string[]}
  /** What the steps did; dropped when the round is over. */
  | {
    type: 'gradients', epoch: number, round: number, step: number,
    version: number,
    /** Examples: what the gradients are weighed by. */
    count: number,
    parts: Readonly<Record<string, StepPart>>,
  }
  /** The worker has ended well, and will not be replaced. */
  | {type: 'left', epoch: number};

/** What the chief keeps of `gradients`. */
export type Contribution = Extract<ToChief, {type: 'gradients'}>;
