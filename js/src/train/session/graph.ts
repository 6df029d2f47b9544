/**
 * The registry that stands for a graph: what was declared under which name.
 * Execution is eager; a graph only knows what there is. It holds variables and
 * optimizers weakly, so that models that nobody uses any more can be collected.
 */
import {shown} from '../../errors.js';
import type {DataType} from '../../types.js';
import {Variable, onVariable} from '../../variable.js';
import {onOptimizer} from '../optimizer.js';
import type {Optimizer} from '../optimizer.js';
import type {Recording, Source} from './recorder.js';
import {runtimeError, valueError} from './errors.js';

/** Where values come in: `sess.run` is given them. */
export interface Placeholder {
  readonly name: string;
  readonly dtype: DataType;
  /** Null for a length that may be any. */
  readonly shape: readonly (number | null)[];
  /** The name: objects of feeds may be keyed by the placeholder itself. */
  toString(): string;
}

/** A tensor that a function returned. */
export interface FunctionOutput {
  /** Keys that lead to it, joined by `/`; empty for the result itself. */
  readonly path: string;
  readonly dtype: DataType;
  readonly shape: readonly number[];
  readonly source: Source;
}

/** What the registry must know of a step or fetch. */
export interface Declared {
  readonly name: string;
  readonly kind: 'step' | 'fetch';
  /** What its first run did, once there was one. */
  recorded: Recording | undefined;
  /** What it returned then. */
  outputs: readonly FunctionOutput[];
  /** All of that, with null for each value; undefined until then. */
  readonly outline: unknown;
  readonly inputs: Readonly<Record<string, Placeholder>>;
}

type Item = {weak: WeakRef<object>} | {value: unknown};

// Of some graph: the others are what the library remembers for itself.
const declared = new WeakSet<Variable>();

const variablesKey = 'variables';
const trainableKey = 'trainable_variables';

/** True for what TensorFlow takes as the name of a node. */
export function isNodeName(name: string): boolean {
  return /^[A-Za-z0-9.][A-Za-z0-9_.\-/>]*$/.test(name);
}

function checkNodeName(what: string, name: string): void {
  if (isNodeName(name)) return;
  throw valueError(
      `${what}: '${name}' is no name: letters, digits and _ . - / > are ` +
          'allowed, the first must be a letter, a digit or .');
}

/**
 * Variables, placeholders, steps, fetches and collections by name.
 *
 * ```js
 * const graph = new tf.Graph();
 * graph.asDefault(() => tf.placeholder('float32', [null, 2], 'x'));
 * graph.placeholders.map((p) => p.name); // => ['x']
 * ```
 */
export class Graph {
  static readonly className: string = 'Graph';
  readonly #placeholders = new Map<string, Placeholder>();
  readonly #functions = new Map<string, Declared>();
  readonly #collections = new Map<string, Item[]>();
  // By the names they have in this graph.
  readonly #variables = new Map<string, WeakRef<Variable>>();
  readonly #own = new WeakSet<Variable>();
  #optimizers: WeakRef<Optimizer>[] = [];
  // True for those that came while the graph was finalized.
  readonly #late = new WeakMap<Optimizer, boolean>();
  #finalized = false;
  /** Grows whenever something is declared or recorded. */
  version = 0;

  /** Runs `fn` with this graph as the one that declarations go to. */
  asDefault<T>(fn: () => T): T {
    const result = this.enter(fn);
    if (result instanceof Promise) {
      result.catch(() => {});
      throw valueError(
          'asDefault: the function must not be async, for other code would ' +
              'declare in this graph meanwhile');
    }
    return result;
  }

  /** `asDefault` for functions of which only the synchronous part declares. */
  enter<T>(fn: () => T): T {
    stack.push(this);
    try {
      return fn();
    } finally {
      stack.pop();
    }
  }

  /** True while declaring more is refused. */
  get finalized(): boolean {
    return this.#finalized;
  }

  /** Makes declaring more an error. */
  finalize(): void {
    this.#finalized = true;
  }

  /** Allows declaring again. */
  unfinalize(): void {
    this.#finalized = false;
  }

  #declare(what: string): void {
    if (this.#finalized) {
      throw runtimeError(
          `Graph is finalized and cannot be modified: declare ${what} before ` +
              'the session is made, or in the begin() of a hook.' +
              (what.startsWith('variable') ? ' A model makes its weights ' +
                'before when it knows inputShape, or at model.build(shape).' : ''));
    }
    this.version++;
  }

  /** True when something declared has this name. */
  has(name: string): boolean {
    return this.#placeholders.has(name) || this.#functions.has(name) ||
        this.variableNamed(name) !== undefined;
  }

  /** The name if it is free, else the name and a number. */
  uniqueName(name: string): string {
    if (!this.has(name)) return name;
    let n = 1;
    while (this.has(`${name}_${n}`)) n++;
    return `${name}_${n}`;
  }

  #take(what: string, name: string): void {
    checkNodeName(what, name);
    if (this.has(name) || name === 'global_step' || name === 'summary_op') {
      throw this.#taken(what, name);
    }
    this.#declare(`'${name}'`);
  }

  #taken(what: string, name: string): Error {
    return valueError(
        `${what}: the graph has '${name}' already; take another name, or ` +
            'start over with tf.keras.backend.clear_session()');
  }

  /** Takes note of a placeholder. Errors: finalized; the name is taken. */
  addPlaceholder(placeholder: Placeholder): void {
    this.#take('placeholder', placeholder.name);
    this.#placeholders.set(placeholder.name, placeholder);
  }

  /** Takes note of a step or fetch. Errors: finalized; the name is taken. */
  addFunction(f: Declared): void {
    this.#take(f.kind, f.name);
    this.#functions.set(f.name, f);
  }

  /**
   * Takes a variable, or a model's weight, into the graph: sessions save it and
   * steps may change it. New variables are in the default graph by themselves;
   * this is for those that were made in another one. What is in the graph
   * already stays as it is.
   *
   * Errors: no variable; disposed; a finalized graph; its name is taken.
   *
   * ```js
   * const w = tf.variable(tf.scalar(1), true, 'w');
   * tf.resetDefaultGraph();
   * tf.getDefaultGraph().addVariable(w);
   * [...tf.getDefaultGraph().variables.keys()]; // => ['w']
   * w.dispose();
   * tf.resetDefaultGraph();
   * ```
   */
  addVariable(variable: Variable | {readonly variable: Variable}): void {
    const v = variable instanceof Variable ? variable : variable?.variable;
    if (!(v instanceof Variable)) {
      throw valueError(
          `addVariable: expected a variable, got ${shown(variable)}`);
    }
    if (this.#own.has(v)) return;
    if (v.isDisposed) {
      throw valueError(`addVariable: the variable '${v.name}' is disposed`);
    }
    const name = [v.givenName, v.name].find((name) => !this.has(name));
    if (name === undefined) throw this.#taken('variable', v.givenName);
    this.#declare(`variable '${v.name}'`);
    this.#variables.set(name, new WeakRef(v));
    this.#own.add(v);
    declared.add(v);
  }

  /** True for a variable that was declared, and not in this graph. */
  isForeign(v: Variable): boolean {
    return declared.has(v) && !this.#own.has(v);
  }

  /**
   * Takes note of an optimizer; those that come while the graph is finalized
   * are late, for checkpoints of before may have nothing of them. False when
   * it is in the graph already.
   */
  addOptimizer(optimizer: Optimizer): boolean {
    if (this.#late.has(optimizer)) return false;
    this.#late.set(optimizer, this.#finalized);
    this.#optimizers.push(new WeakRef(optimizer));
    return true;
  }

  isLate(optimizer: Optimizer): boolean {
    return this.#late.get(optimizer) ?? false;
  }

  get placeholders(): Placeholder[] {
    return [...this.#placeholders.values()];
  }

  placeholderNamed(name: string): Placeholder | undefined {
    return this.#placeholders.get(name);
  }

  /** Steps and fetches. */
  get functions(): Declared[] {
    return [...this.#functions.values()];
  }

  functionNamed(name: string): Declared | undefined {
    return this.#functions.get(name);
  }

  /** The variables in use, by the names they have in this graph. */
  get variables(): Map<string, Variable> {
    const found = new Map<string, Variable>();
    for (const name of this.#variables.keys()) {
      const v = this.variableNamed(name);
      if (v !== undefined) found.set(name, v);
    }
    return found;
  }

  variableNamed(name: string): Variable | undefined {
    const v = this.#variables.get(name)?.deref();
    if (v !== undefined && !v.isDisposed) return v;
    this.#variables.delete(name);
    return undefined;
  }

  /** Optimizers that were made for this graph and are still in use. */
  get optimizers(): Optimizer[] {
    this.#optimizers = this.#optimizers.filter((ref) => ref.deref());
    return this.#optimizers.map((ref) => ref.deref()!)
        .filter((optimizer) => optimizer.isInUse);
  }

  /** Adds to a collection; variables and optimizers weakly. */
  addToCollection(key: string, value: unknown): void {
    this.#declare(`an item of the collection '${key}'`);
    const item = value instanceof Variable ?
      {weak: new WeakRef<object>(value)} : {value};
    this.#collections.set(key, [...this.#collections.get(key) ?? [], item]);
  }

  /** What a collection has. */
  getCollection(key: string): unknown[] {
    const items = (this.#collections.get(key) ?? [])
        .map((item) => ('weak' in item ? item.weak.deref() : item.value))
        .filter((value) => value !== undefined);
    if (key !== variablesKey && key !== trainableKey) return items;
    const variables = [...this.variables.values()]
        .filter((v) => key === variablesKey || v.trainable);
    return [...new Set([...variables, ...items])];
  }

  /** Forgets what a collection has. */
  clearCollection(key: string): void {
    this.#collections.delete(key);
  }

  get collectionKeys(): string[] {
    return [...this.#collections.keys()];
  }

  // The same by TensorFlow's names.
  as_default<T>(fn: () => T): T {
    return this.asDefault(fn);
  }
  add_to_collection(key: string, value: unknown): void {
    this.addToCollection(key, value);
  }
  get_collection(key: string): unknown[] {
    return this.getCollection(key);
  }
  unique_name(name: string): string {
    return this.uniqueName(name);
  }
}

let theDefault = new Graph();
const stack: Graph[] = [];

/**
 * The graph that declarations go to.
 *
 * ```js
 * const graph = new tf.Graph();
 * graph.asDefault(() => tf.getDefaultGraph() === graph); // => true
 * ```
 */
export function getDefaultGraph(): Graph {
  return stack.at(-1) ?? theDefault;
}

/** Errors unless the default graph may be replaced. */
export function checkNotNested(): void {
  if (stack.length === 0) return;
  throw runtimeError(
      'Do not use resetDefaultGraph() to clear nested graphs: leave ' +
          'graph.asDefault() first.');
}

/**
 * Makes a new default graph; sessions keep theirs. Errors: within
 * `graph.asDefault`.
 *
 * ```js
 * const before = tf.getDefaultGraph();
 * tf.resetDefaultGraph();
 * tf.getDefaultGraph() === before; // => false
 * ```
 */
export function resetDefaultGraph(): void {
  checkNotNested();
  theDefault = new Graph();
}

onVariable((v) => getDefaultGraph().addVariable(v));
onOptimizer((optimizer) => {
  getDefaultGraph().addOptimizer(optimizer);
});
