/**
 * The session of a worker: its steps compute gradients with the chief's weights
 * and wait until the chief has applied them.
 */
import {loadFormats} from '../../io/formats.js';
import {isTensor} from '../../tensor.js';
import type {Tensor} from '../../tensor.js';
import {Variable, hearAssignments} from '../../variable.js';
import {watchStep} from '../step_watch.js';
import type {Clock} from '../session/clock.js';
import type {Coordinator} from '../session/coordinator.js';
import {OutOfRangeError} from '../session/errors.js';
import {getGlobalStep} from '../session/global_step.js';
import type {Graph} from '../session/graph.js';
import type {Feeds} from '../session/placeholder.js';
import {Session} from '../session/session.js';
import type {FetchRequest, RunMetadata, RunOptions} from '../session/session.js';
import type {GraphFunction} from '../session/step.js';
import {addSummaries, collectSummaries, summariesWanted} from '../session/summary.js';
import type {SummaryValues} from '../session/summary.js';
import type {ChiefLine} from './chief_line.js';
import {stepsOf} from './chief_session.js';
import type {StepPart, ToWorker, Update} from './messages.js';
import {buffersOf, scalarsOf, unpackWeights, valuesOf} from './values.js';

/** What a worker's session tells its task. */
export interface WorkerEvents {
  coordinate(coord: Coordinator): void;
  left(error: unknown): void;
}

type Work = Extract<ToWorker, {type: 'work'}>;

/** What the steps of a run have told so far. */
interface Told {
  readonly parts: Record<string, StepPart>;
  readonly summaries: boolean;
  count: number | undefined;
}

/** A session whose steps go to a chief. */
export class WorkerSession extends Session {
  static override readonly className: string = 'WorkerSession';
  #coord: Coordinator | undefined;
  #told: Told | undefined;

  constructor(
      graph: Graph, clock: Clock, timeoutInMs: number,
      readonly line: ChiefLine, private readonly events: WorkerEvents) {
    super(graph, clock, timeoutInMs);
  }

  override async runAll(
      requests: readonly FetchRequest[], feeds: Feeds | null = null,
      options: RunOptions | null = null,
      runMetadata: RunMetadata | null = null): Promise<unknown[]> {
    const steps = stepsOf(requests);
    if (steps.length === 0) {
      return super.runAll(requests, feeds, options, runMetadata);
    }
    this.plan(requests, feeds);
    const {line} = this;
    line.send(
        {type: 'pull', epoch: line.epoch, version: line.version, steps});
    let results: unknown[] = [];
    for (;;) {
      const message = await line.next();
      if (message.type === 'work') {
        if (message.summaries) await loadFormats();
        this.#take(message);
        this.#told =
            {parts: {}, summaries: message.summaries, count: undefined};
        const told = this.#told;
        try {
          results = await super.runAll(requests, feeds, options, runMetadata);
        } finally {
          this.#told = undefined;
        }
        const {epoch, round, step, version} = message;
        line.send({
          type: 'gradients', epoch, round, step, version,
          count: told.count ?? 1, parts: told.parts,
        }, buffersOf(told.parts));
      } else {
        const {stop} = message.type === 'published' ? message : {stop: true};
        if (stop) this.#coord?.requestStop();
        if (message.type === 'published') {
          getGlobalStep(this.graph)?.assign(message.step);
          return results;
        }
        throw new OutOfRangeError('the chief of the job has ended training');
      }
    }
  }

  #take({weights, version, step}: Work): void {
    if (weights !== null) unpackWeights(this.graph, weights);
    this.line.version = version;
    getGlobalStep(this.graph)?.assign(step);
  }

  protected override invoke(
      f: GraphFunction, inputs: () => Record<string, Tensor>): unknown {
    const told = this.#told;
    if (f.kind !== 'step' || told === undefined) {
      return super.invoke(f, inputs);
    }
    const updates: Update[] = [];
    const assigned = new Set<Variable>();
    const summaries = new Map<string, SummaryValues>();
    const {graph} = this;
    const names = new Map([...graph.variables].map(([name, v]) => [v, name]));
    const nameOf = (v: Variable): string => names.get(v) ?? v.name;
    let counted: number | undefined;
    let seen: number | undefined;
    const fed = inputs();
    const call = (): unknown => watchStep({
      gradients: (optimizer, gradients) => {
        updates.push({
          optimizer: graph.optimizers.indexOf(optimizer),
          kind: optimizer.getClassName(),
          gradients: gradients.map(([v, g]) => valuesOf(nameOf(v), g)),
        });
      },
      examples: (n, by) => {
        if (by === 'program') counted = n;
        else seen ??= n;
      },
    }, () => hearAssignments((v, _, assign) => {
      assign();
      assigned.add(v);
    }, () => super.invoke(f, () => fed)));
    const wanted = told.summaries || summariesWanted();
    const result = collectSummaries(wanted ? summaries : undefined, call);
    addSummaries(summaries);
    told.count ??= counted ?? seen ?? batchOf(fed);
    told.parts[f.name] = {
      updates,
      assigned: [...assigned].filter((v) => names.has(v))
          .map((v) => valuesOf(nameOf(v), v)),
      scalars: scalarsOf(result),
      summaries: told.summaries ? [...summaries] : null,
    };
    return result;
  }

  coordinate(coord: Coordinator): void {
    this.#coord = coord;
    this.line.onStop = () => coord.requestStop();
    this.events.coordinate(coord);
  }

  leave(error: unknown): void {
    if (error === undefined) {
      this.line.send({type: 'left', epoch: this.line.epoch});
    }
    this.events.left(error);
  }

  override async close(): Promise<void> {
    this.line.close();
    await super.close();
  }
}

/** The length of the first thing fed that has one. */
function batchOf(fed: Record<string, Tensor>): number | undefined {
  const first = Object.values(fed).find((x) => isTensor(x) && x.rank > 0);
  return first?.shape[0];
}
