/** Workers and their channels, in browsers and in Node. */

/** What a job needs of a Worker, of the web or of Node. */
export interface TaskWorker {
  terminate(): unknown;
}

/** The web's Workers have the first, Node's the second. */
interface Emitter {
  addEventListener?(type: string, f: (...args: never[]) => void): void;
  on?(type: string, f: (...args: never[]) => void): unknown;
}

/** What differs among platforms. */
export interface Threads {
  start(url: URL | string, name: string): TaskWorker;
  /** The name of the Worker this realm is, else undefined. */
  name(): string | undefined;
  /** Sends to whoever started this Worker. */
  post(message: unknown, transfer: MessagePort[]): void;
}

interface WorkerScope {
  readonly name?: unknown;
  readonly WorkerGlobalScope?: unknown;
  readonly Worker: new (
    url: URL | string, options: {type: 'module', name: string}) => TaskWorker;
  postMessage(message: unknown, transfer: MessagePort[]): void;
}

const scope = globalThis as unknown as WorkerScope;

let threads: Threads = {
  start: (url, name) => new scope.Worker(url, {type: 'module', name}),
  // A window has a name too.
  name: () => (scope.WorkerGlobalScope && typeof scope.name === 'string' ?
    scope.name : undefined),
  post: (message, transfer) => scope.postMessage(message, transfer),
};

/** Takes the place of the web's Workers. */
export function setThreads(own: Threads): void {
  threads = own;
}

/** The platform's Workers. */
export function platform(): Threads {
  return threads;
}

/** Hears what a Worker says and how it fails. */
export function listen(
    worker: TaskWorker, on: {
      message(data: unknown): void, error(error: Error): void,
      exit(): void,
    }): void {
  const emitter = worker as Emitter;
  if (emitter.addEventListener) {
    emitter.addEventListener('message', ({data}: {data: unknown}) =>
      on.message(data));
    emitter.addEventListener('error', (event: ErrorEvent) =>
      on.error(new Error(
          event.message || 'the module could not be loaded')));
    return;
  }
  emitter.on!('message', on.message);
  emitter.on!('error', on.error);
  emitter.on!('exit', on.exit);
}

/** A port that is typed in both directions. */
export class Line<In, Out> {
  #closed = false;

  constructor(readonly port: MessagePort, receive: (message: In) => void) {
    port.onmessage = ({data}: MessageEvent<In>) => {
      if (!this.#closed) receive(data);
    };
    port.start();
  }

  send(message: Out, transfer: Transferable[] = []): void {
    if (!this.#closed) this.port.postMessage(message, transfer);
  }

  close(): void {
    this.#closed = true;
    this.port.close();
  }
}
