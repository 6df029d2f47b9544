/** Variables: names for tensors that can be swapped. */
import {TensorError} from './errors.js';
import {escaped, tracer} from './finalizer.js';
import {checked, done, wasm} from './module.js';
import {SweptMap} from './swept_map.js';
import {Tensor, handleOf, isTensor} from './tensor.js';
import {dtypeNumber, op} from './op.js';
import type {DataType, Rank} from './types.js';

let nextId = 0;
// Weakly: a model that is dropped must be collected, its variables with it.
const registered = new SweptMap<string, WeakRef<Variable>>(
    (_, variable) => variable.deref() === undefined);

let declare: ((v: Variable) => void) | undefined;

/** Makes `f` hear of every variable that programs declare; it may refuse. */
export function onVariable(f: (v: Variable) => void): void {
  declare = f;
}

type Hearer = (v: Variable, value: Tensor, assign: () => void) => void;
let heard: Hearer | undefined;

/**
 * Makes `hear` be told of every assignment while `f` runs, which must be
 * synchronous; it makes the assignment by the function it is given. Who
 * listens outside hears it then.
 */
export function hearAssignments<T>(hear: Hearer, f: () => T): T {
  const outer = heard;
  heard = outer === undefined ? hear : (v, value, assign) =>
    hear(v, value, () => outer(v, value, assign));
  try {
    return f();
  } finally {
    heard = outer;
  }
}

/** Runs `f`, whose assignments nobody is told of. */
export function unheard<T>(f: () => T): T {
  const before = heard;
  heard = undefined;
  try {
    return f();
  } finally {
    heard = before;
  }
}

/** Runs `f`, whose variables are nobody's business: what optimizers remember. */
export function undeclared<T>(f: () => T): T {
  const before = declare;
  declare = undefined;
  try {
    return f();
  } finally {
    declare = before;
  }
}

/** The variables in use, by name. */
export function registeredVariables(): Record<string, Variable> {
  const out: Record<string, Variable> = {};
  for (const name of registered.keys()) {
    const variable = variableNamed(name);
    if (variable) out[name] = variable;
  }
  return out;
}

/** The variable in use that has this name. */
export function variableNamed(name: string): Variable | undefined {
  const variable = registered.get(name)?.deref();
  if (variable !== undefined && wasm.alive(handleOf(variable))) return variable;
  registered.delete(name);
  return undefined;
}

/** A number for a variable that no earlier one had. */
export function nextVariableId(): number {
  return nextId++;
}

/** A tensor that can be assigned. Scopes never free it. */
export class Variable<R extends Rank = Rank> extends Tensor<R> {
  readonly name: string;
  /** The name that was wished for: `name` may have got a number. */
  readonly givenName: string;
  trainable: boolean;

  /** Wraps a variable's handle; users call `tf.variable`. */
  constructor(
      handle: number, name: string, trainable: boolean, givenName = name) {
    super(handle);
    this.name = name;
    this.givenName = givenName;
    this.trainable = trainable;
  }

  /**
   * Takes the values of a tensor. Errors: another shape or dtype.
   */
  assign(value: Tensor<R>): void {
    if (!isTensor(value)) {
      throw new TensorError('argument', 'assign: the new value is no tensor');
    }
    if (heard === undefined) this.#assign(value);
    else heard(this, value, () => this.#assign(value));
  }

  #assign(value: Tensor<R>): void {
    done(wasm.assign(handleOf(this), handleOf(value)), 'assign');
  }

  override dispose(): void {
    if (registered.get(this.name)?.deref() === this) {
      registered.delete(this.name);
    }
    super.dispose();
  }
}

/**
 * Makes a variable that starts with the values of `initialValue`.
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
    initialValue: Tensor<R>, trainable = true, name?: string | null,
    dtype?: DataType | null): Variable<R> {
  const key = name ?? String(nextId++);
  return made(initialValue, trainable, key, key, dtype);
}

/**
 * The same for weights. Models that outlive a `clear_session` keep their
 * variables' names, and new ones count from the start: where a name is taken it
 * gets a number.
 */
export function numberedVariable(
    initialValue: Tensor, trainable: boolean, name: string,
    dtype: DataType): Variable {
  let key = name;
  for (let n = 1; variableNamed(key) !== undefined; n++) key = `${name}:${n}`;
  return made(initialValue, trainable, key, name, dtype);
}

function made<R extends Rank>(
    initialValue: Tensor<R>, trainable: boolean, key: string, given: string,
    dtype: DataType | null | undefined): Variable<R> {
  if (!isTensor(initialValue)) {
    throw new TensorError(
        'argument', 'variable: the initial value must be a tensor');
  }
  if (variableNamed(key) !== undefined) {
    throw new TensorError(
        'state', `Variable with name ${key} was already registered`);
  }
  const cast = dtype !== undefined && dtype !== null &&
      dtype !== initialValue.dtype;
  const source: Tensor = cast ?
    op('variable', () => wasm.cast(handleOf(initialValue), dtypeNumber(dtype))) :
    initialValue;
  let handle: number;
  try {
    handle = wasm.variable(handleOf(source));
  } finally {
    if (cast) source.dispose();
  }
  const v = new Variable<R>(
      checked(handle, 'variable'), key, trainable, given);
  registered.set(key, new WeakRef<Variable>(v));
  tracer?.made(handle);
  escaped(v, handle);
  try {
    declare?.(v);
  } catch (error) {
    v.dispose();
    throw error;
  }
  return v;
}

/**
 * Frees every registered variable.
 *
 * ```js
 * tf.variable(tf.scalar(1), true, 'w');
 * tf.disposeVariables();
 * Object.keys(tf.engine().registeredVariables); // => []
 * ```
 */
export function disposeVariables(): void {
  for (const v of Object.values(registeredVariables())) v.dispose();
}

/** Forgets the variables: the engine's reset has freed them. */
export function forgetVariables(): void {
  registered.clear();
}
