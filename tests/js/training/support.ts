// A clock that only tests move, a log that is kept, and storage that notes what
// sessions write and really holds the values of checkpoints.
import { test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import type { Clock } from '../../../js/src/train/session/clock.js';
import { setTrainingStorage } from '../../../js/src/train/session/contracts.js';
import type { DirectoryClaim, SaverLike, StorageContext, SummaryWriterLike, TrainingStorage } from '../../../js/src/train/session/contracts.js';
import { Snapshot } from '../../../js/src/train/session/snapshot.js';

export class FakeClock implements Clock {
  time = 1000;
  readonly slept: number[] = [];

  now(): number {
    return this.time;
  }
  wallTime(): number {
    return 1700000000 + this.time;
  }
  async sleep(seconds: number): Promise<void> {
    this.slept.push(seconds);
    this.time += seconds;
  }
}

export interface Written {
  what: string;
  step: number;
  [detail: string]: unknown;
}

/** Directories in memory whose checkpoints are snapshots. */
export class FakeStorage implements TrainingStorage {
  /** Everything written, in order. */
  readonly log: Written[] = [];
  readonly files = new Map<string, string>();
  readonly claims: string[] = [];
  readonly checkpoints = new Map<string, Snapshot>();
  readonly states = new Map<string, string[]>();
  failSaves = 0;

  makeSaver({ graph }: StorageContext): SaverLike {
    return {
      save: async (_sess, savePath, { globalStep, writeMetaGraph } = {}) => {
        if (this.failSaves > 0) {
          this.failSaves--;
          throw new tf.errors.ResourceExhaustedError('the disk is full');
        }
        const path = `${savePath}-${String(globalStep)}`;
        this.checkpoints.get(path)?.dispose();
        this.checkpoints.set(path, new Snapshot(graph));
        const dir = savePath.slice(0, savePath.lastIndexOf('/'));
        this.states.set(dir, [...(this.states.get(dir) ?? []).filter((p) => p !== path), path]);
        this.log.push({ what: 'save', step: Number(globalStep), meta: writeMetaGraph });
        return path;
      },
      restore: async (_sess, path) => this.checkpoints.get(path)!.restore(),
      recoverLastCheckpoints: async () => {},
    };
  }
  async checkpointState(directory: string) {
    const all = this.states.get(directory);
    return all ? { modelCheckpointPath: all.at(-1)!, allModelCheckpointPaths: all } : null;
  }
  async writer(directory: string): Promise<SummaryWriterLike> {
    const note = (what: string, step: number, rest: object = {}): void => {
      this.log.push({ what, step, directory, ...rest });
    };
    return {
      addSummary: (values, step) => note('summary', step, { values }),
      addGraph: (_bytes, step = 0) => note('graph', step),
      addMetaGraph: (_bytes, step = 0) => note('meta', step),
      addSessionLog: ({ status, checkpointPath }, step) =>
        note(['', 'START', 'STOP', 'CHECKPOINT'][status]!, step, checkpointPath === undefined ? {} : { checkpointPath }),
      addRunMetadata: (bytes, tag, step) => note('metadata', step, { bytes, tag }),
      flush: async () => note('flush', -1),
    };
  }
  async writeFile(directory: string, name: string, text: string): Promise<void> {
    this.files.set(`${directory}/${name}`, text);
  }
  async claim(directory: string, _: StorageContext, lock: boolean): Promise<DirectoryClaim> {
    const name = `${directory}${lock ? '' : ' (events)'}`;
    this.claims.push(`+${name}`);
    return {
      revalidate: async () => true,
      release: async () => {
        this.claims.push(`-${name}`);
      },
    };
  }
  steps(what: string): number[] {
    return this.log.filter((w) => w.what === what).map(({ step }) => step);
  }
  dispose(): void {
    for (const snapshot of this.checkpoints.values()) snapshot.dispose();
    this.checkpoints.clear();
  }
}

export interface World {
  clock: FakeClock;
  lines: string[];
  warnings: string[];
  storage: FakeStorage;
  /** Options that every session of the test takes. */
  options: { clock: FakeClock; onLog: (line: string, level: string) => void; handleSignals: false };
}

/** Runs a test in a graph of its own, and frees what is left. */
export async function inWorld(test: (world: World) => Promise<void>): Promise<void> {
  tf.resetDefaultGraph();
  const storage = new FakeStorage();
  const before = setTrainingStorage(storage);
  const clock = new FakeClock();
  const lines: string[] = [];
  const warnings: string[] = [];
  const onLog = (line: string, level: string): void => {
    (level === 'info' ? lines : warnings).push(line);
  };
  try {
    await test({ clock, lines, warnings, storage, options: { clock, onLog, handleSignals: false } });
  } finally {
    setTrainingStorage(before);
    storage.dispose();
    tf.resetDefaultGraph();
    tf.disposeVariables();
  }
}

/** A hook that notes what is called. */
export class Recorder extends tf.train.SessionRunHook {
  readonly calls: string[] = [];

  constructor(readonly name = '', readonly all: string[] = []) {
    super();
  }
  note(call: string): void {
    this.calls.push(call);
    this.all.push(this.name + call);
  }
  override begin(): void {
    this.note('begin');
  }
  override afterCreateSession(): void {
    this.note('create');
  }
  override beforeRun(): void {
    this.note('before');
  }
  override afterRun(): void {
    this.note('after');
  }
  override end(): void {
    this.note('end');
  }
}

/** Runs `n` steps; the clock advances after each by `secs`. */
export async function steps(
  { options, clock }: World, hooks: tf.Hook[], n: number, secs = 0, train: tf.Fetch = tf.train.step('train', () => ({ loss: 1 })),
): Promise<void> {
  await tf.train.withMonitoredTrainingSession({ ...options, hooks }, async (sess) => {
    for (let i = 0; i < n && !sess.shouldStop(); i++) {
      await sess.run(train);
      clock.time += secs;
    }
  });
}

/** A step that tells its loss. */
export const tick = (): tf.Fetch => tf.train.step('train', () => tf.summary.scalar('loss', 1));

/** A test in a world of its own. */
export const inGraph = (name: string, f: (world: World) => Promise<void>): void => {
  test(name, () => inWorld(f));
};

/** A step that counts its runs and throws where it is told to. */
export function counting(throws: Record<number, () => unknown> = {}) {
  let calls = 0;
  const train = tf.train.step('train', () => {
    const make = throws[++calls];
    if (make) throw make();
    return { calls };
  });
  return train;
}
