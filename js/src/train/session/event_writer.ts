/**
 * Event files: what TensorBoard reads. Events are put in a queue and written as
 * whole records; a writer always starts files of its own, for the last record
 * of an earlier one may be torn.
 */
import {shown} from '../../errors.js';
import {
  eventFileName, eventRecord, fileVersion, sessionStatus,
} from '../../io/events/event.js';
import type {Event, SessionLog} from '../../io/events/event.js';
import {checkNumber, scalarValue, withoutMetadata} from '../../io/events/summary.js';
import {formatsLoaded, loadFormats} from '../../io/formats.js';
import type {FileStorage} from '../../io/storage/storage.js';
import {consoleLog, systemClock} from './clock.js';
import type {Clock, LogFunction} from './clock.js';
import {runtimeError, valueError} from './errors.js';
import type {Graph as GraphRegistry} from './graph.js';
import {frozenGraphDef, frozenMetaGraphDef} from './graph_def.js';
import type {Encode} from './graph_def.js';
import {isPlain, optionsOf} from './options.js';
import type {Arguments} from './options.js';
import {checkFolder, openDirectory, trimmed} from './run_directory.js';
import {asSessionError} from './storage_errors.js';
import {checkTag, tagOf, valuesIn} from './summary_values.js';

/** Options of a {@link FileWriter}. */
export interface FileWriterOptions {
  /** Events that may wait before they are written; default 10. */
  maxQueue?: number;
  /** Seconds after which they are written anyway; default 120. */
  flushSecs?: number;
  /** What TensorFlow took a graph by, once. */
  graphDef?: null;
  /** The end of the files' names. */
  filenameSuffix?: string;
  clock?: Clock;
  onLog?: LogFunction;
  /** Failures reject `flush`; by default they are logged, training goes on. */
  raise?: boolean;
  open?: (directory: string) => FileStorage;
}

// As TensorFlow has them; a third is for graphs of old.
const writerArguments =
    ['maxQueue', 'flushSecs', 'graphDef', 'filenameSuffix'] as const;

/** Encoded values, an encoded Summary, or numbers by their tags. */
export type SummaryInput =
  readonly Uint8Array[] | Uint8Array | Readonly<Record<string, number>>;

/** Null is none. */
type Step = number | bigint | null;

/** The step of an event. Errors: no whole number of 64 bits. */
function checkedStep(step: Step = 0): number | bigint {
  if (step === null) return 0;
  const whole = typeof step === 'bigint' ? BigInt.asIntN(64, step) === step :
    Number.isSafeInteger(step);
  if (whole) return step;
  throw valueError('FileWriter: the step must be a whole number from -2^63 to ' +
      `2^63 - 1, got ${shown(step)}`);
}

// Where adding to a file copies it, files stay small.
const segmentBytes = {cheap: 64 * 1024 * 1024, copying: 256 * 1024};
// What waits at most while nothing can be written.
const mostWaiting = 16 * 1024 * 1024;

// A record, or how to make it once the file formats are loaded.
type Waiting = Uint8Array | Encode;
const waitingBytes = (record: Waiting): number =>
  (typeof record === 'function' ? 1024 : record.length);

let writers = 0;

/** The name of this machine or page, and a number no other writer has. */
function whoAmI(): {host: string, id: string} {
  const {location, process} = globalThis as {
    location?: {hostname?: string},
    process?: {pid?: number, env?: Record<string, string | undefined>},
  };
  const random = Math.floor(Math.random() * 1e9);
  return {
    host: location?.hostname || process?.env?.['HOSTNAME'] || 'localhost',
    id: `${process?.pid ?? random}.${writers++}`,
  };
}

/**
 * Writes the events of one directory. `add…` only puts them in a queue; it is
 * written when it is long or old, and by `flush` and `close`.
 *
 * ```js
 * const writer = new tf.summary.FileWriter('memory://events');
 * writer.addSummary({loss: 0.5}, 1);
 * await writer.close();
 * writer.getLogdir(); // => 'memory://events'
 * ```
 */
export class FileWriter {
  static readonly className: string = 'FileWriter';
  readonly #directory: string;
  readonly #options: FileWriterOptions;
  readonly #clock: Clock;
  readonly #log: LogFunction;
  readonly #me = whoAmI();
  #storage: FileStorage | undefined;
  #queue: Waiting[] = [];
  #waiting = 0;
  #flushed: number;
  #writing: Promise<void> = Promise.resolve();
  #segment = 0;
  #file: string | undefined;
  #fileSize = 0;
  #closed = false;
  #complained = false;
  readonly #tags = new Set<string>();
  readonly #runTags = new Set<string>();

  /**
   * `graph`, if given, is what the file begins with; then TensorFlow's arguments
   * by position or by name.
   */
  constructor(
      logdir: string, graph: GraphRegistry | null = null,
      ...given: Arguments<FileWriterOptions, typeof writerArguments>) {
    const what = 'FileWriter';
    checkFolder(what, logdir);
    const options = optionsOf<FileWriterOptions>(
        what, given, writerArguments, ['clock', 'onLog', 'raise', 'open']);
    this.#directory = trimmed(logdir);
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#log = options.onLog ?? consoleLog;
    this.#flushed = this.#clock.now();
    // Opened now: a URL that means nothing is an error of this line.
    this.#storage = (options.open ?? openDirectory)(this.#directory);
    if (graph !== null) {
      this.addGraph(graph);
      const encode = frozenMetaGraphDef(graph);
      this.#event(() => ({metaGraphDef: encode()}), 0);
    }
  }

  /** The directory. */
  getLogdir(): string {
    return this.#directory;
  }

  /** Adds any event. */
  addEvent(event: Event): void {
    if (typeof event !== 'object' || event === null) {
      throw valueError(`add_event: expected an event, got ${shown(event)}`);
    }
    checkedStep(event.step);
    const copy = formatsLoaded() ? event : structuredClone(event);
    this.#add(() => copy);
  }

  #add(event: () => Event): void {
    if (this.#closed) {
      this.#log(`the event writer of '${this.#directory}' is closed`, 'warn');
      return;
    }
    const encode = (): Uint8Array => eventRecord(event());
    const record = formatsLoaded() ? encode() : encode;
    this.#queue.push(record);
    this.#waiting += waitingBytes(record);
    this.#drop();
    const {maxQueue = 10, flushSecs = 120} = this.#options;
    if (this.#queue.length < maxQueue &&
        this.#clock.now() - this.#flushed < flushSecs) {
      return;
    }
    // A failure that is to be raised waits for the next flush.
    void this.#write().catch(() => undefined);
  }

  #event(what: () => Partial<Event>, given: Step): void {
    const step = checkedStep(given);
    const wallTime = this.#clock.wallTime();
    this.#add(() => ({wallTime, step, ...what()}));
  }

  /**
   * Adds summaries of a step: encoded values, an encoded Summary, or numbers by
   * their tags. Only the first value of a tag keeps its metadata.
   */
  addSummary(values: SummaryInput, globalStep: Step = 0): void {
    const step = checkedStep(globalStep);
    const encodes = isPlain(values) ?
      Object.entries(values).map(([tag, value]) => {
        checkTag('add_summary', tag);
        checkNumber(value, `add_summary: '${tag}': `);
        this.#tags.add(tag);
        return () => scalarValue(tag, value);
      }) : valuesIn(values).map((value) => this.#once(value));
    this.#event(
        () => ({summary: encodes.map((encode) => encode())}), step);
  }

  #once(value: Uint8Array): Encode {
    const {tag, metadata} = tagOf(value);
    const known = this.#tags.has(tag);
    this.#tags.add(tag);
    return () => (known && metadata ? withoutMetadata(value) : value);
  }

  /** Adds a graph, or a GraphDef's bytes. */
  addGraph(
      graph: GraphRegistry | Uint8Array, globalStep: Step = 0): void {
    const encode =
        ArrayBuffer.isView(graph) ? () => graph : frozenGraphDef(graph);
    this.#event(() => ({graphDef: encode()}), globalStep);
  }

  /** Adds a MetaGraphDef's bytes. */
  addMetaGraph(
      metaGraph: Uint8Array, globalStep: Step = 0): void {
    this.#event(() => ({metaGraphDef: metaGraph}), globalStep);
  }

  /** Adds a start, stop or checkpoint of a session. */
  addSessionLog(log: SessionLog, globalStep: Step = 0): void {
    if (!Object.values<number>(sessionStatus).includes(log.status)) {
      throw valueError(`add_session_log: ${log.status} is no status`);
    }
    this.#event(() => ({sessionLog: log}), globalStep);
  }

  /** Adds what a traced run told. Errors: the tag was used before. */
  addRunMetadata(
      runMetadata: Uint8Array, tag: string,
      globalStep: Step = 0): void {
    if (this.#runTags.has(tag)) {
      throw valueError('The provided tag was already used for this event type');
    }
    this.#event(() => ({taggedRunMetadata: {tag, runMetadata}}), globalStep);
    this.#runTags.add(tag);
  }

  /**
   * Resolves when all events so far are written. Failures are logged and tried
   * again; with `raise`, they reject.
   */
  async flush(): Promise<void> {
    await this.#write();
  }

  /** Flushes, and ends the file. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    try {
      await this.#write();
    } finally {
      const storage = this.#storage;
      this.#storage = undefined;
      this.#file = undefined;
      await storage?.close();
    }
  }

  /** Goes on, in a new file, after a close. */
  reopen(): void {
    if (!this.#closed) return;
    this.#storage = (this.#options.open ?? openDirectory)(this.#directory);
    this.#closed = false;
  }

  /** True while there is something to flush. */
  get pending(): boolean {
    return this.#queue.length > 0;
  }

  #write(): Promise<void> {
    const next = this.#writing.catch(() => undefined)
        .then(() => this.#writeQueue());
    this.#writing = next;
    // Whoever waits for it hears of it.
    next.catch(() => undefined);
    return next;
  }

  async #writeQueue(): Promise<void> {
    this.#flushed = this.#clock.now();
    if (this.#queue.length === 0 && this.#file !== undefined) return;
    let records: Uint8Array[] = [];
    try {
      if (!formatsLoaded()) await loadFormats();
      const waiting = this.#queue;
      this.#queue = [];
      this.#waiting = 0;
      records = waiting.flatMap((record) => this.#encoded(record));
      await this.#append(records);
      this.#complained = false;
    } catch (error) {
      // Half a record may be there: the rest goes to a new file.
      this.#file = undefined;
      this.#queue = [...records, ...this.#queue];
      this.#waiting = this.#queue.reduce((n, r) => n + waitingBytes(r), 0);
      this.#drop();
      if (this.#options.raise) throw asSessionError(error);
      if (this.#complained) return;
      this.#complained = true;
      this.#log(`events of '${this.#directory}' could not be written: ${
        (error as Error).message}`, 'error');
    }
  }

  // What is wrong with an event can only be said now.
  #encoded(record: Waiting): Uint8Array[] {
    if (typeof record !== 'function') return [record];
    try {
      return [record()];
    } catch (error) {
      this.#log(`an event of '${this.#directory}' is left out: ${
        (error as Error).message}`, 'error');
      return [];
    }
  }

  async #append(records: readonly Uint8Array[]): Promise<void> {
    const storage = this.#storage;
    if (storage === undefined) throw runtimeError('the event writer is closed');
    const most = storage.capabilities.syncAppend ?
      segmentBytes.cheap : segmentBytes.copying;
    const all = [...records];
    if (this.#file === undefined || this.#fileSize >= most) {
      this.#file = this.#newName();
      this.#fileSize = 0;
      all.unshift(eventRecord({
        // Of the file: whole seconds, as TensorFlow writes it.
        wallTime: Math.floor(this.#clock.wallTime()), fileVersion,
      }));
    }
    await storage.append(this.#file, all);
    this.#fileSize += all.reduce((n, {length}) => n + length, 0);
  }

  #newName(): string {
    const {host, id} = this.#me;
    // Files of one second are read in the order of their names.
    const number = String(this.#segment++).padStart(4, '0');
    return eventFileName(this.#clock.wallTime(), host, `${id}.${number}`) +
        (this.#options.filenameSuffix ?? '');
  }

  #drop(): void {
    let dropped = 0;
    while (this.#waiting > mostWaiting && this.#queue.length > 1) {
      this.#waiting -= waitingBytes(this.#queue.shift()!);
      dropped++;
    }
    if (dropped > 0) {
      this.#log(`${dropped} events of '${this.#directory}' were dropped: ` +
          'nothing could be written for too long', 'warn');
    }
  }

  // The same by TensorFlow's names.
  get_logdir(): string {
    return this.getLogdir();
  }
  add_event(event: Event): void {
    this.addEvent(event);
  }
  add_summary(values: SummaryInput, globalStep?: Step): void {
    this.addSummary(values, globalStep);
  }
  add_graph(graph: GraphRegistry | Uint8Array, globalStep?: Step): void {
    this.addGraph(graph, globalStep);
  }
  add_meta_graph(metaGraph: Uint8Array, globalStep?: Step): void {
    this.addMetaGraph(metaGraph, globalStep);
  }
  add_session_log(log: SessionLog, globalStep?: Step): void {
    this.addSessionLog(log, globalStep);
  }
  add_run_metadata(
      runMetadata: Uint8Array, tag: string, globalStep?: Step): void {
    this.addRunMetadata(runMetadata, tag, globalStep);
  }
}
