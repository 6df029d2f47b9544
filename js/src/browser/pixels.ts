/** Pictures to tensors and back. */
import {TensorError} from '../errors.js';
import {op, upload} from '../op.js';
import {clone} from '../ops/creation.js';
import {isTensor} from '../tensor.js';
import type {Tensor, Tensor2D, Tensor3D} from '../tensor.js';
import type {TensorLike} from '../op.js';

/** Pixels as plain values, four bytes each. */
export interface PixelData {
  width: number;
  height: number;
  data: ArrayLike<number>;
}

/** Whatever `fromPixels` reads. */
export type PixelSource = PixelData | ImageData | HTMLImageElement |
    HTMLCanvasElement | HTMLVideoElement | ImageBitmap | OffscreenCanvas;

type Canvas2D =
  CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

// Node and old workers lack some of these classes.
const isA = (x: unknown, className: string): boolean => {
  const type = (globalThis as Record<string, unknown>)[className];
  return typeof type === 'function' &&
      x instanceof (type as new () => unknown);
};

function scratch(width: number, height: number): Canvas2D {
  let context: Canvas2D | null;
  const settings = {willReadFrequently: true};
  if (typeof OffscreenCanvas === 'function') {
    context = new OffscreenCanvas(width, height).getContext('2d', settings);
  } else if (typeof document === 'object') {
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    context = canvas.getContext('2d', settings) as Canvas2D | null;
  } else {
    throw new TensorError(
        'unsupported', 'Cannot parse input in current context. Reason: ' +
            'OffscreenCanvas Context2D rendering is not supported.');
  }
  if (context === null) {
    throw new TensorError(
        'unsupported', 'fromPixels: the canvas gives no 2D context');
  }
  return context;
}

function read(pixels: PixelSource): PixelData {
  if (isA(pixels, 'HTMLVideoElement')) {
    const video = pixels as HTMLVideoElement;
    if (video.readyState < 2) {
      throw new TensorError(
          'state', 'The video element has not loaded data yet. Please wait ' +
              'for `loadeddata` event on the <video> element.');
    }
    return draw(video, video.videoWidth, video.videoHeight);
  }
  if (isA(pixels, 'HTMLImageElement')) {
    const image = pixels as HTMLImageElement;
    return draw(image, image.naturalWidth || image.width,
                image.naturalHeight || image.height);
  }
  if (isA(pixels, 'HTMLCanvasElement') || isA(pixels, 'OffscreenCanvas')) {
    const canvas = pixels as HTMLCanvasElement;
    const context = canvas.getContext('2d');
    // A canvas with WebGL content has no 2D context of its own.
    return context === null ? draw(canvas, canvas.width, canvas.height) :
      context.getImageData(0, 0, canvas.width, canvas.height);
  }
  if (isA(pixels, 'ImageBitmap')) {
    const bitmap = pixels as ImageBitmap;
    return draw(bitmap, bitmap.width, bitmap.height);
  }
  const plain = pixels as PixelData;
  if (isA(pixels, 'ImageData') || ArrayBuffer.isView(plain.data) ||
      Array.isArray(plain.data)) {
    return plain;
  }
  throw new TensorError(
      'argument', 'pixels passed to tf.browser.fromPixels() must be either ' +
          'an HTMLVideoElement, HTMLImageElement, HTMLCanvasElement, ' +
          'ImageData in browser, or OffscreenCanvas, ImageData in webworker ' +
          'or {data: Uint32Array, width: number, height: number}, but was ' +
          `${(pixels as object).constructor?.name}`);
}

function draw(
    image: CanvasImageSource, width: number, height: number): PixelData {
  const context = scratch(width, height);
  context.drawImage(image, 0, 0, width, height);
  return context.getImageData(0, 0, width, height);
}

/**
 * A picture as an int32 tensor `[height, width, numChannels]` of 0 to 255.
 *
 * Reads ImageData, ImageBitmap, canvases, images, videos (the frame shown) and
 * `{data, width, height}` with four bytes a pixel. `numChannels` (1 to 4) is
 * how many of red, green, blue, alpha are taken.
 *
 * ```js
 * const data = new Uint8Array([10, 20, 30, 255]);
 * const x = tf.browser.fromPixels({data, width: 1, height: 1});
 * x.arraySync(); // => [[[10, 20, 30]]]
 * ```
 */
export function fromPixels(pixels: PixelSource, numChannels = 3): Tensor3D {
  if (!Number.isInteger(numChannels) || numChannels < 1 || numChannels > 4) {
    throw new TensorError(
        'argument', numChannels > 4 ?
          'Cannot construct Tensor with more than 4 channels from pixels.' :
          `fromPixels: numChannels must be 1 to 4, not ${numChannels}`);
  }
  if (pixels === null || pixels === undefined) {
    throw new TensorError(
        'argument', 'pixels passed to tf.browser.fromPixels() can not be null');
  }
  const {data, width, height} = read(pixels);
  const count = width * height;
  if (data.length !== 4 * count) {
    throw new TensorError(
        'shape', `fromPixels: ${data.length} values for ${width} x ${height} ` +
            'pixels of four values');
  }
  let values: Int32Array;
  if (numChannels === 4) {
    values = Int32Array.from(data);
  } else {
    values = new Int32Array(count * numChannels);
    for (let i = 0, at = 0; i < count; i++) {
      for (let c = 0; c < numChannels; c++) values[at++] = data[4 * i + c]!;
    }
  }
  return op('fromPixels', () =>
    upload(values, [height, width, numChannels], 'int32'));
}

/**
 * Like {@link fromPixels}, but decodes away from the main thread where the
 * browser can.
 *
 * ```js
 * const data = new Uint8Array([10, 20, 30, 255]);
 * const x = await tf.browser.fromPixelsAsync({data, width: 1, height: 1}, 1);
 * x.arraySync(); // => [[[10]]]
 * ```
 */
export async function fromPixelsAsync(
    pixels: PixelSource, numChannels = 3): Promise<Tensor3D> {
  const decodes = typeof createImageBitmap === 'function' &&
      isA(pixels, 'HTMLImageElement');
  if (!decodes) return fromPixels(pixels, numChannels);
  const bitmap = await createImageBitmap(
      pixels as HTMLImageElement, {premultiplyAlpha: 'none'});
  try {
    return fromPixels(bitmap, numChannels);
  } finally {
    bitmap.close();
  }
}

/**
 * The pixels of a tensor `[height, width]` or `[height, width, 1 | 3 | 4]`,
 * four bytes each; also drawn on `canvas` when one is given. int32 values are
 * 0 to 255, float32 values 0 to 1. Errors: other shapes, dtypes or values.
 *
 * ```js
 * const pixels = await tf.browser.toPixels(tf.tensor2d([[0, 1]]));
 * Array.from(pixels); // => [0, 0, 0, 255, 255, 255, 255, 255]
 * ```
 */
export async function toPixels(
    img: Tensor2D | Tensor3D | TensorLike,
    canvas?: HTMLCanvasElement | OffscreenCanvas): Promise<Uint8ClampedArray> {
  const image: Tensor = isTensor(img) ? img : clone(img);
  try {
    const bytes = toBytes(image);
    if (canvas !== undefined && canvas !== null) {
      const [height, width] = image.shape as number[];
      canvas.width = width!;
      canvas.height = height!;
      const context = canvas.getContext('2d') as Canvas2D | null;
      if (context === null) {
        throw new TensorError(
            'unsupported', 'toPixels: the canvas gives no 2D context');
      }
      context.putImageData(new ImageData(bytes, width!, height), 0, 0);
    }
    return bytes;
  } finally {
    if (image !== img) image.dispose();
  }
}

function toBytes(image: Tensor): Uint8ClampedArray<ArrayBuffer> {
  if (image.rank !== 2 && image.rank !== 3) {
    throw new TensorError(
        'shape', `toPixels only supports rank 2 or 3 tensors, got rank ` +
            `${image.rank}.`);
  }
  const [height, width, depth = 1] = image.shape as number[];
  if (depth > 4 || depth === 2 || depth === 0) {
    throw new TensorError(
        'shape', 'toPixels only supports depth of size 1, 3 or 4 but got ' +
            `${depth}`);
  }
  if (image.dtype !== 'float32' && image.dtype !== 'int32') {
    throw new TensorError(
        'dtype', `Unsupported type for toPixels: ${image.dtype}. Please use ` +
            'float32 or int32 tensors.');
  }
  const values = image.dataSync();
  const float = image.dtype === 'float32';
  const limit = float ? 1 : 255;
  for (const v of values) {
    if (!(v >= 0 && v <= limit)) {
      throw new TensorError(
          'argument', `Tensor values for a ${image.dtype} Tensor must be in ` +
              `the range [0 - ${limit}] but encountered ${v}.`);
    }
  }
  const scale = float ? 255 : 1;
  const bytes = new Uint8ClampedArray(4 * height! * width!);
  for (let i = 0; i < height! * width!; i++) {
    const at = i * depth;
    for (let c = 0; c < 3; c++) {
      bytes[4 * i + c] = scale * values[depth === 1 ? at : at + c]!;
    }
    bytes[4 * i + 3] = depth === 4 ? scale * values[at + 3]! : 255;
  }
  return bytes;
}
