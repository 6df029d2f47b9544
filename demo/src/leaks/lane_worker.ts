// What the workers of both libraries have in common: one order, one loop.
import type { Api } from './api.js';
import { loop } from './loop.js';
import type { StepName } from './lanes.js';
import type { FromLane, Order, Sample } from './protocol.js';
import * as careless from './steps/careless.js';
import * as safePoints from './steps/safe_points.js';
import * as session from './steps/session.js';
import * as tidy from './steps/tidy.js';
import * as using from './steps/using.js';

interface Strategy {
  prepare?: (tf: Api) => void;
  step: (tf: Api, n: number) => Promise<number | undefined>;
}

const steps: Record<StepName, Strategy> = {
  careless, tidy, using, session, safe_points: safePoints,
};

function report(message: FromLane): void {
  postMessage(message);
}

class Capped extends Error {}

/**
 * Waits for the order, loads the library (`start` answers with its name), waits
 * for the word to go and runs the loop; `measure` looks after each step.
 */
export function obey(
  tf: Api,
  start: (order: Order) => Promise<string>,
  measure: () => Omit<Sample, 'step' | 'ms'>,
): void {
  let go: () => void;
  const going = new Promise<void>((resolve) => {
    go = resolve;
  });
  const carryOut = async (order: Order): Promise<void> => {
    const { prepare, step } = steps[order.step];
    report({ kind: 'ready', library: await start(order) });
    await going;
    prepare?.(tf);
    let before = performance.now();
    const look = (n: number): void => {
      const now = performance.now();
      const figures = measure();
      report({ kind: 'sample', step: n + 1, ms: now - before, ...figures });
      before = now;
      if (figures.heap >= order.cap) throw new Capped();
    };
    await loop(order.steps, (n) => step(tf, n), look);
  };
  self.onmessage = ({ data }: MessageEvent<Order | 'go'>) => {
    if (data === 'go') return go();
    carryOut(data).then(
      () => report({ kind: 'done' }),
      (error: unknown) => {
        if (error instanceof Capped) return report({ kind: 'capped' });
        report({ kind: 'died', message: String(error) });
      },
    );
  };
}
