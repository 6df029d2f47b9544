/** How much each sample counts: sample weights and class weights. */
import {TensorError} from '../../errors.js';
import {mul} from '../../ops/binary.js';
import {tensor1d} from '../../ops/creation.js';
import {expandDims} from '../../ops/shape.js';
import {argMax} from '../../ops/reduce.js';
import {tidy} from '../../scope.js';
import {isTensor} from '../../tensor.js';
import type {Tensor} from '../../tensor.js';

/** A weight for every class, by the class's number. */
export interface ClassWeight {
  [classIndex: number]: number;
}

/** Class weights for one output, for each output, or by output name. */
export type ClassWeights =
  ClassWeight | (ClassWeight | null)[] | {[output: string]: ClassWeight};

/** Sample weights `[n]` or `[n, steps]` in the same forms. */
export type SampleWeights =
  Tensor | (Tensor | null)[] | {[output: string]: Tensor};

function perOutput<T>(
    weights: unknown, names: readonly string[], what: string): (T | null)[] {
  if (weights === undefined || weights === null) return names.map(() => null);
  if (Array.isArray(weights)) {
    if (weights.length === 0) return names.map(() => null);
    if (weights.length === names.length) return weights as (T | null)[];
    throw new TensorError(
        'argument', `Provided ${what} is an array of ${weights.length} ` +
            `element(s), but the model has ${names.length} outputs. Make ` +
            'sure a set of weights is provided for each model output.');
  }
  const named = isTensor(weights) ? {} : weights as Record<string, T>;
  if (names.some((name) => Object.hasOwn(named, name))) {
    return names.map((name) =>
      (Object.hasOwn(named, name) ? named[name]! : null));
  }
  if (names.length === 1) return [weights as T];
  throw new TensorError(
      'argument', `The model has multiple (${names.length}) outputs, so ` +
          `${what} must be either an array with ${names.length} elements or ` +
          `an object with ${names.join(', ')} keys.`);
}

function classesOf(y: Tensor): ArrayLike<number> {
  const [, width] = y.shape as number[];
  if (y.rank !== 2 || width === 0) {
    throw new TensorError(
        'shape', 'classWeight: the targets must be class numbers, [n] or ' +
            `[n,1], or one-hot, [n,classes], got [${y.shape}]`);
  }
  return tidy(() => (width === 1 ? y : argMax(y, 1)).dataSync());
}

function classSamples(y: Tensor, weights: ClassWeight): Tensor {
  return tensor1d(Array.from(classesOf(y), (c) => {
    const weight = weights[c];
    if (typeof weight === 'number') return weight;
    throw new TensorError(
        'argument', 'classWeight must contain all classes in the training ' +
            `data. The class ${c} exists in the data but not in classWeight`);
  }), 'float32');
}

function checked(weights: Tensor, y: Tensor, name: string): Tensor {
  if (!isTensor(weights)) {
    throw new TensorError(
        'argument', `sampleWeight: the weights for ${name} must be a Tensor, ` +
            `got ${typeof weights}`);
  }
  if (weights.rank === 0 || weights.shape[0] !== y.shape[0]) {
    throw new TensorError(
        'shape', `sampleWeight: ${name} has ${y.shape[0]} sample(s), but the ` +
            `weights have the shape [${weights.shape}]`);
  }
  return weights;
}

/**
 * The weights of the samples for every output, null where all count alike: the
 * product of sample weights and class weights. Owned by the current scope.
 */
export function sampleWeightsFor(
    ys: readonly (Tensor | null)[], names: readonly string[],
    sampleWeight: unknown, classWeight: unknown): (Tensor | null)[] {
  const bySample = perOutput<Tensor>(sampleWeight, names, 'sampleWeight');
  const byClass = perOutput<ClassWeight>(classWeight, names, 'classWeight');
  return ys.map((y, i) => {
    if (y === null) return null;
    const sample = bySample[i] ? checked(bySample[i], y, names[i]!) : null;
    const classes = byClass[i] ? classSamples(y, byClass[i]) : null;
    if (sample === null || classes === null) return sample ?? classes;
    return mul(
        sample, sample.rank > 1 ? expandDims(classes, 1) : classes);
  });
}
