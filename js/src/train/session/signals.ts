/** Signals of a Node process: the first ends training, the second the process. */
import type {LogFunction} from './clock.js';

interface NodeProcess {
  on(signal: string, f: () => void): void;
  off(signal: string, f: () => void): void;
  exit(code: number): void;
}

const numbers = {SIGINT: 2, SIGTERM: 15};

/** Calls `stop` at the first signal; returns what ends listening. */
export function onSignals(
    stop: () => void, log: LogFunction,
    process: NodeProcess | undefined =
        (globalThis as {process?: NodeProcess & {versions?: {node?: string}}})
            .process): () => void {
  if (typeof process?.on !== 'function' || typeof process.off !== 'function') {
    return () => {};
  }
  let seen = false;
  const listeners = Object.entries(numbers).map(([signal, number]) => {
    const listener = (): void => {
      if (seen) {
        process.exit(128 + number);
        return;
      }
      seen = true;
      log(`${signal}: training ends after this step; again to exit at once.`,
          'warn');
      stop();
    };
    process.on(signal, listener);
    return [signal, listener] as const;
  });
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
}
