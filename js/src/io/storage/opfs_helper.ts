/** The page's end of the storage Worker: one for all folders of a realm. */
import {fromFailure, pieceBytes} from './opfs_messages.js';
import type {FromWorker, Order, ToWorker} from './opfs_messages.js';
import {StorageError, comingPieces} from './storage.js';
import type {Contents} from './storage.js';

// How long a Worker may take to begin, and to stay without work: milliseconds.
const patience = 20_000;
const idle = 5000;

interface Task {
  resolve(): void;
  reject(error: unknown): void;
  /** The next piece of a file of the commit. */
  next?(name: string): Promise<Uint8Array | undefined>;
}

/** What a page can have the storage Worker do. */
export class OpfsHelper {
  readonly #worker: Worker;
  readonly #forget: () => void;
  readonly #tasks = new Map<number, Task>();
  #users = 0;
  #count = 0;
  #dead: StorageError | undefined;
  #end: ReturnType<typeof setTimeout> | undefined;

  /** `forget` is called when the Worker is gone. */
  constructor(worker: Worker, forget: () => void) {
    this.#worker = worker;
    this.#forget = forget;
    worker.onmessage = ({data}: MessageEvent<FromWorker>) => this.#hear(data);
    worker.onerror = (event) => this.#die(event.message);
  }

  /** Does something in a folder; resolves to the number of the task. */
  order(
      path: string, order: Order, next?: Task['next'],
      pieces: readonly Uint8Array[] = []): Promise<number> {
    if (this.#dead) return Promise.reject(this.#dead);
    const id = ++this.#count;
    return new Promise<number>((resolve, reject) => {
      this.#tasks.set(id, {
        resolve: () => resolve(id), reject, ...next && {next},
      });
      this.#send({id, path, order}, pieces);
    });
  }

  /** Files that change as one; their contents are asked for as they go out. */
  async commit(
      path: string, files: Readonly<Record<string, Contents>>): Promise<void> {
    const open = new Map(Object.entries(files).map(([name, contents]) =>
      [name, inPieces(contents)] as const));
    await this.order(
        path, {do: 'commit', names: [...open.keys()]},
        async (name) => {
          const piece: IteratorResult<Uint8Array, undefined> =
              await open.get(name)!.next();
          return piece.value;
        });
  }

  #send(message: ToWorker, pieces: readonly Uint8Array[]): void {
    this.#worker.postMessage(message, pieces.map(({buffer}) => buffer));
  }

  #hear(data: FromWorker): void {
    if (!('id' in data)) return;
    const {id} = data;
    const task = this.#tasks.get(id);
    if (task === undefined) return;
    if ('wants' in data) {
      task.next!(data.wants).then(
          (piece) => this.#send({id, piece}, piece ? [piece] : []),
          (error: unknown) => {
            // The Worker's own error would not say as much.
            task.resolve = () => task.reject(error);
            const {reject} = task;
            task.reject = () => reject(error);
            this.#send({id, failed: true}, []);
          });
      return;
    }
    this.#tasks.delete(id);
    if (data.failure === undefined) task.resolve();
    else task.reject(fromFailure(data.failure));
  }

  #die(why: string): void {
    this.#dead =
        new StorageError('io', `the storage Worker has died: ${why}`);
    this.#forget();
    this.#worker.terminate();
    for (const {reject} of this.#tasks.values()) reject(this.#dead);
    this.#tasks.clear();
  }

  /** False once the Worker is gone. */
  get lives(): boolean {
    return this.#dead === undefined;
  }

  /** Counts a storage that needs the Worker. */
  use(): void {
    this.#users++;
    clearTimeout(this.#end);
  }

  /** Ends that; a Worker nobody needs goes, after a while. */
  leave(): void {
    if (--this.#users > 0) return;
    this.#end = setTimeout(() => this.#die('nobody needed it'), idle);
  }
}

// Copies, which can be given away.
async function* inPieces(contents: Contents): AsyncGenerator<Uint8Array> {
  for await (const piece of comingPieces(contents)) yield* cut(piece);
}

/** Copies of a piece's parts, none longer than one message may be. */
export function* cut(piece: Uint8Array): Generator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < piece.byteLength; at += pieceBytes) {
    yield new Uint8Array(piece.subarray(at, at + pieceBytes));
  }
}

let helper: Promise<OpfsHelper | undefined> | undefined;
let failed = false;

/** False once it is known that there is no storage Worker here. */
export function mayHaveHelper(): boolean {
  return typeof Worker === 'function' && !failed;
}

/**
 * The storage Worker; undefined where none can be made: a bundler that does not
 * know it, a policy that forbids it, an engine whose Workers lack what it needs.
 */
export function opfsHelper(): Promise<OpfsHelper | undefined> {
  if (!mayHaveHelper()) return Promise.resolve(undefined);
  return helper ??= start().then((worker) => {
    failed = worker === undefined;
    return worker && new OpfsHelper(worker, () => {
      helper = undefined;
    });
  });
}

async function start(): Promise<Worker | undefined> {
  let worker: Worker;
  try {
    worker = new Worker(
        new URL('./opfs_worker.js', import.meta.url), {type: 'module'});
  } catch {
    return undefined;
  }
  const good = await new Promise<boolean>((resolve) => {
    worker.onmessage = ({data}: MessageEvent<FromWorker>) =>
      resolve('ready' in data && data.ready);
    worker.onerror = (event) => {
      event.preventDefault();
      resolve(false);
    };
    setTimeout(() => resolve(false), patience);
  });
  if (good) return worker;
  worker.terminate();
  return undefined;
}
