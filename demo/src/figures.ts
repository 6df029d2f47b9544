// The four charts of the page.
import { Chart } from './charts.js';
import { byId, megabytes, percent } from './dom.js';

function powerBelow(value: number): number {
  return 10 ** Math.floor(Math.log10(value));
}

/** Draws the empty charts into the page. */
export function makeFigures() {
  const share = {
    format: (v: number) => percent(v),
    tick: (v: number) => percent(v, 0),
  };
  const whole = { format: String, tick: String };
  const size = {
    format: (v: number) => megabytes(v * 2 ** 20),
    tick: (v: number) => `${Number(v.toPrecision(1))} MB`,
  };
  return {
    loss: new Chart(byId('loss-chart'), {
      title: 'Loss',
      lines: [
        { label: 'batch', colour: '--sea-faint' },
        { label: 'smoothed', colour: '--sea' },
      ],
      format: (v) => v.toFixed(3),
      tick: (v) => v.toFixed(1),
      range: (_min, max) => [0, Math.max(max, 0.5)],
    }),
    accuracy: new Chart(byId('accuracy-chart'), {
      title: 'Accuracy',
      lines: [
        { label: 'training', colour: '--sea' },
        { label: 'held out', colour: '--violet', dots: true },
        { label: 'goal', colour: '--mark', dashed: true },
      ],
      ...share,
      range: () => [0, 1],
    }),
    tensors: new Chart(byId('tensors-chart'), {
      title: 'Live tensors between steps',
      lines: [
        { label: 'count', colour: '--sea', filled: true, steps: true },
      ],
      ...whole,
      range: (_min, max) => [0, Math.max(20, Math.ceil(max * 1.5))],
    }),
    bytes: new Chart(byId('bytes-chart'), {
      title: 'Memory',
      logarithmic: true,
      lines: [
        { label: 'tensors', colour: '--sea', filled: true },
        { label: 'high-water mark', colour: '--mark', dashed: true },
        { label: 'wasm heap', colour: '--sand' },
      ],
      ...size,
      range: (min, max) => [powerBelow(min || 0.1), 10 * powerBelow(max || 10)],
    }),
  };
}
