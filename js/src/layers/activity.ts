/**
 * What layers' outputs cost (`activityRegularizer`). A layer cannot hand a cost
 * back with its output, so whoever wants the costs of a run gathers them.
 */
import {dispose, keep} from '../scope.js';
import type {Scalar, Tensor} from '../tensor.js';
import type {Regularizer} from './regularizers.js';

let gathered: Scalar[] | undefined;

/**
 * Runs `f` and gives the costs of what layers gave meanwhile beside its result.
 * They outlive all scopes: whoever gathers frees them. What throws leaves none.
 */
export function gatherCosts<T>(f: () => T): {result: T, costs: Scalar[]} {
  const outer = gathered;
  const costs: Scalar[] = [];
  gathered = costs;
  try {
    return {result: f(), costs};
  } catch (error) {
    dispose(costs);
    throw error;
  } finally {
    gathered = outer;
  }
}

/** Adds the costs of a layer's outputs, if anyone gathers them. */
export function addCosts(regularizer: Regularizer, outputs: Tensor[]): void {
  if (gathered === undefined) return;
  for (const y of outputs) gathered.push(keep(regularizer.apply(y)));
}
