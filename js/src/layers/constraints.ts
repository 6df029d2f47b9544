/** What weights must be after every update: `tf.constraints`. */
import {relu} from '../ops/activation.js';
import {add, div, mul} from '../ops/binary.js';
import {sum} from '../ops/reduce.js';
import {clipByValue, sqrt, square} from '../ops/unary.js';
import {tidy} from '../scope.js';
import type {Tensor} from '../tensor.js';
import {settings} from './global_state.js';
import {knownClasses, resolve} from './identifiers.js';
import type {Identifier} from './identifiers.js';
import {Serializable, registerClass, serialize} from './serialization.js';
import type {
  ClassConfig, ConfigDict, CustomObjects,
} from './serialization.js';

/** Moves a weight to the nearest value that is allowed. */
export abstract class Constraint extends Serializable {
  static override readonly className: string = 'Constraint';

  /** The allowed value for `w`. */
  abstract apply(w: Tensor): Tensor;

  getConfig(): ConfigDict {
    return {};
  }
}

/** A name, settings or an object: what layers take for a constraint. */
export type ConstraintIdentifier = Identifier<Constraint>;

/** Axis or axes along which norms are taken. */
export type NormAxis = number | number[];

const norms = (w: Tensor, axis: NormAxis): Tensor =>
  sqrt(sum(square(w), axis, true));

// w scaled so that its norms become the wanted ones.
const rescale = (w: Tensor, wanted: Tensor, norm: Tensor): Tensor =>
  mul(w, div(wanted, add(norm, settings.epsilon)));

/** Settings of {@link MaxNorm}. */
export interface MaxNormArgs {
  maxValue?: number;
  axis?: NormAxis;
}

/** Norms of at most `maxValue`. */
export class MaxNorm extends Constraint {
  static override readonly className: string = 'MaxNorm';
  readonly #maxValue: number;
  readonly #axis: NormAxis;

  constructor(args: MaxNormArgs = {}) {
    super();
    this.#maxValue = args.maxValue ?? 2;
    this.#axis = args.axis ?? 0;
  }

  apply(w: Tensor): Tensor {
    return tidy(() => {
      const norm = norms(w, this.#axis);
      return rescale(w, clipByValue(norm, 0, this.#maxValue), norm);
    });
  }

  override getConfig(): ConfigDict {
    return {maxValue: this.#maxValue, axis: this.#axis};
  }
}

/** Settings of {@link UnitNorm}. */
export interface UnitNormArgs {
  axis?: NormAxis;
}

/** Norms of 1. */
export class UnitNorm extends Constraint {
  static override readonly className: string = 'UnitNorm';
  readonly #axis: NormAxis;

  constructor(args: UnitNormArgs = {}) {
    super();
    this.#axis = args.axis ?? 0;
  }

  apply(w: Tensor): Tensor {
    return tidy(() =>
      div(w, add(norms(w, this.#axis), settings.epsilon)));
  }

  override getConfig(): ConfigDict {
    return {axis: this.#axis};
  }
}

/** Nothing below 0. */
export class NonNeg extends Constraint {
  static override readonly className: string = 'NonNeg';

  apply(w: Tensor): Tensor {
    return relu(w);
  }
}

/** Settings of {@link MinMaxNorm}. */
export interface MinMaxNormArgs {
  minValue?: number;
  maxValue?: number;
  axis?: NormAxis;
  /** How much of the way to the allowed norm is gone at once. */
  rate?: number;
}

/** Norms between `minValue` and `maxValue`. */
export class MinMaxNorm extends Constraint {
  static override readonly className: string = 'MinMaxNorm';
  readonly #minValue: number;
  readonly #maxValue: number;
  readonly #rate: number;
  readonly #axis: NormAxis;

  constructor(args: MinMaxNormArgs = {}) {
    super();
    this.#minValue = args.minValue ?? 0;
    this.#maxValue = args.maxValue ?? 1;
    this.#rate = args.rate ?? 1;
    this.#axis = args.axis ?? 0;
  }

  apply(w: Tensor): Tensor {
    return tidy(() => {
      const norm = norms(w, this.#axis);
      const allowed = clipByValue(norm, this.#minValue, this.#maxValue);
      const wanted =
          add(mul(allowed, this.#rate), mul(norm, 1 - this.#rate));
      return rescale(w, wanted, norm);
    });
  }

  override getConfig(): ConfigDict {
    return {
      minValue: this.#minValue,
      maxValue: this.#maxValue,
      rate: this.#rate,
      axis: this.#axis,
    };
  }
}

const classes = [MaxNorm, UnitNorm, NonNeg, MinMaxNorm] as const;
for (const cls of classes) registerClass(cls);

const known = knownClasses<Constraint>(
    classes, {nonNegative: NonNeg, unitNormalization: UnitNorm});

/**
 * The constraint an identifier means, null for none. Errors: an unknown name,
 * bad settings.
 */
export function getConstraint(
    identifier: ConstraintIdentifier | null | undefined,
    customObjects?: CustomObjects): Constraint | null {
  return identifier === null || identifier === undefined ? null :
    resolve('constraint', identifier, known, customObjects);
}

/** The class name and settings of a constraint, null for none. */
export function serializeConstraint(
    constraint: Constraint | null | undefined): ClassConfig | null {
  return constraint ? serialize(constraint) : null;
}
