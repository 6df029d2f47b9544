// What summaries and their writers and readers take, and what they refuse.
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { encode, loadFormats } from '../../../js/src/io/formats.js';
import type { ReadEvent } from '../../../js/src/io/events/event.js';
import { dir, eventsIn, options, programs } from './programs_support.js';

const { FileWriter, FileWriterCache } = tf.summary;
type Writer = InstanceType<typeof FileWriter>;

/** What a step told, as it was written. */
async function told(tell: () => void): Promise<NonNullable<ReadEvent['summary']>> {
  tf.resetDefaultGraph();
  const train = tf.train.step('train', () => void tell());
  const hook = new tf.train.SummarySaverHook({ saveSteps: 1, outputDir: dir, summaryOp: 'summary_op' });
  await tf.train.withMonitoredTrainingSession({ ...options, hooks: [hook] }, (sess) => sess.run(train));
  await FileWriterCache.clear();
  return (await eventsIn(dir)).flatMap(({ summary }) => summary ?? []);
}

describe('summaries', () => {
  programs();

  test.each<[string, () => unknown, number]>([
    ['a number', () => 5, 1], ['a tensor', () => tf.tensor2d([[1, 2]]), 2], ['nested arrays', () => [[1, 2], [3, 4]], 4],
    ['booleans', () => [true, false], 2], ['bytes', () => Uint8Array.of(1, 2, 3), 3], ['doubles', () => Float64Array.of(1, 2), 2],
  ])('histogram takes %s', async (_, make, num) => {
    const [value] = await told(() => tf.summary.histogram('h', make() as number[]));
    expect(value).toMatchObject({ tag: 'h', histogram: { num } });
  });

  test('an image may be nested arrays', async () => {
    const values = await told(() => tf.summary.image('i', [[[[1], [0]], [[0], [1]]]]));
    expect(values).toMatchObject([{ tag: 'i/image/0', image: { height: 2, width: 2, colorspace: 1 } }]);
  });

  test.each<[string, () => void, RegExp]>([
    ['no tag', () => tf.summary.scalar('', 1), /summary: the tag must be a text that is not empty, got ''/],
    ['a number for a tag', () => tf.summary.scalar(5 as never, 1), /the tag must be a text that is not empty, got 5/],
    ['a text for a histogram', () => tf.summary.histogram('h', 'x' as never), /summary 'h': /],
    ['texts for a histogram', () => tf.summary.histogram('h', ['x'] as never), /summary 'h': /],
    ['nothing for a histogram', () => tf.summary.histogram('h', null as never), /summary 'h': /],
    ['an object for a histogram', () => tf.summary.histogram('h', {} as never), /summary 'h': /],
    ['half an image', () => tf.summary.image('i', tf.zeros([1, 2, 2, 1]), 1.5), /summary 'i': image: maxOutputs must be positive and whole but got 1.5/],
    ['no images', () => tf.summary.image('i', tf.zeros([1, 2, 2, 1]), 'x' as never), /must be positive and whole but got 'x'/],
    ['a flat image', () => tf.summary.image('i', [1, 2]), /summary 'i': image: expected \[batch, height, width, channels\]/],
    ['a text for an image', () => tf.summary.image('i', 'x' as never), /summary 'i': /],
  ])('%s is refused', async (_, tell, message) => {
    const error = await told(tell).catch((e: unknown) => e as Error);
    expect(error).toBeInstanceOf(tf.errors.InvalidArgumentError);
    expect((error as Error).message).toMatch(message);
  });
});

describe('an event writer', () => {
  programs();
  const written = async (write: (writer: Writer) => void): Promise<ReadEvent[]> => {
    const writer = new FileWriter(dir, null, 100, { onLog() {} });
    write(writer);
    await writer.close();
    return (await eventsIn(dir)).slice(1);
  };

  test('takes an encoded Summary, and no step', async () => {
    await loadFormats();
    const values = [{ tag: 'a', simple_value: 1 }, { tag: 'b', simple_value: 2 }].map((value) => encode('SummaryValue', value));
    const whole = encode('Summary', { value: values });
    const events = await written((writer) => {
      writer.addSummary(whole, 3);
      writer.addSummary(tf.summary.merge([whole, []]), null);
      writer.addSummary({ c: 3 }, -(2n ** 63n));
      writer.addSummary(new Uint8Array(), 2n ** 63n - 1n);
    });
    expect(events.map(({ step, summary }) => [step, ...(summary ?? []).map(({ tag, simpleValue }) => [tag, simpleValue])])).toEqual([
      [3n, ['a', 1], ['b', 2]], [0n, ['a', 1], ['b', 2]], [-(2n ** 63n), ['c', 3]], [2n ** 63n - 1n],
    ]);
    for (let length = 1; length < whole.length; length++) {
      if (length === values[0]!.length + 2) continue;
      expect(() => new FileWriter(dir).addSummary(whole.slice(0, length))).toThrow('bytes that are none');
    }
  });

  test.each<[string, (writer: Writer) => void, string]>([
    ['a step', (w) => w.addSummary({ a: 1 }, 2n ** 64n), 'FileWriter: the step must be a whole number from -2^63 to 2^63 - 1, got 18446744073709551616'],
    ['half a step', (w) => w.addSummary({ a: 1 }, 1.5), 'got 1.5'],
    ['a text for a step', (w) => w.addGraph(new Uint8Array(), 'x' as never), "got 'x'"],
    ["an event's step", (w) => w.addEvent({ wallTime: 1, step: NaN }), 'got NaN'],
    ['no event', (w) => w.addEvent(5 as never), 'add_event: expected an event, got 5'],
    ['5', (w) => w.addSummary(5 as never), 'summary: expected encoded values or an encoded Summary, got 5'],
    ['nothing', (w) => w.addSummary(null as never), 'got null'],
    ['a text', (w) => w.addSummary('abc' as never), "got 'abc'"],
    ['bytes', (w) => w.addSummary(Uint8Array.of(1, 2, 3)), 'got 3 bytes that are none'],
    ['an endless number', (w) => w.addSummary(Uint8Array.of(255, 255)), 'got 2 bytes that are none'],
    ['a list of bytes', (w) => w.addSummary([Uint8Array.of(10, 1, 97)]), 'got 3 bytes that are none'],
    ['a list of numbers', (w) => w.addSummary([5] as never), 'got 5'],
    ['an empty tag', (w) => w.addSummary({ '': 1 }), 'add_summary: the tag must be a text that is not empty'],
    ['a text for a number', (w) => w.addSummary({ a: '1' } as never), "add_summary: 'a': expected a number, got '1'"],
  ])('refuses %s', async (_, write, message) => {
    expect(await written((writer) => expect(() => write(writer)).toThrow(message))).toEqual([]);
  });

  test('refuses directories that are none', () => {
    for (const path of [undefined, null, 5]) {
      expect(() => FileWriterCache.get(path as never)).toThrow(`FileWriterCache: the path must be a text, got ${path}`);
    }
    expect(() => FileWriterCache.get('')).toThrow("FileWriterCache: the path is empty: '.' is this folder");
    expect(() => new FileWriter('')).toThrow("FileWriter: the path is empty: '.' is this folder");
    for (const summaries of [5, null, [5], ['x']]) expect(() => tf.summary.merge(summaries as never)).toThrow('summary: expected encoded values');
  });
});

describe('readers', () => {
  programs();

  test('refuse what is no path or name', async () => {
    const first = (path: unknown) => tf.train.summaryIterator(path as string).next();
    await expect(first(5)).rejects.toThrow('summaryIterator: the path must be a text, got 5');
    for (const path of ['', 'memory://events/']) {
      await expect(first(path)).rejects.toThrow(`summaryIterator: '${path}' names no file: pass the path of an event file`);
    }
    await expect(first('memory://events/none')).rejects.toBeInstanceOf(tf.errors.NotFoundError);
    const v = tf.tidy(() => tf.variable(tf.scalar(1), true, 'v'));
    const path = await new tf.train.Saver([v]).save(null, `${dir}/m`, { writeMetaGraph: false });
    const reader = await tf.train.loadCheckpoint(path);
    await expect(reader.getTensor('')).rejects.toThrow(`Key '' not found in checkpoint '${path}'`);
    await expect(reader.getTensor('w')).rejects.toThrow(`Key w not found in checkpoint '${path}'`);
    await expect(tf.train.loadVariable(path, 5 as never)).rejects.toThrow('loadVariable: the name must be a text, got 5');
  });
});
