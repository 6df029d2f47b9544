// A directory and a graph of its own for each test of savers.
import { beforeEach } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { MemoryStorage } from '../../../js/src/io/storage/memory.js';
import { NodeStorage } from '../../../js/src/io/storage/node_fs.js';
import { registerStorage } from '../../../js/src/io/storage/open.js';
import type { Clock } from '../../../js/src/train/session/clock.js';
import { Graph } from '../../../js/src/train/session/graph.js';

// As the package does it in Node.
registerStorage('file', (_, url) => new NodeStorage(url));

let runs = 0;
export let dir: string;
export let graph: Graph;
export let sess: { graph: Graph };
export let logged: string[];
export const onLog = (message: string): void => {
  logged.push(message);
};
beforeEach(() => {
  dir = `memory://saver${runs++}`;
  graph = new Graph();
  sess = { graph };
  logged = [];
});

export const fixedClock = (seconds: { now: number }): Clock =>
  ({ now: () => seconds.now, wallTime: () => seconds.now, sleep: async () => {} });
export const filesIn = async (directory: string): Promise<string[]> =>
  (await new MemoryStorage(directory.slice('memory://'.length)).list()).map(({ name }) => name);
export const textIn = async (directory: string, name: string): Promise<string> =>
  new TextDecoder().decode(await new MemoryStorage(directory.slice('memory://'.length)).read(name));
export const declare = (values: number[], name: string): tf.Variable =>
  graph.asDefault(() => tf.tidy(() => tf.variable(tf.tensor1d(values), true, name)));
export const errorOf = async (p: Promise<unknown>): Promise<{ name: string; code: string; message: string }> => {
  try {
    await p;
  } catch (error) {
    return error as { name: string; code: string; message: string };
  }
  throw new Error('nothing was thrown');
};
