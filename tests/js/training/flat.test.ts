// Long training: tensors, bytes, memory and listeners stay as many as they were.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { heapBytes } from '../../../js/src/module.js';
import { dir, fresh, options, programs } from './programs_support.js';
import { FakeClock } from './support.js';

/** A page or window that counts who listens. */
class Counted {
  readonly visibilityState = 'visible';
  readonly listeners = new Set<unknown>();
  addEventListener(type: string, f: unknown): void {
    this.listeners.add([type, f]);
  }
  removeEventListener(type: string, f: unknown): void {
    for (const entry of this.listeners) {
      const [t, g] = entry as [string, unknown];
      if (t === type && g === f) this.listeners.delete(entry);
    }
  }
}

interface Sample {
  numTensors: number;
  numBytes: number;
  heap: number;
  page: number;
  signals: number;
  aborts: number;
}

describe('nothing piles up', () => {
  programs();

  test('1000 steps with every stock hook, and 50 recoveries', async () => {
    let run = 0;
    const train = fresh((w) => {
      tf.summary.scalar('w', w);
      tf.summary.histogram('h', w);
      if (++run % 20 === 0 && run <= 1000) throw run % 40 === 0 ? new tf.errors.AbortedError('again') : new tf.errors.UnavailableError('gone');
      w.assign(w.mul(0.999));
      return { loss: w.square() };
    });
    const optimizer = tf.train.adam(0.1);
    const clock = new FakeClock();
    const realm = globalThis as { document?: unknown; window?: unknown };
    const page = new Counted();
    realm.document = page;
    realm.window = page;
    const aborts = new Set<unknown>();
    const samples: Sample[] = [];
    const others: tf.Hook = { afterCreateSession: (_, coord) => void aborts.add(coord.signal) };
    try {
      await tf.train.withMonitoredTrainingSession({
        ...options, handleSignals: true, clock, checkpointDir: dir, saveCheckpointSteps: 10, saveSummariesSteps: 10,
        logStepCountSteps: 10, maxRecoveries: 100, chiefOnlyHooks: [others],
        hooks: [
          new tf.train.LoggingTensorHook(['train/loss'], { everyNIter: 10, atEnd: true }), new tf.train.NanTensorHook('train/loss'),
          new tf.train.ProfilerHook({ saveSteps: 200, outputDir: dir }), new tf.train.GlobalStepWaiterHook(0),
          new tf.train.StopAtStepHook(2000), new tf.train.FinalOpsHook('w'), new tf.train.FeedFnHook(() => ({})),
          new tf.train.StepCounterHook({ everyNSecs: 60, everyNSteps: null, outputDir: `${dir}/speed` }),
          new tf.train.SummarySaverHook({ saveSecs: 60, outputDir: `${dir}/more`, summaryOp: ['w'] }),
        ],
      }, async (sess) => {
        for (let i = 0; i < 1000; i++) {
          await sess.run(train);
          clock.time += 0.5;
          if (i % 100 !== 99) continue;
          const { numTensors, numBytes } = tf.memory();
          samples.push({
            numTensors, numBytes, heap: heapBytes(), page: page.listeners.size,
            signals: process.listenerCount('SIGINT') + process.listenerCount('SIGTERM'), aborts: aborts.size,
          });
        }
      });
    } finally {
      delete realm.document;
      delete realm.window;
    }
    // After the first hundred nothing grows, but one coordinator a recovery.
    const flat = samples.map(({ aborts: _, ...rest }) => rest);
    expect(flat.slice(1)).toEqual(Array(9).fill(flat[1]));
    expect(flat[0]).toEqual(flat[1]);
    expect(clock.slept).toHaveLength(50);
    expect(aborts.size).toBe(51);
    expect([page.listeners.size, process.listenerCount('SIGINT')]).toEqual([0, 0]);
    optimizer.dispose();
  }, 120_000);

  test('100 sessions one after the other: no listener, directory, hook or writer is left', async () => {
    const train = fresh();
    const before = tf.memory();
    const listeners = process.listenerCount('SIGINT');
    for (let i = 0; i < 100; i++) {
      const body = tf.train.withMonitoredTrainingSession({
        ...options, handleSignals: true, checkpointDir: dir, saveCheckpointSteps: 1,
        hooks: [new tf.train.ProfilerHook({ saveSteps: 1, outputDir: `${dir}/profile` })],
      }, async (sess) => {
        await sess.run(train);
        if (i % 2) throw new RangeError('mine');
      });
      await (i % 2 ? expect(body).rejects.toThrow('mine') : body);
    }
    expect([tf.memory().numTensors, tf.memory().numBytes]).toEqual([before.numTensors, before.numBytes]);
    expect(process.listenerCount('SIGINT')).toBe(listeners);
    // Free for anybody: a lock that is taken would be an error at once.
    const storage = tf.io.openStorage(dir);
    await (await storage.lock('ckpt')).release();
    // Writers are closed: the next one is another.
    const writer = tf.summary.FileWriterCache.get(dir);
    expect(writer.pending).toBe(true);
    await tf.summary.FileWriterCache.clear();
    // The graph has collected nothing but the defaults of the first.
    expect(tf.getDefaultGraph().collectionKeys.sort()).toEqual([
      'global_step', 'init_op', 'local_init_op', 'ready_for_local_init_op', 'ready_op', 'savers', 'summary_op',
    ]);
    for (const key of ['savers', 'summary_op', 'init_op']) expect(tf.getDefaultGraph().getCollection(key)).toHaveLength(1);
  }, 120_000);
});
