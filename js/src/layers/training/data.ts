/** What users pass as data, as a list in the model's order, checked. */
import {TensorError, shown} from '../../errors.js';
import {expandDims} from '../../ops/shape.js';
import {isTensor} from '../../tensor.js';
import type {Tensor} from '../../tensor.js';
import {formatShape} from '../shape.js';
import type {Shape} from '../shape.js';

/** One tensor, several in the model's order, or several by name. */
export type Data = Tensor | Tensor[] | {[name: string]: Tensor};

/** What the model expects at one of its inputs or outputs. */
export interface Slot {
  readonly name: string;
  /** The shapes that fit; none when any does. */
  readonly shapes: readonly Shape[];
}

/** 'input' or 'target', for messages. */
export type DataKind = 'input' | 'target';

function describe(data: unknown): string {
  if (isTensor(data)) return `a tensor of shape [${data.shape}]`;
  if (Array.isArray(data)) return `a list of ${data.length}`;
  return shown(data);
}

function listed(
    data: unknown, slots: readonly Slot[], kind: DataKind): unknown[] {
  const names = slots.map(({name}) => name).join(', ');
  if (isTensor(data)) {
    if (slots.length === 1) return [data];
    throw new TensorError(
        'argument', `The model ${kind} expects ${slots.length} Tensors ` +
            `(${names}), but only received one Tensor. Found: Tensor with ` +
            `shape ${formatShape(data.shape)}`);
  }
  if (Array.isArray(data)) {
    if (data.length === slots.length) return data;
    throw new TensorError(
        'argument', `Error when checking model ${kind}: the Array of Tensors ` +
            'that you are passing to your model is not the size the model ' +
            `expected. Expected to see ${slots.length} Tensor(s) (${names}), ` +
            `but got ${data.length}`);
  }
  if (typeof data !== 'object' || data === null) {
    throw new TensorError(
        'argument', `Error when checking model ${kind}: expected a Tensor, ` +
            'an Array of Tensors or an object of Tensors, got ' +
            describe(data));
  }
  return slots.map(({name}) => {
    const found = Object.hasOwn(data, name) ?
      (data as Record<string, unknown>)[name] : undefined;
    if (found !== undefined && found !== null) return found;
    throw new TensorError(
        'argument', `No data provided for "${name}". Need data for each key ` +
            `in: ${names}; got ${Object.keys(data).join(', ') || 'none'}`);
  });
}

const fits = (shape: readonly number[], wanted: Shape): boolean =>
  shape.length === wanted.length && wanted.every((n, d) =>
    d === 0 || n === null || n === shape[d]);

function checkShape(x: Tensor, {name, shapes}: Slot, kind: DataKind): void {
  const shape = x.shape as number[];
  if (shapes.length === 0 || shapes.some((s) => fits(shape, s))) return;
  const wanted = shapes[0]!;
  const what = wanted.length === shape.length ?
    `shape ${formatShape(wanted)}` : `${wanted.length} dimension(s)`;
  throw new TensorError(
      'shape', `Error when checking ${kind}: expected ${name} to have ` +
          `${what}, but got a tensor with shape ${formatShape(shape)}`);
}

/**
 * `data` as a list in the order of `slots`; a tensor of one dimension stands
 * for a column. Errors: another number of tensors, a missing name, a shape
 * that does not fit.
 */
export function standardize(
    data: unknown, slots: readonly Slot[], kind: DataKind): Tensor[] {
  if (slots.length === 0) return [];
  return listed(data, slots, kind).map((given, i) => {
    const slot = slots[i]!;
    if (!isTensor(given)) {
      throw new TensorError(
          'argument', `Error when checking ${kind}: ${slot.name} must be a ` +
              `Tensor, got ${describe(given)}`);
    }
    given.throwIfDisposed();
    if (given.rank === 0) {
      throw new TensorError(
          'shape', `Error when checking ${kind}: expected ${slot.name} to be ` +
              'at least 1D, but received a 0D tensor (scalar)');
    }
    const x = given.rank === 1 ? expandDims(given, 1) : given;
    checkShape(x, slot, kind);
    return x;
  });
}

/** How many samples all tensors have. Errors: not the same number. */
export function sampleCount(
    xs: readonly Tensor[], ys: readonly Tensor[]): number {
  const counts = (tensors: readonly Tensor[]): number[] =>
    [...new Set(tensors.map(({shape}) => shape[0]))];
  const shapes = (tensors: readonly Tensor[]): string =>
    JSON.stringify(tensors.map(({shape}) => shape));
  const [nx, ny] = [counts(xs), counts(ys)];
  if (nx.length > 1) {
    throw new TensorError(
        'shape', 'All input Tensors (x) should have the same number of ' +
            `samples. Got array shapes: ${shapes(xs)}`);
  }
  if (ny.length > 1) {
    throw new TensorError(
        'shape', 'All target Tensors (y) should have the same number of ' +
            `samples. Got array shapes: ${shapes(ys)}`);
  }
  if (nx.length > 0 && ny.length > 0 && nx[0] !== ny[0]) {
    throw new TensorError(
        'shape', 'Input Tensors should have the same number of samples as ' +
            `target Tensors. Found ${nx[0]} input sample(s) and ${ny[0]} ` +
            'target sample(s).');
  }
  return nx[0] ?? ny[0] ?? 0;
}

/** Throws unless `n` is a whole number from `least` on. */
export function checkCount(
    n: unknown, name: string, least = 1): asserts n is number {
  if (Number.isInteger(n) && (n as number) >= least) return;
  throw new TensorError(
      'argument', `${name} is required to be a ` +
          `${least > 0 ? 'positive' : 'non-negative'} integer, but got ` +
          shown(n));
}
