/** What hooks are given before and after a run, and may ask for. */
import type {Fetches} from './fetches.js';
import type {Feeds} from './placeholder.js';
import type {RawSession, RunMetadata, RunOptions} from './session.js';

/** What a hook wants to add to a run, as a plain object. */
export interface RunWishes {
  fetches?: Fetches | null;
  feedDict?: Feeds | null;
  options?: RunOptions | null;
}

/** What a hook wants to add to a run. */
export class SessionRunArgs {
  static readonly className: string = 'SessionRunArgs';

  constructor(
      readonly fetches: Fetches | null = null,
      readonly feedDict: Feeds | null = null,
      readonly options: RunOptions | null = null) {}

  get feed_dict(): Feeds | null {
    return this.feedDict;
  }
}

/** The run about to be made, or just made. */
export class SessionRunContext {
  static readonly className: string = 'SessionRunContext';
  #stop = false;

  constructor(
      readonly originalArgs: SessionRunArgs, readonly session: RawSession) {}

  /** True once a hook wants this run to be the last. */
  get stopRequested(): boolean {
    return this.#stop;
  }

  /** Makes this run the last. */
  requestStop(): void {
    this.#stop = true;
  }

  // The same by TensorFlow's names.
  get original_args(): SessionRunArgs {
    return this.originalArgs;
  }
  get stop_requested(): boolean {
    return this.#stop;
  }
  request_stop(): void {
    this.requestStop();
  }
}

/** What a run gave a hook. */
export class SessionRunValues {
  static readonly className: string = 'SessionRunValues';

  constructor(
      /** In the nesting of the hook's fetches; null when it had none. */
      readonly results: unknown, readonly options: RunOptions,
      readonly runMetadata: RunMetadata) {}

  get run_metadata(): RunMetadata {
    return this.runMetadata;
  }
}
