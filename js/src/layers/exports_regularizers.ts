/** `tf.regularizers`: makers of penalties on weights. */
import {maker} from './factory.js';
import {L1, L1L2, L2} from './regularizers.js';

export {Regularizer} from './regularizers.js';

export const l1 = maker(L1);
export const l1l2 = maker(L1L2);
export const l2 = maker(L2);
