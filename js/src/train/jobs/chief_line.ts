/** A worker's line to its chief: what it says, in order, until it is gone. */
import {AbortedError, UnavailableError} from '../session/errors.js';
import type {ToChief, ToWorker} from './messages.js';
import {Line} from './platform.js';

/** What a worker's runs hear; `welcome` and `aborted` are not among it. */
export type Heard = Exclude<ToWorker, {type: 'welcome'} | {type: 'aborted'}>;

/** The line to one chief in one of its lives. */
export class ChiefLine {
  readonly #line: Line<ToWorker, ToChief>;
  readonly #queue: Heard[] = [];
  #wake: (() => void) | undefined;
  #epoch = -1;
  #failure: Error | undefined;
  #stopped = false;
  #onStop: (() => void) | undefined;
  /** The weights the worker has; 0 for none of this chief's. */
  version = 0;

  constructor(port: MessagePort, private readonly changed: () => void) {
    this.#line = new Line<ToWorker, ToChief>(port, (m) => this.#hear(m));
  }

  /** True when the chief's session is there. */
  get ready(): boolean {
    return this.#epoch >= 0 && this.#failure === undefined;
  }

  /** True when the chief has ended training. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Calls `f` when the chief has ended training, or now if it has. */
  set onStop(f: () => void) {
    this.#onStop = f;
    if (this.#stopped) f();
  }

  get epoch(): number {
    return this.#epoch;
  }

  #hear(message: ToWorker): void {
    if (message.type === 'welcome') {
      this.#epoch = message.epoch;
      this.changed();
      return;
    }
    if (message.type === 'stop') {
      this.#stopped = true;
      this.#onStop?.();
    } else if (message.epoch !== this.#epoch) return;
    if (message.type === 'aborted') {
      this.#fail(new AbortedError(
          "the chief's session was made anew, the step is repeated"));
      return;
    }
    this.#queue.push(message);
    this.#wake?.();
    this.changed();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#line.close();
    this.#wake?.();
    this.changed();
  }

  /** The chief is gone. */
  lose(): void {
    this.#fail(new UnavailableError('the chief of the job is gone'));
  }

  send(message: ToChief, transfer: Transferable[] = []): void {
    this.#line.send(message, transfer);
  }

  /** The next message. Errors: Unavailable or Aborted when there will be none. */
  async next(): Promise<Heard> {
    for (;;) {
      const message = this.#queue.shift();
      if (message !== undefined) return message;
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  close(): void {
    this.#fail(new UnavailableError('the session is closed'));
  }
}
