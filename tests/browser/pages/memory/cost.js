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
  // The op alone: nothing is registered, and freeing is not in the time.
  const op = () => {
    const inner = tf.EagerSession.options().resourceCleanupStrategy('ON_SESSION_CLOSE').build();
    const ns = timed(() => inner.run(adds));
    inner.close();
    return ns;
  };
  const ways = {
    op,
    // One tensor each, so that opening and closing the scope are its cost too.
    tidy: () => timed(() => {
      for (let i = 0; i < count; i++) tf.tidy(() => void x.add(1));
    }),
    'tidy of 100': () => timed(() => {
      for (let i = 0; i < count; i += 100) tf.tidy(() => {
        for (let k = 0; k < 100; k++) x.add(1);
      });
    }),
    dispose: () => timed(() => {
      for (let i = 0; i < count; i++) x.add(1).dispose();
    }),
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
  const { op: alone, ...rest } = medians;
  return {
    'the op alone': alone,
    ...Object.fromEntries(Object.entries(rest).map(([name, ns]) => [name, ns - alone])),
  };
}
