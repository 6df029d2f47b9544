/** One step of recurrent layers. */
import {TensorError} from '../../errors.js';
import {getActivation, serializeActivation} from '../activations.js';
import type {Activation, ActivationIdentifier} from '../activations.js';
import {getConstraint, serializeConstraint} from '../constraints.js';
import type {Constraint, ConstraintIdentifier} from '../constraints.js';
import {getInitializer, serializeInitializer} from '../initializers.js';
import type {Initializer, InitializerIdentifier} from '../initializers.js';
import {Layer} from '../layer.js';
import type {Kwargs, LayerArgs} from '../layer.js';
import {getRegularizer, serializeRegularizer} from '../regularizers.js';
import type {Regularizer, RegularizerIdentifier} from '../regularizers.js';
import {registerClass} from '../serialization.js';
import type {ConfigDict} from '../serialization.js';
import {shapeList, toList} from '../shape.js';
import type {Shape} from '../shape.js';
import type {LayerVariable} from '../weight.js';
import type {Tensor} from '../../tensor.js';
import {dropoutMask, masked, product, projection} from './cell_run.js';
import type {CellRun, DropoutFunc} from './cell_run.js';
import {positiveInteger} from './windows.js';

/**
 * Base class of cells. `call([x, ...states])` gives `[output, ...newStates]`;
 * `stateSize` tells the states' lengths, the first of which is the output's.
 */
export abstract class RNNCell extends Layer {
  abstract readonly stateSize: number | number[];

  /**
   * Prepares for a sequence of a batch: what it makes lives in the caller's
   * scope. Cells that say nothing of their own are called step by step.
   */
  begin(training: boolean, _batch: number): CellRun {
    return {
      project: (x) => [x],
      step: ([x], states) => toList(this.call([x!, ...states], {training})),
    };
  }
}

/** What the cells of this library take. */
export interface KernelCellArgs extends LayerArgs {
  /** How many numbers come out. */
  units: number;
  activation?: ActivationIdentifier | null;
  useBias?: boolean;
  kernelInitializer?: InitializerIdentifier;
  recurrentInitializer?: InitializerIdentifier;
  biasInitializer?: InitializerIdentifier;
  kernelRegularizer?: RegularizerIdentifier;
  recurrentRegularizer?: RegularizerIdentifier;
  biasRegularizer?: RegularizerIdentifier;
  activityRegularizer?: RegularizerIdentifier;
  kernelConstraint?: ConstraintIdentifier;
  recurrentConstraint?: ConstraintIdentifier;
  biasConstraint?: ConstraintIdentifier;
  /** Share of the inputs' features to drop in training. */
  dropout?: number;
  /** Share of the state's features to drop in training. */
  recurrentDropout?: number;
  dropoutFunc?: DropoutFunc;
}

const share = (rate: number | null | undefined): number =>
  Math.min(1, Math.max(0, rate ?? 0));

/** Cells with a kernel for inputs, one for the state, and biases. */
export abstract class KernelCell extends RNNCell {
  readonly units: number;
  protected readonly activation: Activation;
  protected readonly useBias: boolean;
  protected readonly kernelInitializer: Initializer;
  protected readonly recurrentInitializer: Initializer;
  protected readonly biasInitializer: Initializer;
  protected readonly kernelRegularizer: Regularizer | null;
  protected readonly recurrentRegularizer: Regularizer | null;
  protected readonly biasRegularizer: Regularizer | null;
  protected readonly kernelConstraint: Constraint | null;
  protected readonly recurrentConstraint: Constraint | null;
  protected readonly biasConstraint: Constraint | null;
  readonly dropout: number;
  readonly recurrentDropout: number;
  protected readonly dropoutFunc: DropoutFunc | undefined;
  protected kernel: LayerVariable | null = null;
  protected recurrentKernel: LayerVariable | null = null;
  protected bias: LayerVariable | null = null;

  constructor(args: KernelCellArgs) {
    super(args);
    this.units = positiveInteger(this.getClassName(), 'units', args.units);
    this.activation = getActivation(
        args.activation === undefined ? 'tanh' : args.activation);
    this.useBias = args.useBias ?? true;
    this.kernelInitializer =
      getInitializer(args.kernelInitializer ?? 'glorotNormal');
    this.recurrentInitializer =
      getInitializer(args.recurrentInitializer ?? 'orthogonal');
    this.biasInitializer = getInitializer(args.biasInitializer ?? 'zeros');
    this.kernelRegularizer = getRegularizer(args.kernelRegularizer);
    this.recurrentRegularizer = getRegularizer(args.recurrentRegularizer);
    this.biasRegularizer = getRegularizer(args.biasRegularizer);
    this.activityRegularizer = getRegularizer(args.activityRegularizer);
    this.kernelConstraint = getConstraint(args.kernelConstraint);
    this.recurrentConstraint = getConstraint(args.recurrentConstraint);
    this.biasConstraint = getConstraint(args.biasConstraint);
    this.dropout = share(args.dropout);
    this.recurrentDropout = share(args.recurrentDropout);
    this.dropoutFunc = args.dropoutFunc;
  }

  /** How many numbers the kernels make for each unit. */
  protected abstract readonly gates: number;

  protected biasShape(): number[] {
    return [this.gates * this.units];
  }

  protected biasInitializerInUse(): Initializer {
    return this.biasInitializer;
  }

  override build(inputShape: Shape | Shape[]): void {
    // The states' shapes may follow.
    const features = shapeList(inputShape)[0]!.at(-1) ?? null;
    if (features === null) {
      throw new TensorError(
          'shape', `${this.name}: the number of features must be known, the ` +
              `input's shape is ${JSON.stringify(inputShape)}`);
    }
    const width = this.gates * this.units;
    this.kernel = this.addWeight(
        'kernel', [features, width], undefined, this.kernelInitializer,
        this.kernelRegularizer, true, this.kernelConstraint);
    this.recurrentKernel = this.addWeight(
        'recurrent_kernel', [this.units, width], undefined,
        this.recurrentInitializer, this.recurrentRegularizer, true,
        this.recurrentConstraint);
    this.bias = this.useBias ? this.addWeight(
        'bias', this.biasShape(), undefined, this.biasInitializerInUse(),
        this.biasRegularizer, true, this.biasConstraint) : null;
    this.built = true;
  }

  /** The masks of a sequence: for inputs and for the state. */
  protected dropoutMasks(training: boolean, batch: number):
      [Tensor | undefined, Tensor | undefined] {
    const features = this.kernel!.shape[0]!;
    return [
      dropoutMask(training, this.dropout, batch, features, this.dropoutFunc),
      dropoutMask(
          training, this.recurrentDropout, batch, this.units, this.dropoutFunc),
    ];
  }

  protected abstract run(training: boolean, batch: number): CellRun;

  override begin(training: boolean, batch: number): CellRun {
    // A subclass with a step of its own is called for it.
    return this.call === KernelCell.prototype.call ?
      this.run(training, batch) : super.begin(training, batch);
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor[] {
    const list = toList(inputs);
    const expected = 1 + toList(this.stateSize).length;
    if (list.length !== expected) {
      throw new TensorError(
          'argument', `${this.getClassName()} expects ${expected} input ` +
              `Tensors, got ${list.length}.`);
    }
    const [x, ...states] = list;
    const run = this.run(kwargs['training'] === true, x!.shape[0]);
    return run.step(run.project(x!), states);
  }

  override computeOutputShape(inputShape: Shape | Shape[]): Shape[] {
    const width = [shapeList(inputShape)[0]![0] ?? null, this.units];
    return [width, ...toList(this.stateSize).map(() => [...width])];
  }

  override getConfig(): ConfigDict {
    return {
      ...super.getConfig(),
      units: this.units,
      activation: serializeActivation(this.activation),
      useBias: this.useBias,
      kernelInitializer: serializeInitializer(this.kernelInitializer),
      recurrentInitializer: serializeInitializer(this.recurrentInitializer),
      biasInitializer: serializeInitializer(this.biasInitializer),
      kernelRegularizer: serializeRegularizer(this.kernelRegularizer),
      recurrentRegularizer: serializeRegularizer(this.recurrentRegularizer),
      biasRegularizer: serializeRegularizer(this.biasRegularizer),
      activityRegularizer: serializeRegularizer(this.activityRegularizer),
      kernelConstraint: serializeConstraint(this.kernelConstraint),
      recurrentConstraint: serializeConstraint(this.recurrentConstraint),
      biasConstraint: serializeConstraint(this.biasConstraint),
      dropout: this.dropout,
      recurrentDropout: this.recurrentDropout,
    };
  }
}

/**
 * `h' = activation(x * kernel + h * recurrent_kernel + bias)`. Weights: kernel
 * `[features, units]`, recurrent_kernel `[units, units]`, bias `[units]`.
 *
 * ```js
 * const cell = tf.layers.simpleRNNCell({units: 4});
 * const [y, h] = cell.apply([tf.ones([2, 3]), tf.zeros([2, 4])]);
 * [y.shape, h.shape]; // => [[2, 4], [2, 4]]
 * cell.dispose();
 * ```
 */
export class SimpleRNNCell extends KernelCell {
  static override className = 'SimpleRNNCell';
  protected readonly gates = 1;

  get stateSize(): number {
    return this.units;
  }

  protected run(training: boolean, batch: number): CellRun {
    const kernel = this.kernel!.read();
    const recurrent = this.recurrentKernel!.read();
    const bias = this.bias?.read();
    const [inputMask, stateMask] = this.dropoutMasks(training, batch);
    return {
      project: (x) => [projection(masked(x, inputMask), kernel, bias)],
      step: ([x], [h]) => {
        const next = product(
            masked(h!, stateMask), recurrent, x, this.activation);
        return [next, next];
      },
    };
  }
}

registerClass(SimpleRNNCell);
