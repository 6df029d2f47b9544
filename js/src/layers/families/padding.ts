/** Layers that add a border to images or cut one off. */
import {TensorError} from '../../errors.js';
import {pad} from '../../ops/pad.js';
import {slice} from '../../ops/slice.js';
import type {Tensor} from '../../tensor.js';
import type {DataType} from '../../types.js';
import {InputSpec, Layer} from '../layer.js';
import type {Kwargs, LayerArgs} from '../layer.js';
import {registerClass} from '../serialization.js';
import type {ConfigDict} from '../serialization.js';
import {formatShape} from '../shape.js';
import type {Shape} from '../shape.js';
import type {SymbolicTensor} from '../symbolic.js';
import {
  dataFormatOf, mapSpace, oneTensor, shapeOfRank, spaceAxes,
} from './windows.js';
import type {LayerDataFormat} from './windows.js';

type Pair = [number, number];
/** A border: one width, `[rows, columns]`, or before and after for each. */
export type Border = number | Pair | [Pair, Pair];

/** The border as `[[top, bottom], [left, right]]`. */
function borderOf(who: string, what: string, given: Border): [Pair, Pair] {
  const both: unknown[] = Array.isArray(given) ? given : [given, given];
  const pairs = both.map(
      (side) => (Array.isArray(side) ? side : [side, side]) as unknown[]);
  if (pairs.length !== 2 || !pairs.every(
      (pair) => pair.length === 2 &&
          pair.every((n) => Number.isInteger(n) && (n as number) >= 0))) {
    throw new TensorError(
        'argument', `${who}: ${what} must be a number, [rows, columns] or ` +
            '[[top, bottom], [left, right]], of whole numbers that are not ' +
            `negative, got ${JSON.stringify(given)}`);
  }
  return pairs as [Pair, Pair];
}

/** What ZeroPadding2D takes. */
export interface ZeroPadding2DLayerArgs extends LayerArgs {
  /** Elements to add; 1 on every side when not given. */
  padding?: Border;
  dataFormat?: LayerDataFormat;
}

/**
 * Images with zeros around them.
 *
 * ```js
 * const layer = tf.layers.zeroPadding2d({padding: [0, 1]});
 * layer.apply(tf.ones([1, 1, 1, 1])).arraySync(); // => [[[[0], [1], [0]]]]
 * ```
 */
export class ZeroPadding2D extends Layer {
  static override className = 'ZeroPadding2D';
  readonly padding: [Pair, Pair];
  readonly dataFormat: LayerDataFormat;

  constructor(args: ZeroPadding2DLayerArgs = {}) {
    super(args);
    const who = this.getClassName();
    this.dataFormat = dataFormatOf(who, args.dataFormat);
    this.padding = borderOf(who, 'padding', args.padding ?? 1);
    this.inputSpec = [new InputSpec({ndim: 4})];
  }

  override computeOutputShape(inputShape: Shape | Shape[]): Shape {
    const shape = shapeOfRank(this.getClassName(), inputShape, 4);
    return mapSpace(shape, 2, this.dataFormat, (length, i) =>
      length === null ? null :
        length + this.padding[i]![0] + this.padding[i]![1]);
  }

  override call(inputs: Tensor | Tensor[], _kwargs: Kwargs): Tensor {
    const none: Pair = [0, 0];
    return pad(
        oneTensor(this.getClassName(), inputs),
        this.dataFormat === 'channelsFirst' ? [none, none, ...this.padding] :
          [none, ...this.padding, none]);
  }

  protected override outputDType(inputs: SymbolicTensor[]): DataType {
    return inputs[0]!.dtype;
  }

  override getConfig(): ConfigDict {
    return {
      ...super.getConfig(), padding: this.padding, dataFormat: this.dataFormat,
    };
  }
}

/** What Cropping2D takes. */
export interface Cropping2DLayerArgs extends LayerArgs {
  /** Elements to cut off. */
  cropping: Border;
  dataFormat?: LayerDataFormat;
}

/**
 * Images without their borders. Errors: nothing would be left.
 *
 * ```js
 * const layer = tf.layers.cropping2D({cropping: [[0, 1], [1, 0]]});
 * const x = tf.tensor4d([1, 2, 3, 4], [1, 2, 2, 1]);
 * layer.apply(x).arraySync(); // => [[[[2]]]]
 * ```
 */
export class Cropping2D extends Layer {
  static override className = 'Cropping2D';
  protected readonly cropping: [Pair, Pair];
  protected readonly dataFormat: LayerDataFormat;

  constructor(args: Cropping2DLayerArgs) {
    super(args);
    const who = this.getClassName();
    this.cropping = borderOf(who, 'cropping', args.cropping);
    this.dataFormat = dataFormatOf(who, args.dataFormat);
    this.inputSpec = [new InputSpec({ndim: 4})];
  }

  override computeOutputShape(inputShape: Shape | Shape[]): Shape {
    const who = this.getClassName();
    const shape = shapeOfRank(who, inputShape, 4);
    return mapSpace(shape, 2, this.dataFormat, (length, i) => {
      if (length === null) return null;
      const left = length - this.cropping[i]![0] - this.cropping[i]![1];
      if (left <= 0) {
        throw new TensorError(
            'shape', `${this.name}: cropping ${JSON.stringify(this.cropping)} ` +
                `leaves nothing of an input of shape ${formatShape(shape)}`);
      }
      return left;
    });
  }

  override call(inputs: Tensor | Tensor[], _kwargs: Kwargs): Tensor {
    const x = oneTensor(this.getClassName(), inputs);
    const begin = [0, 0, 0, 0];
    spaceAxes(2, this.dataFormat).forEach((axis, i) => {
      begin[axis] = this.cropping[i]![0];
    });
    return slice(x, begin, this.computeOutputShape(x.shape) as number[]);
  }

  protected override outputDType(inputs: SymbolicTensor[]): DataType {
    return inputs[0]!.dtype;
  }

  override getConfig(): ConfigDict {
    return {
      ...super.getConfig(), cropping: this.cropping,
      dataFormat: this.dataFormat,
    };
  }
}

for (const type of [ZeroPadding2D, Cropping2D]) registerClass(type);
