/** Eager sessions: TensorFlow Java's rules, and what differs from them. */
import { afterEach, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';

const build = (strategy: tf.ResourceCleanupStrategy): tf.EagerSession =>
  tf.EagerSession.options().resourceCleanupStrategy(strategy).build();
const alive = (): number => tf.memory().numTensors;

describe('EagerSession', () => {
  test('closing twice does not fail, and frees everything once', () => {
    const before = alive();
    const session = tf.EagerSession.create();
    const x = session.run(() => {
      tf.variable(tf.scalar(1), true, 'in a session');
      return tf.keep(tf.ones([3]));
    });
    expect(session.memory()).toEqual({ numTensors: 3, numBytes: 20 });
    session.close();
    session.close();
    expect(session.isOpen).toBe(false);
    expect(x.isDisposed).toBe(true);
    expect(alive()).toBe(before);
    // The name is free again.
    tf.tidy(() => tf.variable(tf.scalar(1), true, 'in a session').dispose());
    expect(alive()).toBe(before);
  });

  test.each([
    ['run', (s: tf.EagerSession) => s.run(() => 1)],
    ['safePoint', (s: tf.EagerSession) => s.safePoint()],
    ['adopt', (s: tf.EagerSession) => s.adopt([])],
    ['setBudget', (s: tf.EagerSession) => s.setBudget({ soft: 1 })],
    ['memory', (s: tf.EagerSession) => s.memory()],
    ['simulateCollect', (s: tf.EagerSession) => s.simulateCollect([])],
    ['tidyAsync', (s: tf.EagerSession) => s.tidyAsync(async () => 1)],
  ])('%s refuses to work on a closed session', (_, use) => {
    const session = tf.EagerSession.create();
    session.close();
    expect(() => use(session)).toThrow('Eager session has been closed');
  });

  test('ops in a session that closed meanwhile are refused', () => {
    const session = tf.EagerSession.create();
    session.run(() => {
      session.close();
      expect(() => tf.ones([1])).toThrow('Eager session has been closed');
      expect(() => tf.tidy(() => 1)).toThrow('Eager session has been closed');
      expect(() => tf.variable(tf.ones([1]))).toThrow('Eager session has been closed');
    });
    tf.tidy(() => expect(tf.add(1, 2).arraySync()).toBe(3));
  });

  describe('the default one', () => {
    afterEach(() => tf.EagerSession.resetDefaultForTest());

    test('is made once and cannot be closed', () => {
      const session = tf.EagerSession.getDefault();
      expect(tf.EagerSession.getDefault()).toBe(session);
      expect(() => session.close()).toThrow('Default eager session cannot be closed');
      expect(session.isOpen).toBe(true);
      expect(session.strategy).toBe('IN_BACKGROUND');
      expect(() => tf.EagerSession.initDefault(tf.EagerSession.options()))
        .toThrow('Default eager session is already initialized');
    });

    test('is initialized once', () => {
      const options = tf.EagerSession.options().resourceCleanupStrategy('ON_SAFE_POINTS');
      const session = tf.EagerSession.initDefault(options);
      expect(tf.EagerSession.getDefault()).toBe(session);
      expect(tf.memory().sessions[0]!.strategy).toBe('ON_SAFE_POINTS');
      expect(() => tf.EagerSession.initDefault(options)).toThrow('Default eager session is already initialized');
    });
  });

  test('options are checked and returned', () => {
    const options = tf.EagerSession.options();
    expect(options.name('a').budget({ soft: 1000 }).resourceCleanupStrategy('IN_BACKGROUND')).toBe(options);
    expect(() => options.resourceCleanupStrategy('SOON' as 'IN_BACKGROUND')).toThrow("no strategy 'SOON'");
    expect(tf.ResourceCleanupStrategy.ON_SAFE_POINTS).toBe('ON_SAFE_POINTS');
  });

  test('several are open at once and keep what is theirs', () => {
    using a = tf.EagerSession.options().name('a').build();
    using b = tf.EagerSession.options().name('b').build();
    const x = a.run(() => tf.ones([2]));
    // Tensors of two sessions meet; the result is the current one's.
    const y = b.run(() => a.run(() => x.add(1)).add(b.run(() => tf.ones([2]))));
    expect(tf.memory().sessions.slice(1).map(({ name, numTensors }) => [name, numTensors]))
      .toEqual([['a', 2], ['b', 2]]);
    a.close();
    expect(x.isDisposed).toBe(true);
    expect(y.arraySync()).toEqual([3, 3]);
  });

  test('run refuses promises', async () => {
    using session = tf.EagerSession.create();
    expect(() => session.run(async () => tf.ones([1]))).toThrow('use session.tidyAsync');
  });

  test('await using waits for async functions in progress', async () => {
    let ended = false;
    {
      await using session = tf.EagerSession.create();
      void session.tidyAsync(async (s) => {
        await tf.nextTurn();
        s.run(() => tf.ones([1]));
        ended = true;
      });
    }
    expect(ended).toBe(true);
  });

  test('close does not wait, and what goes on is told', async () => {
    const session = tf.EagerSession.create();
    const late = session.tidyAsync(async (s) => {
      await tf.nextTurn();
      s.run(() => tf.ones([1]));
    });
    session.close();
    await expect(late).rejects.toThrow('Eager session has been closed');
  });

  // tensorflow/java: outputs still open when their session closed.
  test('what escapes a session implicitly fails loudly, what is adopted lives', () => {
    const before = alive();
    const session = tf.EagerSession.create();
    const y = session.run(() => tf.tensor1d([1, 2]).mul(2));
    session.close();
    expect(() => y.dataSync()).toThrow(/session has been closed/);
    expect(() => tf.square(y)).toThrow(/session has been closed/);
    expect(alive()).toBe(before);

    const second = tf.EagerSession.create();
    const z = second.run(() => tf.EagerSession.getDefault().adopt({ z: tf.tensor1d([1, 2]).mul(2) })).z;
    second.close();
    expect(z.arraySync()).toEqual([2, 4]);
    z.dispose();
    expect(alive()).toBe(before);
    tf.EagerSession.resetDefaultForTest();
  });

  // microsoft/onnxruntime: no way to free a session's memory.
  test('opening and closing 50 times does not grow the memory', () => {
    const sizes: number[] = [];
    for (let round = 0; round < 50; round++) {
      using session = tf.EagerSession.create();
      session.run(() => tf.ones([1 << 20]).square());
      sizes.push(tf.memory().heapBytes);
    }
    expect(sizes[49]).toBe(sizes[2]);
  });

  // microsoft/onnxruntime: a heap that cannot shrink looked like a leak.
  test('freed space is used again', () => {
    const round = (): [number, number] => {
      const { numBytes } = tf.memory();
      tf.tidy(() => {
        for (let i = 0; i < 16; i++) tf.ones([1 << 20]);
      });
      return [tf.memory().numBytes - numBytes, tf.memory().heapBytes];
    };
    const [, size] = round();
    for (let i = 0; i < 9; i++) expect(round()).toEqual([0, size]);
  });
});

describe('strategies', () => {
  // tensorflow/java: an eager session kept every result until it was closed.
  const small = (session: tf.EagerSession, n: number): tf.Tensor[] =>
    session.run(() => Array.from({ length: n }, (_, i) => tf.add(i, 1)));

  test('ON_SESSION_CLOSE frees nothing before', () => {
    const session = build('ON_SESSION_CLOSE');
    const made = small(session, 10000);
    session.simulateCollect(made);
    session.safePoint();
    session.run(() => tf.add(1, 1));
    expect(session.memory().numTensors).toBe(10001);
    session.close();
    expect(made.every((x) => x.isDisposed)).toBe(true);
  });

  test('ON_SAFE_POINTS frees when an op starts, 256 at a time, or when told', async () => {
    using session = build('ON_SAFE_POINTS');
    const made = small(session, 1000);
    session.simulateCollect(made);
    await tf.nextTurn();
    expect(tf.memory().pendingFinalizers).toBe(1000);
    expect(made[0]!.isDisposed).toBe(false);
    const x = tf.add(1, 2);
    expect(tf.memory().pendingFinalizers).toBe(744);
    expect(made.map((each) => each.isDisposed)).toEqual(made.map((_, i) => i < 256));
    x.dispose();
    session.safePoint();
    expect(session.memory().numTensors).toBe(0);
  });

  test('IN_BACKGROUND frees without any op', async () => {
    using session = build('IN_BACKGROUND');
    const made = small(session, 10000);
    const { reclaimed } = tf.memory();
    session.simulateCollect(made);
    expect(made[0]!.isDisposed).toBe(false);
    while (tf.memory().pendingFinalizers > 0) await tf.nextTurn();
    expect(session.memory().numTensors).toBe(0);
    expect(tf.memory().reclaimed - reclaimed).toBe(10000);
  });

  test('what a scope owns has no finalizer', () => {
    using session = build('IN_BACKGROUND');
    session.run(() => tf.tidy(() => {
      const x = tf.ones([1]);
      session.simulateCollect(x);
      expect(tf.memory().pendingFinalizers).toBe(0);
    }));
  });

  test('kept, returned and variable tensors have one', () => {
    using session = build('ON_SAFE_POINTS');
    const made = session.run(() => {
      let kept!: tf.Tensor, v!: tf.Variable;
      const returned = tf.tidy(() => {
        kept = tf.keep(tf.ones([1]));
        v = tf.variable(tf.ones([1]));
        return tf.ones([1]);
      });
      return { kept, v, returned };
    });
    session.simulateCollect(made);
    expect(tf.memory().pendingFinalizers).toBe(3);
    session.safePoint();
    expect(session.memory().numTensors).toBe(0);
  });

  test('what is disposed meanwhile is no longer pending', () => {
    using session = build('ON_SAFE_POINTS');
    const [x, y] = small(session, 2);
    session.simulateCollect([x, y]);
    expect(tf.memory().pendingFinalizers).toBe(2);
    x!.dispose();
    expect(tf.memory().pendingFinalizers).toBe(1);
    session.close();
    expect(tf.memory().pendingFinalizers).toBe(0);
  });

  test('a finalizer that comes late does no harm', () => {
    using session = build('ON_SAFE_POINTS');
    const [x] = small(session, 1);
    session.simulateCollect(x);
    x!.dispose();
    const [y] = small(session, 1); // in the same slot, most likely
    session.simulateCollect(x);
    session.safePoint();
    expect(y!.isDisposed).toBe(false);
    expect(y!.arraySync()).toBe(1);
  });
});
