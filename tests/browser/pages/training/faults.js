// Saves that fail at any of their storage operations, wherever the directory is: what was saved stays, whole. The
// tests in Node and those in browsers run this; `lib` is the library's parts as they have them.

/**
 * throw: one operation fails, the rest work. stop: the process is dead from there on. torn: half of what is written
 * arrives, then the process is dead.
 */
export const modes = ['throw', 'stop', 'torn'];

export class Fault {
  count = 0;
  dead = false;
  hit = false;

  constructor(at, mode, lib) {
    Object.assign(this, { at, mode, lib });
  }

  /** One operation; `half` does half of it. */
  async op(whole, half) {
    if (this.dead) throw new this.lib.StorageError('io', 'the process is dead');
    if (++this.count !== this.at) return whole();
    this.hit = true;
    this.dead = this.mode !== 'throw';
    if (this.mode === 'torn') await half?.();
    throw new this.lib.StorageError('io', `operation ${this.at} failed`);
  }
}

/** Half the bytes of contents. */
async function half(contents) {
  const pieces = [];
  if (ArrayBuffer.isView(contents)) pieces.push(contents);
  else for await (const piece of contents) pieces.push(piece);
  const all = new Uint8Array(await new globalThis.Blob(pieces).arrayBuffer());
  return all.slice(0, all.length / 2);
}

/** A disk whose operations may fail; a move that dies half-way has happened or not. */
export function faultyDisk(disk, fault) {
  return {
    url: disk.url,
    names: () => fault.op(() => disk.names()),
    readText: (name) => fault.op(() => disk.readText(name)),
    write: (name, contents) => fault.op(() => disk.write(name, contents), async () => disk.write(name, await half(contents))),
    move: (from, to) => fault.op(() => disk.move(from, to), () => disk.move(from, to)),
    delete: (name) => fault.op(() => disk.delete(name), () => disk.delete(name)),
  };
}

/** Transactions that may fail: one that dies half-way has happened or not. */
export const faultyTransactions = (fault) => (transaction) => fault.op(transaction, transaction);

/** Counts what a storage is asked for. Its commits happen or do not. */
export class FaultyStorage {
  constructor(inner, fault) {
    Object.assign(this, { inner, fault, url: inner.url, capabilities: inner.capabilities });
  }

  list() {
    return this.fault.op(() => this.inner.list());
  }
  read(name, range) {
    return this.fault.op(() => this.inner.read(name, range));
  }
  createExclusive(name, contents) {
    return this.fault.op(() => this.inner.createExclusive(name, contents));
  }
  append(name, contents) {
    return this.fault.op(() => this.inner.append(name, contents), async () => this.inner.append(name, await half(contents)));
  }
  replaceAtomic(name, contents) {
    return this.fault.op(() => this.inner.replaceAtomic(name, contents), () => this.inner.replaceAtomic(name, contents));
  }
  commit(files) {
    return this.fault.op(() => this.inner.commit(files), () => this.inner.commit(files));
  }
  remove(...names) {
    return this.fault.op(() => this.inner.remove(...names), () => this.inner.remove(...names.slice(0, names.length / 2)));
  }
  // The platform frees the locks of the dead.
  lock(name, options) {
    return this.inner.lock(name, options);
  }
  available() {
    return this.inner.available();
  }
  close() {
    return this.inner.close();
  }
}

const onLog = () => {};
const maxToKeep = 2;
// Step 3 is saved twice, with other values: as after a restore.
const saves = [[1, 10], [2, 20], [3, 30], [3, 31], [4, 40]];

function must(condition, what, ...values) {
  if (!condition) throw new Error(`${what}: ${values.map((v) => JSON.stringify(v)).join(', ')}`);
}

async function run(directory, v, fault, open, { tf, Saver }) {
  const saver = new Saver({ varList: [v], maxToKeep, onLog, open: (d) => open(d, fault) });
  const done = [];
  let tried;
  for (const [step, value] of saves) {
    tf.tidy(() => v.assign(tf.fill([5], value)));
    try {
      await saver.save(null, `${directory}/m`, { globalStep: step, writeMetaGraph: false });
      done.push(value);
      tried = undefined;
    } catch (error) {
      // R8: what failed is no reason to lose what was there.
      must(fault.hit, 'a save failed without a fault', String(error));
      tried = value;
      if (fault.dead) break;
    }
  }
  return { done, tried };
}

/** As the next run does: take the directory, look, restore. Every checkpoint it has is whole, or is not there. */
async function check(directory, v, done, tried, { Saver, soundState, getCheckpointState, leaseDirectory }) {
  const lease = await leaseDirectory(directory, { log: onLog });
  const state = await soundState(directory, onLog);
  must(state !== null || done.length === 0, 'R1: nothing is left', done);
  if (state !== null) {
    const saver = new Saver({ varList: [v], maxToKeep, onLog });
    await saver.restore(null, state.modelCheckpointPath);
    const found = await v.array();
    must([done.at(-1), tried].includes(found[0]), 'R1: neither the last nor the next', found, done, tried);
    must(new Set(found).size === 1, 'R1: a mix', found);
    await saver.recoverLastCheckpoints(state.allModelCheckpointPaths);
    const names = (await lease.storage.list()).map(({ name }) => name);
    const prefixes = names.filter((name) => name.endsWith('.index')).map((name) => name.slice(0, -'.index'.length));
    must(prefixes.length <= maxToKeep, 'R4: more than are kept', names);
    const listed = state.allModelCheckpointPaths.map((p) => p.slice(directory.length + 1));
    must(String(listed.sort()) === String(prefixes.sort()), 'R4: the list differs', listed, prefixes);
    const known = new Set(['checkpoint', ...prefixes.flatMap((p) => [`${p}.index`, `${p}.data-00000-of-00001`])]);
    const others = names.filter((name) => !known.has(name));
    must(others.length === 0, 'R4: leftovers', others);
    // And training goes on.
    await saver.save(null, `${directory}/m`, { globalStep: 9, writeMetaGraph: false });
    const { allModelCheckpointPaths } = await getCheckpointState(directory);
    must(allModelCheckpointPaths.length <= maxToKeep, 'R4: too many', allModelCheckpointPaths);
    await lease.storage.remove(...(await lease.storage.list()).map(({ name }) => name));
  }
  await lease.release();
}

/**
 * Fails at operation 1, 2, … until there is none left to fail, some of these at once. `make(n)` names a directory that
 * is not there, `open(directory, fault)` opens it with the fault. Resolves to the number of operations.
 */
export async function everyFault(mode, make, open, lib, atOnce = 1) {
  const { tf } = lib;
  let next = 1, last = Infinity;
  const workers = Array.from({ length: atOnce }, async () => {
    while (next < last) {
      const n = next++;
      const directory = make(n);
      const v = tf.tidy(() => tf.variable(tf.zeros([5]), true, `faults_${mode}_${n}_${Math.random().toString(36).slice(2)}`));
      try {
        const fault = new Fault(n, mode, lib);
        const { done, tried } = await run(directory, v, fault, open, lib);
        if (!fault.hit) {
          must(done.length === saves.length, 'without a fault', done);
          last = Math.min(last, n);
        }
        await check(directory, v, done, tried, lib);
      } catch (error) {
        error.message += `\n(n = ${n}, ${mode})`;
        throw error;
      } finally {
        v.dispose();
      }
    }
  });
  await Promise.all(workers);
  return last - 1;
}
