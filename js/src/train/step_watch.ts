/**
 * Who listens while a step runs: a session says what may be changed and gets to
 * know optimizers; a worker of a job takes what optimizers would apply, and
 * hears how many examples the step saw. Only for the time of one
 * synchronous call, so that nothing is left behind.
 */
import {TensorError} from '../errors.js';
import type {Tensor} from '../tensor.js';
import {hearAssignments} from '../variable.js';
import type {Variable} from '../variable.js';
import type {Optimizer} from './optimizer.js';

/** Hears what happens in a step. */
export interface StepWatch {
  /** Takes gradients in place of their being applied. */
  gradients(
    optimizer: Optimizer,
    gradients: readonly (readonly [Variable, Tensor])[]): void;
  /** `by` says who counted: programs know better than models. */
  examples(count: number, by: 'program' | 'model'): void;
}

let current: StepWatch | undefined;

/** Who listens now. */
export function watching(): StepWatch | undefined {
  return current;
}

/** Runs `f`, which must be synchronous, with `watch` listening. */
export function watchStep<T>(watch: StepWatch, f: () => T): T {
  const before = current;
  current = watch;
  try {
    return f();
  } finally {
    current = before;
  }
}

/** Looks after what a step changes. */
export interface StepGuard {
  /** Errors: the step must not change `v`. */
  check(v: Variable): void;
  /** `optimizer` will update; of the `fresh` it remembers nothing yet. */
  updating(optimizer: Optimizer, fresh: readonly Variable[]): void;
}

let guard: StepGuard | undefined;

/** Who looks after the step that runs now. */
export function guarding(): StepGuard | undefined {
  return guard;
}

/** Runs `f`, which must be synchronous, with `own` looking after it. */
export function guardStep<T>(own: StepGuard, f: () => T): T {
  const before = guard;
  guard = own;
  try {
    return hearAssignments((v, _, assign) => {
      own.check(v);
      assign();
    }, f);
  } finally {
    guard = before;
  }
}

/** Tells how many examples a model was trained on. */
export function noteExamples(count: number): void {
  current?.examples(count, 'model');
}

/**
 * Tells, within a step, of how many examples its loss is the mean. The chief of
 * a job weighs the gradients of its workers by it. Needed only where batches
 * differ in size and the step neither calls `model.trainStep` nor is fed; in
 * steps of other sessions it does nothing.
 *
 * Errors: no number above 0.
 *
 * ```js
 * const train = tf.train.step('train', () => {
 *   const batch = [1, 2, 3];
 *   tf.train.countExamples(batch.length);
 *   return {size: batch.length};
 * });
 * await tf.train.withMonitoredTrainingSession(
 *     {}, async (sess) => (await sess.run(train)).size); // => 3
 * tf.resetDefaultGraph();
 * ```
 */
export function countExamples(count: number): void {
  if (!(count > 0) || count === Infinity) {
    throw new TensorError(
        'argument', `countExamples: ${count} is no number above 0`);
  }
  current?.examples(count, 'program');
}

// Of weights with constraints: what keeps them after an update.
const keepers = new WeakMap<Variable, () => void>();

/** Makes `f` run after updates of `v` that were computed elsewhere. */
export function afterUpdate(v: Variable, f: () => void): void {
  keepers.set(v, f);
}

/** Runs what `afterUpdate` was given for `v`. */
export function updated(v: Variable): void {
  keepers.get(v)?.();
}
