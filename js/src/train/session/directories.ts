/** The directories that a session writes to: its own and those of its hooks. */
import type {DirectoryClaim} from './contracts.js';
import {trainingStorage} from './contracts.js';
import {FailedPreconditionError} from './errors.js';
import type {Hook, HookEnvironment} from './hook.js';
import {CheckpointSaverHook} from './hooks/checkpoint.js';
import {ProfilerHook} from './hooks/profiler.js';
import {StepCounterHook, SummarySaverHook} from './hooks/summary.js';
import {directoryName, trimmed} from './run_directory.js';

/** Where a hook writes events, if it is one that does. */
function outputOf(hook: Hook): string | null {
  return hook instanceof SummarySaverHook || hook instanceof StepCounterHook ||
      hook instanceof ProfilerHook ? hook.outputDir : null;
}

// Where a session of this realm trains. The lock is the realm's, for its Savers
// and hooks too, so it does not keep two such sessions apart.
const trained = new Set<string>();

/** Directories from a session's first moment to its last. */
export class Directories {
  // By their names: as they are written, and whether others are kept out. Event
  // files have names of their own, so only checkpoints need that.
  readonly #used = new Map<string, {directory: string, lock: boolean}>();
  readonly #claims: DirectoryClaim[] = [];

  readonly #checkpointDir: string | null;
  #trains: string | undefined;

  constructor(
      own: readonly string[], hooks: readonly Hook[],
      checkpointDir: string | null = null) {
    this.#checkpointDir = checkpointDir;
    for (const directory of own) this.#use(directory, true);
    for (const hook of hooks) {
      if (hook instanceof CheckpointSaverHook) {
        this.#use(hook.checkpointDir, true);
      }
    }
    for (const directory of hooks.map(outputOf)) {
      if (directory !== null) this.#use(directory, false);
    }
  }

  #use(directory: string, lock: boolean): void {
    const name = directoryName(directory);
    if (this.#used.has(name)) return;
    this.#used.set(name, {directory: trimmed(directory), lock});
  }

  /**
   * Takes them. Errors: FailedPrecondition when another realm has one, or
   * another session of this realm the checkpoints.
   */
  async claim(environment: HookEnvironment): Promise<void> {
    const dir = this.#checkpointDir;
    if (dir) {
      const name = directoryName(dir);
      if (trained.has(name)) {
        throw new FailedPreconditionError(
            `checkpoint_dir: another session that is open here trains in '${
              trimmed(dir)}': close it first`);
      }
      trained.add(name);
      this.#trains = name;
    }
    for (const {directory, lock} of this.#used.values()) {
      this.#claims.push(
          await trainingStorage().claim(directory, environment, lock));
    }
  }

  /** Writes the events that wait. */
  async flush(environment: HookEnvironment): Promise<void> {
    for (const {directory} of this.#used.values()) {
      await (await trainingStorage().writer(directory, environment)).flush();
    }
  }

  /**
   * False when one had been let go, so that others may have written there.
   * Errors: FailedPrecondition when another realm has one now.
   */
  async revalidate(): Promise<boolean> {
    let all = true;
    for (const claim of this.#claims) all = await claim.revalidate() && all;
    return all;
  }

  /** Lets go of all of them. Errors: the first of those. */
  async release(): Promise<void> {
    const done = await Promise.allSettled(
        this.#claims.splice(0).map((claim) => claim.release()));
    if (this.#trains) trained.delete(this.#trains);
    this.#trains = undefined;
    for (const result of done) {
      if (result.status === 'rejected') throw result.reason;
    }
  }
}
