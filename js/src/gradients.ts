/**
 * Gradients. C++ records, differentiates and sums; JavaScript runs the user's
 * functions, between calls and never from inside one.
 */
import {TensorError} from './errors.js';
import {answer, checked, done, list, mark, raise, release, wasm} from './module.js';
import {op} from './op.js';
import type {TensorLike} from './op.js';
import {dispose, keep, tidy} from './scope.js';
import {Tensor, handleOf, isTensor, wrap} from './tensor.js';
import type {Scalar} from './tensor.js';
import {Variable, registeredVariables} from './variable.js';

/** Saves tensors for a custom gradient's backward function. */
export type GradSaveFunc = (save: Tensor[]) => void;
type GradientFunction = (dy: Tensor, saved: Tensor[]) => Tensor | Tensor[];
/** What `customGrad` takes: inputs, then `save`; gives value and gradFunc. */
export type CustomGradientFunc<T extends Tensor> =
  (...inputs: (Tensor | GradSaveFunc)[]) =>
    {value: T, gradFunc: GradientFunction};

// Gradient functions that recorded nodes refer to, with what they saved. They
// go when the outermost tape does.
const custom = new Map<number, {run: GradientFunction, saved: Tensor[]}>();
let nextCustom = 1;

function dropCustom(): void {
  if (wasm.tapeDepth() > 0) return;
  for (const {saved} of custom.values()) dispose(saved);
  custom.clear();
}

/** Forgets every recorded gradient function, as the engine's reset does. */
export function resetGradients(): void {
  custom.clear();
}

interface Gradients<T extends Tensor> {
  value: T;
  /** In the order of xs; null where the value does not depend on x. */
  grads: (Tensor | null)[];
}

/** Value and gradients of f() with respect to xs; all else is freed. */
function gradients<T extends Tensor>(
    f: () => T, xs: readonly Tensor[], dy?: Tensor): Gradients<T> {
  return tidy('gradients', () => {
    const position = mark();
    const depth = wasm.tapeDepth();
    try {
      done(wasm.tapeOpen(list(xs.map(handleOf))));
      release(position);
      const value = tidy('forward', f);
      if (!isTensor(value)) {
        throw new TensorError(
            'argument', 'The result y returned by f() must be a tensor.');
      }
      return {value, grads: tidy('backward', () => backward(value, xs, dy))};
    } finally {
      release(position);
      while (wasm.tapeDepth() > depth) wasm.tapeDrop();
      dropCustom();
    }
  });
}

function backward(
    y: Tensor, xs: readonly Tensor[], dy?: Tensor): (Tensor | null)[] {
  const position = mark();
  done(wasm.backwardOpen(
      handleOf(y), list(xs.map(handleOf)), dy ? handleOf(dy) : 0));
  release(position);
  try {
    for (;;) {
      const id = checked(wasm.backwardStep());
      if (id === 0) break;
      answerCustom(id);
    }
  } catch (error) {
    wasm.backwardDrop();
    throw error;
  }
  const n = wasm.backwardClose();
  if (n < 0) raise();
  return answer(n).map((handle) => (handle === 0 ? null : wrap(handle)));
}

function answerCustom(id: number): void {
  const entry = custom.get(id);
  if (entry === undefined) {
    throw new TensorError('internal', `customGrad: no function ${id}`);
  }
  tidy('customGrad', () => {
    const dy = wrap(wasm.backwardDy());
    const result = entry.run(dy, entry.saved);
    const grads = Array.isArray(result) ? result : [result];
    if (!grads.every(isTensor)) {
      throw new TensorError(
          'callback', 'The function f passed in customGrad(f) must return an ' +
              'object where `obj.gradFunc` is a function that returns a list ' +
              'of only tensors.');
    }
    const position = mark();
    try {
      done(wasm.backwardAnswer(list(grads.map(handleOf))), 'customGrad');
    } finally {
      release(position);
    }
  });
}

function assertFunction(f: unknown, name: string): void {
  if (typeof f !== 'function') {
    throw new TensorError(
        'argument', `The f passed in ${name}(f) must be a function`);
  }
}

function toTensor(name: string, position: string, x: TensorLike): Tensor {
  return isTensor(x) ? x : op(name, (arg) => wasm.clone(arg(position, x)));
}

function checkDy(name: string, value: Tensor, dy?: Tensor): void {
  if (dy === undefined) return;
  const [a, b] = [value.shape as number[], dy.shape as number[]];
  if (a.length !== b.length || a.some((n, i) => n !== b[i])) {
    throw new TensorError(
        'shape', `The shape of dy passed in ${name}(f)(x, dy) must match the ` +
            `shape returned by f(x): dy is [${b}], f(x) is [${a}]`);
  }
}

function connected(grads: (Tensor | null)[]): Tensor[] {
  if (grads.some((g) => g === null)) {
    throw new TensorError(
        'argument', 'Cannot compute gradient of y=f(x) with respect to x. ' +
            'Make sure that the f you passed encloses all operations that ' +
            'lead from x to y.');
  }
  return grads as Tensor[];
}

function valueAndGradsOf<T extends Tensor>(
    name: string, f: (...args: Tensor[]) => T, args: readonly TensorLike[],
    dy?: TensorLike): {value: T, grads: Tensor[]} {
  return tidy(() => {
    const xs = args.map((x, i) => toTensor(name, `x${i}`, x));
    const seed = dy === undefined || dy === null ? undefined :
      toTensor(name, 'dy', dy);
    const {value, grads} = gradients(() => {
      const y = f(...xs);
      if (isTensor(y)) checkDy(name, y, seed);
      return y;
    }, xs, seed);
    return {value, grads: connected(grads)};
  });
}

/**
 * The gradient of `f(x)`: a function of x, and of dy when f's result is not
 * summed.
 *
 * ```js
 * const df = tf.grad((x) => x.square().mul(x));
 * df(tf.scalar(2)).arraySync(); // => 12
 * ```
 */
export function grad(
    f: (x: Tensor) => Tensor): (x: TensorLike, dy?: TensorLike) => Tensor {
  assertFunction(f, 'grad');
  return (x, dy) => tidy(() => {
    const {grads} = valueAndGradsOf('grad', f, [x], dy);
    return grads[0]!;
  });
}

/**
 * The gradients of `f(x1, x2, …)`: a function of the list of inputs and dy.
 *
 * ```js
 * const [da, db] = tf.grads((a, b) => a.mul(b))([tf.scalar(2), tf.scalar(3)]);
 * [da.arraySync(), db.arraySync()]; // => [3, 2]
 * ```
 */
export function grads(
    f: (...xs: Tensor[]) => Tensor):
    (xs: readonly TensorLike[], dy?: TensorLike) => Tensor[] {
  assertFunction(f, 'grads');
  return (xs, dy) => {
    assertList(xs, 'grads');
    return tidy(() => {
      const {grads} = valueAndGradsOf('grads', f, xs, dy);
      return grads;
    });
  };
}

function assertList(xs: unknown, name: string): void {
  if (!Array.isArray(xs)) {
    throw new TensorError(
        'argument', `The args passed in ${name}(f)(args) must be an array of ` +
            '`Tensor`s or `TensorLike`s');
  }
}

/**
 * Like {@link grad}, but gives the value too.
 *
 * ```js
 * const {value, grad} = tf.valueAndGrad((x) => x.square())(tf.scalar(3));
 * [value.arraySync(), grad.arraySync()]; // => [9, 6]
 * ```
 */
export function valueAndGrad<T extends Tensor>(
    f: (x: Tensor) => T):
    (x: TensorLike, dy?: TensorLike) => {value: T, grad: Tensor} {
  assertFunction(f, 'valueAndGrad');
  return (x, dy) => {
    if (!isTensor(x) && typeof x === 'object' && x === null) {
      throw new TensorError(
          'argument', 'The x passed in valueAndGrad(f)(x) must be a tensor');
    }
    const {value, grads} = valueAndGradsOf('valueAndGrad', f, [x], dy);
    return {value, grad: grads[0]!};
  };
}

/**
 * Like {@link grads}, but gives the value too.
 *
 * ```js
 * const {value, grads} = tf.valueAndGrads((a, b) => a.add(b))([1, 2]);
 * [value.arraySync(), grads.length]; // => [3, 2]
 * ```
 */
export function valueAndGrads<T extends Tensor>(
    f: (...xs: Tensor[]) => T):
    (xs: readonly TensorLike[], dy?: TensorLike) =>
      {value: T, grads: Tensor[]} {
  assertFunction(f, 'valueAndGrads');
  return (xs, dy) => {
    assertList(xs, 'valueAndGrads');
    return valueAndGradsOf('valueAndGrads', f, xs, dy);
  };
}

/**
 * Value of `f()` and its gradients with respect to variables, by name. `f`
 * must return a scalar. Without a list all trainable variables count.
 *
 * ```js
 * const w = tf.variable(tf.scalar(3), true, 'w');
 * const {value, grads} = tf.variableGrads(() => w.square());
 * [value.arraySync(), grads.w.arraySync()]; // => [9, 6]
 * tf.dispose([value, grads, w]);
 * ```
 */
export function variableGrads(
    f: () => Scalar,
    varList?: Variable[]): {value: Scalar, grads: Record<string, Tensor>} {
  assertFunction(f, 'variableGrads');
  if (varList !== undefined &&
      !(Array.isArray(varList) && varList.every((v) => v instanceof Variable))) {
    throw new TensorError(
        'argument', 'The varList passed in variableGrads(f, varList) must be ' +
            'an array of variables');
  }
  const listed = varList ?? Object.values(registeredVariables());
  const trainable = listed.filter((v) => v.trainable);
  if (trainable.length === 0) {
    throw new TensorError(
        'argument', 'variableGrads() expects at least one of the input ' +
            `variables to be trainable, but none of the ${listed.length} ` +
            'variables is trainable.');
  }
  return tidy('variableGrads', () => {
    const {value, grads} = gradients(() => {
      const y = f();
      if (isTensor(y) && y.rank !== 0) {
        throw new TensorError(
            'shape', 'The f passed in variableGrads(f) must return a scalar, ' +
                `but it returned a rank-${y.rank} tensor`);
      }
      return y;
    }, trainable);
    if (grads.every((g) => g === null)) {
      throw new TensorError(
          'argument', 'Cannot find a connection between any variable and the ' +
              'result of the loss function y=f(x). Please make sure the ' +
              'operations that use variables are inside the function f passed ' +
              'to minimize().');
    }
    const named: Record<string, Tensor> = {};
    trainable.forEach((v, i) => {
      if (grads[i]) named[v.name] = grads[i];
    });
    if (varList) {
      for (const v of listed) {
        if (!v.trainable) named[v.name] = null as unknown as Tensor;
      }
    }
    return {value, grads: named};
  });
}

/**
 * Overrides the gradient of `f`, which takes tensors and, last, a function
 * that saves tensors for the backward pass, and returns the value and the
 * function from dy to the inputs' gradients.
 *
 * ```js
 * const clipped = tf.customGrad((x, save) => {
 *   save([x]);
 *   return {value: x.square(), gradFunc: (dy, [x]) => dy.mul(x.sign())};
 * });
 * tf.grad((x) => clipped(x))(tf.scalar(-3)).arraySync(); // => -1
 * ```
 */
export function customGrad<T extends Tensor>(
    f: CustomGradientFunc<T>): (...inputs: Tensor[]) => T {
  assertFunction(f, 'customGrad');
  return (...inputs) => {
    if (!inputs.every(isTensor)) {
      throw new TensorError(
          'argument', 'The args passed in customGrad(f)(x1, x2,...) must all ' +
              'be tensors');
    }
    const saved: Tensor[] = [];
    let fresh = false;
    try {
      const {value, gradFunc} = forward(f, inputs, saved);
      const run: GradientFunction = (dy, kept) => {
        const result = gradFunc(dy, kept);
        const count = Array.isArray(result) ? result.length : 1;
        if (count !== inputs.length) {
          throw new TensorError(
              'callback', 'The function f passed in customGrad(f) must ' +
                  'return an object where `obj.gradFunc` is a function that ' +
                  'returns the same number of tensors as inputs passed to ' +
                  'f(...).');
        }
        return result;
      };
      fresh = record(inputs, value, run, saved);
      return value;
    } finally {
      if (!fresh) dispose(saved);
    }
  };
}

/** Runs a custom function's forward pass with the tape paused. */
function forward<T extends Tensor>(
    f: CustomGradientFunc<T>, inputs: Tensor[], saved: Tensor[]):
    {value: T, gradFunc: GradientFunction} {
  const save: GradSaveFunc = (tensors) => {
    for (const t of tensors) {
      // The same identity, so that outer gradients see through it.
      saved.push(keep(wrap(wasm.alias(handleOf(t)))));
    }
  };
  wasm.tapePause();
  try {
    return tidy('customGrad', () => {
      const made = f(...inputs, save);
      if (!isTensor(made?.value)) {
        throw new TensorError(
            'callback', 'The function f passed in customGrad(f) must return ' +
                'an object where `obj.value` is a tensor');
      }
      if (typeof made.gradFunc !== 'function') {
        throw new TensorError(
            'callback', 'The function f passed in customGrad(f) must return ' +
                'an object where `obj.gradFunc` is a function.');
      }
      // A new identity: f may return one of its inputs.
      const value = inputs.includes(made.value) ?
        wrap<T>(wasm.clone(handleOf(made.value))) : made.value;
      return {value, gradFunc: made.gradFunc};
    });
  } finally {
    wasm.tapeResume();
  }
}

function record(
    inputs: Tensor[], value: Tensor, run: GradientFunction,
    saved: Tensor[]): boolean {
  const id = nextCustom++;
  const position = mark();
  try {
    const recorded = checked(wasm.customRecord(
        id, list(inputs.map(handleOf)), handleOf(value)), 'customGrad');
    if (recorded) custom.set(id, {run, saved});
    return recorded !== 0;
  } finally {
    release(position);
  }
}
