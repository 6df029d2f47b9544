/**
 * WeightOwner: what a layer is to its weights. It makes them, says which ones
 * training changes, and frees them when no model uses the layer any more.
 */
import {TensorError, shown} from '../errors.js';
import {tidy} from '../scope.js';
import {isTensor} from '../tensor.js';
import type {Scalar, Tensor} from '../tensor.js';
import type {DataType} from '../types.js';
import type {Constraint} from './constraints.js';
import type {Initializer} from './initializers.js';
import {autoName, checkLayerName, namingStyle} from './naming.js';
import type {Regularizer} from './regularizers.js';
import {Serializable} from './serialization.js';
import {toList} from './shape.js';
import type {Shape} from './shape.js';
import {LayerVariable, countParamsIn, readAll} from './weight.js';

/** How many still use a layer, and how many variables the call freed. */
export interface DisposeResult {
  refCountAfterDispose: number;
  numDisposedVariables: number;
}

/** A thing with a name and weights. */
export abstract class WeightOwner extends Serializable {
  name: string;

  /** How it was named, and names what it makes. */
  protected readonly namingStyle = namingStyle();
  protected trainable_: boolean;
  protected _trainableWeights: LayerVariable[] = [];
  protected _nonTrainableWeights: LayerVariable[] = [];
  #losses: (() => Scalar)[] = [];
  readonly #weightNames = new Set<string>();
  // Weak: a model that is dropped gives its layers up.
  #owners: WeakRef<object>[] = [];
  #disposed = false;

  constructor(name?: string | null, trainable?: boolean) {
    super();
    if (name !== undefined && name !== null) {
      // Keras 2 let names have a `/`: in files of its models there are some.
      if (namingStyle() === 'keras' || typeof name !== 'string') {
        checkLayerName(this.getClassName(), name);
      }
      this.name = name;
    } else {
      this.name = this.autoName();
    }
    this.trainable_ = trainable ?? true;
  }

  /** The name of a layer that was given none. */
  protected autoName(): string {
    return autoName(this.getClassName());
  }

  /**
   * Makes a weight: `initializer` gives its first values, `regularizer` adds a
   * loss of it, `constraint` is applied after every update.
   */
  protected addWeight(
      name: string, shape: Shape, dtype: DataType | null | undefined,
      initializer: Initializer, regularizer?: Regularizer | null,
      trainable = true, constraint?: Constraint | null): LayerVariable {
    if (this.#weightNames.has(name)) {
      throw new TensorError(
          'argument', `Duplicate weight name ${name} for layer ${this.name}`);
    }
    this.#weightNames.add(name);
    const weight = tidy(() => new LayerVariable(
        initializer.apply(shape as number[], dtype ?? 'float32'),
        dtype ?? 'float32', name, trainable, constraint ?? null));
    if (regularizer) this.addLoss(() => regularizer.apply(weight.read()));
    (trainable ? this._trainableWeights : this._nonTrainableWeights)
        .push(weight);
    return weight;
  }

  /** Adds functions to the losses that training minimizes. */
  addLoss(losses: (() => Scalar) | (() => Scalar)[]): void {
    this.#losses.push(...toList(losses));
  }

  /** The functions that `addLoss` was given. */
  get losses(): (() => Scalar)[] {
    return this.#losses;
  }

  /** The added losses, computed now. */
  calculateLosses(): Scalar[] {
    return this.losses.map((loss) => loss());
  }

  /** Frees the weights made since `before` was all: `build` has failed. */
  protected dropWeights(before: readonly LayerVariable[]): void {
    for (const weight of this.weights) {
      if (!before.includes(weight)) weight.dispose();
    }
    const kept = (weight: LayerVariable): boolean => before.includes(weight);
    this._trainableWeights = this._trainableWeights.filter(kept);
    this._nonTrainableWeights = this._nonTrainableWeights.filter(kept);
    this.#weightNames.clear();
  }

  /** Whether training changes the weights. */
  get trainable(): boolean {
    return this.trainable_;
  }

  set trainable(trainable: boolean) {
    for (const weight of this._trainableWeights) weight.trainable = trainable;
    this.trainable_ = trainable;
  }

  get trainableWeights(): LayerVariable[] {
    return this.trainable_ ?
      this._trainableWeights.filter(({trainable}) => trainable) : [];
  }

  get nonTrainableWeights(): LayerVariable[] {
    return this.trainable_ ?
      [
        ...this._trainableWeights.filter(({trainable}) => !trainable),
        ...this._nonTrainableWeights,
      ] :
      [...this._trainableWeights, ...this._nonTrainableWeights];
  }

  /** Trainable weights, then the others. */
  get weights(): LayerVariable[] {
    return [...this.trainableWeights, ...this.nonTrainableWeights];
  }

  /** The weights' variables themselves: disposing them disposes the layer. */
  getWeights(trainableOnly = false): Tensor[] {
    return readAll(trainableOnly ? this.trainableWeights : this.weights);
  }

  /** Gives the weights new values. Errors: another number or other shapes. */
  setWeights(values: Tensor[]): void {
    const {weights} = this;
    if (!Array.isArray(values) || !values.every((x) => isTensor(x))) {
      throw new TensorError(
          'argument', `setWeights: the layer "${this.name}" takes a list of ` +
              `${weights.length} tensors, got ${shown(values)}`);
    }
    if (values.length !== weights.length) {
      throw new TensorError(
          'argument', `You called setWeights(weights) on layer "${this.name}" ` +
              `with a weight list of length ${values.length}, but the layer ` +
              `was expecting ${weights.length} weights.`);
    }
    weights.forEach(({shape}, i) => {
      const given = values[i]!.shape as number[];
      if (String(shape) !== String(given)) {
        throw new TensorError(
            'shape', `setWeights: the layer "${this.name}": Layer weight ` +
                `shape ${shape} not compatible with provided weight shape ` +
                String(given));
      }
    });
    weights.forEach((weight, i) => weight.write(values[i]!));
  }

  /** How many numbers the weights hold. */
  countParams(): number {
    return countParamsIn(this.weights);
  }

  /** Says that a model uses the layer. */
  retain(owner: object): void {
    this.#owners.push(new WeakRef(owner));
  }

  /** Says that a model uses the layer no more; frees nothing. */
  release(owner: object): void {
    this.#owners = this.#owners.filter((ref) => {
      const other = ref.deref();
      return other !== undefined && other !== owner;
    });
  }

  /** How many models use the layer; those that were collected do not count. */
  get refCount(): number {
    this.#owners = this.#owners.filter((ref) => ref.deref() !== undefined);
    return this.#owners.length;
  }

  protected assertNotDisposed(): void {
    if (this.#disposed) {
      throw new TensorError(
          'disposed', `Layer '${this.name}' is already disposed.`);
    }
  }

  /** Frees the weights; called when nobody uses the layer any more. */
  protected disposeWeights(): number {
    const weights = [...this._trainableWeights, ...this._nonTrainableWeights];
    const alive = weights.filter(({isDisposed}) => !isDisposed);
    for (const weight of alive) weight.dispose();
    return alive.length;
  }

  /**
   * Gives the layer up once; the last of the models that use it (or the first
   * call, if none does) frees its weights. Errors: freed already.
   */
  dispose(): DisposeResult {
    this.assertNotDisposed();
    const refCountAfterDispose = Math.max(0, this.refCount - 1);
    this.#owners.shift();
    if (refCountAfterDispose > 0) {
      return {refCountAfterDispose, numDisposedVariables: 0};
    }
    const numDisposedVariables = this.disposeWeights();
    this.#disposed = true;
    return {refCountAfterDispose, numDisposedVariables};
  }

  get isDisposed(): boolean {
    return this.#disposed;
  }

  [Symbol.dispose](): void {
    if (!this.#disposed) this.dispose();
  }
}
