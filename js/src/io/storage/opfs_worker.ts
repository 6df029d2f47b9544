/**
 * The storage Worker of a page: writes for it through access handles, which
 * only Workers have. It also holds the page's locks, so that what it is still
 * writing when the page goes is waited for.
 */
import {asFailure} from './opfs_messages.js';
import type {FromWorker, Order, ToWorker} from './opfs_messages.js';
import {can} from './opfs_handles.js';
import {LocalOpfs} from './opfs_local.js';
import {StorageError} from './storage.js';
import type {StorageLock} from './storage.js';

const scope = globalThis as unknown as {
  postMessage(message: FromWorker): void,
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null,
};

const folders = new Map<string, {storage: LocalOpfs, users: number}>();
const locks = new Map<number, StorageLock>();
type Piece = {piece?: Uint8Array | undefined, failed?: boolean};
const awaited = new Map<number, (piece: Piece) => void>();

function folder(path: string): LocalOpfs {
  const known = folders.get(path);
  if (known !== undefined) return known.storage;
  const storage = new LocalOpfs(path);
  folders.set(path, {storage, users: 0});
  return storage;
}

async function* fromPage(
    id: number, wants: string): AsyncGenerator<Uint8Array> {
  for (;;) {
    const {piece, failed} = await new Promise<Piece>((resolve) => {
      awaited.set(id, resolve);
      scope.postMessage({id, wants});
    });
    awaited.delete(id);
    // The page knows why.
    if (failed) throw new StorageError('io', 'the contents failed');
    if (piece === undefined) return;
    yield piece;
  }
}

async function obey(id: number, path: string, order: Order): Promise<void> {
  const storage = folder(path);
  switch (order.do) {
    case 'commit':
      await storage.commit(Object.fromEntries(
          order.names.map((name) => [name, fromPage(id, name)])));
      return;
    case 'append':
      await storage.append(order.name, order.pieces);
      return;
    case 'create':
      await storage.createExclusive(order.name, order.pieces);
      return;
    case 'remove':
      await storage.remove(...order.names);
      return;
    case 'lock':
      locks.set(id, await storage.lock(order.name, {wait: order.wait}));
      return;
    case 'release':
      await locks.get(order.lock)?.release();
      locks.delete(order.lock);
      return;
    case 'open':
      folders.get(path)!.users++;
      return;
    case 'close':
      if (--folders.get(path)!.users > 0) return;
      folders.delete(path);
      await storage.close();
  }
}

scope.onmessage = ({data}) => {
  if (!('order' in data)) {
    awaited.get(data.id)?.(data);
    return;
  }
  const {id, path, order} = data;
  obey(id, path, order).then(
      () => scope.postMessage({id}),
      (error: unknown) => scope.postMessage({id, failure: asFailure(error)}));
};
scope.postMessage({ready: can('createSyncAccessHandle')});
