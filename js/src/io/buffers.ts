/** Bytes in pieces, and bytes as text. */
import type {TypedArray} from '../types.js';

/** True for an ArrayBuffer of any realm. */
export function isArrayBuffer(x: unknown): x is ArrayBuffer {
  return Object.prototype.toString.call(x) === '[object ArrayBuffer]';
}

type Piece = ArrayBuffer | TypedArray;

const bytesOf = (piece: Piece): Uint8Array<ArrayBuffer> =>
  ArrayBuffer.isView(piece) ?
    new Uint8Array(
        piece.buffer as ArrayBuffer, piece.byteOffset, piece.byteLength) :
    new Uint8Array(piece);

/**
 * Buffers one after the other, read as if they were one; nothing is copied
 * until `slice`.
 *
 * ```js
 * const parts = [new Uint8Array([1, 2]).buffer, new Uint8Array([3]).buffer];
 * const whole = new tf.io.CompositeArrayBuffer(parts);
 * whole.byteLength; // => 3
 * [...new Uint8Array(whole.slice(1))]; // => [2, 3]
 * ```
 */
export class CompositeArrayBuffer {
  readonly #pieces: Uint8Array<ArrayBuffer>[];
  readonly #starts: number[] = [];
  readonly byteLength: number;

  constructor(buffers?: Piece | readonly Piece[] | null) {
    const given = buffers === undefined || buffers === null ? [] :
      Array.isArray(buffers) ? buffers as readonly Piece[] :
        [buffers as Piece];
    this.#pieces = given.map(bytesOf).filter((p) => p.length > 0);
    let at = 0;
    for (const piece of this.#pieces) {
      this.#starts.push(at);
      at += piece.length;
    }
    this.byteLength = at;
  }

  /** The bytes of one or several buffers in one new buffer. */
  static join(buffers?: WeightBuffers): ArrayBuffer {
    return new CompositeArrayBuffer(buffers).slice();
  }

  /** A copy of the bytes from `start` up to `end`. */
  slice(start = 0, end = this.byteLength): ArrayBuffer {
    const from = Math.max(0, Math.trunc(start) || 0);
    const to = Math.min(this.byteLength, Math.trunc(end) || 0);
    const out = new Uint8Array(Math.max(0, to - from));
    for (let i = this.#pieceAt(from); i < this.#pieces.length; i++) {
      const at = this.#starts[i]!;
      if (at >= to) break;
      const piece = this.#pieces[i]!;
      out.set(
          piece.subarray(Math.max(0, from - at), to - at),
          Math.max(0, at - from));
    }
    return out.buffer;
  }

  // The last piece that starts at or before a byte.
  #pieceAt(byte: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! <= byte) low = middle;
      else high = middle;
    }
    return low;
  }
}

type WeightBuffers = ArrayBuffer | ArrayBuffer[] | null;

/**
 * The bytes of several buffers in one.
 *
 * ```js
 * const joined = tf.io.concatenateArrayBuffers([
 *   new Uint8Array([1]).buffer, new Uint8Array([2, 3]).buffer]);
 * [...new Uint8Array(joined)]; // => [1, 2, 3]
 * ```
 */
export function concatenateArrayBuffers(
    buffers: ArrayBuffer | ArrayBuffer[]): ArrayBuffer {
  return CompositeArrayBuffer.join(buffers);
}

/** How many bytes a text has in UTF-8. */
export function stringByteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Bytes as base64 text. */
export function toBase64(buffer: ArrayBuffer): string {
  const bytes = new Uint8Array(buffer);
  const parts: string[] = [];
  // A call takes only so many arguments.
  for (let i = 0; i < bytes.length; i += 0x8000) {
    parts.push(String.fromCharCode(...bytes.subarray(i, i + 0x8000)));
  }
  return btoa(parts.join(''));
}

/** The bytes that base64 text holds. */
export function fromBase64(text: string): ArrayBuffer {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes.buffer;
}
