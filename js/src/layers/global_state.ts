/**
 * What `clear_session` forgets, all in one object, so that forgetting is to
 * replace it. Settings that outlive it stand beside it. There is one of each
 * for every JavaScript realm: Workers have their own.
 */
import type {DataType} from '../types.js';

/** Classes and functions by the names that configs call them. */
export type CustomObjects = Record<string, unknown>;

/** Dtypes of a layer: what it computes in and what its variables have. */
export interface DTypePolicy {
  readonly name: string;
  readonly computeDtype: DataType;
  readonly variableDtype: DataType;
}

/** A source of seeds, itself a function of one seed. */
export class SeedGenerator {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** The next seed, from 1 to 2^31 - 1. */
  next(): number {
    // A Weyl sequence behind the finalizer of MurmurHash3.
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let z = this.#state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return ((z ^ (z >>> 16)) & 0x7fffffff) || 1;
  }
}

class GlobalState {
  /** Keras' counters: snake_case names. */
  readonly kerasNames = new Map<string, number>();
  /** TensorFlow.js' counters: class names and prefixes. */
  readonly tfjsNames = new Map<string, number>();
  /** Names of weights and symbolic tensors, and how often each was asked. */
  readonly tensorNames = new Map<string, number>();
  /** Open name scopes, outermost first. */
  readonly nameScopes: string[] = [];
  /** Open scopes of custom objects, outermost first. */
  readonly customObjects: CustomObjects[] = [];
  /** The policy that was set; floatx where none was. */
  dtypePolicy: DTypePolicy | undefined;
  /** What `set_random_seed` was given. */
  randomSeed: number | undefined;
  /** Gives seeds to what has none; made when first asked. */
  seeds: SeedGenerator | undefined;
}

let state = new GlobalState();

/** The state in force; never keep it across a call that may clear it. */
export function globalState(): GlobalState {
  return state;
}

/** Forgets everything that `clear_session` forgets. */
export function forgetGlobalState(): void {
  state = new GlobalState();
}

/** Settings that survive `clear_session`. */
export const settings: {
  floatx: string;
  epsilon: number;
  imageDataFormat: 'channelsFirst' | 'channelsLast';
} = {floatx: 'float32', epsilon: 1e-7, imageDataFormat: 'channelsLast'};

// The host's randomness: `set_random_seed` sets it, clearing leaves it alone.
let host: SeedGenerator | undefined;

/** Sets the seed that all unseeded layers and initializers derive theirs from. */
export function setRandomSeed(seed: number): void {
  host = new SeedGenerator(seed);
  state.randomSeed = seed;
  state.seeds = new SeedGenerator(seed ^ 0x5bd1e995);
}

/** A seed for something that was given none. */
export function nextSeed(): number {
  host ??= new SeedGenerator(Math.floor(Math.random() * 2 ** 32));
  state.seeds ??= new SeedGenerator(host.next());
  return state.seeds.next();
}
