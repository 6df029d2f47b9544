/**
 * Leak hunting: where tensors were made and disposed. Nothing is kept until
 * tracing is switched on; then the Error objects are, and made into text only
 * when somebody asks.
 */
import {TensorError} from './errors.js';
import {setTracer, tracer} from './finalizer.js';
import type {Tracer} from './finalizer.js';
import {answer, describe, details, wasm} from './module.js';
import {siteOf} from './site.js';
import {SweptMap} from './swept_map.js';
import {dtypes} from './types.js';
import type {DataType} from './types.js';

/** What to trace; see {@link trace}. */
export interface TraceOptions {
  /** False switches tracing off. */
  stacks?: boolean;
  /** Traces one tensor of so many; 1 traces all. */
  sample?: number;
}

/** Live tensors that were made in one place. */
export interface SiteReport {
  site: string;
  numTensors: number;
  numBytes: number;
  /** Shape and dtype of the largest of them. */
  shape: number[];
  dtype: DataType;
}

/** Live tensors by site, largest first. */
export interface MemoryReport {
  sites: SiteReport[];
  /** Those made while nobody traced. */
  untraced: {numTensors: number, numBytes: number};
  toString(): string;
}

/** The live tensors at one moment. */
export interface MemorySnapshot {
  numTensors: number;
  numBytes: number;
  handles: ReadonlySet<number>;
}

/** What came and went between two snapshots. */
export interface MemoryDiff {
  numTensors: number;
  numBytes: number;
  /** Tensors made since that are alive, by site. */
  added: SiteReport[];
  /** How many of the earlier ones are gone. */
  removed: number;
}

// Disposed tensors whose end is remembered.
const remembered = 10000;

interface Life {
  made: Error;
  gone?: {how: string, where: Error};
}

// Those that finalizers freed are told to nobody.
const lives = new SweptMap<number, Life>(
    (handle, life) => life.gone === undefined && !wasm.alive(handle));
let dead: number[] = [];
let options: Required<TraceOptions> = {stacks: false, sample: 1};
let seen = 0;

// Ops nest: the usual ten frames may all be the library's.
const depth = 30;

/** An error whose stack reaches into the user's program. */
export function stackNow(): Error {
  const settings = Error as {stackTraceLimit?: number};
  const limit = settings.stackTraceLimit;
  if (limit !== undefined) settings.stackTraceLimit = depth;
  const error = new Error();
  if (limit !== undefined) settings.stackTraceLimit = limit;
  return error;
}

const recorder: Tracer = {
  made(handle) {
    if (seen++ % options.sample === 0) lives.set(handle, {made: stackNow()});
  },
  gone(handles, how) {
    let where: Error | undefined;
    for (const handle of handles) {
      const life = lives.get(handle);
      if (life === undefined || life.gone !== undefined) continue;
      where ??= stackNow();
      life.gone = {how, where};
      dead.push(handle);
    }
    if (dead.length > 2 * remembered) {
      for (const handle of dead.splice(0, remembered)) lives.delete(handle);
    }
  },
};

/**
 * Switches the tracing of tensors on or off; returns what was set before.
 *
 * While it is on, `tf.memory.report()` knows where live tensors were made and
 * using a disposed tensor tells where it was disposed. It costs some
 * microseconds per tensor.
 *
 * ```js
 * tf.memory.trace({stacks: true});
 * const x = tf.ones([10]);
 * tf.memory.report().sites[0].shape; // => [10]
 * x.dispose();
 * tf.memory.trace({stacks: false});
 * ```
 */
export function trace(next: TraceOptions = {}): TraceOptions {
  const {stacks = true, sample = 1} = next;
  if (!(sample >= 1)) {
    throw new TensorError(
        'argument', 'memory.trace: sample must be a number of at least 1, ' +
            `but is ${String(sample)}`);
  }
  const before = options;
  options = {stacks, sample: Math.floor(sample)};
  setTracer(options.stacks ? recorder : undefined);
  if (!options.stacks) {
    lives.clear();
    dead = [];
  }
  return before;
}

// Those who need sites for a while, and what was set before the first came.
let needing = 0;
let without: TraceOptions = {};

/** Traces all until the function it returns is called, by the last of many. */
export function traceMeanwhile(): () => void {
  if (needing++ === 0) without = trace({stacks: true});
  return () => {
    if (--needing === 0) trace(without);
  };
}

function bytesOfDescription(shape: number[], dtype: DataType): number {
  return shape.reduce((a, b) => a * b, dtype === 'bool' ? 1 : 4);
}

function group(handles: Iterable<number>): SiteReport[] {
  const sites = new Map<string, SiteReport & {largest: number}>();
  for (const handle of handles) {
    const life = lives.get(handle);
    const site = life ? siteOf(life.made) : 'untraced';
    const {dtype: number, shape} = describe(handle);
    const dtype = dtypes[number]!;
    const bytes = bytesOfDescription(shape, dtype);
    const entry = sites.get(site) ??
        {site, numTensors: 0, numBytes: 0, shape, dtype, largest: -1};
    entry.numTensors++;
    entry.numBytes += bytes;
    if (bytes > entry.largest) Object.assign(entry, {shape, dtype, largest: bytes});
    sites.set(site, entry);
  }
  return [...sites.values()]
      .sort((a, b) => b.numBytes - a.numBytes || b.numTensors - a.numTensors)
      .map(({largest: _, ...rest}) => rest);
}

const liveHandles = (): number[] => answer(wasm.liveHandles());

function line({site, numTensors, numBytes, shape, dtype}: SiteReport): string {
  return `${numBytes} bytes in ${numTensors} tensors, the largest ` +
      `${dtype}[${shape.join()}], made at ${site}`;
}

/**
 * Live tensors grouped by the place that made them, largest first. Only
 * tensors made while {@link trace} is on have a place.
 *
 * ```js
 * tf.memory.trace({stacks: true});
 * const leaked = [1, 2, 3].map((n) => tf.zeros([n]));
 * const [first] = tf.memory.report().sites;
 * [first.numTensors, first.numBytes]; // => [3, 24]
 * tf.dispose(leaked);
 * tf.memory.trace({stacks: false});
 * ```
 */
export function report(): MemoryReport {
  const all = group(liveHandles());
  const sites = all.filter(({site}) => site !== 'untraced');
  const {numTensors = 0, numBytes = 0} =
      all.find(({site}) => site === 'untraced') ?? {};
  return {
    sites,
    untraced: {numTensors, numBytes},
    toString() {
      const rest = numTensors === 0 ? [] :
        [`${numBytes} bytes in ${numTensors} tensors that were not traced`];
      return [...sites.map(line), ...rest].join('\n');
    },
  };
}

/**
 * Remembers which tensors are alive now; see {@link diff}.
 *
 * ```js
 * const before = tf.memory.snapshot();
 * const x = tf.ones([2]);
 * tf.memory.diff(before).numTensors; // => 1
 * x.dispose();
 * ```
 */
export function snapshot(): MemorySnapshot {
  return {
    numTensors: wasm.numTensors(),
    numBytes: wasm.numBytes(),
    handles: new Set(liveHandles()),
  };
}

/**
 * What came and went between two snapshots, by default until now.
 *
 * ```js
 * const x = tf.ones([2]);
 * const before = tf.memory.snapshot();
 * x.dispose();
 * tf.memory.diff(before).removed; // => 1
 * ```
 */
export function diff(
    before: MemorySnapshot, after: MemorySnapshot = snapshot()): MemoryDiff {
  const added = [...after.handles].filter(
      (handle) => !before.handles.has(handle) && wasm.alive(handle));
  const removed = [...before.handles].filter(
      (handle) => !after.handles.has(handle));
  return {
    numTensors: after.numTensors - before.numTensors,
    numBytes: after.numBytes - before.numBytes,
    added: group(added),
    removed: removed.length,
  };
}

/** Handles alive now that were not before and that nobody kept on purpose. */
export function leakedSince(before: MemorySnapshot): number[] {
  return liveHandles().filter(
      (handle) => !before.handles.has(handle) && !wasm.kept(handle));
}

/** Lines that say what the handles are and where they were made. */
export function linesFor(handles: Iterable<number>): string[] {
  return group(handles).map(line);
}

details.disposed = (handle) => {
  const life = lives.get(handle);
  if (tracer === undefined || life === undefined) return '';
  const {gone, made} = life;
  return (gone ? `\n  disposed by ${gone.how} at ${siteOf(gone.where)}` : '') +
      `\n  made at ${siteOf(made)}`;
};
