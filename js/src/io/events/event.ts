/** Events: the payloads of an event file's records. */
import {decode, encode} from '../formats.js';
import type {Plain} from '../formats.js';
import {frameRecord} from './record.js';
import type {SummaryValue} from './summary.js';
import {decodeValue} from './summary.js';

/** What the first event of every file says. */
export const fileVersion = 'brain.Event:2';

/** Numbers of session logs' states. */
export const sessionStatus = {start: 1, stop: 2, checkpoint: 3} as const;

export interface SessionLog {
  status: number;
  checkpointPath?: string;
  msg?: string;
}

/** One event; of the fields after `step` at most one is given. */
export interface Event {
  /** Seconds since 1970. */
  wallTime: number;
  /** Exact up to 63 bits; 0 when absent. */
  step?: number | bigint;
  fileVersion?: string;
  /** A GraphDef's bytes. */
  graphDef?: Uint8Array;
  /** Encoded values, as the functions of `summary.ts` give them. */
  summary?: readonly Uint8Array[];
  sessionLog?: SessionLog;
  taggedRunMetadata?: {tag: string; runMetadata: Uint8Array};
  /** A MetaGraphDef's bytes. */
  metaGraphDef?: Uint8Array;
  /** Who wrote the file; for its first event. */
  writer?: string;
}

/** An event as it is read: summaries are decoded. */
export interface ReadEvent extends Omit<Event, 'summary' | 'step'> {
  step: bigint;
  summary?: SummaryValue[];
}

/** The bytes of an event, without a frame. */
export function encodeEvent(event: Event): Uint8Array {
  const {sessionLog: log, taggedRunMetadata: run, writer} = event;
  return encode('Event', {
    wall_time: event.wallTime,
    step: event.step,
    file_version: event.fileVersion,
    graph_def: event.graphDef,
    summary: event.summary && {value: event.summary},
    session_log: log && {
      status: log.status, checkpoint_path: log.checkpointPath, msg: log.msg,
    },
    tagged_run_metadata: run && {tag: run.tag, run_metadata: run.runMetadata},
    meta_graph_def: event.metaGraphDef,
    source_metadata: writer === undefined ? undefined : {writer},
  });
}

/** An event as a whole record, to be appended to a file. */
export function eventRecord(event: Event): Uint8Array {
  return frameRecord(encodeEvent(event));
}

interface Decoded {
  wall_time?: number;
  step?: number | bigint;
  file_version?: string;
  graph_def?: Uint8Array;
  summary?: {value?: Plain[]};
  session_log?: {status?: number; checkpoint_path?: string; msg?: string};
  tagged_run_metadata?: {tag?: string; run_metadata?: Uint8Array};
  meta_graph_def?: Uint8Array;
  source_metadata?: {writer?: string};
}

/** The event in a record's payload; throws `argument` when it is none. */
export function decodeEvent(bytes: Uint8Array): ReadEvent {
  const e = decode('Event', bytes) as Decoded;
  const {session_log: log, tagged_run_metadata: run} = e;
  const event: ReadEvent = {
    wallTime: e.wall_time ?? 0, step: BigInt(e.step ?? 0),
  };
  if (e.file_version !== undefined) event.fileVersion = e.file_version;
  if (e.graph_def) event.graphDef = e.graph_def;
  if (e.summary) event.summary = (e.summary.value ?? []).map(decodeValue);
  if (log) {
    event.sessionLog = {
      status: log.status ?? 0,
      checkpointPath: log.checkpoint_path ?? '',
      msg: log.msg ?? '',
    };
  }
  if (run) {
    event.taggedRunMetadata = {
      tag: run.tag ?? '', runMetadata: run.run_metadata ?? new Uint8Array(),
    };
  }
  if (e.meta_graph_def) event.metaGraphDef = e.meta_graph_def;
  if (e.source_metadata) event.writer = e.source_metadata.writer ?? '';
  return event;
}

/**
 * The name of a new event file: `seconds` since 1970, a host made of letters,
 * digits, `_` and `-`, and a suffix that no other writer has.
 */
export function eventFileName(
    seconds: number, host: string, suffix: string): string {
  const digits = String(Math.floor(seconds)).padStart(10, '0');
  const name = host.replace(/[^A-Za-z0-9_-]/g, '_') || 'localhost';
  return `events.out.tfevents.${digits}.${name}.${suffix}`;
}
