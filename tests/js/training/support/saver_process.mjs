// A process, or a worker thread, that saves. `node saver_process.mjs WHAT DIRECTORY`; what it has to say are lines.
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import * as tf from '../../../../dist/index.node.js';
import { NodeStorage } from '../../../../dist/io/storage/node_fs.js';
import { soundState } from '../../../../dist/train/session/checkpoint_management.js';
import { leaseDirectory } from '../../../../dist/train/session/run_directory.js';

const [what, directory] = workerData ?? process.argv.slice(2);
const say = (...words) => (parentPort ? parentPort.postMessage(words.join(' ')) : process.stdout.write(`${words.join(' ')}\n`));
const onLog = () => {};
await tf.ready();
const length = 64 * 1024;
const v = tf.tidy(() => tf.variable(tf.zeros([length]), true, 'v'));
const fill = (value) => tf.tidy(() => v.assign(tf.fill([length], value)));
const save = (globalStep, options) => new tf.train.Saver({ varList: [v], onLog, maxToKeep: 2, ...options })
  .save(null, `${directory}/m`, { globalStep, writeMetaGraph: false });
const outcome = async (f) => f.then((path) => ({ path }), ({ name, message }) => ({ name, message }));

/** Saves for ever. */
async function forever() {
  const lease = await leaseDirectory(directory, { log: onLog });
  const state = await soundState(directory, onLog);
  const saver = new tf.train.Saver({ varList: [v], onLog, maxToKeep: 2 });
  if (state) await saver.recoverLastCheckpoints(state.allModelCheckpointPaths);
  for (let step = Number(/\d+$/.exec(state?.modelCheckpointPath ?? '0')[0]) + 1; ; step++) {
    fill(step);
    say('begun', step);
    await saver.save(null, `${directory}/m`, { globalStep: step, writeMetaGraph: false });
    say('done', step, lease.storage.url);
  }
}

/** On a small disk of its own: read-only, full, and with room again. */
async function smallDisk() {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', directory]);
  const found = {};
  const look = async (name, failure) => {
    const { modelCheckpointPath } = await soundState(directory, onLog);
    await new tf.train.Saver([v]).restore(null, modelCheckpointPath);
    found[name] = { ...failure, newest: modelCheckpointPath.slice(directory.length + 1), value: v.dataSync()[length - 1], files: readdirSync(directory).sort() };
  };
  fill(1);
  await look('first', await outcome(save(1)));
  execFileSync('mount', ['-o', 'remount,ro', directory]);
  fill(2);
  await look('readOnly', await outcome(save(2)));
  execFileSync('mount', ['-o', 'remount,rw', directory]);
  const filler = join(directory, 'filler');
  const occupy = (bytes) => writeFileSync(filler, new Uint8Array(bytes));
  occupy(4 * 2 ** 20 - 256 * 1024 - 150_000);
  fill(3);
  await look('tooLittle', await outcome(save(3)));
  // Where the system does not tell, it is found while writing.
  const open = (d) => Object.assign(new NodeStorage(d), { available: async () => undefined });
  fill(4);
  await look('whileWriting', await outcome(save(4, { open })));
  try {
    occupy(8 * 2 ** 20);
  } catch {
    // As full as can be: not even a lock fits.
  }
  fill(5);
  await look('full', await outcome(save(5)));
  rmSync(filler);
  fill(6);
  await look('roomAgain', await outcome(save(6)));
  say(JSON.stringify(found));
}

switch (what) {
  case 'forever':
    await forever();
    break;
  case 'small':
    await smallDisk();
    break;
  case 'once': {
    const begun = performance.now();
    say(JSON.stringify({ ...await outcome(save(99)), waited: performance.now() - begun }));
  }
}
