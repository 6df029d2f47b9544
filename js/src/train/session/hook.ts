/** What hooks are, and how their methods are found in either case. */
import {shown} from '../../errors.js';
import type {Clock, LogFunction} from './clock.js';
import type {StorageContext} from './contracts.js';
import type {Coordinator} from './coordinator.js';
import {valueError} from './errors.js';
import {nearest, snakeCase} from './options.js';
import type {EitherCase} from './options.js';
import type {
  RunWishes, SessionRunArgs, SessionRunContext, SessionRunValues,
} from './run_context.js';
import type {RawSession} from './session.js';

/** Something or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/** Methods of hooks; all may be left out, and may be in snake_case. */
export interface HookMethods {
  /** Once, before the first session is created; may declare things. */
  begin?(): MaybePromise<void>;
  /** After each creation of a session. */
  afterCreateSession?(session: RawSession, coord: Coordinator): MaybePromise<void>;
  /** Before each run; may answer with what to add to it. */
  beforeRun?(context: SessionRunContext):
    MaybePromise<
      SessionRunArgs | EitherCase<RunWishes> | null | undefined | void>;
  /** After each run that succeeded. */
  afterRun?(context: SessionRunContext, values: SessionRunValues): MaybePromise<void>;
  /** Once, at a clean end. */
  end?(session: RawSession): MaybePromise<void>;
  after_create_session?(session: RawSession, coord: Coordinator): MaybePromise<void>;
  before_run?(context: SessionRunContext):
    MaybePromise<
      SessionRunArgs | EitherCase<RunWishes> | null | undefined | void>;
  after_run?(context: SessionRunContext, values: SessionRunValues): MaybePromise<void>;
}

/** What a session lends its hooks. */
export interface HookEnvironment extends StorageContext {
  readonly clock: Clock;
  readonly log: LogFunction;
  /** Tags or the merge that the scaffold wants summarized. */
  readonly onSaveError: 'raise' | 'warn';
  /** Tells the creator that a directory has a checkpoint. */
  saved(directory: string): void;
}

/**
 * The base of hooks. Write the methods you need, in camelCase or snake_case;
 * they may be async, and are called one hook after the other.
 *
 * ```js
 * const seen = [];
 * class Log extends tf.train.SessionRunHook {
 *   begin() { seen.push('begin'); }
 *   async after_run(context, values) { seen.push('run'); }
 *   end() { seen.push('end'); }
 * }
 * const f = tf.train.fetch('f', () => 1);
 * await tf.train.withMonitoredTrainingSession(
 *     {hooks: [new Log()]}, async (sess) => { await sess.run(f); });
 * seen; // => ['begin', 'run', 'end']
 * tf.resetDefaultGraph();
 * ```
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging
export class SessionRunHook {
  static readonly className: string = 'SessionRunHook';
}
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-empty-object-type
export interface SessionRunHook extends HookMethods {}

/** A hook: an instance of a class or an object with such methods. */
export type Hook = HookMethods;

type Phase = 'begin' | 'afterCreateSession' | 'beforeRun' | 'afterRun' | 'end';
const phases: readonly Phase[] =
    ['begin', 'afterCreateSession', 'beforeRun', 'afterRun', 'end'];

/** The names of everything an object has, but not what all objects have. */
function membersOf(object: object): Set<string> {
  const names = new Set<string>();
  for (let at = object; at !== null && at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  return names;
}

/**
 * Objects with some of these methods, as a list of its own. Instances of `Base`
 * need none. Errors: no list; nothing of the kind; a member that is no function
 * or whose name is nearly one that is missing.
 */
export function checkMethods<T extends object>(
    what: string, list: readonly T[] | null | undefined,
    methods: readonly string[], Base: abstract new () => object): T[] {
  if (list === null || list === undefined) return [];
  if (!Array.isArray(list)) {
    throw valueError(`${what}: expected a list, got ${shown(list)}`);
  }
  for (const item of list as unknown[]) checkItem(what, item, methods, Base);
  return [...list as T[]];
}

function checkItem(
    what: string, item: unknown, methods: readonly string[],
    Base: abstract new () => object): void {
  const refuse = (why: string): never => {
    throw valueError(`${what}: ${why}`);
  };
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    refuse(`expected objects with some of ${methods.join(', ')}, got ` + (
      typeof item === 'function' ? 'a function or class: make an instance of it' :
        Array.isArray(item) ? 'a list in the list' : shown(item)));
  }
  const object = item as Record<string, unknown>;
  const members = membersOf(object);
  const twins = methods.flatMap((name) => [name, snakeCase(name)]);
  for (const name of twins) {
    const value = members.has(name) ? object[name] ?? null : null;
    if (value === null || typeof value === 'function') continue;
    refuse(`${name} must be a function, got ${shown(value)}`);
  }
  const has = (name: string): boolean =>
    members.has(name) && typeof object[name] === 'function';
  const missing =
      methods.filter((name) => !has(name) && !has(snakeCase(name)));
  for (const name of members) {
    // What the object has besides is its own affair, as helpers are: `_end`,
    // `onAfterRun`.
    const near = twins.includes(name) || /^(_|on[A-Z_]|is[A-Z_])|\d$/.test(name) ?
      undefined : nearest(name, missing);
    if (near === undefined || !has(name)) continue;
    refuse(`there is no method '${name}'; did you mean '${near}'?`);
  }
  if (missing.length === methods.length && !(item instanceof Base)) {
    refuse(`${shown(item)} has none of the methods ${methods.join(', ')}`);
  }
}

/** The hooks as a list of its own. Errors: no list; what cannot be a hook. */
export function checkHooks(
    what: string, hooks: readonly Hook[] | null | undefined): Hook[] {
  return checkMethods(what, hooks, phases, SessionRunHook);
}

/**
 * A hook's method: the nearest in its chain of prototypes, so that a subclass
 * may override in the other case than its base; camelCase first.
 */
function methodOf(hook: object, phase: Phase): ((...a: unknown[]) => unknown) | undefined {
  const snake = snakeCase(phase);
  for (let at: object | null = hook; at !== null;
    at = Object.getPrototypeOf(at) as object | null) {
    for (const name of [phase, snake]) {
      if (!Object.hasOwn(at, name)) continue;
      const method = (at as Record<string, unknown>)[name];
      if (typeof method === 'function') {
        return method as (...a: unknown[]) => unknown;
      }
    }
  }
  return undefined;
}

/** Calls a hook's method, if it has it, and waits. */
export async function callHook<P extends Phase>(
    hook: Hook, phase: P,
    ...args: Parameters<NonNullable<HookMethods[P]>>):
    Promise<Awaited<ReturnType<NonNullable<HookMethods[P]>>>> {
  const result = methodOf(hook, phase)?.apply(hook, args);
  return await result as Awaited<ReturnType<NonNullable<HookMethods[P]>>>;
}

/** Gives the methods of stock hooks their names in snake_case. */
export function bothCases(...classes: readonly {readonly prototype: object}[]): void {
  for (const {prototype} of classes) {
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const snake = snakeCase(name);
      if (snake === name || name === 'constructor') continue;
      if (Object.hasOwn(prototype, snake)) continue;
      Object.defineProperty(
          prototype, snake,
          Object.getOwnPropertyDescriptor(prototype, name)!);
    }
  }
}
