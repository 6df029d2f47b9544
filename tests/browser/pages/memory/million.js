// A million small tensors: what stays, and how long tasks of the library are.
import { collect, load, sleep } from './common.js';

/** Times the handlers of message channels made from now on. */
function watchTasks() {
  const Original = globalThis.MessageChannel;
  const durations = [];
  globalThis.MessageChannel = class extends Original {
    constructor() {
      super();
      const { port1 } = this;
      const { set, get } = Object.getOwnPropertyDescriptor(globalThis.MessagePort.prototype, 'onmessage');
      Object.defineProperty(port1, 'onmessage', {
        get: () => get.call(port1),
        set(handler) {
          set.call(port1, (event) => {
            const start = performance.now();
            handler(event);
            durations.push(performance.now() - start);
          });
        },
      });
    }
  };
  return durations;
}

const jsHeap = () => {
  globalThis.gc?.();
  return performance.memory?.usedJSHeapSize ?? 0;
};

/** Makes and frees `count` tensors in each of the ways; nothing grows. */
export async function freed({ count }) {
  const tf = await load();
  const x = tf.tensor1d([1, 2, 3, 4]);
  const batch = 1000;
  const ways = {
    dispose: () => {
      for (let i = 0; i < batch; i++) x.add(1).dispose();
    },
    tidy: () => tf.tidy(() => {
      for (let i = 0; i < batch; i++) x.add(1);
    }),
    tidyEach: () => {
      for (let i = 0; i < batch; i++) tf.tidy(() => x.add(1) && undefined);
    },
  };
  const found = {};
  for (const [name, way] of Object.entries(ways)) {
    for (let i = 0; i < 20; i++) way();
    await sleep(20);
    const before = { ...tf.memory(), js: jsHeap() };
    const start = performance.now();
    for (let i = 0; i < count; i += batch) way();
    const ns = (performance.now() - start) * 1e6 / count;
    await sleep(20);
    const after = { ...tf.memory(), js: jsHeap() };
    found[name] = {
      ns, left: after.numTensors - before.numTensors, heap: after.heapBytes - before.heapBytes,
      pool: after.numBytesInPool - before.numBytesInPool, js: after.js - before.js,
    };
  }
  return found;
}

/** Drops `count` tensors at top level, one after another, and has them collected. */
export async function dropped({ count, rounds = 1 }) {
  const durations = watchTasks();
  const tf = await load();
  const x = tf.tensor1d([1, 2, 3, 4]);
  const start = tf.memory();
  const heaps = [];
  let makeMs = 0;
  let collected = true;
  for (let round = 0; round < rounds; round++) {
    const begin = performance.now();
    for (let i = 0; i < count; i++) x.add(1);
    makeMs += performance.now() - begin;
    const goal = start.reclaimed + (round + 1) * count;
    // The engine may keep the last one in a register or on its stack.
    collected &&= await collect(() => tf.memory().reclaimed >= goal - 2 * (round + 1));
    heaps.push(tf.memory().heapBytes);
  }
  const end = tf.memory();
  return {
    collected, heaps, nsToMake: makeMs * 1e6 / count / rounds,
    reclaimed: end.reclaimed - start.reclaimed, left: end.numTensors - start.numTensors,
    pending: end.pendingFinalizers, tasks: durations.sort((a, b) => b - a),
  };
}
