/** A layer applied to every step of sequences. */
import {TensorError} from '../../errors.js';
import {stack, unstack} from '../../ops/concat.js';
import {reshape} from '../../ops/shape.js';
import {dispose, tidy} from '../../scope.js';
import type {Tensor} from '../../tensor.js';
import {InputSpec, Layer} from '../layer.js';
import type {Kwargs} from '../layer.js';
import {registerClass} from '../serialization.js';
import {formatShape, oneShape} from '../shape.js';
import type {Shape} from '../shape.js';
import {sequenceMask} from './rnn_inputs.js';
import {oneTensor} from './windows.js';
import {Wrapper} from './wrapper.js';
import type {WrapperLayerArgs} from './wrapper.js';

/**
 * Layers that treat every example by itself: all steps can be one batch. Those
 * of other classes see one step at a time.
 */
const apart: ReadonlySet<string> = new Set([
  'Dense', 'Activation', 'Dropout', 'Flatten', 'Reshape', 'Permute',
  'RepeatVector', 'Embedding', 'ReLU', 'LeakyReLU', 'PReLU', 'ELU', 'Softmax',
  'ThresholdedReLU', 'LayerNormalization', 'Conv1D', 'Conv2D',
  'Conv2DTranspose', 'DepthwiseConv2D', 'SeparableConv2D', 'UpSampling2D',
  'ZeroPadding2D', 'Cropping2D', 'MaxPooling1D', 'MaxPooling2D',
  'AveragePooling1D', 'AveragePooling2D', 'GlobalMaxPooling1D',
  'GlobalMaxPooling2D', 'GlobalAveragePooling1D', 'GlobalAveragePooling2D',
  'SimpleRNN', 'LSTM', 'GRU', 'Bidirectional', 'TimeDistributed', 'InputLayer',
  'GaussianNoise', 'Add', 'Subtract', 'Multiply', 'Average', 'Maximum',
  'Minimum', 'Concatenate',
]);

function treatsApart(layer: Layer, training: boolean): boolean {
  const {layers, layer: inner} =
    layer as unknown as {layers?: Layer[], layer?: Layer};
  if (layer.stateful) return false;
  if (Array.isArray(layers)) {
    return layers.every((one) => treatsApart(one, training));
  }
  if (inner instanceof Layer && !treatsApart(inner, training)) return false;
  const name = layer.getClassName();
  return apart.has(name) || (name === 'BatchNormalization' && !training);
}

/**
 * Applies a layer to every step of `[batch, time, …]`.
 *
 * ```js
 * const layer =
 *   tf.layers.timeDistributed({layer: tf.layers.dense({units: 4})});
 * layer.apply(tf.ones([2, 5, 3])).shape; // => [2, 5, 4]
 * layer.dispose();
 * ```
 */
export class TimeDistributed extends Wrapper {
  static override className = 'TimeDistributed';

  constructor(args: WrapperLayerArgs) {
    super(args);
    this.supportsMasking = true;
    this.inputSpec = [new InputSpec({minNDim: 3})];
  }

  #childShape(inputShape: Shape | Shape[]): Shape {
    const shape = oneShape(inputShape, this.name);
    if (shape.length < 3) {
      throw new TensorError(
          'shape', 'TimeDistributed layer expects an input shape >= 3D, but ' +
              `received input shape ${formatShape(shape)}`);
    }
    return [shape[0]!, ...shape.slice(2)];
  }

  override build(inputShape: Shape | Shape[]): void {
    const child = this.#childShape(inputShape);
    if (!this.layer.built) {
      this.layer.build(child);
      this.layer.built = true;
    }
    const shape = oneShape(inputShape, this.name);
    this.inputSpec =
      [new InputSpec({shape: [null, null, ...shape.slice(2)]})];
    this.built = true;
  }

  override computeOutputShape(inputShape: Shape | Shape[]): Shape {
    const output = oneShape(
        this.layer.computeOutputShape(this.#childShape(inputShape)), this.name);
    const time = oneShape(inputShape, this.name)[1]!;
    return [output[0]!, time, ...output.slice(1)];
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor {
    const x = oneTensor(this.name, inputs);
    const mask = sequenceMask(kwargs);
    const rest = {...kwargs};
    delete rest['mask'];
    return treatsApart(this.layer, kwargs['training'] === true) ?
      this.#together(x, mask, rest) : this.#stepByStep(x, mask, rest);
  }

  #applied(x: Tensor, kwargs: Kwargs): Tensor {
    return oneTensor(
        this.layer.name, this.layer.apply(x, kwargs) as Tensor | Tensor[]);
  }

  // Beyond batch and time, a mask is one for the wrapped layer.
  #together(x: Tensor, mask: Tensor | null, kwargs: Kwargs): Tensor {
    const [batch, time, ...rest] = x.shape as number[];
    if (mask && mask.rank > 2) {
      kwargs = {
        ...kwargs, mask: reshape(mask, [
          batch! * time!, ...(mask.shape as number[]).slice(2)]),
      };
    }
    const y = this.#applied(reshape(x, [batch! * time!, ...rest]), kwargs);
    return reshape(y, [batch!, time!, ...(y.shape as number[]).slice(1)]);
  }

  #stepByStep(x: Tensor, mask: Tensor | null, kwargs: Kwargs): Tensor {
    const masks = mask && mask.rank > 2 ? unstack(mask, 1) : undefined;
    const outputs = unstack(x, 1).map((step, t) => {
      const y = tidy(() => this.#applied(
          step, masks ? {...kwargs, mask: masks[t]} : kwargs));
      dispose(step);
      return y;
    });
    return stack(outputs, 1);
  }
}

registerClass(TimeDistributed);
