/** Scopes for async functions, generators and `using`. */
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';

const alive = (): number => tf.memory().numTensors;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Numbers in [0, 1) that are the same in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}

describe('40 interleaved functions', () => {
  // Each waits at random and computes 1 + 2 + ... + 5 in steps of its own.
  test('as async functions', async () => {
    const before = alive();
    const next = random(1);
    const work = (i: number): Promise<tf.Scalar> => tf.tidyAsync(async (s) => {
      let sum = s.run(() => tf.scalar(i));
      for (let k = 1; k <= 5; k++) {
        await pause(next() * 8);
        sum = s.run(() => tf.tidy(() => sum.add(tf.ones([k]).sum()) as tf.Scalar));
        if (next() < 0.3) expect(await sum.data()).toHaveLength(1);
        if (next() < 0.3) sum = await s.tidyAsync(async (t) => t.run(() => sum.add(0) as tf.Scalar));
      }
      return sum;
    });
    const sums = await Promise.all(Array.from({ length: 40 }, (_, i) => work(i)));
    expect(sums.map((x) => x.arraySync())).toEqual(sums.map((_, i) => i + 15));
    expect(alive() - before).toBe(40);
    tf.dispose(sums);
  });

  test('as generators', async () => {
    const before = alive();
    const next = random(2);
    const work = (i: number): Promise<tf.Tensor> => tf.tidyGen(function* () {
      let sum: tf.Tensor = tf.scalar(i);
      for (let k = 1; k <= 5; k++) {
        yield pause(next() * 8);
        sum = sum.add(tf.ones([k]).sum());
        try {
          if (next() < 0.3) yield Promise.reject(new Error('on the way'));
        } catch {
          sum = sum.add(tf.scalar(0));
        }
      }
      return sum;
    });
    const sums = await Promise.all(Array.from({ length: 40 }, (_, i) => work(i)));
    expect(sums.map((x) => x.arraySync())).toEqual(sums.map((_, i) => i + 15));
    expect(alive() - before).toBe(40);
    tf.dispose(sums);
  });
});

describe('tidyAsync', () => {
  test('frees everything when its function fails', async () => {
    await expect(tf.tidyAsync(async (s) => {
      s.run(() => tf.ones([3]));
      await pause(1);
      throw new Error('mine');
    })).rejects.toThrow('mine');
  });

  test('leaves nothing ambient at await', async () => {
    let outside!: tf.Tensor;
    await tf.tidyAsync(async (s) => {
      s.run(() => tf.ones([1]));
      outside = tf.ones([2]);
      await pause(1);
    });
    expect(outside.isDisposed).toBe(false);
    outside.dispose();
  });

  test('run refuses promises', async () => {
    await tf.tidyAsync(async (s) => {
      expect(() => s.run(async () => tf.tidy(() => 1))).toThrow('run: the function returned a Promise');
    });
  });

  test('names the scopes that are still open inside, and where they were opened', async () => {
    let late!: Promise<unknown>;
    const closing = tf.tidyAsync(async (s) => {
      late = s.tidyAsync(function openedHere(t) {
        return pause(5).then(() => t.run(() => tf.ones([1])));
      }, { name: 'late' });
      s.run(() => tf.ones([1]));
    }, { name: 'early' });
    const message = await closing.then(() => '', (error: Error) => error.message);
    expect(message).toContain("'early' was closed while 'late' inside was still open");
    expect(message.match(/async_scopes\.test/g)).toHaveLength(2);
    await expect(late).rejects.toThrow(/scope 'late' has been closed; it was opened at .*async_scopes/);
  });

  test('or gives them to the scope around', async () => {
    let late!: Promise<tf.Tensor>;
    await tf.tidyAsync(async (s) => {
      late = s.tidyAsync(async (t) => {
        const x = t.run(() => tf.ones([1]));
        await pause(5);
        return t.run(() => x.add(1));
      });
    }, { orphans: 'adopt' });
    const y = await late;
    expect(y.arraySync()).toEqual([2]);
    y.dispose();
  });

  test('inside tidy fails at once', async () => {
    let late!: Promise<unknown>;
    expect(() => tf.tidy(() => {
      late = tf.tidyAsync(async (s) => {
        await pause(1);
        s.run(() => tf.ones([1]));
      });
    })).toThrow("'tidy' was closed while 'tidyAsync' inside was still open");
    await expect(late).rejects.toThrow('has been closed');
  });
});

describe('scope', () => {
  test('frees at the end of the block, except what is moved out', () => {
    const before = alive();
    const norm = (x: tf.Tensor): tf.Tensor => {
      using s = tf.scope('norm');
      return s.move(x.square().sum().sqrt());
    };
    const y = tf.tidy(() => norm(tf.tensor1d([3, 4])));
    expect(y.arraySync()).toBe(5);
    expect(alive() - before).toBe(1);
    y.dispose();
  });

  test('a returned tensor that was not moved is disposed', () => {
    const make = (): tf.Tensor => {
      using _ = tf.scope();
      return tf.ones([1]);
    };
    expect(make().isDisposed).toBe(true);
  });

  test('closed out of order says which was current', () => {
    const a = tf.scope('a');
    const b = tf.scope('b');
    expect(() => a.close()).toThrow(/'a' was closed while 'b' inside was still open[^]*async_scopes/);
    expect(b.isOpen).toBe(false);
    b.close();
    expect(() => b.run(() => 1)).toThrow(/scope 'b' has been closed; it was opened at/);
  });

  test('startScope and endScope are the same scopes', () => {
    expect(() => tf.engine().endScope()).toThrow('endScope: no scope is open');
    tf.engine().startScope();
    const x = tf.ones([1]);
    tf.engine().startScope();
    const y = x.add(1);
    tf.engine().endScope({ nested: [y] });
    expect(y.isDisposed).toBe(false);
    tf.engine().endScope();
    expect(y.isDisposed).toBe(true);
  });
});

describe('a result that cannot be walked', () => {
  const broken = (x: tf.Tensor) => ({
    x,
    get y(): tf.Tensor {
      throw new Error('boom');
    },
  });

  test('closes the scope of tidy all the same', () => {
    const before = tf.memory().numTensors;
    expect(() => tf.tidy(() => broken(tf.ones([10])))).toThrow('boom');
    expect(tf.memory().numTensors).toBe(before);
    expect(() => tf.engine().endScope()).toThrow('no scope is open');
  });

  test('and that of tidyAsync', async () => {
    const before = tf.memory().numTensors;
    await expect(tf.tidyAsync((s) => Promise.resolve(broken(s.run(() => tf.ones([10])))))).rejects.toThrow('boom');
    expect(tf.memory().numTensors).toBe(before);
  });

  test('no nesting is too deep', () => {
    let deep: unknown = tf.ones([1]);
    for (let i = 0; i < 200_000; i++) deep = [deep];
    const before = tf.memory().numTensors;
    expect(tf.tidy(() => deep)).toBe(deep);
    expect(tf.memory().numTensors).toBe(before);
    tf.dispose(deep);
  });
});

describe('tidyGen that cannot go on', () => {
  test('lets the generator run its finally blocks', async () => {
    let ended = false;
    await expect(tf.tidyGen(function* () {
      const left = tf.scope();
      try {
        yield 1;
      } finally {
        ended = true;
        left.close();
      }
    })).rejects.toThrow('still open');
    expect(ended).toBe(true);
  });
});

test('a scope object can give inner scopes to the scope around', () => {
  const outer = tf.scope('outer');
  const inner = tf.scope('inner');
  const x = tf.ones([1]);
  outer.close(undefined, { orphans: 'adopt' });
  expect(x.isDisposed).toBe(false);
  inner.close();
  expect(x.isDisposed).toBe(true);
});

test('where the scope around was closed and its place taken, the default session follows', async () => {
  const y = tf.EagerSession.create();
  let z!: tf.EagerSession;
  await expect(tf.tidyAsync(async (outer) => {
    outer.run(() => {
      y.run(() => {
        outer.close();
        z = tf.EagerSession.create();
      });
      tf.ones([1]).dispose();
      expect(z.memory().numTensors).toBe(0);
    });
  })).rejects.toThrow('was closed while its function ran');
  const x = tf.ones([1]);
  expect(z.memory().numTensors).toBe(0);
  x.dispose();
  y.close();
  z.close();
});

test('tidy finds tensors in containers of every kind', () => {
  class Model {
    weights = new Map([['w', tf.ones([1])]]);
    *[Symbol.iterator](): Iterator<tf.Tensor> {
      yield* this.weights.values();
    }
  }
  const cycle: { x: tf.Tensor, self?: unknown } = tf.tidy(() => {
    const made: { x: tf.Tensor, self?: unknown } = { x: tf.ones([1]) };
    made.self = made;
    return made;
  });
  const rest = tf.tidy(() => [new Set([tf.ones([1])]), new Map([[tf.ones([1]), 1]]), new Model(), null, 'x']);
  const before = alive();
  tf.dispose([cycle, rest]);
  expect(before - alive()).toBe(4);
});
