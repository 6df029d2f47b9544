// What a run has reported so far, in the shape that charts want.
import type { Table } from './charts.js';
import type { EpochReport, StepReport } from './model.js';
import type { MemorySample } from './protocol.js';

/** Batches are small and their figures jumpy; this much of the past stays. */
const INERTIA = 0.92;
const GOAL = 0.97;
const MB = 2 ** 20;

export class History {
  readonly steps: number[] = [];
  readonly tensors: number[] = [];
  readonly #loss: number[] = [];
  readonly #smoothLoss: number[] = [];
  readonly #accuracy: number[] = [];
  readonly #heldOut: (number | null)[] = [];
  readonly #bytes: number[] = [];
  readonly #peak: number[] = [];
  readonly #heap: number[] = [];

  /** Training accuracy, smoothed; undefined before the first step. */
  get accuracy(): number | undefined {
    return this.#accuracy.at(-1);
  }

  /** Loss, smoothed; undefined before the first step. */
  get loss(): number | undefined {
    return this.#smoothLoss.at(-1);
  }

  addStep(report: StepReport, memory: MemorySample): void {
    this.steps.push(report.step);
    this.#loss.push(report.loss);
    this.#smoothLoss.push(this.#smooth(this.loss, report.loss));
    this.#accuracy.push(this.#smooth(this.accuracy, report.accuracy));
    this.#heldOut.push(null);
    this.#addMemory(memory);
  }

  /** Puts the held-out accuracy at the step that the epoch ended with. */
  addEpoch(report: EpochReport): void {
    this.#heldOut[this.#heldOut.length - 1] = report.heldOut;
  }

  /** A plain mean at first, so that the first batch does not weigh longer. */
  #smooth(before = 0, now: number): number {
    const inertia = Math.min(INERTIA, 1 - 1 / this.steps.length);
    return inertia * before + (1 - inertia) * now;
  }

  #addMemory(memory: MemorySample): void {
    this.tensors.push(memory.tensors);
    this.#bytes.push(memory.bytes / MB);
    this.#peak.push(memory.peak / MB);
    this.#heap.push(memory.heap / MB);
  }

  lossTable(): Table {
    return [this.steps, this.#loss, this.#smoothLoss];
  }

  accuracyTable(): Table {
    const goal = this.steps.map(() => GOAL);
    return [this.steps, this.#accuracy, this.#heldOut, goal];
  }

  tensorsTable(): Table {
    return [this.steps, this.tensors];
  }

  bytesTable(): Table {
    return [this.steps, this.#bytes, this.#peak, this.#heap];
  }
}
