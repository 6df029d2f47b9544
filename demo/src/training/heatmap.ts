// A kernel's values over the steps: the more of them, the darker.
import { colour, make, onScheme } from '../dom.js';
import type { Histogram } from './directory.js';

const BINS = 48;
/** How much room labels take, in CSS pixels. */
const LEFT = 46;
const BOTTOM = 20;

/** The counts in bins of equal width; within a bucket values are spread evenly. */
function rebinned({ limits, counts }: Histogram, low: number, high: number): number[] {
  const bins = new Array<number>(BINS).fill(0);
  const width = (high - low) / BINS;
  counts.forEach((count, i) => {
    if (count === 0) return;
    const from = Math.max(limits[i - 1] ?? limits[i]!, low);
    const to = Math.min(limits[i]!, high);
    const share = count / Math.max(to - from, width / BINS);
    for (let bin = Math.max(0, Math.floor((from - low) / width)); bin < BINS; bin++) {
      const start = low + bin * width;
      if (start >= to) break;
      bins[bin]! += share * (Math.min(to, start + width) - Math.max(from, start));
    }
  });
  return bins;
}

/** Where the values lie: buckets that hold next to nothing are left out. */
function extent(histograms: readonly Histogram[]): number {
  let most = 0;
  for (const { limits, counts } of histograms) {
    const few = counts.reduce((sum, count) => sum + count, 0) / 1000;
    counts.forEach((count, i) => {
      if (count > few) most = Math.max(most, Math.abs(limits[i]!));
    });
  }
  // Such that the axis's numbers are round.
  return Math.ceil((most || 0.1) * 20 - 1e-9) / 20;
}

export class Heatmap {
  readonly #canvas = make('canvas');
  readonly #note = make('span', { className: 'key' });
  readonly #steps: number;
  #histograms: readonly Histogram[] = [];

  constructor(host: HTMLElement, title: string, steps: number) {
    this.#steps = steps;
    const area = make('div', { className: 'plot' }, this.#canvas);
    this.#canvas.role = 'img';
    host.append(make('figcaption', {}, make('h2', {}, title), this.#note), area);
    new ResizeObserver(() => this.#draw()).observe(area);
    onScheme(() => this.#draw());
  }

  show(histograms: readonly Histogram[]): void {
    this.#histograms = histograms;
    this.#draw();
  }

  #draw(): void {
    const canvas = this.#canvas;
    const { clientWidth: width, clientHeight: height } = canvas.parentElement!;
    const scale = devicePixelRatio;
    canvas.width = width * scale;
    canvas.height = height * scale;
    const context = canvas.getContext('2d')!;
    context.scale(scale, scale);
    const top = extent(this.#histograms);
    const most = Math.max(this.#steps, this.#histograms.at(-1)?.step ?? 0);
    const [w, h] = [width - LEFT - 14, height - BOTTOM - 8];
    // Cells that meet between two pixels would show a grid.
    const whole = (at: number): number => Math.round(at * scale) / scale;
    const x = (step: number): number => whole(LEFT + (step / most) * w);
    this.#drawAxes(context, { x, h, top, most });
    context.fillStyle = colour('--sea');
    this.#histograms.forEach((histogram, i) => {
      const next = this.#histograms[i + 1]?.step ?? histogram.step + 5;
      const bins = rebinned(histogram, -top, top);
      const peak = Math.max(...bins);
      const [left, right] = [x(histogram.step), Math.min(x(next), LEFT + w)];
      bins.forEach((count, bin) => {
        context.globalAlpha = Math.sqrt(count / peak);
        const y = whole(8 + h - ((bin + 1) / BINS) * h);
        const bottom = whole(8 + h - (bin / BINS) * h);
        context.fillRect(left, y, right - left, bottom - y);
      });
    });
    const last = this.#histograms.at(-1);
    this.#note.textContent = last ? `${last.counts.reduce((a, b) => a + b, 0).toLocaleString('en')} values` : '';
    canvas.ariaLabel = last
      ? `Values of the kernel at step ${last.step}: between ${(-top).toFixed(2)} and ${top.toFixed(2)}`
      : 'No values yet';
  }

  #drawAxes(
    context: CanvasRenderingContext2D,
    { x, h, top, most }: { x: (step: number) => number; h: number; top: number; most: number },
  ): void {
    context.globalAlpha = 1;
    context.font = `11px ${colour('--mono')}`;
    context.fillStyle = colour('--soft');
    context.strokeStyle = colour('--line');
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    for (const part of [1, 0, -1]) {
      const y = 8 + ((1 - part) / 2) * h;
      context.beginPath();
      context.moveTo(LEFT, y);
      context.lineTo(x(most), y);
      context.stroke();
      context.fillText((part * top).toFixed(2).replace('-', '−'), LEFT - 8, y);
    }
    context.textBaseline = 'top';
    context.textAlign = 'center';
    for (let step = 0; step <= most; step += most > 1000 ? 500 : most > 200 ? 200 : 50) {
      context.fillText(String(step), x(step), h + 15);
    }
  }
}
