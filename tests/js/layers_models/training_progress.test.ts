// Progress: the bar in terminals, events in pages, charts; and what is saved of training.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { chartNode, linePath, niceTicks, panels, thin, tickLabel } from '../../../js/src/layers/training/chart_geometry.js';
import type { SvgNode } from '../../../js/src/layers/training/chart_geometry.js';
import { ProgressBar, formatBar, formatLogs, formatTime, terminal } from '../../../js/src/layers/training/progress_bar.js';

let model: tf.Sequential;
let x: tf.Tensor;
let y: tf.Tensor;

describe('in training', () => {
  beforeEach(() => {
    model = tf.sequential({ layers: [tf.layers.dense({ units: 1, kernelInitializer: 'zeros', inputShape: [1] })] });
    model.compile({ optimizer: tf.train.sgd(0), loss: 'meanSquaredError' });
    [x, y] = [tf.ones([4, 1]), tf.ones([4, 1])];
  });
  afterEach(() => {
    model.dispose();
    tf.dispose([x, y]);
  });

  /** A terminal that remembers, and a clock that a batch moves by `ms`. */
  function fake(columns = 80): { text: string[]; bar: ProgressBar; clock: tf.CustomCallbackArgs } {
    let now = 0;
    const text: string[] = [];
    const bar = new ProgressBar({ isTTY: true, columns, write: (s: string) => text.push(s) }, () => now);
    return { text, bar, clock: { onBatchBegin: () => { now += 1500; } } };
  }
  const shown = (text: string[]): string[] => text.map((s) => s.replace('\r\x1b[2K', '> '));

  test('a bar shows batches, time left, losses', async () => {
    const { text, bar, clock } = fake();
    await model.fit(x, y, { epochs: 2, batchSize: 2, verbose: 1, validationSplit: 0.25, callbacks: [clock, bar] });
    expect(shown(text)).toEqual([
      'Epoch 1 / 2\n',
      '> 1/2 ████████████░░░░░░░░░░░░ 4.5s left - loss=1',
      '> 2/2 ████████████████████████ 3.0s left - loss=1',
      '> 2/2 ████████████████████████ 3.0s 1.5s/step - loss=1 val_loss=1',
      '\n',
      'Epoch 2 / 2\n',
      '> 1/2 ████████████░░░░░░░░░░░░ 1.5s left - loss=1',
      '> 2/2 ████████████████████████ 0ms left - loss=1',
      '> 2/2 ████████████████████████ 3.0s 1.5s/step - loss=1 val_loss=1',
      '\n',
    ]);
  });

  test('a line per epoch', async () => {
    const { text, bar, clock } = fake();
    await model.fit(x, y, { epochs: 2, batchSize: 2, verbose: 2, callbacks: [clock, bar] });
    expect(shown(text)).toEqual(['> Epoch 1/2 3.0s 1.5s/step - loss=1', '\n', '> Epoch 2/2 3.0s 1.5s/step - loss=1', '\n']);
  });

  test('an unknown number of batches, a narrow terminal, an error in the middle', async () => {
    const { text, bar, clock } = fake(12);
    let n = 0;
    const fail = { onBatchEnd: () => { if (++n === 2) throw new Error('enough'); } };
    const data = { * [Symbol.iterator]() { for (;;) yield { xs: tf.ones([1, 1]), ys: tf.ones([1, 1]) }; } };
    await expect(model.fitDataset(data, { epochs: 1, callbacks: [clock, bar, fail] })).rejects.toThrow('enough');
    expect(shown(text)).toEqual(['Epoch 1 / 1\n', '> 1 - loss=1', '> 2 - loss=1', '\n']);
    expect(Math.max(...text.slice(1).map((s) => s.replace('\r\x1b[2K', '').length))).toBeLessThan(12);
  });

  test('is drawn only where there is a terminal', () => {
    const { isTTY } = process.stdout;
    try {
      process.stdout.isTTY = true;
      expect(terminal()).toBe(process.stdout);
      process.stdout.isTTY = false;
      expect(terminal()).toBeUndefined();
    } finally {
      process.stdout.isTTY = isTTY;
    }
  });

  test('numbers are short', () => {
    expect([0, 320, 999.6, 4210, 59_000, 61_234, 3_723_000].map(formatTime)).toEqual(['0ms', '320ms', '1000ms', '4.2s', '59.0s', '1:01', '1:02:03']);
    expect(formatLogs({ batch: 1, size: 2, loss: 0.123456, acc: 1, tiny: 1e-5, huge: 123456, none: NaN })).toBe('loss=0.1235 acc=1 tiny=1.00e-5 huge=1.23e+5 none=NaN');
    expect([-1, 0, 0.5, 2].map((f) => formatBar(f, 4))).toEqual(['░░░░', '░░░░', '██░░', '████']);
  });

  test('events tell how far every training is', async () => {
    const seen: [string, tf.TrainingProgress, unknown][] = [];
    const listener = (e: tf.TrainingEvent): void => { seen.push([e.type, e.detail, e.error]); };
    const types = ['trainbegin', 'batchend', 'epochend', 'trainend', 'trainerror'] as const;
    for (const type of types) tf.layersProgress.addEventListener(type, listener);
    try {
      await model.fit(x, y, { epochs: 3, initialEpoch: 1, batchSize: 2, verbose: 0 });
      expect(seen.map(([type, d]) => [type, d.epoch, d.batch, d.fraction])).toEqual([
        ['trainbegin', 1, 0, 0], ['batchend', 1, 1, 0.25], ['batchend', 1, 2, 0.5], ['epochend', 1, 2, 0.5],
        ['batchend', 2, 1, 0.75], ['batchend', 2, 2, 1], ['epochend', 2, 2, 1], ['trainend', 2, 2, 1],
      ]);
      const [, last] = seen.at(-1)!;
      expect(last).toMatchObject({ model: model.name, epochs: 3, batches: 2, logs: { loss: 1 }, remainingMs: 0 });
      expect(last.elapsedMs).toBeGreaterThan(0);
      seen.length = 0;
      const error = new Error('enough');
      const data = { * [Symbol.iterator]() { yield { xs: tf.ones([1, 1]), ys: tf.ones([1, 1]) }; throw error; } };
      await expect(model.fitDataset(data, { epochs: 1, verbose: 0 })).rejects.toThrow(error);
      expect(seen.map(([type, d, e]) => [type, d.fraction, d.remainingMs, e])).toEqual([
        ['trainbegin', null, null, undefined], ['batchend', null, null, undefined], ['trainerror', null, null, error],
      ]);
    } finally {
      for (const type of types) tf.layersProgress.removeEventListener(type, listener);
    }
    seen.length = 0;
    await model.fit(x, y, { verbose: 0 });
    expect(seen).toEqual([]);
  });
});

/** The part of a page that a chart uses. */
class FakeElement {
  readonly attributes: Record<string, string> = {};
  readonly children: FakeElement[] = [];
  textContent: string | null = null;
  readonly ownerDocument = { createElementNS: (ns: string, tag: string) => new FakeElement(`${ns} ${tag}`) };
  constructor(readonly tag: string) {}
  setAttribute(name: string, value: string): void { this.attributes[name] = value; }
  appendChild(child: FakeElement): void { this.children.push(child); }
  replaceChildren(...children: FakeElement[]): void { this.children.splice(0, Infinity, ...children); }
}

const all = (node: SvgNode): SvgNode[] => [node, ...(node.children ?? []).flatMap(all)];
const paths = (node: SvgNode): string[] => all(node).filter(({ tag }) => tag === 'path').map(({ attributes }) => String(attributes['d']));
const texts = (node: SvgNode): string[] => all(node).flatMap(({ text }) => (text === undefined ? [] : [text]));

describe('charts', () => {
  test.each([
    [0, 1, [0, 0.5, 1]], [0, 0.8, [0, 0.2, 0.4, 0.6, 0.8]], [0.31, 0.87, [0.2, 0.4, 0.6, 0.8, 1]],
    [-3, 4, [-4, -2, 0, 2, 4]], [1e-6, 3e-6, [1e-6, 1.5e-6, 2e-6, 2.5e-6, 3e-6]], [0, 12345, [0, 5000, 10000, 15000]],
    [2, 2, [1, 1.5, 2, 2.5, 3]], [0, 0, [-0.5, 0, 0.5]],
  ])('ticks from %d to %d', (low, high, expected) => {
    expect(niceTicks(low, high)).toEqual(expected);
  });

  test('labels of ticks', () => {
    expect([0, 0.5, 1500, 1e-6, 123456, -2].map(tickLabel)).toEqual(['0', '0.5', '1500', '1e-6', '1e+5', '-2']);
  });

  test('a line goes through its points, with gaps where there are none', () => {
    const id = (v: number): number => v;
    expect(linePath([1, 2, 3], (i) => 10 * i, id)).toBe('M0 1L10 2L20 3');
    expect(linePath([1, NaN, 3, Infinity], (i) => 10 * i, id)).toBe('M0 1M20 3');
    expect(linePath([], id, id)).toBe('');
  });

  test('long series are thinned by means', () => {
    expect(thin([1, 2, 3], 3)).toEqual([1, 2, 3]);
    expect(thin([1, 3, 5, 7, 9], 3)).toEqual([2, 6, 9]);
  });

  test('a panel for the loss and for each metric, with what validation found', () => {
    expect(panels({ loss: [], acc: [], val_loss: [], val_acc: [] })).toEqual([['loss', 'val_loss'], ['acc', 'val_acc']]);
    expect(panels({ loss: [], acc: [], val_loss: [] }, ['loss'])).toEqual([['loss', 'val_loss']]);
  });

  test('points lie where they belong', () => {
    const node = chartNode({ loss: [1, 0.5, 0], val_loss: [1, 1, 1] }, { width: 200, height: 100 });
    // From x 52 to 188, from y 78 for 0 up to 24 for 1.
    expect(paths(node)).toEqual(['M52 24L120 51L188 78', 'M52 24L120 24L188 24']);
    expect(node.attributes).toMatchObject({ width: 200, height: 100, viewBox: '0 0 200 100', 'aria-label': 'Training: loss, val_loss' });
    expect(texts(node)).toEqual(['0', '0.5', '1', '1', 'epoch 3', 'loss 0', 'val_loss 1']);
    const two = chartNode({ loss: [2], acc: [NaN] }, { height: 100, per: 'batch' });
    expect(two.attributes['height']).toBe(200);
    expect(all(two).filter(({ tag }) => tag === 'circle')).toHaveLength(1);
    expect(texts(two)).toContain('batch 1');
    expect(chartNode({}).attributes['aria-label']).toBe('Training: nothing yet');
  });

  test('a callback draws them while a model trains', async () => {
    const container = new FakeElement('div');
    const chart = tf.callbacks.chart(container as never, { metrics: ['loss'] });
    const drawn: (string | undefined)[] = [];
    model = tf.sequential({ layers: [tf.layers.dense({ units: 1, kernelInitializer: 'zeros', inputShape: [1] })] });
    model.compile({ optimizer: tf.train.sgd(0), loss: 'meanSquaredError', metrics: ['<b>' as never].map(() => tf.metrics.mae) });
    [x, y] = [tf.ones([4, 1]), tf.ones([4, 1])];
    const args: tf.ModelFitArgs = { epochs: 2, batchSize: 2, verbose: 0 };
    await model.fit(x, y, { ...args, callbacks: [chart, { onEpochEnd: () => { drawn.push(container.children[0]?.attributes['aria-label']); } }] });
    expect(drawn).toEqual(['Training: loss', 'Training: loss']);
    expect(chart.series).toEqual({ loss: [1, 1], meanAbsoluteError: [1, 1] });
    expect(container.children).toHaveLength(1);
    expect(container.children[0]!.tag).toBe('http://www.w3.org/2000/svg svg');
    const batches = tf.callbacks.chart(container as never, { per: 'batch' });
    await model.fit(x, y, { ...args, callbacks: batches });
    expect(batches.series['loss']).toEqual([1, 1, 1, 1]);
    tf.drawChart(container as never, { '<script>': [1] });
    expect(JSON.stringify(container.children[0]!.children)).toContain('"textContent":"<script> 1"');
    tf.dispose([x, y]);
    model.dispose();
  });

  test('a container that is none is refused', () => {
    expect(() => tf.callbacks.chart('#chart' as never)).toThrow('the container must be an element of the page, got "#chart"');
    expect(() => tf.callbacks.chart(null as never)).toThrow('got null');
  });
});

describe('training config', () => {
  const make = (): tf.Sequential => tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [1] })] });

  test("is TensorFlow.js's, and compiles another model", () => {
    const first = make();
    first.compile({ optimizer: 'adam', loss: 'meanSquaredError', metrics: ['accuracy', tf.metrics.mse] });
    const config = first.getTrainingConfig();
    expect(config).toEqual({
      loss: 'mean_squared_error', metrics: ['accuracy', 'mean_squared_error'],
      optimizer_config: { class_name: 'Adam', config: { learningRate: 0.001, beta1: 0.9, beta2: 0.999, epsilon: 1e-7 } },
    });
    const second = make();
    second.loadTrainingConfig(JSON.parse(JSON.stringify(config)) as tf.TrainingConfig);
    expect(second.metricsNames).toEqual(['loss', 'acc', 'meanSquaredError']);
    expect(second.optimizer.getConfig()).toEqual(first.optimizer.getConfig());
    expect(second.isOptimizerOwned).toBe(true);
    expect(second.getTrainingConfig()).toEqual(config);
    first.dispose();
    second.dispose();
  });

  test("Keras' is read, 2 and 3", () => {
    const model = make();
    model.loadTrainingConfig({
      optimizer_config: { class_name: 'SGD', config: { learning_rate: 0.5, momentum: 0.5, nesterov: false } },
      loss: { class_name: 'BinaryCrossentropy', config: { reduction: 'auto' } }, metrics: [['acc', 'mae']],
      loss_weights: null, weighted_metrics: null,
    });
    expect(model.optimizer.getClassName()).toBe('Momentum');
    expect(model.metricsNames).toEqual(['loss', 'acc', 'mae']);
    model.loadTrainingConfig({
      optimizer: { module: 'keras.optimizers', class_name: 'Adam', config: { learning_rate: 0.25 } },
      loss: 'mse', metrics: ['mae'], loss_weights: [2], weighted_metrics: ['mse'],
    });
    expect(model.optimizer.getConfig()).toMatchObject({ learningRate: 0.25 });
    expect(model.metricsNames).toEqual(['loss', 'mae', 'mse']);
    expect(() => model.loadTrainingConfig({ loss: 'mse' })).toThrow('the config names no optimizer');
    expect(() => model.loadTrainingConfig({ optimizer: 'adam', loss: 3 })).toThrow(/must be a name or/);
    model.dispose();
  });

  test('a loss of the user\'s own is saved by its name', () => {
    const model = make();
    const ofMine: tf.LossOrMetricFn = (a, b) => a.sub(b);
    model.compile({ optimizer: 'sgd', loss: ofMine });
    const config = model.getTrainingConfig();
    expect(config.loss).toBe('ofMine');
    expect(() => model.loadTrainingConfig(config)).toThrow('Unknown loss ofMine');
    model.loadTrainingConfig(config, { ofMine });
    expect(model.loss).toBe(ofMine);
    model.dispose();
  });
});
