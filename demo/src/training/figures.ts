// The charts, drawn from what the event files hold.
import { Chart } from '../charts.js';
import { byId, percent } from '../dom.js';
import { curveOf, histogramsOf, savesOf, smoothed, tableOf, valueAt } from './curves.js';
import type { Life, Point } from './directory.js';
import { Heatmap } from './heatmap.js';

function powerBelow(value: number): number {
  return 10 ** Math.floor(Math.log10(value));
}

export class Figures {
  readonly #loss: Chart;
  readonly #accuracy: Chart;
  readonly #kernel: Heatmap;

  constructor(lastStep: number) {
    this.#loss = new Chart(byId('loss-chart'), {
      title: 'Loss',
      lines: [
        { label: 'batch', colour: '--sea-faint' },
        { label: 'smoothed', colour: '--sea' },
        { label: 'lost', colour: '--soft', dashed: true, gaps: true },
        { label: 'checkpoint', colour: '--violet', marks: true },
        { label: 'crash', colour: '--mark', marks: true },
      ],
      format: (v) => v.toFixed(3),
      tick: (v) => String(Number(v.toPrecision(1))),
      logarithmic: true,
      range: (min, max) => [powerBelow(Math.min(min || 0.1, 0.1)), 10 * powerBelow(Math.max(max, 1))],
      steps: lastStep,
      shade: '--mark',
    });
    this.#accuracy = new Chart(byId('accuracy-chart'), {
      title: 'Accuracy',
      lines: [
        { label: 'training', colour: '--sea' },
        { label: 'held out', colour: '--violet', dots: true },
      ],
      format: (v) => percent(v),
      tick: (v) => percent(v, 0),
      range: () => [0, 1],
      steps: lastStep,
    });
    this.#kernel = new Heatmap(byId('kernel-chart'), 'Kernel of the second convolution', lastStep);
  }

  /** Shows lives; a last one that has no files yet tells what will be lost. */
  show(lives: readonly Life[]): void {
    const loss = curveOf(lives, 'loss');
    const smooth = smoothed(loss.kept);
    const at = (step: number): Point => ({ step, value: valueAt(smooth, step) ?? smooth[0]?.value ?? 0 });
    const crashes = loss.lost.map((piece) => piece.at(-1)!);
    // From the checkpoint it began at, so that one sees where it parted.
    const lost = loss.lost.map((piece) => {
      const from = Math.max(...savesOf(lives).filter((step) => step < piece[0]!.step), 0);
      return [at(from), ...piece];
    });
    this.#loss.shade(lost.map((piece) => [piece[0]!.step, piece.at(-1)!.step]));
    const saves = loss.kept.length > 0 ? savesOf(lives).map(at) : [];
    this.#loss.show(tableOf(loss.kept, smooth, lost, saves, crashes));
    const accuracy = smoothed(curveOf(lives, 'accuracy').kept);
    this.#accuracy.show(tableOf(accuracy, curveOf(lives, 'held_out').kept));
    this.#kernel.show(histogramsOf(lives, 'shapes/kernel'));
  }
}
