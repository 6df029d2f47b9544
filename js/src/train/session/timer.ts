/** When something that is done every so often is due. */
import {systemClock} from './clock.js';
import type {Clock} from './clock.js';
import {valueError} from './errors.js';
import {optionsOf} from './options.js';
import type {Arguments} from './options.js';

const timerNames = ['everySecs', 'everySteps'] as const;

/** Seconds and steps since the time before, or nulls the first time. */
export type Elapsed = [secs: number, steps: number] | [null, null];

/** Settings of a {@link SecondOrStepTimer}. */
export interface TimerOptions {
  everySecs?: number | null;
  everySteps?: number | null;
  clock?: Clock;
}

/** What hooks with a timer use. */
export interface StepTimer {
  lastTriggeredStep(): number | null;
  reset(): void;
  shouldTriggerForStep(step: number): boolean;
  updateLastTriggeredStep(step: number): Elapsed;
}

/**
 * Triggers at most once every so many seconds, or steps. Takes `(everySecs,
 * everySteps)` or an object. Errors: not exactly one of the two.
 *
 * ```js
 * const timer = new tf.train.SecondOrStepTimer({everySteps: 10});
 * timer.shouldTriggerForStep(1); // => true
 * timer.updateLastTriggeredStep(1); // => [null, null]
 * timer.shouldTriggerForStep(10); // => false
 * timer.shouldTriggerForStep(11); // => true
 * ```
 */
export class SecondOrStepTimer implements StepTimer {
  static readonly className: string = 'SecondOrStepTimer';
  readonly #everySecs: number | null;
  readonly #everySteps: number | null;
  #clock: Clock;
  #step: number | null = null;
  #time = 0;

  constructor(...given: Arguments<TimerOptions, typeof timerNames>) {
    const {everySecs = null, everySteps = null, clock = systemClock} =
        optionsOf<TimerOptions>(
            'SecondOrStepTimer', given, timerNames, ['clock']);
    if (everySecs === null && everySteps === null) {
      throw valueError('Either every_secs or every_steps should be provided.');
    }
    if (everySecs !== null && everySteps !== null) {
      throw valueError('Can not provide both every_secs and every_steps.');
    }
    this.#everySecs = everySecs;
    this.#everySteps = everySteps;
    this.#clock = clock;
  }

  /** Measures with another clock from now on. */
  useClock(clock: Clock): void {
    this.#clock = clock;
  }

  /** Forgets when it triggered. */
  reset(): void {
    this.#step = null;
  }

  /** True for a step at which it is due. */
  shouldTriggerForStep(step: number): boolean {
    if (this.#step === null) return true;
    if (step === this.#step) return false;
    return this.#everySecs !== null ?
      this.#clock.now() >= this.#time + this.#everySecs :
      step >= this.#step + this.#everySteps!;
  }

  /** Notes that it triggered; says what has passed since the time before. */
  updateLastTriggeredStep(step: number): Elapsed {
    const [time, before, last] = [this.#clock.now(), this.#time, this.#step];
    this.#time = time;
    this.#step = step;
    return last === null ? [null, null] : [time - before, step - last];
  }

  lastTriggeredStep(): number | null {
    return this.#step;
  }

  // The same by TensorFlow's names.
  should_trigger_for_step(step: number): boolean {
    return this.shouldTriggerForStep(step);
  }
  update_last_triggered_step(step: number): Elapsed {
    return this.updateLastTriggeredStep(step);
  }
  last_triggered_step(): number | null {
    return this.#step;
  }
}

/** Never triggers. */
export class NeverTriggerTimer implements StepTimer {
  static readonly className: string = 'NeverTriggerTimer';

  shouldTriggerForStep(_step: number): boolean {
    return false;
  }
  updateLastTriggeredStep(_step: number): Elapsed {
    return [null, null];
  }
  lastTriggeredStep(): number | null {
    return null;
  }
  reset(): void {}
}
