/** Letting the page breathe while training goes on. */
import {TensorError} from '../../errors.js';
import type {CallbackList, CustomCallbackArgs} from './callbacks.js';
import {CustomCallback} from './callbacks.js';
import type {Logs} from './logs.js';

/**
 * When training yields: by itself ('auto': no page is blocked longer than about
 * 50 ms, or one batch), after every batch or epoch, never, or when so many
 * milliseconds have passed.
 */
export type YieldEveryOptions = 'auto' | 'batch' | 'epoch' | 'never' | number;

// A page feels blocked when a task takes longer than 50 ms; the rest is for
// batches that take longer than the last one.
const longestTask = 30;

/**
 * Resolves in a task of its own: input, timers and drawing come in between
 * (after `scheduler.yield` timers would not). Unlike an animation frame it also
 * comes when the page is hidden.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const immediate = (globalThis as {setImmediate?: (f: () => void) => void})
        .setImmediate;
    if (typeof immediate === 'function') {
      immediate(() => resolve());
    } else if (typeof MessageChannel === 'function') {
      // Timers are slowed down when they nest, messages are not.
      const {port1, port2} = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    } else {
      setTimeout(resolve);
    }
  });
}

function checked(yieldEvery: YieldEveryOptions): YieldEveryOptions {
  const known = typeof yieldEvery === 'number' ? yieldEvery >= 0 :
    ['auto', 'batch', 'epoch', 'never'].includes(yieldEvery);
  if (known) return yieldEvery;
  throw new TensorError(
      'argument', "yieldEvery must be 'auto', 'batch', 'epoch', 'never' or " +
          `milliseconds, got ${String(yieldEvery)}`);
}

/** Decides when a training yields, and does it. */
export class Yielder {
  readonly #every: YieldEveryOptions;
  readonly #callbacks: CallbackList;
  readonly #now: () => number;
  readonly #pause: () => Promise<void>;
  #last: number;
  #lastBatch: number;

  constructor(
      yieldEvery: YieldEveryOptions | undefined, callbacks: CallbackList) {
    this.#every = checked(yieldEvery ?? 'auto');
    this.#callbacks = callbacks;
    const custom: CustomCallbackArgs[] = callbacks.callbacks.flatMap(
        (c) => (c instanceof CustomCallback ? [c.args] : []));
    if (this.#every === 'never' && custom.some(({onYield}) => onYield)) {
      throw new TensorError(
          'argument', 'yieldEvery is `never` but you provided an `onYield` ' +
              'callback. Either change `yieldEvery` or remove the callback');
    }
    this.#now = custom.find(({nowFunc}) => nowFunc)?.nowFunc ??
      (() => performance.now());
    this.#pause = custom.find(({nextFrameFunc}) => nextFrameFunc)
        ?.nextFrameFunc ?? nextTask;
    this.#last = this.#now();
    this.#lastBatch = this.#last;
  }

  /** Yields after a batch if it is time. */
  async afterBatch(epoch: number, batch: number, logs: Logs): Promise<void> {
    if (this.#every === 'never' || this.#every === 'epoch') return;
    const now = this.#now();
    const took = now - this.#lastBatch;
    this.#lastBatch = now;
    if (this.#isDue(now - this.#last, took)) {
      await this.#yield(epoch, batch, logs);
    }
  }

  /** Yields after an epoch where that was asked for. */
  async afterEpoch(epoch: number, batch: number, logs: Logs): Promise<void> {
    if (this.#every === 'epoch') await this.#yield(epoch, batch, logs);
  }

  /** Yields between batches of a validation, which no callback is told of. */
  async breathe(): Promise<void> {
    if (this.#every === 'never' || this.#every === 'epoch') return;
    const now = this.#now();
    const took = now - this.#lastBatch;
    this.#lastBatch = now;
    if (!this.#isDue(now - this.#last, took)) return;
    await this.#pause();
    this.#last = this.#now();
    this.#lastBatch = this.#last;
  }

  // By itself: before another batch like the last one would take too long.
  #isDue(passed: number, batch: number): boolean {
    if (this.#every === 'batch') return true;
    if (this.#every === 'auto') return passed + 1.5 * batch >= longestTask;
    return passed >= (this.#every as number);
  }

  async #yield(epoch: number, batch: number, logs: Logs): Promise<void> {
    await this.#callbacks.onYield(epoch, batch, logs);
    await this.#pause();
    this.#last = this.#now();
    this.#lastBatch = this.#last;
  }
}
