/** Summary values: what TensorBoard draws, one encoded value per tag. */
import {TensorError, shown} from '../../errors.js';
import {callFormats, encode} from '../formats.js';
import type {Plain} from '../formats.js';

/** Numbers to make a summary of. */
export type SummaryData =
  Float32Array | Float64Array | Int32Array | Uint8Array | readonly number[];

/** An image of a summary: a PNG file and its size. */
export interface SummaryImage {
  height: number;
  width: number;
  /** 1 is gray, 3 RGB, 4 RGBA. */
  colorspace: number;
  png: Uint8Array;
}

export interface SummaryHistogram {
  min: number;
  max: number;
  num: number;
  sum: number;
  sumSquares: number;
  bucketLimit: number[];
  bucket: number[];
}

/** A summary value as it is read. */
export interface SummaryValue {
  tag: string;
  simpleValue?: number;
  image?: SummaryImage;
  histogram?: SummaryHistogram;
  /** A tensor as its message has it, by TensorFlow's names. */
  tensor?: Plain;
  /** What tells a plugin that the tensor is its own. */
  pluginName?: string;
}

// TensorFlow's DataTypes of the arrays above.
const float = 1, double = 2, int32 = 3, uint8 = 4;

function typed(data: SummaryData): {dtype: number; data: ArrayBufferView} {
  if (data instanceof Float32Array) return {dtype: float, data};
  if (data instanceof Int32Array) return {dtype: int32, data};
  if (data instanceof Uint8Array) return {dtype: uint8, data};
  if (data instanceof Float64Array) return {dtype: double, data};
  data.forEach((x) => checkNumber(x));
  return {dtype: double, data: Float64Array.from(data)};
}

/** Throws `argument` for what is no number; `what` begins the text. */
export function checkNumber(value: unknown, what = ''): void {
  if (typeof value === 'number') return;
  throw new TensorError(
      'argument', `${what}expected a number, got ${shown(value)}`);
}

const valueOf = (tag: string, what: Plain): Uint8Array =>
  encode('SummaryValue', {tag, ...(what as object)});

/**
 * A number under a tag, as TensorFlow 1 writes it. Throws `argument` for what
 * is none.
 */
export function scalarValue(tag: string, value: number): Uint8Array {
  checkNumber(value);
  return valueOf(tag, {simple_value: value});
}

/**
 * A number under a tag, as newer TensorBoards write it: a tensor for the
 * plugin `scalars`. Don't mix both forms under one tag.
 */
export function scalarTensorValue(tag: string, value: number): Uint8Array {
  return valueOf(tag, {
    metadata: {plugin_data: {plugin_name: 'scalars'}, data_class: 1},
    tensor: {dtype: float, tensor_shape: {}, float_val: [value]},
  });
}

/**
 * How often numbers are how large, in TensorFlow's buckets. Throws `argument`
 * for NaN and infinity.
 */
export function histogramValue(tag: string, data: SummaryData): Uint8Array {
  const {dtype, data: values} = typed(data);
  return valueOf(tag, {histo: callFormats('histogram', tag, dtype, values)});
}

/**
 * Images [batch, height, width, channels] with 1, 3 or 4 channels: bytes as
 * they are, other numbers scaled as TensorFlow does. The first `maxOutputs`
 * get a value each, under `tag/image` when only one is asked for, else
 * `tag/image/0` and so on. Pixels that are not finite become `badColor`.
 * Throws `shape` for other shapes.
 */
export function imageValues(
    tag: string, data: SummaryData, shape: readonly number[], maxOutputs = 3,
    badColor: readonly number[] = [255, 0, 0, 255]): Uint8Array[] {
  const [batch = 0, height = 0, width = 0, channels = 0] = shape;
  if (shape.length !== 4 || ![1, 3, 4].includes(channels)) {
    throw new TensorError(
        'shape', 'image: expected [batch, height, width, channels] with 1, 3 ' +
            `or 4 channels but got [${shape}]`);
  }
  if (!Number.isInteger(maxOutputs) || maxOutputs < 1) {
    throw new TensorError(
        'argument', 'image: maxOutputs must be positive and whole but got ' +
            shown(maxOutputs));
  }
  const bytes = data instanceof Uint8Array;
  const pixels = bytes || data instanceof Float32Array ?
    data : Float32Array.from(data);
  const size = height * width * channels;
  if (pixels.length !== batch * size) {
    throw new TensorError(
        'shape', `image: ${pixels.length} values do not fill [${shape}]`);
  }
  const values: Uint8Array[] = [];
  for (let i = 0; i < Math.min(batch, maxOutputs); i++) {
    const png = callFormats(
        'image', height, width, channels, bytes ? uint8 : float,
        pixels.subarray(i * size, (i + 1) * size), Uint8Array.from(badColor));
    const image = {
      height, width, colorspace: channels, encoded_image_string: png,
    };
    values.push(valueOf(
        maxOutputs === 1 ? `${tag}/image` : `${tag}/image/${i}`, {image}));
  }
  return values;
}

/** An image that is a PNG file already. */
export function pngValue(tag: string, image: SummaryImage): Uint8Array {
  const {height, width, colorspace, png} = image;
  return valueOf(
      tag, {image: {height, width, colorspace, encoded_image_string: png}});
}

/**
 * A value without its metadata, which a file has only with a tag's first
 * value.
 */
export function withoutMetadata(value: Uint8Array): Uint8Array {
  const {metadata: _, ...rest} =
      callFormats('decode', 'SummaryValue', value) as Record<string, Plain>;
  return encode('SummaryValue', rest);
}

/** The values of a Summary message. */
export function decodeSummary(bytes: Uint8Array): SummaryValue[] {
  const {value} = callFormats('decode', 'Summary', bytes) as {value?: Plain[]};
  return (value ?? []).map(decodeValue);
}

interface Decoded {
  tag?: string;
  simple_value?: number;
  image?: {
    height?: number; width?: number; colorspace?: number;
    encoded_image_string?: Uint8Array;
  };
  histo?: {
    min?: number; max?: number; num?: number; sum?: number;
    sum_squares?: number; bucket_limit?: number[]; bucket?: number[];
  };
  tensor?: Plain;
  metadata?: {plugin_data?: {plugin_name?: string}};
}

/** A value from the object its message decodes to. */
export function decodeValue(plain: Plain): SummaryValue {
  const {tag, simple_value, image, histo, tensor, metadata} = plain as Decoded;
  const value: SummaryValue = {tag: tag ?? ''};
  if (simple_value !== undefined) value.simpleValue = simple_value;
  if (image) {
    value.image = {
      height: image.height ?? 0,
      width: image.width ?? 0,
      colorspace: image.colorspace ?? 0,
      png: image.encoded_image_string ?? new Uint8Array(),
    };
  }
  if (histo) {
    value.histogram = {
      min: histo.min ?? 0, max: histo.max ?? 0, num: histo.num ?? 0,
      sum: histo.sum ?? 0, sumSquares: histo.sum_squares ?? 0,
      bucketLimit: histo.bucket_limit ?? [], bucket: histo.bucket ?? [],
    };
  }
  if (tensor !== undefined) value.tensor = tensor;
  const plugin = metadata?.plugin_data?.plugin_name;
  if (plugin !== undefined) value.pluginName = plugin;
  return value;
}
