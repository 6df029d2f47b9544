/** Node's entry point: the same API, reading the core from disk. */
import {readFile} from 'node:fs/promises';
import {NodeStorage} from './io/storage/node_fs.js';
import {registerStorage} from './io/storage/open.js';
import {Worker, parentPort, workerData} from 'node:worker_threads';
import type {Transferable} from 'node:worker_threads';
import {setFileReader} from './compile.js';
import {setThreads} from './train/jobs/platform.js';

setFileReader(async (url) => readFile(url));
registerStorage('file', (_, url) => new NodeStorage(url));

// A thread cannot read its own name in all versions of Node.
setThreads({
  start: (url, name) =>
    new Worker(url, {name, workerData: name}),
  name: () => (typeof workerData === 'string' ? workerData : undefined),
  post: (message, transfer) => parentPort!.postMessage(
      message, transfer as unknown as Transferable[]),
});

export * from './index.js';
