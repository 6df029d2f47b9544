/** Layers that sum up windows of rows and images, or the whole of them. */
import {cast} from '../../ops/creation.js';
import {div, mul} from '../../ops/binary.js';
import {avgPool, maxPool} from '../../ops/pool.js';
import {max, mean, sum} from '../../ops/reduce.js';
import {expandDims} from '../../ops/shape.js';
import {transpose} from '../../ops/transpose.js';
import type {Tensor} from '../../tensor.js';
import type {DataType} from '../../types.js';
import {InputSpec, Layer, shapesOf} from '../layer.js';
import type {Kwargs, LayerArgs, LayerValue} from '../layer.js';
import {registerClass} from '../serialization.js';
import type {ConfigDict} from '../serialization.js';
import type {Shape} from '../shape.js';
import type {SymbolicTensor} from '../symbolic.js';
import {
  asImage, asRow, dataFormatOf, oneTensor, paddingOf, shapeOfRank, sizesOf,
  slideOver, spaceAxes,
} from './windows.js';
import type {LayerDataFormat, PaddingMode} from './windows.js';

/** What pooling layers take. */
export interface PoolingLayerArgs extends LayerArgs {
  /** Size of the window, for each dimension or for all; 2 when not given. */
  poolSize?: number | number[];
  /** Steps from window to window; the window's size when not given. */
  strides?: number | number[] | null;
  padding?: PaddingMode;
  dataFormat?: LayerDataFormat;
}

/** How a window becomes a number. */
type PoolOp = typeof maxPool;

/** Windows over rows (rank 1) or images (rank 2). */
export abstract class Pooling extends Layer {
  protected readonly rank: number;
  protected readonly poolSize: number[];
  protected readonly strides: number[];
  protected readonly padding: PaddingMode;
  protected readonly dataFormat: LayerDataFormat;
  protected abstract readonly pool: PoolOp;

  constructor(rank: number, args: PoolingLayerArgs) {
    super(args);
    this.rank = rank;
    const who = this.getClassName();
    this.poolSize = sizesOf(who, 'poolSize', args.poolSize ?? 2, rank);
    this.strides =
      sizesOf(who, 'strides', args.strides ?? this.poolSize, rank);
    this.padding = paddingOf(who, args.padding);
    this.dataFormat = dataFormatOf(who, args.dataFormat);
    this.inputSpec = [new InputSpec({ndim: rank + 2})];
  }

  override computeOutputShape(inputShape: Shape | Shape[]): Shape {
    const shape = shapeOfRank(this.getClassName(), inputShape, this.rank + 2);
    return slideOver(this.name, shape, {
      size: this.poolSize, strides: this.strides, padding: this.padding,
      format: this.dataFormat,
    });
  }

  protected override assertInputCompatibility(inputs: LayerValue): void {
    super.assertInputCompatibility(inputs);
    this.computeOutputShape(shapesOf(inputs));
  }

  protected override outputDType(inputs: SymbolicTensor[]): DataType {
    return inputs[0]!.dtype;
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor {
    this.invokeCallHook(inputs, kwargs);
    const x = oneTensor(this.getClassName(), inputs);
    if (this.rank === 2) return this.#images(x);
    return asRow(this.#images(asImage(x, this.dataFormat)), this.dataFormat);
  }

  #images(x: Tensor): Tensor {
    const first = this.dataFormat === 'channelsFirst';
    const square = (sizes: number[]): [number, number] =>
      sizes.length === 1 ? [1, sizes[0]!] : sizes as [number, number];
    const y = this.pool(
        (first ? transpose(x, [0, 2, 3, 1]) : x),
        square(this.poolSize), square(this.strides),
        this.padding as 'valid' | 'same');
    return first ? transpose(y, [0, 3, 1, 2]) : y;
  }

  override getConfig(): ConfigDict {
    const config: ConfigDict = {
      ...super.getConfig(), poolSize: this.poolSize, padding: this.padding,
      strides: this.strides,
    };
    // TensorFlow.js knows no other format for rows.
    if (this.rank === 2 || this.dataFormat !== 'channelsLast') {
      config['dataFormat'] = this.dataFormat;
    }
    return config;
  }
}

/**
 * The largest of every window of rows `[batch, length, channels]`.
 *
 * ```js
 * const x = tf.tensor3d([1, 2, 3, 4], [1, 4, 1]);
 * tf.layers.maxPooling1d({poolSize: 2}).apply(x).arraySync();
 * // => [[[2], [4]]]
 * ```
 */
export class MaxPooling1D extends Pooling {
  static override className = 'MaxPooling1D';
  protected readonly pool: PoolOp = maxPool;

  constructor(args: PoolingLayerArgs = {}) {
    super(1, args);
  }
}

/**
 * The mean of every window of rows `[batch, length, channels]`.
 *
 * ```js
 * const x = tf.tensor3d([1, 2, 3, 4], [1, 4, 1]);
 * tf.layers.averagePooling1d({poolSize: 2}).apply(x).arraySync();
 * // => [[[1.5], [3.5]]]
 * ```
 */
export class AveragePooling1D extends Pooling {
  static override className = 'AveragePooling1D';
  protected readonly pool: PoolOp = avgPool;

  constructor(args: PoolingLayerArgs = {}) {
    super(1, args);
  }
}

/**
 * The largest of every window of images.
 *
 * ```js
 * const x = tf.tensor4d([1, 2, 3, 4], [1, 2, 2, 1]);
 * tf.layers.maxPooling2d({}).apply(x).arraySync(); // => [[[[4]]]]
 * ```
 */
export class MaxPooling2D extends Pooling {
  static override className = 'MaxPooling2D';
  protected readonly pool: PoolOp = maxPool;

  constructor(args: PoolingLayerArgs = {}) {
    super(2, args);
  }
}

/**
 * The mean of every window of images; what is padded does not count.
 *
 * ```js
 * const x = tf.tensor4d([1, 2, 3, 4], [1, 2, 2, 1]);
 * tf.layers.averagePooling2d({}).apply(x).arraySync(); // => [[[[2.5]]]]
 * ```
 */
export class AveragePooling2D extends Pooling {
  static override className = 'AveragePooling2D';
  protected readonly pool: PoolOp = avgPool;

  constructor(args: PoolingLayerArgs = {}) {
    super(2, args);
  }
}

/** What global pooling layers take. */
export interface GlobalPoolingLayerArgs extends LayerArgs {
  dataFormat?: LayerDataFormat;
  /** Keeps what was summed up as dimensions of 1. */
  keepdims?: boolean;
}

/** Whole rows (rank 1) or images (rank 2) as one number for each channel. */
export abstract class GlobalPooling extends Layer {
  protected readonly rank: number;
  protected readonly dataFormat: LayerDataFormat;
  protected readonly keepdims: boolean;

  constructor(rank: number, args: GlobalPoolingLayerArgs) {
    super(args);
    this.rank = rank;
    this.dataFormat = dataFormatOf(this.getClassName(), args.dataFormat);
    this.keepdims = args.keepdims ?? false;
    this.inputSpec = [new InputSpec({ndim: rank + 2})];
  }

  protected get axes(): number[] {
    return spaceAxes(this.rank, this.dataFormat);
  }

  override computeOutputShape(inputShape: Shape | Shape[]): Shape {
    const shape = shapeOfRank(this.getClassName(), inputShape, this.rank + 2);
    const {axes} = this;
    return this.keepdims ?
      shape.map((n, axis) => (axes.includes(axis) ? 1 : n)) :
      shape.filter((_, axis) => !axes.includes(axis));
  }

  override getConfig(): ConfigDict {
    const config = super.getConfig();
    if (this.rank === 2 || this.dataFormat !== 'channelsLast') {
      config['dataFormat'] = this.dataFormat;
    }
    if (this.keepdims) config['keepdims'] = true;
    return config;
  }
}

/**
 * The means of rows. Under a mask `[batch, length]` only steps count that it
 * does not mask.
 *
 * ```js
 * const x = tf.tensor3d([[[1], [2], [9]]]);
 * const layer = tf.layers.globalAveragePooling1d({});
 * layer.apply(x).arraySync(); // => [[4]]
 * layer.apply(x, {mask: tf.tensor2d([[1, 1, 0]])}).arraySync(); // => [[1.5]]
 * ```
 */
export class GlobalAveragePooling1D extends GlobalPooling {
  static override className = 'GlobalAveragePooling1D';

  constructor(args: GlobalPoolingLayerArgs = {}) {
    super(1, args);
    this.supportsMasking = true;
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor {
    const x = oneTensor(this.getClassName(), inputs);
    const given = kwargs['mask'] as Tensor | (Tensor | null)[] | null;
    const mask = Array.isArray(given) ? given[0] : given;
    if (!mask) return mean(x, this.axes, this.keepdims);
    const counts = expandDims(
        cast(mask, 'float32'), this.dataFormat === 'channelsLast' ? 2 : 1);
    return div(
        sum(mul(x, counts), this.axes, this.keepdims),
        sum(counts, this.axes, this.keepdims));
  }

  override computeMask(): null {
    return null;
  }
}

/**
 * The largest of each channel of rows.
 *
 * ```js
 * const x = tf.tensor3d([[[1, 5], [2, 4]]]);
 * tf.layers.globalMaxPooling1d({}).apply(x).arraySync(); // => [[2, 5]]
 * ```
 */
export class GlobalMaxPooling1D extends GlobalPooling {
  static override className = 'GlobalMaxPooling1D';

  constructor(args: GlobalPoolingLayerArgs = {}) {
    super(1, args);
  }

  override call(inputs: Tensor | Tensor[], _kwargs: Kwargs): Tensor {
    return max(
        oneTensor(this.getClassName(), inputs), this.axes, this.keepdims);
  }
}

/**
 * The mean of each channel of images.
 *
 * ```js
 * const x = tf.tensor4d([1, 2, 3, 4], [1, 2, 2, 1]);
 * tf.layers.globalAveragePooling2d({}).apply(x).arraySync(); // => [[2.5]]
 * ```
 */
export class GlobalAveragePooling2D extends GlobalPooling {
  static override className = 'GlobalAveragePooling2D';

  constructor(args: GlobalPoolingLayerArgs = {}) {
    super(2, args);
  }

  override call(inputs: Tensor | Tensor[], _kwargs: Kwargs): Tensor {
    return mean(
        oneTensor(this.getClassName(), inputs), this.axes, this.keepdims);
  }
}

/**
 * The largest of each channel of images.
 *
 * ```js
 * const x = tf.tensor4d([1, 2, 3, 4], [1, 2, 2, 1]);
 * tf.layers.globalMaxPooling2d({}).apply(x).arraySync(); // => [[4]]
 * ```
 */
export class GlobalMaxPooling2D extends GlobalPooling {
  static override className = 'GlobalMaxPooling2D';

  constructor(args: GlobalPoolingLayerArgs = {}) {
    super(2, args);
  }

  override call(inputs: Tensor | Tensor[], _kwargs: Kwargs): Tensor {
    return max(
        oneTensor(this.getClassName(), inputs), this.axes, this.keepdims);
  }
}

for (const type of [
  MaxPooling1D, AveragePooling1D, MaxPooling2D, AveragePooling2D,
  GlobalAveragePooling1D, GlobalMaxPooling1D, GlobalAveragePooling2D,
  GlobalMaxPooling2D,
]) {
  registerClass(type);
}
