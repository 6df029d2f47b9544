/** Node's entry point: the same API, reading the core from disk. */
import {readFile} from 'node:fs/promises';
import {setFileReader} from './module.js';

setFileReader(async (url) => readFile(url));

export * from './index.js';
