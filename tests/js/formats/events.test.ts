// Event files through the wrappers: the golden bytes, and readers of our own.
import { inflateSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { decodeEvent, encodeEvent, eventFileName, eventRecord, fileVersion, sessionStatus } from '../../../js/src/io/events/event.js';
import { frameRecord, readRecords } from '../../../js/src/io/events/record.js';
import {
  decodeSummary, histogramValue, imageValues, pngValue, scalarTensorValue, scalarValue, withoutMetadata,
} from '../../../js/src/io/events/summary.js';
import { decode, encode, loadFormats } from '../../../js/src/io/formats.js';
import { bytesOf } from '../../../js/src/module.js';
import { handleOf } from '../../../js/src/tensor.js';
import { codeOf, concat, EVENTS, golden, TENSORFLOW_EVENTS } from './golden.js';

beforeAll(loadFormats);

const wallTime = 1700000000;
/** A value as readers see it. */
const read = (value: Uint8Array) => decodeSummary(encode('Summary', { value: [value] }))[0]!;

/** The rows of a PNG file, with the filters that our encoder uses undone. */
function pixelsOf(png: Uint8Array): { width: number; height: number; channels: number; pixels: number[] } {
  const view = new DataView(png.buffer, png.byteOffset);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const channels = ({ 0: 1, 2: 3, 6: 4 } as Record<number, number>)[png[25]!]!;
  const raw = inflateSync(png.subarray(41, 41 + view.getUint32(33)));
  const length = width * channels;
  const pixels: number[] = [];
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (length + 1)]!;
    for (let x = 0; x < length; x++) {
      const left = x < channels ? 0 : pixels.at(-channels)!;
      const above = y === 0 ? 0 : pixels.at(-length)!;
      const guess = [0, left, above][filter]!;
      pixels.push((raw[y * (length + 1) + 1 + x]! + guess) & 255);
    }
  }
  return { width, height, channels, pixels };
}

describe('event files', () => {
  test('the golden file is written again', () => {
    const { records } = readRecords(golden(EVENTS));
    const { png } = decodeEvent(records[7]!).summary![0]!.image!;
    const image = pngValue('i/image/0', { height: 2, width: 2, colorspace: 3, png });
    const log = { status: sessionStatus.checkpoint, checkpointPath: '/run/model.ckpt' };
    const file = concat([
      eventRecord({ wallTime, fileVersion }),
      eventRecord({ wallTime, graphDef: golden('graph.pb') }),
      eventRecord({ wallTime, metaGraphDef: golden('model.ckpt-7.meta') }),
      eventRecord({ wallTime, sessionLog: log }),
      eventRecord({ wallTime, step: 1, sessionLog: { status: sessionStatus.start } }),
      eventRecord({ wallTime, step: 1, summary: [scalarValue('loss', 0.5)] }),
      eventRecord({ wallTime, step: 1n, summary: [histogramValue('h', [0, 1, 2])] }),
      eventRecord({ wallTime, step: 1, summary: [image] }),
      eventRecord({ wallTime, step: 1, summary: [scalarTensorValue('acc', 0.25)] }),
      eventRecord({ wallTime: wallTime + 8, step: 101, summary: [scalarValue('global_step/sec', 12.5)] }),
    ]);
    expect(file).toEqual(golden(EVENTS));
  });

  test('the golden file is read', () => {
    const { records, damaged, next, rest } = readRecords(golden(EVENTS));
    expect([records.length, damaged, next, rest]).toEqual([10, [], 1188, 'none']);
    const events = records.map(decodeEvent);
    expect(events[0]).toEqual({ wallTime, step: 0n, fileVersion });
    expect(events[1]!.graphDef).toEqual(golden('graph.pb'));
    expect(events[2]!.metaGraphDef).toEqual(golden('model.ckpt-7.meta'));
    expect(events[3]!.sessionLog).toEqual({ status: 3, checkpointPath: '/run/model.ckpt', msg: '' });
    expect(events[5]).toEqual({ wallTime, step: 1n, summary: [{ tag: 'loss', simpleValue: 0.5 }] });
    expect(events[6]!.summary![0]!.histogram).toMatchObject({ min: 0, max: 2, num: 3, sum: 3, sumSquares: 5, bucket: [0, 1, 0, 1, 0, 1, 0] });
    expect(pixelsOf(events[7]!.summary![0]!.image!.png).pixels).toEqual([255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]);
    expect(events[8]!.summary![0]).toMatchObject({ tag: 'acc', pluginName: 'scalars', tensor: { dtype: 1, float_val: [0.25] } });
    expect(events[9]!.step).toBe(101n);
  });

  test('a file of TensorFlow is read', () => {
    const { records, rest, damaged } = readRecords(golden(TENSORFLOW_EVENTS));
    expect([rest, damaged]).toEqual(['none', []]);
    const events = records.map(decodeEvent);
    expect(events[0]!.fileVersion).toBe(fileVersion);
    expect(events.filter(({ graphDef }) => graphDef).length).toBeGreaterThanOrEqual(2);
    const logs = events.flatMap(({ sessionLog, step }) => (sessionLog ? [[sessionLog.status, step]] : []));
    expect(logs).toEqual([[3, 0n], [1, 1n], [3, 2n], [3, 4n], [3, 5n]]);
    const summaries = events.filter(({ summary }) => summary?.[0]?.tag === 'loss_1');
    expect(summaries.map(({ step }) => step)).toEqual([1n, 3n, 5n]);
    expect(summaries[0]!.summary!.map(({ tag }) => tag)).toEqual(['loss_1', 'w_1', 'pixels/image/0']);
    const { image } = summaries[2]!.summary![2]!;
    expect([image!.width, image!.height, image!.colorspace]).toEqual([2, 2, 1]);
  });

  test('a step keeps 64 bits, run metadata their bytes', () => {
    for (const step of [2n ** 63n - 1n, 2n ** 53n + 1n, -1n, 0n]) {
      expect(decodeEvent(encodeEvent({ wallTime, step })).step).toBe(step);
    }
    const taggedRunMetadata = { tag: 'step_3', runMetadata: Uint8Array.of(0, 255) };
    expect(decodeEvent(encodeEvent({ wallTime, taggedRunMetadata, writer: 'tidemark' })))
      .toEqual({ wallTime, step: 0n, taggedRunMetadata, writer: 'tidemark' });
    expect(codeOf(() => encodeEvent({ wallTime, step: 1.5 }))).toBe('argument');
    expect(codeOf(() => decodeEvent(Uint8Array.of(10)))).toBe('argument');
  });

  test('records: damage is skipped, a cut-off tail is left', () => {
    const parts = ['one', 'two', 'three'].map((text) => frameRecord(new TextEncoder().encode(text)));
    const file = concat(parts);
    const texts = (bytes: Uint8Array) => readRecords(bytes).records.map((r) => new TextDecoder().decode(r));
    expect(texts(file)).toEqual(['one', 'two', 'three']);
    file[parts[0]!.length] = 77;
    expect(texts(file)).toEqual(['one', 'three']);
    expect(readRecords(file).damaged).toEqual([{ offset: parts[0]!.length, length: parts[1]!.length }]);
    const cut = readRecords(file.subarray(0, file.length - 1));
    expect([cut.records.length, cut.next, cut.rest]).toEqual([1, parts[0]!.length, 'damaged']);
    expect(readRecords(parts[0]!.subarray(0, 5))).toEqual({ records: [], damaged: [], next: 0, rest: 'truncated' });
  });

  test('names of files', () => {
    expect(eventFileName(1700000000.9, 'local.host', 'ab.1')).toBe('events.out.tfevents.1700000000.local_host.ab.1');
    expect(eventFileName(7, '', '1')).toBe('events.out.tfevents.0000000007.localhost.1');
  });
});

describe('summary values', () => {
  test('a zero is written', () => {
    expect(read(scalarValue('x', 0))).toEqual({ tag: 'x', simpleValue: 0 });
    expect(read(scalarValue('x', NaN)).simpleValue).toBeNaN();
  });

  test('metadata can be taken away', () => {
    const { pluginName, ...rest } = read(scalarTensorValue('acc', 0.5));
    expect(pluginName).toBe('scalars');
    expect(read(withoutMetadata(scalarTensorValue('acc', 0.5)))).toEqual(rest);
    const plain = histogramValue('h', [1, 2]);
    expect(withoutMetadata(plain)).toEqual(plain);
  });

  test.each([
    Float32Array.of(0, 1, 2), Float64Array.of(0, 1, 2), Int32Array.of(0, 1, 2), Uint8Array.of(0, 1, 2),
  ])('a histogram of %p', (data) => {
    expect(histogramValue('h', data)).toEqual(histogramValue('h', [0, 1, 2]));
  });

  test('a histogram of a tensor, where its bytes lie', () => {
    const x = tf.tensor1d(Array.from({ length: 1000 }, (_, i) => Math.sin(i)));
    const bytes = bytesOf(handleOf(x), 4000);
    const inPlace = histogramValue('h', new Float32Array(bytes.buffer, bytes.byteOffset, 1000));
    expect(inPlace).toEqual(histogramValue('h', x.dataSync() as Float32Array));
    x.dispose();
  });

  test('what is not finite is refused as TensorFlow does', () => {
    expect(() => histogramValue('h', [1, NaN])).toThrow('Nan in summary histogram for: h');
    expect(codeOf(() => histogramValue('h', Float32Array.of(-Infinity)))).toBe('argument');
  });

  test('images of bytes', () => {
    const pixels = Uint8Array.from({ length: 2 * 3 * 5 * 4 }, (_, i) => (i * 7) & 255);
    const values = imageValues('i', pixels, [2, 3, 5, 4]).map(read);
    expect(values.map(({ tag }) => tag)).toEqual(['i/image/0', 'i/image/1']);
    values.forEach(({ image }, i) => {
      expect(pixelsOf(image!.png)).toEqual({ width: 5, height: 3, channels: 4, pixels: [...pixels.subarray(i * 60, i * 60 + 60)] });
    });
    expect(imageValues('i', pixels, [2, 3, 5, 4], 1).map((v) => read(v).tag)).toEqual(['i/image']);
    expect(imageValues('i', new Uint8Array(), [0, 3, 5, 4])).toEqual([]);
  });

  test('images of floats are scaled, bad pixels get a color', () => {
    const png = (data: number[], shape: number[], color?: number[]) =>
      pixelsOf(read(imageValues('i', data, shape, 1, color)[0]!).image!.png).pixels;
    expect(png([0, 1, 2], [1, 1, 3, 1])).toEqual([0, 127, 255]);
    expect(png([-1, 0, 0.5], [1, 3, 1, 1])).toEqual([1, 128, 191]);
    expect(png([0, NaN, 0, 0, 1, 2], [1, 1, 2, 3], [9, 8, 7])).toEqual([9, 8, 7, 0, 127, 255]);
  });

  test('what is no image is refused', () => {
    expect(codeOf(() => imageValues('i', [1], [1, 1, 1]))).toBe('shape');
    expect(codeOf(() => imageValues('i', [1, 2], [1, 1, 1, 2]))).toBe('shape');
    expect(codeOf(() => imageValues('i', [1, 2], [1, 1, 1, 1]))).toBe('shape');
    expect(codeOf(() => imageValues('i', [1], [1, 1, 1, 1], 0))).toBe('argument');
    expect(codeOf(() => imageValues('i', [], [1, 0, 1, 1]))).toBe('argument');
  });

  test('text keeps every character', () => {
    const tag = 'é 𝒳 \ufeff\0 end';
    expect(read(scalarValue(tag, 1)).tag).toBe(tag);
  });

  test('messages: mistakes are named', () => {
    expect(() => encode('Event', { stepp: 1 })).toThrow("Event: there is no field 'stepp'");
    expect(() => encode('Nothing' as 'Event', {})).toThrow("protobuf: there is no message 'Nothing'");
    expect(decode('Event', new Uint8Array())).toEqual({});
  });
});
