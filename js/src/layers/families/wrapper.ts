/** Layers around another layer. */
import {TensorError} from '../../errors.js';
import {Layer} from '../layer.js';
import type {LayerArgs} from '../layer.js';
import {layerFrom} from '../layer_from_config.js';
import {construct, serialize} from '../serialization.js';
import type {
  ConfigDict, CustomObjects, SerializableConstructor,
} from '../serialization.js';
import type {LayerVariable} from '../weight.js';

/** What wrappers take. */
export interface WrapperLayerArgs extends LayerArgs {
  layer: Layer;
}

/** What a message calls a value that should have been a layer. */
export function nameOf(value: unknown): string {
  return value instanceof Layer ? value.getClassName() : typeof value;
}

/** A layer whose weights are those of the layer it wraps. */
export abstract class Wrapper extends Layer {
  readonly layer: Layer;

  constructor(args: WrapperLayerArgs) {
    super(args);
    if (!((args.layer as unknown) instanceof Layer)) {
      throw new TensorError(
          'argument', `${this.getClassName()}: expected a layer to wrap, got ` +
              nameOf(args.layer));
    }
    this.layer = args.layer;
    this.layer.retain(this);
    if (args.trainable === false) this.layer.trainable = false;
  }

  override get trainable(): boolean {
    return this.layer.trainable;
  }

  override set trainable(trainable: boolean) {
    this.layer.trainable = trainable;
  }

  override get trainableWeights(): LayerVariable[] {
    return this.layer.trainableWeights;
  }

  override get nonTrainableWeights(): LayerVariable[] {
    return this.layer.nonTrainableWeights;
  }

  override get losses(): Layer['losses'] {
    return [...super.losses, ...this.layer.losses];
  }

  protected override disposeWeights(): number {
    return this.layer.isDisposed ? 0 :
      this.layer.dispose().numDisposedVariables;
  }

  override getConfig(): ConfigDict {
    return {...super.getConfig(), layer: serialize(this.layer)};
  }

  static override fromConfig<T>(
      cls: SerializableConstructor<T>, config: ConfigDict,
      customObjects?: CustomObjects): T {
    return construct(cls, {
      ...config,
      layer: layerFrom('layer', config['layer'], customObjects),
    });
  }
}
