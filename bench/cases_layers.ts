/** One training step of small layers models: forward, backward and the optimizer. */
import type { Case } from './cases.js';
import { noise, random, type Library, type Tensor } from './library.js';

type Model = ReturnType<Library['sequential']>;

/** What each library calls one synchronous step. */
interface Trained {
  trainStep?: (x: Tensor, y: Tensor) => { loss: Tensor };
  /** The functional model that does a sequential one's work in TensorFlow.js. */
  model?: Trained;
  makeTrainFunction?: () => (inputs: Tensor[]) => Tensor[];
  trainableWeights: unknown;
  collectedTrainableWeights?: unknown;
}

/** Answers with the loss. */
function stepOf(tf: Library, model: Trained, x: Tensor, y: Tensor): () => Tensor {
  if (model.trainStep) return () => model.trainStep!(x, y).loss;
  const inner = model.model!;
  inner.collectedTrainableWeights = inner.trainableWeights; // as its fit does
  const train = inner.makeTrainFunction!();
  return () => tf.tidy(() => train([x, y])[0]!);
}

/** The same weights in both libraries, small enough to train on for long. */
function setWeights(tf: Library, model: Model): void {
  const weights = model.getWeights().map((w, i) => {
    const size = w.shape.reduce((a, b) => a * b, 1);
    return tf.tensor(noise(size, i + 3).map((value) => value / 4), w.shape);
  });
  model.setWeights(weights);
  tf.dispose(weights);
}

const training = (
  name: string,
  input: number[],
  layers: (tf: Library) => Model['layers'],
  theirs: 'wasm' | 'cpu' = 'wasm',
): Case => ({
  name: `train ${name}`,
  theirs,
  prepare: (tf) => {
    const model = tf.sequential();
    for (const layer of layers(tf)) model.add(layer);
    setWeights(tf, model);
    model.compile({ optimizer: tf.train.sgd(1e-4), loss: 'meanSquaredError' });
    const outputs = model.outputs[0]!.shape.slice(1) as number[];
    return stepOf(tf, model as unknown as Trained, random(tf, input, 1), random(tf, [input[0]!, ...outputs], 2));
  },
});

export const cases: Case[] = [
  training('dense 128-64-10, 32 rows', [32, 128], (tf) => [
    tf.layers.dense({ units: 64, activation: 'relu', inputShape: [128] }),
    tf.layers.dense({ units: 10 }),
  ]),
  training('lstm 32, 16 x 20 x 8', [16, 20, 8], (tf) => [
    tf.layers.lstm({ units: 32, inputShape: [20, 8] }),
    tf.layers.dense({ units: 1 }),
  ]),
  training('gru 32, 16 x 20 x 8', [16, 20, 8], (tf) => [
    tf.layers.gru({ units: 32, inputShape: [20, 8] }),
    tf.layers.dense({ units: 1 }),
  ]),
  training('batchNormalization, 32 x 256', [32, 256], (tf) => [
    tf.layers.dense({ units: 128, inputShape: [256] }),
    tf.layers.batchNormalization({}),
    tf.layers.dense({ units: 1 }),
  ]),
  // TensorFlow.js' wasm backend has no gradient of a convolution's filter.
  training(
    'conv2d 8, 8 x 28 x 28 x 1',
    [8, 28, 28, 1],
    (tf) => [
      tf.layers.conv2d({ filters: 8, kernelSize: 3, activation: 'relu', inputShape: [28, 28, 1] }),
      tf.layers.maxPooling2d({ poolSize: 2 }),
      tf.layers.flatten(),
      tf.layers.dense({ units: 10 }),
    ],
    'cpu',
  ),
];
