// Event files: what is in them, when it is written, and what a failure leaves.
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeEvent, sessionStatus } from '../../../js/src/io/events/event.js';
import type { ReadEvent } from '../../../js/src/io/events/event.js';
import { readRecords } from '../../../js/src/io/events/record.js';
import { scalarTensorValue, scalarValue } from '../../../js/src/io/events/summary.js';
import { loadFormats } from '../../../js/src/io/formats.js';
import { MemoryStorage } from '../../../js/src/io/storage/memory.js';
import { StorageError } from '../../../js/src/io/storage/storage.js';
import type { Bytes, FileStorage } from '../../../js/src/io/storage/storage.js';
import type { Clock } from '../../../js/src/train/session/clock.js';
import { FileWriter } from '../../../js/src/train/session/event_writer.js';
import { merge } from '../../../js/src/train/session/summary_values.js';
import { FileWriterCache, useWriter } from '../../../js/src/train/session/writer_cache.js';
import { createGlobalStep } from '../../../js/src/train/session/global_step.js';
import { Graph } from '../../../js/src/train/session/graph.js';
import { Fault, FaultyStorage } from '../../browser/pages/training/faults.js';
import type { Mode } from '../../browser/pages/training/faults.js';

let runs = 0;
let dir: string;
let seconds: number;
let clock: Clock;
let logged: string[];
// So that they are written in the same turns, whichever test is the first.
beforeAll(loadFormats);
beforeEach(() => {
  dir = `memory://events${runs++}`;
  seconds = 1_700_000_000.5;
  clock = { now: () => seconds, wallTime: () => seconds, sleep: async () => {} };
  logged = [];
});
const onLog = (message: string): void => {
  logged.push(message);
};
const storage = (): MemoryStorage => new MemoryStorage(dir.slice(9));
const files = async (): Promise<string[]> => (await storage().list()).map(({ name }) => name);
/** The events of all files, in the order TensorBoard reads them; a torn tail is passed over. */
async function events(): Promise<ReadEvent[]> {
  const all: ReadEvent[] = [];
  for (const name of await files()) {
    const { records, damaged } = readRecords(await storage().read(name));
    expect(damaged).toEqual([]);
    all.push(...records.map(decodeEvent));
  }
  return all;
}
const settled = (): Promise<void> => new Promise((resolve) => { setTimeout(resolve, 5); });
const scalars = (all: ReadEvent[]): [string, number, number][] => all.flatMap(({ summary, step }) =>
  (summary ?? []).map(({ tag, simpleValue }): [string, number, number] => [tag, Number(step), simpleValue!]));

describe('a writer', () => {
  test('begins its file with the version, and writes every kind of event', async () => {
    const writer = new FileWriter(`${dir}/`, null, { clock, onLog });
    writer.addSummary([scalarValue('loss', 0.5)], 2n ** 60n);
    writer.add_summary({ a: 1, b: 2 }, 3);
    writer.add_session_log({ status: sessionStatus.start }, 1);
    writer.add_graph(new Uint8Array(), 0);
    writer.add_meta_graph(new Uint8Array(), 0);
    writer.add_run_metadata(Uint8Array.of(), 'step_2', 2);
    expect(() => writer.addRunMetadata(Uint8Array.of(), 'step_2', 2)).toThrow('already used');
    expect(() => writer.addSessionLog({ status: 9 }, 2)).toThrow('no status');
    expect([writer.get_logdir(), writer.pending]).toEqual([dir, true]);
    await writer.flush();
    expect(writer.pending).toBe(false);
    const [name, ...more] = await files();
    expect(more).toEqual([]);
    expect(name).toMatch(/^events\.out\.tfevents\.1700000000\.[A-Za-z0-9_-]+\.\d+\.\d+\.0000$/);
    const all = await events();
    expect(all[0]).toMatchObject({ wallTime: 1_700_000_000, fileVersion: 'brain.Event:2' });
    expect(all[1]).toMatchObject({ wallTime: seconds, step: 2n ** 60n });
    expect(scalars(all)).toEqual([['loss', 2 ** 60, 0.5], ['a', 3, 1], ['b', 3, 2]]);
    expect(all[3]).toMatchObject({ sessionLog: { status: 1 } });
    expect(all).toHaveLength(7);
    await writer.close();
    writer.addSummary({ late: 1 }, 4);
    expect(logged).toEqual([`the event writer of '${dir}' is closed`]);
    writer.reopen();
    writer.addSummary({ late: 1 }, 4);
    await writer.close();
    await writer.close();
    expect(await files()).toHaveLength(2);
    expect(scalars(await events()).at(-1)).toEqual(['late', 4, 1]);
  });

  test('writes when ten events wait, or when they are two minutes old', async () => {
    const writer = new FileWriter(dir, null, { clock, onLog });
    for (let step = 0; step < 9; step++) writer.addSummary({ a: 1 }, step);
    await settled();
    expect(await files()).toEqual([]);
    writer.addSummary({ a: 1 }, 9);
    await settled();
    expect(scalars(await events())).toHaveLength(10);
    seconds += 119;
    writer.addSummary({ a: 1 }, 10);
    await settled();
    expect(scalars(await events())).toHaveLength(10);
    seconds += 1;
    writer.addSummary({ a: 1 }, 11);
    await settled();
    expect(scalars(await events())).toHaveLength(12);
    await writer.close();
  });

  test('an empty one leaves a file with the version, as TensorFlow does', async () => {
    const writer = new FileWriter(dir, null, { clock, onLog });
    await writer.close();
    expect((await events()).map(({ fileVersion }) => fileVersion)).toEqual(['brain.Event:2']);
  });

  test("only a tag's first value keeps its metadata", async () => {
    const writer = new FileWriter(dir, null, { clock, onLog });
    for (const step of [1, 2]) writer.addSummary([scalarTensorValue('t', step), scalarTensorValue(`u${step}`, 0)], step);
    await writer.close();
    const plugins = (await events()).flatMap(({ summary }) => (summary ?? []).map(({ tag, pluginName }) => [tag, pluginName]));
    expect(plugins).toEqual([['t', 'scalars'], ['u1', 'scalars'], ['t', undefined], ['u2', 'scalars']]);
  });

  test('where adding copies the file, files stay small; each begins anew', async () => {
    const open = (d: string): FileStorage => {
      const inner = new MemoryStorage(d.slice(9));
      Object.assign(inner, { capabilities: { ...inner.capabilities, syncAppend: false } });
      return inner;
    };
    const writer = new FileWriter(dir, null, { clock, onLog, open });
    for (let step = 0; step < 5; step++) {
      writer.addGraph(new Uint8Array(100_000), step);
      await writer.flush();
    }
    await writer.close();
    const names = await files();
    expect(names.map((name) => name.slice(-4))).toEqual(['0000', '0001']);
    expect([...names].sort()).toEqual(names);
    expect((await events()).map(({ fileVersion }) => fileVersion).filter((v) => v)).toHaveLength(2);
  });

  test.each(['throw', 'torn'] as Mode[])('a failed write (%s) is told once; nothing is lost, all records are whole', async (mode) => {
    // The process lives on after a torn write here: the disk was full for a moment.
    class Recovering extends Fault {
      override async op<T>(whole: () => Promise<T>, half?: () => Promise<unknown>): Promise<T> {
        this.dead = false;
        return super.op(whole, half);
      }
    }
    const fault = new Recovering(2, mode, { StorageError });
    const open = (d: string): FileStorage => new FaultyStorage(new MemoryStorage(d.slice(9)), fault);
    const writer = new FileWriter(dir, null, { clock, onLog, open });
    for (let step = 1; step <= 3; step++) {
      writer.addSummary({ a: step }, step);
      await writer.flush();
    }
    await writer.close();
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain('could not be written');
    expect(scalars(await events()).map(([, step]) => step)).toEqual([1, 2, 3]);
    expect(await files()).toHaveLength(2);
  });

  test('failures reject when asked to; what waits has a limit', async () => {
    class Full extends MemoryStorage {
      override async append(_: string, __: Bytes): Promise<void> {
        throw new Error('full');
      }
    }
    const open = (d: string): FileStorage => new Full(d.slice(9));
    const strict = new FileWriter(dir, null, { clock, onLog, open, raise: true });
    strict.addSummary({ a: 1 }, 1);
    await expect(strict.flush()).rejects.toThrow('full');
    const lenient = new FileWriter(dir, null, { clock, onLog, open, maxQueue: 1000 });
    for (let step = 0; step < 6; step++) lenient.addGraph(new Uint8Array(4_000_000), step);
    await lenient.flush();
    expect(logged.filter((line) => line.includes('were dropped')).length).toBeGreaterThan(0);
    expect(logged.filter((line) => line.includes('could not be written'))).toHaveLength(1);
  });
});

describe('the cache', () => {
  test('one stream a directory, that begins with the graph and the meta graph', async () => {
    const graph = new Graph();
    graph.asDefault(() => createGlobalStep());
    const writer = FileWriterCache.get(dir, graph, { clock, onLog });
    expect(FileWriterCache.get(`${dir}/`)).toBe(writer);
    await FileWriterCache.flush();
    const all = await events();
    expect(all.map((e) => ['fileVersion', 'graphDef', 'metaGraphDef'].find((k) => k in e))).toEqual(
      ['fileVersion', 'graphDef', 'metaGraphDef']);
    await FileWriterCache.clear();
    expect(FileWriterCache.get(dir, graph)).not.toBe(writer);
    await FileWriterCache.clear();
    expect(await files()).toHaveLength(2);
  });

  test('the last session on a directory closes its writer', async () => {
    const first = useWriter(dir);
    const second = useWriter(`${dir}/`);
    const writer = FileWriterCache.get(dir, new Graph(), { clock, onLog });
    writer.addSummary({ a: 1 }, 1);
    await first();
    await first();
    expect(FileWriterCache.get(dir)).toBe(writer);
    await second();
    expect(scalars(await events())).toEqual([['a', 1, 1]]);
    writer.addSummary({ a: 2 }, 2);
    expect(logged.at(-1)).toContain('is closed');
  });

  test('merging refuses a tag that is there twice', () => {
    expect(merge([[scalarValue('a', 1)], [scalarValue('b', 1)]])).toHaveLength(2);
    expect(() => merge([[scalarValue('a', 1)], [scalarValue('a', 2)]])).toThrow('Duplicate tag a');
  });
});
