/** Helpers that TensorFlow.js shows as `tf.tensor_util`. */
import {tensorsIn} from './container.js';
import type {TensorContainer} from './container.js';
import {TensorError} from './errors.js';
import type {Tensor} from './tensor.js';

/** Every tensor in a container, once each. */
export function getTensorsInContainer(container: TensorContainer): Tensor[] {
  return tensorsIn(container);
}

/** True when the very tensor is in the list. */
export function isTensorInList(
    tensor: Tensor, list: readonly Tensor[]): boolean {
  return list.some((t) => t.id === tensor.id);
}

/** Throws when two tensors have different dtypes. */
export function assertTypesMatch(a: Tensor, b: Tensor): void {
  if (a.dtype !== b.dtype) {
    throw new TensorError(
        'dtype', `The dtypes of the first(${a.dtype}) and second(${b.dtype}) ` +
            'input must match');
  }
}
