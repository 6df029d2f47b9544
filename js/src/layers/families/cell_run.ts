/**
 * How a recurrent layer runs a cell over a sequence. What does not depend on
 * the state is computed for all steps at once (`project`), what does is as few
 * ops as can be (`step`).
 */
import {mul} from '../../ops/binary.js';
import {fill} from '../../ops/creation.js';
import {matMul as fusedMatMul} from '../../ops/fused.js';
import {dropout} from '../../ops/random.js';
import {reshape} from '../../ops/shape.js';
import type {Tensor} from '../../tensor.js';
import type {Activation} from '../activations.js';
import {nextSeed} from '../global_state.js';
import {bareActivation, fusedActivation} from './activation_ops.js';

/** A cell at work on one sequence. */
export interface CellRun {
  /** What steps need of the inputs `[..., batch, features]`, in parts. */
  project(x: Tensor): Tensor[];
  /** From one step's projections and the states: output and new states. */
  step(projected: Tensor[], states: Tensor[]): Tensor[];
}

/** Drops a share of ones and scales the others; tests leave no chance to it. */
export type DropoutFunc = (ones: Tensor, rate: number) => Tensor;

/** `activation(a * b + bias)`, in one call where ops can. */
export function product(
    a: Tensor, b: Tensor, bias: Tensor | undefined,
    activation?: Activation): Tensor {
  const fused = activation && fusedActivation(activation);
  const y = fusedMatMul({
    a, b, ...bias ? {bias} : {}, ...fused ? {activation: fused} : {},
  });
  return activation && fused === undefined ?
    bareActivation(activation)(y) : y;
}

/** `x * kernel + bias` for `[..., features]`, as one product. */
export function projection(
    x: Tensor, kernel: Tensor, bias: Tensor | undefined): Tensor {
  const shape = x.shape as number[];
  if (shape.length === 2) return product(x, kernel, bias);
  const features = shape.at(-1)!;
  const rows = shape.slice(0, -1).reduce((a, b) => a * b, 1);
  return reshape(
      product(reshape(x, [rows, features]), kernel, bias),
      [...shape.slice(0, -1), kernel.shape[1]!]);
}

/**
 * What drops the same features at every step of a sequence: a mask `[batch,
 * features]`, or none. Rates outside (0, 1) drop nothing.
 */
export function dropoutMask(
    training: boolean, rate: number, batch: number, features: number,
    make?: DropoutFunc): Tensor | undefined {
  if (!training || !(rate > 0 && rate < 1)) return undefined;
  const ones = fill([batch, features], 1);
  return make ? make(ones, rate) : dropout(ones, rate, null, nextSeed());
}

/** `x` without what the mask drops. */
export function masked(x: Tensor, mask: Tensor | undefined): Tensor {
  return mask ? mul(x, mask) : x;
}
