// Every example in a doc comment runs, and its `// =>` lines hold.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import * as tf from '../../js/src/index.js';
import { assertions, equal, examplesIn, runnable } from './support/examples.js';
import { sources } from './support/files.js';

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (
  ...parts: string[]
) => (api: typeof tf, check: (actual: unknown, expected: unknown, text: string) => void) => Promise<void>;

const examples = [...sources(/^js\/src\/.*\.ts$/)].flatMap(([file, text]) => examplesIn(file, text));

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
    await new AsyncFunction('tf', 'check', runnable(code))(tf, (actual, expected, text) => {
      if (!equal(actual, expected)) {
        throw new Error(`${text} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
      }
    });
  });

  test('a wrong value is noticed', async () => {
    const seen: boolean[] = [];
    await new AsyncFunction('tf', 'check', runnable('tf.add(1, 2).arraySync(); // => 4\n'))(tf, (a, b) => {
      seen.push(equal(a, b));
    });
    expect(seen).toEqual([false]);
  });
});
