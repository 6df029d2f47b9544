/** Finds the tensors inside arrays, objects, Maps, Sets and iterables. */
import {Tensor, isTensor} from './tensor.js';
import {isTypedArray} from './nest.js';

/** Anything that may hold tensors at any depth. */
export type TensorContainer = unknown;
export type TensorContainerObject = {[name: string]: TensorContainer};
export type TensorContainerArray = TensorContainer[];

/** Iterators are used up by walking: what they would give is left alone. */
function oneShot(x: object): boolean {
  return typeof (x as {next?: unknown}).next === 'function';
}

function itemsOf(x: object): unknown[] {
  if (x instanceof Map) return [...x].flat();
  if (Symbol.iterator in x && !oneShot(x)) return [...x as Iterable<unknown>];
  const items: unknown[] = [];
  for (const key in x) items.push((x as Record<string, unknown>)[key]);
  return items;
}

/** Every tensor in `container`, once each; cycles are fine. */
export function tensorsIn(container: TensorContainer): Tensor[] {
  if (isTensor(container)) return [container];
  const found: Tensor[] = [];
  const seen = new Set<unknown>();
  // What is still to be looked at, the next one last: no nesting is too deep.
  const waiting: unknown[] = [container];
  while (waiting.length > 0) {
    const x = waiting.pop();
    if (typeof x !== 'object' || x === null || seen.has(x)) continue;
    seen.add(x);
    if (isTensor(x)) {
      found.push(x);
    } else if (!isTypedArray(x)) {
      for (const item of itemsOf(x).reverse()) waiting.push(item);
    }
  }
  return found;
}
