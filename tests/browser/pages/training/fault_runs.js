// Faults on the storages of browsers: in a page by import, in a dedicated Worker by message.
import * as lib from './library.js';
import { FaultyStorage, everyFault, faultyDisk, faultyTransactions } from './faults.js';

let runs = 0;
const root = `faults-${Math.random().toString(36).slice(2)}`;
const path = (directory) => directory.replace(/^\w+:\/\//, '');

/** How each is opened with a fault; what the next run opens is what anyone does. */
const kinds = {
  // Every primitive of the disk: streams in pages, access handles in Workers.
  opfs: (d, fault) => new lib.LocalOpfs(path(d), { around: (disk) => faultyDisk(disk, fault) }),
  // What a page asks its storage Worker for.
  helped: (d, fault) => new FaultyStorage(new lib.OpfsStorage(path(d)), fault),
  indexeddb: (d, fault) => new lib.IndexedDbStorage(path(d), faultyTransactions(fault)),
};

export async function faultRuns(kind, mode) {
  const scheme = kind === 'indexeddb' ? 'indexeddb' : 'opfs';
  const begun = performance.now();
  const tensors = lib.tf.memory().numTensors;
  const operations = await everyFault(mode, () => `${scheme}://${root}/${kind}${runs++}`, kinds[kind], lib, 6);
  return {
    operations, seconds: Math.round(performance.now() - begun) / 1000, left: lib.tf.memory().numTensors - tensors,
    syncAppend: lib.openStorage(`${scheme}://x/y`).capabilities.syncAppend,
  };
}

if (typeof DedicatedWorkerGlobalScope !== 'undefined') {
  globalThis.onmessage = async ({ data }) => postMessage(await faultRuns(...data).catch((error) => ({ error: String(error.stack) })));
  postMessage('ready');
}
