/** Costs of large weights: `tf.regularizers`. */
import {TensorError} from '../errors.js';
import {add, mul} from '../ops/binary.js';
import {fill} from '../ops/creation.js';
import {sum} from '../ops/reduce.js';
import {abs, square} from '../ops/unary.js';
import {tidy} from '../scope.js';
import type {Scalar, Tensor} from '../tensor.js';
import {knownClasses, resolve} from './identifiers.js';
import type {Identifier} from './identifiers.js';
import {Serializable, registerClass, serialize} from './serialization.js';
import type {
  ClassConfig, ConfigDict, CustomObjects,
} from './serialization.js';

/** Tells what a weight costs. */
export abstract class Regularizer extends Serializable {
  static override readonly className: string = 'Regularizer';

  /** The cost of `x`, a scalar. */
  abstract apply(x: Tensor): Scalar;

  getConfig(): ConfigDict {
    return {};
  }
}

/** A name, settings or an object: what layers take for a regularizer. */
export type RegularizerIdentifier = Identifier<Regularizer>;

export interface L1Args {
  l1?: number | null;
}
export interface L2Args {
  l2?: number | null;
}
/** Factors of the sums of magnitudes and of squares. */
export type L1L2Args = L1Args & L2Args;

/** `l1 * sum(|x|) + l2 * sum(x^2)`. */
export class L1L2 extends Regularizer {
  static override readonly className: string = 'L1L2';
  readonly #l1: number;
  readonly #l2: number;

  constructor(args?: L1L2Args | null) {
    super();
    if (args !== undefined && args !== null && typeof args !== 'object') {
      throw new TensorError(
          'argument', "L1L2 regularizer: expected {l1, l2}, got " +
              String(args));
    }
    this.#l1 = args?.l1 ?? 0.01;
    this.#l2 = args?.l2 ?? 0.01;
  }

  apply(x: Tensor): Scalar {
    return tidy(() => {
      const parts: Tensor[] = [];
      if (this.#l1 !== 0) parts.push(mul(sum(abs(x)), this.#l1));
      if (this.#l2 !== 0) parts.push(mul(sum(square(x)), this.#l2));
      return (parts.length === 0 ? fill([], 0, 'float32') :
        parts.reduce((a, b) => add(a, b))) as Scalar;
    });
  }

  // Saved as TensorFlow.js saves all three.
  override getClassName(): string {
    return L1L2.className;
  }

  override getConfig(): ConfigDict {
    return {l1: this.#l1, l2: this.#l2};
  }
}

/** `l1 * sum(|x|)`. */
export class L1 extends L1L2 {
  static override readonly className: string = 'L1';

  constructor(args?: L1Args | null) {
    super({l1: args?.l1, l2: 0});
  }
}

/** `l2 * sum(x^2)`. */
export class L2 extends L1L2 {
  static override readonly className: string = 'L2';

  constructor(args?: L2Args | null) {
    super({l1: 0, l2: args?.l2});
  }
}

const classes = [L1, L2, L1L2] as const;
for (const cls of classes) registerClass(cls);

const known = knownClasses<Regularizer>(classes);

/**
 * The regularizer an identifier means, null for none. Errors: an unknown name,
 * bad settings.
 */
export function getRegularizer(
    identifier: RegularizerIdentifier | null | undefined,
    customObjects?: CustomObjects): Regularizer | null {
  return identifier === null || identifier === undefined ? null :
    resolve('regularizer', identifier, known, customObjects);
}

/** The class name and settings of a regularizer, null for none. */
export function serializeRegularizer(
    regularizer: Regularizer | null | undefined): ClassConfig | null {
  return regularizer ? serialize(regularizer) : null;
}
