// Line charts over training steps: uPlot draws, style/ gives the colours,
// and a key above each chart tells the value under the pointer or the newest.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

import { colour, make, onScheme } from './dom.js';

export interface Line {
  label: string;
  /** Name of a colour in style/base.css. */
  colour: string;
  dashed?: boolean;
  /** Fills the area below. */
  filled?: boolean;
  /** Marks each value: for lines of few values, with gaps between them. */
  dots?: boolean;
  /** Draws steps instead of slopes. */
  steps?: boolean;
  /** Marks moments: dots without a line, and no value in the key. */
  marks?: boolean;
  /** Breaks the line where a value is null; else only undefined is passed. */
  gaps?: boolean;
}

export interface ChartOptions {
  title: string;
  lines: Line[];
  /** Writes a value in the key. */
  format: (value: number) => string;
  /** Writes a value at the axis. */
  tick: (value: number) => string;
  /** Puts powers of ten at equal distances; the range must be positive. */
  logarithmic?: boolean;
  /** The axis for the given smallest and largest value. */
  range: (min: number, max: number) => [number, number];
  /** The last step of the axis at least; by default 10. */
  steps?: number;
  /** Distances between the axis's values to choose from. */
  distances?: number[];
  /** Colour of the spans that `shade` marks. */
  shade?: string;
}

/** Steps, then one list for each line; null where a line has no value. */
export type Table = [number[], ...(number | null | undefined)[][]];

export class Chart {
  readonly #plot: uPlot;
  readonly #values: HTMLElement[];
  readonly #options: ChartOptions;
  #spans: readonly (readonly [number, number])[] = [];

  constructor(host: HTMLElement, options: ChartOptions) {
    this.#options = options;
    this.#values = options.lines.map(() => make('b', {}, '–'));
    const keys = options.lines.map((line, i) => {
      const sample = make('i');
      sample.style.setProperty('--colour', `var(${line.colour})`);
      if (line.dashed) sample.style.setProperty('--dash', 'dashed');
      const key = make('span', { className: 'key' }, sample, line.label);
      if (line.marks) key.classList.add('marks');
      else key.append(this.#values[i]!);
      return key;
    });
    const title = make('h2', {}, options.title);
    const area = make('div', { className: 'plot' });
    host.append(make('figcaption', {}, title, ...keys), area);
    this.#plot = new uPlot(this.#settings(area), this.#empty(), area);
    new ResizeObserver(() => this.#plot.setSize(sizeOf(area))).observe(area);
    onScheme(() => this.#plot.redraw(false));
  }

  /** Shows the table; without rows an empty grid. */
  show(table: Table): void {
    const full = table[0].length > 0;
    this.#plot.setData(full ? table : this.#empty());
    this.#tell();
  }

  /** Marks spans of steps, from the next `show` on. */
  shade(spans: readonly (readonly [from: number, to: number])[]): void {
    this.#spans = spans;
  }

  #drawSpans(plot: uPlot): void {
    const { ctx, bbox } = plot;
    ctx.fillStyle = `${colour(this.#options.shade ?? '--line').trim()}22`;
    for (const [from, to] of this.#spans) {
      const left = plot.valToPos(from, 'x', true);
      const width = plot.valToPos(to, 'x', true) - left;
      ctx.fillRect(left, bbox.top, width, bbox.height);
    }
  }

  #empty(): uPlot.AlignedData {
    // uPlot draws no grid without at least one row.
    const { lines, steps = 100 } = this.#options;
    return [[0, steps], ...lines.map(() => [null, null])];
  }

  #settings(area: HTMLElement): uPlot.Options {
    const { lines, tick, range, logarithmic, distances, steps = 10 } =
      this.#options;
    const axis: uPlot.Axis = {
      stroke: () => colour('--soft'),
      grid: { stroke: () => colour('--line'), width: 1 },
      ticks: { show: false },
      font: `11px ${colour('--mono')}`,
    };
    return {
      ...sizeOf(area),
      legend: { show: false },
      padding: [8, 14, 0, 0],
      cursor: { y: false, points: { size: 7 } },
      hooks: {
        setCursor: [() => this.#tell()],
        drawClear: [(plot) => this.#drawSpans(plot)],
      },
      scales: {
        x: { time: false, range: (_u, min, max) => [min, Math.max(max, steps)] },
        y: {
          distr: logarithmic ? 3 : 1,
          range: (_u, min, max) => range(min ?? 0, max ?? 0),
        },
      },
      axes: [
        {
          ...axis, grid: { show: false }, size: 24,
          space: (_u, _axis, _min, _max, width) => (width < 200 ? 45 : 70),
          // Steps are whole.
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000],
        },
        {
          ...axis, size: 52, space: 34,
          values: (_u, splits) => splits.map(tick),
          ...(distances && { incrs: distances }),
          ...(logarithmic && {
            splits: (_u, _i, min, max) => powersOfTen(min, max),
            filter: (_u, splits) => splits,
          }),
        },
      ],
      series: [{}, ...lines.map(seriesOf)],
    };
  }

  #tell(): void {
    // Also runs inside uPlot's constructor, before #plot is there.
    const plot = this.#plot as uPlot | undefined;
    if (!plot) return;
    const { data, cursor } = plot;
    this.#values.forEach((element, i) => {
      const value = valueAt(data[i + 1]!, cursor.idx ?? data[0].length - 1);
      const { format } = this.#options;
      element.textContent = value === null ? '–' : format(value);
    });
  }
}

function powersOfTen(min: number, max: number): number[] {
  const first = Math.round(Math.log10(min));
  const count = Math.round(Math.log10(max)) - first + 1;
  return Array.from({ length: count }, (_, i) => 10 ** (first + i));
}

function sizeOf(area: HTMLElement): { width: number; height: number } {
  return { width: area.clientWidth, height: area.clientHeight };
}

function seriesOf(line: Line): uPlot.Series {
  return {
    stroke: () => colour(line.colour),
    width: line.dashed ? 1.5 : 2,
    spanGaps: !line.gaps,
    points: {
      show: line.dots ?? line.marks ?? false,
      size: 8,
      fill: () => colour(line.colour),
    },
    ...(line.dashed && { dash: [6, 5] }),
    ...(line.filled && { fill: () => `${colour(line.colour).trim()}1c` }),
    ...(line.steps && { paths: uPlot.paths.stepped!({ align: 1 }) }),
    ...(line.marks && { paths: () => null }),
  };
}

/** The value in that row, or the last one before it. */
function valueAt(
  values: ArrayLike<number | null | undefined>,
  row: number,
): number | null {
  for (let i = row; i >= 0; i--) if (values[i] != null) return values[i]!;
  return null;
}
