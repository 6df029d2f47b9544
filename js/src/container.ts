/** Finds the tensors inside arrays, objects, Maps, Sets and iterables. */
import {Tensor, isTensor} from './tensor.js';
import {isTypedArray} from './nest.js';

/** Anything that may hold tensors at any depth. */
export type TensorContainer = unknown;
export type TensorContainerObject = {[name: string]: TensorContainer};
export type TensorContainerArray = TensorContainer[];

/** Every tensor in `container`, once each; cycles are fine. */
export function tensorsIn(container: TensorContainer): Tensor[] {
  if (isTensor(container)) return [container];
  const found: Tensor[] = [];
  const seen = new Set<unknown>();
  const walk = (x: unknown): void => {
    if (typeof x !== 'object' || x === null || seen.has(x)) return;
    seen.add(x);
    if (isTensor(x)) {
      found.push(x);
    } else if (isTypedArray(x)) {
      return;
    } else if (x instanceof Map) {
      for (const [key, value] of x) {
        walk(key);
        walk(value);
      }
    } else if (x instanceof Set) {
      for (const value of x) walk(value);
    } else {
      for (const key in x) walk((x as Record<string, unknown>)[key]);
    }
  };
  walk(container);
  return found;
}
