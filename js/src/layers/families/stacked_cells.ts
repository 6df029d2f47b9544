/** Cells one on the other. */
import {TensorError} from '../../errors.js';
import type {Kwargs, Layer, LayerArgs} from '../layer.js';
import {nameScope} from '../naming.js';
import {
  construct, deserialize, registerClass, serialize,
} from '../serialization.js';
import type {
  ConfigDict, CustomObjects, SerializableConstructor,
} from '../serialization.js';
import {shapeList, toList} from '../shape.js';
import type {Shape} from '../shape.js';
import type {Tensor} from '../../tensor.js';
import type {LayerVariable} from '../weight.js';
import type {CellRun} from './cell_run.js';
import {RNNCell} from './cells.js';

/** What StackedRNNCells takes. */
export interface StackedRNNCellsArgs extends LayerArgs {
  /** The cells, the one that sees the inputs first. */
  cells: RNNCell[];
}

/**
 * Cells of which each takes the output of the one before. The states are in
 * reverse order of the cells: the last cell's come first.
 *
 * ```js
 * const cells =
 *   [tf.layers.gruCell({units: 3}), tf.layers.lstmCell({units: 4})];
 * const layer = tf.layers.rnn({cell: cells, returnState: true});
 * layer.apply(tf.ones([2, 5, 1])).map((t) => t.shape);
 * // => [[2, 4], [2, 4], [2, 4], [2, 3]]
 * layer.dispose();
 * ```
 */
export class StackedRNNCells extends RNNCell {
  static override className = 'StackedRNNCells';
  readonly cells: RNNCell[];

  constructor(args: StackedRNNCellsArgs) {
    super(args);
    const cells: unknown = args.cells;
    if (!Array.isArray(cells) || cells.length === 0) {
      throw new TensorError(
          'argument', 'StackedRNNCells: cells must be a list of cells, got ' +
              (Array.isArray(cells) ? 'an empty list' : String(cells)));
    }
    this.cells = args.cells;
    for (const cell of this.cells) cell.retain(this);
  }

  get stateSize(): number[] {
    return this.cells.map(({stateSize}) => toList(stateSize)).reverse().flat();
  }

  override build(inputShape: Shape | Shape[]): void {
    let [shape] = shapeList(inputShape);
    this.cells.forEach((cell, i) => {
      if (!cell.built) {
        nameScope(`RNNCell_${i}`, () => {
          cell.build(shape!);
        });
        cell.built = true;
      }
      shape = [shape![0]!, toList(cell.stateSize)[0]!];
    });
    this.built = true;
  }

  override begin(training: boolean, batch: number): CellRun {
    const runs = this.cells.map((cell) => (
      cell.begin ?? RNNCell.prototype.begin).call(cell, training, batch));
    return {
      project: (x) => runs[0]!.project(x),
      step: (projected, states) => {
        // The last cell's states come first.
        let end = states.length;
        const next: Tensor[][] = [];
        let output: Tensor | undefined;
        runs.forEach((run, i) => {
          const count = toList(this.cells[i]!.stateSize).length;
          const own = states.slice(end - count, end);
          end -= count;
          const made = run.step(
              i === 0 ? projected : run.project(output!), own);
          output = made[0];
          next.push(made.slice(1));
        });
        return [output!, ...next.reverse().flat()];
      },
    };
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor[] {
    const [x, ...states] = toList(inputs);
    const run = this.begin(kwargs['training'] === true, x!.shape[0]);
    return run.step(run.project(x!), states);
  }

  override get trainable(): boolean {
    return super.trainable;
  }

  override set trainable(trainable: boolean) {
    super.trainable = trainable;
    for (const cell of this.cells) cell.trainable = trainable;
  }

  override get trainableWeights(): LayerVariable[] {
    return this.trainable ?
      this.cells.flatMap((cell) => cell.trainableWeights) : [];
  }

  override get nonTrainableWeights(): LayerVariable[] {
    return this.trainable ?
      this.cells.flatMap((cell) => cell.nonTrainableWeights) :
      this.cells.flatMap((cell) => cell.weights);
  }

  override get losses(): Layer['losses'] {
    return [...super.losses, ...this.cells.flatMap((cell) => cell.losses)];
  }

  protected override disposeWeights(): number {
    return this.cells.filter((cell) => !cell.isDisposed)
        .reduce((n, cell) => n + cell.dispose().numDisposedVariables, 0);
  }

  override getConfig(): ConfigDict {
    return {...super.getConfig(), cells: this.cells.map(serialize)};
  }

  static override fromConfig<T>(
      cls: SerializableConstructor<T>, config: ConfigDict,
      customObjects?: CustomObjects): T {
    const cells = (config['cells'] as unknown[]).map(
        (cell) => deserialize<RNNCell>('cell', cell, customObjects));
    return construct(cls, {...config, cells});
  }
}

registerClass(StackedRNNCells);
