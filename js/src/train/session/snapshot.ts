/** What a graph's variables were at one moment: references, no copies. */
import {clone} from '../../ops/creation.js';
import {keep, tidy} from '../../scope.js';
import type {Tensor} from '../../tensor.js';
import type {Variable} from '../../variable.js';
import type {Optimizer} from '../optimizer.js';
import {getGlobalStep} from './global_step.js';
import type {Graph} from './graph.js';
import {resetLate, resetLateSlot, slotsIn} from './saveables.js';

/** Variables, slots and counters of a graph at one moment. */
export class Snapshot {
  readonly #values: [Variable, Tensor][] = [];
  readonly #iterations: [Optimizer, number][] = [];
  readonly #step: bigint;
  readonly #graph: Graph;

  constructor(graph: Graph) {
    this.#graph = graph;
    this.#step = getGlobalStep(graph)?.bigint ?? 0n;
    const variables = new Set(graph.variables.values());
    for (const optimizer of graph.optimizers) {
      this.#iterations.push([optimizer, optimizer.iterations]);
      for (const {value} of slotsIn(graph, optimizer)) variables.add(value);
    }
    for (const v of variables) {
      if (v.isDisposed) continue;
      this.#values.push([v, tidy(() => keep(clone(v)))]);
    }
  }

  /** Gives all of them the values they had; what came later starts anew. */
  restore(): void {
    const known = new Set<unknown>();
    for (const [v, value] of this.#values) {
      known.add(v);
      if (!v.isDisposed) v.assign(value);
    }
    for (const [optimizer, n] of this.#iterations) {
      known.add(optimizer);
      optimizer.resume(n);
    }
    for (const optimizer of this.#graph.optimizers) {
      if (!known.has(optimizer)) resetLate(optimizer);
      for (const slot of slotsIn(this.#graph, optimizer)) {
        if (!known.has(slot.value)) resetLateSlot(optimizer, slot);
      }
    }
    getGlobalStep(this.#graph)?.assign(this.#step);
  }

  /** Lets go of the values. */
  dispose(): void {
    for (const [, value] of this.#values) value.dispose();
    this.#values.length = 0;
  }
}
