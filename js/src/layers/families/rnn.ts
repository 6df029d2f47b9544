/** Recurrent layers: a cell run over sequences. */
import {TensorError} from '../../errors.js';
import {clone, zeros} from '../../ops/creation.js';
import {dispose, keep, tidy} from '../../scope.js';
import {isTensor} from '../../tensor.js';
import type {Tensor} from '../../tensor.js';
import {InputSpec, Layer} from '../layer.js';
import type {Kwargs, LayerArgs, LayerValue} from '../layer.js';
import {namingStyle} from '../naming.js';
import {getRegularizer} from '../regularizers.js';
import type {RegularizerIdentifier} from '../regularizers.js';
import {
  construct, deserialize, registerClass, serialize,
} from '../serialization.js';
import type {
  ConfigDict, CustomObjects, SerializableConstructor,
} from '../serialization.js';
import {formatShape, shapeList, toList} from '../shape.js';
import type {Shape} from '../shape.js';
import {SymbolicTensor} from '../symbolic.js';
import type {LayerVariable} from '../weight.js';
import {RNNCell, SimpleRNNCell} from './cells.js';
import type {KernelCellArgs} from './cells.js';
import {GRUCell, LSTMCell} from './gated_cells.js';
import type {GRUCellArgs, LSTMCellArgs} from './gated_cells.js';
import {sequenceMask, splitInputs} from './rnn_inputs.js';
import {scan} from './scan.js';
import {StackedRNNCells} from './stacked_cells.js';

/** What every recurrent layer takes. */
export interface BaseRNNLayerArgs extends LayerArgs {
  /** Gives the outputs of all steps, not of the last. */
  returnSequences?: boolean;
  /** Gives the last states after the output. */
  returnState?: boolean;
  /** Starts at the end of the sequences. */
  goBackwards?: boolean;
  /** Goes on in the next batch with the states at the end of this one. */
  stateful?: boolean;
  /** Kept for configs: steps are always taken one by one. */
  unroll?: boolean;
  /** Gives zeros at masked steps, not the output before them. */
  zeroOutputForMask?: boolean;
}

/** What RNN takes. */
export interface RNNLayerArgs extends BaseRNNLayerArgs {
  /** A cell, or several to be stacked. */
  cell?: RNNCell | RNNCell[];
}

/**
 * Runs a cell over sequences `[batch, time, features]`. Gives `[batch, units]`,
 * with `returnSequences` `[batch, time, units]`, with `returnState` the last
 * states too. `apply(x, {initialState})` starts from given states.
 *
 * ```js
 * const layer = tf.layers.rnn({
 *   cell: tf.layers.gruCell({units: 4}), returnSequences: true,
 * });
 * layer.apply(tf.ones([2, 5, 3])).shape; // => [2, 5, 4]
 * layer.dispose();
 * ```
 */
export class RNN extends Layer {
  static override className: string = 'RNN';
  readonly cell: RNNCell;
  readonly returnSequences: boolean;
  readonly returnState: boolean;
  readonly goBackwards: boolean;
  readonly unroll: boolean;
  readonly zeroOutputForMask: boolean;
  #states: Tensor[] | null = null;
  #batch: number | null = null;

  constructor(args: RNNLayerArgs) {
    super(args);
    const given: unknown = args.cell;
    if (given === undefined || given === null) {
      throw new TensorError(
          'argument', `${this.getClassName()}: the cell is missing`);
    }
    const cell = Array.isArray(given) ?
      new StackedRNNCells({cells: given as RNNCell[]}) : given as RNNCell;
    const size: unknown = cell.stateSize;
    if (size === undefined || size === null) {
      throw new TensorError(
          'argument', `${this.getClassName()}: the cell must have an ` +
              'attribute `stateSize`, one integer per state');
    }
    this.cell = cell;
    cell.retain(this);
    this.returnSequences = args.returnSequences ?? false;
    this.returnState = args.returnState ?? false;
    this.goBackwards = args.goBackwards ?? false;
    this.stateful = args.stateful ?? false;
    this.unroll = args.unroll ?? false;
    this.zeroOutputForMask = args.zeroOutputForMask ?? false;
    this.supportsMasking = true;
    this.inputSpec = [new InputSpec({ndim: 3})];
  }

  get #stateSizes(): number[] {
    return toList(this.cell.stateSize);
  }

  /** What is kept for the next batch; nulls before the first. */
  get states(): (Tensor | null)[] {
    return this.#states ?? this.#stateSizes.map(() => null);
  }

  /** The same, as TensorFlow.js calls it. */
  getStates(): (Tensor | null)[] {
    return this.states;
  }

  /** Takes over tensors as the states to go on with. */
  setStates(states: Tensor[]): void {
    this.resetStates(states);
  }

  override build(inputShape: Shape | Shape[]): void {
    const [shape, ...stateShapes] = shapeList(inputShape);
    this.#checkStates(stateShapes);
    this.#batch = this.stateful ? shape![0] ?? null : null;
    if (this.stateful && this.#batch === null) throw this.#batchUnknown();
    if (!this.cell.built) this.cell.build([shape![0]!, ...shape!.slice(2)]);
    this.cell.built = true;
    this.inputSpec =
      [new InputSpec({shape: [this.#batch, null, ...shape!.slice(2)]})];
    if (this.stateful) this.resetStates();
    this.built = true;
  }

  #batchUnknown(): TensorError {
    return new TensorError(
        'shape', `${this.name}: If an RNN is stateful, it needs to know its ` +
            'batch size. Give the first layer a batchInputShape, or ' +
            'tf.input() a batchShape.');
  }

  #checkStates(shapes: Shape[]): void {
    if (shapes.length === 0) return;
    const sizes = this.#stateSizes;
    if (shapes.length !== sizes.length ||
        sizes.some((size, i) => shapes[i]!.at(-1) !== size)) {
      throw new TensorError(
          'shape', 'An initialState was passed that is not compatible with ' +
              `cell.stateSize: ${this.name} has ${sizes.length} state(s) of ` +
              `size ${JSON.stringify(this.cell.stateSize)}, but was passed ` +
              `${shapes.length} of shapes ${formatShape(shapes)}.`);
    }
  }

  override apply(inputs: LayerValue, kwargs: Kwargs = {}): LayerValue {
    const {x, states} = splitInputs<Tensor | SymbolicTensor>(
        this.name, inputs, kwargs);
    if (states === null) return super.apply(x, kwargs);
    this.#checkStates(states.map(({shape}) => shape as Shape));
    const rest = {...kwargs};
    delete rest['initialState'];
    // Values that go with a symbolic input are settings of the call.
    return x instanceof SymbolicTensor && states.every(isTensor) ?
      super.apply(x, {...rest, initialState: states}) :
      super.apply([x, ...states] as LayerValue, rest);
  }

  protected override assertInputCompatibility(inputs: LayerValue): void {
    super.assertInputCompatibility(
        toList<Tensor | SymbolicTensor>(inputs)[0] as LayerValue);
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor | Tensor[] {
    const {x, states} = splitInputs(this.name, inputs, kwargs);
    const first = states ?? (this.stateful ? this.#states : null);
    if (first) this.#checkStates(first.map(({shape}) => shape as number[]));
    const batch = x.shape[0];
    const training = kwargs['training'] === true;
    // Cells of one's own may be any layers with a stateSize.
    const begin = this.cell.begin ?? RNNCell.prototype.begin;
    const [output, ...last] = scan(
        begin.call(this.cell, training, batch), x,
        first ?? this.#stateSizes.map((size) => zeros([batch, size])), {
          mask: sequenceMask(kwargs), goBackwards: this.goBackwards,
          sequences: this.returnSequences, fresh: first === null,
          zeroOutput: this.zeroOutputForMask,
        });
    if (this.stateful) this.#keep(last);
    return this.returnState ? [output, ...last] : output;
  }

  #keep(states: Tensor[]): void {
    const kept = states.map((state) => keep(clone(state)));
    if (this.#states) dispose(this.#states);
    this.#states = kept;
  }

  /**
   * Sets the kept states: to zeros, or to copies of the given ones. Errors:
   * the layer is not stateful; the batch size is unknown; other shapes.
   */
  override resetStates(states?: Tensor | Tensor[] | null): void {
    super.resetStates();
    const batch = this.#batch;
    if (batch === null) throw this.#batchUnknown();
    const sizes = this.#stateSizes;
    tidy(() => {
      const given = states === undefined || states === null ?
        sizes.map((size) => zeros([batch, size])) : toList(states);
      if (given.length !== sizes.length) {
        throw new TensorError(
            'argument', `Layer ${this.name} expects ${sizes.length} ` +
                `state(s), but it received ${given.length} state value(s).`);
      }
      given.forEach(({shape}, i) => {
        if (String(shape) !== String([batch, sizes[i]])) {
          throw new TensorError(
              'shape', `State ${i} is incompatible with layer ${this.name}: ` +
                  `expected shape=${batch},${sizes[i]}, received ` +
                  `shape=${String(shape)}`);
        }
      });
      this.#keep(given);
    });
  }

  override computeOutputShape(
      inputShape: Shape | Shape[]): Shape | Shape[] {
    const [shape] = shapeList(inputShape);
    const batch = shape![0] ?? null;
    const sizes = this.#stateSizes;
    const output = this.returnSequences ?
      [batch, shape![1] ?? null, sizes[0]!] : [batch, sizes[0]!];
    return this.returnState ?
      [output, ...sizes.map((size) => [batch, size])] : output;
  }

  override computeMask(
      _inputs: Tensor | Tensor[], mask?: Tensor | (Tensor | null)[] | null):
      Tensor | (Tensor | null)[] | null {
    const output = this.returnSequences ? sequenceMask({mask}) : null;
    return this.returnState ?
      [output, ...this.#stateSizes.map(() => null)] : output;
  }

  override get trainable(): boolean {
    return super.trainable;
  }

  override set trainable(trainable: boolean) {
    super.trainable = trainable;
    this.cell.trainable = trainable;
  }

  override get trainableWeights(): LayerVariable[] {
    return this.trainable ? this.cell.trainableWeights : [];
  }

  override get nonTrainableWeights(): LayerVariable[] {
    return this.trainable ? this.cell.nonTrainableWeights : this.cell.weights;
  }

  override get losses(): Layer['losses'] {
    return [...super.losses, ...this.cell.losses];
  }

  protected override disposeWeights(): number {
    if (this.#states) dispose(this.#states);
    this.#states = null;
    return super.disposeWeights() +
        (this.cell.isDisposed ? 0 : this.cell.dispose().numDisposedVariables);
  }

  /** The cell's settings, as they stand beside the layer's. */
  protected cellConfig(): ConfigDict {
    return {cell: serialize(this.cell)};
  }

  override getConfig(): ConfigDict {
    return {
      ...this.cellConfig(), ...super.getConfig(),
      returnSequences: this.returnSequences, returnState: this.returnState,
      goBackwards: this.goBackwards, stateful: this.stateful,
      unroll: this.unroll,
      // TensorFlow.js knows nothing of it.
      ...this.zeroOutputForMask ? {zeroOutputForMask: true} : {},
    };
  }

  static override fromConfig<T>(
      cls: SerializableConstructor<T>, config: ConfigDict,
      customObjects?: CustomObjects): T {
    const {cell} = config;
    return construct(cls, cell === undefined ? config : {
      ...config,
      cell: Array.isArray(cell) ?
        cell.map((one) => deserialize<RNNCell>('cell', one, customObjects)) :
        deserialize<RNNCell>('cell', cell, customObjects),
    });
  }
}

/** Layers with a cell of their own make, whose settings are the layer's. */
abstract class CellLayer extends RNN {
  constructor(
      args: RNNLayerArgs & {activityRegularizer?: RegularizerIdentifier}) {
    super(args);
    // The cell runs unseen: what comes out of the layer is what costs.
    this.activityRegularizer = getRegularizer(args.activityRegularizer);
  }

  protected override cellConfig(): ConfigDict {
    return this.cell.getConfig();
  }
}

// Keras gives the cell a fixed name, TensorFlow.js the layer's.
function cellArgs<T extends LayerArgs>(args: T, name: string): T {
  const own: T = {...args};
  delete own.inputShape;
  delete own.batchInputShape;
  delete own.weights;
  return namingStyle() === 'keras' ? {...own, name} : own;
}

export type SimpleRNNLayerArgs = KernelCellArgs & BaseRNNLayerArgs;
export type LSTMLayerArgs = LSTMCellArgs & BaseRNNLayerArgs;
export type GRULayerArgs = GRUCellArgs & BaseRNNLayerArgs;

/**
 * {@link SimpleRNNCell} over sequences; weights are the cell's.
 *
 * ```js
 * const layer = tf.layers.simpleRNN({
 *   units: 1, activation: 'linear', kernelInitializer: 'ones',
 *   recurrentInitializer: 'ones', returnSequences: true,
 * });
 * layer.apply(tf.tensor3d([[[1], [2], [3]]])).arraySync();
 * // => [[[1], [3], [6]]]
 * layer.dispose();
 * ```
 */
export class SimpleRNN extends CellLayer {
  static override className = 'SimpleRNN';

  constructor(args: SimpleRNNLayerArgs) {
    super({
      ...args, cell: new SimpleRNNCell(cellArgs(args, 'simple_rnn_cell')),
    });
  }
}

/**
 * {@link LSTMCell} over sequences; weights are the cell's, states h and c.
 *
 * ```js
 * const layer = tf.layers.lstm({units: 4, returnState: true});
 * const [y, h, c] = layer.apply(tf.ones([2, 5, 3]));
 * y.shape; // => [2, 4]
 * // What goes on from there.
 * layer.apply(tf.ones([2, 1, 3]), {initialState: [h, c]})[0].shape;
 * // => [2, 4]
 * layer.dispose();
 * ```
 */
export class LSTM extends CellLayer {
  static override className = 'LSTM';

  constructor(args: LSTMLayerArgs) {
    super({...args, cell: new LSTMCell(cellArgs(args, 'lstm_cell'))});
  }
}

/**
 * {@link GRUCell} over sequences; weights are the cell's.
 *
 * ```js
 * const model = tf.sequential({layers: [
 *   tf.layers.gru({units: 4, inputShape: [null, 3]}),
 *   tf.layers.dense({units: 1}),
 * ]});
 * model.outputShape; // => [null, 1]
 * model.dispose();
 * ```
 */
export class GRU extends CellLayer {
  static override className = 'GRU';

  constructor(args: GRULayerArgs) {
    super({...args, cell: new GRUCell(cellArgs(args, 'gru_cell'))});
  }
}

for (const type of [RNN, SimpleRNN, LSTM, GRU]) registerClass(type);
