/** Convolutions of each channel by itself. */
import {depthwiseConv2d} from '../../ops/fused_conv.js';
import type {Tensor} from '../../tensor.js';
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

/** What DepthwiseConv2D takes. */
export interface DepthwiseConv2DLayerArgs extends BaseConvLayerArgs {
  /** How many filters each channel has; 1 when not given. */
  depthMultiplier?: number;
  depthwiseInitializer?: InitializerIdentifier;
  depthwiseConstraint?: ConstraintIdentifier;
  depthwiseRegularizer?: RegularizerIdentifier;
}

/**
 * Convolves every channel with filters of its own; `channels *
 * depthMultiplier` come out. Weights: depthwise_kernel `[height, width,
 * channels, depthMultiplier]`, bias `[channels * depthMultiplier]`.
 *
 * ```js
 * const layer = tf.layers.depthwiseConv2d(
 *     {kernelSize: 2, depthwiseInitializer: 'ones'});
 * layer.apply(tf.ones([1, 2, 2, 3])).arraySync(); // => [[[[4, 4, 4]]]]
 * layer.dispose();
 * ```
 */
export class DepthwiseConv2D extends BaseConv {
  static override className = 'DepthwiseConv2D';
  protected readonly depthMultiplier: number;
  protected readonly depthwiseInitializer: Initializer;
  protected readonly depthwiseConstraint: Constraint | null;
  protected readonly depthwiseRegularizer: Regularizer | null;
  protected depthwiseKernel: LayerVariable | null = null;

  constructor(args: DepthwiseConv2DLayerArgs) {
    super(2, args);
    this.depthMultiplier = positiveInteger(
        this.getClassName(), 'depthMultiplier', args.depthMultiplier ?? 1);
    this.depthwiseInitializer =
      getInitializer(args.depthwiseInitializer ?? 'glorotNormal');
    this.depthwiseConstraint = getConstraint(args.depthwiseConstraint);
    this.depthwiseRegularizer = getRegularizer(args.depthwiseRegularizer);
  }

  override build(inputShape: Shape | Shape[]): void {
    const channels = this.inputChannels(inputShape);
    this.depthwiseKernel = this.addWeight(
        'depthwise_kernel',
        [...this.kernelSize, channels, this.depthMultiplier], undefined,
        this.depthwiseInitializer, this.depthwiseRegularizer, true,
        this.depthwiseConstraint);
    this.addBias(channels * this.depthMultiplier);
    this.built = true;
  }

  override call(inputs: Tensor | Tensor[], _kwargs: Kwargs): Tensor {
    return this.finish(depthwiseConv2d({
      x: oneTensor(this.getClassName(), inputs),
      filter: this.depthwiseKernel!.read(), ...this.windows(),
      ...this.epilogue(),
    }));
  }

  protected override outputChannels(inputChannels: number | null):
      number | null {
    return inputChannels === null ? null :
      inputChannels * this.depthMultiplier;
  }

  override getConfig(): ConfigDict {
    return {
      ...super.getConfig(),
      depthMultiplier: this.depthMultiplier,
      depthwiseInitializer: serializeInitializer(this.depthwiseInitializer),
      depthwiseRegularizer: serializeRegularizer(this.depthwiseRegularizer),
      depthwiseConstraint: serializeConstraint(this.depthwiseConstraint),
    };
  }
}

registerClass(DepthwiseConv2D);
