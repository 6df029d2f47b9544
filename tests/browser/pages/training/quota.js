// Saves that find no space.
import * as lib from './library.js';

const { tf, Saver, openStorage, soundState } = lib;
const length = 2 * 1024 * 1024;
// Databases are compressed: only noise takes its space.
const noise = (step) => tf.randomUniform([length], 0, 0.9).add(step);
const onLog = () => {};
let v;

const saver = () => new Saver({ varList: [v], onLog });
const save = (url, step) => saver().save(null, `${url}/m`, { globalStep: step, writeMetaGraph: false });

/** All that is really there: names of files, and the chunks of a database. */
async function raw(url) {
  const [, scheme, path] = /^(\w+):\/\/(.*)$/.exec(url);
  if (scheme === 'opfs') {
    const names = [];
    const walk = async (folder, prefix) => {
      for await (const [name, handle] of folder.entries()) {
        if (handle.kind === 'file') names.push(prefix + name);
        else await walk(handle, `${prefix}${name}/`);
      }
    };
    let folder = await navigator.storage.getDirectory();
    for (const part of path.split('/')) folder = await folder.getDirectoryHandle(part);
    await walk(folder, '');
    return names.sort();
  }
  const db = await new Promise((resolve) => {
    globalThis.indexedDB.open(`tidemark-files/${path.split('/')[0]}`).onsuccess = ({ target }) => resolve(target.result);
  });
  const count = await new Promise((resolve) => {
    db.transaction('chunks').objectStore('chunks').count().onsuccess = ({ target }) => resolve(target.result);
  });
  db.close();
  return [`${count} chunks`];
}

/** A checkpoint of 8 MB, before space is short. */
export async function begin(url) {
  v = tf.tidy(() => tf.variable(noise(1), true, 'v'));
  await save(url, 1);
  return { files: await raw(url), usage: (await navigator.storage.estimate()).usage };
}

/** What `estimate` says from now on; undefined for the truth. */
export function pretend(estimate) {
  delete navigator.storage.estimate;
  if (estimate) Object.defineProperty(navigator.storage, 'estimate', { configurable: true, value: async () => estimate });
}

/** A save that may fail, and what is there after it. */
export async function attempt(url, step) {
  tf.tidy(() => v.assign(noise(step)));
  const failure = await save(url, step).then(() => undefined, ({ name, code, message }) => ({ name, code, message }));
  const files = await raw(url);
  const { modelCheckpointPath } = await soundState(url, onLog);
  await saver().restore(null, modelCheckpointPath);
  const values = await v.data();
  return { failure, files, modelCheckpointPath, first: Math.floor(values[0]), last: Math.floor(values[length - 1]) };
}

/** Trains for three steps, saving after each. */
export async function train(url, onSaveError) {
  const said = [];
  const train = tf.train.step(`train_${onSaveError}`, () => v.assign(tf.tidy(() => v.add(1))) && {});
  const ran = await tf.train.withMonitoredTrainingSession({
    checkpointDir: `${url}/${onSaveError}`, saveCheckpointSteps: 1, onSaveError, hooks: [new tf.train.StopAtStepHook({ numSteps: 3 })],
    onLog: (message, level) => level === 'warn' && said.push(message),
  }, async (session) => {
    let steps = 0;
    while (!session.shouldStop()) {
      await session.run(train);
      steps++;
    }
    return steps;
  }).catch(({ name, message }) => ({ name, message }));
  return { ran, said, value: Math.floor((await v.data())[0]) };
}

export async function end(url) {
  v.dispose();
  const storage = openStorage(url);
  await storage.remove(...(await storage.list()).map(({ name }) => name));
  await storage.close();
}
