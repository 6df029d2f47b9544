/** Layers that shift and scale their input to mean 0 and variance 1. */
import {TensorError} from '../../errors.js';
import {add, div, mul, sub} from '../../ops/binary.js';
import {cast} from '../../ops/creation.js';
import {batchNorm} from '../../ops/normalization.js';
import {moments, sum} from '../../ops/reduce.js';
import {expandDims, reshape} from '../../ops/shape.js';
import {square} from '../../ops/unary.js';
import {isTensor} from '../../tensor.js';
import type {Tensor} from '../../tensor.js';
import {getConstraint, serializeConstraint} from '../constraints.js';
import type {Constraint, ConstraintIdentifier} from '../constraints.js';
import {settings} from '../global_state.js';
import {getInitializer, serializeInitializer} from '../initializers.js';
import type {Initializer, InitializerIdentifier} from '../initializers.js';
import {InputSpec, Layer} from '../layer.js';
import type {Kwargs, LayerArgs} from '../layer.js';
import {getRegularizer, serializeRegularizer} from '../regularizers.js';
import type {Regularizer, RegularizerIdentifier} from '../regularizers.js';
import {registerClass} from '../serialization.js';
import type {ConfigDict} from '../serialization.js';
import {formatShape, oneShape, toList} from '../shape.js';
import type {Shape} from '../shape.js';
import type {LayerVariable} from '../weight.js';
import {oneTensor} from './windows.js';

/** What both layers take. */
interface NormalizationArgs extends LayerArgs {
  /** Added to the variance. */
  epsilon?: number;
  /** Whether an offset `beta` is learned. */
  center?: boolean;
  /** Whether a factor `gamma` is learned. */
  scale?: boolean;
  betaInitializer?: InitializerIdentifier | Initializer;
  gammaInitializer?: InitializerIdentifier | Initializer;
  betaConstraint?: ConstraintIdentifier | Constraint;
  gammaConstraint?: ConstraintIdentifier | Constraint;
  betaRegularizer?: RegularizerIdentifier | Regularizer;
  gammaRegularizer?: RegularizerIdentifier | Regularizer;
}

abstract class Normalization extends Layer {
  protected readonly epsilon: number;
  protected readonly center: boolean;
  protected readonly scale: boolean;
  protected readonly betaInitializer: Initializer;
  protected readonly gammaInitializer: Initializer;
  protected readonly betaConstraint: Constraint | null;
  protected readonly gammaConstraint: Constraint | null;
  protected readonly betaRegularizer: Regularizer | null;
  protected readonly gammaRegularizer: Regularizer | null;
  protected gamma: LayerVariable | null = null;
  protected beta: LayerVariable | null = null;

  constructor(args: NormalizationArgs) {
    super(args);
    this.supportsMasking = true;
    this.epsilon = args.epsilon ?? 1e-3;
    this.center = args.center ?? true;
    this.scale = args.scale ?? true;
    this.betaInitializer = getInitializer(args.betaInitializer ?? 'zeros');
    this.gammaInitializer = getInitializer(args.gammaInitializer ?? 'ones');
    this.betaConstraint = getConstraint(args.betaConstraint);
    this.gammaConstraint = getConstraint(args.gammaConstraint);
    this.betaRegularizer = getRegularizer(args.betaRegularizer);
    this.gammaRegularizer = getRegularizer(args.gammaRegularizer);
  }

  protected addParameters(shape: Shape): void {
    if (this.scale) {
      this.gamma = this.addWeight(
          'gamma', shape, undefined, this.gammaInitializer,
          this.gammaRegularizer, true, this.gammaConstraint);
    }
    if (this.center) {
      this.beta = this.addWeight(
          'beta', shape, undefined, this.betaInitializer,
          this.betaRegularizer, true, this.betaConstraint);
    }
  }

  /**
   * `(x - mean) / sqrt(variance + epsilon) * gamma + beta`, where the weights
   * are spread over a shape that broadcasts to x.
   */
  protected normalize(
      x: Tensor, mean: Tensor, variance: Tensor,
      spread: (t: Tensor) => Tensor): Tensor {
    return batchNorm(
        x, mean, variance, this.beta && spread(this.beta.read()),
        this.gamma && spread(this.gamma.read()), this.epsilon);
  }
}

/** Settings of {@link BatchNormalization}. */
export interface BatchNormalizationLayerArgs extends NormalizationArgs {
  /** The axis of the channels. */
  axis?: number;
  /** How much of the moving statistics stays at a training step. */
  momentum?: number;
  movingMeanInitializer?: InitializerIdentifier | Initializer;
  movingVarianceInitializer?: InitializerIdentifier | Initializer;
}

/**
 * Normalizes every channel: by the batch's mean and variance while training,
 * which also moves the remembered ones, and by these otherwise. A layer that is
 * not trainable never learns from a batch.
 */
export class BatchNormalization extends Normalization {
  static override readonly className: string = 'BatchNormalization';
  readonly #axis: number;
  readonly #momentum: number;
  readonly #movingMeanInitializer: Initializer;
  readonly #movingVarianceInitializer: Initializer;
  #movingMean: LayerVariable | null = null;
  #movingVariance: LayerVariable | null = null;

  constructor(args: BatchNormalizationLayerArgs = {}) {
    super(args);
    // TensorFlow saves the axis as a list of one.
    const axis = [args.axis ?? -1].flat() as unknown[];
    if (axis.length !== 1 || !Number.isInteger(axis[0])) {
      throw new TensorError(
          'argument', 'BatchNormalization: axis must be an integer, got ' +
              JSON.stringify(args.axis));
    }
    this.#axis = axis[0] as number;
    this.#momentum = args.momentum ?? 0.99;
    this.#movingMeanInitializer =
        getInitializer(args.movingMeanInitializer ?? 'zeros');
    this.#movingVarianceInitializer =
        getInitializer(args.movingVarianceInitializer ?? 'ones');
  }

  #axisIn(rank: number): number {
    return this.#axis < 0 ? this.#axis + rank : this.#axis;
  }

  override build(inputShape: Shape | Shape[]): void {
    const shape = oneShape(inputShape, 'BatchNormalization');
    const axis = this.#axisIn(shape.length);
    const channels = shape[axis] ?? null;
    if (channels === null) {
      throw new TensorError(
          'shape', `Axis ${axis} of input tensor should have a defined ` +
              'dimension but the layer received an input with shape ' +
              `${formatShape(shape)}.`);
    }
    this.inputSpec =
        [new InputSpec({ndim: shape.length, axes: {[axis]: channels}})];
    this.addParameters([channels]);
    this.#movingMean = this.addWeight(
        'moving_mean', [channels], undefined, this.#movingMeanInitializer,
        null, false);
    this.#movingVariance = this.addWeight(
        'moving_variance', [channels], undefined,
        this.#movingVarianceInitializer, null, false);
    super.build(inputShape);
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor {
    this.invokeCallHook(inputs, kwargs);
    const x = oneTensor('BatchNormalization', inputs);
    const axis = this.#axisIn(x.rank);
    const along = (x.shape as number[]).map((n, d) => (d === axis ? n : 1));
    const spread = axis === x.rank - 1 ? (t: Tensor): Tensor => t :
      (t: Tensor): Tensor => reshape(t, along);
    const [mean, variance] = kwargs['training'] && this.trainable ?
      this.#learn(x, axis, kwargs['mask']) :
      [this.#movingMean!.read(), this.#movingVariance!.read()];
    return this.normalize(x, spread(mean), spread(variance), spread);
  }

  #learn(x: Tensor, axis: number, mask: unknown): [Tensor, Tensor] {
    const over = (x.shape as number[]).map((_, d) => d)
        .filter((d) => d !== axis);
    const {mean, variance} =
        isTensor(mask) ? this.#masked(x, mask, over) : moments(x, over);
    this.#move(this.#movingMean!, mean);
    this.#move(this.#movingVariance!, variance);
    return [mean, variance];
  }

  // Steps that the mask leaves out count neither in sums nor in numbers.
  #masked(
      x: Tensor, mask: Tensor,
      over: number[]): {mean: Tensor, variance: Tensor} {
    if (mask.rank !== x.rank - 1) {
      throw new TensorError(
          'shape', 'BatchNormalization: the mask must have one dimension less ' +
              `than the input, but their shapes are [${mask.shape}] and ` +
              `[${x.shape}]`);
    }
    const weights = expandDims(cast(mask, 'float32'), -1);
    const count = add(sum(weights, over, true), settings.epsilon);
    const mean = div(sum(mul(x, weights), over, true), count);
    const variance = div(
        sum(mul(weights, square(sub(x, mean))), over, true), count);
    return {mean: reshape(mean, [-1]), variance: reshape(variance, [-1])};
  }

  #move(remembered: LayerVariable, now: Tensor): void {
    remembered.write(add(
        mul(remembered.read(), this.#momentum), mul(now, 1 - this.#momentum)));
  }

  override getConfig(): ConfigDict {
    return {
      axis: this.#axis,
      momentum: this.#momentum,
      epsilon: this.epsilon,
      center: this.center,
      scale: this.scale,
      betaInitializer: serializeInitializer(this.betaInitializer),
      gammaInitializer: serializeInitializer(this.gammaInitializer),
      movingMeanInitializer: serializeInitializer(this.#movingMeanInitializer),
      movingVarianceInitializer:
        serializeInitializer(this.#movingVarianceInitializer),
      betaRegularizer: serializeRegularizer(this.betaRegularizer),
      gammaRegularizer: serializeRegularizer(this.gammaRegularizer),
      betaConstraint: serializeConstraint(this.betaConstraint),
      gammaConstraint: serializeConstraint(this.gammaConstraint),
      ...super.getConfig(),
    };
  }
}

/** Settings of {@link LayerNormalization}. */
export interface LayerNormalizationLayerArgs extends NormalizationArgs {
  /** The axis or axes that are normalized together. */
  axis?: number | number[];
}

/** Normalizes every example by its own mean and variance along axes. */
export class LayerNormalization extends Normalization {
  static override readonly className: string = 'LayerNormalization';
  readonly #axis: number | number[];

  constructor(args: LayerNormalizationLayerArgs = {}) {
    super(args);
    this.#axis = args.axis ?? -1;
    for (const axis of toList(this.#axis)) {
      if (!Number.isInteger(axis)) {
        throw new TensorError(
            'argument', 'LayerNormalization: Expected axis to be an integer, ' +
                `but received ${JSON.stringify(axis)}`);
      }
    }
    if ((args as {rmsScaling?: unknown}).rmsScaling) {
      throw new TensorError(
          'unsupported', 'LayerNormalization: rmsScaling is not supported');
    }
  }

  #axes(rank: number): number[] {
    const axes = toList(this.#axis).map((d) => (d < 0 ? d + rank : d));
    const wrong = axes.find((d) => d < 0 || d >= rank);
    if (wrong !== undefined) {
      throw new TensorError(
          'argument', `LayerNormalization: Invalid axis: ${wrong} of ${rank}`);
    }
    if (new Set(axes).size !== axes.length) {
      throw new TensorError(
          'argument',
          `LayerNormalization: Found duplicate axes in: ${this.#axis}`);
    }
    return axes;
  }

  override build(inputShape: Shape | Shape[]): void {
    const shape = oneShape(inputShape, 'LayerNormalization');
    const lengths: Shape = this.#axes(shape.length).map((d) => shape[d]!);
    if (lengths.includes(null)) {
      throw new TensorError(
          'shape', 'LayerNormalization: the axes to normalize must be known, ' +
              `but the input's shape is ${formatShape(shape)}`);
    }
    this.addParameters(lengths);
    super.build(inputShape);
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor {
    this.invokeCallHook(inputs, kwargs);
    const x = oneTensor('LayerNormalization', inputs);
    const axes = this.#axes(x.rank);
    const along =
        (x.shape as number[]).map((n, d) => (axes.includes(d) ? n : 1));
    const {mean, variance} = moments(x, axes, true);
    const spread = axes.length === 1 && axes[0] === x.rank - 1 ?
      (t: Tensor): Tensor => t : (t: Tensor): Tensor => reshape(t, along);
    return this.normalize(x, mean, variance, spread);
  }

  override getConfig(): ConfigDict {
    return {
      axis: this.#axis,
      epsilon: this.epsilon,
      center: this.center,
      scale: this.scale,
      betaInitializer: serializeInitializer(this.betaInitializer),
      gammaInitializer: serializeInitializer(this.gammaInitializer),
      betaRegularizer: serializeRegularizer(this.betaRegularizer),
      gammaRegularizer: serializeRegularizer(this.gammaRegularizer),
      ...(this.betaConstraint ?
        {betaConstraint: serializeConstraint(this.betaConstraint)} : {}),
      ...(this.gammaConstraint ?
        {gammaConstraint: serializeConstraint(this.gammaConstraint)} : {}),
      ...super.getConfig(),
    };
  }
}

registerClass(BatchNormalization);
registerClass(LayerNormalization);
