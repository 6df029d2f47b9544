/** `tf.constraints`: makers of what holds weights in bounds. */
import {MaxNorm, MinMaxNorm, NonNeg, UnitNorm} from './constraints.js';
import {maker} from './factory.js';

export {Constraint} from './constraints.js';

/**
 * Scales what is longer than `maxValue` (2) along `axis` (0) down to that.
 *
 * ```js
 * const short = tf.constraints.maxNorm({maxValue: 2.5});
 * short.apply(tf.tensor2d([[3], [4]])).arraySync(); // => [[1.5], [2]]
 * ```
 */
export const maxNorm = /* @__PURE__ */ maker(MaxNorm);

/**
 * Scales lengths along `axis` (0) to between `minValue` (0) and `maxValue` (1),
 * or `rate` (1) of the way there.
 *
 * ```js
 * const c = tf.constraints.minMaxNorm({minValue: 10, maxValue: 20});
 * c.apply(tf.tensor2d([[3], [4]])).arraySync(); // => [[6], [8]]
 * ```
 */
export const minMaxNorm = /* @__PURE__ */ maker(MinMaxNorm);

/**
 * Sets what is below 0 to 0.
 *
 * ```js
 * tf.constraints.nonNeg().apply(tf.tensor1d([-1, 2])).arraySync(); // => [0, 2]
 * ```
 */
export const nonNeg = /* @__PURE__ */ maker(NonNeg);

/**
 * Scales lengths along `axis` (0) to 1.
 *
 * ```js
 * const unit = tf.constraints.unitNorm();
 * unit.apply(tf.tensor2d([[3], [4]])).arraySync(); // => [[0.6], [0.8]]
 * ```
 */
export const unitNorm = /* @__PURE__ */ maker(UnitNorm);
