// IndexedDB as far as this library uses it: databases in memory, transactions
// that are all or nothing, and a way to make the next writes fail.

interface StoreData {
  readonly keyPath: string | undefined;
  rows: Map<unknown, unknown>;
  next: number;
}

class FakeRequest {
  result: unknown = undefined;
  error: Error | null = null;
  onsuccess: (() => void) | null = null;
  onerror: (() => void) | null = null;
  onupgradeneeded: (() => void) | null = null;
  onblocked: (() => void) | null = null;
}

class FakeTransaction {
  error: Error | null = null;
  oncomplete: (() => void) | null = null;
  onabort: (() => void) | null = null;
  readonly #db: FakeDatabase;
  readonly #before: Map<string, { rows: Map<unknown, unknown>; next: number }>;
  #pending = 0;
  #over = false;

  constructor(db: FakeDatabase, readonly mode: string) {
    this.#db = db;
    this.#before = new Map([...db.stores].map(([name, { rows, next }]) => [name, { rows: new Map(rows), next }]));
    setImmediate(() => this.#settle());
  }

  objectStore(name: string): FakeStore {
    return new FakeStore(this, this.#db.stores.get(name)!);
  }

  run(f: () => unknown): FakeRequest {
    if (this.#over) throw Object.assign(new Error('the transaction is over'), { name: 'TransactionInactiveError' });
    const request = new FakeRequest();
    this.#pending++;
    setImmediate(() => {
      this.#pending--;
      if (this.#over) {
        request.error = Object.assign(new Error('aborted'), { name: 'AbortError' });
        request.onerror?.();
        return;
      }
      try {
        request.result = f();
        request.onsuccess?.();
      } catch (error) {
        request.error = error as Error;
        this.error = error as Error;
        request.onerror?.();
        this.abort();
      }
      setImmediate(() => this.#settle());
    });
    return request;
  }

  #settle(): void {
    if (this.#over || this.#pending > 0) return;
    this.#over = true;
    this.oncomplete?.();
  }

  abort(): void {
    if (this.#over) throw new Error('the transaction is over');
    this.#over = true;
    for (const [name, { rows, next }] of this.#before) Object.assign(this.#db.stores.get(name)!, { rows, next });
    setImmediate(() => this.onabort?.());
  }
}

class FakeStore {
  constructor(readonly transaction: FakeTransaction, readonly data: StoreData) {}

  #write(value: unknown): unknown {
    if (this.transaction.mode !== 'readwrite') throw new Error('read only');
    const failure = FakeFactory.failWrites;
    if (failure > 0 && --FakeFactory.failWrites === 0) {
      throw Object.assign(new Error('the disk is full'), { name: 'QuotaExceededError' });
    }
    const key = this.data.keyPath === undefined ? this.data.next++ : (value as Record<string, unknown>)[this.data.keyPath];
    this.data.rows.set(key, structuredClone(value));
    return key;
  }

  put(value: unknown): FakeRequest {
    return this.transaction.run(() => this.#write(value));
  }

  add(value: unknown): FakeRequest {
    return this.put(value);
  }

  get(key: unknown): FakeRequest {
    return this.transaction.run(() => structuredClone(this.data.rows.get(key)));
  }

  getAll(): FakeRequest {
    return this.transaction.run(() => [...this.data.rows].sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1)).map(([, row]) => structuredClone(row)));
  }

  getAllKeys(): FakeRequest {
    return this.transaction.run(() => [...this.data.rows.keys()]);
  }

  delete(key: unknown): FakeRequest {
    return this.transaction.run(() => this.data.rows.delete(key) && undefined);
  }
}

class FakeDatabase {
  readonly stores = new Map<string, StoreData>();
  onversionchange: (() => void) | null = null;

  createObjectStore(name: string, options: { keyPath?: string } = {}): void {
    this.stores.set(name, { keyPath: options.keyPath, rows: new Map(), next: 1 });
  }

  transaction(_stores: string[], mode = 'readonly'): FakeTransaction {
    return new FakeTransaction(this, mode);
  }

  close(): void {}
}

export class FakeFactory {
  /** The n-th write from now fails for want of space; 0: none does. */
  static failWrites = 0;
  readonly databases = new Map<string, FakeDatabase>();

  open(name: string): FakeRequest {
    const request = new FakeRequest();
    setImmediate(() => {
      const fresh = !this.databases.has(name);
      const db = this.databases.get(name) ?? new FakeDatabase();
      this.databases.set(name, db);
      request.result = db;
      if (fresh) request.onupgradeneeded?.();
      request.onsuccess?.();
    });
    return request;
  }

  /** The rows of a store, by key. */
  rows(database: string, store: string): Map<unknown, any> {
    return this.databases.get(database)?.stores.get(store)?.rows ?? new Map();
  }
}
