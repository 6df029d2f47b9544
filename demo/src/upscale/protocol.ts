// What the page and its worker say to each other.
import type { MemorySample } from '../protocol.js';
import type { Box } from './tiles.js';

export type { MemorySample };

export type ToWorker =
  | { kind: 'load'; modelUrl: string }
  | { kind: 'upscale'; id: number; picture: Blob; tileSize: number }
  | { kind: 'stop' };

export interface Loading {
  /** 0 to 1. */
  fraction: number;
  file: string;
  loaded: number;
  total: number;
  fromCache: boolean;
}

export type FromWorker =
  | ({ kind: 'loading' } & Loading)
  | { kind: 'ready'; variant: string; loaded: Loading; memory: MemorySample }
  /** The picture is decoded; it will be done in so many tiles. */
  | { kind: 'begun'; id: number; source: ImageBitmap; tiles: number }
  | {
      kind: 'tile';
      id: number;
      done: number;
      tiles: number;
      /** Where in the result, and what: RGBA. */
      box: Box;
      pixels: Uint8ClampedArray<ArrayBuffer>;
      elapsedMs: number;
      memory: MemorySample;
    }
  | { kind: 'done'; id: number; elapsedMs: number; memory: MemorySample }
  /** Something is wrong with this picture; the next may be fine. */
  | { kind: 'refused'; id: number; message: string }
  | { kind: 'failed'; message: string };
