// Every example in a doc comment and in the pages for users runs, and its
// `// =>` lines hold.
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as tf from '../../js/src/index.js';
import { assertions, equal, examplesIn, examplesInPage, runnable, runnablePage } from './support/examples.js';
import { sources } from './support/files.js';

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (
  ...parts: string[]
) => (api: typeof tf, check: (actual: unknown, expected: unknown, text: string) => void) => Promise<void>;

const examples = [...sources(/^js\/src\/.*\.ts$/)].flatMap(([file, text]) => examplesIn(file, text));

const pages = [...sources(/^(README|docs\/.*)\.md$/)].flatMap(([file, text]) => examplesInPage(file, text));

const run = (code: string) =>
  new AsyncFunction('tf', 'check', code)(tf, (actual, expected, text) => {
    if (!equal(actual, expected)) {
      throw new Error(`${text} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
    }
  });

describe('examples', () => {
  beforeEach(() => tf.engine().startScope());
  afterEach(() => {
    tf.engine().endScope();
    tf.disposeVariables();
  });

  test('there are some, and most assert something', () => {
    const silent = examples.filter(({ code }) => assertions(code) === 0);
    expect(examples.length).toBeGreaterThan(30);
    expect(silent.length).toBeLessThan(examples.length / 10);
  });

  test.each(examples.map(({ where, code }) => [where, code]))('%s', async (_, code) => {
    await run(runnable(code));
  });

  test('a wrong value is noticed', async () => {
    const seen: boolean[] = [];
    await new AsyncFunction('tf', 'check', runnable('tf.add(1, 2).arraySync(); // => 4\n'))(tf, (a, b) => {
      seen.push(equal(a, b));
    });
    expect(seen).toEqual([false]);
  });
});

// No scope around them: they must leave nothing by themselves.
describe('pages', () => {
  let print: ReturnType<typeof jest.spyOn>;
  beforeEach(() => {
    print = jest.spyOn(console, 'log').mockImplementation(() => {});
  });
  afterEach(() => {
    print.mockRestore();
    tf.EagerSession.resetDefaultForTest();
  });

  test.each(['memory', 'layers', 'training'])('the guide to %s is among them, and asserts', (name) => {
    const guide = pages.filter(({ where }) => where.startsWith(`docs/${name}.md `));
    expect(guide.length).toBeGreaterThan(19);
    expect(guide.filter(({ code }) => assertions(code) === 0)).toEqual([]);
  });

  test.each(pages.map(({ where, code }) => [where, code]))('%s', async (_, code) => {
    const before = tf.memory.snapshot();
    await run(runnablePage(code));
    expect(tf.memory.diff(before)).toMatchObject({ numTensors: 0, added: [] });
  });

  test('a wrong value and a leak are noticed, also with using', async () => {
    await expect(run(runnablePage('using x = tf.ones([2]);\nx.size; // => 3\n'))).rejects.toThrow('is 2, not 3');
    const before = tf.memory.snapshot();
    await run(runnablePage('using x = tf.ones([2]);\ntf.ones([3]);\n'));
    const { added } = tf.memory.diff(before);
    expect(added).toMatchObject([{ shape: [3] }]);
    tf.engine().reset();
  });
});
