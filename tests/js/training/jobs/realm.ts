// A chief and workers in one realm: a graph each, with lines between them. What
// each worker's step does is given as data.
import * as tf from '../../../../js/src/index.js';
import { ChiefLine } from '../../../../js/src/train/jobs/chief_line.js';
import { ChiefSession } from '../../../../js/src/train/jobs/chief_session.js';
import { Crew } from '../../../../js/src/train/jobs/crew.js';
import type { ToChief, ToWorker } from '../../../../js/src/train/jobs/messages.js';
import { WorkerSession } from '../../../../js/src/train/jobs/worker_session.js';
import type { Coordinator } from '../../../../js/src/train/session/coordinator.js';
import { systemClock } from '../../../../js/src/train/session/clock.js';
import type { GraphFunction } from '../../../../js/src/train/session/step.js';
import { numberedVariable } from '../../../../js/src/variable.js';

/** What one call of a worker's step does. */
export interface Act {
  gradient?: number[];
  count?: number;
  loss?: number;
  assign?: number[];
}

export interface Side {
  graph: tf.Graph;
  w: tf.Variable;
  average: tf.Variable;
  optimizer: tf.Optimizer;
  train: GraphFunction<{ loss: number }>;
}

/** Variables of other graphs get other names in the engine. */
export function makeSide(act: () => Act = () => ({}), optimizer = () => tf.train.sgd(1) as tf.Optimizer): Side {
  const graph = new tf.Graph();
  return graph.asDefault(() => {
    const w = tf.tidy(() => numberedVariable(tf.tensor1d([1, 2]), true, 'w', 'float32'));
    const average = tf.tidy(() => numberedVariable(tf.tensor1d([0, 0]), false, 'average', 'float32'));
    const own = optimizer();
    const train = tf.train.step('train', () => {
      const { gradient, count, loss = 0, assign } = act();
      if (count !== undefined) tf.train.countExamples(count);
      if (gradient) own.applyGradients([{ name: w.name, tensor: tf.tensor1d(gradient) }]);
      if (assign) average.assign(tf.tensor1d(assign));
      tf.summary.scalar('loss', loss);
      return { loss };
    });
    return { graph, w, average, optimizer: own, train };
  });
}

export class Realm {
  readonly chief: Side;
  readonly crew: Crew;
  readonly session: ChiefSession;
  readonly events: unknown[] = [];
  readonly #closers: (() => void)[] = [];

  constructor(size: number, epoch = 1000, optimizer?: () => tf.Optimizer) {
    this.chief = makeSide(undefined, optimizer);
    this.crew = new Crew(size, epoch);
    this.session = this.chiefSession(this.crew);
  }

  chiefSession(crew: Crew): ChiefSession {
    return new ChiefSession(this.chief.graph, systemClock, 0, crew, {
      coordinate: () => {},
      stepped: () => this.events.push('stepped'),
      left: (error) => this.events.push(['left', error]),
      closed: () => {},
    });
  }

  /** A line to a worker that is a session, which has been let in. */
  async line(index: number, crew = this.crew): Promise<ChiefLine> {
    const { port1, port2 } = new MessageChannel();
    crew.welcome();
    crew.add(index, port1);
    let letIn = (): void => {};
    const line = new ChiefLine(port2, () => letIn());
    this.#closers.push(() => line.close());
    while (!line.ready) await new Promise<void>((resolve) => (letIn = resolve));
    return line;
  }

  worker(side: Side, line: ChiefLine): WorkerSession {
    return new WorkerSession(side.graph, systemClock, 0, line, { coordinate: (_coord: Coordinator) => {}, left: () => {} });
  }

  /** A line to a worker that the test plays itself, message by message. */
  raw(index: number): { send(message: ToChief): void; next(): Promise<ToWorker> } {
    const { port1, port2 } = new MessageChannel();
    const queue: ToWorker[] = [];
    let wake = (): void => {};
    port2.onmessage = ({ data }: MessageEvent<ToWorker>) => {
      queue.push(data);
      wake();
    };
    this.crew.add(index, port1);
    this.#closers.push(() => port2.close());
    return {
      send: (message) => port2.postMessage(message),
      next: async () => {
        while (queue.length === 0) await new Promise<void>((resolve) => (wake = resolve));
        return queue.shift()!;
      },
    };
  }

  close(): void {
    this.crew.close(false);
    for (const close of this.#closers) close();
  }
}

/** Lets all messages that are under way arrive. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 1));
}
