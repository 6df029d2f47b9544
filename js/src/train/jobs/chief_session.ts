/**
 * The session of a chief: steps are made by workers, and here their gradients
 * are applied, averaged. Everything else runs in this realm.
 */
import type {Tensor} from '../../tensor.js';
import {tidy} from '../../scope.js';
import type {Optimizer} from '../optimizer.js';
import {updated} from '../step_watch.js';
import type {Clock} from '../session/clock.js';
import type {Coordinator} from '../session/coordinator.js';
import {InvalidArgumentError} from '../session/errors.js';
import {leavesOf} from '../session/fetches.js';
import {getGlobalStep} from '../session/global_step.js';
import type {Graph} from '../session/graph.js';
import type {Feeds} from '../session/placeholder.js';
import {Session, wantsSummaries} from '../session/session.js';
import type {FetchRequest, RunMetadata, RunOptions} from '../session/session.js';
import {GraphFunction} from '../session/step.js';
import {addSummaries} from '../session/summary.js';
import type {Crew} from './crew.js';
import type {Contribution, Update, Weights} from './messages.js';
import {average, packWeights, tensorOf} from './values.js';

/** The steps among what is asked for, in order. */
export function stepsOf(requests: readonly FetchRequest[]): string[] {
  const found = requests.flatMap(({fetches}) => leavesOf(fetches))
      .filter((leaf): leaf is GraphFunction =>
        leaf instanceof GraphFunction && leaf.kind === 'step');
  return [...new Set(found.map(({name}) => name))];
}

/** What a chief's session tells its task. */
export interface ChiefEvents {
  coordinate(coord: Coordinator): void;
  /** A step was made. */
  stepped(): void;
  /** Training has ended. */
  left(error: unknown): void;
  closed(): void;
}

/** A session whose steps are made by workers. */
export class ChiefSession extends Session {
  static override readonly className: string = 'ChiefSession';
  #version = 1;
  #given: Contribution[] | undefined;
  #packed: Weights | undefined;
  #published = true;
  #left = false;

  constructor(
      graph: Graph, clock: Clock, timeoutInMs: number, readonly crew: Crew,
      private readonly events: ChiefEvents) {
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
    this.crew.welcome();
    this.#publish(false);
    const summaries = wantsSummaries(requests.map(({fetches}) => fetches));
    // Variables may have been assigned between runs.
    this.#packed = undefined;
    this.#given = await this.crew.gather({
      steps, summaries, version: this.#version, step: this.#step(),
      weights: () => this.#weights(),
    });
    try {
      const results =
          await super.runAll(requests, feeds, options, runMetadata);
      this.events.stepped();
      return results;
    } finally {
      this.#version++;
      this.#published = false;
      this.#given = undefined;
      this.#packed = undefined;
    }
  }

  protected override feeds(f: GraphFunction): boolean {
    return f.kind !== 'step';
  }

  protected override invoke(
      f: GraphFunction, inputs: () => Record<string, Tensor>): unknown {
    const given = this.#given;
    if (f.kind !== 'step' || given === undefined) {
      return super.invoke(f, inputs);
    }
    const {updates, assigned, scalars, summaries} = average(given, f.name);
    for (const values of assigned) {
      const v = this.#variable(values.name, f);
      tidy(() => v.assign(tensorOf(values)));
    }
    for (const update of updates) this.#apply(update, f);
    if (summaries !== null) addSummaries(summaries);
    return scalars;
  }

  #apply({optimizer: place, kind, gradients}: Update, f: GraphFunction): void {
    const optimizer: Optimizer | undefined = this.graph.optimizers[place];
    if (optimizer?.getClassName() !== kind) {
      throw new InvalidArgumentError(
          `run: '${f.name}' updates with a ${kind} that the chief has not: ` +
              'make optimizers before the session, not in the step');
    }
    const variables = gradients.map(({name}) => this.#variable(name, f));
    this.graph.enter(() => tidy(() => optimizer.applyGradients(
        gradients.map((g, i) =>
          ({name: variables[i]!.name, tensor: tensorOf(g)})))));
    variables.forEach(updated);
  }

  #variable(name: string, f: GraphFunction) {
    const v = this.graph.variableNamed(name);
    if (v !== undefined) return v;
    throw new InvalidArgumentError(
        `run: '${f.name}' changes the variable '${name}', which the chief has ` +
            'not: make variables and build models before the session');
  }

  #step(): number {
    return getGlobalStep(this.graph)?.number ?? 0;
  }

  // Packed once a run, copied for each worker.
  #weights(): Weights {
    const {places, bytes} = this.#packed ??= packWeights(this.graph);
    return {places, bytes: bytes.slice(0)};
  }

  #publish(stop: boolean): void {
    if (this.#published) return;
    this.#published = true;
    this.crew.publish(this.#step(), stop);
  }

  coordinate(coord: Coordinator): void {
    this.events.coordinate(coord);
  }

  leave(error: unknown): void {
    this.#left = error === undefined;
    if (this.#left) this.#publish(true);
    this.events.left(error);
  }

  override async close(): Promise<void> {
    this.crew.close(this.#left);
    this.events.closed();
    await super.close();
  }
}
