/** `tf.constraints`: makers of what holds weights in bounds. */
import {MaxNorm, MinMaxNorm, NonNeg, UnitNorm} from './constraints.js';
import {maker} from './factory.js';

export {Constraint} from './constraints.js';

export const maxNorm = maker(MaxNorm);
export const minMaxNorm = maker(MinMaxNorm);
export const nonNeg = maker(NonNeg);
export const unitNorm = maker(UnitNorm);
