/**
 * What a session looks after while it runs a step: that all that is trained is
 * saved, and optimizers that come late. Those are made, or first used in this
 * graph, by a step, when the checkpoint is restored already: what it has of
 * optimizers and nobody took waits for them here. Until all steps were run,
 * checkpoints have it too.
 */
import type {Optimizer} from '../optimizer.js';
import type {StepGuard} from '../step_watch.js';
import {unheard} from '../../variable.js';
import type {CheckpointReader, HostTensor} from './checkpoint_reader.js';
import type {LogFunction} from './clock.js';
import {runtimeError} from './errors.js';
import type {Graph} from './graph.js';
import {noteLate, restoreFrom, saveablesOf} from './saveables.js';
import type {Saveables} from './saveables.js';

/** What was restored by none so far. */
interface Unclaimed {
  readonly hosts: Map<string, HostTensor>;
  readonly log: LogFunction;
  /** Steps that were run since. */
  readonly run: Set<string>;
}

const ofSessions = new WeakMap<object, Unclaimed>();
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
    session: object, graph: Graph, saveables: Saveables,
    reader: CheckpointReader, log: LogFunction): Promise<void> {
  ofSessions.delete(session);
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
  if (hosts.size > 0) ofSessions.set(session, {hosts, log, run: new Set()});
}

/** What still waits for an optimizer. */
export function unclaimed(
    session: object | null): ReadonlyMap<string, HostTensor> {
  return (session && ofSessions.get(session)?.hosts) ?? new Map();
}

/** After a step: what waits in vain is dropped, with a warning. */
export function noteStep(session: object, graph: Graph, name: string): void {
  const waiting = ofSessions.get(session);
  if (waiting === undefined) return;
  const {hosts, log, run} = waiting;
  run.add(name);
  const all = graph.functions.every((f) => f.kind !== 'step' || run.has(f.name));
  if (hosts.size > 0 && !all) return;
  ofSessions.delete(session);
  const names = namesShown([...hosts.keys()]);
  if (hosts.size === 0 || told.get(graph) === names) return;
  told.set(graph, names);
  log(`restore: no optimizer has taken ${names} of the checkpoint: later ` +
      'checkpoints are without. Was the optimizer changed?', 'warn');
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
      for (const slot of optimizer.slots()) {
        if (fresh.some(({name}) => name === slot.owner)) {
          noteLate(optimizer, slot);
        }
      }
      if (graph.isLate(optimizer)) hearers.get(session)?.(optimizer);
      const hosts = ofSessions.get(session)?.hosts;
      if (hosts === undefined) return;
      const saveables = saveablesOf(graph, true);
      // It is the checkpoint that gives them, no part of what the step does.
      unheard(() => restoreFrom(saveables, hosts));
      for (const name of saveables.keys()) hosts.delete(name);
    },
  };
}
