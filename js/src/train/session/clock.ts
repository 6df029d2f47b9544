/** Time and what is told to people: injected, so that tests need not wait. */

/** Where a session has its time from; all of it in seconds. */
export interface Clock {
  /** Never goes back; its zero means nothing. */
  now(): number;
  /** Since 1970. */
  wallTime(): number;
  /** Resolves after so many seconds, or when the signal says so. */
  sleep(seconds: number, signal?: AbortSignal): Promise<void>;
}

/** The platform's time. */
export const systemClock: Clock = {
  now: () => performance.now() / 1000,
  wallTime: () => Date.now() / 1000,
  sleep: (seconds, signal) => new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, seconds * 1000);
    signal?.addEventListener('abort', done);
  }),
};

export type LogLevel = 'info' | 'warn' | 'error';

/** Takes what a session has to say. */
export type LogFunction = (message: string, level: LogLevel) => void;

/** To the console. */
export const consoleLog: LogFunction = (message, level) => {
  if (level === 'info') console.log(message);
  else console[level](message);
};
