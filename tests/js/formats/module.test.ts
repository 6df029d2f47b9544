// The module of file formats: when it is loaded, its errors and its memory. The
// tests are in the order of one program's life.
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { setWasmFiles } from '../../../js/src/compile.js';
import { callModule, formatsLoaded, formatsMemory } from '../../../js/src/formats_module.js';
import { BundleWriter, readIndex } from '../../../js/src/io/checkpoint/bundle.js';
import { decodeEvent } from '../../../js/src/io/events/event.js';
import { readRecords } from '../../../js/src/io/events/record.js';
import { histogramValue } from '../../../js/src/io/events/summary.js';
import { callFormats, crc32c, encode, loadFormats } from '../../../js/src/io/formats.js';
import { MemoryStorage } from '../../../js/src/io/storage/memory.js';
import { FileWriter } from '../../../js/src/train/session/event_writer.js';
import { codeOf, golden } from './golden.js';

const file = readFileSync(new URL('../../../dist/tidemark-formats.wasm', import.meta.url));
const mebi = 1024 * 1024;
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

let writer: FileWriter;

test('nothing loads it that writes nothing; what is encoded at once says so', () => {
  expect(formatsLoaded()).toBe(false);
  expect(() => encode('Event', {})).toThrow(/file formats are not loaded yet/);
  expect(codeOf(() => crc32c(new Uint8Array(1)))).toBe('state');
});

test('an event writer keeps what it is told before', () => {
  writer = new FileWriter('memory://early', null, { maxQueue: 100 });
  const event = { wallTime: 1, step: 1, fileVersion: 'before' };
  writer.addEvent(event);
  event.fileVersion = 'after';
  writer.addSummary({ loss: 0.5 }, 2);
  writer.addGraph(Uint8Array.of(8, 1), 3);
  writer.addSummary({ loss: 0.25 }, 4);
  expect([writer.pending, formatsLoaded()]).toEqual([true, false]);
});

test('a failure is an error in a sentence, and the next time tries again', async () => {
  setWasmFiles(undefined, new Uint8Array(8));
  const logs: string[] = [];
  const other = new FileWriter('memory://failing', null, { onLog: (message) => logs.push(message) });
  other.addSummary({ a: 1 }, 1);
  await other.flush();
  expect(logs).toEqual([expect.stringMatching(/could not be written: .*file formats at the given formatsBinary could not start/)]);
  await expect(loadFormats()).rejects.toThrow(/the given formatsBinary could not start/);
  expect([formatsLoaded(), other.pending]).toEqual([false, true]);
  setWasmFiles(undefined, file);
  await other.close();
  expect([formatsLoaded(), other.pending]).toEqual([true, false]);
});

test('then they are written as they were told', async () => {
  await writer.close();
  const storage = new MemoryStorage('early');
  const [stored] = await storage.list();
  const events = readRecords(await storage.read(stored!.name)).records.map(decodeEvent);
  expect(events.map(({ step }) => step)).toEqual([0n, 1n, 2n, 3n, 4n]);
  expect(events[1]!.fileVersion).toBe('before');
  expect(events[2]!.summary).toEqual([{ tag: 'loss', simpleValue: 0.5 }]);
  expect(events[3]!.graphDef).toEqual(Uint8Array.of(8, 1));
});

test('errors carry their code and text, and leave nothing behind', () => {
  const index = golden('model.ckpt-7.index');
  const bad = index.slice();
  bad[50]! ^= 1;
  const before = { index: readIndex(index), histogram: histogramValue('h', [1, -2, 3]) };
  const memory = formatsMemory();
  for (let i = 0; i < 20_000; i++) {
    expect(() => readIndex(bad)).toThrow('checkpoint index: the file is damaged: the checksum of the block at 0 is wrong');
  }
  expect(codeOf(() => readIndex(bad))).toBe('argument');
  expect(codeOf(() => callModule(99, [], () => 0))).toBe('internal');
  expect(codeOf(() => histogramValue('h', [NaN]))).toBe('argument');
  expect({ index: readIndex(index), histogram: histogramValue('h', [1, -2, 3]) }).toEqual(before);
  expect(formatsMemory()).toBe(memory);
});

test('large bytes cross in pieces, whatever is around them', () => {
  const bytes = Uint8Array.from({ length: 3 * mebi + 5 }, (_, i) => i * 7);
  const parts = [bytes.subarray(0, 4095), bytes.subarray(4095)];
  expect(crc32c(parts[1]!, crc32c(parts[0]!))).toBe(crc32c(bytes));
  const memory = formatsMemory();
  crc32c(new Uint8Array(64 * mebi));
  expect([formatsMemory(), formatsMemory() < 4 * mebi]).toEqual([memory, true]);
  const strings = ['a', 'b'.repeat(10_000), '', 'c'.repeat(4096)];
  const writer = new BundleWriter();
  const packed = writer.strings('s', [4], strings);
  const { crc } = writer.entries[0]!;
  const back = callFormats('unpackStrings', packed, 4, crc) as Uint8Array[];
  expect(back.map((text) => new TextDecoder().decode(text))).toEqual(strings);
});

test('memory is given back, and none left is an ordinary error', async () => {
  const record = callFormats('putRecord', new Uint8Array(20 * mebi)) as Uint8Array;
  expect(record).toHaveLength(20 * mebi + 16);
  expect(formatsMemory()).toBeGreaterThan(20 * mebi);
  for (let i = 0; i < 100 && formatsMemory() > mebi; i++) await turn();
  expect(formatsMemory()).toBeLessThan(mebi);
  const much = new Uint8Array(256 * mebi);
  expect(codeOf(() => callModule(0, Array.from({ length: 9 }, () => much), () => 0))).toBe('memory');
  expect(readRecords(record).records).toHaveLength(1);
});
