/** Dense layers, activations, and layers that change an input's shape. */
import {TensorError} from '../../errors.js';
import type {Activation as FusedActivation} from '../../ops/activation_name.js';
import {tile} from '../../ops/concat.js';
import {matMul} from '../../ops/fused.js';
import {expandDims, reshape} from '../../ops/shape.js';
import {transpose} from '../../ops/transpose.js';
import type {Tensor} from '../../tensor.js';
import {getActivation, serializeActivation} from '../activations.js';
import type {
  Activation as ActivationFunction, ActivationIdentifier,
} from '../activations.js';
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
import {formatShape, oneShape} from '../shape.js';
import type {Shape} from '../shape.js';
import type {LayerVariable} from '../weight.js';
import {dataFormatOf, oneTensor, positiveInteger} from './windows.js';
import type {LayerDataFormat} from './windows.js';

/** Settings of {@link Dense}. */
export interface DenseLayerArgs extends LayerArgs {
  /** How many features come out. */
  units: number;
  activation?: ActivationIdentifier;
  useBias?: boolean;
  kernelInitializer?: InitializerIdentifier | Initializer;
  biasInitializer?: InitializerIdentifier | Initializer;
  /** How many features come in: makes the layer a model's first. */
  inputDim?: number;
  kernelConstraint?: ConstraintIdentifier | Constraint;
  biasConstraint?: ConstraintIdentifier | Constraint;
  kernelRegularizer?: RegularizerIdentifier | Regularizer;
  biasRegularizer?: RegularizerIdentifier | Regularizer;
  activityRegularizer?: RegularizerIdentifier | Regularizer;
}

// Activations that the product ends with in the same pass.
const fusable: readonly string[] =
  ['linear', 'relu', 'relu6', 'elu', 'sigmoid'];

/** `activation(x kernel + bias)` over the last dimension: `[..., units]`. */
export class Dense extends Layer {
  static override readonly className: string = 'Dense';
  readonly #units: number;
  readonly #activation: ActivationFunction;
  readonly #useBias: boolean;
  readonly #kernelInitializer: Initializer;
  readonly #biasInitializer: Initializer;
  readonly #kernelConstraint: Constraint | null;
  readonly #biasConstraint: Constraint | null;
  readonly #kernelRegularizer: Regularizer | null;
  readonly #biasRegularizer: Regularizer | null;
  #kernel: LayerVariable | null = null;
  #bias: LayerVariable | null = null;

  constructor(args: DenseLayerArgs) {
    const {inputDim} = args;
    const first = inputDim !== undefined && inputDim !== null &&
        !args.inputShape && !args.batchInputShape;
    super(first ?
      {...args, batchInputShape: [args.batchSize ?? null, inputDim]} : args);
    this.#units = positiveInteger('Dense', 'units', args.units);
    this.#activation = getActivation(args.activation);
    this.#useBias = args.useBias ?? true;
    this.#kernelInitializer =
        getInitializer(args.kernelInitializer ?? 'glorotNormal');
    this.#biasInitializer = getInitializer(args.biasInitializer ?? 'zeros');
    this.#kernelConstraint = getConstraint(args.kernelConstraint);
    this.#biasConstraint = getConstraint(args.biasConstraint);
    this.#kernelRegularizer = getRegularizer(args.kernelRegularizer);
    this.#biasRegularizer = getRegularizer(args.biasRegularizer);
    this.activityRegularizer = getRegularizer(args.activityRegularizer);
    this.supportsMasking = true;
    this.inputSpec = [new InputSpec({minNDim: 2})];
  }

  override build(inputShape: Shape | Shape[]): void {
    const shape = oneShape(inputShape, 'Dense');
    const features = shape.at(-1) ?? null;
    if (features === null) {
      throw new TensorError(
          'shape', 'Dense: the last dimension of the input must be known, but ' +
              `its shape is ${formatShape(shape)}`);
    }
    this.#kernel = this.addWeight(
        'kernel', [features, this.#units], undefined, this.#kernelInitializer,
        this.#kernelRegularizer, true, this.#kernelConstraint);
    if (this.#useBias) {
      this.#bias = this.addWeight(
          'bias', [this.#units], undefined, this.#biasInitializer,
          this.#biasRegularizer, true, this.#biasConstraint);
    }
    this.inputSpec = [new InputSpec({minNDim: 2, axes: {[-1]: features}})];
    super.build(inputShape);
  }

  override computeOutputShape(inputShape: Shape | Shape[]): Shape {
    return [...oneShape(inputShape, 'Dense').slice(0, -1), this.#units];
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor {
    this.invokeCallHook(inputs, kwargs);
    const {name} = this.#activation;
    const fused = fusable.includes(name);
    const y = matMul({
      a: oneTensor('Dense', inputs), b: this.#kernel!.read(),
      bias: this.#bias?.read(),
      activation: fused ? name as FusedActivation : 'linear',
    });
    return fused ? y : this.#activation.apply(y);
  }

  override getConfig(): ConfigDict {
    return {
      units: this.#units,
      activation: serializeActivation(this.#activation),
      useBias: this.#useBias,
      kernelInitializer: serializeInitializer(this.#kernelInitializer),
      biasInitializer: serializeInitializer(this.#biasInitializer),
      kernelRegularizer: serializeRegularizer(this.#kernelRegularizer),
      biasRegularizer: serializeRegularizer(this.#biasRegularizer),
      activityRegularizer: serializeRegularizer(this.activityRegularizer),
      kernelConstraint: serializeConstraint(this.#kernelConstraint),
      biasConstraint: serializeConstraint(this.#biasConstraint),
      ...super.getConfig(),
    };
  }
}

/** Settings of {@link Activation}. */
export interface ActivationLayerArgs extends LayerArgs {
  activation: ActivationIdentifier;
}

/** An activation as a layer of its own. */
export class Activation extends Layer {
  static override readonly className: string = 'Activation';
  readonly #activation: ActivationFunction;

  constructor(args: ActivationLayerArgs) {
    super(args);
    this.#activation = getActivation(args.activation);
    this.supportsMasking = true;
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor {
    this.invokeCallHook(inputs, kwargs);
    return this.#activation.apply(oneTensor('Activation', inputs));
  }

  override getConfig(): ConfigDict {
    return {
      activation: serializeActivation(this.#activation), ...super.getConfig(),
    };
  }
}

/** Settings of {@link Flatten}. */
export interface FlattenLayerArgs extends LayerArgs {
  /** With `channelsFirst` channels are put last before. */
  dataFormat?: LayerDataFormat;
}

/** All dimensions after the batch as one. */
export class Flatten extends Layer {
  static override readonly className: string = 'Flatten';
  readonly #dataFormat: LayerDataFormat | undefined;

  constructor(args: FlattenLayerArgs = {}) {
    super(args);
    this.#dataFormat =
        args.dataFormat ? dataFormatOf('Flatten', args.dataFormat) : undefined;
    this.inputSpec = [new InputSpec({minNDim: 1})];
  }

  override computeOutputShape(inputShape: Shape | Shape[]): Shape {
    const [batch, ...rest] = oneShape(inputShape, 'Flatten');
    const size = rest.reduce<number | null>(
        (a, b) => (a === null || b === null ? null : a * b), 1);
    return [batch!, size];
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor {
    this.invokeCallHook(inputs, kwargs);
    let x = oneTensor('Flatten', inputs);
    if (this.#dataFormat === 'channelsFirst' && x.rank > 2) {
      const space = Array.from({length: x.rank - 2}, (_, i) => i + 2);
      x = transpose(x, [0, ...space, 1]);
    }
    const [batch, ...rest] = x.shape as number[];
    return reshape(x, [batch!, rest.reduce((a, b) => a * b, 1)]);
  }

  override getConfig(): ConfigDict {
    return {
      ...(this.#dataFormat ? {dataFormat: this.#dataFormat} : {}),
      ...super.getConfig(),
    };
  }
}

/** Settings of {@link Reshape}. */
export interface ReshapeLayerArgs extends LayerArgs {
  /** Without the batch; one dimension may be -1 or null: what remains. */
  targetShape: Shape;
}

/** The same values in another shape. */
export class Reshape extends Layer {
  static override readonly className: string = 'Reshape';
  readonly #targetShape: Shape;

  constructor(args: ReshapeLayerArgs) {
    super(args);
    const target = args.targetShape as unknown;
    const valid = (n: unknown): boolean =>
      n === null || (Number.isInteger(n) && (n as number) >= -1);
    if (!Array.isArray(target) || !target.every(valid)) {
      throw new TensorError(
          'argument', 'Reshape: targetShape must be a list of lengths, got ' +
              String(JSON.stringify(target)));
    }
    this.#targetShape = target.map((n: number | null) => (n === -1 ? null : n));
    if (this.#targetShape.filter((n) => n === null).length > 1) {
      throw new TensorError(
          'argument', 'Can only specify one unknown dimension. Reshape got ' +
              formatShape(target as Shape));
    }
  }

  // The target with its unknown dimension, unless the input's size is unknown.
  #target(rest: Shape): Shape {
    const times = (a: number, b: number | null): number => a * (b ?? 1);
    const known = this.#targetShape.reduce<number>(times, 1);
    if (rest.includes(null)) return this.#targetShape;
    const size = rest.reduce<number>(times, 1);
    const missing = this.#targetShape.includes(null);
    if (missing ? known === 0 || size % known !== 0 : size !== known) {
      throw new TensorError(
          'shape', 'Total size of new array must be unchanged. Reshape got ' +
              `${formatShape(rest)} for ${formatShape(this.#targetShape)}`);
    }
    return this.#targetShape.map((n) => n ?? size / known);
  }

  override computeOutputShape(inputShape: Shape | Shape[]): Shape {
    const [batch, ...rest] = oneShape(inputShape, 'Reshape');
    return [batch!, ...this.#target(rest)];
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor {
    this.invokeCallHook(inputs, kwargs);
    const x = oneTensor('Reshape', inputs);
    const [batch, ...rest] = x.shape as number[];
    return reshape(x, [batch!, ...this.#target(rest) as number[]]);
  }

  override getConfig(): ConfigDict {
    return {targetShape: this.#targetShape, ...super.getConfig()};
  }
}

/** Settings of {@link Permute}. */
export interface PermuteLayerArgs extends LayerArgs {
  /** Input dimensions in their new order, counted from 1: not the batch. */
  dims: number[];
}

/** The dimensions after the batch in another order. */
export class Permute extends Layer {
  static override readonly className: string = 'Permute';
  readonly #dims: number[];

  constructor(args: PermuteLayerArgs) {
    super(args);
    const dims = args.dims as unknown;
    if (!Array.isArray(dims)) {
      throw new TensorError(
          'argument', 'Permute: dims must be an Array, but received ' +
              `${String(JSON.stringify(dims))} instead.`);
    }
    const sorted = [...dims as number[]].sort((a, b) => a - b);
    if (sorted.some((d, i) => d !== i + 1)) {
      throw new TensorError(
          'argument', `Invalid permutation \`dims\`: ${JSON.stringify(dims)}: ` +
              '`dims` must contain consecutive integers starting from 1.');
    }
    this.#dims = dims as number[];
    this.inputSpec = [new InputSpec({ndim: dims.length + 1})];
  }

  override computeOutputShape(inputShape: Shape | Shape[]): Shape {
    const shape = oneShape(inputShape, 'Permute');
    return [0, ...this.#dims].map((d) => shape[d]!);
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor {
    this.invokeCallHook(inputs, kwargs);
    return transpose(oneTensor('Permute', inputs), [0, ...this.#dims]);
  }

  override getConfig(): ConfigDict {
    return {dims: this.#dims, ...super.getConfig()};
  }
}

/** Settings of {@link RepeatVector}. */
export interface RepeatVectorLayerArgs extends LayerArgs {
  n: number;
}

/** Each vector of a batch `n` times: `[b, f]` gives `[b, n, f]`. */
export class RepeatVector extends Layer {
  static override readonly className: string = 'RepeatVector';
  readonly #n: number;

  constructor(args: RepeatVectorLayerArgs) {
    super(args);
    this.#n = positiveInteger('RepeatVector', 'n', args.n);
    this.inputSpec = [new InputSpec({ndim: 2})];
  }

  override computeOutputShape(inputShape: Shape | Shape[]): Shape {
    const [batch, features] = oneShape(inputShape, 'RepeatVector');
    return [batch!, this.#n, features!];
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor {
    this.invokeCallHook(inputs, kwargs);
    const x = expandDims(oneTensor('RepeatVector', inputs), 1);
    return tile(x, [1, this.#n, 1]);
  }

  override getConfig(): ConfigDict {
    return {n: this.#n, ...super.getConfig()};
  }
}

for (const cls of [
  Dense, Activation, Flatten, Reshape, Permute, RepeatVector,
]) {
  registerClass(cls);
}
