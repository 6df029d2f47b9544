/** The pieces a training program commonly needs, with defaults for all. */
import {TensorError, shown} from '../../errors.js';
import type {StorageContext, SaverLike} from './contracts.js';
import {trainingStorage} from './contracts.js';
import {runtimeError, valueError} from './errors.js';
import {leavesOf} from './fetches.js';
import type {Fetches} from './fetches.js';
import type {Feeds} from './placeholder.js';
import {checkKinds} from './kinds.js';
import {camelCase, optionsOf} from './options.js';
import type {Arguments} from './options.js';
import type {RawSession} from './session.js';

/** Initializes; `feeds` are those the scaffold was given for it. */
export type InitOp =
  (session: RawSession, feeds: Feeds | null) => void | Promise<void>;
/** Names what is not initialized; empty when all is. */
export type ReadyOp = () => Unready | Promise<Unready>;
type Unready = readonly string[] | number | null | void;
/** Runs after the `initOp`. */
export type InitFn =
  (scaffold: Scaffold, session: RawSession) => void | Promise<void>;

/** Pieces of a {@link Scaffold}; what is left out gets a default. */
export interface ScaffoldArgs {
  initOp?: InitOp | null;
  initFeedDict?: Feeds | null;
  initFn?: InitFn | null;
  readyOp?: ReadyOp | null;
  readyForLocalInitOp?: ReadyOp | null;
  localInitOp?: InitOp | null;
  /** Tags of summaries to write; all of them by default. */
  summaryOp?: Fetches;
  saver?: SaverLike | null;
  copyFromScaffold?: Scaffold | null;
  localInitFeedDict?: Feeds | null;
}

/** Errors: a `summaryOp` that is not made of tags. */
export function checkTags(what: string, summaryOp: unknown): void {
  for (const tag of summaryOp === undefined ? [] : leavesOf(summaryOp)) {
    if (tag === null || typeof tag === 'string') continue;
    throw valueError(
        `${what}: summary_op must be a tag, or tags in a list, got ` +
            shown(tag));
  }
}

const names = [
  'initOp', 'initFeedDict', 'initFn', 'readyOp', 'readyForLocalInitOp',
  'localInitOp', 'summaryOp', 'saver', 'copyFromScaffold', 'localInitFeedDict',
] as const;

const keys = {
  initOp: 'init_op', readyOp: 'ready_op',
  readyForLocalInitOp: 'ready_for_local_init_op',
  localInitOp: 'local_init_op', summaryOp: 'summary_op', saver: 'savers',
} as const;

/**
 * How variables are initialized, found ready, saved and summarized. Takes the
 * pieces by position or by name; `finalize` fills in what is missing from the
 * graph's collections, else by defaults.
 *
 * Errors: `copyFromScaffold` is no Scaffold; pieces that are no functions, no
 * saver, no tags; a collection with several items, or with one of another kind.
 *
 * ```js
 * let begun = 0;
 * const scaffold = new tf.train.Scaffold({initFn: () => { begun++; }});
 * await tf.train.withMonitoredTrainingSession({scaffold}, async () => {});
 * begun; // => 1
 * ```
 */
export class Scaffold {
  static readonly className: string = 'Scaffold';
  initOp: InitOp | null;
  readonly initFeedDict: Feeds | null;
  readonly userInitFn: InitFn | null;
  /** The same, bound to this scaffold. */
  readonly initFn: ((session: RawSession) => void | Promise<void>) | null;
  readyOp: ReadyOp | null;
  readyForLocalInitOp: ReadyOp | null;
  localInitOp: InitOp | null;
  readonly localInitFeedDict: Feeds | null;
  /** Undefined until `finalize`; null when nothing shall be summarized. */
  summaryOp: Fetches | undefined;
  saver: SaverLike | null;
  #finalized = false;

  constructor(...given: Arguments<ScaffoldArgs, typeof names>) {
    const args = optionsOf<ScaffoldArgs>(
        'Scaffold', given, names, [], ['initFeedDict', 'localInitFeedDict']);
    const from = args.copyFromScaffold ?? null;
    if (from !== null && !(from instanceof Scaffold)) {
      throw new TensorError(
          'argument', 'copy_from_scaffold is not a Scaffold instance.');
    }
    this.initOp = args.initOp ?? from?.initOp ?? null;
    this.initFeedDict = args.initFeedDict ?? from?.initFeedDict ?? null;
    this.userInitFn = args.initFn ?? from?.userInitFn ?? null;
    const init = this.userInitFn;
    this.initFn = init && ((session) => init(this, session));
    this.readyOp = args.readyOp ?? from?.readyOp ?? null;
    this.readyForLocalInitOp =
        args.readyForLocalInitOp ?? from?.readyForLocalInitOp ?? null;
    this.localInitOp = args.localInitOp ?? from?.localInitOp ?? null;
    this.localInitFeedDict =
        args.localInitFeedDict ?? from?.localInitFeedDict ?? null;
    this.summaryOp = args.summaryOp !== undefined ? args.summaryOp :
      from?.summaryOp;
    checkTags('Scaffold', this.summaryOp);
    this.saver = args.saver ?? from?.saver ?? null;
  }

  /** Fills in what is missing and finalizes the graph; once is enough. */
  finalize(context: StorageContext): this {
    if (!this.#finalized) {
      this.#finalized = true;
      const {graph} = context;
      const piece = <T>(own: T | null, key: string, make: () => T): T =>
        own ?? Scaffold.getOrDefault(key, graph, make);
      this.initOp = piece(this.initOp, keys.initOp, () => () => {});
      const ready = (): string[] => [...graph.variables]
          .filter(([, v]) => v.isDisposed).map(([name]) => name);
      this.readyOp = piece<ReadyOp>(this.readyOp, keys.readyOp, () => ready);
      this.readyForLocalInitOp = piece<ReadyOp>(
          this.readyForLocalInitOp, keys.readyForLocalInitOp, () => ready);
      this.localInitOp =
          piece(this.localInitOp, keys.localInitOp, () => () => {});
      if (this.summaryOp === undefined) {
        this.summaryOp = Scaffold.getOrDefault<Fetches>(
            keys.summaryOp, graph, () => 'summary_op');
      }
      this.saver = piece<SaverLike | null>(
          this.saver, keys.saver,
          () => trainingStorage().makeSaver(context));
      // Collections have anything.
      const {
        initOp, readyOp, readyForLocalInitOp, localInitOp, summaryOp, saver,
      } = this;
      checkKinds('Scaffold', {
        initOp, readyOp, readyForLocalInitOp, localInitOp, saver,
      });
      checkTags('Scaffold', summaryOp);
    }
    context.graph.finalize();
    return this;
  }

  /**
   * The one item of a collection, or what `make` makes, which is put there.
   * Errors: several items.
   */
  static getOrDefault<T>(
      key: string, graph: StorageContext['graph'], make: () => T): T {
    const found = graph.getCollection(key);
    if (found.length > 1) {
      throw runtimeError(
          `More than one item in the collection "${key}". Please indicate ` +
              'which one to use by passing it to the tf.train.Scaffold ' +
              `constructor as: tf.train.Scaffold({${camelCase(key)}: item})`);
    }
    if (found.length === 1) return found[0] as T;
    const made = make();
    if (made !== null && made !== undefined && !graph.finalized) {
      graph.addToCollection(key, made);
    }
    return made;
  }

  // The same by TensorFlow's names.
  get init_op(): InitOp | null {
    return this.initOp;
  }
  get init_fn(): Scaffold['initFn'] {
    return this.initFn;
  }
  get init_feed_dict(): Feeds | null {
    return this.initFeedDict;
  }
  get ready_op(): ReadyOp | null {
    return this.readyOp;
  }
  get ready_for_local_init_op(): ReadyOp | null {
    return this.readyForLocalInitOp;
  }
  get local_init_op(): InitOp | null {
    return this.localInitOp;
  }
  get local_init_feed_dict(): Feeds | null {
    return this.localInitFeedDict;
  }
  get summary_op(): Fetches | undefined {
    return this.summaryOp;
  }
}
