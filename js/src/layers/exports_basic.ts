/** `tf.layers`, first part: dense, shapes, activations, merges, noise. */
import {maker} from './factory.js';
import {
  ELU, LeakyReLU, PReLU, ReLU, Softmax, ThresholdedReLU,
} from './families/activation.js';
import {
  Activation, Dense, Flatten, Permute, RepeatVector, Reshape,
} from './families/core.js';
import {Embedding} from './families/embedding.js';
import {Masking} from './families/masking.js';
import {
  Add, Average, Maximum, Minimum, Multiply, Subtract,
} from './families/merge.js';
import {Concatenate, Dot} from './families/merge_axes.js';
import {
  AlphaDropout, Dropout, GaussianDropout, GaussianNoise, SpatialDropout1D,
} from './families/noise.js';
import {
  BatchNormalization, LayerNormalization,
} from './families/normalization.js';

/**
 * Applies an activation function by its name, to any shape.
 *
 * ```js
 * const layer = tf.layers.activation({activation: 'relu'});
 * layer.apply(tf.tensor1d([-1, 2])).arraySync(); // => [0, 2]
 * ```
 */
export const activation = /* @__PURE__ */ maker(Activation);

/**
 * `activation(x * kernel + bias)`: `[..., n]` to `[..., units]`.
 *
 * ```js
 * const layer = tf.layers.dense({units: 2, kernelInitializer: 'ones'});
 * layer.apply(tf.tensor2d([[1, 2, 3]])).arraySync(); // => [[6, 6]]
 * layer.dispose();
 * ```
 */
export const dense = /* @__PURE__ */ maker(Dense);

/**
 * Puts all dimensions but the batch into one: `[b, ...]` to `[b, n]`.
 *
 * ```js
 * tf.layers.flatten().apply(tf.ones([2, 3, 4])).shape; // => [2, 12]
 * ```
 */
export const flatten = /* @__PURE__ */ maker(Flatten);

/**
 * Transposes the dimensions after the batch; they count from 1.
 *
 * ```js
 * tf.layers.permute({dims: [2, 1]}).apply(tf.ones([5, 3, 4])).shape; // => [5, 4, 3]
 * ```
 */
export const permute = /* @__PURE__ */ maker(Permute);

/**
 * Repeats vectors: `[b, features]` to `[b, n, features]`.
 *
 * ```js
 * tf.layers.repeatVector({n: 3}).apply(tf.ones([2, 4])).shape; // => [2, 3, 4]
 * ```
 */
export const repeatVector = /* @__PURE__ */ maker(RepeatVector);

/**
 * Gives the dimensions after the batch another shape; one may be -1 or null.
 *
 * ```js
 * const layer = tf.layers.reshape({targetShape: [2, -1]});
 * layer.apply(tf.ones([5, 6])).shape; // => [5, 2, 3]
 * ```
 */
export const reshape = /* @__PURE__ */ maker(Reshape);

/**
 * Looks vectors up by whole numbers: `[b, ...]` to `[b, ..., outputDim]`.
 *
 * ```js
 * const layer = tf.layers.embedding({inputDim: 5, outputDim: 3});
 * layer.apply(tf.tensor2d([[1, 4]], [1, 2], 'int32')).shape; // => [1, 2, 3]
 * layer.dispose();
 * ```
 */
export const embedding = /* @__PURE__ */ maker(Embedding);

/**
 * Masks the steps of a sequence `[b, steps, features]` at which every feature
 * is `maskValue`.
 *
 * ```js
 * const layer = tf.layers.masking({maskValue: 0});
 * layer.computeMask(tf.tensor3d([[[0, 0], [1, 0]]])).arraySync(); // => [[0, 1]]
 * ```
 */
export const masking = /* @__PURE__ */ maker(Masking);

/**
 * `x` above 0, `alpha * (e^x - 1)` below.
 *
 * ```js
 * const layer = tf.layers.elu({alpha: 2});
 * layer.apply(tf.tensor1d([3, -1000])).arraySync(); // => [3, -2]
 * ```
 */
export const elu = /* @__PURE__ */ maker(ELU);

/**
 * `x` above 0, `alpha * x` below.
 *
 * ```js
 * const layer = tf.layers.leakyReLU({alpha: 0.5});
 * layer.apply(tf.tensor1d([3, -2])).arraySync(); // => [3, -1]
 * ```
 */
export const leakyReLU = /* @__PURE__ */ maker(LeakyReLU);

/**
 * `x` above 0, `alpha * x` below, with alpha learned.
 *
 * ```js
 * const layer = tf.layers.prelu({alphaInitializer: 'ones'});
 * layer.apply(tf.tensor2d([[3, -2]])).arraySync(); // => [[3, -2]]
 * layer.dispose();
 * ```
 */
export const prelu = /* @__PURE__ */ maker(PReLU);

/**
 * `max(0, x)`, at most `maxValue` if that is given.
 *
 * ```js
 * const layer = tf.layers.reLU({maxValue: 2});
 * layer.apply(tf.tensor1d([-1, 1, 3])).arraySync(); // => [0, 1, 2]
 * ```
 */
export const reLU = /* @__PURE__ */ maker(ReLU);

/**
 * Makes numbers along an axis (the last) positive with the sum 1.
 *
 * ```js
 * tf.layers.softmax().apply(tf.tensor2d([[7, 7]])).arraySync(); // => [[0.5, 0.5]]
 * ```
 */
export const softmax = /* @__PURE__ */ maker(Softmax);

/**
 * `x` above `theta`, else 0.
 *
 * ```js
 * const layer = tf.layers.thresholdedReLU({theta: 2});
 * layer.apply(tf.tensor1d([1, 3])).arraySync(); // => [0, 3]
 * ```
 */
export const thresholdedReLU = /* @__PURE__ */ maker(ThresholdedReLU);

/**
 * The sum of several inputs of one shape, or of shapes that broadcast.
 *
 * ```js
 * const [a, b] = [tf.tensor2d([[1, 2]]), tf.tensor2d([[3, 4]])];
 * tf.layers.add().apply([a, b]).arraySync(); // => [[4, 6]]
 * ```
 */
export const add = /* @__PURE__ */ maker(Add);

/**
 * The mean of several inputs.
 *
 * ```js
 * const [a, b] = [tf.tensor2d([[1, 2]]), tf.tensor2d([[3, 4]])];
 * tf.layers.average().apply([a, b]).arraySync(); // => [[2, 3]]
 * ```
 */
export const average = /* @__PURE__ */ maker(Average);

/**
 * Several inputs one after the other along an axis (the last).
 *
 * ```js
 * const [a, b] = [tf.ones([5, 2]), tf.ones([5, 3])];
 * tf.layers.concatenate().apply([a, b]).shape; // => [5, 5]
 * ```
 */
export const concatenate = /* @__PURE__ */ maker(Concatenate);

/**
 * The products of two inputs, summed along an axis of each.
 *
 * ```js
 * const [a, b] = [tf.tensor2d([[1, 2]]), tf.tensor2d([[3, 4]])];
 * tf.layers.dot({axes: 1}).apply([a, b]).arraySync(); // => [[11]]
 * ```
 */
export const dot = /* @__PURE__ */ maker(Dot);

/**
 * The greatest of several inputs, element by element.
 *
 * ```js
 * const [a, b] = [tf.tensor2d([[1, 4]]), tf.tensor2d([[3, 2]])];
 * tf.layers.maximum().apply([a, b]).arraySync(); // => [[3, 4]]
 * ```
 */
export const maximum = /* @__PURE__ */ maker(Maximum);

/**
 * The least of several inputs, element by element.
 *
 * ```js
 * const [a, b] = [tf.tensor2d([[1, 4]]), tf.tensor2d([[3, 2]])];
 * tf.layers.minimum().apply([a, b]).arraySync(); // => [[1, 2]]
 * ```
 */
export const minimum = /* @__PURE__ */ maker(Minimum);

/**
 * The product of several inputs.
 *
 * ```js
 * const [a, b] = [tf.tensor2d([[1, 4]]), tf.tensor2d([[3, 2]])];
 * tf.layers.multiply().apply([a, b]).arraySync(); // => [[3, 8]]
 * ```
 */
export const multiply = /* @__PURE__ */ maker(Multiply);

/**
 * The first of two inputs less the second.
 *
 * ```js
 * const [a, b] = [tf.tensor2d([[1, 4]]), tf.tensor2d([[3, 2]])];
 * tf.layers.subtract().apply([a, b]).arraySync(); // => [[-2, 2]]
 * ```
 */
export const subtract = /* @__PURE__ */ maker(Subtract);

/**
 * Brings numbers to mean 0 and variance 1: in training those of the batch, of
 * which it keeps moving averages for the time after.
 *
 * ```js
 * const layer = tf.layers.batchNormalization();
 * const y = layer.apply(tf.tensor2d([[1], [3]]), {training: true});
 * y.arraySync().map(([v]) => Math.round(v)); // => [-1, 1]
 * layer.dispose();
 * ```
 */
export const batchNormalization = /* @__PURE__ */ maker(BatchNormalization);

/**
 * Brings the numbers of each example to mean 0 and variance 1.
 *
 * ```js
 * const layer = tf.layers.layerNormalization();
 * const y = layer.apply(tf.tensor2d([[1, 3]]));
 * y.arraySync()[0].map(Math.round); // => [-1, 1]
 * layer.dispose();
 * ```
 */
export const layerNormalization = /* @__PURE__ */ maker(LayerNormalization);

/**
 * In training, sets a part of the numbers to what SELU knows as off, and keeps
 * mean and variance.
 *
 * ```js
 * tf.layers.alphaDropout({rate: 0.5}).apply(tf.ones([2])).arraySync(); // => [1, 1]
 * ```
 */
export const alphaDropout = /* @__PURE__ */ maker(AlphaDropout);

/**
 * In training, sets a part of the numbers to 0 and scales the others up.
 *
 * ```js
 * const layer = tf.layers.dropout({rate: 0.5});
 * layer.apply(tf.ones([2])).arraySync(); // => [1, 1]
 * const y = layer.apply(tf.ones([100]), {training: true});
 * y.min().arraySync(); // => 0
 * ```
 */
export const dropout = /* @__PURE__ */ maker(Dropout);

/**
 * In training, multiplies by noise around 1.
 *
 * ```js
 * tf.layers.gaussianDropout({rate: 0.5}).apply(tf.ones([2])).arraySync(); // => [1, 1]
 * ```
 */
export const gaussianDropout = /* @__PURE__ */ maker(GaussianDropout);

/**
 * In training, adds noise around 0.
 *
 * ```js
 * tf.layers.gaussianNoise({stddev: 1}).apply(tf.ones([2])).arraySync(); // => [1, 1]
 * ```
 */
export const gaussianNoise = /* @__PURE__ */ maker(GaussianNoise);

/**
 * In training, sets features of sequences to 0 at all steps at once.
 *
 * ```js
 * const layer = tf.layers.spatialDropout1d({rate: 0.5});
 * layer.apply(tf.ones([1, 2, 3])).shape; // => [1, 2, 3]
 * ```
 */
export const spatialDropout1d = /* @__PURE__ */ maker(SpatialDropout1D);
