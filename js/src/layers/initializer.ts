/** What initializers share. */
import type {Tensor} from '../tensor.js';
import type {DataType} from '../types.js';
import type {Identifier} from './identifiers.js';
import {Serializable} from './serialization.js';
import type {ConfigDict} from './serialization.js';

/** Makes the first values of a weight. */
export abstract class Initializer extends Serializable {
  static override readonly className: string = 'Initializer';

  /** A tensor of `shape`. */
  abstract apply(shape: number[], dtype?: DataType): Tensor;

  getConfig(): ConfigDict {
    return {};
  }
}

/** A name, settings or an object: what layers take for an initializer. */
export type InitializerIdentifier = Identifier<Initializer>;

/** What random numbers can be. */
export type Sampled = 'float32' | 'int32';

/** True for numbers. */
export const isNumber = (x: unknown): x is number => typeof x === 'number';

/** Settings of initializers that draw and have no others. */
export interface SeedOnlyInitializerArgs {
  /** Makes the numbers the same every time. */
  seed?: number | null;
}
