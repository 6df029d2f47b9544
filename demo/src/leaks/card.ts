// The card of a lane: its verdict, its charts, its figures.
import { Chart, type Line } from '../charts.js';
import { byId, make, megabytes } from '../dom.js';
import type { Lane } from './lanes.js';
import type { Sample } from './protocol.js';
import type { End, Watcher } from './run.js';
import type { Settings } from './settings.js';

/** All cards draw memory to one scale, or they could not be compared. */
export interface Scale {
  top: number;
}

export type State =
  'idle' | 'waiting' | 'loading' | 'running' | End['state'];

const MB = 2 ** 20;
const figures = {
  peak: 'Most held',
  heap: 'Wasm heap',
  reclaimed: 'Freed by GC',
  rescues: 'Rescues',
  pending: 'Pending',
  slowest: 'Slowest step',
};

type Kind = 'doomed' | 'rescued' | 'careful';

function kindOf({ library, rescued }: Lane): Kind {
  return library === 'tfjs' ? 'doomed' : rescued ? 'rescued' : 'careful';
}

/** What the memory chart marks besides memory. */
const marks: Partial<Record<Kind, Line[]>> = {
  doomed: [{ label: 'end', colour: '--mark', marks: true }],
  rescued: [
    { label: 'rescue', colour: '--violet', marks: true },
    { label: 'budget', colour: '--soft', dashed: true },
  ],
};

export class Card implements Watcher {
  readonly lane: Lane;
  readonly #settings: Settings;
  readonly #scale: Scale;
  readonly #changed: () => void;
  readonly #host: HTMLElement;
  readonly #verdict = make('p', { className: 'verdict-line' });
  readonly #held = make('b', { className: 'held' }, '–');
  readonly #when = make('span', { className: 'hint' });
  readonly #error = make('p', { className: 'error', hidden: true });
  readonly #library = make('p', { className: 'hint' });
  readonly #stats = new Map<string, HTMLElement>();
  readonly #memory: Chart;
  readonly #pending: Chart;
  readonly #time: Chart;
  #samples: Sample[] = [];
  #death: number | null = null;
  #dirty = true;
  state: State = 'idle';

  constructor(
    lane: Lane, settings: Settings, scale: Scale, changed: () => void,
  ) {
    this.lane = lane;
    this.#settings = settings;
    this.#scale = scale;
    this.#changed = changed;
    this.#host = byId(`lane-${lane.id}`);
    const plots = ['memory', 'pending', 'time'].map((name) =>
      make('figure', { className: `chart ${name}` }));
    const small = make('div', { className: 'small-charts' }, ...plots.slice(1));
    this.#host.append(
      ...this.#head(), plots[0]!, this.#error, this.#list(), small,
      this.#library);
    const { steps } = settings;
    this.#memory = new Chart(plots[0]!, {
      title: 'Memory',
      lines: [
        { label: 'live', colour: this.#colour, filled: true },
        { label: 'heap', colour: '--sand' },
        ...(marks[kindOf(lane)] ?? []),
      ],
      format: (v) => size(v * MB),
      tick: (v) => (v >= 1024 ? `${v / 1024} GB` : `${v} MB`),
      distances: [16, 32, 64, 128, 256, 512, 1024, 2048, 4096],
      range: () => [0, scale.top / MB],
      steps,
    });
    this.#pending = new Chart(plots[1]!, {
      title: 'Pending',
      lines: [{ label: 'tensors', colour: '--violet', filled: true }],
      format: String,
      tick: String,
      range: (_min, max) => [0, Math.max(10, max * 1.1)],
      steps,
    });
    this.#time = new Chart(plots[2]!, {
      title: 'Step time',
      lines: [{ label: 'ms', colour: '--soft' }],
      format: (v) => v.toFixed(1),
      tick: String,
      range: (_min, max) => [0, Math.max(50, max * 1.1)],
      steps,
    });
    this.enter('idle');
  }

  get #colour(): string {
    return this.lane.library === 'tfjs' ? '--mark' : '--sea';
  }

  /** The most bytes that tensors have held. */
  get peak(): number {
    return this.last?.peak ?? 0;
  }

  get last(): Sample | undefined {
    return this.#samples.at(-1);
  }

  /** Empties the card; a run will follow. */
  wait(): void {
    this.#samples = [];
    this.#death = null;
    this.#error.hidden = true;
    this.enter('waiting');
  }

  loading(): void {
    this.enter('loading');
  }

  ready(library: string): void {
    this.#library.textContent = library;
    this.enter('running');
  }

  sample(sample: Sample): void {
    this.#samples.push(sample);
    const top = Math.max(this.#scale.top, 1.1 * sample.heap);
    this.#scale.top = top;
    this.#dirty = true;
    this.#changed();
  }

  end(end: End): void {
    if (end.state === 'died' || end.state === 'capped') {
      this.#death = this.last ? this.last.live / MB : null;
    }
    this.enter(end.state);
    if (end.state !== 'died') return;
    this.#error.textContent = this.last
      ? `At ${size(this.#heap)}: ${end.message}`
      : end.message;
    this.#error.hidden = false;
  }

  enter(state: State): void {
    this.state = state;
    this.#host.dataset.state = state;
    this.#dirty = true;
    this.#changed();
  }

  /** What is held while it runs, and the most that was once it has ended. */
  held(): string {
    const held = this.state === 'running' ? this.last?.live : this.last?.peak;
    return held === undefined ? '–' : size(held);
  }

  /** Draws what has changed; everything when the scale has. */
  draw(rescaled: boolean): void {
    if (!this.#dirty && !rescaled) return;
    this.#dirty = false;
    const rows = this.#samples;
    const steps = rows.map(({ step }) => step);
    this.#memory.show([
      steps,
      rows.map(({ live }) => live / MB),
      rows.map(({ heap }) => heap / MB),
      ...this.#marks(),
    ]);
    this.#pending.show([steps, rows.map(({ pending }) => pending)]);
    this.#time.show([steps, rows.map(({ ms }) => ms)]);
    this.#tell();
  }

  /** The columns of the lines in `marks`. */
  #marks(): (number | null)[][] {
    const rows = this.#samples;
    switch (kindOf(this.lane)) {
      case 'doomed':
        return [rows.map((row) => (row === this.last ? this.#death : null))];
      case 'rescued':
        return [
          rows.map(({ live, rescues }, i) =>
            rescues > (rows[i - 1]?.rescues ?? 0) ? live / MB : null),
          rows.map(() => this.#settings.budget / MB),
        ];
      case 'careful': return [];
    }
  }

  /** A sentence about how it ended, or how it is going. */
  verdict(): string {
    const step = this.last?.step ?? 0;
    const { steps } = this.#settings;
    switch (this.state) {
      case 'idle': return `${steps} steps to go`;
      case 'waiting': return 'Waiting for its turn';
      case 'loading': return 'Loading';
      case 'running': return `Step ${step} of ${steps}`;
      case 'done': return `Alive after ${steps} steps`;
      case 'died': return `Died at step ${step + 1}`;
      case 'capped': return `Stopped at step ${step}: ${size(this.#heap)}`;
      case 'stopped': return `Stopped by you at step ${step}`;
    }
  }

  get #heap(): number {
    return this.last?.heap ?? 0;
  }

  #head(): HTMLElement[] {
    const { title, words } = this.lane;
    const id = `title-${this.lane.id}`;
    this.#host.setAttribute('aria-labelledby', id);
    return [
      make('div', { className: 'lane-head' },
        make('h3', { id }, title), this.#verdict),
      make('p', { className: 'words' }, words),
      make('p', { className: 'reading' }, this.#held, this.#when),
    ];
  }

  #list(): HTMLElement {
    const items = Object.entries(figures).map(([name, label]) => {
      const value = make('dd', {}, '–');
      this.#stats.set(name, value);
      return make('div', {}, make('dt', {}, label), value);
    });
    return make('dl', { className: 'stats' }, ...items);
  }

  #tell(): void {
    const { last } = this;
    this.#verdict.textContent = this.verdict();
    const running = this.state === 'running';
    this.#held.textContent = this.held();
    this.#when.textContent = running ? 'held now' : last ? 'held at most' : '';
    const collects = this.lane.library === 'tidemark';
    const slowest = this.#samples.slice(1).reduce(
      (most, { ms }) => Math.max(most, ms), 0);
    const pending = this.#samples.reduce(
      (most, sample) => Math.max(most, sample.pending), 0);
    const values: Record<keyof typeof figures, string> = {
      peak: size(this.peak),
      heap: size(this.#heap),
      reclaimed: collects ? (last?.reclaimed ?? 0).toLocaleString('en') : '0',
      rescues: collects ? `${last?.rescues ?? 0}` : 'none',
      pending: `${pending}`,
      slowest: `${slowest.toFixed(0)} ms`,
    };
    for (const [name, value] of Object.entries(values)) {
      this.#stats.get(name)!.textContent = last ? value : '–';
      if (last) this.#host.dataset[name] = value;
    }
    this.#host.dataset.step = `${last?.step ?? 0}`;
    this.#host.dataset.peakBytes = `${this.peak}`;
    this.#host.dataset.heapBytes = `${this.#heap}`;
  }
}

/** A size in words short enough for a heading. */
export function size(bytes: number): string {
  return bytes < 1000 * MB
    ? megabytes(bytes).replace(/\.\d+/, '')
    : `${(bytes / 1024 / MB).toFixed(2)} GB`;
}
