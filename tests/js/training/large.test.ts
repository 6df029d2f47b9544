// Large checkpoints go out in pieces, with turns of the event loop between them.
import { describe, expect, jest, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { MemoryStorage } from '../../../js/src/io/storage/memory.js';
import type { Contents, FileStorage } from '../../../js/src/io/storage/storage.js';
import { Saver } from '../../../js/src/train/session/saver.js';

jest.setTimeout(120_000);
const mebi = 1024 * 1024;

/** Watches the pieces that a storage is given. */
class Watched extends MemoryStorage {
  readonly sizes: number[] = [];
  readonly turns: number[] = [];

  constructor(path: string, readonly turn: () => number) {
    super(path);
  }

  override async commit(files: Readonly<Record<string, Contents>>): Promise<void> {
    const { sizes, turns, turn } = this;
    async function* watched(contents: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const piece of contents) {
        sizes.push(piece.length);
        turns.push(turn());
        yield piece;
      }
    }
    await super.commit(Object.fromEntries(Object.entries(files).map(([name, contents]) =>
      [name, Symbol.asyncIterator in contents ? watched(contents) : contents])));
  }
}

/** The processor's time, in milliseconds: other programs on the machine do not count. */
function busy(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Counts turns of the event loop and the longest work between two. */
function ticker(): { turns: () => number; longest: () => number; stop: () => void } {
  let turns = 0;
  let longest = 0;
  let last = busy();
  let live = true;
  const tick = (): void => {
    const now = busy();
    longest = Math.max(longest, now - last);
    last = now;
    turns++;
    if (live) setImmediate(tick).unref();
  };
  setImmediate(tick);
  return { turns: () => turns, longest: () => longest, stop: () => void (live = false) };
}

describe('100 MB of variables', () => {
  test('no piece above 4 MB, a turn between two, no task above 50 ms; training goes on', async () => {
    const vs = tf.tidy(() => [
      ...[0, 1, 2].map((i) => tf.variable(tf.fill([32, mebi / 4], i), true, `large${i}`)),
      ...Array.from({ length: 500 }, (_, i) => tf.variable(tf.fill([64, 32], i), true, `small${i}`)),
    ]);
    const tasks: number[] = [];
    // Compilers and collectors work beside it: the best of some tries counts.
    for (let attempt = 0; attempt < 5 && !(Math.min(...tasks) < 50); attempt++) {
      const ticks = ticker();
      let storage: Watched | undefined;
      const saver = new Saver(vs, {
        onLog: () => {}, open: (d: string): FileStorage => (storage = new Watched(`${d.slice(9)}`, ticks.turns)),
      });
      const tensors = tf.memory().numBytesInPool;
      // The snapshot is made of references.
      const begun = performance.now();
      const saving = saver.save(null, `memory://large${attempt}/m`, { writeMetaGraph: false });
      const started = performance.now() - begun;
      const more = tf.memory().numBytesInPool - tensors;
      tf.tidy(() => vs[3]!.assign(tf.zeros([64, 32])));
      await saving.finally(ticks.stop);
      expect([started < 2000 || started, more]).toEqual([true, 0]);
      const { sizes, turns } = storage!;
      expect(Math.max(...sizes)).toBeLessThanOrEqual(4 * mebi);
      expect(sizes.slice(0, -1).reduce((a, b) => a + b, 0)).toBe(96 * mebi + 500 * 64 * 32 * 4);
      // Small tensors share a piece.
      expect(sizes.length).toBeLessThan(120);
      const data = turns.slice(0, -1);
      expect(data.every((turn, i) => i === 0 || turn > data[i - 1]!)).toBe(true);
      tasks.push(ticks.longest());
      tf.tidy(() => vs[3]!.assign(tf.fill([64, 32], 0)));
    }
    expect(Math.min(...tasks)).toBeLessThan(50);
    tf.tidy(() => vs[0]!.assign(tf.ones([32, mebi / 4])));
    await new Saver(vs, { onLog: () => {} }).restore(null, 'memory://large0/m');
    expect(tf.tidy(() => vs[0]!.abs().sum().dataSync()[0])).toBe(0);
    const files = new MemoryStorage();
    await files.remove(...(await files.list()).map(({ name }) => name).filter((name) => name.startsWith('large')));
    tf.dispose(vs);
  });
});
