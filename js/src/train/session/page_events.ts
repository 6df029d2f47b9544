/**
 * Events of the page for sessions in workers. A worker cannot see whether its
 * page is hidden, so the page has to tell it.
 */
import type {EventSource, Listener, Page} from './quit.js';

/** What a page posts; other listeners of the worker see it too. */
interface PageNews {
  readonly tidemarkPage: string;
  readonly visibilityState?: string;
  readonly persisted?: boolean;
}

const documentEvents = ['visibilitychange', 'freeze'];
const windowEvents = ['pagehide', 'pageshow'];

/**
 * Tells a worker when this page is hidden, shown, left or frozen, so that the
 * sessions in it save and flush as those of a page do. Call it in the page; it
 * posts objects with the one key `tidemarkPage`, which other listeners may
 * ignore. Returns a function that ends it.
 *
 * ```js
 * const worker = {postMessage() {}};  // new Worker(...)
 * const stop = tf.train.relayPageEvents(worker);
 * stop(); // => undefined
 * ```
 */
export function relayPageEvents(
    worker: {postMessage(message: unknown): void},
    {document, window} = globalThis as unknown as Page): () => void {
  const told = (event: Event): void => {
    const news: PageNews = {
      tidemarkPage: event.type,
      ...(document?.visibilityState !== undefined &&
        {visibilityState: document.visibilityState}),
      ...('persisted' in event && {persisted: Boolean(event.persisted)}),
    };
    worker.postMessage(news);
  };
  const listener = told as Listener;
  for (const type of documentEvents) document?.addEventListener(type, listener);
  for (const type of windowEvents) window?.addEventListener(type, listener);
  return () => {
    for (const type of documentEvents) {
      document?.removeEventListener(type, listener);
    }
    for (const type of windowEvents) window?.removeEventListener(type, listener);
  };
}

/** The page as a worker hears of it. */
class RelayedPage implements EventSource {
  readonly #port: EventSource;
  readonly #types: readonly string[];
  readonly #listeners: [type: string, listener: Listener][] = [];
  visibilityState = 'visible';

  constructor(port: EventSource, types: readonly string[]) {
    this.#port = port;
    this.#types = types;
  }

  readonly #hear = (({data}: {data?: Partial<PageNews>}) => {
    const type = data?.tidemarkPage;
    if (type === undefined || !this.#types.includes(type)) return;
    this.visibilityState = data!.visibilityState ?? this.visibilityState;
    const event = {type, persisted: data!.persisted ?? false};
    for (const [wanted, listener] of [...this.#listeners]) {
      if (wanted === type) (listener as (event: unknown) => void)(event);
    }
  }) as Listener;

  addEventListener(type: string, listener: Listener): void {
    if (this.#listeners.push([type, listener]) > 1) return;
    this.#port.addEventListener('message', this.#hear);
  }

  removeEventListener(type: string, listener: Listener): void {
    const at = this.#listeners
      .findIndex(([t, l]) => t === type && l === listener);
    if (at < 0) return;
    this.#listeners.splice(at, 1);
    if (this.#listeners.length > 0) return;
    this.#port.removeEventListener('message', this.#hear);
  }
}

/** The page of a worker, undefined where this realm is none. */
export function pageOfWorker(): Page | undefined {
  const scope = globalThis as {
    WorkerGlobalScope?: new () => unknown;
  } & Partial<EventSource>;
  const {WorkerGlobalScope: Scope} = scope;
  if (Scope === undefined || !(scope instanceof Scope)) return undefined;
  const port = scope as unknown as EventSource;
  return {
    document: new RelayedPage(port, documentEvents),
    window: new RelayedPage(port, windowEvents),
  };
}
