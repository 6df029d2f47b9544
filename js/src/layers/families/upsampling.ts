/** Layers that make images larger. */
import {resizeBilinear, resizeNearestNeighbor} from '../../ops/image.js';
import {transpose} from '../../ops/transpose.js';
import type {Tensor, Tensor4D} from '../../tensor.js';
import type {DataType} from '../../types.js';
import {InputSpec, Layer} from '../layer.js';
import type {Kwargs, LayerArgs} from '../layer.js';
import {registerClass} from '../serialization.js';
import type {ConfigDict} from '../serialization.js';
import type {Shape} from '../shape.js';
import type {SymbolicTensor} from '../symbolic.js';
import {
  choice, dataFormatOf, mapSpace, oneTensor, shapeOfRank, sizesOf,
} from './windows.js';
import type {LayerDataFormat} from './windows.js';

/** How pixels between those of the image are made. */
export type InterpolationFormat = 'nearest' | 'bilinear';

/** What UpSampling2D takes. */
export interface UpSampling2DLayerArgs extends LayerArgs {
  /** Factors of height and width, or one for both; 2 when not given. */
  size?: number | number[];
  dataFormat?: LayerDataFormat;
  interpolation?: InterpolationFormat;
}

/**
 * Images with height and width multiplied. `bilinear` takes pixels for points
 * at their upper left corners, as TensorFlow.js does.
 *
 * ```js
 * const layer = tf.layers.upSampling2d({size: [1, 2]});
 * const x = tf.tensor4d([1, 2], [1, 1, 2, 1]);
 * layer.apply(x).arraySync(); // => [[[[1], [1], [2], [2]]]]
 * ```
 */
export class UpSampling2D extends Layer {
  static override className = 'UpSampling2D';
  protected readonly size: number[];
  protected readonly dataFormat: LayerDataFormat;
  protected readonly interpolation: InterpolationFormat;

  constructor(args: UpSampling2DLayerArgs = {}) {
    super(args);
    const who = this.getClassName();
    this.size = sizesOf(who, 'size', args.size ?? 2, 2);
    this.dataFormat = dataFormatOf(who, args.dataFormat);
    this.interpolation = choice(
        who, 'interpolation', args.interpolation, ['nearest', 'bilinear'],
        'nearest');
    this.inputSpec = [new InputSpec({ndim: 4})];
  }

  override computeOutputShape(inputShape: Shape | Shape[]): Shape {
    const shape = shapeOfRank(this.getClassName(), inputShape, 4);
    return mapSpace(
        shape, 2, this.dataFormat,
        (length, i) => length === null ? null : length * this.size[i]!);
  }

  override call(inputs: Tensor | Tensor[], _kwargs: Kwargs): Tensor {
    const first = this.dataFormat === 'channelsFirst';
    const given = oneTensor(this.getClassName(), inputs);
    const x = (first ? transpose(given, [0, 2, 3, 1]) : given) as Tensor4D;
    const [, height, width] = x.shape;
    const resize = this.interpolation === 'nearest' ? resizeNearestNeighbor :
      resizeBilinear;
    const y = resize(x, [height * this.size[0]!, width * this.size[1]!]);
    return first ? transpose(y, [0, 3, 1, 2]) : y;
  }

  protected override outputDType(inputs: SymbolicTensor[]): DataType {
    return this.interpolation === 'nearest' ? inputs[0]!.dtype : 'float32';
  }

  override getConfig(): ConfigDict {
    return {
      ...super.getConfig(), size: this.size, dataFormat: this.dataFormat,
      interpolation: this.interpolation,
    };
  }
}

registerClass(UpSampling2D);
