/** Models in places that can be listed: list, copy, move, remove. */
import {TensorError} from '../errors.js';
import {IndexedDbModels} from './indexed_db.js';
import {LocalStorageModels} from './local_storage.js';
import {getLoadHandlers, getSaveHandlers} from './router.js';
import {StorageModels} from './storage_models.js';
import type {
  IOHandler, ModelArtifactsInfo, ModelStoreManager,
} from './types.js';

const managers: ReadonlyMap<string, ModelStoreManager> = new Map([
  ['localstorage', new LocalStorageModels()],
  ['indexeddb', new IndexedDbModels()],
  ['opfs', new StorageModels('opfs')],
  ['memory', new StorageModels('memory')],
  ['file', new StorageModels('file', false)],
] as [string, ModelStoreManager][]);

function managerFor(url: string): {manager: ModelStoreManager, path: string} {
  const at = typeof url === 'string' ? url.indexOf('://') : -1;
  if (at < 0) {
    throw new TensorError(
        'argument', 'The url string provided does not contain a scheme. ' +
            `Supported schemes are: ${[...managers.keys()].join(',')}`);
  }
  const scheme = url.slice(0, at);
  const manager = managers.get(scheme);
  if (manager === undefined) {
    throw new TensorError(
        'argument', `Cannot find model manager for scheme '${scheme}': ` +
            `known are ${[...managers.keys()].join(', ')}`);
  }
  return {manager, path: url.slice(at + 3)};
}

/**
 * The models in every place of this browser or process, by URL.
 *
 * ```js
 * await tf.io.getSaveHandlers('memory://listed')[0].save({modelTopology: {}});
 * const models = await tf.io.listModels();
 * models['memory://listed'].modelTopologyBytes; // => 2
 * await tf.io.removeModel('memory://listed');
 * ```
 */
export async function listModels():
Promise<{[url: string]: ModelArtifactsInfo}> {
  const out: {[url: string]: ModelArtifactsInfo} = {};
  for (const [scheme, manager] of managers) {
    for (const [path, info] of Object.entries(await manager.listModels())) {
      out[`${scheme}://${path}`] = info;
    }
  }
  return out;
}

/**
 * Removes a model and answers what was known of it. Errors: no such model.
 *
 * ```js
 * await tf.io.getSaveHandlers('memory://old')[0].save({modelTopology: {}});
 * (await tf.io.removeModel('memory://old')).modelTopologyType; // => 'JSON'
 * ```
 */
export async function removeModel(url: string): Promise<ModelArtifactsInfo> {
  const {manager, path} = managerFor(url);
  return manager.removeModel(path);
}

function only(
    handlers: IOHandler[], kind: 'load' | 'save', url: string): IOHandler {
  if (handlers.length === 1) return handlers[0]!;
  const end = kind === 'load' ? 'source' : 'destination';
  throw new TensorError(
      'argument', handlers.length === 0 ?
        `Copying failed because no ${kind} handler is found for ${end} URL ` +
            `${url}.` :
        `Copying failed because more than one (${handlers.length}) ${kind} ` +
            `handlers for ${end} URL ${url}.`);
}

async function copy(from: string, to: string): Promise<ModelArtifactsInfo> {
  if (from === to) {
    throw new TensorError(
        'argument', `Old path and new path are the same: '${from}'`);
  }
  const source = only(getLoadHandlers(from), 'load', from);
  const target = only(getSaveHandlers(to), 'save', to);
  if (!source.load || !target.save) {
    const [url, what] =
        source.load ? [to, 'written'] : [from, 'read'];
    throw new TensorError(
        'argument', `Copying failed because '${url}' cannot be ${what}`);
  }
  return (await target.save(await source.load())).modelArtifactsInfo;
}

/**
 * Copies a model to another URL, which may be of another kind.
 *
 * Errors: the URLs are the same; one of them is of no known kind; no model.
 *
 * ```js
 * await tf.io.getSaveHandlers('memory://a')[0].save({modelTopology: {}});
 * await tf.io.copyModel('memory://a', 'memory://b');
 * Object.keys(await tf.io.listModels()); // => ['memory://a', 'memory://b']
 * await tf.io.removeModel('memory://a');
 * await tf.io.removeModel('memory://b');
 * ```
 */
export async function copyModel(
    sourceURL: string, destURL: string): Promise<ModelArtifactsInfo> {
  return copy(sourceURL, destURL);
}

/**
 * Copies a model to another URL and then removes the first. Errors as in
 * `copyModel`; when the copy fails the first stays.
 *
 * ```js
 * await tf.io.getSaveHandlers('memory://a')[0].save({modelTopology: {}});
 * await tf.io.moveModel('memory://a', 'memory://b');
 * Object.keys(await tf.io.listModels()); // => ['memory://b']
 * await tf.io.removeModel('memory://b');
 * ```
 */
export async function moveModel(
    sourceURL: string, destURL: string): Promise<ModelArtifactsInfo> {
  const {manager, path} = managerFor(sourceURL);
  const info = await copy(sourceURL, destURL);
  await manager.removeModel(path);
  return info;
}
