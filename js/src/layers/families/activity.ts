/** Costs of what a layer gives: kept in configs, not yet part of training. */
import {TensorError} from '../../errors.js';
import type {Kwargs} from '../layer.js';
import type {Regularizer} from '../regularizers.js';

/** Throws where training would go on without an activity regularizer's cost. */
export function refuseActivityCost(
    who: string, regularizer: Regularizer | null, kwargs: Kwargs): void {
  if (regularizer === null || kwargs['training'] !== true) return;
  throw new TensorError(
      'unsupported', `${who}: training with an activityRegularizer is not ` +
          'supported');
}
