// What pages and their workers need besides a session: events of the page in a
// worker, and reading what sessions have written.
import { afterEach, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { pageOfWorker, relayPageEvents } from '../../../js/src/train/session/page_events.js';
import type { Page } from '../../../js/src/train/session/quit.js';
import { onPageEvents } from '../../../js/src/train/session/quit.js';
import { FakeClock } from './support.js';

class FakeDocument extends EventTarget {
  visibilityState = 'visible';
}

describe('events of a page in its worker', () => {
  const realm = globalThis as any;
  const names = ['WorkerGlobalScope', 'addEventListener', 'removeEventListener'];
  const before = names.map((name) => Object.getOwnPropertyDescriptor(realm, name));
  afterEach(() => names.forEach((name, i) => {
    if (before[i]) Object.defineProperty(realm, name, before[i]);
    else delete realm[name];
  }));

  /** Makes this realm a worker; returns what posts to it. */
  function becomeWorker() {
    const inbox = new EventTarget();
    let listeners = 0;
    class Scope {
      static [Symbol.hasInstance](x: unknown): boolean {
        return x === globalThis;
      }
    }
    Object.defineProperty(realm, 'WorkerGlobalScope', { configurable: true, value: Scope });
    realm.addEventListener = (type: string, f: EventListener) => {
      listeners++;
      inbox.addEventListener(type, f);
    };
    realm.removeEventListener = (type: string, f: EventListener) => {
      listeners--;
      inbox.removeEventListener(type, f);
    };
    return {
      postMessage: (data: unknown) => void inbox.dispatchEvent(new MessageEvent('message', { data: structuredClone(data) })),
      listening: () => listeners,
    };
  }

  test('here is no worker', () => {
    expect(pageOfWorker()).toBeUndefined();
  });

  test('hiding saves and flushes, leaving flushes, other messages do nothing', async () => {
    const worker = becomeWorker();
    const document = new FakeDocument();
    const window = new EventTarget();
    const endRelay = relayPageEvents(worker, { document, window } as Page);
    const calls: string[] = [];
    const end = onPageEvents({
      flush: async () => void calls.push('flush'),
      save: async () => void calls.push('save'),
      revalidate: async () => void calls.push('revalidate'),
    }, { clock: new FakeClock() });
    expect(worker.listening()).toBe(2);
    const dispatch = async (target: EventTarget, event: Event): Promise<string[]> => {
      calls.length = 0;
      target.dispatchEvent(event);
      await new Promise((resolve) => setTimeout(resolve, 0));
      return [...calls];
    };
    expect(await dispatch(document, new Event('visibilitychange'))).toEqual([]);
    document.visibilityState = 'hidden';
    expect(await dispatch(document, new Event('visibilitychange'))).toEqual(['save', 'flush']);
    expect(await dispatch(window, new Event('pagehide'))).toEqual(['flush']);
    expect(await dispatch(document, new Event('freeze'))).toEqual(['flush']);
    expect(await dispatch(window, Object.assign(new Event('pageshow'), { persisted: true }))).toEqual(['revalidate']);
    calls.length = 0;
    for (const data of [null, undefined, 'hi', { tidemarkPage: 'else' }, { kind: 'pause' }]) worker.postMessage(data);
    expect(calls).toEqual([]);
    end();
    expect(worker.listening()).toBe(0);
    endRelay();
    expect(await dispatch(document, new Event('visibilitychange'))).toEqual([]);
  });
});

describe('summaryIterator', () => {
  async function written(): Promise<{ path: string; storage: tf.io.FileStorage; name: string }> {
    const dir = `memory://iterator/${Math.random()}`;
    const writer = new tf.summary.FileWriter(dir);
    for (let i = 1; i <= 3; i++) writer.addSummary({ a: i / 2 }, i);
    await writer.close();
    const storage = tf.io.openStorage(dir);
    const [{ name }] = (await storage.list()) as [tf.io.StoredFile];
    return { path: `${dir}/${name}`, storage, name };
  }

  async function read(path: string): Promise<number[]> {
    const steps: number[] = [];
    for await (const event of tf.train.summary_iterator(path)) steps.push(Number(event.step));
    return steps;
  }

  test('gives all events, the version first', async () => {
    const { path } = await written();
    expect(await read(path)).toEqual([0, 1, 2, 3]);
  });

  test('a file that is still being written ends with its last whole event', async () => {
    const { path, storage, name } = await written();
    const bytes = await storage.read(name);
    await storage.replaceAtomic(name, bytes.slice(0, -3));
    expect(await read(path)).toEqual([0, 1, 2]);
  });

  test('damage and files that are not there are errors', async () => {
    const { path, storage, name } = await written();
    const bytes = await storage.read(name);
    bytes[bytes.length - 6]! ^= 1;
    await storage.replaceAtomic(name, bytes);
    await expect(read(path)).rejects.toThrow(tf.errors.DataLossError);
    await expect(read(`${path}x`)).rejects.toThrow(tf.errors.NotFoundError);
  });
});
