// The page's own hooks: methods may be written in camelCase or snake_case.
import * as tf from 'tidemark';

import type { FromWorker } from './protocol.js';

const globalStep = (): number => tf.train.getGlobalStep()!.number;

type Fetch = ReturnType<typeof tf.train.fetch>;

/** Writes a fetch's value to the event file as often as checkpoints are saved. */
export class HeldOutHook extends tf.train.SessionRunHook {
  readonly #fetch: Fetch;
  readonly #directory: string;
  readonly #timer: InstanceType<typeof tf.train.SecondOrStepTimer>;

  constructor(fetch: Fetch, directory: string, everySteps: number) {
    super();
    this.#fetch = fetch;
    this.#directory = directory;
    this.#timer = new tf.train.SecondOrStepTimer({ everySteps });
  }

  override async after_create_session(session: tf.RawSession): Promise<void> {
    await this.#evaluate(session);
  }

  override async after_run(context: { session: tf.RawSession }): Promise<void> {
    if (!this.#timer.shouldTriggerForStep(globalStep())) return;
    await this.#evaluate(context.session);
  }

  override async end(session: tf.RawSession): Promise<void> {
    if (this.#timer.lastTriggeredStep() === globalStep()) return;
    await this.#evaluate(session);
  }

  async #evaluate(session: tf.RawSession): Promise<void> {
    const step = globalStep();
    this.#timer.updateLastTriggeredStep(step);
    const share = await session.run<unknown>(this.#fetch);
    const writer = tf.summary.FileWriterCache.get(this.#directory);
    writer.addSummary({ [this.#fetch.name]: share as number }, step);
  }
}

/** Events reach the file at least so often, in milliseconds, for the charts. */
const RHYTHM = 400;

/** Tells the page what happens, and flushes events for its charts. */
export class TellingHook extends tf.train.SessionRunHook {
  readonly #directory: string;
  readonly #tell: (message: FromWorker) => void;
  #told = 0;

  constructor(directory: string, tell: (message: FromWorker) => void) {
    super();
    this.#directory = directory;
    this.#tell = tell;
  }

  #log(text: string): void {
    this.#tell({ kind: 'log', speaker: 'hook', text, level: 'info' });
  }

  /** Writes the events that wait, and tells the page to read. */
  async flush(): Promise<void> {
    this.#told = performance.now();
    await tf.summary.FileWriterCache.get(this.#directory).flush();
    this.#tell({ kind: 'written' });
  }

  override begin(): void {
    this.#log('begin');
  }

  override async afterCreateSession(): Promise<void> {
    const step = globalStep();
    this.#log(`after_create_session at step ${step}`);
    this.#tell({ kind: 'created', step });
    await this.flush();
  }

  override async afterRun(): Promise<void> {
    this.#tell({ kind: 'step', step: globalStep() });
    if (performance.now() - this.#told >= RHYTHM) await this.flush();
  }

  override async end(): Promise<void> {
    this.#log(`end at step ${globalStep()}`);
    await this.flush();
  }
}
