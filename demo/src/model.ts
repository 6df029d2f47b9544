// The digit reader: the network and how it is trained. The page's worker, the
// terminal example and the tests all run exactly this file.
//
// Invariant: between two steps of `train` the same tensors are alive, namely
// the network's weights, the digits and what the optimizer remembers; after it
// the weights alone. `train` counts them and throws when one is left over.
import * as tf from 'tidemark';

import { CLASSES, PIXELS, SIZE } from './digits.js';
import type { Digits } from './digits.js';
import { defaults, type TrainOptions } from './settings.js';

/** What one step of training reports. */
export interface StepReport {
  kind: 'step';
  /** Steps done so far, counted from 1 over all epochs. */
  step: number;
  steps: number;
  epoch: number;
  /** Mean cross-entropy over the batch. */
  loss: number;
  /** Share of the batch that was read right. */
  accuracy: number;
}

/** What an epoch reports once the held-out digits have been read. */
export interface EpochReport {
  kind: 'epoch';
  /** Counted from 1. */
  epoch: number;
  step: number;
  /** Share of the held-out digits that was read right. */
  heldOut: number;
  /** Mean over the epoch's batches. */
  loss: number;
  accuracy: number;
  /** What each held-out digit was taken for. */
  guesses: Uint8Array;
  /** Alive after the epoch's first step, and at its end. */
  tensorsBefore: number;
  tensorsAfter: number;
}

/** How `train` is watched and held. */
export interface Watcher {
  /** Hears of every step; training waits for what it returns. */
  onStep?(report: StepReport): void | Promise<void>;
  onEpoch?(report: EpochReport): void;
  /** When the page gets its turn; 'auto'. */
  yieldEvery?: tf.YieldEveryOptions;
  /** 1 shows a bar where there is a terminal; 0. */
  verbose?: number;
}

/** Two convolutions with pooling, then two dense layers. */
export function makeModel(seed: number): tf.Sequential {
  // He's initializer: the spread that keeps relu layers alive.
  const spread = (i: number) => tf.initializers.heNormal({ seed: seed + i });
  const { conv2d, maxPooling2d, flatten, dense, dropout } = tf.layers;
  return tf.sequential({
    layers: [
      conv2d({
        name: 'strokes', inputShape: [SIZE, SIZE, 1], filters: 16,
        kernelSize: 5, activation: 'relu', kernelInitializer: spread(1),
      }),
      maxPooling2d({ name: 'halve', poolSize: 2 }),
      conv2d({
        name: 'shapes', filters: 32, kernelSize: 5, activation: 'relu',
        kernelInitializer: spread(2),
      }),
      maxPooling2d({ name: 'halve_2', poolSize: 2 }),
      flatten({ name: 'list' }),
      dense({
        name: 'mix', units: 64, activation: 'relu',
        kernelInitializer: spread(3),
      }),
      dropout({ name: 'forget_some', rate: 0.25, seed: seed + 10 }),
      dense({
        name: 'digit', units: CLASSES, activation: 'softmax',
        kernelInitializer: spread(4),
      }),
    ],
  });
}

/** The table that `model.summary()` prints, line by line. */
export function summaryOf(model: tf.LayersModel): string[] {
  const lines: string[] = [];
  model.summary(76, [0.35, 0.62, 0.87, 1], (line) => lines.push(String(line)));
  return lines;
}

/** Pictures of 784 bytes as a batch of numbers from 0 to 1. */
export function toImages(pixels: Uint8Array): tf.Tensor4D {
  const values = Float32Array.from(pixels, (v) => v / 255);
  return tf.tensor4d(values, [pixels.length / PIXELS, SIZE, SIZE, 1]);
}

/** Ten probabilities for each picture of 784 bytes, one after the other. */
export function probabilities(
  model: tf.LayersModel,
  pixels: Uint8Array,
): Float32Array {
  return tf.tidy(() => {
    const read = model.predict(toImages(pixels)) as tf.Tensor;
    return read.dataSync() as Float32Array;
  });
}

/** The likeliest class of each picture. */
function classify(model: tf.LayersModel, pixels: Uint8Array): Uint8Array {
  return tf.tidy(() => {
    const read = model.predict(toImages(pixels), { batchSize: 100 });
    return Uint8Array.from((read as tf.Tensor).argMax(-1).dataSync());
  });
}

/** Reads every digit, 100 at a time: memory stays low and the page alive. */
async function classifyAll(
  model: tf.LayersModel,
  digits: Digits,
): Promise<Uint8Array> {
  const guesses = new Uint8Array(digits.count);
  for (let i = 0; i < digits.count; i += 100) {
    const pixels = digits.pixels.subarray(i * PIXELS, (i + 100) * PIXELS);
    guesses.set(classify(model, pixels), i);
    await tf.nextTurn();
  }
  return guesses;
}

function share(guesses: Uint8Array, labels: Uint8Array): number {
  let right = 0;
  labels.forEach((label, i) => (right += Number(guesses[i] === label)));
  return right / labels.length;
}

/**
 * Trains `model` and resolves at the end, or once `model.stopTraining` was set.
 * Whatever happens, only the model's weights are left.
 */
export async function train(
  model: tf.LayersModel,
  digits: { train: Digits; heldOut: Digits },
  options: TrainOptions = defaults,
  watcher: Watcher = {},
): Promise<void> {
  const { epochs, batchSize, learningRate, decay, seed } = options;
  const { onStep, onEpoch, yieldEvery = 'auto', verbose = 0 } = watcher;
  const tensorsAtRest = tf.memory().numTensors;
  const perEpoch = Math.ceil(digits.train.count / batchSize);
  const steps = epochs * perEpoch;
  let tensorsBefore = 0;

  // The order of the digits depends on it.
  tf.keras.utils.setRandomSeed(seed);
  const optimizer = tf.train.adam(learningRate);
  model.compile({
    optimizer, loss: 'sparseCategoricalCrossentropy', metrics: ['accuracy'],
  });
  const images = toImages(digits.train.pixels);
  const labels = tf.tensor1d(Array.from(digits.train.labels), 'int32');
  let epoch = 0;
  const callbacks: tf.CustomCallbackArgs = {
    onEpochBegin(index) {
      epoch = index + 1;
      optimizer.setLearningRate(learningRate * decay ** index);
    },
    onBatchEnd(batch, logs) {
      // Only now: the optimizer's memory comes with the very first step.
      if (batch === 0) tensorsBefore = tf.memory().numTensors;
      return onStep?.({
        kind: 'step', step: (epoch - 1) * perEpoch + batch + 1, steps, epoch,
        loss: logs!.loss!, accuracy: logs!.acc!,
      });
    },
    async onEpochEnd(_index, logs) {
      if (model.stopTraining) return;
      const guesses = await classifyAll(model, digits.heldOut);
      const tensorsAfter = tf.memory().numTensors;
      assertCount(`epoch ${epoch}`, tensorsBefore, tensorsAfter);
      onEpoch?.({
        kind: 'epoch', epoch, step: epoch * perEpoch, guesses,
        heldOut: share(guesses, digits.heldOut.labels),
        loss: logs!.loss!, accuracy: logs!.acc!, tensorsBefore, tensorsAfter,
      });
    },
  };
  try {
    await model.fit(images, labels, {
      epochs, batchSize, callbacks, yieldEvery, verbose,
    });
  } finally {
    tf.dispose([images, labels]);
    optimizer.dispose();
  }
  assertCount('training', tensorsAtRest, tf.memory().numTensors);
}

function assertCount(what: string, before: number, after: number): void {
  if (after === before) return;
  throw new Error(
    `train: ${what} left tensors behind, ${before} before, ${after} after`,
  );
}
