/** What twins of kernels in TensorFlow are made with. */
import type {Attr} from '../../io/checkpoint/graph.js';
import type {KernelAttr} from '../../profile.js';
import type {DataType} from '../../types.js';
import type {RecordedKernel} from './recorder.js';

export type Attrs = Record<string, Attr>;
export type Shape = readonly number[];

/** Adds the nodes of one kernel. */
export interface NodeMaker {
  /** The node that has the kernel's name; its outputs are the kernel's. */
  own(op: string, inputs: readonly string[], attrs: Attrs): void;
  /** A node below it. Returns its name. */
  below(
    label: string, op: string, inputs: readonly string[], attrs: Attrs,
    shape: Shape): string;
  /** A constant below it. Returns its name. */
  constant(
    label: string, dtype: DataType, shape: Shape,
    values: readonly number[]): string;
}

/** Adds nodes, or none and answers false. */
export type Twin =
  (k: RecordedKernel, inputs: readonly string[], to: NodeMaker) => boolean;

export const typeOf = (k: RecordedKernel, i = 0): DataType => k.inputDtypes[i]!;
export const shapeOf = (k: RecordedKernel, i = 0): Shape => k.inputShapes[i]!;
export const same = (a: Shape, b: Shape): boolean =>
  a.length === b.length && a.every((n, i) => n === b[i]);
export const type = (dtype: DataType): Attr => ({type: dtype});
export const index = type('int32');

/** An attribute that is a list. */
export function numbers(attr: KernelAttr | undefined): readonly number[] {
  return Array.isArray(attr) ? attr as number[] : [];
}

/** One that is a number. */
export function number(attr: KernelAttr | undefined): number {
  return typeof attr === 'object' && 'i' in attr ? attr.i : Number(attr);
}
