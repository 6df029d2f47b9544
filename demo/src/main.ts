// The page: sends orders to the worker and shows what it reports. What a test
// or an assistive tool may want to know stands in data attributes of #app.
import '@fontsource-variable/geist';
import '@fontsource-variable/geist-mono';

import digitsUrl from '../.cache/digits.bin?url';
import { Dashboard } from './dashboard.js';
import { byId } from './dom.js';
import type { FromWorker, RunOptions, Thread, ToWorker } from './protocol.js';
import { Reader } from './reader.js';
import { defaults } from './settings.js';
import './style/base.css';
import './style/controls.css';
import './style/charts.css';
import './style/digits.css';

type State = 'loading' | 'ready' | 'training' | 'paused' | 'done' | 'failed';

const goLabels: Record<State, string> = {
  loading: 'Start training',
  ready: 'Start training',
  training: 'Pause',
  paused: 'Continue',
  done: 'Train again',
  failed: 'Start training',
};

const spoken: Record<State, string> = {
  loading: 'Loading the digits',
  ready: 'Ready to train',
  training: 'Training',
  paused: 'Paused',
  done: 'Training is done',
  failed: 'Stopped by an error',
};

/**
 * `?epochs=1&train=2000&batch=50&seed=7` change a run; all are optional.
 * `?thread=main` trains on the page's own thread instead of in a worker.
 */
function optionsFrom(query: URLSearchParams): RunOptions {
  const whole = (name: string, fallback: number, most: number) => {
    const value = Math.floor(Number(query.get(name) ?? fallback));
    return value >= 1 ? Math.min(value, most) : fallback;
  };
  return {
    ...defaults,
    epochs: whole('epochs', defaults.epochs, 100),
    batchSize: whole('batch', defaults.batchSize, 1000),
    seed: whole('seed', defaults.seed, 2 ** 30),
    trainCount: whole('train', 8000, 8000),
    // A worker has no page to keep alive, only letters to read.
    yieldEvery: thread === 'main' ? 'auto' : 'batch',
  };
}

function startWorker(): Worker {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    type: 'module',
  });
    return worker;
}

/** The same as the worker, in here. */
function startHere(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  import('./brain.js').then(({ serve }) => serve(port2), (e: Error) => {
    fail(e.message);
  });
  return port1;
}

const query = new URLSearchParams(location.search);
const thread: Thread = query.get('thread') === 'main' ? 'main' : 'worker';
const options = optionsFrom(query);
const worker = thread === 'main' ? startHere() : startWorker();
const app = byId('app');
const go = byId<HTMLButtonElement>('go');
const resetButton = byId<HTMLButtonElement>('reset');
const sampleButton = byId<HTMLButtonElement>('sample');
const dashboard = new Dashboard(options);
const reader = new Reader(send);
let state: State = 'loading';

function send(message: ToWorker): void {
  worker.postMessage(message);
}

function enter(next: State): void {
  state = next;
  app.dataset.state = next;
  byId('go-label').textContent = goLabels[next];
  dashboard.announce(spoken[next]);
  go.disabled = next === 'loading' || next === 'failed';
  resetButton.disabled = !['training', 'paused', 'done'].includes(next);
  sampleButton.disabled = go.disabled;
}

function fail(message: string): void {
  enter('failed');
  dashboard.status('Stopped by an error');
  const error = byId('error');
  error.textContent = message;
  error.hidden = false;
}

function press(): void {
  if (state === 'training') {
    send({ kind: 'pause' });
    enter('paused');
    dashboard.pause();
  } else if (state === 'paused') {
    send({ kind: 'resume' });
    enter('training');
    dashboard.resume();
  } else {
    send({ kind: 'start', options });
    go.disabled = true;
  }
}

function receive(message: FromWorker): void {
  switch (message.kind) {
    case 'loading':
      return dashboard.loading(message.received, message.total);
    case 'ready':
      byId('variant').textContent = message.variant;
      app.dataset.variant = message.variant;
      byId('summary').textContent = message.summary.join('\n');
      dashboard.ready(message.memory);
      if (!message.kept) return enter('ready');
      dashboard.restored(message.kept);
      enter('done');
      return void (reader.trained = true);
    case 'started':
      dashboard.start(message.parameters, message.memory);
      enter('training');
      return void (reader.trained = true);
    case 'step':
      dashboard.step(message);
      return reader.ask();
    case 'epoch':
      return dashboard.epoch(message);
    case 'done':
      dashboard.done(message.memory);
      enter('done');
      return reader.ask();
    case 'kept':
      return dashboard.kept('Kept in this browser: a reload brings it back.');
    case 'unkept':
      return dashboard.kept(
        `This browser would not keep the network: ${message.message}`,
      );
    case 'reset':
      dashboard.reset(message);
      enter('ready');
      return void (reader.trained = false);
    case 'prediction':
      return reader.answer(message.id, message.probabilities);
    case 'sample':
      return reader.show(message.example);
    case 'failed':
      return fail(message.message);
  }
}

worker.onmessage = ({ data }: MessageEvent<FromWorker>) => receive(data);
go.addEventListener('click', press);
resetButton.addEventListener('click', () => {
  resetButton.disabled = true;
  send({ kind: 'reset' });
});
send({ kind: 'load', digitsUrl: new URL(digitsUrl, location.href).href });
