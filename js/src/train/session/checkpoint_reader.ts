/** Reading checkpoints, without making tensors. */
import {TensorError, shown} from '../../errors.js';
import {
  BundleCheck, compareNames, dataFileName, indexFileName, readIndex, readTensor,
  swapBytes,
} from '../../io/checkpoint/bundle.js';
import type {
  BundleDtype, BundleEntry, BundleIndex,
} from '../../io/checkpoint/bundle.js';
import {loadFormats} from '../../io/formats.js';
import {StorageError} from '../../io/storage/storage.js';
import type {FileStorage} from '../../io/storage/storage.js';
import {DataLossError, NotFoundError} from './errors.js';
import {openDirectory, splitPath} from './run_directory.js';
import {asSessionError} from './storage_errors.js';

/** Bytes read or written in one task: few enough for slow machines. */
export const pieceBytes = 1024 * 1024;

/**
 * A checkpoint's tensor as plain values: float16 and bfloat16 are their 16
 * bits, complex numbers pairs, strings their bytes.
 */
export interface HostTensor {
  readonly dtype: BundleDtype;
  readonly shape: number[];
  readonly data:
    Float32Array | Float64Array | Int8Array | Int16Array | Int32Array |
    Uint8Array | Uint16Array | Uint32Array | BigInt64Array | BigUint64Array |
    Uint8Array[];
}

function typed(dtype: BundleDtype, {buffer}: Uint8Array<ArrayBuffer>)
    : HostTensor['data'] {
  switch (dtype) {
    case 'float32': case 'complex64': return new Float32Array(buffer);
    case 'float64': case 'complex128': return new Float64Array(buffer);
    case 'int8': return new Int8Array(buffer);
    case 'int16': return new Int16Array(buffer);
    case 'int32': return new Int32Array(buffer);
    case 'int64': return new BigInt64Array(buffer);
    case 'uint16': case 'float16': case 'bfloat16':
      return new Uint16Array(buffer);
    case 'uint32': return new Uint32Array(buffer);
    case 'uint64': return new BigUint64Array(buffer);
    case 'uint8': case 'bool': case 'string': return new Uint8Array(buffer);
  }
}

/** Runs what reads bytes: where they are not what was written, DataLoss. */
function undamaged<T>(path: string, f: () => T): T {
  try {
    return f();
  } catch (error) {
    if (!(error instanceof TensorError) || error.code !== 'argument') {
      throw error;
    }
    const lost = new DataLossError(`'${path}': ${error.message}`);
    lost.cause = error;
    throw lost;
  }
}

/**
 * What a checkpoint has, by names; see {@link loadCheckpoint}. It holds the
 * index only; tensors are read and checked when they are asked for.
 */
export class CheckpointReader {
  static readonly className: string = 'CheckpointReader';
  readonly #storage: FileStorage;
  readonly #base: string;
  readonly #index: BundleIndex;
  readonly #entries: Map<string, BundleEntry>;

  private constructor(
      readonly path: string, storage: FileStorage, base: string,
      index: BundleIndex) {
    this.#storage = storage;
    this.#base = base;
    this.#index = index;
    this.#entries = new Map(index.entries.map((e) => [e.name, e]));
  }

  /**
   * Opens the checkpoint of a prefix in a storage of the caller's; checks the
   * index and the sizes of the data files.
   *
   * Errors: NotFound; DataLoss where files are damaged or cut off.
   */
  static async in(
      storage: FileStorage, base: string, path: string)
      : Promise<CheckpointReader> {
    try {
      const [bytes] = await Promise.all(
          [storage.read(indexFileName(base)), loadFormats()]);
      const index = undamaged(path, () => readIndex(bytes));
      await checkSizes(storage, base, path, index);
      return new CheckpointReader(path, storage, base, index);
    } catch (error) {
      if (error instanceof StorageError && error.fault === 'missing') {
        throw new NotFoundError(`there is no checkpoint '${path}'`);
      }
      throw asSessionError(error);
    }
  }

  /** Opens the checkpoint that a path is the prefix of. Errors as in `in`. */
  static async open(path: string): Promise<CheckpointReader> {
    const {directory, base} = splitPath(path);
    return CheckpointReader.in(openDirectory(directory), base, path);
  }

  /** What the index says, by name. */
  get entries(): ReadonlyMap<string, BundleEntry> {
    return this.#entries;
  }

  /** True when there is a tensor of that name. */
  hasTensor(name: string): boolean {
    return this.#entries.has(name);
  }

  getVariableToShapeMap(): Record<string, number[]> {
    return Object.fromEntries(
        [...this.#entries].map(([name, {shape}]) => [name, [...shape]]));
  }

  getVariableToDtypeMap(): Record<string, BundleEntry['dtype']> {
    return Object.fromEntries(
        [...this.#entries].map(([name, {dtype}]) => [name, dtype]));
  }

  /**
   * A tensor's values. Errors: NotFound; DataLoss where the bytes are damaged;
   * `unsupported` for slices and unknown types.
   */
  async getTensor(name: string): Promise<HostTensor> {
    const entry = this.#entries.get(name);
    if (entry === undefined) {
      throw new NotFoundError(
          `Key ${name || shown(name)} not found in checkpoint '${this.path}'`);
    }
    const {bigEndian} = this.#index;
    if (entry.dtype === 'string') {
      const bytes = await this.#read(entry, 0, entry.size);
      const {dtype, shape, data} =
          undamaged(this.path, () => readTensor(entry, bytes, bigEndian));
      return {dtype, shape: [...shape], data: data as Uint8Array[]};
    }
    const check = new BundleCheck(entry);
    const bytes = new Uint8Array(entry.size);
    for (let at = 0; at < entry.size; at += pieceBytes) {
      const piece =
          await this.#read(entry, at, Math.min(at + pieceBytes, entry.size));
      check.add(piece);
      bytes.set(piece, at);
    }
    undamaged(this.path, () => check.end());
    const dtype = entry.dtype as BundleDtype;
    if (bigEndian) swapBytes(bytes, dtype);
    return {dtype, shape: [...entry.shape], data: typed(dtype, bytes)};
  }

  async #read(
      {shard, offset}: BundleEntry, start: number,
      end: number): Promise<Uint8Array<ArrayBuffer>> {
    const file = dataFileName(this.#base, shard, this.#index.shards);
    try {
      return await this.#storage.read(
          file, {start: offset + start, end: offset + end});
    } catch (error) {
      throw asSessionError(error);
    }
  }

  // The same by TensorFlow's names.
  has_tensor(name: string): boolean {
    return this.hasTensor(name);
  }
  get_tensor(name: string): Promise<HostTensor> {
    return this.getTensor(name);
  }
  get_variable_to_shape_map(): Record<string, number[]> {
    return this.getVariableToShapeMap();
  }
  get_variable_to_dtype_map(): Record<string, BundleEntry['dtype']> {
    return this.getVariableToDtypeMap();
  }
}

async function checkSizes(
    storage: FileStorage, base: string, path: string,
    {shards, entries}: BundleIndex): Promise<void> {
  const sizes = new Map(
      (await storage.list({deep: false})).map(({name, size}) => [name, size]));
  for (const {name, shard, offset, size} of entries) {
    const file = dataFileName(base, shard, shards);
    const have = sizes.get(file);
    if (have !== undefined && have >= offset + size) continue;
    throw new DataLossError(
        `'${path}': '${name}' needs ${offset + size} bytes of '${file}', ` +
            (have === undefined ? 'which is missing' : `which has ${have}`));
  }
}

/** A tensor of a checkpoint, by its name in the order of the index. */
export function listedVariables(
    reader: CheckpointReader): [name: string, shape: number[]][] {
  return [...reader.entries.values()]
    .map(({name, shape}): [string, number[]] => [name, [...shape]])
    .sort(([a], [b]) => compareNames(a, b));
}
