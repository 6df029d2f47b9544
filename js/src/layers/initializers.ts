/** How weights begin: `tf.initializers`. */
import {TensorError} from '../errors.js';
import {cast, eye, fill} from '../ops/creation.js';
import {mul} from '../ops/binary.js';
import {randomNormal, randomUniform, truncatedNormal} from '../ops/random.js';
import {tidy} from '../scope.js';
import type {Tensor} from '../tensor.js';
import type {DataType} from '../types.js';
import {nextSeed} from './global_state.js';
import {knownClasses, resolve} from './identifiers.js';
import {Initializer, isNumber} from './initializer.js';
import type {InitializerIdentifier, Sampled, SeedOnlyInitializerArgs} from './initializer.js';
import {
  VarianceScaling, GlorotUniform, GlorotNormal, HeNormal,
  HeUniform, LeCunNormal, LeCunUniform, Orthogonal,
} from './scaled_initializers.js';
import {registerClass, serialize} from './serialization.js';
import type {
  ClassConfig, ConfigDict, CustomObjects,
} from './serialization.js';

export * from './scaled_initializers.js';
export {Initializer} from './initializer.js';
export type {
  InitializerIdentifier, SeedOnlyInitializerArgs,
} from './initializer.js';

/** Zeros. */
export class Zeros extends Initializer {
  static override readonly className: string = 'Zeros';

  apply(shape: number[], dtype: DataType = 'float32'): Tensor {
    return fill(shape, 0, dtype);
  }
}

/** Ones. */
export class Ones extends Initializer {
  static override readonly className: string = 'Ones';

  apply(shape: number[], dtype: DataType = 'float32'): Tensor {
    return fill(shape, 1, dtype);
  }
}

/** Settings of {@link Constant}. */
export interface ConstantArgs {
  value: number;
}

/** One number everywhere. */
export class Constant extends Initializer {
  static override readonly className: string = 'Constant';
  readonly #value: number;

  constructor(args: ConstantArgs) {
    super();
    const value = (args as ConstantArgs | undefined)?.value;
    if (!isNumber(value)) {
      throw new TensorError(
          'argument', 'Constant initializer: expected {value: number}, got ' +
              JSON.stringify(args));
    }
    this.#value = value;
  }

  apply(shape: number[], dtype: DataType = 'float32'): Tensor {
    return fill(shape, this.#value, dtype);
  }

  override getConfig(): ConfigDict {
    return {value: this.#value};
  }
}

/** Settings of {@link RandomUniform}. */
export interface RandomUniformArgs extends SeedOnlyInitializerArgs {
  minval?: number;
  maxval?: number;
}

/** Numbers spread evenly over `[minval, maxval)`. */
export class RandomUniform extends Initializer {
  static override readonly className: string = 'RandomUniform';
  readonly #minval: number;
  readonly #maxval: number;
  readonly #seed: number | null;

  constructor(args: RandomUniformArgs = {}) {
    super();
    this.#minval = args.minval ?? -0.05;
    this.#maxval = args.maxval ?? 0.05;
    this.#seed = args.seed ?? null;
  }

  apply(shape: number[], dtype: DataType = 'float32'): Tensor {
    return randomUniform(
        shape, this.#minval, this.#maxval, dtype, this.#seed ?? nextSeed());
  }

  override getConfig(): ConfigDict {
    return {minval: this.#minval, maxval: this.#maxval, seed: this.#seed};
  }
}

/** Settings of {@link RandomNormal} and {@link TruncatedNormal}. */
export interface RandomNormalArgs extends SeedOnlyInitializerArgs {
  mean?: number;
  stddev?: number;
}
export type TruncatedNormalArgs = RandomNormalArgs;

/** Normally distributed numbers. */
export class RandomNormal extends Initializer {
  static override readonly className: string = 'RandomNormal';
  protected readonly mean: number;
  protected readonly stddev: number;
  protected readonly seed: number | null;

  constructor(args: RandomNormalArgs = {}) {
    super();
    this.mean = args.mean ?? 0;
    this.stddev = args.stddev ?? 0.05;
    this.seed = args.seed ?? null;
  }

  apply(shape: number[], dtype: DataType = 'float32'): Tensor {
    return randomNormal(shape, this.mean, this.stddev, dtype as Sampled,
        this.seed ?? nextSeed());
  }

  override getConfig(): ConfigDict {
    return {mean: this.mean, stddev: this.stddev, seed: this.seed};
  }
}

/** Normally distributed numbers within two standard deviations of the mean. */
export class TruncatedNormal extends RandomNormal {
  static override readonly className: string = 'TruncatedNormal';

  override apply(shape: number[], dtype: DataType = 'float32'): Tensor {
    return truncatedNormal(shape, this.mean, this.stddev, dtype as Sampled,
        this.seed ?? nextSeed());
  }
}

/** Settings of {@link Identity}. */
export interface IdentityArgs {
  gain?: number;
}

/** Matrices with `gain` on the diagonal. */
export class Identity extends Initializer {
  static override readonly className: string = 'Identity';
  readonly #gain: number;

  constructor(args: IdentityArgs = {}) {
    super();
    this.#gain = args.gain ?? 1;
  }

  apply(shape: number[], dtype: DataType = 'float32'): Tensor {
    if (shape.length !== 2) {
      throw new TensorError(
          'shape', 'Identity matrix initializer can only be used for 2D ' +
              `matrices, got the shape [${shape}]`);
    }
    return tidy(() =>
      cast(mul(eye(shape[0]!, shape[1]), this.#gain), dtype));
  }

  override getConfig(): ConfigDict {
    return {gain: this.#gain};
  }
}

const classes = [
  Constant, GlorotNormal, GlorotUniform, HeNormal, HeUniform, Identity,
  LeCunNormal, LeCunUniform, Ones, Orthogonal, RandomNormal, RandomUniform,
  TruncatedNormal, VarianceScaling, Zeros,
] as const;
for (const cls of classes) registerClass(cls);

const known = knownClasses<Initializer>(classes, {
  zero: Zeros, one: Ones, eye: Identity, normal: RandomNormal,
  uniform: RandomUniform, orthogonalInitializer: Orthogonal,
  identityInitializer: Identity,
});

/**
 * The initializer an identifier means. Errors: an unknown name, bad settings.
 */
export function getInitializer(
    identifier: InitializerIdentifier,
    customObjects?: CustomObjects): Initializer {
  return resolve('initializer', identifier, known, customObjects);
}

/** The class name and settings of an initializer. */
export function serializeInitializer(initializer: Initializer): ClassConfig {
  return serialize(initializer);
}
