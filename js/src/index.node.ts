/** Node's entry point: the same API, reading the core from disk. */
import {readFile} from 'node:fs/promises';
import {NodeStorage} from './io/storage/node_fs.js';
import {registerStorage} from './io/storage/open.js';
import {setFileReader} from './compile.js';

setFileReader(async (url) => readFile(url));
registerStorage('file', (_, url) => new NodeStorage(url));

export * from './index.js';
