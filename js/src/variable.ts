/** Variables: names for tensors that can be swapped. */
import {TensorError} from './errors.js';
import {checked, done, wasm} from './module.js';
import {Tensor, handleOf} from './tensor.js';
import {op} from './op.js';
import type {TensorLike} from './op.js';
import type {DataType, Rank} from './types.js';

let nextName = 0;
const registered = new Map<string, Variable>();

/** The variables in use, by name. */
export function registeredVariables(): Record<string, Variable> {
  return Object.fromEntries(registered);
}

/** A tensor that can be assigned. Scopes never free it. */
export class Variable<R extends Rank = Rank> extends Tensor<R> {
  readonly name: string;
  trainable: boolean;

  /** Wraps a variable's handle; users call `tf.variable`. */
  constructor(handle: number, name: string, trainable: boolean) {
    super(handle);
    this.name = name;
    this.trainable = trainable;
  }

  /** Takes the values of a tensor of the same shape and dtype. */
  assign(value: Tensor<R>): void {
    done(wasm.assign(handleOf(this), handleOf(value)), 'assign');
  }

  override dispose(): void {
    if (registered.get(this.name) === this) registered.delete(this.name);
    super.dispose();
  }
}

/**
 * Makes a variable that starts with the values of `initial`.
 *
 * The variable shares the initial tensor's memory but does not own it. Names
 * are unique: a taken one throws. `trainable` variables are what
 * `variableGrads` and optimizers look at.
 *
 * ```js
 * const v = tf.variable(tf.tensor1d([1, 2]));
 * v.assign(tf.tensor1d([3, 4]));
 * v.arraySync(); // => [3, 4]
 * v.dispose();
 * ```
 */
export function variable<R extends Rank>(
    initial: Tensor<R>, trainable = true, name?: string,
    dtype?: DataType): Variable<R> {
  const key = name ?? String(nextName++);
  if (registered.has(key)) {
    throw new TensorError(
        'state', `Variable with name ${key} was already registered`);
  }
  const source = dtype !== undefined && dtype !== initial.dtype ?
    op('variable', (arg) => wasm.cast(arg('initialValue', initial), ['bool', 'int32', 'float32'].indexOf(dtype))) :
    initial;
  const handle = checked(wasm.variable(handleOf(source)), 'variable');
  if (source !== initial) source.dispose();
  const v = new Variable<R>(handle, key, trainable);
  registered.set(key, v as unknown as Variable);
  return v;
}

/** Frees every registered variable. */
export function disposeVariables(): void {
  for (const v of [...registered.values()]) v.dispose();
}

export type {TensorLike};
