// Long training: tensors, bytes and listeners stay as many as they were.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { dir, fresh, options, programs } from './programs_support.js';
import { FakeClock } from './support.js';

describe('nothing piles up', () => {
  programs();

  test('1000 steps with every hook, and 50 recoveries: no tensor is left over', async () => {
    let run = 0;
    const train = fresh((w) => {
      tf.summary.scalar('w', w);
      if (++run % 20 === 0 && run <= 1000) throw new tf.errors.AbortedError('again');
      w.assign(w.mul(0.999));
      return { loss: w.square() };
    });
    const clock = new FakeClock();
    const counts: number[] = [];
    await tf.train.withMonitoredTrainingSession({
      ...options, clock, checkpointDir: dir, saveCheckpointSteps: 10, saveSummariesSteps: 10, maxRecoveries: 100,
      hooks: [
        new tf.train.LoggingTensorHook(['train/loss'], 10), new tf.train.NanTensorHook('train/loss'),
        new tf.train.ProfilerHook({ saveSteps: 200, outputDir: dir }), new tf.train.GlobalStepWaiterHook(0),
        new tf.train.StopAtStepHook(2000), new tf.train.FinalOpsHook('w'), new tf.train.FeedFnHook(() => ({})),
      ],
    }, async (sess) => {
      for (let i = 0; i < 1000; i++) {
        await sess.run(train);
        if (i % 100 === 99) counts.push(tf.memory().numTensors);
      }
    });
    expect(new Set(counts).size).toBe(1);
    expect(clock.slept).toHaveLength(50);
  }, 60000);
});
