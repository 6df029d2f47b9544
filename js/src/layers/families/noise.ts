/** Layers that disturb their input while training and pass it on otherwise. */
import {TensorError} from '../../errors.js';
import {add, mul} from '../../ops/binary.js';
import {cast, zerosLike} from '../../ops/creation.js';
import {greaterEqual} from '../../ops/logical.js';
import {dropout, randomNormal, randomUniform} from '../../ops/random.js';
import type {Tensor} from '../../tensor.js';
import {SeedGenerator, nextSeed} from '../global_state.js';
import {InputSpec, Layer} from '../layer.js';
import type {Kwargs, LayerArgs} from '../layer.js';
import {registerClass} from '../serialization.js';
import type {ConfigDict} from '../serialization.js';
import type {Shape} from '../shape.js';
import {oneTensor} from './windows.js';

/** What all of these take. */
interface NoiseArgs extends LayerArgs {
  /** Makes the noise the same in every program run; it changes every call. */
  seed?: number | null;
}

/** Settings of layers that drop a share of their input. */
export interface RateArgs extends NoiseArgs {
  /** The share, from 0 to 1. */
  rate: number;
}

abstract class Noise extends Layer {
  readonly #seed: number | undefined;
  #seeds: SeedGenerator | undefined;

  constructor(args: NoiseArgs) {
    super(args);
    this.#seed = args.seed ?? undefined;
    this.supportsMasking = true;
  }

  /** The input with noise. */
  protected abstract disturb(x: Tensor): Tensor;

  /** Seeds differ between calls, or all batches would lose the same elements. */
  protected nextSeed(): number {
    this.#seeds ??= new SeedGenerator(this.#seed ?? nextSeed());
    return this.#seeds.next();
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor {
    this.invokeCallHook(inputs, kwargs);
    const x = oneTensor(this.getClassName(), inputs);
    return kwargs['training'] ? this.disturb(x) : x;
  }

  override getConfig(): ConfigDict {
    return {
      ...(this.#seed === undefined ? {} : {seed: this.#seed}),
      ...super.getConfig(),
    };
  }
}

abstract class RateNoise extends Noise {
  protected readonly rate: number;

  constructor(args: RateArgs) {
    super(args);
    const rate = args.rate as unknown;
    if (typeof rate !== 'number' || !(rate >= 0 && rate <= 1)) {
      throw new TensorError(
          'argument', `${this.getClassName()}: rate must be a number from 0 ` +
              `to 1, got ${String(JSON.stringify(rate))}`);
    }
    this.rate = rate;
  }

  override getConfig(): ConfigDict {
    return {rate: this.rate, ...super.getConfig()};
  }
}

/** Settings of {@link Dropout}. */
export interface DropoutLayerArgs extends RateArgs {
  /** Elements live and die together where this is 1; null: as the input. */
  noiseShape?: Shape | null;
}

/**
 * Sets a random share `rate` of the input to 0 while training, and scales the
 * rest so that the sum stays what it was.
 */
export class Dropout extends RateNoise {
  static override readonly className: string = 'Dropout';
  protected readonly noiseShape: Shape | undefined;

  constructor(args: DropoutLayerArgs) {
    super(args);
    this.noiseShape = args.noiseShape ?? undefined;
  }

  protected noiseShapeFor(_x: Tensor): Shape | undefined {
    return this.noiseShape;
  }

  protected disturb(x: Tensor): Tensor {
    if (this.rate === 0) return x;
    if (this.rate === 1) return zerosLike(x);
    return dropout(x, this.rate, this.noiseShapeFor(x), this.nextSeed());
  }

  override getConfig(): ConfigDict {
    return {
      ...(this.noiseShape ? {noiseShape: this.noiseShape} : {}),
      ...super.getConfig(),
    };
  }
}

/** Settings of {@link SpatialDropout1D}. */
export type SpatialDropout1DLayerConfig = RateArgs;

/** Dropout of whole channels of `[b, steps, channels]`. */
export class SpatialDropout1D extends Dropout {
  static override readonly className: string = 'SpatialDropout1D';

  constructor(args: SpatialDropout1DLayerConfig) {
    super(args);
    this.inputSpec = [new InputSpec({ndim: 3})];
  }

  protected override noiseShapeFor(x: Tensor): Shape {
    const [batch, , channels] = x.shape as number[];
    return [batch!, 1, channels!];
  }
}

/** Settings of {@link GaussianNoise}. */
export interface GaussianNoiseArgs extends NoiseArgs {
  stddev: number;
}

/** Adds normally distributed noise while training. */
export class GaussianNoise extends Noise {
  static override readonly className: string = 'GaussianNoise';
  readonly #stddev: number;

  constructor(args: GaussianNoiseArgs) {
    super(args);
    const stddev = args.stddev as unknown;
    if (typeof stddev !== 'number' || !(stddev >= 0)) {
      throw new TensorError(
          'argument', 'GaussianNoise: stddev must be a number of at least 0, ' +
              `got ${String(JSON.stringify(stddev))}`);
    }
    this.#stddev = stddev;
  }

  protected disturb(x: Tensor): Tensor {
    return add(x, randomNormal(
        x.shape, 0, this.#stddev, 'float32', this.nextSeed()));
  }

  override getConfig(): ConfigDict {
    return {stddev: this.#stddev, ...super.getConfig()};
  }
}

/** Settings of {@link GaussianDropout}. */
export type GaussianDropoutArgs = RateArgs;

/**
 * Multiplies by noise around 1 of deviation `sqrt(rate / (1 - rate))` while
 * training.
 */
export class GaussianDropout extends RateNoise {
  static override readonly className: string = 'GaussianDropout';

  protected disturb(x: Tensor): Tensor {
    const {rate} = this;
    if (rate === 0 || rate === 1) return x;
    return mul(x, randomNormal(
        x.shape, 1, Math.sqrt(rate / (1 - rate)), 'float32', this.nextSeed()));
  }
}

/** Settings of {@link AlphaDropout}. */
export interface AlphaDropoutArgs extends RateArgs {
  noiseShape?: Shape | null;
}

// What selu tends to far below 0: minus its scale times its alpha.
const saturation = -1.0507009873554805 * 1.6732632423543772;

/**
 * Dropout to selu's lowest value while training, then scaled and shifted so that
 * mean 0 and variance 1 stay.
 */
export class AlphaDropout extends RateNoise {
  static override readonly className: string = 'AlphaDropout';
  readonly #noiseShape: Shape | undefined;

  constructor(args: AlphaDropoutArgs) {
    super(args);
    this.#noiseShape = args.noiseShape ?? undefined;
  }

  protected disturb(x: Tensor): Tensor {
    const {rate} = this;
    if (rate === 0 || rate === 1) return x;
    const shape = (this.#noiseShape ?? x.shape as Shape).map(
        (n, i) => n ?? (x.shape as number[])[i]!);
    const kept = cast(greaterEqual(
        randomUniform(shape, 0, 1, 'float32', this.nextSeed()), rate),
    'float32');
    const scale = ((1 - rate) * (1 + rate * saturation ** 2)) ** -0.5;
    const shift = -scale * saturation * rate;
    const low = mul(add(mul(kept, -1), 1), saturation);
    return add(mul(add(mul(x, kept), low), scale), shift);
  }

  override getConfig(): ConfigDict {
    return {
      ...(this.#noiseShape ? {noiseShape: this.#noiseShape} : {}),
      ...super.getConfig(),
    };
  }
}

for (const cls of [
  Dropout, SpatialDropout1D, GaussianNoise, GaussianDropout, AlphaDropout,
]) {
  registerClass(cls);
}
