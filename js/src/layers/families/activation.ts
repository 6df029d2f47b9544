/** Activations that have settings or weights. */
import {TensorError} from '../../errors.js';
import {leakyRelu, prelu, relu, relu6} from '../../ops/activation.js';
import {add, mul, sub} from '../../ops/binary.js';
import {cast, fill} from '../../ops/creation.js';
import {greater, greaterEqual} from '../../ops/logical.js';
import {exp} from '../../ops/math.js';
import {softmax} from '../../ops/normalization.js';
import {logSumExp} from '../../ops/reduce.js';
import {where} from '../../ops/select.js';
import {reshape} from '../../ops/shape.js';
import {clipByValue} from '../../ops/unary.js';
import {isTensor} from '../../tensor.js';
import type {Tensor} from '../../tensor.js';
import {Elu} from '../activations.js';
import {getConstraint, serializeConstraint} from '../constraints.js';
import type {Constraint, ConstraintIdentifier} from '../constraints.js';
import {getInitializer, serializeInitializer} from '../initializers.js';
import type {Initializer, InitializerIdentifier} from '../initializers.js';
import {InputSpec, Layer} from '../layer.js';
import type {Kwargs, LayerArgs} from '../layer.js';
import {getRegularizer, serializeRegularizer} from '../regularizers.js';
import type {Regularizer, RegularizerIdentifier} from '../regularizers.js';
import {registerClass} from '../serialization.js';
import type {ConfigDict} from '../serialization.js';
import {formatShape, oneShape, toList} from '../shape.js';
import type {Shape} from '../shape.js';
import type {LayerVariable} from '../weight.js';
import {oneTensor} from './windows.js';

function atLeastZero(who: string, what: string, value: unknown): number {
  if (typeof value !== 'number' || !(value >= 0)) {
    throw new TensorError(
        'argument', `${who}: ${what} must be a number of at least 0, got ` +
            String(JSON.stringify(value)));
  }
  return value;
}

/** Settings of {@link ReLU}. */
export interface ReLULayerArgs extends LayerArgs {
  /** The largest value that comes out. */
  maxValue?: number | null;
  /** The slope below the threshold. */
  negativeSlope?: number | null;
  /** Where the rise begins. */
  threshold?: number | null;
}

/** `x` between `threshold` and `maxValue`, a slope (or 0) below. */
export class ReLU extends Layer {
  static override readonly className: string = 'ReLU';
  readonly #maxValue: number | undefined;
  readonly #negativeSlope: number;
  readonly #threshold: number;

  constructor(args: ReLULayerArgs = {}) {
    super(args);
    const {maxValue} = args;
    this.#maxValue = maxValue === undefined || maxValue === null ? undefined :
      atLeastZero('ReLU', 'maxValue', maxValue);
    this.#negativeSlope =
        atLeastZero('ReLU', 'negativeSlope', args.negativeSlope ?? 0);
    this.#threshold = atLeastZero('ReLU', 'threshold', args.threshold ?? 0);
    this.supportsMasking = true;
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor {
    this.invokeCallHook(inputs, kwargs);
    const x = oneTensor('ReLU', inputs);
    const max = this.#maxValue;
    const plain = this.#negativeSlope === 0 && this.#threshold === 0;
    if (plain && max === 6) return relu6(x);
    const y = plain ? relu(x) : this.#sloped(x);
    return max === undefined ? y : clipByValue(y, -Infinity, max);
  }

  #sloped(x: Tensor): Tensor {
    const at = this.#threshold;
    if (at === 0) return leakyRelu(x, this.#negativeSlope);
    return where(
        greaterEqual(x, at), x, mul(sub(x, at), this.#negativeSlope));
  }

  override getConfig(): ConfigDict {
    const config: ConfigDict = {};
    if (this.#maxValue !== undefined) config['maxValue'] = this.#maxValue;
    if (this.#negativeSlope !== 0) config['negativeSlope'] = this.#negativeSlope;
    if (this.#threshold !== 0) config['threshold'] = this.#threshold;
    return {...config, ...super.getConfig()};
  }
}

/** Settings of {@link LeakyReLU}. */
export interface LeakyReLULayerArgs extends LayerArgs {
  /** The slope below 0. */
  alpha?: number | null;
  /** Keras 3's name of `alpha`. */
  negativeSlope?: number | null;
}

/** `x` above 0, `alpha * x` below. */
export class LeakyReLU extends Layer {
  static override readonly className: string = 'LeakyReLU';
  readonly #alpha: number;

  constructor(args: LeakyReLULayerArgs = {}) {
    super(args);
    this.#alpha = args.alpha ?? args.negativeSlope ?? 0.3;
    this.supportsMasking = true;
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor {
    this.invokeCallHook(inputs, kwargs);
    return leakyRelu(oneTensor('LeakyReLU', inputs), this.#alpha);
  }

  override getConfig(): ConfigDict {
    return {alpha: this.#alpha, ...super.getConfig()};
  }
}

/** Settings of {@link PReLU}. */
export interface PReLULayerArgs extends LayerArgs {
  alphaInitializer?: InitializerIdentifier | Initializer;
  alphaRegularizer?: RegularizerIdentifier | Regularizer;
  alphaConstraint?: ConstraintIdentifier | Constraint;
  /** Axes, counted from 1, along which slopes are the same. */
  sharedAxes?: number | number[] | null;
}

/** `x` above 0, `alpha * x` below, with slopes that are learned. */
export class PReLU extends Layer {
  static override readonly className: string = 'PReLU';
  readonly #alphaInitializer: Initializer;
  readonly #alphaRegularizer: Regularizer | null;
  readonly #alphaConstraint: Constraint | null;
  readonly #sharedAxes: number[] | null;
  #alpha: LayerVariable | null = null;

  constructor(args: PReLULayerArgs = {}) {
    super(args);
    this.#alphaInitializer = getInitializer(args.alphaInitializer ?? 'zeros');
    this.#alphaRegularizer = getRegularizer(args.alphaRegularizer);
    this.#alphaConstraint = getConstraint(args.alphaConstraint);
    const shared = args.sharedAxes as unknown;
    const axes: unknown[] | null =
        shared === undefined || shared === null ? null : toList(shared);
    if (axes?.some((axis) => !Number.isInteger(axis) || (axis as number) < 1)) {
      throw new TensorError(
          'argument', 'PReLU: sharedAxes must be a number of at least 1 or an ' +
              `array of such numbers, got ${JSON.stringify(shared)}`);
    }
    this.#sharedAxes = axes as number[] | null;
    this.supportsMasking = true;
  }

  override build(inputShape: Shape | Shape[]): void {
    const shape = oneShape(inputShape, 'PReLU');
    const axes: {[axis: number]: number} = {};
    const slopes = shape.slice(1).map((n, i) => {
      if (this.#sharedAxes?.includes(i + 1)) return 1;
      if (n === null) {
        throw new TensorError(
            'shape', `PReLU: dimension ${i + 1} of the input must be known or ` +
                `shared, but its shape is ${formatShape(shape)}`);
      }
      axes[i + 1] = n;
      return n;
    });
    this.#alpha = this.addWeight(
        'alpha', slopes, undefined, this.#alphaInitializer,
        this.#alphaRegularizer, true, this.#alphaConstraint);
    this.inputSpec = [new InputSpec({ndim: shape.length, axes})];
    super.build(inputShape);
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor {
    this.invokeCallHook(inputs, kwargs);
    return prelu(oneTensor('PReLU', inputs), this.#alpha!.read());
  }

  override getConfig(): ConfigDict {
    return {
      alphaInitializer: serializeInitializer(this.#alphaInitializer),
      alphaRegularizer: serializeRegularizer(this.#alphaRegularizer),
      alphaConstraint: serializeConstraint(this.#alphaConstraint),
      sharedAxes: this.#sharedAxes,
      ...super.getConfig(),
    };
  }
}

/** Settings of {@link ELU}. */
export interface ELULayerArgs extends LayerArgs {
  /** Minus the value far below 0. */
  alpha?: number | null;
}

/** `x` above 0, `alpha * (e^x - 1)` below. */
export class ELU extends Layer {
  static override readonly className: string = 'ELU';
  readonly #alpha: number;
  readonly #elu = new Elu();

  constructor(args: ELULayerArgs = {}) {
    super(args);
    this.#alpha = args.alpha ?? 1;
    this.supportsMasking = true;
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor {
    this.invokeCallHook(inputs, kwargs);
    return this.#elu.apply(oneTensor('ELU', inputs), this.#alpha);
  }

  override getConfig(): ConfigDict {
    return {alpha: this.#alpha, ...super.getConfig()};
  }
}

/** Settings of {@link ThresholdedReLU}. */
export interface ThresholdedReLULayerArgs extends LayerArgs {
  theta?: number | null;
}

/** `x` above `theta`, 0 below. */
export class ThresholdedReLU extends Layer {
  static override readonly className: string = 'ThresholdedReLU';
  readonly #theta: number;

  constructor(args: ThresholdedReLULayerArgs = {}) {
    super(args);
    this.#theta = args.theta ?? 1;
    this.supportsMasking = true;
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor {
    this.invokeCallHook(inputs, kwargs);
    const x = oneTensor('ThresholdedReLU', inputs);
    return mul(x, cast(greater(x, this.#theta), 'float32'));
  }

  override getConfig(): ConfigDict {
    return {theta: this.#theta, ...super.getConfig()};
  }
}

/** Settings of {@link Softmax}. */
export interface SoftmaxLayerArgs extends LayerArgs {
  /** The axis or axes whose values sum to 1. */
  axis?: number | number[] | null;
}

/**
 * Softmax over one axis or several. Elements that a mask (one for every
 * element, or for every step) leaves out are 0.
 */
export class Softmax extends Layer {
  static override readonly className: string = 'Softmax';
  readonly #axis: number | number[];

  constructor(args: SoftmaxLayerArgs = {}) {
    super(args);
    this.#axis = args.axis ?? -1;
    this.supportsMasking = true;
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor {
    this.invokeCallHook(inputs, kwargs);
    const x = oneTensor('Softmax', inputs);
    const {mask} = kwargs;
    if (!isTensor(mask)) return this.#softmax(x);
    const open = [...mask.shape as number[]];
    while (open.length < x.rank) open.push(1);
    const keeps = reshape(mask, open);
    // A finite low value: where all is left out it must not become NaN.
    const low = fill([], -1e9, 'float32');
    const y = this.#softmax(add(
        x, mul(sub(1, cast(keeps, 'float32')), low)));
    return mul(y, cast(keeps, 'float32'));
  }

  #softmax(x: Tensor): Tensor {
    const axes = toList(this.#axis);
    const last = axes.length === 1 && (axes[0] === -1 || axes[0] === x.rank - 1);
    return last ? softmax(x) : exp(sub(x, logSumExp(x, axes, true)));
  }

  override getConfig(): ConfigDict {
    return {axis: this.#axis, ...super.getConfig()};
  }
}

for (const cls of [ReLU, LeakyReLU, PReLU, ELU, ThresholdedReLU, Softmax]) {
  registerClass(cls);
}
