/** Use after dispose, out of memory, leak reports: what errors say. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';

const gone = (): tf.Tensor1D => {
  const x = tf.tensor1d([1, 2]);
  x.dispose();
  return x;
};
const messageOf = (f: () => unknown): string => {
  try {
    f();
  } catch (error) {
    return (error as Error).message;
  }
  return 'no error';
};

/** The line of this file that a site names. */
function sourceAt(site: string): string {
  const [, line] = /errors\.test\.ts:(\d+):\d+/.exec(site) ?? [];
  return readFileSync(new URL(import.meta.url), 'utf8').split('\n')[Number(line) - 1] ?? '';
}

describe('use after dispose', () => {
  const uses: [string, (x: tf.Tensor1D) => unknown][] = [
    ['a method', (x) => x.square()],
    ['clone', (x) => x.clone()],
    ['a functional op', (x) => tf.square(x)],
    ['an op with several inputs', (x) => tf.add(1, x)],
    ['a list', (x) => tf.concat([x, x])],
    ['an op with several results', (x) => tf.split(x, 2)],
    ['dataSync', (x) => x.dataSync()],
    ['arraySync', (x) => x.arraySync()],
    ['toString', (x) => x.toString()],
    ['keep', (x) => tf.keep(x)],
    ['variable', (x) => tf.variable(x)],
    ['grad', (x) => tf.grad((y) => y.square().sum())(x)],
    ['an inner use in grad', (x) => tf.tidy(() => tf.grad((y) => y.mul(x).sum())(tf.ones([2])))],
    ['adopt', (x) => tf.EagerSession.getDefault().adopt(x)],
    ['minimize', (x) => tf.tidy(() => {
      const v = tf.variable(tf.ones([2]));
      try {
        tf.train.sgd(1).minimize(() => v.mul(x).sum() as tf.Scalar);
      } finally {
        v.dispose();
      }
    })],
    ['assign', (x) => tf.tidy(() => {
      const v = tf.variable(tf.ones([2]));
      try {
        v.assign(x);
      } finally {
        v.dispose();
      }
    })],
  ];
  test.each(uses)('%s', (_, use) => {
    let error!: tf.TensorError;
    try {
      use(gone());
    } catch (e) {
      error = e as tf.TensorError;
    }
    expect(error).toBeInstanceOf(tf.TensorError);
    expect([error.message, error.code]).toEqual(['Tensor is disposed.', 'disposed']);
  });

  test.each(['data', 'array', 'bytes'] as const)('%s rejects', async (name) => {
    await expect(gone()[name]()).rejects.toThrow('Tensor is disposed.');
  });

  test('reads that have begun end well', async () => {
    let values!: Promise<ArrayLike<number>>;
    tf.tidy(() => {
      values = tf.tensor1d([7, 8]).data();
    });
    expect(Array.from(await values)).toEqual([7, 8]);
  });
});

describe('tracing', () => {
  afterEach(() => void tf.memory.trace({ stacks: false }));

  test('says where a tensor was disposed and where it was made', () => {
    tf.memory.trace({ stacks: true });
    function makesIt(): tf.Tensor {
      return tf.ones([2]);
    }
    function disposesIt(x: tf.Tensor): void {
      x.dispose();
    }
    const x = makesIt();
    disposesIt(x);
    for (const message of [messageOf(() => x.square()), messageOf(() => tf.square(x))]) {
      const [text, disposed, made] = message.split('\n');
      expect(text).toBe('Tensor is disposed.');
      expect(disposed).toMatch(/^ {2}disposed by dispose at /);
      expect(sourceAt(disposed!)).toContain('x.dispose();');
      expect(made).toMatch(/^ {2}made at /);
      expect(sourceAt(made!)).toContain('return tf.ones([2]);');
    }
  });

  test('knows scopes and sessions that disposed', () => {
    tf.memory.trace({ stacks: true });
    let x!: tf.Tensor;
    tf.tidy('outer', () => {
      x = tf.ones([1]);
    });
    expect(messageOf(() => x.square())).toContain("disposed by scope 'outer' at ");
    const session = tf.EagerSession.options().name('mine').build();
    const y = session.run(() => tf.ones([1]));
    session.close();
    const message = messageOf(() => y.square());
    expect(message).toContain('Tensor is disposed. Eager session has been closed.');
    expect(message).toContain("disposed by session.close of 'mine' at ");
  });

  test('a close that was refused disposed of nothing', () => {
    tf.memory.trace();
    const x = tf.ones([3]);
    expect(() => tf.engine().endScope()).toThrow('no scope is open');
    x.dispose();
    expect(messageOf(() => x.square())).toContain('disposed by dispose at');
  });

  test('wants a sample of at least one', () => {
    expect(() => tf.memory.trace({ sample: NaN })).toThrow('sample must be a number of at least 1, but is NaN');
  });

  test('assertNoLeaks in others do not switch it off', async () => {
    tf.memory.trace({ stacks: false });
    const leaked: tf.Tensor[] = [];
    const one = tf.memory.assertNoLeaks(() => tf.nextTurn());
    const two = tf.memory.assertNoLeaks(async () => {
      await tf.nextTurn();
      await tf.nextTurn();
      leaked.push(tf.ones([2]));
    });
    await one;
    await expect(two).rejects.toThrow(/made at .*errors\.test/);
    expect(tf.memory.trace({ stacks: false })).toEqual({ stacks: false, sample: 1 });
    tf.dispose(leaked);
  });

  test('reports live tensors by site, largest first', () => {
    tf.memory.trace();
    const makeMask = (): tf.Tensor[] => [1, 2, 3].map((n) => tf.zeros([n, 100], 'bool'));
    const masks = makeMask();
    const big = tf.ones([1000]);
    const { sites } = tf.memory.report();
    expect(sites.map(({ numTensors, numBytes, shape, dtype }) => [numTensors, numBytes, shape, dtype]))
      .toEqual([[1, 4000, [1000], 'float32'], [3, 600, [3, 100], 'bool']]);
    expect(sites[1]!.site).toContain('errors.test');
    expect(String(tf.memory.report())).toContain('4000 bytes in 1 tensors, the largest float32[1000], made at');
    tf.dispose([masks, big]);
  });

  test('samples', () => {
    tf.memory.trace({ sample: 4 });
    const made = Array.from({ length: 16 }, (_, i) => tf.scalar(i));
    expect(tf.memory.report().sites[0]!.numTensors).toBe(4);
    expect(tf.memory.report().untraced.numTensors).toBeGreaterThanOrEqual(12);
    tf.dispose(made);
  });

  test('snapshots differ by what came and went', () => {
    const old = tf.ones([5]);
    const before = tf.memory.snapshot();
    old.dispose();
    const x = tf.ones([7]);
    expect(tf.memory.diff(before)).toEqual({
      numTensors: 0, numBytes: 8, removed: 1,
      added: [{ site: 'untraced', numTensors: 1, numBytes: 28, shape: [7], dtype: 'float32' }],
    });
    x.dispose();
  });

  // ekzhang/jax-js: users ask for a leak checker that says where.
  test('assertNoLeaks names the line, and neither what was there nor what is kept', async () => {
    const old = tf.ones([1]);
    const leaked: tf.Tensor[] = [];
    const kept: tf.Tensor[] = [];
    function makeMask(): void {
      leaked.push(tf.zeros([4, 4], 'bool'));
      kept.push(tf.keep(tf.ones([3])));
    }
    const message = messageOf(() => tf.memory.assertNoLeaks(makeMask));
    expect(message).toMatch(/^assertNoLeaks: 1 tensors are left\n {2}16 bytes in 1 tensors, the largest bool\[4,4\], made at /);
    expect(sourceAt(message)).toContain("leaked.push(tf.zeros([4, 4], 'bool'))");
    await expect(tf.memory.assertNoLeaks(async () => {
      await tf.nextTurn();
      makeMask();
    })).rejects.toThrow('1 tensors are left');
    const x = tf.memory.assertNoLeaks(() => tf.tidy(() => tf.ones([1]).add(1)));
    tf.dispose([old, leaked, kept, x]);
  });
});

describe('out of memory', () => {
  test('is one error with the full account, and everything works afterwards', () => {
    const MB = 2 ** 20;
    const before = tf.memory();
    const session = tf.EagerSession.options().name('small').budget({ hard: 256 * MB }).build();
    const made: tf.Tensor[] = [];
    let error!: tf.TensorError;
    session.run(() => {
      tf.tidy('hungry', () => {
        try {
          for (;;) made.push(tf.ones([16 * MB / 4]));
        } catch (e) {
          error = e as tf.TensorError;
        }
      });
    });
    expect(made).toHaveLength(16);
    expect(error.code).toBe('memory');
    for (const part of [
      'asked for 16777216 bytes', 'the budget being 268435456 bytes', 'bytes in 1', 'the largest block',
      "session 'small' has 16 tensors", "scope 'hungry' 16 tensors and 268435456 bytes",
      'finalizers are pending', 'no rescue has been tried',
    ]) expect(error.message).toContain(part);

    let seed = 7;
    const below = (n: number): number => (seed = (seed * 16807) % 2147483647) % n;
    session.run(() => {
      for (let i = 0; i < 1000; i++) {
        tf.tidy(() => {
          const a = Array.from({ length: 1 + below(50) }, () => below(100) - 50);
          const b = a.map(() => below(100) - 50);
          const [op, want] = [
            [tf.add, a.map((x, k) => x + b[k]!)] as const,
            [tf.mul, a.map((x, k) => x * b[k]!)] as const,
            [tf.maximum, a.map((x, k) => Math.max(x, b[k]!))] as const,
            [(x: tf.Tensor, y: tf.Tensor) => x.sub(y).square(), a.map((x, k) => (x - b[k]!) ** 2)] as const,
          ][below(4)]!;
          const got = (op as typeof tf.add)(tf.tensor1d(a), tf.tensor1d(b)).arraySync();
          if (JSON.stringify(got) !== JSON.stringify(want)) throw new Error(`wrong at ${i}`);
        });
      }
    });
    session.close();
    const after = tf.memory();
    expect([after.numTensors, after.numBytes, after.numDataBuffers])
      .toEqual([before.numTensors, before.numBytes, before.numDataBuffers]);
  });

  test('the block of lists may move in a call that fails', () => {
    const x = tf.range(0, 5000);
    const session = tf.EagerSession.create();
    expect(() => session.run(() => {
      session.close();
      tf.unstack(x);
    })).toThrow('Eager session has been closed');
    expect(tf.tidy(() => tf.tensor1d([1, 2, 3]).square().sum().arraySync())).toBe(14);
    x.dispose();
  });

  test('a recursion without end leaves the core as it was', () => {
    const x = tf.tensor1d([1, 2, 3]);
    const forever = (): number => {
      tf.add(x, 1).dispose();
      return forever() + 1;
    };
    for (let n = 0; n < 40; n++) {
      expect(forever).toThrow(RangeError);
      expect(tf.tidy(() => tf.add(x, 1).arraySync())).toEqual([2, 3, 4]);
    }
    x.dispose();
  });

  test('frees what finalizers have named before it gives up', () => {
    using session = tf.EagerSession.options().budget({ hard: 10000 }).resourceCleanupStrategy('ON_SAFE_POINTS').build();
    session.run(() => {
      const lost = [tf.ones([1000]), tf.ones([1000])];
      session.simulateCollect(lost);
      expect(tf.ones([2000]).shape).toEqual([2000]);
      expect(() => tf.ones([2000])).toThrow('out of memory');
    });
  });
});

test('a loop that starves finalizers is warned once', async () => {
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  const session = tf.EagerSession.options().budget({ soft: 100_000 }).build();
  for (let i = 0; i < 1000; i++) {
    session.run(() => tf.ones([100]));
    await Promise.resolve();
  }
  session.close();
  expect(warn.mock.calls.map(([text]) => String(text))).toEqual([expect.stringContaining('tf.nextTurn()')]);
  warn.mockRestore();
});

describe('bad arguments', () => {
  const rows: [string, () => unknown, string][] = [
    ['keep', () => tf.keep({} as tf.Tensor), 'keep: expected a tensor of this copy of the library, but got [object Object]'],
    ['budget NaN', () => tf.memory.setBudget({ soft: NaN }), 'setBudget: soft must be a positive number of bytes, but is NaN'],
    ['budget text', () => tf.memory.setBudget({ hard: '1MB' as unknown as number }), "setBudget: hard must be a positive number of bytes, but is '1MB'"],
    ['budget of nothing', () => tf.memory.setBudget(5 as tf.Budget), 'setBudget: expected an object with soft and hard, but got 5'],
    ['run', () => tf.EagerSession.getDefault().run(undefined as unknown as () => void), 'run: expected a function but got undefined'],
    ['options', () => tf.EagerSession.create({} as tf.EagerSessionOptions), 'EagerSession: expected EagerSession.options(), but got [object Object]'],
    ['assertNoLeaks', () => tf.memory.assertNoLeaks(3 as unknown as () => void), 'assertNoLeaks: expected a function but got 3'],
  ];
  test.each(rows)('%s', (_, act, message) => {
    expect(act).toThrow(message);
  });

  test('of async scopes', async () => {
    await expect(tf.tidyGen((() => 1) as unknown as Parameters<typeof tf.tidyGen>[0])).rejects.toThrow('tidyGen: expected a generator function, but what it returned is a number');
    await expect(tf.tidyAsync(1 as unknown as () => Promise<void>)).rejects.toThrow('tidyAsync: expected a function but got 1');
  });
});

test('names without end cost a bounded amount', () => {
  for (let i = 0; i < 3000; i++) tf.tidy(`step ${i}`, () => undefined);
  const { heapBytes } = tf.memory();
  for (let i = 3000; i < 30_000; i++) tf.tidy(`step ${i}`, () => undefined);
  expect(tf.memory().heapBytes).toBe(heapBytes);
});
