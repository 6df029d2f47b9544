// Who frees what nobody refers to, when; and the turns of the event loop.
import { collect, load, sleep, turns } from './common.js';

/** Drops 500 tensors in a session of each strategy and collects garbage. */
export async function strategies() {
  const tf = await load();
  const probe = tf.EagerSession.create();
  const found = {};
  for (const strategy of Object.keys(tf.ResourceCleanupStrategy)) {
    const session = tf.EagerSession.options().resourceCleanupStrategy(strategy).build();
    session.run(() => {
      for (let i = 0; i < 500; i++) tf.fill([16], i);
    });
    await sleep(5);
    // The probe's tensors are collected at the same time, and freed at once.
    const start = tf.memory().reclaimed;
    probe.run(() => {
      for (let i = 0; i < 500; i++) tf.fill([16], i);
    });
    await sleep(5);
    const gone = () => probe.memory().numTensors <= 5;
    const collected = await collect(() => gone() &&
      (strategy !== 'IN_BACKGROUND' || session.memory().numTensors <= 5) &&
      (strategy !== 'ON_SAFE_POINTS' || tf.memory().pendingFinalizers >= 490));
    await sleep(30);
    const waiting = { tensors: session.memory().numTensors, pending: tf.memory().pendingFinalizers };
    session.safePoint();
    const afterSafePoint = session.memory().numTensors;
    session.close();
    found[strategy] = { collected, waiting, afterSafePoint, reclaimed: tf.memory().reclaimed - start };
  }
  probe.close();
  return { ...found, sessions: tf.memory().sessions.length };
}

/** Loops over the soft budget with a way of waiting; gives the warnings. */
export async function starve({ wait, steps }) {
  const tf = await load();
  const said = [];
  const { warn } = console;
  console.warn = (...args) => said.push(args.join(' '));
  tf.memory.setBudget({ soft: 8 * 2 ** 20 });
  const next = wait === 'scheduler.yield' ? () => globalThis.scheduler.yield() :
    wait === 'nextTurn' ? () => tf.nextTurn() : turns[wait];
  for (let step = 0; step < steps; step++) {
    tf.fill([64, 1024], step);
    await next();
  }
  console.warn = warn;
  const { peakBytes } = tf.memory();
  return { said, peakBytes };
}

/** Whether a turn of `nextTurn` lets timers, messages and finalizers run. */
export async function nextTurn() {
  const tf = await load();
  let timer = false;
  let microtasks = 0;
  setTimeout(() => {
    timer = true;
  }, 0);
  const spin = () => {
    if (++microtasks < 50) return Promise.resolve().then(spin);
    return undefined;
  };
  void Promise.resolve().then(spin);
  await tf.nextTurn();
  const afterMicrotasks = microtasks;
  let rounds = 0;
  while (!timer && rounds < 10_000) {
    await tf.nextTurn();
    rounds++;
  }
  const order = [];
  await Promise.all([1, 2, 3].map((i) => tf.nextTurn().then(() => order.push(i))));
  return { afterMicrotasks, timer, order };
}

/** What DevTools would show of tensors. */
export async function formatted() {
  const tf = await load();
  const [formatter, ...more] = globalThis.devtoolsFormatters;
  globalThis.shown = tf.tensor2d([[1, 2], [3, 4]]);
  const gone = tf.scalar(1);
  gone.dispose();
  return {
    more: more.length,
    header: formatter.header(globalThis.shown),
    hasBody: formatter.hasBody(globalThis.shown),
    body: formatter.body(globalThis.shown),
    gone: [formatter.header(gone), formatter.hasBody(gone)],
    others: [formatter.header({}), formatter.header(null), formatter.header('x')],
  };
}
