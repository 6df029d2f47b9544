/**
 * The workers as their chief sees them, and the rounds in which it has gradients
 * from all of them. Nothing here knows what a gradient is.
 *
 * Invariants: a round is over only when every worker that has not ended gave
 * its part under the round's number; losing a worker gives the round a new
 * number, so that all parts of before are late; workers hear of a step only
 * when the chief begins the next one or ends, so that they know whether to stop.
 */
import {InvalidArgumentError, OutOfRangeError} from '../session/errors.js';
import type {Contribution, ToChief, ToWorker, Weights} from './messages.js';
import {Line} from './platform.js';

/** What the chief's run is about. */
export interface RoundRequest {
  /** The steps it makes, in order. */
  readonly steps: readonly string[];
  /** The global step before them. */
  readonly step: number;
  readonly version: number;
  readonly summaries: boolean;
  /** A copy of all weights, to be given away. */
  weights(): Weights;
}

interface Member {
  readonly line: Line<ToChief, ToWorker>;
  /** A `pull` without its answer yet. */
  asked?: {readonly version: number, readonly steps: readonly string[]} | undefined;
  /** Has `work` to do, or has done it and waits for `published`. */
  atWork: boolean;
  given?: Contribution | undefined;
}

interface Round {
  readonly request: RoundRequest;
  readonly resolve: (parts: Contribution[]) => void;
  readonly reject: (error: Error) => void;
}

/** All workers of a chief's session. */
export class Crew {
  readonly #members = new Map<number, Member>();
  readonly #ended = new Set<number>();
  #number = 0;
  #round: Round | undefined;
  #failure: Error | undefined;
  #welcoming = false;

  constructor(readonly size: number, readonly epoch: number) {}

  /** How many rounds were begun or begun again. */
  get rounds(): number {
    return this.#number;
  }

  /** Takes the line to a worker, in place of a former one. */
  add(index: number, port: MessagePort): void {
    // Its session is new: what it was to do is lost.
    this.lose(index);
    const member: Member = {
      line: new Line<ToChief, ToWorker>(
          port, (message) => this.#hear(index, member, message)),
      atWork: false,
    };
    this.#members.set(index, member);
    if (this.#welcoming) member.line.send({type: 'welcome', epoch: this.epoch});
  }

  /** A worker is gone: its step is repeated by all. */
  lose(index: number): void {
    const member = this.#members.get(index);
    if (member === undefined) return;
    member.line.close();
    this.#members.delete(index);
    if (this.#round !== undefined) this.#begin();
  }

  /** A worker has ended well. */
  end(index: number): void {
    this.#ended.add(index);
    this.#members.get(index)?.line.close();
    this.#members.delete(index);
    this.#finish();
  }

  /** Lets workers in: the chief's session is ready. */
  welcome(): void {
    if (this.#welcoming) return;
    this.#welcoming = true;
    this.#tell({type: 'welcome', epoch: this.epoch});
  }

  /** Makes this round and all later ones fail. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.#round?.reject(this.#failure);
    this.#round = undefined;
  }

  /**
   * Resolves to the parts of all workers, by their index. Errors: OutOfRange
   * when all workers have ended; what `fail` was told.
   */
  gather(request: RoundRequest): Promise<Contribution[]> {
    return new Promise((resolve, reject) => {
      if (this.#failure) {
        reject(this.#failure);
        return;
      }
      this.#round = {request, resolve, reject};
      this.#begin();
      this.#finish();
    });
  }

  /** Tells who took part that the step is made. */
  publish(step: number, stop: boolean): void {
    for (const member of this.#members.values()) {
      if (!member.given) continue;
      member.given = undefined;
      member.atWork = false;
      member.line.send({type: 'published', epoch: this.epoch, step, stop});
    }
  }

  /** Closes all lines; `stop` tells workers that training has ended. */
  close(stop: boolean): void {
    this.#tell({type: stop ? 'stop' : 'aborted', epoch: this.epoch});
    // Messages that were sent still arrive.
    for (const {line} of this.#members.values()) line.close();
    this.#members.clear();
  }

  #tell(message: ToWorker): void {
    for (const {line} of this.#members.values()) line.send(message);
  }

  #hear(index: number, member: Member, message: ToChief): void {
    if (message.epoch !== this.epoch) return;
    if (message.type === 'pull') {
      member.asked = message;
      this.#answer(index, member);
    } else if (message.type === 'left') {
      this.end(index);
    } else if (this.#round && message.round === this.#number &&
        message.version === this.#round.request.version) {
      member.given = message;
      this.#finish();
    }
  }

  #begin(): void {
    this.#number++;
    for (const [index, member] of this.#members) {
      member.given = undefined;
      this.#answer(index, member);
    }
  }

  #answer(index: number, member: Member): void {
    const {asked} = member;
    if (this.#round === undefined || asked === undefined) return;
    const {steps, version, step, summaries, weights} = this.#round.request;
    if (steps.join() !== asked.steps.join()) {
      this.fail(new InvalidArgumentError(
          `run: the chief makes the steps '${steps.join()}' and worker ` +
              `${index} '${asked.steps.join()}': both must run the same`));
      return;
    }
    const packed = asked.version < version ? weights() : null;
    member.atWork = true;
    // When the work is to be repeated the worker has the weights.
    member.asked = {version, steps};
    member.line.send({
      type: 'work', epoch: this.epoch, round: this.#number, version, step,
      summaries, weights: packed,
    }, packed === null ? [] : [packed.bytes]);
  }

  #finish(): void {
    const round = this.#round;
    if (round === undefined) return;
    if (this.#ended.size >= this.size) {
      this.fail(new OutOfRangeError('all workers of the job have ended'));
      return;
    }
    const parts: Contribution[] = [];
    for (let i = 0; i < this.size; i++) {
      if (this.#ended.has(i)) continue;
      const given = this.#members.get(i)?.given;
      if (given === undefined) return;
      parts.push(given);
    }
    this.#round = undefined;
    for (const member of this.#members.values()) member.asked = undefined;
    round.resolve(parts);
  }
}
