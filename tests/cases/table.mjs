/**
 * All cases, in order of their number. A case is {id, source, needs?, run,
 * expect | expectAny, tol?}: `run(tf, helpers)` gives a value that must equal
 * `expect`; `needs` names the parts of the library it uses beyond tensors
 * and their ops.
 */
import { cases as arrays } from './arrays.mjs';
import { cases as convolution } from './convolution.mjs';
import { cases as errors } from './errors.mjs';
import { cases as gradients } from './gradients.mjs';
import { cases as heap } from './heap.mjs';
import { cases as layersAndIo } from './layers_and_io.mjs';
import { cases as memory } from './memory.mjs';
import { cases as numbers } from './numbers.mjs';
import { cases as spectralAndStrings } from './spectral_and_strings.mjs';

export const cases = [
  ...memory,
  ...heap,
  ...errors,
  ...numbers,
  ...arrays,
  ...convolution,
  ...spectralAndStrings,
  ...gradients,
  ...layersAndIo,
].sort((a, b) => a.id - b.id);

/** What `run` is given besides the library. */
export function helpersFor(tf) {
  return {
    /** A float32 tensor, of rank 1 unless a shape is given. */
    f32: (values, shape) => tf.tensor(values, shape ?? [values.length], 'float32'),
    /** The same with dtype int32. */
    i32: (values, shape) => tf.tensor(values, shape ?? [values.length], 'int32'),
    /** 1, 2, ..., n. */
    seq: (n, shape) =>
      tf.tensor(
        Array.from({ length: n }, (_, i) => i + 1),
        shape ?? [n],
      ),
    count: () => tf.memory().numTensors,
    /** Size of the WebAssembly memory. */
    heapBytes: () => tf.memory().heapBytes ?? 0,
  };
}

/**
 * Whether `got` equals `want`: NaN equals NaN, numbers within `tol` (1e-5
 * unless given) relative, integers from 10,000 on exactly.
 */
export function same(got, want, tol) {
  if (Array.isArray(want)) {
    return (
      Array.isArray(got) &&
      got.length === want.length &&
      want.every((value, i) => same(got[i], value, tol))
    );
  }
  if (want && typeof want === 'object') {
    return Boolean(got) && Object.keys(want).every((key) => same(got[key], want[key], tol));
  }
  if (typeof want !== 'number' || typeof got !== 'number') return got === want;
  if (!Number.isFinite(want)) return Object.is(got, want);
  if (Number.isInteger(want) && Math.abs(want) >= 1e4 && !tol) {
    return got === want;
  }
  return Math.abs(got - want) <= (tol ?? 1e-5) * Math.max(1, Math.abs(want));
}

/** A value as text, NaN and infinities included. */
export function show(value) {
  return JSON.stringify(value, (_, x) =>
    typeof x === 'number' && !Number.isFinite(x) ? String(x) : x,
  );
}
