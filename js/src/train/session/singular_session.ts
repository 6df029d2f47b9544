/** A monitored session without recovery. */
import {ChiefSessionCreator} from './creators.js';
import {runtimeError} from './errors.js';
import {MonitoredSession} from './monitored_session.js';
import {optionsOf} from './options.js';
import type {Arguments} from './options.js';
import type {Scaffold} from './scaffold.js';
import type {RawSession} from './session.js';
import {extraNames} from './session_args.js';
import type {MonitoredSessionArgs} from './session_args.js';

/** What a {@link SingularMonitoredSession} is made of. */
export interface SingularArgs
  extends Omit<MonitoredSessionArgs, 'sessionCreator'> {
  scaffold?: Scaffold | null;
  master?: string;
  config?: Readonly<Record<string, unknown>> | null;
  checkpointDir?: string | null;
  checkpointFilenameWithPath?: string | null;
}

const singularNames = [
  'hooks', 'scaffold', 'master', 'config', 'checkpointDir',
  'stopGracePeriodSecs', 'checkpointFilenameWithPath',
] as const;

/**
 * A monitored session that does not recover: preemptions are errors like all
 * others. It is always chief. As a class it needs `new`.
 *
 * ```js
 * const f = tf.train.fetch('f', () => tf.scalar(3));
 * const session = new tf.train.SingularMonitoredSession();
 * await session.run(f); // => 3
 * session.rawSession().graph === tf.getDefaultGraph(); // => true
 * await session.close();
 * tf.resetDefaultGraph();
 * ```
 */
export class SingularMonitoredSession extends MonitoredSession {
  static override readonly className: string = 'SingularMonitoredSession';

  constructor(...given: Arguments<SingularArgs, typeof singularNames>) {
    const {
      scaffold, master, config, checkpointDir, checkpointFilenameWithPath,
      ...rest
    } = optionsOf<SingularArgs>(
        'SingularMonitoredSession', given, singularNames,
        ['directories', ...extraNames], ['config']);
    super({
      ...rest,
      sessionCreator: new ChiefSessionCreator({
        scaffold, master, config, checkpointDir, checkpointFilenameWithPath,
      }),
    });
  }

  protected override recovers(): boolean {
    return false;
  }

  /** The session without hooks. Errors: not opened yet. */
  rawSession(): RawSession {
    const raw = this.raw();
    if (!raw) throw runtimeError('rawSession: the session is not open');
    return raw;
  }

  raw_session(): RawSession {
    return this.rawSession();
  }
}
