/** Initializers, regularizers, constraints, activations by Keras' names. */
import type {Tensor} from '../tensor.js';
import {getActivation} from './activations.js';
import * as bounds from './constraints.js';
import * as init from './initializers.js';
import {kerasClass} from './keras_class.js';
import * as penalty from './regularizers.js';

export const initializers = {
  Constant: kerasClass(init.Constant, 'value'),
  GlorotNormal: kerasClass(init.GlorotNormal, 'seed'),
  GlorotUniform: kerasClass(init.GlorotUniform, 'seed'),
  HeNormal: kerasClass(init.HeNormal, 'seed'),
  HeUniform: kerasClass(init.HeUniform, 'seed'),
  Identity: kerasClass(init.Identity, 'gain'),
  LecunNormal: kerasClass(init.LeCunNormal, 'seed'),
  LecunUniform: kerasClass(init.LeCunUniform, 'seed'),
  Ones: kerasClass<object, init.Ones, []>(init.Ones),
  Orthogonal: kerasClass(init.Orthogonal, 'gain', 'seed'),
  RandomNormal: kerasClass(init.RandomNormal, 'mean', 'stddev', 'seed'),
  RandomUniform: kerasClass(init.RandomUniform, 'minval', 'maxval', 'seed'),
  TruncatedNormal: kerasClass(
      init.TruncatedNormal, 'mean', 'stddev', 'seed'),
  VarianceScaling: kerasClass(
      init.VarianceScaling, 'scale', 'mode', 'distribution', 'seed'),
  Zeros: kerasClass<object, init.Zeros, []>(init.Zeros),
};

export const regularizers = {
  L1: kerasClass(penalty.L1, 'l1'),
  L1L2: kerasClass(penalty.L1L2, 'l1', 'l2'),
  L2: kerasClass(penalty.L2, 'l2'),
};

export const constraints = {
  MaxNorm: kerasClass(bounds.MaxNorm, 'maxValue', 'axis'),
  MinMaxNorm: kerasClass(
      bounds.MinMaxNorm, 'minValue', 'maxValue', 'rate', 'axis'),
  NonNeg: kerasClass<object, bounds.NonNeg, []>(bounds.NonNeg),
  UnitNorm: kerasClass(bounds.UnitNorm, 'axis'),
};

const activation = (name: string) => (x: Tensor): Tensor =>
  getActivation(name).apply(x);

export const activations = {
  elu: activation('elu'), gelu: activation('gelu'),
  linear: activation('linear'), relu: activation('relu'),
  selu: activation('selu'), sigmoid: activation('sigmoid'),
  softmax: activation('softmax'), softplus: activation('softplus'),
  softsign: activation('softsign'), swish: activation('swish'),
  silu: activation('silu'), tanh: activation('tanh'),
};
