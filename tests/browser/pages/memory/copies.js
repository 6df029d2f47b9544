// Workers, and several copies of the library in one page.
import { collect, load, sleep, thrownBy } from './common.js';

/** Starts a worker and hands it one word; resolves to its first answer. */
function ask(word) {
  const worker = new Worker('/pages/memory/worker.js', { type: 'module' });
  const answer = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message || 'the worker failed'));
  });
  worker.postMessage(word);
  return { worker, answer };
}

/** Sessions in three workers and in the page at once. */
export async function sessionsInWorkers() {
  const tf = await load();
  const before = tf.memory().numTensors;
  const asked = [1, 2, 3].map(() => ask('session'));
  const session = tf.EagerSession.create();
  const kept = session.run(() => tf.ones([3]));
  const answers = await Promise.all(asked.map(({ answer }) => answer));
  const alive = !kept.isDisposed;
  session.close();
  for (const { worker } of asked) worker.terminate();
  return { answers, alive, left: tf.memory().numTensors - before, sessions: tf.memory().sessions.length };
}

/** Ends workers in the middle of their work; the page goes on. */
export async function terminate() {
  const tf = await load();
  const before = tf.memory().numTensors;
  for (let i = 0; i < 3; i++) {
    const { worker, answer } = ask('forever');
    await answer;
    await sleep(30);
    worker.terminate();
  }
  const { worker, answer } = ask('session');
  const { value } = await answer;
  worker.terminate();
  const here = tf.tidy(() => tf.ones([5]).sum().dataSync()[0]);
  return { value, here, left: tf.memory().numTensors - before };
}

/** Loops until the page is closed, with tensors, sessions and scopes open. */
export async function untilClosed() {
  const tf = await load();
  const session = tf.EagerSession.create();
  void tf.tidyAsync(async (s) => {
    s.run(() => tf.ones([1024]));
    await new Promise(() => undefined);
  });
  void (async () => {
    for (;;) {
      tf.fill([1024, 256], 1);
      session.run(() => void tf.fill([1024, 256], 1));
      await tf.nextTurn();
    }
  })();
  await sleep(50);
  return session.isOpen;
}

async function bundle(tag) {
  const script = document.createElement('script');
  script.src = `/dist/tidemark.min.js?${tag}`;
  const loaded = new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = reject;
  });
  document.head.append(script);
  await loaded;
  await globalThis.tidemark.ready();
  return globalThis.tidemark;
}

/**
 * Two or more copies of the library work side by side: each frees its own
 * tensors, refuses the others' and has its own scopes, sessions and budget.
 */
export async function sideBySide({ how }) {
  const copies = {
    'two packages': () => Promise.all([load(), load('/copy/index.js')]),
    'loaded twice': async () => [await bundle('t=1'), await bundle('t=2'), await bundle('t=3')],
    'module and script': () => Promise.all([load(), bundle('t=4')]),
  };
  const all = await copies[how]();
  const refusals = [];
  for (const one of all) {
    for (const other of all) {
      if (one === other) continue;
      const x = one.tensor1d([1, 2]);
      const y = other.tensor1d([1, 2]);
      for (const use of [() => other.add(x, 1), () => y.add(x), () => other.concat([y, x])]) {
        const error = await thrownBy(use);
        refusals.push(String(error?.message));
      }
      x.dispose();
      y.dispose();
    }
  }
  // A scope of one copy is none of the others'.
  const [first, second] = all;
  const before = all.map((tf) => tf.memory().numTensors);
  const inScope = first.tidy(() => {
    const mine = first.ones([2]);
    const theirs = second.ones([2]);
    const session = second.EagerSession.create();
    session.run(() => second.ones([3]));
    session.close();
    return [mine.add(1), [theirs]];
  });
  const theirsAlive = !inScope[1][0].isDisposed;
  inScope[0].dispose();
  inScope[1][0].dispose();
  const left = all.map((tf, i) => tf.memory().numTensors - before[i]);
  // Dropped tensors go back to the copy that made them.
  const reclaimed = all.map((tf) => tf.memory().reclaimed);
  for (const tf of all) for (let i = 0; i < 200; i++) tf.fill([16], i);
  const done = () => all.every((tf, i) => tf.memory().reclaimed - reclaimed[i] >= 190);
  const collected = await collect(done);
  all.forEach((tf) => tf.memory.setBudget({ hard: 2 ** 40 }));
  first.memory.setBudget({ hard: 2 ** 20 });
  const budgets = [];
  for (const tf of all) {
    const error = await thrownBy(() => tf.tidy(() => void tf.ones([2 ** 20])));
    budgets.push(error?.code ?? 'fits');
  }
  return {
    copies: new Set(all).size, refusals: [...new Set(refusals)], theirsAlive, left, collected, budgets,
  };
}

/** Modules that a development server loads again share what did not change. */
export async function reloaded() {
  const one = await load('/dist/index.js?t=1');
  const two = await load('/dist/index.js?t=2');
  const x = one.tensor1d([1, 2]);
  const values = two.tidy(() => Array.from(two.add(x, 1).mul(2).dataSync()));
  const before = two.memory().numTensors;
  x.dispose();
  return { values, different: one !== two, freed: before - two.memory().numTensors };
}
