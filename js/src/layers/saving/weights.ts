/** Gives a model the weights that a file has, by name. */
import {TensorError} from '../../errors.js';
import type {NamedTensorMap, Tensor} from '../../tensor.js';
import type {Container} from '../container.js';
import type {LayerVariable} from '../weight.js';
import {weightFinder, weightNames} from './weight_names.js';

const listed = (names: string[]): string =>
  names.slice(0, 10).join(', ') +
  (names.length > 10 ? `, and ${names.length - 10} more` : '');

/**
 * Gives the weights of a model new values by name; nothing changes unless all
 * of them fit. Errors: another shape or dtype; with `strict`, names that the
 * model lacks and weights without a value.
 */
export function setNamedWeights(
    model: Container, weights: NamedTensorMap, strict: boolean): void {
  const find = weightFinder(model);
  const found = new Map<LayerVariable, {name: string, value: Tensor}>();
  const strays: string[] = [];
  for (const [name, value] of Object.entries(weights)) {
    const weight = find(name);
    if (weight === undefined) {
      strays.push(name);
      continue;
    }
    const other = found.get(weight);
    if (other !== undefined) {
      throw new TensorError(
          'argument', `loadWeights: '${other.name}' and '${name}' are both ` +
              `values of the weight '${weight.originalName}'`);
    }
    assertFits(weight, name, value);
    found.set(weight, {name, value});
  }
  const names = weightNames(model);
  const unset =
      [...names].filter(([weight]) => !found.has(weight)).map(([, name]) => name);
  if (strict && strays.length > 0) {
    throw new TensorError(
        'argument', 'Provided weight data has no target variable: ' +
            `${listed(strays)}. The model's weights without a value are: ` +
            `${listed(unset) || 'none'}`);
  }
  if (strict && unset.length > 0) {
    throw new TensorError(
        'argument', `${unset.length} of ${names.size} weights are not set: ` +
            listed(unset));
  }
  // Not `write`: what was saved had its constraint applied.
  for (const [weight, {value}] of found) weight.variable.assign(value);
}

function assertFits(weight: LayerVariable, name: string, value: Tensor): void {
  const same = String(weight.shape) === String(value.shape) &&
      weight.shape.length === value.rank;
  if (!same) {
    throw new TensorError(
        'shape', `loadWeights: '${name}' has the shape [${value.shape}], but ` +
            `the model's weight '${weight.originalName}' [${weight.shape}]`);
  }
  if (weight.dtype !== value.dtype) {
    throw new TensorError(
        'dtype', `loadWeights: '${name}' is ${value.dtype}, but the model's ` +
            `weight '${weight.originalName}' ${weight.dtype}`);
  }
}
