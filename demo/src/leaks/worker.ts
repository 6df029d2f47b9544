// A lane on Tidemark. Each run has a worker, and so an engine, of its own.
import * as tf from 'tidemark';

import { obey } from './lane_worker.js';
import type { Order } from './protocol.js';

async function start({ budget }: Order): Promise<string> {
  await tf.ready();
  tf.memory.setBudget({ soft: budget });
  return `Tidemark ${tf.version.tidemark}, ${tf.getVariant()}`;
}

obey(tf, start, () => {
  const m = tf.memory();
  return {
    live: m.numBytes,
    peak: m.peakBytes,
    heap: m.heapBytes,
    pending: m.pendingFinalizers,
    reclaimed: m.reclaimed,
    rescues: m.rescues,
    rescueMs: m.lastRescueMs,
  };
});
