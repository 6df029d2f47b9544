// Large checkpoints go out in pieces, with turns of the event loop between them.
// How long a page is held up is measured in browsers (storage_large.spec.ts).
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

/** Counts turns of the event loop. */
function ticker(): { turns: () => number; stop: () => void } {
  let turns = 0;
  let live = true;
  const tick = (): void => {
    turns++;
    if (live) setImmediate(tick).unref();
  };
  setImmediate(tick);
  return { turns: () => turns, stop: () => void (live = false) };
}

describe('100 MB of variables', () => {
  test('no piece above 4 MB, a turn between two; training goes on', async () => {
    const vs = tf.tidy(() => [
      ...[0, 1, 2].map((i) => tf.variable(tf.fill([32, mebi / 4], i), true, `large${i}`)),
      ...Array.from({ length: 500 }, (_, i) => tf.variable(tf.fill([64, 32], i), true, `small${i}`)),
    ]);
    const ticks = ticker();
    let storage: Watched | undefined;
    const saver = new Saver(vs, {
      onLog: () => {}, open: (d: string): FileStorage => (storage = new Watched(`${d.slice(9)}`, ticks.turns)),
    });
    const tensors = tf.memory().numBytesInPool;
    // The snapshot is made of references.
    const saving = saver.save(null, 'memory://large0/m', { writeMetaGraph: false });
    const more = tf.memory().numBytesInPool - tensors;
    tf.tidy(() => vs[3]!.assign(tf.zeros([64, 32])));
    await saving.finally(ticks.stop);
    expect(more).toBe(0);
    const { sizes, turns } = storage!;
    expect(Math.max(...sizes)).toBeLessThanOrEqual(4 * mebi);
    expect(sizes.slice(0, -1).reduce((a, b) => a + b, 0)).toBe(96 * mebi + 500 * 64 * 32 * 4);
    // Small tensors share a piece.
    expect(sizes.length).toBeLessThan(120);
    const data = turns.slice(0, -1);
    expect(data.every((turn, i) => i === 0 || turn > data[i - 1]!)).toBe(true);
    tf.tidy(() => vs[3]!.assign(tf.fill([64, 32], 0)));
    tf.tidy(() => vs[0]!.assign(tf.ones([32, mebi / 4])));
    await new Saver(vs, { onLog: () => {} }).restore(null, 'memory://large0/m');
    expect(tf.tidy(() => vs[0]!.abs().sum().dataSync()[0])).toBe(0);
    const files = new MemoryStorage();
    await files.remove(...(await files.list()).map(({ name }) => name).filter((name) => name.startsWith('large')));
    tf.dispose(vs);
  });
});
