/** Transposed convolutions. */
import {TensorError} from '../../errors.js';
import {add} from '../../ops/binary.js';
import {conv2dTranspose} from '../../ops/conv.js';
import {transpose} from '../../ops/transpose.js';
import type {Tensor, Tensor4D} from '../../tensor.js';
import type {Kwargs} from '../layer.js';
import {registerClass} from '../serialization.js';
import type {ConfigDict} from '../serialization.js';
import type {Shape} from '../shape.js';
import {Conv} from './conv.js';
import type {ConvLayerArgs} from './conv.js';
import {mapSpace, oneTensor, shapeOfRank} from './windows.js';

/**
 * The transposed convolution of images: `same` padding multiplies height and
 * width by the strides, `valid` adds what of the window reaches beyond.
 * Weights: kernel `[height, width, filters, channels]`, bias `[filters]`.
 *
 * ```js
 * const layer = tf.layers.conv2dTranspose(
 *     {filters: 1, kernelSize: 2, strides: 2, kernelInitializer: 'ones'});
 * layer.apply(tf.ones([1, 1, 1, 1])).arraySync();
 * // => [[[[1], [1]], [[1], [1]]]]
 * layer.dispose();
 * ```
 */
export class Conv2DTranspose extends Conv {
  static override className = 'Conv2DTranspose';

  constructor(args: ConvLayerArgs) {
    super(2, args);
    const {outputPadding} = args as {outputPadding?: unknown};
    if (this.dilationRate.some((n) => n !== 1)) {
      throw new TensorError(
          'unsupported', `${this.getClassName()}: dilationRate must be 1, ` +
              `got [${this.dilationRate}]`);
    }
    if (outputPadding !== undefined && outputPadding !== null) {
      throw new TensorError(
          'unsupported', `${this.getClassName()}: outputPadding is not ` +
              `supported, got ${JSON.stringify(outputPadding)}`);
    }
  }

  protected override kernelShape(inputChannels: number): number[] {
    return [...this.kernelSize, this.filters, inputChannels];
  }

  #outputLength(length: number, i: number): number {
    const [stride, size] = [this.strides[i]!, this.kernelSize[i]!];
    const beyond = this.padding === 'valid' ? Math.max(size - stride, 0) : 0;
    return length * stride + beyond;
  }

  override call(inputs: Tensor | Tensor[], _kwargs: Kwargs): Tensor {
    const first = this.dataFormat === 'channelsFirst';
    const given = oneTensor(this.getClassName(), inputs);
    const x = first ? transpose(given, [0, 2, 3, 1]) : given;
    const [batch, height, width] = x.shape as number[];
    let y: Tensor = conv2dTranspose(
        x as Tensor4D, this.kernel!.read(),
        [batch!, this.#outputLength(height!, 0), this.#outputLength(width!, 1),
          this.filters],
        this.strides as [number, number], this.padding as 'valid' | 'same');
    if (this.bias) y = add(y, this.bias.read());
    return this.activation.apply(first ? transpose(y, [0, 3, 1, 2]) : y);
  }

  override computeOutputShape(inputShape: Shape | Shape[]): Shape {
    const shape = shapeOfRank(this.getClassName(), inputShape, 4);
    const mapped = mapSpace(
        shape, 2, this.dataFormat,
        (length, i) => length === null ? null : this.#outputLength(length, i));
    mapped[this.dataFormat === 'channelsFirst' ? 1 : 3] = this.filters;
    return mapped;
  }

  override getConfig(): ConfigDict {
    const config = super.getConfig();
    delete config['dilationRate'];
    return config;
  }
}

registerClass(Conv2DTranspose);
