// The lists of the page: checkpoints, files, and the log.
import { byId, make, percent } from '../dom.js';
import type { Checkpoint, Point, Run } from './directory.js';
import type { Speaker } from './protocol.js';

/** Lines of the log that are kept. */
const LINES = 400;
/** How long a checkpoint that was pruned stays to be seen, in milliseconds. */
const FAREWELL = 2500;

/** A size, exact enough to see that two checkpoints are equal. */
export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  return count < 1e6 ? `${(count / 1e3).toFixed(1)} kB` : `${(count / 1e6).toFixed(2)} MB`;
}

function time(date: Date): string {
  return date.toLocaleTimeString('en-GB');
}

export class CheckpointList {
  readonly #body = byId('checkpoints');
  readonly #empty = this.#body.firstElementChild!;
  readonly #rows = new Map<number, HTMLTableRowElement>();

  /** Shows the checkpoints, the newest on top. */
  show(checkpoints: readonly Checkpoint[], heldOut: readonly Point[]): void {
    const now = new Map(checkpoints.map((one) => [one.step, one]));
    for (const [step, row] of this.#rows) {
      if (now.has(step) || row.classList.contains('pruned')) continue;
      row.classList.add('pruned');
      row.cells[3]!.textContent = 'removed';
      setTimeout(() => {
        // A later life may have saved at this step again.
        if (!row.classList.contains('pruned')) return;
        row.remove();
        this.#rows.delete(step);
        this.#sort();
      }, FAREWELL);
    }
    for (const checkpoint of checkpoints) this.#fill(checkpoint, heldOut);
    this.#sort();
    const total = checkpoints.reduce((sum, one) => sum + one.bytes, 0);
    byId('checkpoints-total').textContent =
      checkpoints.length > 0 ? `${checkpoints.length} kept, ${bytes(total)}` : '';
  }

  #fill({ step, bytes: count, saved, newest }: Checkpoint, heldOut: readonly Point[]): void {
    const row = this.#rows.get(step) ?? make('tr');
    this.#rows.set(step, row);
    row.className = newest ? 'newest' : '';
    const name = make('td', {}, `${step}`);
    if (newest) name.append(make('span', { className: 'badge' }, 'newest'));
    const share = heldOut.find((point) => point.step === step)?.value;
    row.replaceChildren(
      name,
      make('td', {}, share === undefined ? '–' : percent(share)),
      make('td', {}, bytes(count)),
      make('td', {}, time(saved)));
  }

  #sort(): void {
    const rows = [...this.#rows].sort(([a], [b]) => b - a).map(([, row]) => row);
    this.#body.replaceChildren(...rows.length > 0 ? rows : [this.#empty]);
  }
}

/** What the archive will hold. */
export function showFiles({ files }: Run): void {
  const kinds: [string, (name: string) => boolean][] = [
    ['event files', (name) => name.includes('.tfevents.')],
    ['checkpoints', (name) => name.startsWith('model.ckpt-')],
    ['graph.pbtxt', (name) => name === 'graph.pbtxt'],
    ['checkpoint', (name) => name === 'checkpoint'],
  ];
  byId('files').replaceChildren(...kinds.flatMap(([label, has]) => {
    const own = files.filter(({ name }) => has(name));
    if (own.length === 0) return [];
    const total = own.reduce((sum, file) => sum + file.size, 0);
    const count = own.length > 1 ? `${own.length} files, ` : '';
    return [make('div', {}, make('dt', {}, label), make('dd', {}, `${count}${bytes(total)}`))];
  }));
}

/** What a line is about, for its colour. */
function topicOf(text: string): string {
  if (/^(Saving|Restoring)/.test(text)) return 'save';
  if (/^(global_step\/sec|loss )/.test(text)) return 'figure';
  return 'life';
}

export class Log {
  readonly #list = byId('log');

  add(speaker: Speaker, text: string, level: 'info' | 'warn' | 'error' | 'crash' = 'info'): void {
    const list = this.#list;
    const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    list.querySelector('.empty')?.remove();
    const now = new Date();
    const stamp = `${time(now)}.${String(now.getMilliseconds()).padStart(3, '0').slice(0, 1)}`;
    const line = make('li', {},
      make('time', {}, stamp), make('b', {}, speaker), make('span', {}, text));
    line.dataset.level = level;
    line.dataset.topic = topicOf(text);
    list.append(line);
    while (list.childElementCount > LINES) list.firstElementChild!.remove();
    if (atEnd) list.scrollTop = list.scrollHeight;
  }
}

