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

interface Note extends KernelInfo {
  fault?: string;
}

let recording: KernelInfo[] | undefined;
let checking = false;

function apply(): void {
  done(wasm.profile(checking ? 2 : recording ? 1 : 0), 'profile');
}

/** Takes what was noted since the last time. */
function drain(): void {
  for (const note of JSON.parse(textAt(checked(wasm.profileTake()))) as Note[]) {
    const {fault, ...kernel} = note;
    kernel.name = kernel.name.charAt(0).toUpperCase() + kernel.name.slice(1);
    kernel.extraInfo = '';
    recording?.push(kernel);
    if (!checking) continue;
    const shapes = (list: (number[] | null)[]): string =>
      list.map((s) => (s === null ? 'none' : `[${s}]`)).join(' ');
    console.log(`${kernel.name}: ${kernel.kernelTimeMs.toFixed(3)} ms, ` +
        `${shapes(kernel.inputShapes)} -> ${shapes(kernel.outputShapes)}`);
    if (fault) console.warn(`Found ${fault} in the result of '${kernel.name}'`);
  }
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
  if (recording) {
    throw new TensorError('state', 'profile: another profile is running');
  }
  const kernels: KernelInfo[] = [];
  const [bytes, tensors] = [wasm.numBytes(), wasm.numTensors()];
  drain();
  recording = kernels;
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
    recording = undefined;
    apply();
    if (!checking) checked(wasm.profileTake());
  }
}

/**
 * Runs `f`, which is not async, and adds its kernels to `kernels`; they are
 * not noted while a `profile` is running.
 */
export function noteKernels<T>(kernels: KernelInfo[], f: () => T): T {
  if (recording) return f();
  drain();
  recording = kernels;
  try {
    apply();
    return f();
  } finally {
    drain();
    recording = undefined;
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
