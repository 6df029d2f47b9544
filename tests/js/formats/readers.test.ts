// What others make of our files: protoc, LevelDB's table, the package tfrecord,
// TensorFlow with TensorBoard. The last is tried where it is installed and says
// so where it isn't (tests/js/support/python.ts).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as tfrecord from 'tfrecord';
import { BundleWriter, bundleDtypes, compareNames, dataFileName, indexFileName, readIndex, readTensor } from '../../../js/src/io/checkpoint/bundle.js';
import type { BundleDtype } from '../../../js/src/io/checkpoint/bundle.js';
import { decodeMetaGraph, graphText } from '../../../js/src/io/checkpoint/graph.js';
import { writeState } from '../../../js/src/io/checkpoint/state.js';
import { eventFileName, eventRecord, fileVersion, sessionStatus } from '../../../js/src/io/events/event.js';
import { readRecords } from '../../../js/src/io/events/record.js';
import { decodeSummary, histogramValue, imageValues, scalarTensorValue, scalarValue } from '../../../js/src/io/events/summary.js';
import { encode, loadFormats } from '../../../js/src/io/formats.js';
import { PYTHON, withTensorFlow } from '../support/python.js';
import { bytesOfArray, concat, EVENTS, golden, GOLDEN } from './golden.js';

beforeAll(loadFormats);

const folder = mkdtempSync(join(tmpdir(), 'tidemark-formats-'));
afterAll(() => rmSync(folder, { recursive: true }));
const MINUTES = 60_000;

function run(command: string, args: string[], input?: Uint8Array): { code: number; out: string; bytes: Uint8Array } {
  const { status, stdout, stderr, error } = spawnSync(command, args, { input, maxBuffer: 1 << 28 });
  if (error) return { code: -1, out: String(error), bytes: new Uint8Array() };
  return { code: status ?? -1, out: stdout.toString() + stderr.toString(), bytes: new Uint8Array(stdout) };
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

interface Tensor { name: string; dtype: BundleDtype; shape: number[]; array: ArrayBufferView | string[] }
const kernel = Float32Array.of(1, -2.5, 3, 1e-9, 5, 6);
const tensors: Tensor[] = [
  { name: 'global_step', dtype: 'int64', shape: [], array: BigInt64Array.of(2n ** 53n + 1n) },
  { name: 'dense/kernel', dtype: 'float32', shape: [2, 3], array: kernel },
  { name: 'dense/bias', dtype: 'float32', shape: [3], array: Float32Array.of(NaN, -0, Infinity) },
  { name: 'vocab', dtype: 'string', shape: [3], array: ['hi', '', 'é'.repeat(100)] },
  { name: 'empty', dtype: 'int32', shape: [0, 4], array: new Int32Array() },
  { name: 'mask', dtype: 'bool', shape: [2], array: Uint8Array.of(0, 1) },
  { name: 'double', dtype: 'float64', shape: [1], array: Float64Array.of(1 / 3) },
  { name: 'half', dtype: 'float16', shape: [2], array: Uint16Array.of(0x3c00, 0xfc00) },
  { name: 'brain', dtype: 'bfloat16', shape: [1], array: Uint16Array.of(0x3f80) },
  { name: 'complex', dtype: 'complex64', shape: [1], array: Float32Array.of(1, -1) },
  { name: 'ü/𝒳', dtype: 'uint8', shape: [1], array: Uint8Array.of(9) },
  { name: 'ü/～', dtype: 'int8', shape: [1], array: Int8Array.of(-9) },
];

function writeBundle(prefix: string, all: Tensor[]): void {
  const bundle = new BundleWriter();
  const parts: Uint8Array[] = [];
  for (const { name, dtype, shape, array } of [...all].sort((a, b) => compareNames(a.name, b.name))) {
    if (Array.isArray(array)) {
      parts.push(bundle.strings(name, shape, array));
    } else {
      bundle.begin(name, dtype, shape);
      bundle.add(array);
      bundle.end();
      parts.push(bytesOfArray(array));
    }
  }
  writeFileSync(join(folder, dataFileName(prefix)), concat(parts));
  writeFileSync(join(folder, indexFileName(prefix)), bundle.index());
}

// What names share at their start takes no room in an index.
const bigName = (i: number): string => `${String(i).padStart(5, '0')}/a_long_name_that_fills_blocks/${'x'.repeat(60)}`;
const BIG = 6000;

/** A run directory, as a training session would leave it, and what is in it. */
function writeRun(): void {
  writeBundle('model.ckpt-7', tensors);
  writeBundle('big.ckpt', Array.from({ length: BIG }, (_, i) => (
    { name: bigName(i), dtype: 'float32', shape: [], array: Float32Array.of(i) })));
  writeFileSync(join(folder, 'checkpoint'), writeState({
    modelCheckpointPath: join(folder, 'model.ckpt-7'), allModelCheckpointPaths: [join(folder, 'model.ckpt-7')],
  }, folder));
  const metaGraphDef = golden('variables.meta');
  const { graph_def: graph } = decodeMetaGraph(metaGraphDef) as { graph_def: { node: unknown[] } };
  const graphDef = encode('GraphDef', graph as Parameters<typeof encode>[1]);
  writeFileSync(join(folder, 'model.ckpt-7.meta'), metaGraphDef);
  writeFileSync(join(folder, 'graph.pbtxt'), graphText(graphDef));

  const pixels = Uint8Array.from({ length: 45 }, (_, i) => (i * 37) & 255);
  const wallTime = 1700000000.25;
  const histogram = histogramValue('w', kernel);
  const logs: [number, string][] = [[sessionStatus.checkpoint, '/run/model.ckpt'], [sessionStatus.start, '']];
  const log = (i: number) => ({ status: logs[i]![0], checkpointPath: logs[i]![1] });
  writeFileSync(join(folder, eventFileName(wallTime, 'test', '1')), concat([
    { wallTime, fileVersion },
    { wallTime, graphDef },
    { wallTime, metaGraphDef },
    { wallTime, sessionLog: log(0) },
    { wallTime, step: 1, sessionLog: log(1) },
    { wallTime, step: 1, summary: [scalarValue('loss', 0.5), histogram, ...imageValues('i', pixels, [1, 3, 5, 3])] },
    { wallTime, step: 2, summary: [scalarValue('loss', 0), scalarTensorValue('acc', 0.25)] },
    { wallTime, step: 2 ** 40, summary: [scalarValue('loss', -1)] },
  ].map(eventRecord)));

  const { min, max, num, sum, sumSquares, bucketLimit, bucket } =
    decodeSummary(encode('Summary', { value: [histogram] }))[0]!.histogram!;
  const floats = [
    { shape: [1, 2, 2, 1], values: [0, 1, 2, 3] }, { shape: [2, 1, 2, 3], values: [-1, 0, 2, 0.5, null, 1, 9, 8, 7, 6, 5, 4] },
    { shape: [4, 1, 1, 4], values: Array.from({ length: 16 }, (_, i) => i / 3) }, { shape: [1, 1, 2, 1], values: [0, 1e-9] },
  ].map(({ shape, values }) => ({
    shape, values, summary: hex(encode('Summary', { value: imageValues('i', values.map((v) => v ?? NaN), shape) })),
  }));
  writeFileSync(join(folder, 'expected.json'), JSON.stringify({
    checkpoint: 'model.ckpt-7',
    tensors: Object.fromEntries(tensors.map(({ name, dtype, shape, array }) => [name, {
      dtype, shape, hex: Array.isArray(array) ? array.map((s) => hex(Buffer.from(s))) : hex(bytesOfArray(array)),
    }])),
    big: { checkpoint: 'big.ckpt', name: bigName(0).replace('00000', '%05d'), count: BIG },
    events: [[0, 'file_version'], [0, 'graph_def'], [0, 'meta_graph_def'], [0, 'session_log'], [1, 'session_log'],
      [1, 'summary'], [2, 'summary'], [2 ** 40, 'summary']],
    loss: [[1, 0.5], [2, 0], [2 ** 40, -1]],
    histogram: { numbers: [min, max, num, sum, sumSquares], limits: bucketLimit, counts: bucket },
    summary: hex(encode('Summary', { value: [histogram] })),
    pixels: [...pixels], floats, logs, nodes: graph.node.length,
  }));
}

beforeAll(writeRun, MINUTES);

describe('protoc', () => {
  const decoded = (message: string, bytes: Uint8Array): string => {
    const { code, out } = run('protoc', [`--decode=t.${message}`, `-I${GOLDEN}`, 'tf_min.proto'], bytes);
    expect([code, out.slice(0, code && 500)]).toEqual([0, '']);
    return out;
  };
  const encoded = (message: string, text: string): Uint8Array => {
    const { code, bytes } = run('protoc', [`--encode=t.${message}`, `-I${GOLDEN}`, 'tf_min.proto'], Buffer.from(text));
    expect(code).toBe(0);
    return bytes;
  };

  test('prints our graphs as we do and takes our text', () => {
    for (const name of ['variables.meta', 'saver.meta']) {
      const { graph_def: graph } = decodeMetaGraph(golden(name)) as { graph_def: Parameters<typeof encode>[1] };
      const bytes = encode('GraphDef', graph);
      const text = graphText(bytes);
      expect(decoded('GraphDef', bytes)).toBe(text);
      expect(decoded('GraphDef', encoded('GraphDef', text))).toBe(text);
    }
  });

  test('reads events, meta graphs, entries and state files', () => {
    for (const record of readRecords(golden(EVENTS)).records) decoded('Event', record);
    const text = decoded('MetaGraphDef', golden('saver.meta'));
    expect(text).toContain('restore_op_name: "save/restore_all"');
    expect(text).toContain('key: "trainable_variables"');
    const run = readFileSync(join(folder, eventFileName(1700000000, 'test', '1')));
    const summaries = readRecords(new Uint8Array(run)).records.map((r) => decoded('Event', r)).join('');
    expect(summaries).toContain('simple_value: 0\n');
    // Fields without a name are fields that the description has not.
    expect(summaries).not.toMatch(/^\s*\d+[:{ ]/m);
    const state = readFileSync(join(folder, 'checkpoint'), 'utf8');
    expect(decoded('CS', encoded('CS', state))).toBe(state);
  });
});

describe('LevelDB', () => {
  test('its table reads our indexes with checksums', () => {
    const program = join(folder, 'check');
    const built = run('g++', ['-o', program, join(GOLDEN, 'check_index_with_leveldb.cc'), '-lleveldb', '-lpthread']);
    expect(built).toMatchObject({ code: 0, out: '' });
    for (const [prefix, n] of [['model.ckpt-7', tensors.length], ['big.ckpt', BIG]] as const) {
      const { code, out } = run(program, [join(folder, indexFileName(prefix))]);
      expect(out).toContain(`n=${n + 1} OK`);
      expect(code).toBe(0);
    }
    const file = new Uint8Array(readFileSync(join(folder, 'big.ckpt.index')));
    file[1000]! ^= 1;
    writeFileSync(join(folder, 'bad.index'), file);
    expect(run(program, [join(folder, 'bad.index')]).out).toContain('checksum mismatch');
  }, MINUTES);
});

describe('the package tfrecord', () => {
  const payloads = async (path: string): Promise<string[]> => {
    const reader = await tfrecord.RecordReader.create(path);
    const found: string[] = [];
    for (let record; (record = await reader.readRecord()) !== null;) found.push(hex(record));
    return found;
  };
  const file = (): string => join(folder, eventFileName(1700000000.25, 'test', '1'));

  test('reads the records of our event files', async () => {
    const { records } = readRecords(new Uint8Array(readFileSync(file())));
    expect(records.length).toBe(8);
    expect(await payloads(file())).toEqual(records.map(hex));
    expect(await payloads(join(GOLDEN, EVENTS))).toEqual(readRecords(golden(EVENTS)).records.map(hex));
  });

  test('finds what is damaged', async () => {
    const bytes = readFileSync(file());
    bytes[40]! ^= 1;
    writeFileSync(join(folder, 'damaged'), bytes);
    await expect(payloads(join(folder, 'damaged'))).rejects.toThrow('CRC32C');
  });
});

describe('TensorFlow and TensorBoard', () => {
  withTensorFlow('they read our run directory, and we their checkpoint', () => {
    const { code, out } = run(PYTHON, [join(GOLDEN, 'check_tensorflow.py'), folder]);
    expect([code, out.slice(-2000)]).toEqual([0, expect.stringContaining('right: all')]);
    const theirs = JSON.parse(readFileSync(join(folder, 'theirs.json'), 'utf8')) as Record<string, object>;
    const index = new Uint8Array(readFileSync(join(folder, 'theirs.ckpt.index')));
    const data = new Uint8Array(readFileSync(join(folder, dataFileName('theirs.ckpt'))));
    expect(index.length).toBeGreaterThan(300_000);
    const { entries } = readIndex(index);
    expect(entries.length).toBe(Object.keys(theirs).length);
    for (const entry of entries) {
      const { dtype, shape, data: bytes } = readTensor(entry, data.subarray(entry.offset, entry.offset + entry.size));
      expect(Object.keys(bundleDtypes)).toContain(dtype);
      expect({ dtype, shape, hex: Array.isArray(bytes) ? bytes.map(hex) : hex(bytes) }).toEqual(theirs[entry.name]);
    }
  }, 10);
});
