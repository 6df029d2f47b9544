// The run's directory as the page reads it: checkpoints and event files. It
// knows nothing that is not in the files, so a reload shows the same.
import * as tf from 'tidemark';

import { tar } from './tar.js';

const PREFIX = 'model.ckpt-';

export interface Checkpoint {
  step: number;
  bytes: number;
  saved: Date;
  newest: boolean;
}

/** A number under a tag, at its step. */
export interface Point {
  step: number;
  value: number;
}

export interface Histogram {
  step: number;
  limits: readonly number[];
  counts: readonly number[];
}

/** What one event file tells: a session from its creation to its end. */
export interface Life {
  /** The step it began at: 0, or that of the checkpoint it was restored from. */
  from: number;
  scalars: Map<string, Point[]>;
  histograms: Map<string, Histogram[]>;
  /** Steps it has saved checkpoints at. */
  saves: number[];
}

/** All that the directory holds. */
export interface Run {
  checkpoints: Checkpoint[];
  /** Oldest first. */
  lives: Life[];
  files: { name: string; size: number }[];
}

/** Where this browser can keep a run. */
export async function chooseDirectory(wanted: string | null): Promise<string> {
  if (wanted !== 'indexeddb') {
    try {
      await navigator.storage.getDirectory();
      return 'opfs://tidemark-training/digits';
    } catch {
      // Some private windows have none.
    }
  }
  return 'indexeddb://tidemark-training/digits';
}

async function readLife(path: string): Promise<Life | undefined> {
  const scalars = new Map<string, Point[]>();
  const histograms = new Map<string, Histogram[]>();
  const saves: number[] = [];
  const add = <T>(map: Map<string, T[]>, tag: string, what: T): void => {
    const list = map.get(tag) ?? [];
    list.push(what);
    map.set(tag, list);
  };
  let from: number | undefined;
  for await (const event of tf.train.summaryIterator(path)) {
    const step = Number(event.step);
    // The first that is written once the session is there.
    if (event.sessionLog) from ??= step;
    if (event.sessionLog?.checkpointPath) saves.push(step);
    for (const { tag, simpleValue, histogram } of event.summary ?? []) {
      if (simpleValue !== undefined) add(scalars, tag, { step, value: simpleValue });
      if (!histogram) continue;
      const { bucketLimit: limits, bucket: counts } = histogram;
      add(histograms, tag, { step, limits, counts });
    }
  }
  return from === undefined ? undefined : { from, scalars, histograms, saves };
}

export class RunDirectory {
  readonly url: string;
  readonly #storage: tf.io.FileStorage;
  /** Lives by file; those whose size has not changed are not read again. */
  #lives = new Map<string, { size: number; life: Life | undefined }>();

  constructor(url: string) {
    this.url = url;
    this.#storage = tf.io.openStorage(url);
  }

  async read(): Promise<Run> {
    const files = await this.#storage.list();
    const state = files.some(({ name }) => name === 'checkpoint')
      ? await tf.train.getCheckpointState(this.url) : null;
    const checkpoints = (state?.allModelCheckpointPaths ?? []).map((path) => {
      const base = path.slice(this.url.length + 1);
      const own = files.filter(({ name }) => name.startsWith(`${base}.`));
      return {
        step: Number(base.slice(PREFIX.length)),
        bytes: own.reduce((sum, { size }) => sum + size, 0),
        saved: own.find(({ name }) => name.endsWith('.index'))?.modified,
        newest: path === state!.modelCheckpointPath,
      };
    }).filter((one): one is Checkpoint => one.saved !== undefined);
    return { checkpoints, lives: await this.#readLives(files), files };
  }

  async #readLives(files: readonly tf.io.StoredFile[]): Promise<Life[]> {
    const found = new Map<string, { size: number; life: Life | undefined }>();
    for (const { name, size } of files) {
      if (!name.includes('.tfevents.')) continue;
      const known = this.#lives.get(name);
      found.set(name, known?.size === size ? known
        : { size, life: await readLife(`${this.url}/${name}`) });
    }
    this.#lives = found;
    // Names begin with the second the file was made in.
    return [...found.values()].map(({ life }) => life).filter((life) => life !== undefined);
  }

  /** All files in one archive. */
  async archive(folder: string): Promise<Blob> {
    for (let attempt = 1; ; attempt++) {
      try {
        const parts = [];
        for (const { name, modified } of await this.#storage.list()) {
          const bytes = await this.#storage.read(name);
          parts.push({ name: `${folder}/${name}`, modified, bytes });
        }
        return tar(parts);
      } catch (error) {
        // Training goes on meanwhile, and removes old checkpoints.
        if (attempt === 3) throw error;
      }
    }
  }

  /** Removes all files, once nobody writes there any more. */
  async remove(): Promise<void> {
    const lock = await this.#storage.lock('ckpt', { wait: 5000 });
    try {
      const files = await this.#storage.list();
      await this.#storage.remove(...files.map(({ name }) => name));
    } finally {
      await lock.release();
    }
  }
}
