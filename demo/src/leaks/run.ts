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
  ready(library: string): void;
  sample(sample: Sample): void;
}

/** A worker that says nothing for so long is taken for dead. */
const PATIENCE = 30_000;

function workerFor(lane: Lane): Worker {
  // Bundlers want to read each address where it is used.
  return lane.library === 'tfjs'
    ? new Worker(new URL('./rival.ts', import.meta.url), { type: 'module' })
    : new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
}

export function runLane(
  lane: Lane,
  order: Order,
  watcher: Watcher,
  stop: AbortSignal,
): Promise<End> {
  return new Promise((resolve) => {
    if (stop.aborted) return resolve({ state: 'stopped' });
    const worker = workerFor(lane);
    const end = (how: End): void => {
      clearTimeout(timer);
      stop.removeEventListener('abort', abort);
      worker.terminate();
      resolve(how);
    };
    const abort = (): void => end({ state: 'stopped' });
    const wait = () =>
      setTimeout(() => {
        const message = 'The worker no longer answers.';
        end({ state: 'died', message });
      }, PATIENCE);
    let timer = wait();

    stop.addEventListener('abort', abort);
    worker.onerror = (event) => {
      event.preventDefault();
      const message = event.message || 'The worker did not load.';
      end({ state: 'died', message });
    };
    worker.onmessage = ({ data }: MessageEvent<FromLane>) => {
      clearTimeout(timer);
      timer = wait();
      switch (data.kind) {
        case 'ready': return watcher.ready(data.library);
        case 'sample': return watcher.sample(data);
        case 'done': return end({ state: 'done' });
        case 'capped': return end({ state: 'capped' });
        case 'died': return end({ state: 'died', message: data.message });
      }
    };
    worker.postMessage(order);
  });
}
