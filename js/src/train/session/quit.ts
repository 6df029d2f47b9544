/**
 * When a page is left. Nothing that begins then is sure to end, so the regular
 * saves carry the guarantees: here is only what may be gained besides.
 */
import {systemClock} from './clock.js';
import type {Clock, LogFunction} from './clock.js';
import {consoleLog} from './clock.js';
import {pageOfWorker} from './page_events.js';

/** Hears of an event. */
export type Listener = (event: never) => void;

/** What is needed of a document or window. */
export interface EventSource {
  addEventListener(type: string, listener: Listener): void;
  removeEventListener(type: string, listener: Listener): void;
}

/** The page: both are missing in Node. */
export interface Page {
  readonly document?: EventSource & {readonly visibilityState?: string};
  readonly window?: EventSource;
}

/** What can be done when the page goes. */
export interface PageActions {
  /** Writes the events that wait. */
  flush(): Promise<void>;
  /** Saves what is not saved yet; training goes on. */
  save?(): Promise<void>;
  /** True while a save is under way. */
  saving?(): boolean;
  /** The page has come back from the browser's cache: are its locks still its? */
  revalidate?(): Promise<void>;
}

/** Options of {@link onPageEvents}. */
export interface PageOptions {
  readonly page?: Page;
  readonly clock?: Clock;
  readonly log?: LogFunction;
  /** Save when the page is hidden; default true. */
  readonly checkpointOnHide?: boolean;
  /** Seconds between two such saves, at least; default 60. */
  readonly everySecs?: number;
  /** Let the browser ask before the page is left in the middle of a save. */
  readonly askBeforeUnload?: boolean;
}

/** The page this realm belongs to; workers have to be told of its events. */
export function thisPage(): Page {
  const relayed = pageOfWorker();
  if (relayed) return relayed;
  const {document, window} = globalThis as unknown as Page;
  const page: {document?: Page['document'], window?: Page['window']} = {};
  if (typeof document?.addEventListener === 'function') page.document = document;
  if (typeof window?.addEventListener === 'function') page.window = window;
  return page;
}

/** Listens for the page being hidden or left; returns what ends that. */
export function onPageEvents(
    actions: PageActions, options: PageOptions = {}): () => void {
  const {
    page = thisPage(), clock = systemClock, log = consoleLog,
    checkpointOnHide = true, everySecs = 60, askBeforeUnload = false,
  } = options;
  let saved = -Infinity;
  let busy = false;
  const quietly = async (doing: string, f: () => Promise<void>): Promise<void> => {
    try {
      await f();
    } catch (error) {
      log(`${doing} failed: ${(error as Error).message}`, 'warn');
    }
  };
  const save = async (): Promise<void> => {
    if (!checkpointOnHide || actions.save === undefined || busy ||
        actions.saving?.() || clock.now() - saved < everySecs) {
      return;
    }
    busy = true;
    saved = clock.now();
    await quietly('saving while the page is hidden', () => actions.save!());
    busy = false;
  };
  const flush = (): Promise<void> =>
    quietly('flushing events', () => actions.flush());

  const listeners: [EventSource | undefined, string, Listener][] = [
    [page.document, 'visibilitychange', () => {
      if (page.document!.visibilityState !== 'hidden') return;
      // Begun in this task: a snapshot of between two steps.
      void save();
      void flush();
    }],
    [page.document, 'freeze', () => void flush()],
    [page.window, 'pagehide', () => void flush()],
    [page.window, 'pageshow', (event: {persisted?: boolean}) => {
      if (!event.persisted || actions.revalidate === undefined) return;
      void quietly('taking the directory again', () => actions.revalidate!());
    }],
    [page.window, 'beforeunload', (event: {preventDefault(): void}) => {
      if (askBeforeUnload && (busy || actions.saving?.())) event.preventDefault();
    }],
  ];
  for (const [source, type, listener] of listeners) {
    // A listener for this one alone keeps pages out of the browser's cache.
    if (type === 'beforeunload' && !askBeforeUnload) continue;
    source?.addEventListener(type, listener);
  }
  return () => {
    for (const [source, type, listener] of listeners) {
      source?.removeEventListener(type, listener);
    }
  };
}
