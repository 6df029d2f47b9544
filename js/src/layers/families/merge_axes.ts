/** Concatenate and Dot: layers that merge tensors along axes. */
import {TensorError} from '../../errors.js';
import {div} from '../../ops/binary.js';
import {concat} from '../../ops/concat.js';
import {cast, onesLike} from '../../ops/creation.js';
import {matMul} from '../../ops/linalg.js';
import {any, sum} from '../../ops/reduce.js';
import {broadcastTo, expandDims, reshape} from '../../ops/shape.js';
import {transpose} from '../../ops/transpose.js';
import {clipByValue, sqrt, square} from '../../ops/unary.js';
import {tidy} from '../../scope.js';
import type {Tensor} from '../../tensor.js';
import type {LayerArgs} from '../layer.js';
import {registerClass} from '../serialization.js';
import type {ConfigDict} from '../serialization.js';
import {formatShape} from '../shape.js';
import type {Shape} from '../shape.js';
import {Merge, maskList} from './merge.js';
import type {Masks} from './merge.js';

/** The axis counted from 0. Errors: none of the rank's. */
function axisOf(who: string, axis: number, rank: number): number {
  if (!Number.isInteger(axis) || axis < -rank || axis >= rank) {
    throw new TensorError(
        'argument', `${who}: axis ${axis} is not one of an input of rank ` +
            String(rank));
  }
  return axis < 0 ? axis + rank : axis;
}

/** Settings of {@link Concatenate}. */
export interface ConcatenateLayerArgs extends LayerArgs {
  axis?: number;
}

/** The inputs one after the other along an axis. */
export class Concatenate extends Merge {
  static override readonly className: string = 'Concatenate';
  readonly #axis: number;

  constructor(args: ConcatenateLayerArgs = {}) {
    super(args);
    this.#axis = args.axis ?? -1;
  }

  override computeOutputShape(inputShape: Shape | Shape[]): Shape {
    const shapes = this.shapes(inputShape);
    const first = shapes[0]!;
    const axis = axisOf('Concatenate', this.#axis, first.length);
    const clash = (n: number | null, i: number): boolean => i !== axis &&
      new Set([n, ...shapes.map((s) => s[i]!)].filter((m) => m !== null))
          .size > 1;
    if (shapes.some((s) => s.length !== first.length) || first.some(clash)) {
      throw new TensorError(
          'shape', 'A `Concatenate` layer requires inputs with matching shapes ' +
              'except for the concat axis. Got input shapes: ' +
              formatShape(shapes));
    }
    return first.map((n, i) => (i === axis ?
      shapes.reduce<number | null>((length, s) =>
        (length === null || s[i] === null ? null : length + s[i]!), 0) :
      n ?? shapes.find((s) => s[i] !== null)?.[i] ?? null));
  }

  // Ranks are equal: nothing broadcasts.
  protected merge(inputs: Tensor[]): Tensor {
    return concat(inputs, this.#axis);
  }

  // As in Keras 3: inputs without a mask count everywhere; along the features a
  // step counts where it counts in any input.
  override computeMask(inputs: Tensor | Tensor[], mask?: Masks): Tensor | null {
    if (mask === null || mask === undefined) return null;
    const masks = maskList('Concatenate', inputs, mask);
    if (masks.every((m) => m === null)) return null;
    return tidy(() => {
      const whole = masks.map((m, i) => {
        const x = (inputs as Tensor[])[i]!;
        if (m === null) return cast(onesLike(x), 'bool');
        return m.rank < x.rank ?
          broadcastTo(expandDims(m, -1), x.shape as number[]) : m;
      });
      return any(concat(whole, this.#axis), -1);
    });
  }

  override getConfig(): ConfigDict {
    return {axis: this.#axis, ...super.getConfig()};
  }
}

/** Settings of {@link Dot}. */
export interface DotLayerArgs extends LayerArgs {
  /** The axis to sum over, or that of each input. */
  axes: number | [number, number];
  /** Scales vectors along the axes to length 1 before. */
  normalize?: boolean;
}

/** x with `axis` last, or second if it is so: no copy for those. */
function asMatrices(x: Tensor, axis: number): {x: Tensor, second: boolean} {
  const shape = x.shape as number[];
  const rest = shape.filter((_, d) => d !== 0 && d !== axis);
  const size = rest.reduce((a, b) => a * b, 1);
  const n = shape[axis]!;
  if (axis === 1 && shape.length > 2) {
    return {x: reshape(x, [shape[0]!, n, size]), second: true};
  }
  const perm = shape.map((_, d) => d).filter((d) => d !== axis);
  const last = axis === shape.length - 1 ? x : transpose(x, [...perm, axis]);
  return {x: reshape(last, [shape[0]!, size, n]), second: false};
}

const unit = (x: Tensor, axis: number): Tensor => div(
    x, sqrt(clipByValue(sum(square(x), axis, true), 1e-12, Infinity)));

/** The inner products of two inputs along an axis of each, batch by batch. */
export class Dot extends Merge {
  static override readonly className: string = 'Dot';
  readonly #axes: number | [number, number];
  readonly #normalize: boolean;

  constructor(args: DotLayerArgs) {
    super(args);
    const axes = args.axes as unknown;
    const pair = Array.isArray(axes) && axes.length === 2 &&
        axes.every((axis) => Number.isInteger(axis));
    if (!Number.isInteger(axes) && !pair) {
      throw new TensorError(
          'argument', 'Dot: axes must be an integer or two of them, got ' +
              String(JSON.stringify(axes)));
    }
    this.#axes = args.axes;
    this.#normalize = args.normalize ?? false;
  }

  #axesOf(ranks: readonly number[]): [number, number] {
    const [a, b] = [this.#axes].flat() as [number, number?];
    const axes: [number, number] =
        [axisOf('Dot', a, ranks[0]!), axisOf('Dot', b ?? a, ranks[1]!)];
    if (axes.includes(0)) {
      throw new TensorError(
          'argument', 'Dot: axis 0 is the batch, it cannot be summed over');
    }
    return axes;
  }

  protected override shapes(inputShape: Shape | Shape[]): Shape[] {
    const shapes = super.shapes(inputShape);
    if (shapes.length !== 2) {
      throw new TensorError(
          'argument', 'A `Dot` layer should be called on a list of exactly 2 ' +
              `inputs, got ${shapes.length}.`);
    }
    return shapes;
  }

  override computeOutputShape(inputShape: Shape | Shape[]): Shape {
    const shapes = this.shapes(inputShape) as [Shape, Shape];
    const [a, b] = shapes;
    const [i, j] = this.#axesOf([a.length, b.length]);
    const differ = (n: number | null, m: number | null): boolean =>
      n !== null && m !== null && n !== m;
    if (differ(a[i]!, b[j]!) || differ(a[0]!, b[0]!)) {
      throw new TensorError(
          'shape', `Dot: Dimension incompatibility: ${a[i]} !== ${b[j]} ` +
              `(axes ${i} and ${j} of inputs of shapes ${formatShape(shapes)})`);
    }
    const rest = [
      ...a.filter((_, d) => d !== 0 && d !== i),
      ...b.filter((_, d) => d !== 0 && d !== j),
    ];
    return [a[0] ?? b[0]!, ...rest.length === 0 ? [1] : rest];
  }

  override call(inputs: Tensor | Tensor[]): Tensor {
    const shapes = (inputs as Tensor[]).map((x) => x.shape as number[]);
    return reshape(
        this.merge(inputs as Tensor[]),
        this.computeOutputShape(shapes) as number[]);
  }

  protected merge([a, b]: Tensor[]): Tensor {
    const [i, j] = this.#axesOf([a!.rank, b!.rank]);
    const of = (x: Tensor, axis: number): {x: Tensor, second: boolean} =>
      asMatrices(this.#normalize ? unit(x, axis) : x, axis);
    const left = of(a!, i);
    const right = of(b!, j);
    return matMul(left.x, right.x, left.second, !right.second);
  }

  // What is summed over is gone, and its mask with it.
  override computeMask(): null {
    return null;
  }

  override getConfig(): ConfigDict {
    return {
      axes: this.#axes, normalize: this.#normalize, ...super.getConfig(),
    };
  }
}

registerClass(Concatenate);
registerClass(Dot);
