// Everything that takes long happens here, so the page never stutters: loading
// the digits, training, reading what was drawn. Between two batches the worker
// looks into its letter box.
import * as tf from 'tidemark';

import { PIXELS, splitDigits } from './digits.js';
import type { Digits } from './digits.js';
import { DigitNet, train } from './model.js';
import type { EpochReport, StepReport } from './model.js';
import type {
  FromWorker, MemorySample, Misread, RunOptions, ToWorker,
} from './protocol.js';

const FILE_BYTES = 10_000 * (1 + PIXELS);
const SHOWN_MISREAD = 15;

interface Run {
  net: DigitNet;
  digits: { train: Digits; heldOut: Digits };
  steps: Generator<StepReport | EpochReport, void, void>;
}

let file = new Uint8Array(0);
let run: Run | undefined;
/** `numTensors` without a run; a reset must come back to it. */
let tensorsAtRest = 0;
/** Counts calls of `advance`; an older one that is still waiting gives up. */
let turn = 0;

function post(message: FromWorker): void {
  postMessage(message);
}

function memory(): MemorySample {
  // peakBytes and heapBytes are Tidemark's own, beyond TensorFlow.js's fields.
  const { numTensors, numBytes, peakBytes, heapBytes } = tf.memory();
  return {
    tensors: numTensors, bytes: numBytes, peak: peakBytes, heap: heapBytes,
  };
}

/** Resolves once messages that have arrived meanwhile have been handled. */
const nextTask = (() => {
  // A timer would wait at least 4 ms; a message to oneself does not.
  const { port1, port2 } = new MessageChannel();
  return () =>
    new Promise<void>((resolve) => {
      port1.onmessage = () => resolve();
      port2.postMessage(0);
    });
})();

async function download(url: string): Promise<Uint8Array<ArrayBuffer>> {
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
    post({ kind: 'loading', received, total: FILE_BYTES });
  }
  if (received !== FILE_BYTES) {
    throw new Error(`The digits are cut short: ${received} of ${FILE_BYTES}`);
  }
  return bytes;
}

async function load(url: string): Promise<void> {
  [file] = await Promise.all([download(url), tf.ready()]);
  tensorsAtRest = tf.memory().numTensors;
  // getVariant tells which build of the core feature detection has picked.
  post({ kind: 'ready', variant: tf.getVariant()!, memory: memory() });
}

function start(options: RunOptions): void {
  reset();
  const digits = splitDigits(file, { trainCount: options.trainCount });
  const net = new DigitNet(options.seed);
  run = { net, digits, steps: train(net, digits, options) };
  post({ kind: 'started', parameters: net.parameterCount, memory: memory() });
  void advance(run);
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

async function advance({ steps, digits }: Run): Promise<void> {
  const mine = ++turn;
  try {
    while (mine === turn) {
      const { done, value } = steps.next();
      if (done) return post({ kind: 'done' });
      if (value.kind === 'step') {
        post({ ...value, memory: memory() });
      } else {
        const misread = misreadIn(digits.heldOut, value.guesses);
        post({ ...value, memory: memory(), misread });
      }
      await nextTask();
    }
  } catch (error) {
    fail(error);
  }
}

function reset(): void {
  turn++;
  if (!run) return;
  const tensorsBefore = tf.memory().numTensors;
  run.steps.return();
  run.net.dispose();
  run = undefined;
  const tensorsAfter = tf.memory().numTensors;
  if (tensorsAfter !== tensorsAtRest) {
    throw new Error(
      `reset: ${tensorsAfter} tensors are left where ` +
        `${tensorsAtRest} were before training`,
    );
  }
  post({ kind: 'reset', tensorsBefore, tensorsAfter, memory: memory() });
}

function predict(id: number, pixels: Uint8Array): void {
  if (!run) return;
  const probabilities = run.net.probabilities(pixels);
  post({ kind: 'prediction', id, probabilities });
}

function sample(): void {
  const { heldOut } = run?.digits ?? splitDigits(file);
  const index = Math.floor(Math.random() * heldOut.count);
  const label = heldOut.labels[index]!;
  const example = { pixels: pictureAt(heldOut, index), label };
  post({ kind: 'sample', example });
}

function fail(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  post({ kind: 'failed', message });
}

async function handle(message: ToWorker): Promise<void> {
  switch (message.kind) {
    case 'load': return load(message.digitsUrl);
    case 'start': return start(message.options);
    case 'pause': return void turn++;
    case 'resume': return run && advance(run);
    case 'reset': return reset();
    case 'predict': return predict(message.id, message.pixels);
    case 'sample': return sample();
  }
}

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  handle(data).catch(fail);
};
