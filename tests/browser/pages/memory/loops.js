// Long loops that make tensors of 4 MB: what is in memory meanwhile.
import { load, turns } from './common.js';

const shape = [1024, 1024];
/** A value of its own for each step, exact in float32. */
const valueAt = (step) => step + 0.5;

/** The last element: written last, so right only when nobody else has written there. */
const last = (tf, x) => tf.tidy(() => x.slice([1023, 1023], [1, 1]).dataSync()[0]);

/**
 * Makes a tensor each step and never disposes of one; `hold` of them stay
 * reachable. Each is read when it is dropped.
 */
export async function leak({ steps, hold, turn }) {
  const tf = await load();
  const next = turns[turn];
  const held = [];
  let wrong = 0;
  tf.memory.resetPeak();
  const start = performance.now();
  for (let step = 0; step < steps; step++) {
    held.push(tf.fill(shape, valueAt(step)));
    if (held.length > hold) {
      const oldest = held.shift();
      if (last(tf, oldest) !== valueAt(step - hold)) wrong++;
    }
    await next();
  }
  return report(tf, start, { wrong, alive: held.filter((x) => !x.isDisposed).length });
}

/** The same work, every tensor freed by hand. `how` is tidy, dispose or session. */
export async function careful({ steps, turn, how }) {
  const registered = countRegistrations();
  const tf = await load();
  const next = turns[turn];
  const work = (step) => {
    const x = tf.fill(shape, valueAt(step));
    const y = x.add(1);
    return [x, y];
  };
  const ways = {
    tidy: (step) => tf.tidy(() => void work(step)),
    dispose: (step) => tf.dispose(work(step)),
    session: (step) => {
      const session = tf.EagerSession.create();
      session.run(() => work(step));
      session.close();
    },
  };
  tf.memory.resetPeak();
  const start = performance.now();
  for (let step = 0; step < steps; step++) {
    ways[how](step);
    await next();
  }
  await turns.setTimeout();
  return report(tf, start, { registered: registered() });
}

/** Counts calls of `register` of registries made from now on. */
function countRegistrations() {
  const { register } = FinalizationRegistry.prototype;
  let count = 0;
  FinalizationRegistry.prototype.register = function (...args) {
    count++;
    return register.apply(this, args);
  };
  return () => count;
}

function report(tf, start, more) {
  const { numTensors, peakBytes, heapBytes, rescues, failedRescues, lastRescueMs, reclaimed } = tf.memory();
  return {
    ms: performance.now() - start,
    numTensors, peakBytes, heapBytes, rescues, failedRescues, lastRescueMs, reclaimed, ...more,
  };
}
