// The training session page: sends orders to a worker that may be killed at any
// time, and shows what the run's directory holds. What a test or an assistive
// tool may want to know stands in data attributes of #app.
import '@fontsource-variable/geist';
import '@fontsource-variable/geist-mono';
import * as tf from 'tidemark';

import digitsUrl from '../../.cache/digits.bin?url';
import { byId, percent } from '../dom.js';
import '../style/base.css';
import '../style/controls.css';
import '../style/charts.css';
import '../style/training.css';
import { curveOf } from './curves.js';
import { chooseDirectory, type Life, type Run, RunDirectory } from './directory.js';
import { Figures } from './figures.js';
import programText from './program.ts?raw';
import type { FromWorker, Order, ToWorker } from './protocol.js';
import { CheckpointList, Log, showFiles } from './view.js';

type State =
  | 'loading' | 'ready' | 'resumable' | 'starting' | 'training' | 'paused'
  | 'crashed' | 'done' | 'failed';

/** Set while training, so that a reload goes on. */
const GOING = 'tidemark-training-going';
const FOLDER = 'digits-run';

/** `?steps=800&every=50&batch=50&seed=7&storage=indexeddb`; all are optional. */
const query = new URLSearchParams(location.search);
const whole = (name: string, fallback: number, most: number): number => {
  const value = Math.floor(Number(query.get(name) ?? fallback));
  return value >= 1 ? Math.min(value, most) : fallback;
};
const round = whole('steps', 800, 100_000);
const settings = {
  digitsUrl: new URL(digitsUrl, location.href).href,
  every: whole('every', 50, 10_000),
  batchSize: whole('batch', 50, 1000),
  learningRate: 0.0015,
  seed: whole('seed', 7, 2 ** 30),
};

const app = byId('app');
const go = byId<HTMLButtonElement>('go');
const crashButton = byId<HTMLButtonElement>('crash');
const downloadButton = byId<HTMLButtonElement>('download');
const removeButton = byId<HTMLButtonElement>('remove');
const dialog = byId<HTMLDialogElement>('remove-dialog');
const log = new Log();
const checkpoints = new CheckpointList();
let figures: Figures;
let directory: RunDirectory;
let state: State = 'loading';
let worker: Worker | undefined;
let endRelay = () => {};
let run: Run = { checkpoints: [], lives: [], files: [] };
let step = 0;
let goal = round;
/** The last step that a worker was seen at before it was killed. */
let lastSeen: number | undefined;

function newest(): number | undefined {
  return run.checkpoints.find((one) => one.newest)?.step;
}

function labelOf(): string {
  switch (state) {
    case 'training': case 'starting': return 'Pause';
    case 'paused': return 'Continue';
    case 'crashed': case 'resumable': return `Resume from step ${newest() ?? 0}`;
    case 'done': return `Train ${round} more steps`;
    default: return 'Start training';
  }
}

function say(text: string): void {
  byId('status').textContent = text;
  byId('announcement').textContent = text;
}

function enter(next: State, words: string): void {
  state = next;
  app.dataset.state = next;
  if (next === 'training') sessionStorage.setItem(GOING, 'yes');
  else if (next !== 'starting') sessionStorage.removeItem(GOING);
  say(words);
  showButtons();
}

function showButtons(): void {
  const running = state === 'training' || state === 'paused';
  const files = run.files.length > 0;
  byId('go-label').textContent = labelOf();
  go.disabled = state === 'loading' || state === 'starting';
  crashButton.disabled = !running;
  downloadButton.disabled = run.checkpoints.length === 0;
  removeButton.disabled = !files || state === 'training' || state === 'starting';
}

function showStep(): void {
  byId('step').textContent = step.toLocaleString('en');
  byId('goal').textContent = `of ${goal.toLocaleString('en')}`;
  const share = Math.min(100, (100 * step) / goal);
  const bar = byId('progress');
  bar.ariaValueNow = share.toFixed(0);
  (bar.firstElementChild as HTMLElement).style.transform = `translateX(${share - 100}%)`;
  app.dataset.step = String(step);
}

/** The life that a resume would begin: all after the newest checkpoint is lost. */
function afterlife(): Life {
  return { from: newest() ?? 0, scalars: new Map(), histograms: new Map(), saves: [] };
}

/** Shows what the directory holds. */
function show(): void {
  const { lives } = run;
  const heldOut = curveOf(lives, 'held_out').kept;
  const last = (tag: string): number | undefined =>
    lives.flatMap((life) => life.scalars.get(tag) ?? []).at(-1)?.value;
  figures.show(worker ? lives : [...lives, afterlife()]);
  checkpoints.show(run.checkpoints, heldOut);
  showFiles(run);
  const stat = (id: string, value: number | undefined, format: (v: number) => string): void => {
    byId(id).textContent = value === undefined ? '–' : format(value);
  };
  stat('stat-speed', last('global_step/sec'), (v) => v.toFixed(1));
  stat('stat-loss', last('loss'), (v) => v.toFixed(3));
  stat('stat-held-out', heldOut.at(-1)?.value, (v) => percent(v));
  stat('stat-lives', lives.length || undefined, String);
  app.dataset.checkpoints = run.checkpoints.map((one) => one.step).join(' ');
  app.dataset.newest = String(newest() ?? '');
  app.dataset.lives = String(lives.length);
  app.dataset.losses = curveOf(lives, 'loss').kept.map((point) => point.step).join(' ');
  app.dataset.lost = curveOf(lives, 'loss').lost.flat().map((point) => point.step).join(' ');
  showButtons();
}

let reading: Promise<void> | undefined;
let again = false;

/** Reads the directory; one more time if it has changed in the meantime. */
async function refresh(): Promise<void> {
  if (reading) {
    again = true;
    return reading;
  }
  reading = (async () => {
    let failures = 0;
    do {
      again = false;
      try {
        run = await directory.read();
        show();
      } catch (error) {
        // A file that a writer has just replaced.
        console.debug(`The directory could not be read: ${String(error)}`);
        again = ++failures < 3;
      }
    } while (again);
  })();
  await reading;
  reading = undefined;
}

function send(message: ToWorker): void {
  worker?.postMessage(message);
}

/** Ends the worker, whatever it is doing. */
function dismiss(): void {
  endRelay();
  worker?.terminate();
  worker = undefined;
}

function start(): void {
  goal = Math.max(goal, step < goal ? 0 : step + round);
  const order: Order = { ...settings, directory: directory.url, lastStep: goal };
  worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => receive(data);
  worker.onerror = (event) => fail(event.message || 'The worker did not load.');
  // The session saves when the page is hidden, if somebody tells it.
  endRelay = tf.train.relayPageEvents(worker);
  log.add('page', 'started a worker');
  enter('starting', 'Opening the session');
  send({ kind: 'train', order });
}

function fail(message: string): void {
  dismiss();
  log.add('page', message, 'error');
  byId('error').textContent = message;
  byId('error').hidden = false;
  enter(newest() === undefined ? 'failed' : 'resumable', 'Stopped by an error');
}

function created(at: number): void {
  step = at;
  app.dataset.resumed = String(at);
  const lost = lastSeen === undefined ? 0 : lastSeen - at;
  const words = at === 0 ? 'Training from the start' : lost > 0
    ? `Back at step ${at}, the newest checkpoint: ${lost} ${lost === 1 ? 'step' : 'steps'} lost`
    : `Back at step ${at}, nothing lost`;
  lastSeen = undefined;
  if (at > 0) log.add('page', words, 'crash');
  enter('training', words);
  showStep();
}

function receive(message: FromWorker): void {
  switch (message.kind) {
    case 'log':
      return log.add(message.speaker, message.text, message.level);
    case 'created':
      return created(message.step);
    case 'step':
      step = message.step;
      return showStep();
    case 'written':
      return void refresh();
    case 'done':
      // The session has closed; nothing is left to do in there.
      dismiss();
      return void refresh().then(() => enter('done', `Reached step ${message.step}`));
    case 'failed':
      return fail(message.message);
  }
}

async function crash(): Promise<void> {
  dismiss();
  enter('crashed', 'Killed the worker');
  await refresh();
  // The files may know of a step whose letter was lost on the way.
  step = Math.max(step, newest() ?? 0);
  lastSeen = step;
  showStep();
  log.add('page', `killed the worker at step ${step}: no hook was called, nothing was saved`, 'crash');
  say(`Killed at step ${step}. The newest checkpoint is that of step ${newest() ?? 0}.`);
  go.focus();
}

function press(): void {
  byId('error').hidden = true;
  if (state === 'training') {
    send({ kind: 'pause' });
    enter('paused', `Paused at step ${step}`);
  } else if (state === 'paused') {
    send({ kind: 'continue' });
    enter('training', 'Training');
  } else {
    start();
  }
}

async function download(): Promise<void> {
  downloadButton.disabled = true;
  const href = URL.createObjectURL(await directory.archive(FOLDER));
  Object.assign(document.createElement('a'), { href, download: `${FOLDER}.tar` }).click();
  // Browsers take the bytes soon after the click.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
  downloadButton.disabled = false;
}

async function remove(): Promise<void> {
  dismiss();
  enter('loading', 'Deleting the run');
  await directory.remove();
  step = 0;
  goal = round;
  lastSeen = undefined;
  log.add('page', 'deleted the run');
  await refresh();
  showStep();
  enter('ready', 'Ready to train');
}

async function open(): Promise<void> {
  const [url] = await Promise.all([chooseDirectory(query.get('storage')), tf.ready()]);
  byId('variant').textContent = tf.getVariant() ?? '';
  byId('directory').textContent = url;
  app.dataset.directory = url;
  byId('program').textContent = programText.trim();
  directory = new RunDirectory(url);
  figures = new Figures(round);
  await refresh();
  step = newest() ?? 0;
  goal = Math.max(round, Math.ceil(step / round) * round);
  showStep();
  const going = sessionStorage.getItem(GOING) !== null;
  if (newest() === undefined) return enter('ready', 'Ready to train');
  const done = step >= goal;
  enter(done ? 'done' : 'resumable', done
    ? `Found a run that has reached step ${step}`
    : `Found a run: its newest checkpoint is that of step ${step}`);
  if (!going || done) return;
  log.add('page', 'the page was reloaded in the middle of training');
  start();
}

const orFail = (work: () => Promise<void>) => () =>
  void work().catch((error: Error) => fail(error.message));

go.addEventListener('click', press);
crashButton.addEventListener('click', orFail(crash));
downloadButton.addEventListener('click', orFail(download));
removeButton.addEventListener('click', () => dialog.showModal());
dialog.addEventListener('close', () => {
  if (dialog.returnValue === 'delete') orFail(remove)();
  dialog.returnValue = '';
});
orFail(open)();
