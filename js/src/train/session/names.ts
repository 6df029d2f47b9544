/** Names that hooks ask for. */
import {InvalidArgumentError} from './errors.js';
import {leavesOf} from './fetches.js';
import type {Graph} from './graph.js';

/**
 * Errors: a name that no run of this graph could ever give. A function that is
 * there may still not be in a run, or not return such a part.
 */
export function checkNamed(who: string, fetches: unknown, graph: Graph): void {
  for (const leaf of leavesOf(fetches)) {
    if (typeof leaf !== 'string') continue;
    const name = leaf.replace(/:0$/, '');
    const known = name === 'global_step' || /^summary_op(\/|$)/.test(name) ||
        graph.has(name) ||
        graph.functions.some((f) => name.startsWith(`${f.name}/`));
    if (known) continue;
    throw new InvalidArgumentError(
        `${who}: the graph has nothing of the name '${leaf}'`);
  }
}
