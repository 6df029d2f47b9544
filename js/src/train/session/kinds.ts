/** What settings may be, by their names: the same wherever they are given. */
import {shown} from '../../errors.js';
import {valueError} from './errors.js';

interface Kind {
  /** As errors tell it. */
  readonly expected: string;
  fits(x: unknown): boolean;
  /** What null is: a value, the default, or an error. */
  readonly nulls: 'kept' | 'default' | 'refused';
}

const kind = (
    expected: string, fits: (x: unknown) => boolean,
    nulls: Kind['nulls'] = 'default'): Kind => ({expected, fits, nulls});

const number = (x: unknown): x is number =>
  typeof x === 'number' && !Number.isNaN(x);

/** Lengths of time, which may be for ever. */
const seconds = (nulls: Kind['nulls']): Kind =>
  kind('a number from 0 on', (x) => number(x) && x >= 0, nulls);

const isWhole = (x: unknown): x is number =>
  Number.isInteger(x) || x === Infinity;

const whole = (nulls: Kind['nulls']): Kind =>
  kind('a whole number from 0 on', (x) => isWhole(x) && x >= 0, nulls);

/** Things with these methods. */
const having = (expected: string, ...methods: readonly string[]): Kind => kind(
    expected, (x) => methods.every((name) =>
      typeof (x as Record<string, unknown>)[name] === 'function'));

const each = (
    names: readonly string[], kind: Kind): Record<string, Kind> =>
  Object.fromEntries(names.map((name) => [name, kind]));

const kinds: Readonly<Record<string, Kind>> = {
  // Of a session's intervals, 0 and less are off.
  ...each(['saveCheckpointSecs', 'saveSummariesSecs'],
      kind('a number', number, 'kept')),
  ...each(['saveCheckpointSteps', 'saveSummariesSteps', 'logStepCountSteps'],
      kind('a whole number', isWhole, 'kept')),
  ...each(['maxQueue', 'flushSecs'], kind('a number', number)),
  ...each(['saveSecs', 'everyNSecs', 'everySecs'], seconds('kept')),
  ...each(['stopGracePeriodSecs', 'maxWaitSecs'], seconds('refused')),
  ...each(['timeoutInMs', 'operationTimeoutInMs'], seconds('default')),
  ...each([
    'saveSteps', 'everyNSteps', 'everySteps', 'numSteps', 'lastStep',
  ], whole('kept')),
  ...each(['maxRecoveries', 'maxRespawns'], whole('refused')),
  ...each([
    'traceLevel', 'interOpThreadPool', 'intraOpParallelismThreads',
  ], whole('default')),
  ...each([
    'isChief', 'saveGraphDef', 'checkpointOnHide', 'handleSignals',
    'failOnNanLoss', 'atEnd', 'showDataflow', 'showMemory',
  ], kind('true or false', (x) => typeof x === 'boolean')),
  ...each([
    'master', 'checkpointDir', 'summaryDir', 'outputDir', 'checkpointBasename',
    'checkpointFilenameWithPath', 'job',
  ], kind('a text', (x) => typeof x === 'string')),
  ...each([
    'onLog', 'open', 'formatter', 'spawn', 'onEvent', 'initOp', 'initFn',
    'readyOp', 'readyForLocalInitOp', 'localInitOp',
  ], kind('a function', (x) => typeof x === 'function')),
  waitUntilStep: kind('a number', number),
  ...each(['initFeedDict', 'localInitFeedDict', 'finalOpsFeedDict'],
      kind('an object of feeds', (x) => typeof x === 'object')),
  onSaveError: kind("'raise' or 'warn'", (x) => x === 'raise' || x === 'warn'),
  clock: having('a Clock', 'now', 'wallTime', 'sleep'),
  scaffold: having('a Scaffold', 'finalize'),
  saver: having('a Saver', 'save', 'restore', 'recoverLastCheckpoints'),
  summaryWriter: having('a writer of summaries', 'addSummary'),
  sessionCreator: having('a session creator', 'createSession'),
};

/** `saveSecs` as `save_secs`. */
export function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
}

/**
 * Removes what is null and means the default by that. Errors: settings that
 * are not what their names say.
 */
export function checkKinds(
    what: string, settings: Record<string, unknown>): void {
  for (const [name, x] of Object.entries(settings)) {
    if (!Object.hasOwn(kinds, name) || x === undefined) continue;
    const {expected, fits, nulls} = kinds[name]!;
    if (x === null && nulls === 'default') delete settings[name];
    else if (x === null ? nulls === 'refused' : !fits(x)) {
      throw valueError(
          `${what}: ${snakeCase(name)} must be ${expected}, got ${shown(x)}`);
    }
  }
}
