/** Checks of arguments that only JavaScript can make. */
import {assert} from '../op.js';

/** The shape itself; an error unless it is made of whole numbers. */
export function checkedShape(shape: readonly number[]): readonly number[] {
  for (const d of shape) {
    assert(Number.isInteger(d) && d >= 0,
           () => 'Tensor must have a shape comprised of positive integers ' +
               `but got shape [${shape}].`);
  }
  return shape;
}
