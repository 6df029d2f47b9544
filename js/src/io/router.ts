/** Which handler answers for a URL. */
import {downloadsRouter} from './browser_files.js';
import {httpRouter} from './http.js';
import {indexedDbRouter} from './indexed_db.js';
import {localStorageRouter} from './local_storage.js';
import {storageRouter} from './storage_models.js';
import type {IOHandler, LoadOptions} from './types.js';

/** Makes a handler for URLs it knows, null for others. */
export type IORouter =
  (url: string | string[], options?: LoadOptions) => IOHandler | null;

const both: IORouter[] = [
  httpRouter, localStorageRouter, indexedDbRouter, storageRouter('memory'),
  storageRouter('opfs'), storageRouter('file'),
];
const routers: {save: IORouter[], load: IORouter[]} = {
  save: [...both, downloadsRouter], load: [...both],
};

/**
 * Adds a kind of URL that models can be saved to.
 *
 * ```js
 * const handler = tf.io.withSaveHandler(async () => ({}));
 * tf.io.registerSaveRouter((url) =>
 *     String(url).startsWith('mine-s://') ? handler : null);
 * tf.io.getSaveHandlers('mine-s://x').length; // => 1
 * ```
 */
export function registerSaveRouter(router: IORouter): void {
  routers.save.push(router);
}

/**
 * Adds a kind of URL that models can be loaded from.
 *
 * ```js
 * tf.io.registerLoadRouter((url) =>
 *     String(url).startsWith('mine-l://') ? tf.io.fromMemory({}) : null);
 * tf.io.getLoadHandlers('mine-l://x').length; // => 1
 * ```
 */
export function registerLoadRouter(router: IORouter): void {
  routers.load.push(router);
}

/**
 * The handlers that can save to a URL.
 *
 * ```js
 * tf.io.getSaveHandlers('memory://digits').length; // => 1
 * tf.io.getSaveHandlers('nowhere://digits').length; // => 0
 * ```
 */
export function getSaveHandlers(url: string | string[]): IOHandler[] {
  return handlers('save', url);
}

/**
 * The handlers that can load from a URL.
 *
 * ```js
 * tf.io.getLoadHandlers('memory://digits').length; // => 1
 * ```
 */
export function getLoadHandlers(
    url: string | string[], options?: LoadOptions): IOHandler[] {
  return handlers('load', url, options);
}

function handlers(
    kind: 'save' | 'load', url: string | string[],
    options?: LoadOptions): IOHandler[] {
  return routers[kind]
    .map((router) => router(url, options))
    .filter((handler): handler is IOHandler =>
      handler !== null && handler !== undefined);
}
