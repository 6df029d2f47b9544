/**
 * What a session looks after while it runs a step: that all that is trained is
 * saved, and optimizers that come late. Those are made, or first used in this
 * graph, by a step, when the checkpoint is restored already: what it has of
 * optimizers and nobody took waits for them here, and later checkpoints have
 * it too.
 */
import type {Optimizer} from '../optimizer.js';
import type {StepGuard} from '../step_watch.js';
import {unheard} from '../../variable.js';
import type {CheckpointReader, HostTensor} from './checkpoint_reader.js';
import type {LogFunction} from './clock.js';
import {runtimeError} from './errors.js';
import type {Graph} from './graph.js';
import {noteArrival, restoreFrom, saveablesOf} from './saveables.js';
import type {Saveables} from './saveables.js';

/** What was restored by none so far. */
interface Unclaimed {
  readonly hosts: Map<string, HostTensor>;
  readonly log: LogFunction;
  /** Steps that were run since. */
  readonly run: Set<string>;
  /** Kinds of optimizers that a warning was given for. */
  readonly ordered: Set<string>;
}

const ofGraphs = new WeakMap<Graph, Unclaimed>();
// What was told last, for recoveries restore the same again.
const told = new WeakMap<Graph, string>();
const most = 10;
const hearers = new WeakMap<object, (optimizer: Optimizer) => void>();

/** Makes `f` hear of optimizers that come late, whenever they make slots. */
export function onLateOptimizer(
    session: object, f: (optimizer: Optimizer) => void): void {
  hearers.set(session, f);
}

/** Names as a message lists them. */
export function namesShown(names: readonly string[]): string {
  const rest = names.length - most;
  return names.slice(0, most).map((name) => `'${name}'`).join(', ') +
      (rest > 0 ? ` and ${rest} more` : '');
}

/**
 * Optimizers make their slots now: later they would start at zero in silence,
 * whatever a checkpoint has. Those that come late have what they use.
 */
export function prepareOptimizers(graph: Graph): void {
  const trainable = [...graph.variables.values()].filter((v) => v.trainable);
  graph.enter(() => {
    for (const optimizer of graph.optimizers) {
      if (!graph.isLate(optimizer)) optimizer.prepare(trainable);
    }
  });
}

/** Keeps what of a checkpoint is optimizers' and is not among `saveables`. */
export async function keepUnclaimed(
    session: unknown, graph: Graph, saveables: Saveables,
    reader: CheckpointReader, log: LogFunction): Promise<void> {
  ofGraphs.delete(graph);
  // By hand and without a session, nobody will train on.
  if (session === null && !graph.finalized) return;
  const {variables} = graph;
  const hosts = new Map<string, HostTensor>();
  for (const {name, dtype, sliced} of reader.entries.values()) {
    const owner = /^(.+)\/[A-Z]\w*$/.exec(name)?.[1];
    const isState = owner !== undefined ? variables.has(owner) :
      /^(beta[12]_power|[A-Z]\w*\/iterations)(_\d+)?$/.test(name);
    if (!isState || saveables.has(name) || sliced || dtype === 'string' ||
        dtype.startsWith('DT_')) {
      continue;
    }
    hosts.set(name, await reader.getTensor(name));
  }
  if (hosts.size === 0) return;
  ofGraphs.set(graph, {hosts, log, run: new Set(), ordered: new Set()});
}

/** Forgets what waits: the graph's variables are of another start now. */
export function forgetUnclaimed(graph: Graph): void {
  ofGraphs.delete(graph);
  told.delete(graph);
}

/** What still waits for an optimizer. */
export function unclaimed(graph: Graph): ReadonlyMap<string, HostTensor> {
  return ofGraphs.get(graph)?.hosts ?? new Map<string, HostTensor>();
}

/** True when every step that there is was run since the restore. */
const allRun = (graph: Graph, {run}: Unclaimed): boolean =>
  graph.functions.every((f) => f.kind !== 'step' || run.has(f.name));

/** After a step: when all were run, a warning names what waits still. */
export function noteStep(graph: Graph, name: string): void {
  const waiting = ofGraphs.get(graph);
  if (waiting === undefined) return;
  const {hosts, log, run} = waiting;
  if (hosts.size === 0) ofGraphs.delete(graph);
  if (hosts.size === 0 || run.has(name)) return;
  run.add(name);
  if (!allRun(graph, waiting)) return;
  const names = namesShown([...hosts.keys()]);
  if (told.get(graph) === names) return;
  told.set(graph, names);
  log(`restore: no optimizer has taken ${names} of the checkpoint so far: ` +
      'later checkpoints keep it. Was the optimizer changed?', 'warn');
}

/**
 * Warns where the order of first use decides: the checkpoint has several
 * optimizers of this kind that come late, and names tell only their numbers.
 */
function warnOfOrder(
    optimizer: Optimizer, {hosts, log, ordered}: Unclaimed): void {
  const kind = optimizer.getClassName();
  if (ordered.has(kind)) return;
  const slots = Math.max(1, optimizer.slots().length /
      new Set(optimizer.slots().map(({owner}) => owner)).size);
  const counts = new Map<string, number>();
  for (const name of hosts.keys()) {
    const [, of, key] =
        /^(?:(.+)\/)?([A-Z][A-Za-z]*\/iterations|[A-Z][A-Za-z]*)(?:_\d+)?$/
            .exec(name) ?? [];
    if (key?.replace('/iterations', '').toLowerCase() !== kind.toLowerCase()) {
      continue;
    }
    const group = `${of ?? ''}/${key}`;
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  const several = [...counts].some(([group, n]) =>
    n > (group.endsWith('/iterations') ? 1 : slots));
  if (!several) return;
  ordered.add(kind);
  log(`restore: the checkpoint has several optimizers of the kind ${kind} that ` +
      'were first used in steps, and gives what it has of them in the order ' +
      'in which they are used now. If that may be another order than then, ' +
      'make them before the session', 'warn');
}

/** What a step may do in a session's graph. */
export function stepGuard(
    session: object, graph: Graph, step: string): StepGuard {
  return {
    check(v) {
      if (!graph.isForeign(v)) return;
      throw runtimeError(
          `run: the step '${step}' changes the variable '${v.name}', which is ` +
              "not in the session's graph, so that no checkpoint would have " +
              'it: it was made in another tf.Graph, or before clear_session() ' +
              'or resetDefaultGraph(). Make it after that, or take it in with ' +
              'tf.getDefaultGraph().addVariable(v) before the session is made');
    },
    updating(optimizer, fresh) {
      const joined = graph.addOptimizer(optimizer);
      if (fresh.length === 0 && !joined) return;
      noteArrival(optimizer, graph, fresh, joined);
      if (graph.isLate(optimizer)) hearers.get(session)?.(optimizer);
      const waiting = ofGraphs.get(graph);
      if (waiting === undefined) return;
      warnOfOrder(optimizer, waiting);
      const {hosts} = waiting;
      const saveables = saveablesOf(graph, true);
      const taken = [...saveables.keys()].filter((name) => hosts.has(name));
      if (taken.length > 0 && allRun(graph, waiting)) {
        waiting.log(`restore: ${optimizer.getClassName()} takes ${
          namesShown(taken)} of the checkpoint only now: if it is another ` +
            'optimizer, make it before the session', 'warn');
      }
      // It is the checkpoint that gives them, no part of what the step does.
      unheard(() => restoreFrom(saveables, hosts));
      for (const name of saveables.keys()) hosts.delete(name);
    },
  };
}
