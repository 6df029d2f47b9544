// What does the work behind the page: it loads the digits, trains, keeps the
// trained network in the browser and reads what was drawn. In a worker (the
// usual case) or on the page's own thread; `fit` yields either way, so that
// letters are answered between two batches.
import * as tf from 'tidemark';

import { PIXELS, splitDigits } from './digits.js';
import type { Digits } from './digits.js';
import { makeModel, probabilities, summaryOf, train } from './model.js';
import type {
  FromWorker, Kept, MemorySample, Misread, RunOptions, ToWorker,
} from './protocol.js';

/** What both a worker's `self` and a message port can do. */
export interface Port {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker): void;
}

const FILE_BYTES = 10_000 * (1 + PIXELS);
const SHOWN_MISREAD = 15;
/** Where the trained network outlives the page. */
const KEPT_AT = 'indexeddb://tidemark-digits';

function memory(): MemorySample {
  // peakBytes and heapBytes are Tidemark's own, beyond TensorFlow.js's fields.
  const { numTensors, numBytes, peakBytes, heapBytes } = tf.memory();
  return {
    tensors: numTensors, bytes: numBytes, peak: peakBytes, heap: heapBytes,
  };
}

function misreadIn(digits: Digits, guesses: Uint8Array): Misread[] {
  const found: Misread[] = [];
  for (let i = 0; i < digits.count && found.length < SHOWN_MISREAD; i++) {
    const label = digits.labels[i]!;
    const guess = guesses[i]!;
    if (guess === label) continue;
    found.push({ pixels: pictureAt(digits, i), label, guess });
  }
  return found;
}

function pictureAt(digits: Digits, index: number): Uint8Array {
  return digits.pixels.slice(index * PIXELS, (index + 1) * PIXELS);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

class Brain {
  readonly #post: (message: FromWorker) => void;
  #file = new Uint8Array(0);
  /** `numTensors` without a network; a reset must come back to it. */
  #atRest = 0;
  #model: tf.LayersModel | undefined;
  /** Resolves when the run under way has ended. */
  #run: Promise<void> = Promise.resolve();
  /** While paused, what training waits for. */
  #pause: { over: Promise<void>; end: () => void } | undefined;

  constructor(post: (message: FromWorker) => void) {
    this.#post = post;
  }

  async handle(message: ToWorker): Promise<void> {
    switch (message.kind) {
      case 'load': return this.#load(message.digitsUrl);
      case 'start': return this.#start(message.options);
      case 'pause': return this.#hold();
      case 'resume': return this.#resume();
      case 'reset': return this.#reset();
      case 'predict': return this.#predict(message.id, message.pixels);
      case 'sample': return this.#sample();
    }
  }

  fail(error: unknown): void {
    this.#post({ kind: 'failed', message: textOf(error) });
  }

  async #load(url: string): Promise<void> {
    [this.#file] = await Promise.all([this.#download(url), tf.ready()]);
    this.#atRest = tf.memory().numTensors;
    const plan = makeModel(1);
    const summary = summaryOf(plan);
    plan.dispose();
    const kept = await this.#restore();
    // getVariant tells which build of the core feature detection has picked.
    const variant = tf.getVariant()!;
    this.#post({ kind: 'ready', variant, summary, kept, memory: memory() });
  }

  async #download(url: string): Promise<Uint8Array<ArrayBuffer>> {
    const response = await fetch(url);
    if (!response.ok || !response.body) {
      throw new Error(`The digits did not load: ${response.status} for ${url}`);
    }
    const bytes = new Uint8Array(FILE_BYTES);
    const reader = response.body.getReader();
    let received = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes.set(value, received);
      received += value.length;
      this.#post({ kind: 'loading', received, total: FILE_BYTES });
    }
    if (received !== FILE_BYTES) {
      throw new Error(`The digits are cut short: ${received} of ${FILE_BYTES}`);
    }
    return bytes;
  }

  /** Takes back the network of an earlier visit, if there is one. */
  async #restore(): Promise<Kept | undefined> {
    try {
      const models = await tf.io.listModels();
      if (!(KEPT_AT in models)) return undefined;
      this.#model = await tf.loadLayersModel(KEPT_AT);
      return this.#model.getUserDefinedMetadata() as unknown as Kept;
    } catch (error) {
      // Some private windows have no such storage; the demo works without.
      console.warn(`The kept network did not load: ${textOf(error)}`);
      return undefined;
    }
  }

  async #keep(model: tf.LayersModel, kept: Kept): Promise<void> {
    try {
      model.setUserDefinedMetadata({ ...kept });
      await model.save(KEPT_AT);
      this.#post({ kind: 'kept', kept });
    } catch (error) {
      this.#post({ kind: 'unkept', message: textOf(error) });
    }
  }

  async #start(options: RunOptions): Promise<void> {
    await this.#stop();
    const digits = splitDigits(this.#file, { trainCount: options.trainCount });
    const model = makeModel(options.seed);
    this.#model = model;
    const parameters = model.countParams();
    this.#post({ kind: 'started', parameters, memory: memory() });
    this.#run = this.#train(model, digits, options).catch((e) => this.fail(e));
  }

  async #train(
    model: tf.LayersModel,
    digits: { train: Digits; heldOut: Digits },
    options: RunOptions,
  ): Promise<void> {
    let heldOut = 0;
    await train(model, digits, options, {
      onStep: (report) => {
        this.#post({ ...report, memory: memory() });
        return this.#pause?.over;
      },
      onEpoch: (report) => {
        heldOut = report.heldOut;
        const misread = misreadIn(digits.heldOut, report.guesses);
        this.#post({ ...report, memory: memory(), misread });
      },
      yieldEvery: options.yieldEvery,
    });
    if (model.stopTraining) return;
    this.#post({ kind: 'done', memory: memory() });
    await this.#keep(model, { heldOut, epochs: options.epochs });
  }

  #hold(): void {
    if (this.#pause) return;
    let end = () => {};
    const over = new Promise<void>((resolve) => (end = resolve));
    this.#pause = { over, end };
  }

  #resume(): void {
    this.#pause?.end();
    this.#pause = undefined;
  }

  /** Ends the run at its next batch and frees the network. */
  async #stop(): Promise<void> {
    const model = this.#model;
    if (!model) return;
    model.stopTraining = true;
    this.#resume();
    await this.#run;
    this.#model = undefined;
    model.dispose();
    const left = tf.memory().numTensors;
    if (left !== this.#atRest) {
      throw new Error(
        `reset: ${left} tensors are left where ` +
          `${this.#atRest} were before training`,
      );
    }
  }

  async #reset(): Promise<void> {
    const tensorsBefore = tf.memory().numTensors;
    await this.#stop();
    // Without storage, or before the first run, nothing is there to remove.
    await tf.io.removeModel(KEPT_AT).catch(() => undefined);
    const tensorsAfter = tf.memory().numTensors;
    this.#post({
      kind: 'reset', tensorsBefore, tensorsAfter, memory: memory(),
    });
  }

  #predict(id: number, pixels: Uint8Array): void {
    if (!this.#model) return;
    const found = probabilities(this.#model, pixels);
    this.#post({ kind: 'prediction', id, probabilities: found });
  }

  #sample(): void {
    const { heldOut } = splitDigits(this.#file);
    const index = Math.floor(Math.random() * heldOut.count);
    const label = heldOut.labels[index]!;
    const example = { pixels: pictureAt(heldOut, index), label };
    this.#post({ kind: 'sample', example });
  }
}

/** Answers what comes in through the port. */
export function serve(port: Port): void {
  const brain = new Brain((message) => port.postMessage(message));
  port.onmessage = ({ data }) => {
    brain.handle(data).catch((error: unknown) => brain.fail(error));
  };
}
