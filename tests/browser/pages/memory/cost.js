// What the end of a tensor costs, in nanoseconds over the op that made it.
import { collect, load, sleep } from './common.js';

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Medians of `rounds` rounds of `count` tensors, the ways taken in turns. */
export async function cost({ rounds, count }) {
  const tf = await load();
  const x = tf.keep(tf.tensor1d([1, 2, 3, 4]));
  const adds = () => {
    for (let i = 0; i < count; i++) x.add(1);
  };
  const timed = (act) => {
    const start = performance.now();
    act();
    return (performance.now() - start) * 1e6 / count;
  };
  const disposed = () => {
    for (let i = 0; i < count; i++) x.add(1).dispose();
  };
  // Nothing is registered in such a session.
  const unregistered = (act) => {
    const inner = tf.EagerSession.options().resourceCleanupStrategy('ON_SESSION_CLOSE').build();
    const ns = timed(() => inner.run(act));
    inner.close();
    return ns;
  };
  const ways = {
    op: () => unregistered(adds),
    'op and dispose': () => unregistered(disposed),
    // One tensor each, so that opening and closing the scope are its cost too.
    'tidy each': () => timed(() => {
      for (let i = 0; i < count; i++) tf.tidy(() => void x.add(1));
    }),
    tidy: () => timed(() => {
      for (let i = 0; i < count; i += 100) tf.tidy(() => {
        for (let k = 0; k < 100; k++) x.add(1);
      });
    }),
    'top level, disposed': () => timed(disposed),
    // What a finalizer starts: the name is queued, and freed at a safe point.
    finalizer: () => {
      const inner = tf.EagerSession.options().resourceCleanupStrategy('ON_SAFE_POINTS').build();
      const made = inner.run(() => Array.from({ length: count }, () => x.add(1)));
      const ns = timed(() => {
        inner.simulateCollect(made);
        inner.safePoint();
      });
      inner.close();
      return ns;
    },
    'top level': () => timed(adds),
  };
  const found = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let round = -3; round < rounds; round++) {
    for (const [name, way] of Object.entries(ways)) {
      const before = tf.memory();
      const ns = way();
      if (round >= 0) found[name].push(ns);
      if (name !== 'top level') continue;
      // What has been dropped is collected before the next one is timed.
      await sleep(5);
      await collect(() => tf.memory().numTensors <= before.numTensors + 10);
    }
  }
  x.dispose();
  const medians = Object.fromEntries(Object.entries(found).map(([name, values]) => [name, median(values)]));
  const { op, 'op and dispose': opAndDispose } = medians;
  return {
    'the op': op,
    'the op and its dispose': opAndDispose,
    'tidy of 100, over the op': medians.tidy - op,
    'tidy of one, over the op': medians['tidy each'] - op,
    'dispose, over the op': opAndDispose - op,
    'deferred registration of what is disposed': medians['top level, disposed'] - opAndDispose,
    'registration of what is dropped': medians['top level'] - op,
    'finalizer: queue and free': medians.finalizer,
  };
}
