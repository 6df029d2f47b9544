// The training program. It keeps nothing of its own between two runs: all that
// outlives a crash is in the directory.
import * as tf from 'tidemark';

import { type Digits, pick, shuffled } from '../digits.js';
import { makeModel, toImages } from '../model.js';
import { HeldOutHook, TellingHook } from './hooks.js';
import type { FromWorker, Order } from './protocol.js';

/** The digits of a step: checkpoints hold no position in the data. */
function batchOf(step: number, digits: Digits, { batchSize, seed }: Order) {
  const perEpoch = Math.floor(digits.count / batchSize);
  const epoch = Math.floor(step / perEpoch);
  const at = (step % perEpoch) * batchSize;
  const order = shuffled(digits.count, seed + epoch);
  return pick(digits, order.subarray(at, at + batchSize));
}

const figure = (value: unknown): string => Number(value).toFixed(3);

export async function train(
  order: Order,
  digits: { train: Digits; heldOut: Digits },
  tell: (message: FromWorker) => void,
  mayGoOn: () => Promise<void> | undefined,
): Promise<void> {
  const { directory, every, lastStep, learningRate, seed } = order;
  const model = makeModel(seed);
  model.compile({
    optimizer: tf.train.adam(learningRate),
    loss: 'sparseCategoricalCrossentropy', metrics: ['accuracy'],
  });
  const kernel = model.getLayer('shapes').weights[0]!;

  const step = tf.train.step('train', () => {
    const { pixels, labels } =
      batchOf(tf.train.getGlobalStep()!.number, digits.train, order);
    const logs = model.trainStep(
      toImages(pixels), tf.tensor1d(Array.from(labels), 'int32'));
    tf.summary.scalar('loss', logs.loss!);
    tf.summary.scalar('accuracy', logs.acc!);
    tf.summary.histogram('shapes/kernel', kernel.read());
    return logs;
  });
  const heldOut = tf.train.fetch('held_out', () => {
    const { pixels, labels } = digits.heldOut;
    const read = model.predict(toImages(pixels), { batchSize: 100 });
    return (read as tf.Tensor).argMax(-1).toInt()
      .equal(tf.tensor1d(Array.from(labels), 'int32')).mean();
  });

  const telling = new TellingHook(directory, tell);
  await tf.train.withMonitoredTrainingSession({
    checkpointDir: directory,
    saveCheckpointSteps: every,
    saveSummariesSteps: 5,
    logStepCountSteps: 25,
    hooks: [
      new tf.train.StopAtStepHook({ lastStep }),
      new tf.train.NanTensorHook('train/loss'),
      new tf.train.LoggingTensorHook({
        tensors: { loss: 'train/loss', acc: 'train/acc' }, everyNIter: every,
        formatter: ({ loss, acc }) => `loss ${figure(loss)}, accuracy ${figure(acc)}`,
      }),
      new HeldOutHook(heldOut, directory, every),
      telling,
    ],
    onLog: (text, level) => tell({ kind: 'log', speaker: 'session', text, level }),
  }, async (sess) => {
    while (!sess.shouldStop()) {
      const pause = mayGoOn();
      if (pause) {
        // The page shows all there is meanwhile.
        await telling.flush();
        await pause;
      }
      await sess.run(step);
      // Letters from the page get their turn.
      await tf.nextTurn();
    }
  });
  tell({ kind: 'done', step: tf.train.getGlobalStep()!.number });
}
