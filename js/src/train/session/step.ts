/**
 * Steps and fetches: named functions that a session runs. They are eager; the
 * name is what hooks and `sess.run` ask for.
 */
import type {Tensor} from '../../tensor.js';
import {valueError} from './errors.js';
import {getOrCreateGlobalStep} from './global_step.js';
import {getDefaultGraph} from './graph.js';
import type {FunctionOutput, Graph, Placeholder} from './graph.js';
import {checkPlaceholders} from './placeholder.js';
import type {Recording} from './recorder.js';

/** Placeholders by the names a function knows them by. */
export type Inputs = Readonly<Record<string, Placeholder>>;
/** Their tensors. */
export type InputTensors<I extends Inputs> = {[K in keyof I]: Tensor};

/** A declared function; see {@link step} and {@link fetch}. */
export class GraphFunction<R = unknown> {
  static readonly className: string = 'GraphFunction';
  recorded: Recording | undefined;
  outputs: readonly FunctionOutput[] = [];
  outline: unknown;

  constructor(
      readonly name: string, readonly kind: 'step' | 'fetch',
      readonly inputs: Inputs, readonly call: (inputs: never) => R,
      readonly graph: Graph) {}

  toString(): string {
    return this.name;
  }
}

function declare<R>(
    kind: 'step' | 'fetch', name: string, rest: readonly unknown[])
    : GraphFunction<R> {
  const [inputs, fn] = rest.length === 1 ? [{}, rest[0]] : rest;
  if (typeof name !== 'string' || typeof fn !== 'function' ||
      typeof inputs !== 'object' || inputs === null) {
    throw valueError(
        `${kind}: expected a name, placeholders by name or none, and a function`);
  }
  const graph = getDefaultGraph();
  checkPlaceholders(`${kind} '${name}'`, inputs as Inputs, graph);
  const declared = new GraphFunction<R>(
      name, kind, inputs as Inputs, fn as (inputs: never) => R, graph);
  graph.addFunction(declared);
  return declared;
}

/**
 * Declares a training step: a synchronous function that changes variables. A
 * session that runs it adds one to the global step, which is made here if the
 * graph has none. What it returns can be fetched: all of it by the step, parts
 * by names like `'train/loss'`: tensors, plain values, and arrays and plain
 * objects of these. Its first run is recorded for the graph that
 * TensorBoard shows: kernels are nodes `train/MatMul`, `train/MatMul_1`, ...
 *
 * Takes `(name, fn)` or `(name, {x, y}, fn)` with placeholders. Errors: a name
 * that is taken or illegal; a finalized graph.
 *
 * ```js
 * const w = tf.variable(tf.scalar(2), true, 'w');
 * const sgd = tf.train.sgd(0.25);
 * const train = tf.train.step('train', () =>
 *     ({loss: sgd.minimize(() => w.square(), true, [w])}));
 * const losses = [];
 * await tf.train.withMonitoredTrainingSession({}, async (sess) => {
 *   for (let i = 0; i < 2; i++) losses.push((await sess.run(train)).loss);
 * });
 * losses; // => [4, 1]
 * tf.train.getGlobalStep().number; // => 2
 * w.dispose();
 * tf.resetDefaultGraph();
 * ```
 */
export function step<R>(name: string, fn: () => R): GraphFunction<R>;
export function step<R, I extends Inputs>(
  name: string, inputs: I,
  fn: (inputs: InputTensors<I>) => R): GraphFunction<R>;
export function step<R>(name: string, ...rest: unknown[]): GraphFunction<R> {
  const graph = getDefaultGraph();
  if (!graph.finalized) getOrCreateGlobalStep(graph);
  return declare<R>('step', name, rest);
}

/**
 * Declares a function that computes something to look at: a session can run it
 * any time, and the global step stays. Otherwise as {@link step}.
 *
 * ```js
 * const graph = new tf.Graph();
 * graph.asDefault(() => {
 *   const x = tf.placeholder('float32', [null], 'x');
 *   tf.train.fetch('twice', {x}, ({x}) => x.mul(2));
 * });
 * graph.functions.map((f) => f.name); // => ['twice']
 * ```
 */
export function fetch<R>(name: string, fn: () => R): GraphFunction<R>;
export function fetch<R, I extends Inputs>(
  name: string, inputs: I,
  fn: (inputs: InputTensors<I>) => R): GraphFunction<R>;
export function fetch<R>(name: string, ...rest: unknown[]): GraphFunction<R> {
  return declare<R>('fetch', name, rest);
}
