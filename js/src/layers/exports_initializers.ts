/** `tf.initializers`: makers of what weights begin with. */
import {maker} from './factory.js';
import {
  Constant, GlorotNormal, GlorotUniform, HeNormal, HeUniform, Identity,
  LeCunNormal, LeCunUniform, Ones, Orthogonal, RandomNormal, RandomUniform,
  TruncatedNormal, VarianceScaling, Zeros,
} from './initializers.js';

export {Initializer} from './initializers.js';

export const constant = maker(Constant);
export const glorotNormal = maker(GlorotNormal);
export const glorotUniform = maker(GlorotUniform);
export const heNormal = maker(HeNormal);
export const heUniform = maker(HeUniform);
export const identity = maker(Identity);
export const leCunNormal = maker(LeCunNormal);
export const leCunUniform = maker(LeCunUniform);
export const ones = maker(Ones);
export const orthogonal = maker(Orthogonal);
export const randomNormal = maker(RandomNormal);
export const randomUniform = maker(RandomUniform);
export const truncatedNormal = maker(TruncatedNormal);
export const varianceScaling = maker(VarianceScaling);
export const zeros = maker(Zeros);
