/**
 * How the bytes of the core come here and are compiled, and what to say when
 * they do not.
 */
import {TensorError} from './errors.js';

let readFile: ((url: URL) => Promise<Uint8Array>) | undefined;

/** Tells the loader how to read `file:` URLs; Node's entry point does. */
export function setFileReader(read: (url: URL) => Promise<Uint8Array>): void {
  readFile = read;
}

let folder: string | undefined;

/** The bytes of the module of file formats, where they have been given. */
export let givenFormats: ArrayBuffer | Uint8Array | undefined;

/**
 * Says in which folder (URL, ends in `/`) the files are, or else beside the
 * script, and gives the bytes of the module of file formats.
 */
export function setWasmFiles(
    path: string | undefined,
    formats: ArrayBuffer | Uint8Array | undefined): void {
  folder = path;
  givenFormats = formats;
}

/**
 * Where a file is whose address beside the script is `entry()`; it is not
 * asked where a folder was said, for a worker made of a blob has no address.
 */
export function wasmUrl(name: string, entry: () => URL): URL {
  const here = globalThis.location?.href;
  return folder === undefined ?
      // String(): one bundler hands back a URL object without an origin.
      new URL(String(entry()), here) : new URL(name, new URL(folder, here));
}

/**
 * A compiled file, or an error in a sentence that says what to do. `what` is
 * its name there.
 */
export async function compile(
    url: URL, given?: ArrayBuffer | Uint8Array,
    what = 'core'): Promise<WebAssembly.Module> {
  if (given !== undefined) {
    return compileBytes(given as BufferSource, `the given ${
      what === 'core' ? 'wasmBinary' : 'formatsBinary'}`, what);
  }
  if (url.protocol === 'file:' && readFile) {
    let bytes: Uint8Array;
    try {
      bytes = await readFile(url);
    } catch (error) {
      throw new TensorError(
          'state', `Tidemark's ${what} was not found at ${url.href}: ` +
              `${String((error as Error).message)}`);
    }
    return compileBytes(bytes as BufferSource, url.href, what);
  }
  const response = await request(url, what);
  const type = response.headers.get('content-type') ?? 'none';
  if (/^application\/wasm\b/i.test(type) &&
      typeof WebAssembly.compileStreaming === 'function') {
    try {
      // Engines compile while the bytes arrive, and keep what they compiled.
      return await WebAssembly.compileStreaming(response);
    } catch (error) {
      throw explain(error, url, what);
    }
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes[0] === 0 && bytes[1] === 0x61) {
    return compileBytes(bytes, url.href, what);
  }
  if (/html/i.test(type) || bytes[0] === 0x3c) {
    throw new TensorError(
        'state', `The server answered HTML for ${url.href}, not WebAssembly. ` +
            'Copy the .wasm files of tidemark/dist there, or give ' +
            'ready({wasmPath}).');
  }
  throw new TensorError(
      'state', `The server answered something other than WebAssembly for ` +
          `${url.href} (content type ${type}).`);
}

async function compileBytes(
    bytes: BufferSource, where: string,
    what: string): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw explain(error, where, what);
  }
}

async function request(url: URL, what: string): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, {credentials: 'same-origin'});
  } catch (error) {
    throw new TensorError(
        'state', `Tidemark's ${what} could not be fetched from ${url.href}: ` +
            `${String((error as Error).message)}. Check the URL, ` +
            'connect-src of the Content-Security-Policy, and CORS.');
  }
  if (!response.ok) {
    throw new TensorError(
        'state', `Tidemark's ${what} was not found: the server answered ` +
            `${response.status} for ${url.href}. Copy the .wasm files of ` +
            'tidemark/dist there, or give ready({wasmPath}).');
  }
  return response;
}

/** An error of the engine in words that say what to do. */
export function explain(
    error: unknown, where: URL | string, what = 'core'): Error {
  const message = String((error as Error)?.message ?? error);
  if (/unsafe-eval|Content Security Policy|blocked by CSP/i.test(message)) {
    return new TensorError(
        'state', 'The Content-Security-Policy forbids WebAssembly: add ' +
            "'wasm-unsafe-eval' to script-src. (" + message + ')');
  }
  return new TensorError(
      'state', `Tidemark's ${what} at ${String(where)} could not start: ` +
          message);
}
