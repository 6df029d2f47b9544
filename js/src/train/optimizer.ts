/** What all optimizers share. */
import {TensorError} from '../errors.js';
import {tracer} from '../finalizer.js';
import {variableGrads} from '../gradients.js';
import {wasm} from '../module.js';
import {list, op, ops} from '../op.js';
import type {Arg} from '../op.js';
import {dispose, tidy} from '../scope.js';
import {handleOf} from '../tensor.js';
import type {NamedTensor, NamedTensorMap, Scalar, Tensor} from '../tensor.js';
import {Variable, undeclared, variable, variableNamed} from '../variable.js';
import {guarding, watching} from './step_watch.js';

/** Settings of an optimizer, as plain values. */
export interface OptimizerConfig {
  [name: string]: number | boolean | null;
}

/** A class that makes an optimizer from its config. */
export interface OptimizerConstructor<T extends Optimizer> {
  new (...args: never[]): T;
  readonly className: string;
  fromConfig<C extends Optimizer>(
      cls: OptimizerConstructor<C>, config: OptimizerConfig): C;
}

/** A variable that something is remembered of. */
interface Owner {
  readonly variable: WeakRef<Variable>;
  /** Of the slots: they can be freed when the variable's object is gone. */
  readonly handles: readonly number[];
}

/** What an optimizer remembers of one variable between steps. */
interface State {
  readonly name: string;
  readonly slots: Variable[];
}

/** One of an optimizer's slots: what it remembers of a variable. */
export interface OptimizerSlot {
  /** The variable's name. */
  readonly owner: string;
  readonly slot: string;
  readonly value: Variable;
}

let made: ((optimizer: Optimizer) => void) | undefined;

/** Makes `f` hear of every optimizer. */
export function onOptimizer(f: (optimizer: Optimizer) => void): void {
  made = f;
}

const sameShape = (a: Tensor, b: Tensor): boolean =>
  String(a.shape) === String(b.shape) && a.rank === b.rank;

/**
 * Changes variables so that a cost becomes smaller. Subclasses say what they
 * remember of a variable and how one is updated.
 */
export abstract class Optimizer {
  /** The name under which configs are saved. */
  static readonly className: string = 'Optimizer';
  protected iterations_ = 0;
  // The slots hang on the variable itself: they are collected with it, and a
  // later variable of the same name does not go on with them.
  #slots = new WeakMap<Variable, Variable[]>();
  // By name, in the order of the first steps.
  readonly #owners = new Map<string, Owner>();
  // Read by setWeights, not yet met again: names may be others by now.
  #restored: State[] = [];
  #disposed = false;

  constructor() {
    made?.(this);
  }

  /** The names of what is remembered of each variable, in saved order. */
  protected abstract slotNames(): readonly string[];
  /** Calls the C++ op: variable and slots in, their new values out. */
  protected abstract update(
      arg: Arg, v: Tensor, slots: readonly Tensor[], gradient: Tensor): number;
  /** The settings. */
  abstract getConfig(): OptimizerConfig;

  /** What a slot starts with. */
  protected initial(_slot: string): number {
    return 0;
  }

  /** The class name that configs are saved under. */
  getClassName(): string {
    return (this.constructor as typeof Optimizer).className;
  }

  /** How many steps were made. */
  get iterations(): number {
    return this.iterations_;
  }

  /**
   * One step: computes `f`, its gradients, and updates the variables (`varList`
   * or all trainable ones). Returns the cost when `returnCost`, else null.
   */
  minimize(
      f: () => Scalar, returnCost = false,
      varList?: Variable[]): Scalar | null {
    return tidy('minimize', () => {
      const {value, grads} = this.computeGradients(f, varList);
      const named = varList ?
        varList.map((v) => ({name: v.name, tensor: grads[v.name]!})) : grads;
      this.applyGradients(named);
      return returnCost ? value : null;
    });
  }

  /** Value of `f` and the gradients by variable name; changes nothing. */
  computeGradients(
      f: () => Scalar,
      varList?: Variable[]): {value: Scalar, grads: NamedTensorMap} {
    return variableGrads(f, varList);
  }

  /** Updates variables by given gradients. */
  applyGradients(gradients: NamedTensorMap | NamedTensor[]): void {
    const pairs = Array.isArray(gradients) ?
      gradients.map(({name, tensor}) => [name, tensor] as const) :
      Object.entries(gradients);
    const found: [Variable, Tensor][] = [];
    for (const [name, gradient] of pairs) {
      if (gradient === null || gradient === undefined) continue;
      const v = variableNamed(name);
      if (v === undefined) {
        throw new TensorError(
            'argument', `applyGradients: no variable is named '${name}'`);
      }
      found.push([v, gradient]);
    }
    const guard = guarding();
    for (const [v] of found) guard?.check(v);
    const watch = watching();
    if (watch !== undefined) {
      watch.gradients(this, found);
      return;
    }
    const fresh = found.map(([v]) => v).filter((v) => !this.#slots.has(v));
    if (fresh.length > 0) this.#sweep();
    if (found.length > 0) this.#disposed = false;
    this.prepare(fresh);
    guard?.updating(this, fresh);
    for (const [v, gradient] of found) this.#apply(v, gradient);
    this.iterations_++;
  }

  #apply(v: Variable, gradient: Tensor): void {
    const slots = this.#slotsOf(v);
    const made = ops(`${this.getClassName()}.applyGradients`, (arg) =>
      this.update(arg, v, slots, gradient));
    try {
      v.assign(made[0]!);
      slots.forEach((slot, i) => slot.assign(made[i + 1]!));
    } finally {
      dispose(made);
    }
  }

  #slotsOf(v: Variable): Variable[] {
    let slots = this.#slots.get(v);
    if (slots === undefined) {
      slots = this.#claim(v.name, v)?.slots ?? this.#fresh(v);
      this.#slots.set(v, slots);
      this.#owners.set(
          v.name, {variable: new WeakRef(v), handles: slots.map(handleOf)});
    }
    return slots;
  }

  // Frees the slots of variables that were disposed or collected: whoever goes
  // from model to model with one optimizer would pile them up.
  #sweep(): void {
    for (const [name, owner] of this.#owners) {
      const v = owner.variable.deref();
      if (v !== undefined && !v.isDisposed) continue;
      this.#free(owner);
      if (v !== undefined) this.#slots.delete(v);
      this.#owners.delete(name);
    }
  }

  #free({variable: owner, handles}: Owner): void {
    const v = owner.deref();
    const slots = v && this.#slots.get(v);
    if (slots !== undefined) {
      dispose(slots);
      return;
    }
    // Their objects are lost, and not every session collects. Freeing what is
    // freed already does nothing.
    const alive = handles.filter((handle) => wasm.alive(handle) === 1);
    if (alive.length === 0) return;
    tracer?.gone(alive, 'dispose');
    for (const handle of alive) wasm.dispose(handle);
  }

  #fresh(v: Tensor): Variable[] {
    return undeclared(() => tidy(() => this.slotNames().map(
        (slot) => variable(this.#start(slot, v), false))));
  }

  #start(slot: string, {shape}: Tensor): Tensor {
    return op('fill', () =>
      wasm.fill(list(shape as number[]), this.initial(slot), 2));
  }

  /** Gives a slot what it started with. */
  resetSlot({slot, value}: OptimizerSlot): void {
    tidy(() => value.assign(this.#start(slot, value)));
  }

  // By name, else the first of the same shape: the order of the variables is
  // what saved programs agree on.
  #claim(name: string, v: Tensor): State | undefined {
    const fits = (s: State): boolean => s.slots.every((t) => sameShape(t, v));
    let at = this.#restored.findIndex((s) => s.name === name && fits(s));
    if (at < 0) at = this.#restored.findIndex(fits);
    return at < 0 ? undefined : this.#restored.splice(at, 1)[0];
  }

  /**
   * Makes the slots of variables now, not at their first update; none after
   * `dispose`, until it is used again.
   */
  prepare(variables: readonly Variable[]): void {
    if (this.#disposed) return;
    for (const v of variables) this.#slotsOf(v);
  }

  /** All slots there are. */
  slots(): OptimizerSlot[] {
    const names = this.slotNames();
    return this.#all().flatMap(({name: owner, slots}) => slots.map(
        (value, i) => ({owner, slot: names[i]!, value})));
  }

  /** False after `dispose`, until it is used again. */
  get isInUse(): boolean {
    return !this.#disposed;
  }

  /** Goes on counting steps from here. */
  resume(iterations: number): void {
    this.iterations_ = iterations;
  }

  /**
   * The number of steps and all that is remembered, for saving. What is
   * remembered of a variable is the optimizer's and goes when the variable does.
   */
  async getWeights(): Promise<NamedTensor[]> {
    const weights = [this.saveIterations()];
    this.slotNames().forEach((slot, i) => {
      for (const {name, slots} of this.#all()) {
        weights.push({name: `${name}/${slot}`, tensor: slots[i]!});
      }
    });
    return weights;
  }

  /** Takes what `getWeights` gave. */
  async setWeights(weights: NamedTensor[]): Promise<void> {
    const rest = this.extractIterations(weights);
    const restored: State[] = [];
    const names = this.slotNames();
    const found = new Map<string, Map<string, Tensor>>();
    for (const {name, tensor} of rest) {
      const slash = name.lastIndexOf('/');
      const owner = name.slice(0, slash);
      if (!found.has(owner)) found.set(owner, new Map());
      found.get(owner)!.set(name.slice(slash + 1), tensor);
    }
    for (const [name, slots] of found) {
      if (!names.every((slot) => slots.has(slot))) {
        console.warn(`setWeights: what is given for '${name}' ` +
            `(${[...slots.keys()].join(', ')}) is not ${this.getClassName()}'s ` +
            `(${names.join(', ')}) and was ignored.`);
        continue;
      }
      restored.push({
        name,
        slots: undeclared(() =>
          names.map((slot) => variable(slots.get(slot)!, false))),
      });
    }
    // Last: what was given may be what is forgotten.
    this.#forget();
    this.#restored = restored;
  }

  /** The number of steps as a weight. */
  protected saveIterations(): NamedTensor {
    return {
      name: 'iter',
      tensor: op('scalar', () => wasm.scalar(this.iterations_, 1)),
    };
  }

  /** Reads the number of steps off weights and returns the others. */
  protected extractIterations(weights: NamedTensor[]): NamedTensor[] {
    const first = weights[0];
    if (first === undefined || first.name !== 'iter') {
      throw new TensorError(
          'argument', "setWeights: the first weight must be 'iter', the " +
              'number of steps');
    }
    this.iterations_ = first.tensor.dataSync()[0]!;
    return weights.slice(1);
  }

  #all(): State[] {
    const states: State[] = [];
    for (const [name, {variable: owner}] of this.#owners) {
      const v = owner.deref();
      if (v !== undefined) states.push({name, slots: this.#slots.get(v)!});
    }
    return [...states, ...this.#restored];
  }

  #forget(): void {
    for (const owner of this.#owners.values()) this.#free(owner);
    for (const {slots} of this.#restored) dispose(slots);
    this.#owners.clear();
    this.#slots = new WeakMap();
    this.#restored = [];
  }

  /** Frees all that is remembered of the variables. */
  dispose(): void {
    this.#disposed = true;
    this.#forget();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}
