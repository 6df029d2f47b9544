/**
 * Where the lines, ticks and words of a chart of losses and metrics go, as a
 * tree of SVG elements that no page is needed for.
 */

/** An SVG element: its name, attributes, text, and what is inside. */
export interface SvgNode {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly text?: string;
  readonly children?: readonly SvgNode[];
}

/** Values by name, one per epoch (or batch). */
export interface Series {
  readonly [name: string]: readonly number[];
}

/** How a chart looks. */
export interface ChartOptions {
  /** Width in pixels; 480. */
  width?: number;
  /** Height of each panel in pixels; 160. */
  height?: number;
  /** The names to show, without 'val_'; all. */
  metrics?: readonly string[];
  /** What the values are counted by; 'epoch'. */
  per?: 'epoch' | 'batch';
}

const margin = {left: 52, right: 12, top: 24, bottom: 22};
const colors = {train: '#2a78d6', validation: '#e0782f'} as const;
const gray = '#8a8f98';

/** About `count` round numbers from `low` to `high` or a little outside. */
export function niceTicks(low: number, high: number, count = 4): number[] {
  if (!(high > low)) {
    const pad = Math.abs(low) / 2 || 0.5;
    return niceTicks(low - pad, low + pad, count);
  }
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  // The tolerance: three tenths are less than 0.3.
  const enough = (m: number): boolean => m * power >= rough * (1 - 1e-9);
  const step = power * ([1, 2, 5].find(enough) ?? 10);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  return Array.from({length: last - first + 1}, (_, i) =>
    Number(((first + i) * step).toPrecision(12)));
}

/** A number for an axis. */
export function tickLabel(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e5)) {
    return value.toExponential(0);
  }
  return String(Number(value.toPrecision(4)));
}

/** At most `most` values: means of as many values in a row each. */
export function thin(values: readonly number[], most: number): number[] {
  const each = Math.ceil(values.length / most);
  if (each <= 1) return [...values];
  const thinned: number[] = [];
  for (let i = 0; i < values.length; i += each) {
    const part = values.slice(i, i + each);
    thinned.push(part.reduce((a, b) => a + b, 0) / part.length);
  }
  return thinned;
}

/** The names in groups: each with what was found in validation. */
export function panels(
    series: Series, wanted?: readonly string[]): string[][] {
  const bases = [...new Set(
      Object.keys(series).map((name) => name.replace(/^val_/, '')))];
  return bases.filter((base) => wanted === undefined || wanted.includes(base))
      .map((base) => [base, `val_${base}`].filter((name) => name in series));
}

const two = (x: number): number => Math.round(x * 100) / 100;

/** A line through points; values that are not finite leave a gap. */
export function linePath(
    values: readonly number[], x: (i: number) => number,
    y: (value: number) => number): string {
  let path = '';
  let open = false;
  values.forEach((value, i) => {
    if (!Number.isFinite(value)) {
      open = false;
      return;
    }
    path += `${open ? 'L' : 'M'}${two(x(i))} ${two(y(value))}`;
    open = true;
  });
  return path;
}

function words(
    x: number, y: number, text: string, anchor: string,
    fill: string = gray): SvgNode {
  return {
    tag: 'text',
    attributes: {
      x: two(x), y: two(y), fill, 'text-anchor': anchor, 'font-size': 11,
      'font-family': 'system-ui, sans-serif',
    },
    text,
  };
}

function panel(
    series: Series, names: readonly string[], top: number,
    {width, height, per}: Required<Omit<ChartOptions, 'metrics'>>): SvgNode {
  const left = margin.left;
  const right = width - margin.right;
  const [from, to] = [top + height - margin.bottom, top + margin.top];
  const finite = names.flatMap((name) => series[name]!.filter(Number.isFinite));
  // A loop: spreading very many values would overflow the stack.
  let [low, high] = [Infinity, -Infinity];
  for (const value of finite) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const ticks = finite.length > 0 ? niceTicks(low, high) : [0, 1];
  const [bottom, ceiling] = [ticks[0]!, ticks[ticks.length - 1]!];
  const y = (value: number): number =>
    from + (to - from) * (value - bottom) / (ceiling - bottom);
  const most = Math.max(...names.map((name) => series[name]!.length), 1);
  const children: SvgNode[] = ticks.flatMap((tick) => [
    {
      tag: 'line',
      attributes: {
        x1: left, x2: right, y1: two(y(tick)), y2: two(y(tick)), stroke: gray,
        'stroke-opacity': 0.25,
      },
    },
    words(left - 6, y(tick) + 4, tickLabel(tick), 'end'),
  ]);
  children.push(
      words(left, from + 16, '1', 'middle'),
      words(right, from + 16, `${per} ${most}`, 'end'));
  let at = left;
  names.forEach((name) => {
    const values = thin(series[name]!, right - left);
    const step = values.length > 1 ? (right - left) / (values.length - 1) : 0;
    const x = (i: number): number => left + i * step;
    const color = name.startsWith('val_') ? colors.validation : colors.train;
    const last = series[name]!.at(-1);
    const text = last === undefined ? name :
      `${name} ${Number(last.toPrecision(4))}`;
    children.push({
      tag: 'path',
      attributes: {
        d: linePath(values, x, y), fill: 'none', stroke: color,
        'stroke-width': 2, 'stroke-linejoin': 'round',
        'stroke-linecap': 'round',
      },
    });
    if (values.length === 1 && Number.isFinite(values[0])) {
      children.push({
        tag: 'circle',
        attributes: {cx: left, cy: two(y(values[0]!)), r: 3, fill: color},
      });
    }
    children.push(words(at, top + 14, text, 'start', color));
    at += 16 + 7 * text.length;
  });
  return {tag: 'g', attributes: {'data-metric': names[0]!}, children};
}

/** A chart with a panel for the loss and for every metric. */
export function chartNode(series: Series, options: ChartOptions = {}): SvgNode {
  const {width = 480, height = 160, per = 'epoch'} = options;
  const groups = panels(series, options.metrics);
  const all = Math.max(groups.length, 1) * height;
  return {
    tag: 'svg',
    attributes: {
      width, height: all, viewBox: `0 0 ${width} ${all}`, role: 'img',
      'aria-label': `Training: ${groups.flat().join(', ') || 'nothing yet'}`,
    },
    children: groups.map((names, i) =>
      panel(series, names, i * height, {width, height, per})),
  };
}
