/** `tf.initializers`: makers of what weights begin with. */
import {maker} from './factory.js';
import {
  Constant, GlorotNormal, GlorotUniform, HeNormal, HeUniform, Identity,
  LeCunNormal, LeCunUniform, Ones, Orthogonal, RandomNormal, RandomUniform,
  TruncatedNormal, VarianceScaling, Zeros,
} from './initializers.js';

export {Initializer} from './initializers.js';

export const constant = /* @__PURE__ */ maker(Constant);
export const glorotNormal = /* @__PURE__ */ maker(GlorotNormal);
export const glorotUniform = /* @__PURE__ */ maker(GlorotUniform);
export const heNormal = /* @__PURE__ */ maker(HeNormal);
export const heUniform = /* @__PURE__ */ maker(HeUniform);
export const identity = /* @__PURE__ */ maker(Identity);
export const leCunNormal = /* @__PURE__ */ maker(LeCunNormal);
export const leCunUniform = /* @__PURE__ */ maker(LeCunUniform);
export const ones = /* @__PURE__ */ maker(Ones);
export const orthogonal = /* @__PURE__ */ maker(Orthogonal);
export const randomNormal = /* @__PURE__ */ maker(RandomNormal);
export const randomUniform = /* @__PURE__ */ maker(RandomUniform);
export const truncatedNormal = /* @__PURE__ */ maker(TruncatedNormal);
export const varianceScaling = /* @__PURE__ */ maker(VarianceScaling);
export const zeros = /* @__PURE__ */ maker(Zeros);
