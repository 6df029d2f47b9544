/**
 * The only file that knows the core's WebAssembly: it loads a variant, holds
 * the argument block and turns recorded errors into thrown ones.
 *
 * Invariants: a view of the wasm memory is never used across a call that can
 * grow it without `view()` checking; lists are written after all tensors of a
 * call are made, because making a tensor may use the block too.
 */
import type {MainModule} from '../generated/contract.js';
import {compile, explain, setWasmFiles, wasmUrl} from './compile.js';
import {TensorError, errorCodes} from './errors.js';

/** Builds of the core: `relaxed` uses relaxed SIMD where the engine has it. */
export type Variant = 'simd' | 'relaxed';

export interface InitOptions {
  /** Which build to load; by default the best the engine can run. */
  variant?: Variant;
  /** Folder (URL, ends in `/`) that holds the `.wasm` files. */
  wasmPath?: string;
  /** The bytes of the `.wasm` file, when you have them already. */
  wasmBinary?: ArrayBuffer | Uint8Array;
  /** The bytes of `tidemark-formats.wasm`, which only training sessions load. */
  formatsBinary?: ArrayBuffer | Uint8Array;
}

type Contract = MainModule & {
  wasmMemory: WebAssembly.Memory,
  stackSave(): number,
  stackRestore(stack: number): void,
};
// Every URL is a literal `new URL(..., import.meta.url)`: bundlers find the
// files by it. The glue itself holds none.
const variants: Record<Variant, () => URL> = {
  simd: () => new URL('./tidemark-simd.wasm', import.meta.url),
  relaxed: () => new URL('./tidemark-relaxed.wasm', import.meta.url),
};

const validates = (...body: number[]): boolean => {
  try {
    return WebAssembly.validate(
        new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, ...body]));
  } catch {
    return false;
  }
};
const hasSimd = (): boolean => validates(
    1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253,
    98, 11);
const hasRelaxedSimd = (): boolean => validates(
    1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 15, 1, 13, 0, 65, 1, 253, 15, 65,
    2, 253, 15, 253, 128, 2, 11);

/** The exports of the core. Calling one before `ready()` throws. */
export let wasm: Contract = new Proxy({} as Contract, {
  get() {
    throw new TensorError(
        'state', 'Tidemark is not loaded yet: await tf.ready() before the ' +
            'first op.');
  },
});
// Emscripten's object has so many properties that engines look each up in a
// hash table. As a prototype a copy has none of that: a method of it is a
// constant to the optimizing compiler.
const quick = (module: MainModule): Contract =>
  Object.create({...module}) as Contract;

let loading: Promise<void> | undefined;
let loaded: Variant | undefined;
let stack = 0;
const waiting: (() => void)[] = [];
/** True once ops can run. */
export function isLoaded(): boolean {
  return loaded !== undefined;
}

/** Calls `f` now or, before the core is there, once it is. */
export function whenLoaded(f: () => void): void {
  if (loaded !== undefined) f();
  else waiting.push(f);
}

/** The variant in use, once loaded. */
export function getVariant(): Variant | undefined {
  return loaded;
}

/** Loads the core once; later calls wait for the first. */
export function load(options: InitOptions = {}): Promise<void> {
  loading ??= start(options).catch((error: unknown) => {
    loading = undefined;  // a failed load can be tried again
    throw error;
  });
  return loading;
}

async function start(options: InitOptions): Promise<void> {
  // Where a policy forbids WebAssembly nothing validates: compiling says why.
  if (!hasSimd() && validates()) {
    throw new TensorError(
        'unsupported', 'This engine has no WebAssembly SIMD; Tidemark needs it.');
  }
  const variant = options.variant ?? (hasRelaxedSimd() ? 'relaxed' : 'simd');
  const entry = variants[variant];
  if (!entry) {
    throw new TensorError(
        'argument', `ready: there is no variant '${variant}', only ` +
            Object.keys(variants).join(', '));
  }
  setWasmFiles(options.wasmPath, options.formatsBinary);
  const url = wasmUrl(`tidemark-${variant}.wasm`, entry);
  const glue = import('./tidemark-glue.js');
  const [{default: make}, compiled] =
      await Promise.all([glue, compile(url, options.wasmBinary)]);
  try {
    wasm = quick(await instantiate(make, compiled));
  } catch (error) {
    throw explain(error, url);
  }
  loaded = variant;
  stack = wasm.stackSave();
  view();
  for (const f of waiting.splice(0)) f();
}

function instantiate(
    make: typeof import('./tidemark-glue.js').default,
    compiled: WebAssembly.Module): Promise<MainModule> {
  return new Promise((resolve, reject) => {
    make({
      instantiateWasm(
          imports: WebAssembly.Imports,
          receive: (instance: WebAssembly.Instance) => void): object {
        WebAssembly.instantiate(compiled, imports).then(receive).catch(reject);
        return {};
      },
    }).then(resolve, reject);
  });
}

// ---- argument block ---------------------------------------------------------

/** Doubles before the lists; `describe` answers there (`wasm/wire.h`). */
const header = 16;
const unknown = new Float64Array(0);
let doubles = unknown;
let capacity = 0;
let top = header;

/** The block as doubles, made anew after the memory grew. */
function view(): Float64Array {
  if (doubles.length === 0) {
    capacity = Math.max(capacity, 1024);
    doubles = new Float64Array(
        wasm.wasmMemory.buffer, wasm.blockAddress(), capacity);
  }
  return doubles;
}

function ensure(n: number): Float64Array {
  if (n > capacity) {
    if (wasm.reserve(2 * n) === 0) {
      throw new TensorError(
          'memory', `out of memory: no room for a list of ${n} numbers`);
    }
    capacity = 2 * n;
    doubles = unknown;
  }
  return view();
}

/** Where the next list goes; `release(mark())` forgets what came after. */
export function mark(): number {
  return top;
}

/** Forgets the lists written since `position` was the mark. */
export function release(position: number): void {
  top = position;
}

/** Writes a list into the block and returns its place, as C++ takes it. */
export function list(values: ArrayLike<number>): number {
  const at = top;
  const block = ensure(at + values.length + 1);
  block[at] = values.length;
  for (let i = 0; i < values.length; i++) block[at + 1 + i] = values[i]!;
  top = at + values.length + 1;
  return at;
}

/** The place of a list without items: C++ never writes there. */
export const emptyList = header - 1;

/** Writes a list of one item. */
export function listOf(value: number): number {
  const at = top;
  const block = ensure(at + 2);
  block[at] = 1;
  block[at + 1] = value;
  top = at + 2;
  return at;
}

/** Item `i` of the list at a place, after a call has written there. */
export function listItem(at: number, i: number): number {
  return view()[at + 1 + i]!;
}

/** Writes a scalar operand and returns what stands for it as a handle. */
export function scalarOperand(value: number, dtype: number): number {
  const at = top;
  const block = ensure(at + 2);
  block[at] = dtype;
  block[at + 1] = value;
  top = at + 2;
  return -(at + 1);
}

/** The list of `n` handles that a call has just answered with. */
export function answer(n: number): number[] {
  if (n < 0) {
    doubles = unknown;
    throw new TensorError('memory', 'out of memory: no room for a list');
  }
  const block = ensure(header + n);
  return Array.from(block.subarray(header, header + n));
}

/** The dtype number and the shape of a live tensor. */
export function describe(handle: number): {dtype: number; shape: number[]} {
  return description(checked(wasm.describe(handle)));
}

/** Frees a handle and says what it was; undefined when it was gone already. */
export function describeAndDispose(
    handle: number): {dtype: number; shape: number[]} | undefined {
  const rank = wasm.describeAndDispose(handle);
  return rank < 0 ? undefined : description(rank);
}

function description(rank: number): {dtype: number; shape: number[]} {
  const block = view();
  const shape: number[] = [];
  for (let d = 1; d <= rank; d++) shape.push(block[d]!);
  return {dtype: block[0]!, shape};
}

// ---- memory -----------------------------------------------------------------

/** A view of a live tensor's bytes; valid until the next call. */
export function bytesOf(handle: number, length: number): Uint8Array {
  const address = checked(wasm.dataAddress(handle));
  return new Uint8Array(wasm.wasmMemory.buffer, address, length);
}

/** The `n` numbers, at most 16, that a call has left at the block's start. */
export function answeredNumbers(n: number): number[] {
  return Array.from(view().subarray(0, n));
}

/** Bytes of the whole wasm memory. */
export function heapBytes(): number {
  return wasm.wasmMemory.buffer.byteLength;
}

// ---- errors -----------------------------------------------------------------

/** What others know to add to an error's text. */
export const details: {
  /** Where a handle was disposed and made. */
  disposed?: (handle: number) => string;
  /** What has been tried to get memory, and who has it. */
  memory?: () => string;
} = {};

/** The error of using a handle that is gone. */
export function disposedError(handle: number): TensorError {
  return new TensorError(
      'disposed', 'Tensor is disposed.' +
          (wasm.closed(handle) ? ' Eager session has been closed.' : '') +
          (details.disposed?.(handle) ?? ''));
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The text that ends with a zero at an address. */
export function textAt(address: number): string {
  const bytes = new Uint8Array(wasm.wasmMemory.buffer);
  return decoder.decode(bytes.subarray(address, bytes.indexOf(0, address)));
}

/** Writes a text into the block and returns its place. */
export function writeText(text: string): number {
  return list(encoder.encode(text));
}

/**
 * Puts the stack of C++ back to where it is between calls: an error of the
 * engine's own, as when a recursion never ends, leaves it anywhere. No export
 * is ever entered from inside another one.
 */
export function restoreStack(): void {
  wasm.stackRestore(stack);
}

/** True once the core has trapped: what its memory holds cannot be trusted. */
export let trapped = false;
let lost: () => TensorError;

// Below this much of it a trap is the stack's end, which no memory lies under.
const lowStack = 4096;

/**
 * After an error of a call that is not C++'s own, puts its stack back. A trap
 * makes every later call fail, unless the stack had only come to its end: what
 * to throw instead of the error, or undefined.
 */
export function afterForeign(error: unknown): Error | undefined {
  if (trapped) return lost();
  const overflown = wasm.stackSave() < lowStack;
  restoreStack();
  if (!(error instanceof WebAssembly.RuntimeError)) return undefined;
  if (overflown) return new RangeError('Maximum call stack size exceeded');
  trap(error.message);
  return lost();
}

function trap(message: string): void {
  trapped = true;
  lost = () => new TensorError(
      'internal', `the core has trapped (${message}): its tensors are lost. ` +
          'Restart the Worker, page or process that runs it; training goes ' +
          'on from its last checkpoint');
  wasm = new Proxy({} as Contract, {
    get() {
      throw lost();
    },
  });
}

/** Throws the error that C++ recorded, under the op's name. */
export function raise(op?: string): never {
  // A call that fails may have moved the block for what it would have answered.
  doubles = unknown;
  const code = errorCodes[wasm.errorCode()] ?? 'internal';
  if (code === 'disposed') throw disposedError(wasm.missing());
  const message = textAt(wasm.errorMessage()) ||
      'out of memory: there is not even room to say how much';
  if (code === 'memory') {
    const more = details.memory?.() ?? '';
    throw new TensorError(code, `${op ? `${op}: ` : ''}${message}${more}`);
  }
  const named = op === undefined || code === 'closed' ||
      message.startsWith(`${op}: `);
  throw new TensorError(code, named ? message : `${op}: ${message}`);
}

/** A number from C++, or the error it stands for (NaN). */
export function checked(value: number, op?: string): number {
  if (value !== value) raise(op);
  return value;
}

/** For calls that answer 1 for done and 0 for an error. */
export function done(value: number, op?: string): void {
  if (value === 0) raise(op);
}
