/**
 * TensorFlow's checkpoints (TensorBundle V2). The data file is the tensors'
 * bytes one after the other; they never pass through one buffer here: a
 * {@link BundleWriter} sums pieces as they go out and makes the index at the
 * end.
 */
import {TensorError} from '../../errors.js';
import {callFormats, crc32c, maskedCrc} from '../formats.js';

/** Element types of checkpoints and TensorFlow's numbers for them. */
export const bundleDtypes = {
  float32: 1, float64: 2, int32: 3, uint8: 4, int16: 5, int8: 6, string: 7,
  complex64: 8, int64: 9, bool: 10, bfloat16: 14, uint16: 17, complex128: 18,
  float16: 19, uint32: 22, uint64: 23,
} as const;

/** An element type of a checkpoint's tensor. */
export type BundleDtype = keyof typeof bundleDtypes;

/** The block size TensorFlow writes indexes with. */
export const defaultBlockSize = 262144;

/** Where a tensor is in a checkpoint's data. */
export interface BundleEntry {
  name: string;
  /** A number `DT_<n>` where TensorFlow has types this library has not. */
  dtype: BundleDtype | `DT_${number}`;
  shape: number[];
  /** Number of the data file. */
  shard: number;
  /** Bytes before it and of it in the data file. */
  offset: number;
  size: number;
  /** Masked checksum of its bytes. */
  crc: number;
  /** True for a tensor that is stored in slices, which cannot be read. */
  sliced: boolean;
}

export interface BundleIndex {
  shards: number;
  bigEndian: boolean;
  /** By name, in the order of their UTF-8 bytes. */
  entries: BundleEntry[];
}

const nameOf = new Map<number, BundleDtype>(
    Object.entries(bundleDtypes)
        .map(([name, number]) => [number, name as BundleDtype]));

/**
 * Orders names as checkpoints do: by their UTF-8 bytes, which is by code
 * points and not by JavaScript's code units.
 */
export function compareNames(a: string, b: string): number {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) {
    const x = a.charCodeAt(i), y = b.charCodeAt(i);
    if (x === y) continue;
    // Halves of pairs stand for code points above all single units.
    const high = (unit: number): number =>
      unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
    return high(x) - high(y);
  }
  return a.length - b.length;
}

/** The name of a data file. */
export function dataFileName(prefix: string, shard = 0, shards = 1): string {
  const five = (n: number): string => String(n).padStart(5, '0');
  return `${prefix}.data-${five(shard)}-of-${five(shards)}`;
}

/** The name of an index file. */
export function indexFileName(prefix: string): string {
  return `${prefix}.index`;
}

/**
 * Follows the tensors of a checkpoint on their way into its data file:
 *
 *     for (const {name, dtype, shape, pieces} of sortedByName) {
 *       bundle.begin(name, dtype, shape);
 *       for (const piece of pieces) {
 *         append(piece.slice());
 *         bundle.add(piece);
 *       }
 *       bundle.end();
 *     }
 *     writeFile(indexFileName(prefix), bundle.index());
 *
 * TensorFlow's order is that of {@link compareNames}; others are legal.
 */
export class BundleWriter {
  readonly #entries: BundleEntry[] = [];
  #open: BundleEntry | undefined;
  #offset = 0;

  /** Bytes of the data file so far. */
  get size(): number {
    return this.#offset;
  }

  /** Starts a tensor. */
  begin(name: string, dtype: BundleDtype, shape: readonly number[]): void {
    if (this.#open) {
      throw new TensorError(
          'state', `checkpoint: '${this.#open.name}' has not ended`);
    }
    this.#open = {
      name, dtype, shape: [...shape], shard: 0, offset: this.#offset, size: 0,
      crc: 0, sliced: false,
    };
  }

  /**
   * Takes note of the tensor's next bytes. They are read where they are; a view
   * of the wasm memory may be of no use afterwards, as after any call.
   */
  add(piece: ArrayBufferView): void {
    const entry = this.#current();
    const {byteLength} = piece;  // 0 once the memory has grown
    entry.crc = crc32c(piece, entry.crc);
    entry.size += byteLength;
    this.#offset += byteLength;
  }

  /** Ends the tensor. */
  end(): void {
    const entry = this.#current();
    entry.crc = maskedCrc(entry.crc);
    this.#entries.push(entry);
    this.#open = undefined;
  }

  /** A whole tensor of strings; returns its bytes for the data file. */
  strings(
      name: string, shape: readonly number[],
      values: readonly (string | Uint8Array)[]): Uint8Array {
    this.begin(name, 'string', shape);
    const {bytes, crc} = callFormats('packStrings', values) as
        {bytes: Uint8Array; crc: number};
    const entry = this.#current();
    entry.size = bytes.length;
    // Of strings the checksum is not that of the bytes as they lie there.
    entry.crc = crc;
    this.#offset += bytes.length;
    this.#entries.push(entry);
    this.#open = undefined;
    return bytes;
  }

  #current(): BundleEntry {
    if (!this.#open) {
      throw new TensorError('state', 'checkpoint: no tensor has begun');
    }
    return this.#open;
  }

  /** What has been written so far. */
  get entries(): readonly BundleEntry[] {
    return this.#entries;
  }

  /**
   * The bytes of the index file. Throws `argument` for names that are there
   * twice and for tensors whose bytes do not fit their shapes.
   */
  index(blockSize = defaultBlockSize): Uint8Array {
    if (this.#open) {
      throw new TensorError(
          'state', `checkpoint: '${this.#open.name}' has not ended`);
    }
    const entries = this.#entries.map(
        ({name, dtype, shape, offset, size, crc}) => ({
          name, dtype: bundleDtypes[dtype as BundleDtype], shape, offset, size,
          crc,
        }));
    return callFormats('writeIndex', entries, blockSize) as Uint8Array;
  }
}

/**
 * What an index file says. All of it is checked: throws `argument` when it is
 * damaged or no index, `unsupported` when it is compressed.
 */
export function readIndex(bytes: Uint8Array): BundleIndex {
  const read = callFormats('readIndex', bytes) as unknown as
      Omit<BundleIndex, 'entries'> & {
        entries: (Omit<BundleEntry, 'dtype'> & {dtype: number})[];
      };
  return {
    ...read,
    entries: read.entries.map((entry) => ({
      ...entry, dtype: nameOf.get(entry.dtype) ?? `DT_${entry.dtype}` as const,
    })),
  };
}

/** A tensor's bytes, little-endian and row-major; strings one by one. */
export interface BundleTensor {
  dtype: BundleDtype;
  shape: number[];
  data: Uint8Array | Uint8Array[];
}

/**
 * Sums a tensor's bytes piece by piece while they are read: `end` throws
 * `argument` when they are not those that were written. Not for strings, which
 * {@link readTensor} reads whole.
 */
export class BundleCheck {
  readonly #entry: BundleEntry;
  #crc = 0;
  #size = 0;

  constructor(entry: BundleEntry) {
    readable(entry);
    this.#entry = entry;
  }

  add(piece: ArrayBufferView): void {
    this.#size += piece.byteLength;
    this.#crc = crc32c(piece, this.#crc);
  }

  end(): void {
    const {name, size, crc} = this.#entry;
    if (this.#size !== size) {
      throw new TensorError(
          'argument', `checkpoint: '${name}' has ${this.#size} bytes in the ` +
              `data file and ${size} in the index`);
    }
    if (maskedCrc(this.#crc) !== crc) {
      throw new TensorError(
          'argument', `checkpoint: the checksum of '${name}' is wrong: the ` +
              'data file is damaged');
    }
  }
}

function readable(
    entry: BundleEntry): asserts entry is BundleEntry & {dtype: BundleDtype} {
  if (entry.sliced) {
    throw new TensorError(
        'unsupported', `checkpoint: '${entry.name}' is stored in slices`);
  }
  if (!Object.hasOwn(bundleDtypes, entry.dtype)) {
    throw new TensorError(
        'unsupported',
        `checkpoint: '${entry.name}' has the unknown type ${entry.dtype}`);
  }
}

/** Bytes of a number; of complex ones, of each half. */
function width(dtype: BundleDtype): number {
  switch (dtype) {
    case 'bool': case 'int8': case 'uint8': case 'string': return 1;
    case 'int16': case 'uint16': case 'float16': case 'bfloat16': return 2;
    case 'int32': case 'uint32': case 'float32': case 'complex64': return 4;
    case 'float64': case 'int64': case 'uint64': case 'complex128': return 8;
  }
}

/** Turns bytes of big-endian numbers round, in place. */
export function swapBytes(bytes: Uint8Array, dtype: BundleDtype): void {
  const n = width(dtype);
  for (let i = 0; n > 1 && i < bytes.length; i += n) {
    bytes.subarray(i, i + n).reverse();
  }
}

/**
 * A tensor from its bytes in the data file (`size` bytes from `offset` on),
 * after checking them. Throws `argument` when they are damaged and
 * `unsupported` for slices and unknown types.
 */
export function readTensor(
    entry: BundleEntry, bytes: Uint8Array, bigEndian = false): BundleTensor {
  readable(entry);
  const {dtype, shape} = entry;
  if (dtype !== 'string') {
    const check = new BundleCheck(entry);
    check.add(bytes);
    check.end();
    if (!bigEndian) return {dtype, shape, data: bytes};
    const data = bytes.slice();
    swapBytes(data, dtype);
    return {dtype, shape, data};
  }
  if (bigEndian) {
    throw new TensorError(
        'unsupported',
        `checkpoint: '${entry.name}' has strings of a big-endian machine`);
  }
  const n = shape.reduce((a, b) => a * b, 1);
  try {
    const data = callFormats('unpackStrings', bytes, n, entry.crc);
    return {dtype, shape, data: data as Uint8Array[]};
  } catch (error) {
    if (!(error instanceof TensorError)) throw error;
    throw new TensorError(error.code, `${error.message}: '${entry.name}'`);
  }
}
