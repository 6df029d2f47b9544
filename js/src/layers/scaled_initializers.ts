/** Initializers that look at a weight's fans, and orthogonal ones. */
import {TensorError} from '../errors.js';
import {qr} from '../ops/decompose.js';
import {eye} from '../ops/creation.js';
import {mul} from '../ops/binary.js';
import {randomNormal, randomUniform, truncatedNormal} from '../ops/random.js';
import {sum} from '../ops/reduce.js';
import {reshape} from '../ops/shape.js';
import {transpose} from '../ops/transpose.js';
import {sign} from '../ops/unary.js';
import {tidy} from '../scope.js';
import type {Tensor} from '../tensor.js';
import type {DataType} from '../types.js';
import {nextSeed} from './global_state.js';
import {plainName} from './identifiers.js';
import {Initializer, isNumber} from './initializer.js';
import type {Sampled, SeedOnlyInitializerArgs} from './initializer.js';
import type {ConfigDict} from './serialization.js';

/** What the variance is divided by. */
export type FanMode = 'fanIn' | 'fanOut' | 'fanAvg';
/** `normal` is `truncatedNormal`, as in Keras. */
export type Distribution =
  'normal' | 'uniform' | 'truncatedNormal' | 'untruncatedNormal';

const fanModes: readonly FanMode[] = ['fanIn', 'fanOut', 'fanAvg'];
const distributions: readonly Distribution[] =
  ['normal', 'uniform', 'truncatedNormal', 'untruncatedNormal'];

function oneOf<T extends string>(
    what: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((x) => plainName(x) === plainName(String(value)));
  if (found === undefined) {
    throw new TensorError(
        'argument', `${value} is not a valid ${what}: it must be one of ` +
            allowed.join(', '));
  }
  return found;
}

/** How many numbers go into an output of a weight, and how many out of an input. */
function fans(shape: readonly number[]): [number, number] {
  if (shape.length < 2) return [shape[0] ?? 1, shape[0] ?? 1];
  const window = shape.slice(0, -2).reduce((a, b) => a * b, 1);
  return [window * shape.at(-2)!, window * shape.at(-1)!];
}

/** Settings of {@link VarianceScaling}. */
export interface VarianceScalingArgs extends SeedOnlyInitializerArgs {
  scale?: number;
  mode?: FanMode;
  distribution?: Distribution;
}

// The standard deviation of a standard normal distribution cut off at 2:
// sqrt(1 - 4 phi(2) / erf(sqrt(2))), phi being the density.
const truncatedDeviation = 0.8796256610342398;

/** Numbers whose variance is `scale` divided by a weight's fan. */
export class VarianceScaling extends Initializer {
  static override readonly className: string = 'VarianceScaling';
  readonly #scale: number;
  readonly #mode: FanMode;
  readonly #distribution: Distribution;
  readonly #seed: number | null;

  constructor(args: VarianceScalingArgs = {}) {
    super();
    const scale = args.scale ?? 1;
    if (!isNumber(scale) || !(scale > 0)) {
      throw new TensorError(
          'argument', `scale must be a positive float. Got: ${scale}`);
    }
    this.#scale = scale;
    this.#mode = oneOf('FanMode', args.mode ?? 'fanIn', fanModes);
    this.#distribution =
        oneOf('Distribution', args.distribution ?? 'normal', distributions);
    this.#seed = args.seed ?? null;
  }

  apply(shape: number[], dtype: DataType = 'float32'): Tensor {
    const [fanIn, fanOut] = fans(shape);
    const fan = {fanIn, fanOut, fanAvg: (fanIn + fanOut) / 2}[this.#mode];
    const deviation = Math.sqrt(this.#scale / Math.max(1, fan));
    const seed = this.#seed ?? nextSeed();
    switch (this.#distribution) {
      case 'uniform': {
        const limit = Math.sqrt(3) * deviation;
        return randomUniform(shape, -limit, limit, dtype, seed);
      }
      case 'untruncatedNormal':
        return randomNormal(shape, 0, deviation, dtype as Sampled, seed);
      default:
        return truncatedNormal(
            shape, 0, deviation / truncatedDeviation, dtype as Sampled, seed);
    }
  }

  // Special cases are saved as what they are a case of.
  override getClassName(): string {
    return VarianceScaling.className;
  }

  override getConfig(): ConfigDict {
    return {
      scale: this.#scale,
      mode: this.#mode,
      distribution: this.#distribution,
      seed: this.#seed,
    };
  }
}

/** Glorot's (Xavier's) uniform distribution: variance 2 / (fan in + fan out). */
export class GlorotUniform extends VarianceScaling {
  static override readonly className: string = 'GlorotUniform';

  constructor(args: SeedOnlyInitializerArgs = {}) {
    super({mode: 'fanAvg', distribution: 'uniform', seed: args?.seed});
  }
}

/** Glorot's (Xavier's) normal distribution: variance 2 / (fan in + fan out). */
export class GlorotNormal extends VarianceScaling {
  static override readonly className: string = 'GlorotNormal';

  constructor(args: SeedOnlyInitializerArgs = {}) {
    super({mode: 'fanAvg', distribution: 'normal', seed: args?.seed});
  }
}

/** He's normal distribution: variance 2 / fan in. */
export class HeNormal extends VarianceScaling {
  static override readonly className: string = 'HeNormal';

  constructor(args: SeedOnlyInitializerArgs = {}) {
    super({scale: 2, distribution: 'normal', seed: args?.seed});
  }
}

/** He's uniform distribution: variance 2 / fan in. */
export class HeUniform extends VarianceScaling {
  static override readonly className: string = 'HeUniform';

  constructor(args: SeedOnlyInitializerArgs = {}) {
    super({scale: 2, distribution: 'uniform', seed: args?.seed});
  }
}

/** LeCun's normal distribution: variance 1 / fan in. */
export class LeCunNormal extends VarianceScaling {
  static override readonly className: string = 'LeCunNormal';

  constructor(args: SeedOnlyInitializerArgs = {}) {
    super({distribution: 'normal', seed: args?.seed});
  }
}

/** LeCun's uniform distribution: variance 1 / fan in. */
export class LeCunUniform extends VarianceScaling {
  static override readonly className: string = 'LeCunUniform';

  constructor(args: SeedOnlyInitializerArgs = {}) {
    super({distribution: 'uniform', seed: args?.seed});
  }
}

/** Settings of {@link Orthogonal}. */
export interface OrthogonalArgs extends SeedOnlyInitializerArgs {
  gain?: number;
}

/**
 * Matrices with orthonormal rows or columns, whichever are fewer, times `gain`;
 * dimensions before the last are rows.
 */
export class Orthogonal extends Initializer {
  static override readonly className: string = 'Orthogonal';
  readonly #gain: number;
  readonly #seed: number | null;

  constructor(args: OrthogonalArgs = {}) {
    super();
    this.#gain = args.gain ?? 1;
    this.#seed = args.seed ?? null;
  }

  apply(shape: number[], dtype: DataType = 'float32'): Tensor {
    if (shape.length < 2) {
      throw new TensorError(
          'shape', 'Orthogonal initializer: the shape must be at least 2D, ' +
              `got [${shape}]`);
    }
    if (dtype !== 'float32') {
      throw new TensorError(
          'dtype', `Orthogonal initializer: dtype must be float32, got ${dtype}`);
    }
    const columns = shape.at(-1)!;
    const rows = shape.slice(0, -1).reduce((a, b) => a * b, 1);
    return tidy(() => {
      const side = Math.min(rows, columns);
      const noise = randomNormal(
          [Math.max(rows, columns), side], 0, 1, 'float32',
          this.#seed ?? nextSeed());
      const [q, r] = qr(noise);
      // Without fixed signs some orthogonal matrices would be more likely.
      const signs = sign(sum(mul(r, eye(side)), 0));
      const tall = mul(mul(q, signs), this.#gain);
      return reshape(rows < columns ? transpose(tall) : tall, shape);
    });
  }

  override getConfig(): ConfigDict {
    return {gain: this.#gain, seed: this.#seed};
  }
}
