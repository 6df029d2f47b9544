// What the page and the worker of a lane say to each other.
import type { StepName } from './lanes.js';

export interface Order {
  step: StepName;
  steps: number;
  /** Soft budget in bytes. */
  budget: number;
  /** Bytes of heap at which a lane is stopped for the sake of the machine. */
  cap: number;
}

/** How things stand after a step; all sizes in bytes. */
export interface Sample {
  /** Steps done. */
  step: number;
  live: number;
  /** The most that tensors have held at once, within steps too. */
  peak: number;
  heap: number;
  /** Lost tensors that are not freed yet. */
  pending: number;
  /** Lost tensors that were freed. */
  reclaimed: number;
  rescues: number;
  /** How long the newest rescue took. */
  rescueMs: number;
  /** From the last sample to this one: the step and all waiting. */
  ms: number;
}

export type FromLane =
  | { kind: 'ready'; library: string }
  | ({ kind: 'sample' } & Sample)
  | { kind: 'done' }
  | { kind: 'capped' }
  | { kind: 'died'; message: string };
