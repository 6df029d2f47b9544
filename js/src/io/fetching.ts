/** Files over HTTP: bytes as they come, from the cache if they are there. */
import {env} from '../environment.js';
import {TensorError} from '../errors.js';
import {CompositeArrayBuffer} from './buffers.js';
import type {LoadOptions, LoadReport, OnProgressCallback} from './types.js';

const defaultCache = 'tidemark-models';

/** A file that has arrived. */
export interface Fetched {
  buffer: ArrayBuffer;
  fromCache: boolean;
  /** Puts the file into the cache; call it once all is known to be good. */
  keep(): Promise<void>;
}

/** Hears of bytes that arrived: how many of the file, and of how many. */
export type OnBytes =
  (loaded: number, total: number | undefined, fromCache: boolean) => void;

// A cache that cannot be had (private windows, insecure pages) is no error.
async function cacheOf({cache}: LoadOptions): Promise<Cache | undefined> {
  if (cache === undefined || cache === false) return undefined;
  try {
    return await globalThis.caches.open(cache === true ? defaultCache : cache);
  } catch {
    return undefined;
  }
}

/** The answer of a server, any. Errors, which name the URL: there is none. */
export async function answer(
    url: string, options: LoadOptions, init: RequestInit): Promise<Response> {
  const f = options.fetchFunc ??
      ((u: string, i?: RequestInit) => env().platform.fetch(u, i));
  try {
    return await f(url, init);
  } catch (error) {
    if ((error as Error | undefined)?.name === 'AbortError') throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const cause = (error as {cause?: {message?: string}} | undefined)?.cause?.message;
    throw new TensorError(
        'state', `Request to ${url} failed: ${reason}` +
            (cause === undefined ? '' : ` (${cause})`));
  }
}

async function request(url: string, options: LoadOptions): Promise<Response> {
  const response = await answer(url, options, options.requestInit ?? {});
  if (!response.ok) {
    throw new TensorError(
        'state', `Request to ${url} failed with status code ` +
            `${response.status}. Please verify this URL points to a file of ` +
            'the model to load.');
  }
  return response;
}

async function bodyOf(
    response: Response, url: string, fromCache: boolean,
    onBytes?: OnBytes): Promise<ArrayBuffer> {
  const header = (name: string): string | null =>
    response.headers?.get?.(name) ?? null;
  const length = Number(header('content-length') ?? NaN);
  // What is compressed on the way has another length when it is here.
  const total = length >= 0 && header('content-encoding') === null ? length :
    undefined;
  if (typeof response.body?.getReader !== 'function') {
    const buffer = await response.arrayBuffer();
    onBytes?.(buffer.byteLength, buffer.byteLength, fromCache);
    return buffer;
  }
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  let loaded = 0;
  const cutOff = (error: unknown): never => {
    if ((error as Error).name === 'AbortError') throw error;
    throw new TensorError(
        'state', `${url} was cut off after ${loaded} bytes` +
            (total === undefined ? '' : ` of ${total}`) +
            `: ${(error as Error).message}`);
  };
  for (;;) {
    const {done, value} = await reader.read().catch(cutOff);
    if (done) break;
    chunks.push(value);
    loaded += value.byteLength;
    try {
      onBytes?.(loaded, total, fromCache);
    } catch (error) {
      // The callback's own error, and nobody wants the rest.
      void reader.cancel().catch(() => undefined);
      throw error;
    }
  }
  return new CompositeArrayBuffer(chunks).slice();
}

function assertNoPage(response: Response, buffer: ArrayBuffer, url: string): void {
  const type = response.headers?.get?.('content-type') ?? '';
  if (!type.includes('text/html')) return;
  const start = new TextDecoder().decode(buffer.slice(0, 200)).trimStart();
  if (!start.startsWith('<')) return;
  throw new TensorError(
      'argument', `the server answered HTML for ${url}, not a file of a ` +
          'model. Check the URL');
}

/** Fetches a file of weights. Errors name the URL. */
export async function fetchFile(
    url: string, options: LoadOptions, onBytes?: OnBytes): Promise<Fetched> {
  const cache = await cacheOf(options);
  const hit = await cache?.match(url).catch(() => undefined);
  const response = hit ?? await request(url, options);
  const buffer = await bodyOf(response, url, hit !== undefined, onBytes);
  assertNoPage(response, buffer, url);
  return {
    buffer,
    fromCache: hit !== undefined,
    keep: async () => {
      if (cache === undefined || hit !== undefined) return;
      await cache.put(url, new Response(buffer)).catch(() => undefined);
    },
  };
}

/** Fetches a text file, such as `model.json`. Errors name the URL. */
export async function fetchText(
    url: string,
    options: LoadOptions): Promise<{text: string, keep(): Promise<void>}> {
  const cache = await cacheOf(options);
  const hit = await cache?.match(url).catch(() => undefined);
  const response = hit ?? await request(url, options);
  const text = typeof response.body?.getReader === 'function' ?
    new TextDecoder().decode(await bodyOf(response, url, false)) :
    typeof response.text === 'function' ? await response.text() :
      JSON.stringify(await response.json());
  return {
    text,
    keep: async () => {
      if (cache === undefined || hit !== undefined) return;
      await cache.put(url, new Response(text)).catch(() => undefined);
    },
  };
}

/**
 * Adds up the bytes of several files: the fraction given to `onProgress`
 * never falls, and is 1 at the end only.
 */
export class Progress {
  readonly #onProgress: OnProgressCallback | undefined;
  readonly #total: number;
  readonly #loaded = new Map<string, number>();
  #last: LoadReport | undefined;
  #fraction = 0;

  constructor(onProgress: OnProgressCallback | undefined, total: number) {
    this.#onProgress = onProgress;
    this.#total = total;
  }

  /** `loaded` bytes of a file are here. */
  report(
      file: string, url: string, loaded: number, total: number | undefined,
      fromCache: boolean): void {
    if (this.#onProgress === undefined) return;
    this.#loaded.set(url, loaded);
    const all = [...this.#loaded.values()].reduce((a, b) => a + b, 0);
    this.#last = {
      file, url, loaded, total, allLoaded: all, allTotal: this.#total, fromCache,
    };
    const part = this.#total > 0 ? all / this.#total : 0;
    // The last step is done when the bytes are known to be the right ones.
    this.#fraction = Math.max(this.#fraction, Math.min(part, 0.999));
    this.#onProgress(this.#fraction, this.#last);
  }

  /** Everything is here. */
  done(file: string, url: string): void {
    this.#onProgress?.(1, {
      ...this.#last ?? {file, url, loaded: 0, total: 0, fromCache: false},
      allLoaded: this.#total, allTotal: this.#total,
    });
  }
}

/** Tells `onProgress` of a model that came in one piece. */
export function reportWhole(
    {onProgress}: LoadOptions, url: string, bytes: number): void {
  onProgress?.(1, {
    file: url.slice(url.indexOf('://') + 3), url, loaded: bytes, total: bytes,
    allLoaded: bytes, allTotal: bytes, fromCache: false,
  });
}
