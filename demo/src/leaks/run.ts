// Runs one lane in a worker of its own. However it ends, the worker is thrown
// away, and with it all the memory that it took.
import type { Lane } from './lanes.js';
import type { FromLane, Order, Sample } from './protocol.js';

export type End =
  | { state: 'done' }
  | { state: 'capped' }
  | { state: 'stopped' }
  | { state: 'died'; message: string };

export interface Watcher {
  loading(): void;
  ready(library: string): void;
  sample(sample: Sample): void;
}

/** A running worker that says nothing for so long is taken for dead. */
const PATIENCE = 30_000;

function workerFor(lane: Lane): Worker {
  // Bundlers want to read each address where it is used.
  return lane.library === 'tfjs'
    ? new Worker(new URL('./rival.ts', import.meta.url), { type: 'module' })
    : new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
}

/** Lets lanes begin at the same moment, once all of them are ready. */
export class Start {
  #missing: number;
  #fire: () => void = () => {};
  readonly gun: Promise<void>;

  constructor(lanes: number) {
    this.#missing = lanes;
    this.gun = new Promise((resolve) => {
      this.#fire = resolve;
    });
  }

  /** One more is ready, or will never be. */
  count(): void {
    if (--this.#missing === 0) this.#fire();
  }
}

export function runLane(
  lane: Lane,
  order: Order,
  watcher: Watcher,
  stop: AbortSignal,
  start = new Start(1),
): Promise<End> {
  return new Promise((resolve) => {
    if (stop.aborted) return resolve({ state: 'stopped' });
    watcher.loading();
    const worker = workerFor(lane);
    let counted = false;
    const count = (): void => {
      if (!counted) start.count();
      counted = true;
    };
    const end = (how: End): void => {
      clearTimeout(timer);
      stop.removeEventListener('abort', abort);
      worker.terminate();
      count();
      resolve(how);
    };
    const abort = (): void => end({ state: 'stopped' });
    const wait = () =>
      setTimeout(() => {
        const message = 'The worker no longer answers.';
        end({ state: 'died', message });
      }, PATIENCE);
    // Loading may take as long as it takes: there is a button to stop it.
    let timer: ReturnType<typeof wait> | undefined;
    const go = (): void => {
      if (stop.aborted) return;
      timer = wait();
      worker.postMessage('go');
    };

    stop.addEventListener('abort', abort);
    worker.onerror = (event) => {
      event.preventDefault();
      const message = event.message || 'The worker did not load.';
      end({ state: 'died', message });
    };
    worker.onmessage = ({ data }: MessageEvent<FromLane>) => {
      clearTimeout(timer);
      if (data.kind === 'ready') {
        watcher.ready(data.library);
        count();
        return void start.gun.then(go);
      }
      timer = wait();
      switch (data.kind) {
        case 'sample': return watcher.sample(data);
        case 'done': return end({ state: 'done' });
        case 'capped': return end({ state: 'capped' });
        case 'died': return end({ state: 'died', message: data.message });
      }
    };
    worker.postMessage(order);
  });
}
