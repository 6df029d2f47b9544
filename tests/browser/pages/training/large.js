// A large checkpoint saved by a page, and how long the page's tasks were meanwhile.
import * as lib from './library.js';

const { tf, Saver, openStorage, soundState } = lib;
const mebi = 1024 * 1024;

/** Counts the page's turns while `f` runs, and the times between them. */
async function watched(f) {
  const { port1, port2 } = new globalThis.MessageChannel();
  const gaps = [];
  const longTasks = [];
  const observer = globalThis.PerformanceObserver.supportedEntryTypes.includes('longtask') ?
    new globalThis.PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration))) : undefined;
  observer?.observe({ type: 'longtask' });
  let last = performance.now();
  let live = true;
  port1.onmessage = () => {
    const now = performance.now();
    gaps.push(now - last);
    last = now;
    if (live) port2.postMessage(0);
  };
  port2.postMessage(0);
  await f();
  // What the last turns have to say comes after them.
  await new Promise((resolve) => setTimeout(resolve, 50));
  live = false;
  longTasks.push(...(observer?.takeRecords() ?? []).map(({ duration }) => duration));
  observer?.disconnect();
  port1.close();
  gaps.sort((a, b) => a - b);
  const at = (part) => Math.round(gaps[Math.floor(part * (gaps.length - 1))] * 10) / 10;
  return {
    turns: gaps.length, median: at(0.5), p99: at(0.99), longest: gaps.slice(-5).map((gap) => Math.round(gap)).reverse(),
    longTasks: longTasks.map(Math.round).sort((a, b) => b - a),
  };
}

/** Saves 100 MB, some times; the last one is read back. */
export async function saveLarge(url, attempts) {
  const variables = tf.tidy(() => [
    ...[0, 1, 2].map((i) => tf.variable(tf.fill([32, mebi / 4], i), true, `large${i}`)),
    ...Array.from({ length: 500 }, (_, i) => tf.variable(tf.fill([64, 32], i), true, `small${i}`)),
  ]);
  const saver = new Saver({ varList: variables, maxToKeep: 1, onLog: () => {} });
  const seen = [];
  for (let step = 0; step < attempts; step++) {
    tf.tidy(() => variables[3].assign(tf.fill([64, 32], step)));
    const begun = performance.now();
    const tasks = await watched(() => saver.save(null, `${url}/m`, { globalStep: step, writeMetaGraph: false }));
    seen.push({ ...tasks, seconds: Math.round(performance.now() - begun) / 1000 });
    if (Math.max(tasks.longest[0], ...tasks.longTasks) < 50) break;
  }
  const storage = openStorage(url);
  const files = (await storage.list()).map(({ name, size }) => [name, size]);
  tf.tidy(() => variables[2].assign(tf.zeros([32, mebi / 4])));
  await saver.restore(null, (await soundState(url, () => {})).modelCheckpointPath);
  const sum = await tf.tidy(() => variables[2].mean()).data();
  tf.dispose(variables);
  await storage.remove(...files.map(([name]) => name));
  await storage.close();
  return { seen, files, mean: sum[0] };
}
