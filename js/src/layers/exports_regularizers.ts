/** `tf.regularizers`: makers of penalties on weights. */
import {maker} from './factory.js';
import {L1, L1L2, L2} from './regularizers.js';

export {Regularizer} from './regularizers.js';

export const l1 = /* @__PURE__ */ maker(L1);
export const l1l2 = /* @__PURE__ */ maker(L1L2);
export const l2 = /* @__PURE__ */ maker(L2);
