/** Whole numbers as vectors. */
import {TensorError} from '../../errors.js';
import {cast} from '../../ops/creation.js';
import {gather} from '../../ops/gather.js';
import {notEqual} from '../../ops/logical.js';
import {any} from '../../ops/reduce.js';
import {isNaN} from '../../ops/unary.js';
import {tidy} from '../../scope.js';
import type {Tensor} from '../../tensor.js';
import {getConstraint, serializeConstraint} from '../constraints.js';
import type {Constraint, ConstraintIdentifier} from '../constraints.js';
import {getInitializer, serializeInitializer} from '../initializers.js';
import type {Initializer, InitializerIdentifier} from '../initializers.js';
import {Layer} from '../layer.js';
import type {Kwargs, LayerArgs} from '../layer.js';
import {getRegularizer, serializeRegularizer} from '../regularizers.js';
import type {Regularizer, RegularizerIdentifier} from '../regularizers.js';
import {registerClass} from '../serialization.js';
import type {ConfigDict} from '../serialization.js';
import {oneShape, toList} from '../shape.js';
import type {Shape} from '../shape.js';
import type {LayerVariable} from '../weight.js';
import {oneTensor, positiveInteger} from './windows.js';

/** Settings of {@link Embedding}. */
export interface EmbeddingLayerArgs extends LayerArgs {
  /** How many different numbers come in: 0 to `inputDim - 1`. */
  inputDim: number;
  /** Length of the vectors. */
  outputDim: number;
  embeddingsInitializer?: InitializerIdentifier | Initializer;
  embeddingsRegularizer?: RegularizerIdentifier | Regularizer;
  activityRegularizer?: RegularizerIdentifier | Regularizer;
  embeddingsConstraint?: ConstraintIdentifier | Constraint;
  /** Makes 0 a filler that layers after this one skip. */
  maskZero?: boolean;
  /** Lengths of the dimensions after the batch, where they never change. */
  inputLength?: number | (number | null)[];
}

/** A vector for each whole number: `[...]` gives `[..., outputDim]`. */
export class Embedding extends Layer {
  static override readonly className: string = 'Embedding';
  readonly #inputDim: number;
  readonly #outputDim: number;
  readonly #initializer: Initializer;
  readonly #regularizer: Regularizer | null;
  readonly #constraint: Constraint | null;
  readonly #maskZero: boolean;
  readonly #inputLength: number | (number | null)[] | undefined;
  #embeddings: LayerVariable | null = null;

  constructor(args: EmbeddingLayerArgs) {
    const inputLength = args.inputLength ?? undefined;
    // Any number of any length, unless told better.
    super(args.inputShape || args.batchInputShape ? args : {
      ...args, batchInputShape: [
        args.batchSize ?? null,
        ...inputLength === undefined ? [null] : toList(inputLength),
      ],
    });
    this.#inputDim = positiveInteger('Embedding', 'inputDim', args.inputDim);
    this.#outputDim = positiveInteger('Embedding', 'outputDim', args.outputDim);
    this.#initializer =
        getInitializer(args.embeddingsInitializer ?? 'randomUniform');
    this.#regularizer = getRegularizer(args.embeddingsRegularizer);
    this.activityRegularizer = getRegularizer(args.activityRegularizer);
    this.#constraint = getConstraint(args.embeddingsConstraint);
    this.#maskZero = args.maskZero ?? false;
    this.#inputLength = inputLength;
    this.supportsMasking = this.#maskZero;
  }

  override build(inputShape: Shape | Shape[]): void {
    this.#embeddings = this.addWeight(
        'embeddings', [this.#inputDim, this.#outputDim], undefined,
        this.#initializer, this.#regularizer, true, this.#constraint);
    super.build(inputShape);
  }

  override computeMask(inputs: Tensor | Tensor[]): Tensor | null {
    return this.#maskZero ? notEqual(oneTensor('Embedding', inputs), 0) : null;
  }

  override computeOutputShape(inputShape: Shape | Shape[]): Shape {
    const shape = oneShape(inputShape, 'Embedding');
    if (this.#inputLength === undefined) return [...shape, this.#outputDim];
    const lengths = toList(this.#inputLength);
    const [batch, ...rest] = shape;
    const fits = rest.length === lengths.length && rest.every((n, i) =>
      n === null || lengths[i] === null || n === lengths[i]);
    if (!fits) {
      throw new TensorError(
          'shape', `"inputLength" is ${lengths}, but received input shape ` +
              `has shape ${JSON.stringify(shape)}`);
    }
    return [batch!, ...rest.map((n, i) => n ?? lengths[i]!), this.#outputDim];
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor {
    this.invokeCallHook(inputs, kwargs);
    const x = oneTensor('Embedding', inputs);
    this.#assertNumbers(x);
    return gather(
        this.#embeddings!.read(), x.dtype === 'int32' ? x : cast(x, 'int32'));
  }

  // Cast to whole numbers, NaN would be 0; `gather` checks the others.
  #assertNumbers(x: Tensor): void {
    if (x.dtype !== 'float32' || x.size === 0) return;
    if (tidy(() => any(isNaN(x)).dataSync()[0]) !== 1) return;
    throw new TensorError(
        'argument', `${this.name}: an index of the embedding is NaN, it must ` +
            `be from 0 to ${this.#inputDim - 1}`);
  }

  override getConfig(): ConfigDict {
    return {
      inputDim: this.#inputDim,
      outputDim: this.#outputDim,
      embeddingsInitializer: serializeInitializer(this.#initializer),
      embeddingsRegularizer: serializeRegularizer(this.#regularizer),
      activityRegularizer: serializeRegularizer(this.activityRegularizer),
      embeddingsConstraint: serializeConstraint(this.#constraint),
      maskZero: this.#maskZero,
      ...(this.#inputLength === undefined ? {} :
        {inputLength: this.#inputLength}),
      ...super.getConfig(),
    };
  }
}

registerClass(Embedding);
