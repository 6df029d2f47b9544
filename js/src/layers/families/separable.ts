/** Convolutions in two steps: within channels, then across them. */
import {TensorError} from '../../errors.js';
import {depthwiseConv2d} from '../../ops/conv.js';
import {conv2d as fusedConv2d} from '../../ops/fused_conv.js';
import type {Tensor, Tensor4D} from '../../tensor.js';
import {getConstraint, serializeConstraint} from '../constraints.js';
import type {Constraint, ConstraintIdentifier} from '../constraints.js';
import {getInitializer, serializeInitializer} from '../initializers.js';
import type {Initializer, InitializerIdentifier} from '../initializers.js';
import type {Kwargs} from '../layer.js';
import {getRegularizer, serializeRegularizer} from '../regularizers.js';
import type {Regularizer, RegularizerIdentifier} from '../regularizers.js';
import {registerClass} from '../serialization.js';
import type {ConfigDict} from '../serialization.js';
import type {Shape} from '../shape.js';
import type {LayerVariable} from '../weight.js';
import {BaseConv} from './conv.js';
import type {BaseConvLayerArgs} from './conv.js';
import {oneTensor, positiveInteger} from './windows.js';

/** What SeparableConv2D takes. */
export interface SeparableConvLayerArgs extends BaseConvLayerArgs {
  filters: number;
  /** How many channels the first step makes of each; 1 when not given. */
  depthMultiplier?: number;
  depthwiseInitializer?: InitializerIdentifier;
  depthwiseConstraint?: ConstraintIdentifier;
  depthwiseRegularizer?: RegularizerIdentifier;
  pointwiseInitializer?: InitializerIdentifier;
  pointwiseConstraint?: ConstraintIdentifier;
  pointwiseRegularizer?: RegularizerIdentifier;
}

/**
 * A depthwise convolution, then one with windows of 1x1 to `filters` channels.
 * Weights: depthwise_kernel `[height, width, channels, depthMultiplier]`,
 * pointwise_kernel `[1, 1, channels * depthMultiplier, filters]`, bias
 * `[filters]`.
 *
 * ```js
 * const layer = tf.layers.separableConv2d({
 *   filters: 1, kernelSize: 2, depthwiseInitializer: 'ones',
 *   pointwiseInitializer: 'ones',
 * });
 * layer.apply(tf.ones([1, 2, 2, 3])).arraySync(); // => [[[[12]]]]
 * layer.dispose();
 * ```
 */
export class SeparableConv2D extends BaseConv {
  static override className = 'SeparableConv2D';
  protected readonly filters: number;
  protected readonly depthMultiplier: number;
  protected readonly depthwiseInitializer: Initializer;
  protected readonly depthwiseConstraint: Constraint | null;
  protected readonly depthwiseRegularizer: Regularizer | null;
  protected readonly pointwiseInitializer: Initializer;
  protected readonly pointwiseConstraint: Constraint | null;
  protected readonly pointwiseRegularizer: Regularizer | null;
  protected depthwiseKernel: LayerVariable | null = null;
  protected pointwiseKernel: LayerVariable | null = null;

  constructor(args: SeparableConvLayerArgs) {
    super(2, args);
    const who = this.getClassName();
    const given = args as unknown as Record<string, unknown>;
    for (const part of ['Initializer', 'Regularizer', 'Constraint']) {
      if (given[`kernel${part}`] !== undefined &&
          given[`kernel${part}`] !== null) {
        throw new TensorError(
            'argument', `${who}: kernel${part} is invalid, use ` +
                `depthwise${part} and pointwise${part}`);
      }
    }
    this.filters = positiveInteger(who, 'filters', args.filters);
    this.depthMultiplier =
      positiveInteger(who, 'depthMultiplier', args.depthMultiplier ?? 1);
    this.depthwiseInitializer =
      getInitializer(args.depthwiseInitializer ?? 'glorotUniform');
    this.depthwiseConstraint = getConstraint(args.depthwiseConstraint);
    this.depthwiseRegularizer = getRegularizer(args.depthwiseRegularizer);
    this.pointwiseInitializer =
      getInitializer(args.pointwiseInitializer ?? 'glorotUniform');
    this.pointwiseConstraint = getConstraint(args.pointwiseConstraint);
    this.pointwiseRegularizer = getRegularizer(args.pointwiseRegularizer);
  }

  override build(inputShape: Shape | Shape[]): void {
    const channels = this.inputChannels(inputShape);
    this.depthwiseKernel = this.addWeight(
        'depthwise_kernel',
        [...this.kernelSize, channels, this.depthMultiplier], undefined,
        this.depthwiseInitializer, this.depthwiseRegularizer, true,
        this.depthwiseConstraint);
    this.pointwiseKernel = this.addWeight(
        'pointwise_kernel',
        [1, 1, channels * this.depthMultiplier, this.filters], undefined,
        this.pointwiseInitializer, this.pointwiseRegularizer, true,
        this.pointwiseConstraint);
    this.addBias(this.filters);
    this.built = true;
  }

  override call(inputs: Tensor | Tensor[], _kwargs: Kwargs): Tensor {
    const {strides, pad, dilations, dataFormat} = this.windows();
    const within = depthwiseConv2d(
        oneTensor(this.getClassName(), inputs) as Tensor4D,
        this.depthwiseKernel!.read() as Tensor4D, strides, pad, dataFormat,
        dilations);
    return this.finish(fusedConv2d({
      x: within, filter: this.pointwiseKernel!.read(), strides: 1,
      pad: 'valid', dataFormat, ...this.epilogue(),
    }));
  }

  protected override outputChannels(): number {
    return this.filters;
  }

  override getConfig(): ConfigDict {
    return {
      ...super.getConfig(),
      filters: this.filters,
      depthMultiplier: this.depthMultiplier,
      depthwiseInitializer: serializeInitializer(this.depthwiseInitializer),
      pointwiseInitializer: serializeInitializer(this.pointwiseInitializer),
      depthwiseRegularizer: serializeRegularizer(this.depthwiseRegularizer),
      pointwiseRegularizer: serializeRegularizer(this.pointwiseRegularizer),
      depthwiseConstraint: serializeConstraint(this.depthwiseConstraint),
      pointwiseConstraint: serializeConstraint(this.pointwiseConstraint),
    };
  }
}

registerClass(SeparableConv2D);
