// The right half of the page: what is drawn, and what the network reads in it.
import { CLASSES } from './digits.js';
import { byId, make, oncePerFrame, percent, showPicture } from './dom.js';
import { Pad } from './pad.js';
import type { Example, ToWorker } from './protocol.js';
import { pictureOf } from './strokes.js';

interface Column {
  item: HTMLLIElement;
  value: HTMLElement;
}

export class Reader {
  readonly #send: (message: ToWorker) => void;
  readonly #app = byId('app');
  readonly #guess = byId('guess');
  readonly #note = byId('guess-note');
  readonly #columns: Column[];
  readonly #pad: Pad;
  /** The number of the newest question; answers to older ones are dropped. */
  #asked = 0;
  #waiting = false;
  #askAgain = false;
  #trained = false;
  #label: number | undefined;

  constructor(send: (message: ToWorker) => void) {
    this.#send = send;
    this.#columns = Array.from({ length: CLASSES }, (_, digit) => {
      const value = make('small', {}, '–');
      const column = make('span', { className: 'column' });
      const item = make('li', {}, value, column, make('b', {}, `${digit}`));
      return { item, value };
    });
    byId('classes').append(...this.#columns.map(({ item }) => item));
    const changed = oncePerFrame(() => this.#changed());
    this.#pad = new Pad(byId<HTMLCanvasElement>('pad'), changed);
    byId('clear').addEventListener('click', () => this.#pad.clear());
    byId('sample').addEventListener('click', () => send({ kind: 'sample' }));
    this.#changed();
  }

  /** Tells whether there is a network to ask. */
  set trained(trained: boolean) {
    this.#trained = trained;
    this.#waiting = false;
    this.ask();
  }

  /** Lays a digit whose class is known on the pad. */
  show(example: Example): void {
    this.#pad.show(example.pixels);
    this.#label = example.label;
  }

  /** Asks for the reading of what is on the pad, if anything is. */
  ask(): void {
    if (this.#pad.empty || !this.#trained) return this.#blank();
    // One question at a time: the worker may be in the middle of a batch.
    if (this.#waiting) return void (this.#askAgain = true);
    this.#waiting = true;
    const pixels = this.#picture();
    this.#send({ kind: 'predict', id: ++this.#asked, pixels });
  }

  answer(id: number, probabilities: Float32Array): void {
    if (id !== this.#asked) return;
    this.#waiting = false;
    if (!this.#pad.empty && this.#trained) this.#tell(probabilities);
    if (this.#askAgain) {
      this.#askAgain = false;
      this.ask();
    }
  }

  #picture(): Uint8Array {
    return this.#pad.picture ?? pictureOf(this.#pad.strokes);
  }

  #changed(): void {
    if (!this.#pad.picture) this.#label = undefined;
    byId('pad-empty').hidden = !this.#pad.empty;
    showPicture(byId<HTMLCanvasElement>('seen'), this.#picture());
    this.ask();
  }

  #tell(probabilities: Float32Array): void {
    const best = probabilities.indexOf(Math.max(...probabilities));
    this.#columns.forEach(({ item, value }, digit) => {
      const p = probabilities[digit]!;
      item.style.setProperty('--p', `${p}`);
      item.classList.toggle('best', digit === best);
      value.textContent = percent(p, 0);
    });
    // Only a new text, or a screen reader would say it again at each step.
    if (this.#guess.textContent !== `${best}`) {
      this.#guess.textContent = `${best}`;
    }
    this.#note.textContent = this.#noteOn(best, probabilities[best]!);
    this.#app.dataset.prediction = `${best}`;
    this.#app.dataset.confidence = probabilities[best]!.toFixed(4);
  }

  #noteOn(best: number, p: number): string {
    if (this.#label === undefined) return `${percent(p, 0)} sure`;
    return best === this.#label ? 'and it is' : `it is a ${this.#label}`;
  }

  #blank(): void {
    for (const { item, value } of this.#columns) {
      item.style.setProperty('--p', '0');
      item.classList.remove('best');
      value.textContent = '–';
    }
    this.#guess.textContent = '?';
    this.#note.textContent = this.#pad.empty
      ? 'nothing drawn'
      : 'start training first';
    delete this.#app.dataset.prediction;
    delete this.#app.dataset.confidence;
  }
}
