// What the page and the worker that trains say to each other.

/** What to train, and where to keep it. */
export interface Order {
  /** The run's directory, such as `opfs://…`. */
  directory: string;
  digitsUrl: string;
  /** The global step to stop at. */
  lastStep: number;
  /** Steps from one checkpoint to the next. */
  every: number;
  batchSize: number;
  learningRate: number;
  seed: number;
}

export type ToWorker =
  | { kind: 'train'; order: Order }
  | { kind: 'pause' }
  | { kind: 'continue' };

/** Who says a line of the log. */
export type Speaker = 'session' | 'hook' | 'page';

export type FromWorker =
  | { kind: 'log'; speaker: Speaker; text: string; level: 'info' | 'warn' | 'error' }
  /** A session has been created: restored at that step, or new at 0. */
  | { kind: 'created'; step: number }
  | { kind: 'step'; step: number }
  /** The directory has news. */
  | { kind: 'written' }
  | { kind: 'done'; step: number }
  | { kind: 'failed'; message: string };
