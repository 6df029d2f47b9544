/** What ops cost: `profile`, `time`, and the checks of debug mode. */
import {env} from './environment.js';
import {TensorError} from './errors.js';
import {checked, done, textAt, whenLoaded, wasm} from './module.js';
import {setAfterOp} from './op.js';

/** One run of a kernel. */
export interface KernelInfo {
  /** The op's name, with a capital, as TensorFlow.js names kernels. */
  name: string;
  bytesAdded: number;
  totalBytesSnapshot: number;
  tensorsAdded: number;
  totalTensorsSnapshot: number;
  /** Null for an input that was not given. */
  inputShapes: (number[] | null)[];
  outputShapes: number[][];
  kernelTimeMs: number;
  extraInfo: string;
}

/** What `profile` found. */
export interface ProfileInfo<T = unknown> {
  newBytes: number;
  newTensors: number;
  /** The most bytes that all tensors had after a kernel. */
  peakBytes: number;
  kernels: KernelInfo[];
  result: T;
  /** Each kernel's name once. */
  readonly kernelNames: string[];
}

/** What `time` found, in milliseconds. */
export interface TimingInfo {
  kernelMs: number;
  wallMs: number;
}

/** A number, `{i}` for a whole one, a text, a flag, or a list of integers. */
export type KernelAttr =
  number | string | boolean | {readonly i: number} | readonly number[];

/** A run of a kernel with what a graph must know of it. */
export interface KernelNote extends KernelInfo {
  /** Identities of tensors: no two tensors ever have the same. 0 for none. */
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  /** Numbers of dtypes, -1 for an input that was not given. */
  readonly inputDtypes: readonly number[];
  readonly outputDtypes: readonly number[];
  readonly attrs: Readonly<Record<string, KernelAttr>>;
  /** Bytes of inputs that no kernel made, by identity. */
  readonly constants: Readonly<Record<string, readonly number[]>>;
}

// Who is told of kernels, the innermost last: functions may be recorded while
// a profile runs.
const sinks: ((kernel: KernelInfo) => unknown)[] = [];
let profiling = false;
let graphs = 0;
let checking = false;

function apply(): void {
  const notes = sinks.length > 0 || checking ? 1 : 0;
  done(wasm.profile(notes + (checking ? 2 : 0) + (graphs > 0 ? 4 : 0)),
      'profile');
}

/** Takes what was noted since the last time. */
function drain(): void {
  const notes = JSON.parse(textAt(checked(wasm.profileTake()))) as
      (KernelNote & {fault?: string})[];
  for (const {fault, ...kernel} of notes) {
    kernel.name = kernel.name.charAt(0).toUpperCase() + kernel.name.slice(1);
    kernel.extraInfo = '';
    for (const sink of sinks) sink(kernel);
    if (!checking) continue;
    const shapes = (list: (number[] | null)[]): string =>
      list.map((s) => (s === null ? 'none' : `[${s}]`)).join(' ');
    console.log(`${kernel.name}: ${kernel.kernelTimeMs.toFixed(3)} ms, ` +
        `${shapes(kernel.inputShapes)} -> ${shapes(kernel.outputShapes)}`);
    if (fault) console.warn(`Found ${fault} in the result of '${kernel.name}'`);
  }
}

/** What `profile` tells of a kernel. */
function infoOf(kernel: KernelInfo): KernelInfo {
  const {
    name, bytesAdded, totalBytesSnapshot, tensorsAdded, totalTensorsSnapshot,
    inputShapes, outputShapes, kernelTimeMs, extraInfo,
  } = kernel;
  return {
    name, bytesAdded, totalBytesSnapshot, tensorsAdded, totalTensorsSnapshot,
    inputShapes, outputShapes, kernelTimeMs, extraInfo,
  };
}

function remove(sink: (kernel: KernelInfo) => unknown): void {
  sinks.splice(sinks.lastIndexOf(sink), 1);
}

/**
 * Runs `f` and reports its kernels and the memory they took. `f` may be async;
 * one profile runs at a time. What `f` throws is thrown on.
 *
 * ```js
 * const x = tf.tensor1d([1, 2, 3]);
 * const report = await tf.profile(() => x.square());
 * report.kernelNames; // => ['Square']
 * report.newBytes; // => 12
 * tf.dispose([x, report.result]);
 * ```
 */
export async function profile<T>(
    f: () => T | Promise<T>): Promise<ProfileInfo<T>> {
  if (profiling) {
    throw new TensorError('state', 'profile: another profile is running');
  }
  const kernels: KernelInfo[] = [];
  const [bytes, tensors] = [wasm.numBytes(), wasm.numTensors()];
  const sink = (kernel: KernelInfo): unknown => kernels.push(infoOf(kernel));
  drain();
  profiling = true;
  sinks.push(sink);
  try {
    apply();
    const result = await f();
    drain();
    return {
      newBytes: wasm.numBytes() - bytes,
      newTensors: wasm.numTensors() - tensors,
      peakBytes: kernels.reduce(
          (most, k) => Math.max(most, k.totalBytesSnapshot), bytes),
      kernels,
      result,
      get kernelNames() {
        return [...new Set(kernels.map((k) => k.name))];
      },
    };
  } finally {
    profiling = false;
    remove(sink);
    apply();
    if (!checking && sinks.length === 0) checked(wasm.profileTake());
  }
}

/** Runs `f`, which is not async, and adds its kernels to `kernels`. */
export function noteKernels<T>(kernels: KernelInfo[], f: () => T): T {
  return told((kernel) => kernels.push(infoOf(kernel)), f);
}

/**
 * Runs `f`, which is not async, and adds all that is known of its kernels to
 * `kernels`. `f` is given what takes the notes so far.
 */
export function noteGraph<T>(
    kernels: KernelNote[], f: (catchUp: () => void) => T): T {
  graphs++;
  try {
    return told(
        (kernel) => kernels.push(kernel as KernelNote), () => f(drain));
  } finally {
    graphs--;
    apply();
  }
}

function told<T>(sink: (kernel: KernelInfo) => unknown, f: () => T): T {
  drain();
  sinks.push(sink);
  try {
    apply();
    return f();
  } finally {
    drain();
    remove(sink);
    apply();
  }
}

/**
 * Runs `f` and says how many milliseconds its kernels took, and all of it.
 *
 * ```js
 * const {kernelMs, wallMs} = await tf.time(() => tf.ones([9, 9]).dispose());
 * kernelMs <= wallMs; // => true
 * ```
 */
export async function time(f: () => unknown): Promise<TimingInfo> {
  const start = performance.now();
  const {kernels} = await profile(f);
  const wallMs = performance.now() - start;
  const kernelMs = kernels.reduce((sum, k) => sum + k.kernelTimeMs, 0);
  return {kernelMs, wallMs};
}

function setChecking(on: boolean): void {
  checking = on;
  setAfterOp(on ? drain : undefined);
  whenLoaded(apply);
}

env().registerFlag('DEBUG', () => false, (value) => setChecking(value === true));
