/** A layer's weight: a variable with a name, a constraint and a shape. */
import {TensorError} from '../errors.js';
import {tidy} from '../scope.js';
import type {Tensor} from '../tensor.js';
import type {DataType} from '../types.js';
import {afterUpdate} from '../train/step_watch.js';
import {numberedVariable} from '../variable.js';
import type {Variable} from '../variable.js';
import type {Constraint} from './constraints.js';
import {scopedTensorName, uniqueTensorName} from './naming.js';
import type {Shape} from './shape.js';

let nextId = 0;

/** A weight of a layer. It shares the initial tensor's memory, not the tensor. */
export class LayerVariable {
  readonly id: number = nextId++;
  readonly dtype: DataType;
  readonly shape: Shape;
  /** The name with the scopes it was made in: what files call the weight. */
  readonly originalName: string;
  /** The same made unique. */
  readonly name: string;
  readonly constraint: Constraint | null;
  /** The variable that holds the values. */
  readonly variable: Variable;

  constructor(
      value: Tensor, dtype: DataType = 'float32', name = 'Variable',
      trainable = true, constraint: Constraint | null = null) {
    this.dtype = dtype;
    this.shape = value.shape;
    this.originalName = scopedTensorName(name);
    this.name = uniqueTensorName(this.originalName);
    this.constraint = constraint;
    this.variable = numberedVariable(value, trainable, this.name, dtype);
    if (constraint) afterUpdate(this.variable, () => this.constrain());
  }

  /** The current values: the variable itself, not a copy. */
  read(): Tensor {
    this.#assertAlive();
    return this.variable;
  }

  /**
   * Takes new values and applies the constraint to them. Errors: another
   * shape; a disposed weight.
   */
  write(value: Tensor): this {
    this.#assertAlive();
    if (String(value.shape) !== String(this.shape)) {
      throw new TensorError(
          'shape', `write: the weight ${this.name} has the shape ` +
              `[${this.shape}], the new value [${value.shape}]`);
    }
    if (value !== this.variable) this.variable.assign(value);
    this.constrain();
    return this;
  }

  /** Applies the constraint, if any, to the current values. */
  constrain(): void {
    const {constraint, variable} = this;
    if (constraint === null) return;
    tidy(() => variable.assign(constraint.apply(variable)));
  }

  /** Whether optimizers change it. */
  get trainable(): boolean {
    return this.variable.trainable;
  }

  set trainable(trainable: boolean) {
    this.variable.trainable = trainable;
  }

  get isDisposed(): boolean {
    return this.variable.isDisposed;
  }

  /** Frees the values. Errors: freed already. */
  dispose(): void {
    this.#assertAlive();
    this.variable.dispose();
  }

  #assertAlive(): void {
    if (this.variable.isDisposed) {
      throw new TensorError(
          'disposed', `LayersVariable ${this.name} is already disposed.`);
    }
  }
}

/** The values of weights, in order. */
export function readAll(weights: readonly LayerVariable[]): Tensor[] {
  return weights.map((weight) => weight.read());
}

/** Numbers that weights hold in all. */
export function countParamsIn(weights: readonly LayerVariable[]): number {
  return weights.reduce(
      (sum, {shape}) => sum + shape.reduce<number>((a, b) => a * b!, 1), 0);
}
