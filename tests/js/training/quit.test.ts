// What is done when a page is hidden or left.
import { describe, expect, test } from '@jest/globals';
import { onPageEvents, thisPage } from '../../../js/src/train/session/quit.js';
import type { PageActions, PageOptions } from '../../../js/src/train/session/quit.js';

class FakeTarget {
  visibilityState = 'visible';
  readonly listeners = new Map<string, Set<(event: never) => void>>();
  addEventListener(type: string, f: (event: never) => void): void {
    this.listeners.set(type, (this.listeners.get(type) ?? new Set()).add(f));
  }
  removeEventListener(type: string, f: (event: never) => void): void {
    this.listeners.get(type)?.delete(f);
  }
  async fire(type: string, event: object = {}): Promise<void> {
    for (const f of this.listeners.get(type) ?? []) f(event as never);
    await new Promise((resolve) => { setTimeout(resolve, 0); });
  }
  get count(): number {
    return [...this.listeners.values()].reduce((n, { size }) => n + size, 0);
  }
}

function watch(actions: Partial<PageActions> = {}, options: PageOptions = {}) {
  const document = new FakeTarget();
  const window = new FakeTarget();
  const calls: string[] = [];
  const logged: string[] = [];
  const time = { now: 0 };
  const end = onPageEvents({
    flush: async () => void calls.push('flush'), save: async () => void calls.push('save'), ...actions,
  }, {
    page: { document, window }, log: (message) => logged.push(message),
    clock: { now: () => time.now, wallTime: () => time.now, sleep: async () => {} }, ...options,
  });
  const hide = async (): Promise<void> => {
    document.visibilityState = 'hidden';
    await document.fire('visibilitychange');
    document.visibilityState = 'visible';
    await document.fire('visibilitychange');
  };
  return { document, window, calls, logged, time, end, hide };
}

describe('a page', () => {
  test('that is hidden: save and flush, but save once a minute only', async () => {
    const { calls, hide, time, end, document, window } = watch();
    await hide();
    expect(calls).toEqual(['save', 'flush']);
    time.now = 59;
    await hide();
    expect(calls).toEqual(['save', 'flush', 'flush']);
    time.now = 60;
    await hide();
    expect(calls).toEqual(['save', 'flush', 'flush', 'save', 'flush']);
    end();
    expect([document.count, window.count]).toEqual([0, 0]);
    await hide();
    expect(calls).toHaveLength(5);
  });

  test('that is left or frozen: flush only', async () => {
    const { calls, window, document } = watch();
    await window.fire('pagehide');
    await document.fire('freeze');
    expect(calls).toEqual(['flush', 'flush']);
  });

  test('that comes back from the cache looks after its locks', async () => {
    let asked = 0;
    const { window, logged } = watch({ revalidate: async () => {
      asked++;
      throw new Error('taken');
    } });
    await window.fire('pageshow', { persisted: false });
    expect(asked).toBe(0);
    await window.fire('pageshow', { persisted: true });
    expect([asked, logged]).toEqual([1, ['taking the directory again failed: taken']]);
  });

  test('no save when switched off, while one is under way, or when it fails for ever', async () => {
    const off = watch({}, { checkpointOnHide: false });
    await off.hide();
    expect(off.calls).toEqual(['flush']);
    const busy = watch({ saving: () => true });
    await busy.hide();
    expect(busy.calls).toEqual(['flush']);
    const failing = watch({ save: async () => {
      throw new Error('full');
    } });
    await failing.hide();
    failing.time.now = 60;
    await failing.hide();
    expect(failing.logged).toEqual(Array(2).fill('saving while the page is hidden failed: full'));
  });

  test('asks before it is left in the middle of a save, if wanted', async () => {
    let prevented = 0;
    const event = { preventDefault: () => void prevented++ };
    const silent = watch({ saving: () => true });
    await silent.window.fire('beforeunload', event);
    expect([prevented, silent.window.listeners.has('beforeunload')]).toEqual([0, false]);
    let saving = false;
    const asking = watch({ saving: () => saving }, { askBeforeUnload: true });
    await asking.window.fire('beforeunload', event);
    saving = true;
    await asking.window.fire('beforeunload', event);
    expect(prevented).toBe(1);
  });

  test('is not there in Node', () => {
    expect(thisPage()).toEqual({});
    onPageEvents({ flush: async () => {} })();
  });
});
