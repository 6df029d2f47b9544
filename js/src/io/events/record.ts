/** TFRecord framing: what event files are made of. */
import {callFormats} from '../formats.js';

/** A part of a file that no record could be read from. */
export interface Damage {
  offset: number;
  length: number;
}

export interface RecordsRead {
  /** Payloads of the whole records, as views of the given bytes. */
  records: Uint8Array[];
  /** Parts that were skipped; what follows each of them is whole again. */
  damaged: Damage[];
  /** The first byte that was not used: read on from there. */
  next: number;
  /** What is the matter with the bytes from `next` on. */
  rest: 'none' | 'truncated' | 'damaged';
}

const rests = ['none', 'truncated', 'damaged'] as const;

/** The bytes of one record with that payload. */
export function frameRecord(payload: Uint8Array): Uint8Array {
  return callFormats('putRecord', payload) as Uint8Array;
}

/**
 * The whole records in bytes of an event file. A record with a wrong checksum
 * is skipped and named in `damaged`; a cut-off tail is left for the next time.
 */
export function readRecords(bytes: Uint8Array): RecordsRead {
  const found = callFormats('readRecords', bytes) as {
    payloads: number[]; damaged: number[]; next: number; rest: number;
  };
  const pairs = <T>(
      list: number[], f: (offset: number, length: number) => T): T[] =>
    Array.from(
        {length: list.length / 2}, (_, i) => f(list[2 * i]!, list[2 * i + 1]!));
  return {
    records: pairs(
        found.payloads, (offset, n) => bytes.subarray(offset, offset + n)),
    damaged: pairs(found.damaged, (offset, length) => ({offset, length})),
    next: found.next,
    rest: rests[found.rest]!,
  };
}
