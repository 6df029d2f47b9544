// The left half of the page and the charts: how the training is going.
import { byId, megabytes, oncePerFrame, percent } from './dom.js';
import { clearEpochs, showEpoch } from './epochs.js';
import { makeFigures } from './figures.js';
import { History } from './history.js';
import type {
  FromWorker, Kept, MemorySample, RunOptions,
} from './protocol.js';

type Message<K extends FromWorker['kind']> = Extract<FromWorker, { kind: K }>;

/** How many counts of tensors #app shows in its data attribute. */
const KEPT = 2000;

export class Dashboard {
  readonly #options: RunOptions;
  readonly #app = byId('app');
  readonly #progress = byId('progress');
  readonly #charts = makeFigures();
  #history = new History();
  #last: Message<'step'> | undefined;
  #heldOut: number | undefined;
  /** Milliseconds of training, pauses left out. */
  #spent = 0;
  #since = 0;
  readonly #soon = oncePerFrame(() => this.#show());

  constructor(options: RunOptions) {
    this.#options = options;
    this.#show();
  }

  /** Has a screen reader say it; the status itself changes far too often. */
  announce(text: string): void {
    byId('announcement').textContent = text;
  }

  status(text: string, aside = ''): void {
    byId('status').textContent = text;
    byId('eta').textContent = aside;
  }

  loading(received: number, total: number): void {
    this.#advance('Loading the digits', received / total);
    const [now, all] = [megabytes(received), megabytes(total)];
    this.status('Loading the digits', `${now} of ${all}`);
  }

  ready(memory: MemorySample): void {
    this.#advance('Training', 0);
    const { trainCount, epochs } = this.#options;
    const count = trainCount.toLocaleString('en');
    this.status(`Ready: ${count} digits, ${plural(epochs, 'epoch')}`);
    this.#memory(memory);
  }

  start(parameters: number, memory: MemorySample): void {
    this.#clear();
    this.#since = performance.now();
    this.status(`Training ${parameters.toLocaleString('en')} weights`);
    this.#memory(memory);
  }

  step(message: Message<'step'>): void {
    this.#last = message;
    this.#history.addStep(message, message.memory);
    this.#soon();
  }

  epoch(message: Message<'epoch'>): void {
    this.#heldOut = message.heldOut;
    this.#history.addEpoch(message);
    showEpoch(message);
    this.announce(
      `Epoch ${message.epoch} of ${this.#options.epochs}: ` +
        `${percent(message.heldOut)} of the held-out digits read right`,
    );
    this.#app.dataset.epoch = `${message.epoch}`;
    this.#app.dataset.heldOut = message.heldOut.toFixed(4);
    this.#app.dataset.epochTensors =
      `${message.tensorsBefore} ${message.tensorsAfter}`;
    this.#soon();
  }

  pause(): void {
    this.#spent = this.#elapsed();
    this.#since = 0;
    this.status('Paused', byId('eta').textContent ?? '');
  }

  resume(): void {
    this.#since = performance.now();
    this.#soon();
  }

  done(memory: MemorySample): void {
    // Digits and optimizer are gone by now, and with them their tensors.
    if (this.#last) this.#last = { ...this.#last, memory };
    this.#spent = this.#elapsed();
    this.#since = 0;
    this.#show();
    const seconds = (this.#spent / 1000).toFixed(1);
    const { epochs } = this.#options;
    this.status(`Done: ${plural(epochs, 'epoch')}`, `${seconds} s`);
  }

  /** Shows the network that an earlier visit has trained. */
  restored({ heldOut, epochs }: Kept): void {
    this.#heldOut = heldOut;
    this.#show();
    this.status(`Trained on an earlier visit: ${plural(epochs, 'epoch')}`);
    this.kept('Kept in this browser, and loaded from it.');
    this.#app.dataset.heldOut = heldOut.toFixed(4);
    this.#app.dataset.restored = '';
  }

  /** Tells whether the trained network outlives the page. */
  kept(text: string): void {
    byId('kept').textContent = text;
    byId('kept').hidden = text === '';
  }

  reset(message: Message<'reset'>): void {
    this.#clear();
    this.ready(message.memory);
    const { tensorsBefore, tensorsAfter } = message;
    this.status(
      `Reset: ${tensorsBefore} tensors before, ${tensorsAfter} left`,
    );
    this.#app.dataset.resetTensors = `${tensorsAfter}`;
  }

  #elapsed(): number {
    return this.#spent + (this.#since && performance.now() - this.#since);
  }

  #clear(): void {
    this.#history = new History();
    this.#last = this.#heldOut = undefined;
    this.#spent = this.#since = 0;
    clearEpochs();
    this.kept('');
    const stale = ['epoch', 'step', 'loss', 'accuracy', 'heldOut', 'restored'];
    for (const key of stale) delete this.#app.dataset[key];
    this.#show();
  }

  #advance(what: string, share: number): void {
    const bar = this.#progress;
    bar.setAttribute('aria-label', what);
    bar.setAttribute('aria-valuenow', `${Math.round(share * 100)}`);
    const fill = bar.firstElementChild as HTMLElement;
    fill.style.transform = `translateX(${(share - 1) * 100}%)`;
  }

  #memory(memory: MemorySample): void {
    byId('stat-tensors').textContent = `${memory.tensors}`;
    this.#app.dataset.tensors = `${memory.tensors}`;
    this.#app.dataset.bytes = `${memory.bytes}`;
    this.#app.dataset.peakBytes = `${memory.peak}`;
    this.#app.dataset.heapBytes = `${memory.heap}`;
  }

  #show(): void {
    this.#showCharts();
    this.#showReading();
    this.#showStats();
  }

  #showCharts(): void {
    const history = this.#history;
    this.#charts.loss.show(history.lossTable());
    this.#charts.accuracy.show(history.accuracyTable());
    this.#charts.tensors.show(history.tensorsTable());
    this.#charts.bytes.show(history.bytesTable());
    const counts = history.tensors.slice(-KEPT).join(' ');
    byId('tensors-chart').dataset.timeline = counts;
  }

  #showReading(): void {
    const live = this.#history.accuracy;
    const level = this.#heldOut ?? live;
    byId('tank').style.setProperty('--level', `${level ?? 0}`);
    byId('reading').textContent = level === undefined ? '–' : percent(level);
    byId('reading-label').textContent =
      this.#heldOut === undefined
        ? 'Read right so far'
        : 'Held-out digits read right';
    byId('reading-note').textContent =
      this.#heldOut === undefined || live === undefined
        ? '2,000 digits are held out to test it'
        : `${percent(live)} of the newest training digits`;
  }

  #showStats(): void {
    const { loss, accuracy } = this.#history;
    const last = this.#last;
    byId('stat-loss').textContent = loss?.toFixed(3) ?? '–';
    if (!last || loss === undefined || accuracy === undefined) {
      byId('stat-epoch').textContent = byId('stat-speed').textContent = '–';
      return;
    }
    const { epochs, trainCount } = this.#options;
    byId('stat-epoch').textContent = `${last.epoch} / ${epochs}`;
    this.#memory(last.memory);
    this.#app.dataset.step = `${last.step}`;
    this.#app.dataset.loss = loss.toFixed(4);
    this.#app.dataset.accuracy = accuracy.toFixed(4);
    this.#advance('Training', last.step / last.steps);
    if (this.#since === 0) return;
    const elapsed = this.#elapsed() / 1000;
    const seen = (last.step / last.steps) * epochs * trainCount;
    const speed = Math.round(seen / elapsed);
    const left = (elapsed / last.step) * (last.steps - last.step);
    byId('stat-speed').textContent = speed.toLocaleString('en');
    this.status(
      `Step ${last.step} of ${last.steps}`,
      `about ${Math.ceil(left)} s left`,
    );
  }
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
