/** `tf.regularizers`: makers of penalties on weights. */
import {maker} from './factory.js';
import {L1, L1L2, L2} from './regularizers.js';

export {Regularizer} from './regularizers.js';

/**
 * A cost of `l1` (0.01) times the sum of magnitudes.
 *
 * ```js
 * const cost = tf.regularizers.l1({l1: 0.5});
 * cost.apply(tf.tensor1d([1, -3])).arraySync(); // => 2
 * ```
 */
export const l1 = /* @__PURE__ */ maker(L1);

/**
 * A cost of `l1` (0.01) times the sum of magnitudes and `l2` (0.01) times that
 * of squares.
 *
 * ```js
 * const cost = tf.regularizers.l1l2({l1: 0.5, l2: 1});
 * cost.apply(tf.tensor1d([1, -3])).arraySync(); // => 12
 * ```
 */
export const l1l2 = /* @__PURE__ */ maker(L1L2);

/**
 * A cost of `l2` (0.01) times the sum of squares.
 *
 * ```js
 * const cost = tf.regularizers.l2({l2: 0.5});
 * cost.apply(tf.tensor1d([1, -3])).arraySync(); // => 5
 * ```
 */
export const l2 = /* @__PURE__ */ maker(L2);
