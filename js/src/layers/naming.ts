/**
 * Names of layers, models, weights and symbolic tensors. Two conventions, each
 * with counters of its own: TensorFlow.js' (`dense_Dense1`) and Keras 3's
 * (`dense`, `dense_1`). Both count from the start after `clear_session`.
 */
import {TensorError} from '../errors.js';
import {globalState} from './global_state.js';

/** Whose names automatic names follow. */
export type NamingStyle = 'tfjs' | 'keras';

let style: NamingStyle = 'tfjs';
let forced: NamingStyle | null = null;

/** The convention that names are given by at the moment. */
export function namingStyle(): NamingStyle {
  return forced ?? style;
}

/** Runs `f` with names given by `wanted`. */
export function withNamingStyle<T>(wanted: NamingStyle, f: () => T): T {
  const outer = style;
  style = wanted;
  try {
    return f();
  } finally {
    style = outer;
  }
}

/**
 * Makes every entry point name things one way; null gives `tf.layers` and
 * `tf.keras` each its own again.
 */
export function setNamingStyle(wanted: NamingStyle | null): void {
  if (wanted !== null && wanted !== 'tfjs' && wanted !== 'keras') {
    throw new TensorError(
        'argument', "setNamingStyle: expected 'tfjs', 'keras' or null, got " +
            String(wanted));
  }
  forced = wanted;
}

/** A class name in snake_case, as Keras 3 does it. */
export function kerasSnakeCase(name: string): string {
  return name.replace(/[^\p{L}\p{N}_]/gu, '')
      .replace(/(.)([A-Z][a-z]+)/g, '$1_$2')
      .replace(/([a-z])([A-Z])/g, '$1_$2')
      .toLowerCase();
}

/** A class name in snake_case, as TensorFlow.js does it. */
export function tfjsSnakeCase(name: string): string {
  const snake = name.replace(/(.)([A-Z][a-z0-9]+)/g, '$1_$2')
      .replace(/([a-z])([A-Z])/g, '$1_$2')
      .toLowerCase();
  return snake.startsWith('_') ? `private${snake}` : snake;
}

function countUp(map: Map<string, number>, key: string): number {
  const n = (map.get(key) ?? 0) + 1;
  map.set(key, n);
  return n;
}

/** TensorFlow.js' next name with a prefix: `input1`, `input2`, … */
export function getUid(prefix: string): string {
  return prefix + countUp(globalState().tfjsNames, prefix);
}

/** Keras' next number for a prefix: 1, 2, 3, …; shares the names' counters. */
export function kerasUid(prefix: string): number {
  return countUp(globalState().kerasNames, prefix);
}

/** Keras' next name: `dense`, `dense_1`, … */
export function kerasUnique(name: string): string {
  const n = countUp(globalState().kerasNames, name) - 1;
  return n === 0 ? name : `${name}_${n}`;
}

/** Keras counts from the start again; no other state changes. */
export function resetUids(): void {
  globalState().kerasNames.clear();
  globalState().tfjsNames.clear();
}

/**
 * A name for an object of a class. `tfjsPrefix` is for those that
 * TensorFlow.js names by a prefix: models (`model1`, `sequential_1`), inputs.
 */
export function autoName(className: string, tfjsPrefix?: string): string {
  if (namingStyle() === 'keras') return kerasUnique(kerasSnakeCase(className));
  if (tfjsPrefix !== undefined) return getUid(tfjsPrefix);
  return `${tfjsSnakeCase(className)}_${getUid(className)}`;
}

/** Throws unless a layer, model or scope may have the name. */
export function checkLayerName(what: string, name: unknown): void {
  if (typeof name !== 'string' || name.includes('/')) {
    throw new TensorError(
        'argument', `${what}: the name must be a string without '/', got ` +
            JSON.stringify(name));
  }
}

/** An open name scope; `exit` (or `using`) closes it. */
export class NameScope {
  readonly name: string;
  // Another stack is in force if the session was cleared meanwhile.
  #stack: string[] | undefined;

  constructor(name: string) {
    this.name = name;
  }

  /** Opens the scope. */
  enter(): this {
    this.#stack = globalState().nameScopes;
    this.#stack.push(this.name);
    return this;
  }

  /** Closes the scope; does nothing if it is gone already. */
  exit(): void {
    const at = this.#stack?.lastIndexOf(this.name) ?? -1;
    if (at >= 0) this.#stack!.length = at;
    this.#stack = undefined;
  }

  [Symbol.dispose](): void {
    this.exit();
  }
}

/** Runs `f` with the names of weights and tensors prefixed by `name/`. */
export function nameScope<T>(name: string, f: () => T): T {
  const scope = new NameScope(name).enter();
  try {
    return f();
  } finally {
    scope.exit();
  }
}

/** The name with the open scopes before it. */
export function scopedTensorName(name: string): string {
  return [...globalState().nameScopes, name].join('/');
}

/** The name, or the name with the first number that makes it unused. */
export function uniqueTensorName(name: string): string {
  const used = globalState().tensorNames;
  const n = used.get(name) ?? 0;
  used.set(name, n + 1);
  if (n === 0) return name;
  const numbered = `${name}_${n}`;
  used.set(numbered, (used.get(numbered) ?? 0) + 1);
  return numbered;
}
