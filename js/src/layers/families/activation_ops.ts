/** Activations as ops know them: at the end of an op, or as an op itself. */
import {relu, sigmoid} from '../../ops/activation.js';
import type {Activation as FusedActivation} from '../../ops/activation_name.js';
import {add, mul} from '../../ops/binary.js';
import {tanh} from '../../ops/math.js';
import {clipByValue} from '../../ops/unary.js';
import type {Tensor} from '../../tensor.js';
import {
  Elu, HardSigmoid, Linear, Relu, Relu6, Sigmoid, Tanh,
} from '../activations.js';
import type {Activation} from '../activations.js';

const fusable = [
  [Linear, 'linear'], [Relu, 'relu'], [Relu6, 'relu6'], [Elu, 'elu'],
  [Sigmoid, 'sigmoid'],
] as const;

/** The activation at the end of a fused op, if there is one for it. */
export function fusedActivation(
    activation: Activation): FusedActivation | undefined {
  return fusable.find(([type]) => activation instanceof type)?.[1];
}

const plain: readonly [new () => Activation, (x: Tensor) => Tensor][] = [
  [Tanh, (x) => tanh(x)],
  [Sigmoid, (x) => sigmoid(x)],
  [HardSigmoid, (x) => clipByValue(add(mul(x, 0.2), 0.5), 0, 1)],
  [Relu, (x) => relu(x)],
  [Linear, (x) => x],
];

/**
 * The activation for use in a scope that frees what it leaves: without a scope
 * of its own, and the identity gives what it was given.
 */
export function bareActivation(activation: Activation): (x: Tensor) => Tensor {
  return plain.find(([type]) => activation instanceof type)?.[1] ??
      ((x) => activation.apply(x));
}
