/** `tf.initializers`: makers of what weights begin with. */
import {maker} from './factory.js';
import {
  Constant, GlorotNormal, GlorotUniform, HeNormal, HeUniform, Identity,
  LeCunNormal, LeCunUniform, Ones, Orthogonal, RandomNormal, RandomUniform,
  TruncatedNormal, VarianceScaling, Zeros,
} from './initializers.js';

export {Initializer} from './initializers.js';

/**
 * One number everywhere.
 *
 * ```js
 * tf.initializers.constant({value: 3}).apply([2]).arraySync(); // => [3, 3]
 * ```
 */
export const constant = /* @__PURE__ */ maker(Constant);

/**
 * Normally distributed numbers of variance `2 / (fan in + fan out)`, cut off at
 * two deviations (Glorot and Bengio 2010).
 *
 * ```js
 * tf.initializers.glorotNormal({seed: 1}).apply([3, 2]).shape; // => [3, 2]
 * ```
 */
export const glorotNormal = /* @__PURE__ */ maker(GlorotNormal);

/**
 * Numbers spread evenly with variance `2 / (fan in + fan out)`: within
 * `sqrt(6 / (fan in + fan out))`.
 *
 * ```js
 * const w = tf.initializers.glorotUniform().apply([2, 4]);
 * w.abs().max().arraySync() <= 1; // => true
 * ```
 */
export const glorotUniform = /* @__PURE__ */ maker(GlorotUniform);

/**
 * Normally distributed numbers of variance `2 / fan in`, cut off at two
 * deviations (He and others 2015): for weights before a relu.
 *
 * ```js
 * tf.initializers.heNormal({seed: 1}).apply([3, 2]).shape; // => [3, 2]
 * ```
 */
export const heNormal = /* @__PURE__ */ maker(HeNormal);

/**
 * Numbers spread evenly with variance `2 / fan in`: within `sqrt(6 / fan in)`.
 *
 * ```js
 * const w = tf.initializers.heUniform().apply([6, 4]);
 * w.abs().max().arraySync() <= 1; // => true
 * ```
 */
export const heUniform = /* @__PURE__ */ maker(HeUniform);

/**
 * A matrix with `gain` on the diagonal. Errors: another rank than 2.
 *
 * ```js
 * tf.initializers.identity({gain: 2}).apply([2, 2]).arraySync();
 * // => [[2, 0], [0, 2]]
 * ```
 */
export const identity = /* @__PURE__ */ maker(Identity);

/**
 * Normally distributed numbers of variance `1 / fan in`, cut off at two
 * deviations: for weights before a selu.
 *
 * ```js
 * tf.initializers.leCunNormal({seed: 1}).apply([3, 2]).shape; // => [3, 2]
 * ```
 */
export const leCunNormal = /* @__PURE__ */ maker(LeCunNormal);

/**
 * Numbers spread evenly with variance `1 / fan in`: within `sqrt(3 / fan in)`.
 *
 * ```js
 * const w = tf.initializers.leCunUniform().apply([3, 4]);
 * w.abs().max().arraySync() <= 1; // => true
 * ```
 */
export const leCunUniform = /* @__PURE__ */ maker(LeCunUniform);

/**
 * Ones.
 *
 * ```js
 * tf.initializers.ones().apply([2]).arraySync(); // => [1, 1]
 * ```
 */
export const ones = /* @__PURE__ */ maker(Ones);

/**
 * A matrix with orthonormal rows or columns, whichever are fewer, times `gain`;
 * dimensions before the last are rows. Errors: a rank below 2.
 *
 * ```js
 * const w = tf.initializers.orthogonal().apply([3, 2]);
 * tf.matMul(w, w, true).round().arraySync(); // => [[1, 0], [0, 1]]
 * ```
 */
export const orthogonal = /* @__PURE__ */ maker(Orthogonal);

/**
 * Normally distributed numbers, by default of mean 0 and deviation 0.05.
 *
 * ```js
 * const again = tf.initializers.randomNormal({mean: 1, stddev: 0});
 * again.apply([2]).arraySync(); // => [1, 1]
 * ```
 */
export const randomNormal = /* @__PURE__ */ maker(RandomNormal);

/**
 * Numbers spread evenly over `[minval, maxval)`, by default `[-0.05, 0.05)`.
 *
 * ```js
 * const w = tf.initializers.randomUniform({minval: 1, maxval: 2}).apply([9]);
 * w.min().arraySync() >= 1; // => true
 * ```
 */
export const randomUniform = /* @__PURE__ */ maker(RandomUniform);

/**
 * Normally distributed numbers within two deviations of the mean, by default 0
 * with deviation 0.05.
 *
 * ```js
 * const w = tf.initializers.truncatedNormal({stddev: 1}).apply([99]);
 * w.abs().max().arraySync() <= 2; // => true
 * ```
 */
export const truncatedNormal = /* @__PURE__ */ maker(TruncatedNormal);

/**
 * Numbers of variance `scale` divided by what goes into an output (`fanIn`), out
 * of an input (`fanOut`), or their mean (`fanAvg`).
 *
 * Errors: a scale that is not positive, another mode or distribution.
 *
 * ```js
 * const w = tf.initializers.varianceScaling({
 *   scale: 3, mode: 'fanOut', distribution: 'uniform',
 * }).apply([2, 9]);
 * w.abs().max().arraySync() <= 1; // => true
 * ```
 */
export const varianceScaling = /* @__PURE__ */ maker(VarianceScaling);

/**
 * Zeros.
 *
 * ```js
 * tf.initializers.zeros().apply([2]).arraySync(); // => [0, 0]
 * ```
 */
export const zeros = /* @__PURE__ */ maker(Zeros);
