/** Convolutions of rows and images. */
import {TensorError} from '../../errors.js';
import type {Activation as FusedActivation} from '../../ops/activation_name.js';
import {conv2d as fusedConv2d} from '../../ops/fused_conv.js';
import {expandDims} from '../../ops/shape.js';
import type {Pad} from '../../ops/window.js';
import type {Tensor, Tensor4D} from '../../tensor.js';
import {getActivation, serializeActivation} from '../activations.js';
import type {Activation, ActivationIdentifier} from '../activations.js';
import {getConstraint, serializeConstraint} from '../constraints.js';
import type {Constraint, ConstraintIdentifier} from '../constraints.js';
import {getInitializer, serializeInitializer} from '../initializers.js';
import type {Initializer, InitializerIdentifier} from '../initializers.js';
import {InputSpec, Layer, shapesOf} from '../layer.js';
import type {Kwargs, LayerArgs, LayerValue} from '../layer.js';
import {getRegularizer, serializeRegularizer} from '../regularizers.js';
import type {Regularizer, RegularizerIdentifier} from '../regularizers.js';
import {registerClass} from '../serialization.js';
import type {ConfigDict} from '../serialization.js';
import type {Shape} from '../shape.js';
import type {LayerVariable} from '../weight.js';
import {fusedActivation} from './activation_ops.js';
import {
  asImage, asRow, dataFormatOf, oneTensor, paddingOf, positiveInteger,
  shapeOfRank, sizesOf, slideOver,
} from './windows.js';
import type {LayerDataFormat, PaddingMode} from './windows.js';

/** What every layer that convolves takes. */
export interface BaseConvLayerArgs extends LayerArgs {
  /** Height and width of the window, or one number for both. */
  kernelSize: number | number[];
  strides?: number | number[];
  padding?: PaddingMode;
  dataFormat?: LayerDataFormat;
  /** Steps between the elements a window sees; 1 is all of them. */
  dilationRate?: number | number[];
  activation?: ActivationIdentifier;
  useBias?: boolean;
  biasInitializer?: InitializerIdentifier;
  biasConstraint?: ConstraintIdentifier;
  biasRegularizer?: RegularizerIdentifier;
  activityRegularizer?: RegularizerIdentifier;
}

/** What convolutions across channels take. */
export interface ConvLayerArgs extends BaseConvLayerArgs {
  /** How many channels come out. */
  filters: number;
  kernelInitializer?: InitializerIdentifier;
  kernelConstraint?: ConstraintIdentifier;
  kernelRegularizer?: RegularizerIdentifier;
}

/** Windows over rows (rank 1) or images (rank 2), bias and activation. */
export abstract class BaseConv extends Layer {
  protected readonly rank: number;
  protected readonly kernelSize: number[];
  protected readonly strides: number[];
  protected readonly padding: PaddingMode;
  protected readonly dataFormat: LayerDataFormat;
  protected readonly dilationRate: number[];
  protected readonly activation: Activation;
  protected readonly useBias: boolean;
  protected readonly biasInitializer: Initializer;
  protected readonly biasConstraint: Constraint | null;
  protected readonly biasRegularizer: Regularizer | null;
  protected bias: LayerVariable | null = null;

  constructor(
      rank: number, args: BaseConvLayerArgs,
      paddings: readonly PaddingMode[] = ['valid', 'same']) {
    super(args);
    this.rank = rank;
    const who = this.getClassName();
    this.kernelSize = sizesOf(who, 'kernelSize', args.kernelSize, rank);
    this.strides = sizesOf(who, 'strides', args.strides ?? 1, rank);
    this.padding = paddingOf(who, args.padding, paddings);
    this.dataFormat = dataFormatOf(who, args.dataFormat);
    this.dilationRate =
      sizesOf(who, 'dilationRate', args.dilationRate ?? 1, rank);
    const {groups} = args as {groups?: number | null};
    if (groups !== undefined && groups !== null && groups !== 1) {
      throw new TensorError(
          'unsupported', `${who}: groups must be 1, got ${groups}`);
    }
    this.activation = getActivation(args.activation);
    this.useBias = args.useBias ?? true;
    this.biasInitializer = getInitializer(args.biasInitializer ?? 'zeros');
    this.biasConstraint = getConstraint(args.biasConstraint);
    this.biasRegularizer = getRegularizer(args.biasRegularizer);
    this.activityRegularizer = getRegularizer(args.activityRegularizer);
    this.inputSpec = [new InputSpec({ndim: rank + 2})];
  }

  /** How many channels come in; notes it in the input spec. */
  protected inputChannels(inputShape: Shape | Shape[]): number {
    const who = this.getClassName();
    const shape = shapeOfRank(who, inputShape, this.rank + 2);
    const axis = this.dataFormat === 'channelsFirst' ? 1 : shape.length - 1;
    const channels = shape[axis] ?? null;
    if (channels === null) {
      throw new TensorError(
          'shape', `${who}: The channel dimension of the input should be ` +
              `defined, but is not in ${JSON.stringify(shape)}`);
    }
    // Before there are weights that nobody could use.
    this.computeOutputShape(shape);
    this.inputSpec =
      [new InputSpec({ndim: this.rank + 2, axes: {[axis]: channels}})];
    return channels;
  }

  protected override assertInputCompatibility(inputs: LayerValue): void {
    super.assertInputCompatibility(inputs);
    this.computeOutputShape(shapesOf(inputs));
  }

  protected addBias(channels: number): void {
    if (!this.useBias) return;
    this.bias = this.addWeight(
        'bias', [channels], undefined, this.biasInitializer,
        this.biasRegularizer, true, this.biasConstraint);
  }

  /** The options of a convolution op on images with this layer's windows. */
  protected windows(): {
    strides: [number, number], pad: Pad, dilations: [number, number],
    dataFormat: 'NHWC' | 'NCHW',
  } {
    const square = (sizes: number[]): [number, number] =>
      this.rank === 1 ? [1, sizes[0]!] : sizes as [number, number];
    return {
      strides: square(this.strides), pad: this.padding as Pad,
      dilations: square(this.dilationRate),
      dataFormat: this.dataFormat === 'channelsFirst' ? 'NCHW' : 'NHWC',
    };
  }

  /** Bias and activation as arguments of a fused op, for `finish`. */
  protected epilogue(): {bias: Tensor | null, activation: FusedActivation} {
    return {
      bias: this.bias?.read() ?? null,
      activation: fusedActivation(this.activation) ?? 'linear',
    };
  }

  /** The activation, where the fused op could not apply it. */
  protected finish(y: Tensor): Tensor {
    return fusedActivation(this.activation) === undefined ?
      this.activation.apply(y) : y;
  }

  protected outputChannels(_inputChannels: number | null): number | null {
    return null;
  }

  override computeOutputShape(inputShape: Shape | Shape[]): Shape {
    const shape = shapeOfRank(this.getClassName(), inputShape, this.rank + 2);
    const mapped = slideOver(this.name, shape, {
      size: this.kernelSize, strides: this.strides, padding: this.padding,
      dilations: this.dilationRate, format: this.dataFormat,
    });
    const axis = this.dataFormat === 'channelsFirst' ? 1 : shape.length - 1;
    mapped[axis] = this.outputChannels(shape[axis] ?? null);
    return mapped;
  }

  override getConfig(): ConfigDict {
    return {
      ...super.getConfig(),
      kernelSize: this.kernelSize,
      strides: this.strides,
      padding: this.padding,
      dataFormat: this.dataFormat,
      dilationRate: this.dilationRate,
      activation: serializeActivation(this.activation),
      useBias: this.useBias,
      biasInitializer: serializeInitializer(this.biasInitializer),
      biasRegularizer: serializeRegularizer(this.biasRegularizer),
      activityRegularizer: serializeRegularizer(this.activityRegularizer),
      biasConstraint: serializeConstraint(this.biasConstraint),
    };
  }
}

/** Convolutions across channels. */
export abstract class Conv extends BaseConv {
  protected readonly filters: number;
  protected readonly kernelInitializer: Initializer;
  protected readonly kernelConstraint: Constraint | null;
  protected readonly kernelRegularizer: Regularizer | null;
  protected kernel: LayerVariable | null = null;

  constructor(
      rank: number, args: ConvLayerArgs, paddings?: readonly PaddingMode[]) {
    super(rank, args, paddings);
    this.filters =
      positiveInteger(this.getClassName(), 'filters', args.filters);
    this.kernelInitializer =
      getInitializer(args.kernelInitializer ?? 'glorotNormal');
    this.kernelConstraint = getConstraint(args.kernelConstraint);
    this.kernelRegularizer = getRegularizer(args.kernelRegularizer);
  }

  protected kernelShape(inputChannels: number): number[] {
    return [...this.kernelSize, inputChannels, this.filters];
  }

  override build(inputShape: Shape | Shape[]): void {
    const channels = this.inputChannels(inputShape);
    this.kernel = this.addWeight(
        'kernel', this.kernelShape(channels), undefined,
        this.kernelInitializer, this.kernelRegularizer, true,
        this.kernelConstraint);
    this.addBias(this.filters);
    this.built = true;
  }

  protected override outputChannels(): number {
    return this.filters;
  }

  override getConfig(): ConfigDict {
    return {
      ...super.getConfig(),
      filters: this.filters,
      kernelInitializer: serializeInitializer(this.kernelInitializer),
      kernelRegularizer: serializeRegularizer(this.kernelRegularizer),
      kernelConstraint: serializeConstraint(this.kernelConstraint),
    };
  }
}

/**
 * Convolves images: `[batch, height, width, channels]`, or channels after
 * batch, gives the same with `filters` channels. Weights: kernel
 * `[height, width, channels, filters]`, bias `[filters]`.
 *
 * ```js
 * const layer = tf.layers.conv2d(
 *     {filters: 1, kernelSize: 2, kernelInitializer: 'ones'});
 * layer.apply(tf.ones([1, 2, 2, 3])).arraySync(); // => [[[[12]]]]
 * layer.dispose();
 * ```
 */
export class Conv2D extends Conv {
  static override className = 'Conv2D';

  constructor(args: ConvLayerArgs) {
    super(2, args);
  }

  override call(inputs: Tensor | Tensor[], _kwargs: Kwargs): Tensor {
    return this.finish(fusedConv2d({
      x: oneTensor(this.getClassName(), inputs),
      filter: this.kernel!.read(), ...this.windows(),
      ...this.epilogue(),
    }));
  }
}

/**
 * Convolves rows: `[batch, length, channels]`, or channels after batch, gives
 * the same with `filters` channels. `causal` padding lets a result see only
 * what is not after it. Weights: kernel `[length, channels, filters]`, bias
 * `[filters]`.
 *
 * ```js
 * const layer = tf.layers.conv1d({
 *   filters: 1, kernelSize: 2, padding: 'causal', kernelInitializer: 'ones',
 * });
 * layer.apply(tf.ones([1, 3, 1])).arraySync(); // => [[[1], [2], [2]]]
 * layer.dispose();
 * ```
 */
export class Conv1D extends Conv {
  static override className = 'Conv1D';

  constructor(args: ConvLayerArgs) {
    super(1, args, ['valid', 'same', 'causal']);
  }

  override call(inputs: Tensor | Tensor[], _kwargs: Kwargs): Tensor {
    const row = oneTensor(this.getClassName(), inputs);
    const options = this.windows();
    const causal = this.padding === 'causal';
    if (causal) {
      const before = (this.kernelSize[0]! - 1) * this.dilationRate[0]!;
      options.pad = this.dataFormat === 'channelsFirst' ?
        [[0, 0], [0, 0], [0, 0], [before, 0]] :
        [[0, 0], [0, 0], [before, 0], [0, 0]];
    }
    const image = fusedConv2d({
      x: asImage(row, this.dataFormat),
      filter: expandDims<Tensor4D>(this.kernel!.read(), 0),
      ...options, ...this.epilogue(),
      ...causal ? {dimRoundingMode: 'floor' as const} : {},
    });
    return this.finish(asRow(image, this.dataFormat));
  }

  override getConfig(): ConfigDict {
    const config = super.getConfig();
    // TensorFlow.js knows no other format here.
    if (this.dataFormat === 'channelsLast') delete config['dataFormat'];
    return config;
  }
}

for (const type of [Conv1D, Conv2D]) registerClass(type);
