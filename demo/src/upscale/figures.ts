// The memory timeline: what is alive after each tile.
import { Chart } from '../charts.js';
import { byId, megabytes } from '../dom.js';
import type { MemorySample } from './protocol.js';

const MB = 2 ** 20;

function powerBelow(value: number): number {
  return 10 ** Math.floor(Math.log10(value));
}

export class Timeline {
  #tiles: number[] = [];
  #tensors: number[] = [];
  #bytes: number[] = [];
  #peak: number[] = [];
  #heap: number[] = [];
  readonly #tensorsChart = new Chart(byId('tensors-chart'), {
    title: 'Live tensors after each tile',
    lines: [{ label: 'count', colour: '--sea', filled: true, steps: true }],
    format: String, tick: String, steps: 4,
    range: (_min, max) => [0, Math.max(40, Math.ceil(max * 1.5))],
  });
  readonly #bytesChart = new Chart(byId('bytes-chart'), {
    title: 'Memory',
    logarithmic: true,
    lines: [
      { label: 'tensors', colour: '--sea', filled: true },
      { label: 'high-water mark', colour: '--mark', dashed: true },
      { label: 'wasm heap', colour: '--sand' },
    ],
    format: (v) => megabytes(v * MB),
    tick: (v) => `${Number(v.toPrecision(1))} MB`,
    steps: 4,
    range: (min, max) => [powerBelow(min || 0.1), 10 * powerBelow(max || 10)],
  });

  clear(): void {
    this.#tiles = [];
    this.#tensors = [];
    this.#bytes = [];
    this.#peak = [];
    this.#heap = [];
    this.draw();
  }

  add(memory: MemorySample): void {
    this.#tiles.push(this.#tiles.length + 1);
    this.#tensors.push(memory.tensors);
    this.#bytes.push(memory.bytes / MB);
    this.#peak.push(memory.peak / MB);
    this.#heap.push(memory.heap / MB);
  }

  draw(): void {
    this.#tensorsChart.show([this.#tiles, this.#tensors]);
    this.#bytesChart.show([this.#tiles, this.#bytes, this.#peak, this.#heap]);
    byId('tensors-chart').dataset.timeline = this.#tensors.join(' ');
  }
}
