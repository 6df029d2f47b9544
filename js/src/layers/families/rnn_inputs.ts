/** What recurrent layers are called with. */
import {TensorError} from '../../errors.js';
import type {Tensor} from '../../tensor.js';
import type {Kwargs} from '../layer.js';
import {toList} from '../shape.js';

const noConstants = (who: string): TensorError => new TensorError(
    'unsupported', `${who}: constants are not supported`);

/** Inputs and initial state, told apart. */
export function splitInputs<T>(
    who: string, inputs: T | T[], kwargs: Kwargs): {x: T, states: T[] | null} {
  const [x, ...more] = toList(inputs);
  const given = kwargs['initialState'] as T | T[] | null | undefined;
  const constants = kwargs['constants'];
  if (constants !== undefined && constants !== null) throw noConstants(who);
  if (more.length > 0 && given !== undefined && given !== null) {
    throw new TensorError(
        'argument', `${who}: when the inputs are a list, initialState cannot ` +
            'be given beside it');
  }
  const states = more.length > 0 ? more : given;
  return {
    x: x as T,
    states: states === undefined || states === null ? null : toList(states),
  };
}

/** The mask of the sequences, when there is one. */
export function sequenceMask(kwargs: Kwargs): Tensor | null {
  const mask = kwargs['mask'] as Tensor | (Tensor | null)[] | null | undefined;
  return (Array.isArray(mask) ? mask[0] : mask) ?? null;
}
