// A run that saves until it is killed, and then lives again: in a page, or as a dedicated Worker.
import * as lib from './library.js';

const { tf, Saver, leaseDirectory, soundState } = lib;
const length = 64 * 1024;

/** Restores what there is, tells it, then saves for ever; tells each save before and after it. */
export async function live(url, tell) {
  const v = tf.tidy(() => tf.variable(tf.zeros([length]), true, 'v'));
  const w = tf.tidy(() => tf.variable(tf.zeros([3]), true, 'w'));
  const begun = performance.now();
  const lease = await leaseDirectory(url, { log: () => {} });
  const waited = Math.round(performance.now() - begun);
  const state = await soundState(url, () => {});
  const saver = new Saver({ varList: [v, w], maxToKeep: 2, onLog: () => {} });
  let step = 0;
  let whole = true;
  if (state !== null) {
    await saver.restore(null, state.modelCheckpointPath);
    await saver.recoverLastCheckpoints(state.allModelCheckpointPaths);
    step = Number(/\d+$/.exec(state.modelCheckpointPath)[0]);
    whole = [...await v.data(), ...await w.data()].every((value) => value === step);
  }
  const names = (await lease.storage.list()).map(({ name }) => name);
  // The list, and two checkpoints of two files.
  tell('restored', step, { whole, waited, extra: names.length > 5 ? names : [] });
  for (;;) {
    step++;
    tf.tidy(() => {
      v.assign(tf.fill([length], step));
      w.assign(tf.fill([3], step));
    });
    tell('begun', step);
    await saver.save(null, `${url}/m`, { globalStep: step, writeMetaGraph: false });
    tell('done', step);
  }
}

// A Worker that is being ended still writes, but is heard no more: it keeps its book in shared memory.
if (typeof DedicatedWorkerGlobalScope !== 'undefined') {
  globalThis.onmessage = ({ data: [url, shared] }) => {
    const book = new Int32Array(shared);
    void live(url, (what, step, more) => {
      if (what === 'restored') postMessage({ step, ...more });
      else Atomics.store(book, what === 'begun' ? 0 : 1, step);
    }).catch((error) => postMessage({ error: String(error.stack) }));
  };
  postMessage('ready');
}

/** Ends Workers in the midst of saving, some times; what each of them had begun and done, and the next has found. */
export async function killWorkers(url, times) {
  const lives = [];
  for (let n = 0; n <= times; n++) {
    const worker = new Worker(new URL('./lives.js', location.origin + '/pages/training/'), { type: 'module' });
    const heard = () => new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
    });
    await heard();
    const book = new Int32Array(new SharedArrayBuffer(8));
    worker.postMessage([url, book.buffer]);
    const found = await heard();
    if (found.error) throw new Error(found.error);
    if (n > 0) Object.assign(lives[n - 1], { found });
    await new Promise((resolve) => setTimeout(resolve, 30 + Math.random() * 300));
    worker.terminate();
    lives.push({ book, from: found.step });
  }
  lives.pop();
  // Read when the next one had the lock: by then the one before was dead.
  return lives.map(({ book, from, found }) => ({ begun: book[0] || from, done: book[1] || from, found }));
}
