/** Names of activations that ops can fuse, as C++ numbers them. */
import {TensorError} from '../errors.js';

/** An activation at the end of a fused op; `prelu` needs weights. */
export type Activation =
  'linear' | 'relu' | 'relu6' | 'elu' | 'leakyrelu' | 'sigmoid' | 'prelu';

// The order is that of `core/kernels/epilogue.h`; prelu is told by its weights.
const numbers: readonly string[] =
  ['linear', 'relu', 'relu6', 'elu', 'leakyrelu', 'sigmoid'];

/** The number of an activation for C++. */
export function activationNumber(
    activation: Activation, hasPreluWeights: boolean): number {
  if (activation === 'prelu') {
    if (hasPreluWeights) return 0;
    throw new TensorError(
        'argument', 'The activation prelu needs preluActivationWeights.');
  }
  const n = numbers.indexOf(activation);
  if (n < 0) {
    throw new TensorError(
        'argument', `Unknown fused activation ${String(activation)}.`);
  }
  return n;
}
