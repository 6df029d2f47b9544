/**
 * The module of file formats, `tidemark-formats.wasm`: loaded when something
 * of it is needed, for most programs write neither checkpoints nor event
 * files. `wasm/formats/module.cc` is the other side.
 *
 * Between two calls it holds nothing, so an instance whose memory has grown
 * large is replaced by a new one.
 */
import {compile, explain, givenFormats, wasmUrl} from './compile.js';
import {TensorError, errorCodes} from './errors.js';

interface Exports {
  memory: WebAssembly.Memory;
  /** The address of three u32: an error's code, and what answers a call. */
  answer: WebAssembly.Global<'i32'>;
  request(bytes: number): number;
  call(which: number): void;
}

/** Memory is given back above this. */
const keptBytes = 16 * 1024 * 1024;

let compiled: WebAssembly.Module;
let exported: Exports | undefined;
let loading: Promise<void> | undefined;
let renewing = false;

/** True once `callModule` can be used. */
export function formatsLoaded(): boolean {
  return exported !== undefined;
}

/**
 * Loads the formats of checkpoints and event files; later calls wait for the
 * first. After a failure the next call tries again.
 */
export function loadFormats(): Promise<void> {
  loading ??= start().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function start(): Promise<void> {
  const url = wasmUrl(
      'tidemark-formats.wasm',
      () => new URL('./tidemark-formats.wasm', import.meta.url));
  compiled = await compile(url, givenFormats, 'module of file formats');
  try {
    await renew();
  } catch (error) {
    throw explain(error, url, 'module of file formats');
  }
}

async function renew(): Promise<void> {
  renewing = true;
  try {
    const {exports} = await WebAssembly.instantiate(compiled);
    exported = exports as unknown as Exports;
  } finally {
    renewing = false;
  }
}

/** Bytes that the module's memory has now. */
export function formatsMemory(): number {
  return exported?.memory.buffer.byteLength ?? 0;
}

/**
 * Runs the byte function `which` on the pieces, one after the other; `read`
 * is given its answer, which is gone afterwards. Throws its error.
 */
export function callModule<T>(
    which: number, pieces: readonly Uint8Array[],
    read: (answer: Uint8Array) => T): T {
  if (exported === undefined) {
    throw new TensorError(
        'state', "Tidemark's file formats are not loaded yet: await " +
            'something that reads or writes files first.');
  }
  const {memory, answer, request, call} = exported;
  const result = (): Uint32Array =>
    new Uint32Array(memory.buffer, answer.value, 3);
  try {
    let at = request(pieces.reduce((n, {length}) => n + length, 0)) >>> 0;
    const bytes = new Uint8Array(memory.buffer);
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    call(which);
    const [, address, length] = result();
    return read(new Uint8Array(memory.buffer, address, length));
  } catch (error) {
    // It traps after it has said what is wrong.
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    const [code = 0, address, length] = result();
    const text = new TextDecoder()
      .decode(new Uint8Array(memory.buffer, address, length));
    throw code > 0 ? new TensorError(errorCodes[code] ?? 'internal', text) :
      new TensorError('internal', `file formats: ${error.message}`);
  } finally {
    // Where that fails the large one stays in place.
    if (memory.buffer.byteLength > keptBytes && !renewing) {
      renew().catch(() => {});
    }
  }
}
