/** Flags: settings with a default that is worked out when first asked for. */
import {TensorError} from './errors.js';

/** A flag's value. */
export type FlagValue = number | boolean | string;
/** Flags by name. */
export interface Flags {
  [name: string]: FlagValue;
}

interface Flag {
  evaluate: () => FlagValue | Promise<FlagValue>;
  changed?: (value: FlagValue) => void;
}

const registry = new Map<string, Flag>();

/** What is asked of the page or process; tests put something else there. */
export interface Platform {
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
}

/** The flags and what is known of the platform. */
export class Environment {
  #values = new Map<string, FlagValue>();
  readonly platformName: 'node' | 'browser';
  readonly platform: Platform = {
    fetch: (url, init) => globalThis.fetch(url, init),
  };
  /** Global object of the page, worker or process. */
  readonly global: unknown;

  constructor(global: unknown = globalThis) {
    this.global = global;
    this.platformName = isNode() ? 'node' : 'browser';
  }

  /** Adds a flag; `changed` hears of every value it is set to. */
  registerFlag(
      name: string, evaluate: () => FlagValue | Promise<FlagValue>,
      changed?: (value: FlagValue) => void): void {
    registry.set(name, changed ? {evaluate, changed} : {evaluate});
  }

  /** The value of a flag. */
  get(name: string): FlagValue {
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    const value = flag(name).evaluate();
    if (value instanceof Promise) {
      throw new TensorError(
          'state', `Flag ${name} cannot be synchronously evaluated. Please ` +
              'use getAsync() instead.');
    }
    this.#values.set(name, value);
    return value;
  }

  /** The value of a flag that may take time to work out. */
  async getAsync(name: string): Promise<FlagValue> {
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    const value = await flag(name).evaluate();
    this.#values.set(name, value);
    return value;
  }

  getNumber(name: string): number {
    return this.get(name) as number;
  }

  getBool(name: string): boolean {
    return this.get(name) as boolean;
  }

  getString(name: string): string {
    return this.get(name) as string;
  }

  /** Every flag that was read or set, with its value. */
  getFlags(): Flags {
    return Object.fromEntries(this.#values);
  }

  /** The same, as a property. */
  get features(): Flags {
    return this.getFlags();
  }

  /** Sets a registered flag. */
  set(name: string, value: FlagValue): void {
    const {changed} = flag(name, 'set');
    this.#values.set(name, value);
    changed?.(value);
  }

  /** Sets several flags at once. */
  setFlags(flags: Flags): void {
    this.#values = new Map(Object.entries(flags));
    for (const [name, value] of this.#values) {
      registry.get(name)?.changed?.(value);
    }
  }

  /** Gives every flag its default back. */
  reset(): void {
    const had = [...this.#values.keys()];
    this.#values.clear();
    for (const name of had) {
      const known = registry.get(name);
      if (known?.changed) known.changed(this.get(name));
    }
  }
}

function flag(name: string, verb = 'evaluate'): Flag {
  const found = registry.get(name);
  if (found === undefined) {
    throw new TensorError(
        'argument', verb === 'set' ?
          `Cannot set flag ${name} as it has not been registered.` :
          `Cannot evaluate flag '${name}': no evaluation function found.`);
  }
  return found;
}

function isNode(): boolean {
  const process = (globalThis as {process?: {versions?: {node?: string}}})
      .process;
  return process?.versions?.node !== undefined;
}

const agent = (): string =>
  (globalThis as {navigator?: {userAgent?: string}}).navigator?.userAgent ?? '';

const environment = new Environment();

/**
 * The library's environment: flags and platform.
 *
 * ```js
 * tf.env().getBool('PROD'); // => false
 * ```
 */
export function env(): Environment {
  return environment;
}

environment.registerFlag('DEBUG', () => false);
environment.registerFlag('PROD', () => false);
environment.registerFlag('IS_TEST', () => false);
environment.registerFlag('IS_NODE', isNode);
environment.registerFlag('IS_BROWSER', () => !isNode());
environment.registerFlag(
    'IS_CHROME', () => !isNode() && /Chrome\//.test(agent()));
environment.registerFlag(
    'IS_SAFARI',
    () => !isNode() && /Safari\//.test(agent()) && !/Chrom/.test(agent()));
environment.registerFlag('DEPRECATION_WARNINGS_ENABLED', () => true);
environment.registerFlag(
    'TENSORLIKE_CHECK_SHAPE_CONSISTENCY', () => environment.getBool('DEBUG'));
environment.registerFlag(
    'CHECK_COMPUTATION_FOR_ERRORS', () => environment.getBool('DEBUG'));
