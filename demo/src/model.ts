// The digit reader: network and training loop. The page's worker, the
// terminal example and the tests all run exactly this file.
//
// Invariant: between two steps of `train` the only live tensors are the
// network's variables and the optimizer's, between two epochs the network's.
// `train` counts them around every epoch and throws when one is left over.
import * as tf from 'tidemark';

import { CLASSES, pick, PIXELS, shuffled, SIZE } from './digits.js';
import type { Digits } from './digits.js';
import { defaults, type TrainOptions } from './settings.js';

/** What is left of a picture after the second pooling: 4 x 4 x 16. */
const FLAT = 512;

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
  tensorsBefore: number;
  tensorsAfter: number;
}

/** Normal weights with the spread that keeps relu layers alive (He, 2015). */
function weights(shape: number[], fanIn: number, seed: number): tf.Variable {
  return tf.tidy(() =>
    tf.variable(
      tf.randomNormal(shape, 0, Math.sqrt(2 / fanIn), 'float32', seed),
    ),
  );
}

function bias(size: number): tf.Variable {
  return tf.tidy(() => tf.variable(tf.zeros([size])));
}

/**
 * Two convolutions with pooling, then two dense layers:
 * [n,28,28,1] -> [n,12,12,16] -> [n,4,4,32] -> [n,64] -> [n,10].
 */
export class DigitNet {
  readonly #seed: number;
  readonly conv1: tf.Variable;
  readonly conv1Bias: tf.Variable;
  readonly conv2: tf.Variable;
  readonly conv2Bias: tf.Variable;
  readonly dense: tf.Variable;
  readonly denseBias: tf.Variable;
  readonly out: tf.Variable;
  readonly outBias: tf.Variable;

  constructor(seed: number) {
    this.#seed = seed;
    this.conv1 = weights([5, 5, 1, 16], 25, seed + 1);
    this.conv1Bias = bias(16);
    this.conv2 = weights([5, 5, 16, 32], 400, seed + 2);
    this.conv2Bias = bias(32);
    this.dense = weights([FLAT, 64], FLAT, seed + 3);
    this.denseBias = bias(64);
    this.out = weights([64, CLASSES], 64, seed + 4);
    this.outBias = bias(CLASSES);
  }

  get variables(): tf.Variable[] {
    return [
      this.conv1, this.conv1Bias, this.conv2, this.conv2Bias,
      this.dense, this.denseBias, this.out, this.outBias,
    ];
  }

  get parameterCount(): number {
    return this.variables.reduce((sum, v) => sum + v.size, 0);
  }

  /** [n,28,28,1] -> [n,10], unnormalized. `step` makes it drop activations. */
  logits(images: tf.Tensor4D, step?: number): tf.Tensor2D {
    return tf.tidy(() => {
      const first = tf
        .conv2d(images, this.conv1, 1, 'valid')
        .add(this.conv1Bias)
        .relu()
        .maxPool(2, 2, 'valid') as tf.Tensor4D;
      const second = tf
        .conv2d(first, this.conv2, 1, 'valid')
        .add(this.conv2Bias)
        .relu()
        .maxPool(2, 2, 'valid');
      const flat = second.reshape([images.shape[0], FLAT]);
      let hidden = flat.matMul(this.dense).add(this.denseBias).relu();
      if (step !== undefined) {
        hidden = tf.dropout(hidden, 0.25, undefined, this.#seed + 10 + step);
      }
      return hidden.matMul(this.out).add(this.outBias) as tf.Tensor2D;
    });
  }

  /** Ten probabilities for each picture of 784 bytes, one after the other. */
  probabilities(pixels: Uint8Array): Float32Array {
    return tf.tidy(() => {
      const images = toImages(pixels);
      return tf.softmax(this.logits(images)).dataSync() as Float32Array;
    });
  }

  /** The likeliest class of each picture. */
  classify(pixels: Uint8Array): Uint8Array {
    return tf.tidy(() =>
      Uint8Array.from(this.logits(toImages(pixels)).argMax(-1).dataSync()),
    );
  }

  dispose(): void {
    tf.dispose(this.variables);
  }
}

function toImages(pixels: Uint8Array): tf.Tensor4D {
  const values = Float32Array.from(pixels, (v) => v / 255);
  return tf.tensor4d(values, [pixels.length / PIXELS, SIZE, SIZE, 1]);
}

function share(guesses: ArrayLike<number>, labels: Uint8Array): number {
  let right = 0;
  labels.forEach((label, i) => (right += Number(guesses[i] === label)));
  return right / labels.length;
}

/** Reads every digit, 500 at a time so that memory stays low. */
export function classifyAll(net: DigitNet, digits: Digits): Uint8Array {
  const guesses = new Uint8Array(digits.count);
  for (let i = 0; i < digits.count; i += 500) {
    const pixels = digits.pixels.subarray(i * PIXELS, (i + 500) * PIXELS);
    guesses.set(net.classify(pixels), i);
  }
  return guesses;
}

/**
 * Trains `net`, one batch for each `next()`: whoever holds the generator
 * decides when to go on, and by `return()` when to stop, which frees what the
 * optimizer holds.
 */
export function* train(
  net: DigitNet,
  digits: { train: Digits; heldOut: Digits },
  options: TrainOptions = defaults,
): Generator<StepReport | EpochReport, void, void> {
  const { epochs, batchSize, learningRate, decay, seed } = options;
  const steps = epochs * Math.ceil(digits.train.count / batchSize);
  let step = 0;
  for (let epoch = 1; epoch <= epochs; epoch++) {
    const tensorsBefore = tf.memory().numTensors;
    const order = shuffled(digits.train.count, seed + epoch);
    // A fresh optimizer each time, as its learning rate cannot be changed.
    const optimizer = tf.train.adam(learningRate * decay ** (epoch - 1));
    let lossSum = 0;
    let rightSum = 0;
    try {
      for (let i = 0; i < order.length; i += batchSize) {
        const batch = pick(digits.train, order.subarray(i, i + batchSize));
        const { loss, accuracy } = update(net, optimizer, batch, ++step);
        lossSum += loss * batch.count;
        rightSum += accuracy * batch.count;
        yield { kind: 'step', step, steps, epoch, loss, accuracy };
      }
    } finally {
      optimizer.dispose();
    }
    const guesses = classifyAll(net, digits.heldOut);
    const tensorsAfter = tf.memory().numTensors;
    if (tensorsAfter !== tensorsBefore) {
      throw new Error(
        `train: epoch ${epoch} left tensors behind, ` +
          `${tensorsBefore} before, ${tensorsAfter} after`,
      );
    }
    yield {
      kind: 'epoch', epoch, step, guesses,
      heldOut: share(guesses, digits.heldOut.labels),
      loss: lossSum / order.length, accuracy: rightSum / order.length,
      tensorsBefore, tensorsAfter,
    };
  }
}

function update(
  net: DigitNet,
  optimizer: tf.Optimizer,
  batch: Digits,
  step: number,
): { loss: number; accuracy: number } {
  return tf.tidy(() => {
    const images = toImages(batch.pixels);
    const labels = tf.tensor1d(Array.from(batch.labels), 'int32');
    const wanted = tf.oneHot(labels, CLASSES);
    let accuracy = 0;
    const cost = () => {
      const logits = net.logits(images, step);
      accuracy = share(logits.argMax(-1).dataSync(), batch.labels);
      return tf.losses.softmaxCrossEntropy<tf.Scalar>(wanted, logits);
    };
    const loss = optimizer.minimize(cost, true, net.variables);
    return { loss: loss!.dataSync()[0]!, accuracy };
  });
}
