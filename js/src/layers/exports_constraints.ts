/** `tf.constraints`: makers of what holds weights in bounds. */
import {MaxNorm, MinMaxNorm, NonNeg, UnitNorm} from './constraints.js';
import {maker} from './factory.js';

export {Constraint} from './constraints.js';

export const maxNorm = /* @__PURE__ */ maker(MaxNorm);
export const minMaxNorm = /* @__PURE__ */ maker(MinMaxNorm);
export const nonNeg = /* @__PURE__ */ maker(NonNeg);
export const unitNorm = /* @__PURE__ */ maker(UnitNorm);
