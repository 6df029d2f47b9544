/** `MonitoredTrainingSession`: the usual hooks around a session. */
import {consoleLog} from './clock.js';
import {
  ChiefSessionCreator, WorkerSessionCreator, chiefByDefault,
} from './creators.js';
import {isCleanEnd, runtimeError, valueError} from './errors.js';
import {checkHooks} from './hook.js';
import type {Hook} from './hook.js';
import {CheckpointSaverHook} from './hooks/checkpoint.js';
import {StepCounterHook, SummarySaverHook} from './hooks/summary.js';
import {MonitoredSession} from './monitored_session.js';
import {USE_DEFAULT, isPlain, optionsOf} from './options.js';
import type {Arguments, EitherCase} from './options.js';
import {directoryName, settled} from './run_directory.js';
import {Scaffold} from './scaffold.js';
import {extraNames} from './session_args.js';
import type {SessionExtras} from './session_args.js';

/** A number, none (null), or the default. */
export type Setting = number | null | typeof USE_DEFAULT | undefined;

/** The sixteen arguments of TensorFlow's function, in its order. */
export const argumentNames = [
  'master', 'isChief', 'checkpointDir', 'scaffold', 'hooks', 'chiefOnlyHooks',
  'saveCheckpointSecs', 'saveSummariesSteps', 'saveSummariesSecs', 'config',
  'stopGracePeriodSecs', 'logStepCountSteps', 'maxWaitSecs',
  'saveCheckpointSteps', 'summaryDir', 'saveGraphDef',
] as const;

/** The same by name; also in snake_case. */
export interface MonitoredTrainingSessionArgs extends SessionExtras {
  /** `''` is this page or worker. */
  master?: string;
  /**
   * False for workers that wait for a chief; tasks of a job know it by
   * themselves.
   */
  isChief?: boolean;
  /** Where checkpoints are, to restore from and to write to. */
  checkpointDir?: string | null;
  scaffold?: Scaffold | null;
  hooks?: readonly Hook[] | null;
  chiefOnlyHooks?: readonly Hook[] | null;
  /** 600 unless steps are given; null for none. */
  saveCheckpointSecs?: Setting;
  /** 100 unless seconds are given; null for none. */
  saveSummariesSteps?: Setting;
  saveSummariesSecs?: Setting;
  config?: Readonly<Record<string, unknown>> | null;
  /** How long `close` waits for helpers. */
  stopGracePeriodSecs?: number;
  /** Null or 0 for no log of the speed. */
  logStepCountSteps?: number | null;
  /** How long a worker waits for its chief. */
  maxWaitSecs?: number;
  saveCheckpointSteps?: Setting;
  /** Where event files are; `checkpointDir` by default. */
  summaryDir?: string | null;
  saveGraphDef?: boolean;
}

/** Arguments in either case. */
export type TrainingSessionOptions = EitherCase<MonitoredTrainingSessionArgs>;

const given = (x: Setting): x is number | null =>
  x !== undefined && x !== USE_DEFAULT;

/** Two settings of which at most one counts, and the default of one of them. */
function pair(
    first: Setting, second: Setting,
    byDefault: number): [number | null, number | null] {
  if (!given(first) && !given(second)) return [byDefault, null];
  return [given(first) ? first : null, given(second) ? second : null];
}

const on = (x: number | null): boolean => x !== null && x > 0;

/** The intervals that a session will use; see the defaults of the arguments. */
export function intervals(args: MonitoredTrainingSessionArgs): {
  summarySteps: number | null, summarySecs: number | null,
  checkpointSecs: number | null, checkpointSteps: number | null,
} {
  const [summarySteps, summarySecs] =
      pair(args.saveSummariesSteps, args.saveSummariesSecs, 100);
  let [checkpointSecs, checkpointSteps] =
      pair(args.saveCheckpointSecs, args.saveCheckpointSteps, 600);
  if (checkpointSecs !== null && checkpointSteps !== null) {
    (args.onLog ?? consoleLog)(
        'MonitoredTrainingSession: both save_checkpoint_secs ' +
            `(${checkpointSecs}) and save_checkpoint_steps ` +
            `(${checkpointSteps}) are given; only the ` +
            `${on(checkpointSecs) ? 'seconds' : 'steps'} are used.`, 'warn');
    if (on(checkpointSecs)) checkpointSteps = null;
    else checkpointSecs = null;
  }
  return {summarySteps, summarySecs, checkpointSecs, checkpointSteps};
}

const sameDirectory = (a: string | null, b: string): boolean =>
  a !== null && directoryName(a) === directoryName(b);

function build(args: MonitoredTrainingSessionArgs): MonitoredSession {
  const {
    master = '', isChief = chiefByDefault(master), maxWaitSecs = 7200,
    stopGracePeriodSecs = 120, saveGraphDef = true,
  } = args;
  const {config = null, scaffold = new Scaffold()} = args;
  const extras = Object.fromEntries(extraNames
      .filter((name) => args[name] !== undefined)
      .map((name) => [name, args[name]]));
  const own = checkHooks('hooks', args.hooks);
  if (!isChief) {
    return new MonitoredSession({
      ...extras, stopGracePeriodSecs, hooks: own,
      sessionCreator:
        new WorkerSessionCreator({scaffold, master, config, maxWaitSecs}),
    });
  }
  if (args.checkpointDir?.startsWith('downloads://')) {
    throw valueError(
        `checkpoint_dir: '${args.checkpointDir}' cannot be read again; use opfs://, ` +
            'indexeddb:// or memory://, and download the directory from there');
  }
  const checkpointDir = args.checkpointDir ? settled(args.checkpointDir) : null;
  const summaryDir = args.summaryDir ? settled(args.summaryDir) : checkpointDir;
  const {summarySteps, summarySecs, checkpointSecs, checkpointSteps} =
      intervals(args);
  const logSteps =
      args.logStepCountSteps === undefined ? 100 : args.logStepCountSteps;
  const chiefOnly = checkHooks('chief_only_hooks', args.chiefOnlyHooks);
  const theirs = [...chiefOnly, ...own];
  const hooks: Hook[] = chiefOnly;
  const replaced = (what: string, directory: string): void =>
    (args.onLog ?? consoleLog)(
        `MonitoredTrainingSession: your ${what} for ${directory} takes the ` +
            'place of the built-in one.', 'warn');
  if (summaryDir && logSteps !== null && logSteps > 0) {
    hooks.push(new StepCounterHook(
        {everyNSteps: logSteps, outputDir: summaryDir}));
  }
  if (summaryDir && (on(summarySteps) || on(summarySecs))) {
    if (theirs.some((hook) => hook instanceof SummarySaverHook &&
        sameDirectory(hook.outputDir, summaryDir))) {
      replaced('SummarySaverHook', summaryDir);
    } else {
      hooks.push(new SummarySaverHook({
        saveSteps: summarySteps, saveSecs: summarySecs, outputDir: summaryDir,
        scaffold,
      }));
    }
  }
  if (checkpointDir && (on(checkpointSecs) || on(checkpointSteps))) {
    if (theirs.some((hook) => hook instanceof CheckpointSaverHook &&
        sameDirectory(hook.checkpointDir, checkpointDir))) {
      replaced('CheckpointSaverHook', checkpointDir);
    } else {
      hooks.push(new CheckpointSaverHook({
        checkpointDir, saveSecs: checkpointSecs, saveSteps: checkpointSteps,
        scaffold, saveGraphDef,
      }));
    }
  }
  const directories = [...new Set(
      [checkpointDir, summaryDir].filter((d): d is string => Boolean(d)))];
  return new MonitoredSession({
    ...extras, stopGracePeriodSecs, directories, checkpointDir,
    hooks: [...hooks, ...own],
    sessionCreator:
      new ChiefSessionCreator({scaffold, master, config, checkpointDir}),
  });
}

async function openSession(
    given: readonly unknown[]): Promise<MonitoredSession> {
  return build(optionsOf<MonitoredTrainingSessionArgs>(
      'MonitoredTrainingSession', given, argumentNames, extraNames,
      ['config'])).open();
}

/**
 * Opens a training session that restores from and saves to `checkpointDir`,
 * writes summaries, calls hooks, and recovers from preemptions. Takes an object
 * of options, or TensorFlow's sixteen arguments in their order: master,
 * isChief, checkpointDir, scaffold, hooks, chiefOnlyHooks, saveCheckpointSecs,
 * saveSummariesSteps, saveSummariesSecs, config, stopGracePeriodSecs,
 * logStepCountSteps, maxWaitSecs, saveCheckpointSteps, summaryDir,
 * saveGraphDef. Close it yourself, or use `withMonitoredTrainingSession`.
 *
 * | beyond TensorFlow's | |
 * |---|---|
 * | `clock` | where time comes from |
 * | `onLog(message, level)` | takes what would go to the console |
 * | `checkpointOnHide` | save when the page is hidden; true |
 * | `handleSignals` | in Node, end cleanly at SIGINT and SIGTERM; true |
 * | `onSaveError` | `'raise'`, or `'warn'` to go on training |
 * | `maxRecoveries` | in a row before the error goes on; 10 |
 *
 * The state of random generators and the position in the data are not in
 * checkpoints. Errors: arguments that contradict each other; of hooks; what
 * restoring finds wrong.
 *
 * ```js
 * const train = tf.train.step('train', () => ({loss: tf.scalar(0.5)}));
 * const sess = await tf.train.MonitoredTrainingSession(
 *     {hooks: [new tf.train.StopAtStepHook(2)]});
 * const losses = [];
 * while (!sess.shouldStop()) losses.push((await sess.run(train)).loss);
 * await sess.close();
 * losses; // => [0.5, 0.5]
 * tf.resetDefaultGraph();
 * ```
 */
export function MonitoredTrainingSession(
    ...given: Arguments<MonitoredTrainingSessionArgs, typeof argumentNames>)
    : Promise<MonitoredSession> {
  // Not async itself: programs call it with `new` too.
  return openSession(given);
}

/**
 * Opens a session, calls `fn` with it and closes it. When `fn` throws
 * `OutOfRangeError` (the data has ended) or `StopIteration`, that is a clean
 * end; other errors are thrown on, and hooks' `end` is not called. Resolves to
 * what `fn` returns.
 *
 * Errors: as `MonitoredTrainingSession`, and those of `fn`.
 *
 * ```js
 * const train = tf.train.step('train', () => ({loss: tf.scalar(0.5)}));
 * await tf.train.withMonitoredTrainingSession({}, async (sess) => {
 *   await sess.run(train);
 *   return sess.run('global_step');
 * }); // => 1
 * tf.resetDefaultGraph();
 * ```
 */
export async function withMonitoredTrainingSession<T>(
    options: TrainingSessionOptions,
    fn: (session: MonitoredSession) => T | Promise<T>): Promise<T | undefined> {
  if (!isPlain(options) || typeof fn !== 'function') {
    throw valueError(
        'withMonitoredTrainingSession: expected options and a function');
  }
  const session = await MonitoredTrainingSession(options);
  let result: T;
  try {
    result = await fn(session);
  } catch (error) {
    // To `exit`, undefined is no error.
    if (!session.closed) {
      await session.exit(error ?? runtimeError(`${String(error)} was thrown`));
    }
    if (isCleanEnd(error)) return undefined;
    throw error;
  }
  if (!session.closed) await session.exit(undefined);
  return result;
}
