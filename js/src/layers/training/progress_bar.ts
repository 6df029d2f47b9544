/** A progress bar for terminals: batches, losses and metrics, time left. */
import {BaseCallback} from './callbacks.js';
import type {Logs} from './logs.js';
import {Pace} from './progress_events.js';

/** The part of a terminal's stream that a bar needs. */
export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** The terminal this program writes to, if it writes to one. */
export function terminal(): Terminal | undefined {
  const stdout = (globalThis as {process?: {stdout?: Terminal}})
      .process?.stdout;
  return stdout?.isTTY === true ? stdout : undefined;
}

/** `61234` as `1:01`, `320` as `320ms`, `4210` as `4.2s`. */
export function formatTime(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)}s`;
  const whole = Math.round(seconds);
  const two = (n: number): string => String(n).padStart(2, '0');
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / 3600);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` :
    `${minutes}:${two(whole % 60)}`;
}

/** `loss=0.1234 acc=0.9`, without what is not a loss or metric. */
export function formatLogs(logs: Logs): string {
  return Object.entries(logs)
      .filter(([name]) => name !== 'batch' && name !== 'size')
      .map(([name, value]) => {
        const size = Math.abs(value);
        const text = size !== 0 && (size < 1e-3 || size >= 1e5) ?
          value.toExponential(2) : String(Number(value.toFixed(4)));
        return `${name}=${text}`;
      }).join(' ');
}

/** A bar of `width` characters of which `fraction` is filled. */
export function formatBar(fraction: number, width: number): string {
  const filled = Math.round(Math.max(0, Math.min(1, fraction)) * width);
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}

const barWidth = 24;
// Redrawing more often only costs time.
const redrawMs = 80;

/** Draws the training's progress in a terminal. */
export class ProgressBar extends BaseCallback {
  readonly #out: Terminal;
  readonly #now: () => number;
  readonly #training: Pace;
  readonly #epoch: Pace;
  #batch = 0;
  #drawn = -Infinity;
  #open = false;
  #seen = 0;
  #totals: Logs = {};

  constructor(
      out: Terminal, now: () => number = () => performance.now()) {
    super();
    this.#out = out;
    this.#now = now;
    this.#training = new Pace(now);
    this.#epoch = new Pace(now);
  }

  override onTrainBegin(): void {
    this.#training.begin();
  }

  override onEpochBegin(epoch: number): void {
    this.#epoch.begin();
    this.#batch = 0;
    this.#seen = 0;
    this.#totals = {};
    this.#drawn = -Infinity;
    if (this.params.verbose === 1) {
      this.#out.write(`Epoch ${epoch + 1} / ${this.params.epochs}\n`);
    }
  }

  override onBatchEnd(batch: number, logs: Logs = {}): void {
    this.#training.batchDone();
    this.#epoch.batchDone();
    this.#batch = batch + 1;
    this.#add(logs);
    if (this.params.verbose !== 1) return;
    const now = this.#now();
    if (now - this.#drawn < redrawMs) return;
    this.#drawn = now;
    this.#line(this.#running());
  }

  override onEpochEnd(epoch: number, logs: Logs = {}): void {
    const took = this.#epoch.elapsedMs;
    const each = this.#batch > 0 ? ` ${formatTime(took / this.#batch)}/step` :
      '';
    const head = this.params.verbose === 1 ?
      `${this.#count()} ${formatBar(1, barWidth)}` :
      `Epoch ${epoch + 1}/${this.params.epochs}`;
    const time = `${formatTime(took)}${each}`;
    this.#line(`${head} ${time} - ${formatLogs(logs)}`, true);
    this.#out.write('\n');
    this.#open = false;
  }

  override release(): void {
    // An error or a stop leaves the cursor on a line of its own.
    if (this.#open) this.#out.write('\n');
    this.#open = false;
  }

  #running(): string {
    const {steps, epochs, initialEpoch} = this.params;
    const {fraction} = this.#epoch.of(steps);
    const {remainingMs} = this.#training.of(
        steps === null ? null : steps * (epochs - initialEpoch));
    const bar = fraction === null ? '' : ` ${formatBar(fraction, barWidth)}`;
    const left = remainingMs === null ? '' :
      ` ${formatTime(remainingMs)} left`;
    return `${this.#count()}${bar}${left} - ${formatLogs(this.#means())}`;
  }

  #count(): string {
    const {steps} = this.params;
    return steps === null ? String(this.#batch) :
      `${String(this.#batch).padStart(String(steps).length)}/${steps}`;
  }

  #add(logs: Logs): void {
    const size = logs['size'] ?? 1;
    this.#seen += size;
    for (const [name, value] of Object.entries(logs)) {
      this.#totals[name] = (this.#totals[name] ?? 0) + value * size;
    }
  }

  #means(): Logs {
    return Object.fromEntries(Object.entries(this.#totals)
        .map(([name, total]) => [name, total / this.#seen]));
  }

  /** Writes over the line; all of `text` when it is the `final` one. */
  #line(text: string, final = false): void {
    // A line that wraps could not be written over.
    const room = (this.#out.columns ?? 80) - 1;
    const shown = final ? text : text.slice(0, room);
    this.#out.write(`\r\x1b[2K${shown}`);
    this.#open = true;
  }
}
