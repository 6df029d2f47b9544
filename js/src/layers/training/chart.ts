/** A chart of losses and metrics that draws itself while a model trains. */
import {TensorError} from '../../errors.js';
import {BaseCallback} from './callbacks.js';
import {chartNode} from './chart_geometry.js';
import type {ChartOptions, Series, SvgNode} from './chart_geometry.js';
import type {Logs} from './logs.js';

const svg = 'http://www.w3.org/2000/svg';

/** What a chart is drawn in: an element of a page. */
export type ChartContainer =
  Pick<Element, 'replaceChildren'> & {readonly ownerDocument: Document};

function elementOf(node: SvgNode, document: Document): Element {
  const element = document.createElementNS(svg, node.tag);
  for (const [name, value] of Object.entries(node.attributes)) {
    element.setAttribute(name, String(value));
  }
  // As text, never as markup: names are the user's.
  if (node.text !== undefined) element.textContent = node.text;
  for (const child of node.children ?? []) {
    element.appendChild(elementOf(child, document));
  }
  return element;
}

/** Draws losses and metrics, as `fit` returns them, into an element. */
export function drawChart(
    container: ChartContainer, series: Series, options?: ChartOptions): void {
  container.replaceChildren(
      elementOf(chartNode(series, options), container.ownerDocument));
}

// Redrawing for every batch would take longer than many batches.
const redrawMs = 100;

/** A callback that draws losses and metrics while a model trains. */
export class TrainingChart extends BaseCallback {
  readonly #container: ChartContainer;
  readonly #options: ChartOptions;
  #series: {[name: string]: number[]} = {};
  #drawn = -Infinity;

  constructor(container: ChartContainer, options: ChartOptions = {}) {
    super();
    if (typeof container?.replaceChildren !== 'function') {
      throw new TensorError(
          'argument', 'callbacks.chart: the container must be an element of ' +
              `the page, got ${JSON.stringify(container)}`);
    }
    this.#container = container;
    this.#options = options;
  }

  /** What was drawn, by name. */
  get series(): Series {
    return this.#series;
  }

  override onTrainBegin(): void {
    this.#series = {};
    this.#drawn = -Infinity;
    this.#draw();
  }

  override onBatchEnd(_batch: number, logs: Logs = {}): void {
    if (this.#options.per !== 'batch') return;
    const {batch: _, size: __, ...values} = logs;
    this.#add(values);
    if (performance.now() - this.#drawn >= redrawMs) this.#draw();
  }

  override onEpochEnd(_epoch: number, logs: Logs = {}): void {
    if (this.#options.per !== 'batch') this.#add(logs);
    this.#draw();
  }

  #add(values: Logs): void {
    for (const [name, value] of Object.entries(values)) {
      (this.#series[name] ??= []).push(value);
    }
  }

  #draw(): void {
    drawChart(this.#container, this.#series, this.#options);
    this.#drawn = performance.now();
  }
}

/**
 * A callback that draws the losses and metrics into an element of the page, as
 * SVG, after every epoch (or, with `per: 'batch'`, about ten times a second).
 * Options: `width`, `height` of a panel, `metrics` to show, `per`. Errors: a
 * container that is no element.
 *
 * ```js
 * try {
 *   tf.callbacks.chart('#chart');
 * } catch (e) {
 *   e.code; // => 'argument'
 * }
 * ```
 */
export function chart(
    container: ChartContainer, options?: ChartOptions): TrainingChart {
  return new TrainingChart(container, options);
}
