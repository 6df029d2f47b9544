// A worker that computes in a session of its own.
import { load } from './common.js';

const acts = {
  /** Opens a session, works in it and closes it. */
  async session() {
    const tf = await load();
    const before = tf.memory().numTensors;
    const session = tf.EagerSession.options().name('mine').resourceCleanupStrategy('ON_SESSION_CLOSE').build();
    const value = session.run(() => tf.fill([100], 2).square().sum().dataSync()[0]);
    const inside = session.memory().numTensors;
    session.close();
    return { value, inside, left: tf.memory().numTensors - before };
  },
  /** Never ends: makes tensors in a session until somebody stops it. */
  async forever() {
    const tf = await load();
    const session = tf.EagerSession.create();
    postMessage('running');
    for (;;) {
      session.run(() => void tf.fill([1024, 256], 1));
      await tf.nextTurn();
    }
  },
};

self.onmessage = async ({ data }) => {
  try {
    postMessage(await acts[data]());
  } catch (error) {
    postMessage({ error: String(error) });
  }
};
