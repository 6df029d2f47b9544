/**
 * The byte functions of `core/formats`, once `loadFormats()` has resolved:
 * arguments and answers cross as packed plain values
 * (`core/formats/value.h`).
 */
import {callModule} from '../formats_module.js';

export {formatsLoaded, loadFormats} from '../formats_module.js';

/**
 * What crosses. Lists are arrays; typed arrays cross as their bytes. Whole
 * numbers come back as numbers, beyond 2^53 as bigint.
 */
export type Plain =
  undefined | null | boolean | number | bigint | string | ArrayBufferView |
  readonly Plain[] | {readonly [key: string]: Plain};

/** Names of messages that `encode` and `decode` know. */
export type MessageName =
  'Event' | 'Summary' | 'SummaryValue' | 'Histogram' | 'Image' | 'GraphDef' |
  'Node' | 'Attr' | 'Tensor' | 'Shape' | 'MetaGraphDef' | 'SaverDef' |
  'VariableDef' | 'Collection' | 'CheckpointState';

/** The order is C++'s (`core/formats/call.h`). */
const calls = [
  'encode', 'decode', 'printText', 'parseText', 'crc32c', 'putRecord',
  'readRecords', 'histogram', 'image', 'writeIndex', 'readIndex',
  'packStrings', 'unpackStrings',
] as const;

/** Kinds of packed values. */
const kind = {
  null: 0, false: 1, true: 2, number: 3, integer: 4, text: 5, bytes: 6,
  list: 7, object: 8,
} as const;

const encoder = new TextEncoder();
// Broken UTF-8 becomes U+FFFD; a byte order mark is text like any other.
const decoder = new TextDecoder('utf-8', {ignoreBOM: true});

// From so many on, bytes are not copied before they cross.
const large = 4096;

/** Packs values into bytes that grow, between which large ones stay apart. */
class Packer {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;
  // Large bytes and where in the others they belong.
  readonly #apart: {at: number; bytes: Uint8Array}[] = [];
  #apartLength = 0;

  /** All of it, in order. */
  get pieces(): Uint8Array[] {
    const pieces: Uint8Array[] = [];
    let from = 0;
    for (const {at, bytes} of this.#apart) {
      pieces.push(this.#bytes.subarray(from, at), bytes);
      from = at;
    }
    pieces.push(this.#bytes.subarray(from, this.#length));
    return pieces;
  }

  /** Makes room for `n` bytes more and returns where they start. */
  #room(n: number): number {
    const at = this.#length;
    this.#length += n;
    if (this.#length > this.#bytes.length) {
      const bytes = new Uint8Array(2 * this.#length);
      bytes.set(this.#bytes);
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer);
    }
    return at;
  }

  #start(kind: number, more: number): number {
    const at = this.#room(1 + more);
    this.#bytes[at] = kind;
    return at + 1;
  }

  #data(kind: number, bytes: Uint8Array): void {
    const apart = bytes.length >= large;
    const at = this.#start(kind, apart ? 4 : 4 + bytes.length);
    this.#view.setUint32(at, bytes.length, true);
    if (!apart) {
      this.#bytes.set(bytes, at + 4);
      return;
    }
    this.#apart.push({at: at + 4, bytes});
    this.#apartLength += bytes.length;
  }

  /** Names are short and ASCII: an encoder's call would cost more than they. */
  #text(value: string): void {
    const {length} = value;
    const at = this.#start(kind.text, 4 + length);
    let i = 0;
    for (; i < length; i++) {
      const code = value.charCodeAt(i);
      if (code > 127) break;
      this.#bytes[at + 4 + i] = code;
    }
    if (i === length && length < large) {
      this.#view.setUint32(at, length, true);
      return;
    }
    this.#length = at - 1;
    this.#data(kind.text, encoder.encode(value));
  }

  /** Packs items between a header and its correction. */
  #container(kind: number, items: () => number): void {
    const at = this.#start(kind, 8);
    const before = this.#apartLength;
    const count = items();
    const apart = this.#apartLength - before;
    this.#view.setUint32(at, this.#length - at - 8 + apart, true);
    this.#view.setUint32(at + 4, count, true);
  }

  add(value: Plain): void {
    if (value === undefined || value === null) {
      this.#start(kind.null, 0);
    } else if (typeof value === 'boolean') {
      this.#start(value ? kind.true : kind.false, 0);
    } else if (typeof value === 'number') {
      const at = this.#start(kind.number, 8);
      this.#view.setFloat64(at, value, true);
    } else if (typeof value === 'bigint') {
      const at = this.#start(kind.integer, 8);
      this.#view.setBigInt64(at, value, true);
    } else if (typeof value === 'string') {
      this.#text(value);
    } else if (ArrayBuffer.isView(value)) {
      const {buffer, byteOffset, byteLength} = value;
      this.#data(kind.bytes, new Uint8Array(buffer, byteOffset, byteLength));
    } else if (Array.isArray(value)) {
      this.#container(kind.list, () => {
        for (const item of value as readonly Plain[]) this.add(item);
        return value.length;
      });
    } else {
      this.#container(kind.object, () => {
        const entries = Object.entries(value);
        for (const [key, item] of entries) {
          this.#text(key);
          this.add(item);
        }
        return entries.length;
      });
    }
  }
}

/** Takes values off the front of packed bytes, as copies. */
class Unpacker {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  #skip(n: number): number {
    const at = this.#at;
    this.#at += n;
    return at;
  }

  #data(): Uint8Array {
    const length = this.#view.getUint32(this.#skip(4), true);
    const at = this.#skip(length);
    return this.#bytes.subarray(at, at + length);
  }

  take(): Plain {
    switch (this.#bytes[this.#skip(1)]) {
      case kind.false: return false;
      case kind.true: return true;
      case kind.number: return this.#view.getFloat64(this.#skip(8), true);
      case kind.integer: {
        const value = this.#view.getBigInt64(this.#skip(8), true);
        const number = Number(value);
        return Number.isSafeInteger(number) ? number : value;
      }
      case kind.text: return decoder.decode(this.#data());
      case kind.bytes: return this.#data().slice();
      case kind.list: {
        const n = this.#view.getUint32(this.#skip(8) + 4, true);
        return Array.from({length: n}, () => this.take());
      }
      case kind.object: {
        const n = this.#view.getUint32(this.#skip(8) + 4, true);
        const entries = Array.from({length: n}, () => {
          this.#skip(1);
          return [decoder.decode(this.#data()), this.take()] as const;
        });
        return Object.fromEntries(entries);
      }
      default: return null;
    }
  }
}

/** Runs one byte function; throws its error. */
export function callFormats(
    name: typeof calls[number], ...values: Plain[]): Plain {
  const packer = new Packer();
  for (const value of values) packer.add(value);
  return callModule(
      calls.indexOf(name), packer.pieces, (bytes) => new Unpacker(bytes).take());
}

/** A message's bytes, from an object with the fields' protobuf names. */
export function encode(message: MessageName, value: Plain): Uint8Array {
  return callFormats('encode', message, value) as Uint8Array;
}

/** The object that a message's bytes mean; absent fields are absent. */
export function decode(message: MessageName, bytes: Uint8Array): Plain {
  return callFormats('decode', message, bytes);
}

/** Protobuf's text form of a message's bytes. */
export function printText(message: MessageName, bytes: Uint8Array): string {
  return callFormats('printText', message, bytes) as string;
}

/** The bytes of a message in text form. */
export function parseText(message: MessageName, text: string): Uint8Array {
  return callFormats('parseText', message, text) as Uint8Array;
}

// More would make the memory there grow.
const pieceBytes = 1024 * 1024;

/**
 * The CRC-32C of bytes, or of what `before` is the checksum of followed by
 * them.
 */
export function crc32c(bytes: ArrayBufferView, before = 0): number {
  const {buffer, byteOffset, byteLength} = bytes;
  let crc = before;
  for (let at = 0; at < byteLength; at += pieceBytes) {
    const length = Math.min(pieceBytes, byteLength - at);
    crc = callFormats(
        'crc32c', new Uint8Array(buffer, byteOffset + at, length), crc) as number;
  }
  return crc;
}

/** A checksum as files store it. */
export function maskedCrc(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
