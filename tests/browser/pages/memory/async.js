// Async functions that interleave, each with a scope of its own.
import { load, randomFrom, sleep } from './common.js';

/** Waits that end in another order than they began. */
const wait = (random) => (random() < 0.3 ? Promise.resolve() : sleep(random() * 12));

/** One function's work in the form `tidyAsync`. */
function withRun(tf, i, random) {
  return tf.tidyAsync(async (s) => {
    let x = s.run(() => tf.fill([8], i));
    for (let step = 1; step <= 5; step++) {
      await wait(random);
      x = s.run(() => x.add(tf.ones([8])).mul(1));
      const inner = await s.tidyAsync(async (t) => {
        const y = t.run(() => x.square().sqrt());
        await wait(random);
        return t.run(() => y.mean());
      });
      if (Math.abs((await inner.data())[0] - i - step) > 1e-4) throw new Error(`wrong in ${i} at ${step}`);
    }
    return s.run(() => x.sum());
  });
}

/** The same in the form `tidyGen`. */
function withGenerator(tf, i, random) {
  return tf.tidyGen(function* () {
    let x = tf.fill([8], i);
    for (let step = 1; step <= 5; step++) {
      yield wait(random);
      x = x.add(tf.ones([8])).mul(1);
      const inner = x.square().sqrt().mean();
      const [value] = yield inner.data();
      if (Math.abs(value - i - step) > 1e-4) throw new Error(`wrong in ${i} at ${step}`);
    }
    return x.sum();
  });
}

/** Runs 40 of them at once, every fifth ending by an error of its own. */
export async function interleave({ form, seed }) {
  const tf = await load();
  const random = randomFrom(seed);
  const before = tf.memory().numTensors;
  const forms = { run: [withRun], generator: [withGenerator], both: [withRun, withGenerator] }[form];
  const settled = await Promise.allSettled(Array.from({ length: 40 }, (_, i) => forms[i % forms.length](tf, i, random)));
  const failing = await Promise.allSettled(Array.from({ length: 40 }, (_, i) =>
    tf.tidyAsync(async (s) => {
      s.run(() => tf.ones([4]).add(i));
      await wait(random);
      s.run(() => tf.ones([4]).add(i));
      if (i % 5 === 0) throw new Error('meant');
    })));
  const sums = settled.map(({ value }) => value?.dataSync()[0]);
  for (const { value } of settled) value?.dispose();
  return {
    errors: settled.filter(({ status }) => status === 'rejected').map(({ reason }) => String(reason)),
    sums,
    meant: failing.filter(({ reason }) => reason?.message === 'meant').length,
    left: tf.memory().numTensors - before,
  };
}
