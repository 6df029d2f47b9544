/** Where tensors enter a graph of layers. */
import {TensorError} from '../errors.js';
import type {DataType} from '../types.js';
import {layerDType} from './dtype_policy.js';
import {Layer} from './layer.js';
import {autoName, checkLayerName} from './naming.js';
import {registerClass} from './serialization.js';
import type {ConfigDict} from './serialization.js';
import {checkShape} from './shape.js';
import type {Shape} from './shape.js';
import {SymbolicTensor} from './symbolic.js';

/** Settings of an {@link InputLayer}. */
export interface InputLayerArgs {
  /** Without the batch. */
  inputShape?: Shape;
  batchSize?: number;
  batchInputShape?: Shape;
  /** Keras 3's name of `batchInputShape`. */
  batchShape?: Shape;
  dtype?: DataType;
  sparse?: boolean;
  name?: string;
}

/** The layer behind an input: it gives what it is fed. */
export class InputLayer extends Layer {
  static override readonly className = 'InputLayer';
  readonly sparse: boolean;

  constructor(args: InputLayerArgs) {
    const whole = args.batchInputShape ?? args.batchShape;
    if (whole !== undefined && args.inputShape !== undefined) {
      throw new TensorError(
          'argument', 'Only provide the inputShape OR batchInputShape argument ' +
              'to inputLayer, not both at the same time.');
    }
    if (whole === undefined && args.inputShape === undefined) {
      throw new TensorError(
          'argument', 'An InputLayer should be passed either a ' +
              '`batchInputShape` or an `inputShape`.');
    }
    checkShape(
        args.name ?? 'InputLayer', whole ? 'batchInputShape' : 'inputShape',
        whole ?? args.inputShape);
    const shape = whole ?? [args.batchSize ?? null, ...args.inputShape!];
    const dtype = layerDType(args.dtype) ?? 'float32';
    super({
      batchInputShape: shape, dtype,
      ...(args.name === undefined ? {} : {name: args.name}),
    });
    this.sparse = args.sparse ?? false;
    this.trainable_ = false;
    this.built = true;
    const output = new SymbolicTensor(dtype, shape, this, [], {}, args.name);
    this.addInboundNode([], [output], [shape], shape);
  }

  protected override autoName(): string {
    return autoName(this.getClassName(), 'input');
  }

  /** Refuses: an input is where a graph begins. */
  override apply(): never {
    throw new TensorError(
        'argument', 'Cannot pass any input to an InputLayer\'s apply() method. ' +
            `InputLayer name: ${this.name}`);
  }

  override getConfig(): ConfigDict {
    return {
      batchInputShape: this.batchInputShape, dtype: this.dtype,
      sparse: this.sparse, name: this.name,
    };
  }
}

registerClass(InputLayer);

/** Settings of {@link input}. */
export interface InputConfig {
  /** Without the batch. */
  shape?: Shape;
  /** With the batch. */
  batchShape?: Shape;
  name?: string;
  dtype?: DataType;
  sparse?: boolean;
}

/**
 * The start of a functional model: a symbolic tensor of `shape`, before which
 * the batch dimension is added, or of `batchShape`.
 *
 * Errors: neither shape; lengths that are no whole numbers; a name with a `/`.
 *
 * ```js
 * const x = tf.input({shape: [4]});
 * const y = tf.layers.dense({units: 2}).apply(x);
 * y.shape; // => [null, 2]
 * ```
 */
export function input(config: InputConfig): SymbolicTensor {
  if (!config?.batchShape && !config?.shape) {
    throw new TensorError(
        'argument', 'Please provide to Input either a `shape` or a ' +
            '`batchShape` argument. Note that `shape` does not include the ' +
            'batch dimension.');
  }
  if (config.name !== undefined) checkLayerName('input', config.name);
  if (!config.batchShape) checkShape('input', 'shape', config.shape);
  const layer = new InputLayer({
    batchInputShape: config.batchShape ?? [null, ...config.shape!],
    ...(config.name === undefined ? {} : {name: config.name}),
    ...(config.dtype === undefined ? {} : {dtype: config.dtype}),
    sparse: config.sparse ?? false,
  });
  return layer.inboundNodes[0]!.outputTensors[0]!;
}
