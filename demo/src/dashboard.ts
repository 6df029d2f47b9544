// The left half of the page and the charts: how the training is going.
import { Chart } from './charts.js';
import { SIZE } from './digits.js';
import { byId, make, megabytes, oncePerFrame, percent } from './dom.js';
import { showPicture } from './dom.js';
import { History } from './history.js';
import type {
  FromWorker, MemorySample, Misread, RunOptions,
} from './protocol.js';

type Message<K extends FromWorker['kind']> = Extract<FromWorker, { kind: K }>;

const GOAL = 0.97;
/** How many counts of tensors #app shows in its data attribute. */
const KEPT = 2000;

export class Dashboard {
  readonly #options: RunOptions;
  readonly #app = byId('app');
  readonly #progress = byId('progress');
  readonly #charts = makeCharts();
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
    byId('epochs').append(rowOf(message));
    showMisread(message.misread);
    byId('misread-hint').textContent =
      `${message.guesses.length - right(message)} of ` +
      `${message.guesses.length.toLocaleString('en')} held-out digits`;
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

  done(): void {
    this.#spent = this.#elapsed();
    this.#since = 0;
    this.#show();
    const seconds = (this.#spent / 1000).toFixed(1);
    const { epochs } = this.#options;
    this.status(`Done: ${plural(epochs, 'epoch')}`, `${seconds} s`);
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
    byId('epochs').replaceChildren();
    showMisread([]);
    byId('misread-hint').textContent = 'what it took them for';
    for (const key of ['epoch', 'step', 'loss', 'accuracy', 'heldOut']) {
      delete this.#app.dataset[key];
    }
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
      this.#heldOut === undefined ? 'Read right so far' : 'Held-out digits read right';
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

function right({ heldOut, guesses }: Message<'epoch'>): number {
  return Math.round(heldOut * guesses.length);
}

function rowOf(message: Message<'epoch'>): HTMLTableRowElement {
  const { tensorsBefore: before, tensorsAfter: after } = message;
  const verdict = make('span', { className: 'ok', title: 'equal' }, ' ✓');
  const tensors = make('td', {}, `${before} → ${after}`);
  if (before === after) tensors.append(verdict);
  const row = make(
    'tr', {},
    make('td', {}, `${message.epoch}`),
    make('td', {}, message.loss.toFixed(3)),
    make('td', {}, percent(message.accuracy)),
    make('td', {}, percent(message.heldOut)),
    tensors,
  );
  row.classList.toggle('reached', message.heldOut >= GOAL);
  return row;
}

function showMisread(misread: readonly Misread[]): void {
  byId('misread-empty').hidden = misread.length > 0;
  byId('misread').replaceChildren(
    ...misread.map(({ pixels, label, guess }) => {
      const canvas = make('canvas', { width: SIZE, height: SIZE });
      canvas.ariaLabel = `A ${label} that was read as ${guess}`;
      canvas.role = 'img';
      showPicture(canvas, pixels);
      const words = make('p', {}, `${label} `, make('s', {}, `${guess}`));
      words.ariaHidden = 'true';
      return make('li', {}, canvas, words);
    }),
  );
}

function powerBelow(value: number): number {
  return 10 ** Math.floor(Math.log10(value));
}

function makeCharts() {
  const share = {
    format: (v: number) => percent(v),
    tick: (v: number) => percent(v, 0),
  };
  const whole = { format: String, tick: String };
  const size = {
    format: (v: number) => megabytes(v * 2 ** 20),
    tick: (v: number) => `${Number(v.toPrecision(1))} MB`,
  };
  return {
    loss: new Chart(byId('loss-chart'), {
      title: 'Loss',
      lines: [
        { label: 'batch', colour: '--sea-faint' },
        { label: 'smoothed', colour: '--sea' },
      ],
      format: (v) => v.toFixed(3),
      tick: (v) => v.toFixed(1),
      range: (_min, max) => [0, Math.max(max, 0.5)],
    }),
    accuracy: new Chart(byId('accuracy-chart'), {
      title: 'Accuracy',
      lines: [
        { label: 'training', colour: '--sea' },
        { label: 'held out', colour: '--violet', dots: true },
        { label: 'goal', colour: '--mark', dashed: true },
      ],
      ...share,
      range: () => [0, 1],
    }),
    tensors: new Chart(byId('tensors-chart'), {
      title: 'Live tensors between steps',
      lines: [
        { label: 'count', colour: '--sea', filled: true, steps: true },
      ],
      ...whole,
      range: (_min, max) => [0, Math.max(20, Math.ceil(max * 1.5))],
    }),
    bytes: new Chart(byId('bytes-chart'), {
      title: 'Memory',
      logarithmic: true,
      lines: [
        { label: 'tensors', colour: '--sea', filled: true },
        { label: 'high-water mark', colour: '--mark', dashed: true },
        { label: 'wasm heap', colour: '--sand' },
      ],
      ...size,
      range: (min, max) => [powerBelow(min || 0.1), 10 * powerBelow(max || 10)],
    }),
  };
}
