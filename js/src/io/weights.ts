/** Tensors to bytes and back: the weight files of models. */
import {TensorError} from '../errors.js';
import {tensor} from '../ops/creation.js';
import {tidy} from '../scope.js';
import type {NamedTensor, NamedTensorMap, Tensor} from '../tensor.js';
import {isTensor} from '../tensor.js';
import type {DataType, TypedArray} from '../types.js';
import {CompositeArrayBuffer} from './buffers.js';
import type {
  Quantization, WeightData, WeightGroup, WeightsManifestEntry,
} from './types.js';

const elementBytes: Record<string, number> = {
  float32: 4, int32: 4, bool: 1, uint8: 1, uint16: 2, float16: 2,
};

const elements = (shape: readonly number[]): number =>
  shape.reduce((a, b) => a * b, 1);

/** Throws unless the weight's description is one that can be decoded. */
function check(spec: WeightsManifestEntry): void {
  if (typeof (spec as {name?: unknown} | null)?.name !== 'string') {
    throw new TensorError(
        'argument', 'a weight has no name: ' + JSON.stringify(spec));
  }
  const {name, dtype, quantization, shape} = spec;
  const fail = (code: 'dtype' | 'argument' | 'unsupported', text: string): never => {
    throw new TensorError(code, text);
  };
  if (!Array.isArray(shape) ||
      !shape.every((d) => Number.isInteger(d) && d >= 0)) {
    fail('argument', `Weight '${name}' has no shape of whole numbers: ` +
        JSON.stringify(shape));
  }
  if (dtype === 'string' || dtype === 'complex64') {
    fail('unsupported', `Unsupported dtype in weight '${name}': ${dtype} ` +
        '(tensors are float32, int32 or bool)');
  }
  if (elementBytes[dtype] === undefined || dtype as string === 'float16') {
    fail('dtype', `Unsupported dtype in weight '${name}': ${String(dtype)}`);
  }
  if (quantization === undefined || quantization === null) return;
  const kind: string = quantization.dtype;
  if (kind === 'uint8' || kind === 'uint16') {
    if (quantization.min === undefined || quantization.scale === undefined) {
      fail('argument', `Weight ${name} with quantization ${kind} doesn't ` +
          'have corresponding metadata min and scale.');
    }
    if (dtype === 'bool') {
      fail('dtype', `Unsupported dtype in weight '${name}': bool, quantized`);
    }
  } else if (kind === 'float16') {
    if (dtype !== 'float32') {
      fail('dtype', `Weight ${name} is quantized with float16 which only ` +
          `supports weights of type float32 not ${dtype}.`);
    }
  } else {
    fail('dtype', `Weight ${name} has unknown quantization dtype ${kind}. ` +
        "Supported quantization dtypes are: 'uint8', 'uint16', and 'float16'.");
  }
}

/** How many bytes a weight takes in its file. Errors: a dtype we lack. */
export function weightBytes(spec: WeightsManifestEntry): number {
  check(spec);
  const stored = spec.quantization?.dtype ?? spec.dtype;
  return elements(spec.shape) * elementBytes[stored]!;
}

/**
 * Encodes tensors as bytes, one after the other, and says what lies where.
 *
 * Takes tensors by name or a list of `{name, tensor}`; `group` marks them as
 * the model's or the optimizer's. Errors: what is no tensor.
 *
 * ```js
 * const {data, specs} = await tf.io.encodeWeights({w: tf.tensor1d([1, 2])});
 * data.byteLength; // => 8
 * specs; // => [{name: 'w', shape: [2], dtype: 'float32'}]
 * ```
 */
export async function encodeWeights(
    tensors: NamedTensorMap | NamedTensor[], group?: WeightGroup):
    Promise<{data: ArrayBuffer, specs: WeightsManifestEntry[]}> {
  const named: NamedTensor[] = Array.isArray(tensors) ? tensors :
    Object.entries(tensors).map(([name, tensor]) => ({name, tensor}));
  const specs: WeightsManifestEntry[] = [];
  const pieces: Uint8Array[] = [];
  for (const {name, tensor: t} of named) {
    if (!isTensor(t)) {
      throw new TensorError(
          'argument', `encodeWeights: weight '${name}' is no tensor`);
    }
    const spec: WeightsManifestEntry = {
      name, shape: [...(t.shape as number[])], dtype: t.dtype,
    };
    if (group !== undefined) spec.group = group;
    specs.push(spec);
    pieces.push(t.bytesSync());
  }
  return {data: new CompositeArrayBuffer(pieces).slice(), specs};
}

/**
 * Makes tensors, by name, of bytes that `specs` describe.
 *
 * uint8, uint16 and float16 quantisation are undone. Errors: a dtype that
 * tensors cannot have; fewer bytes than the weights need. After an error no
 * tensor is left.
 *
 * ```js
 * const bytes = new Uint8Array([0, 2, 4]).buffer;
 * const quantization = {dtype: 'uint8', scale: 0.5, min: -1};
 * const {w} = tf.io.decodeWeights(
 *     bytes, [{name: 'w', shape: [3], dtype: 'float32', quantization}]);
 * w.arraySync(); // => [-1, 0, 1]
 * ```
 */
export function decodeWeights(
    weightData: WeightData, specs: WeightsManifestEntry[]): NamedTensorMap {
  const data = new CompositeArrayBuffer(weightData);
  return tidy(() => {
    const out: NamedTensorMap = {};
    let at = 0;
    for (const spec of specs) {
      const end = at + weightBytes(spec);
      if (end > data.byteLength) throw tooShort(spec, at, end, data.byteLength);
      out[spec.name] = decode(spec, data.slice(at, end));
      at = end;
    }
    return out;
  });
}

/** Says which weight the data ended in. */
export function tooShort(
    spec: WeightsManifestEntry, start: number, end: number,
    length: number): TensorError {
  return new TensorError(
      'argument', `decodeWeights: the data ends too early: weight ` +
          `'${spec.name}' ([${spec.shape}] ${spec.dtype}) needs bytes ` +
          `${start} to ${end}, but there are ${length}`);
}

/** Makes the tensor of one weight; `bytes` are exactly its own. */
export function decode(spec: WeightsManifestEntry, bytes: ArrayBuffer): Tensor {
  const {quantization} = spec;
  const values = quantization ? dequantize(spec, quantization, bytes) :
    spec.dtype === 'float32' ? new Float32Array(bytes) :
      spec.dtype === 'int32' ? new Int32Array(bytes) : new Uint8Array(bytes);
  return tensor(values, spec.shape, spec.dtype as DataType);
}

function dequantize(
    {dtype, shape}: WeightsManifestEntry, quantization: Quantization,
    bytes: ArrayBuffer): TypedArray {
  const size = elements(shape);
  if (quantization.dtype === 'float16') return halves(new Uint16Array(bytes));
  const stored = quantization.dtype === 'uint8' ? new Uint8Array(bytes) :
    new Uint16Array(bytes);
  const scale = quantization.scale!;
  const min = quantization.min!;
  if (dtype === 'float32') {
    const out = new Float32Array(size);
    for (let i = 0; i < size; i++) out[i] = stored[i]! * scale + min;
    return out;
  }
  const out = new Int32Array(size);
  for (let i = 0; i < size; i++) out[i] = Math.round(stored[i]! * scale + min);
  return out;
}

// Sign, exponent and fraction of IEEE half precision: 1, 5 and 10 bits.
function halves(bits: Uint16Array): Float32Array {
  const powers = Array.from({length: 31}, (_, e) => 2 ** (e - 15));
  const out = new Float32Array(bits.length);
  for (let i = 0; i < bits.length; i++) {
    const b = bits[i]!;
    const exponent = (b >> 10) & 31;
    const fraction = b & 1023;
    const size = exponent === 0 ? fraction * 2 ** -24 :
      exponent < 31 ? (1 + fraction / 1024) * powers[exponent]! :
        fraction === 0 ? Infinity : NaN;
    out[i] = b & 0x8000 ? -size : size;
  }
  return out;
}
