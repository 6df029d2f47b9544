// What the page and its worker say to each other.
import type { EpochReport, StepReport } from './model.js';
import type { TrainOptions } from './settings.js';

/** Which thread trains. */
export type Thread = 'worker' | 'main';

export interface RunOptions extends TrainOptions {
  /** How many of the 8,000 training digits to use. */
  trainCount: number;
  /** When `fit` lets others have their turn. */
  yieldEvery: 'auto' | 'batch';
}

/** What is known of a network that this browser has kept. */
export interface Kept {
  heldOut: number;
  epochs: number;
}

/** Memory between two steps, as `tf.memory()` reports it. */
export interface MemorySample {
  tensors: number;
  bytes: number;
  /** The most bytes that tensors have held at once. */
  peak: number;
  /** How large the WebAssembly memory has grown. */
  heap: number;
}

export interface Example {
  pixels: Uint8Array;
  label: number;
}

export interface Misread extends Example {
  guess: number;
}

export type ToWorker =
  | { kind: 'load'; digitsUrl: string }
  | { kind: 'start'; options: RunOptions }
  | { kind: 'pause' }
  | { kind: 'resume' }
  | { kind: 'reset' }
  | { kind: 'predict'; id: number; pixels: Uint8Array }
  | { kind: 'sample' };

export type FromWorker =
  | { kind: 'loading'; received: number; total: number }
  | {
      kind: 'ready';
      variant: string;
      /** `model.summary()`, line by line. */
      summary: string[];
      /** The network of an earlier visit, loaded and ready to read. */
      kept: Kept | undefined;
      memory: MemorySample;
    }
  | { kind: 'started'; parameters: number; memory: MemorySample }
  | (StepReport & { memory: MemorySample })
  | (EpochReport & { memory: MemorySample; misread: Misread[] })
  | { kind: 'done'; memory: MemorySample }
  | { kind: 'kept'; kept: Kept }
  | { kind: 'unkept'; message: string }
  | {
      kind: 'reset';
      tensorsBefore: number;
      tensorsAfter: number;
      memory: MemorySample;
    }
  | { kind: 'prediction'; id: number; probabilities: Float32Array }
  | { kind: 'sample'; example: Example }
  | { kind: 'failed'; message: string };
