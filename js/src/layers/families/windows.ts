/** What layers that slide windows over rows and images have in common. */
import {TensorError} from '../../errors.js';
import {expandDims, reshape} from '../../ops/shape.js';
import {isTensor} from '../../tensor.js';
import type {Tensor} from '../../tensor.js';
import {formatShape, oneShape} from '../shape.js';
import type {Shape} from '../shape.js';

/** Where an image's channels are: its last dimension or that after batch. */
export type LayerDataFormat = 'channelsFirst' | 'channelsLast';
/** How a window meets the edges; `causal` looks back only, along rows. */
export type PaddingMode = 'valid' | 'same' | 'causal';

// Keras' spelling is taken too.
const camel = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** One of `allowed`, or `fallback` when nothing was given. */
export function choice<T extends string>(
    who: string, what: string, given: string | null | undefined,
    allowed: readonly T[], fallback: T): T {
  if (given === undefined || given === null) return fallback;
  const wanted = typeof given === 'string' ? camel(given) : given;
  if (!(allowed as readonly unknown[]).includes(wanted)) {
    throw new TensorError(
        'argument', `${who}: ${JSON.stringify(given)} is not a valid ` +
            `${what}. Valid values are ${allowed.join(', ')}.`);
  }
  return wanted as T;
}

/** The data format that was given; channels last when none was. */
export function dataFormatOf(
    who: string, given?: LayerDataFormat | null): LayerDataFormat {
  return choice(
      who, 'dataFormat', given, ['channelsFirst', 'channelsLast'],
      'channelsLast');
}

/** The padding that was given; `valid` when none was. */
export function paddingOf(
    who: string, given: PaddingMode | null | undefined,
    allowed: readonly PaddingMode[] = ['valid', 'same']): PaddingMode {
  return choice(who, 'padding', given, allowed, 'valid');
}

/**
 * `rank` whole numbers above zero from one number or a list. Errors: another
 * length; numbers that are not whole or not above zero.
 */
export function sizesOf(
    who: string, what: string, given: unknown, rank: number): number[] {
  const list: unknown[] = Array.isArray(given) ? given :
    new Array<unknown>(rank).fill(given);
  if (list.length !== rank || !list.every(
      (n) => Number.isInteger(n) && (n as number) > 0)) {
    throw new TensorError(
        'argument', `${who}: ${what} must be a positive integer or a list of ` +
            `${rank} of them, got ${JSON.stringify(given)}`);
  }
  return list as number[];
}

/** A whole number above zero. Errors: anything else. */
export function positiveInteger(
    who: string, what: string, given: unknown): number {
  if (!Number.isInteger(given) || (given as number) < 1) {
    throw new TensorError(
        'argument', `${who}: ${what} must be a positive integer, got ` +
            String(JSON.stringify(given)));
  }
  return given as number;
}

/** Windows that slide over rows or images. */
export interface Windows {
  size: readonly number[];
  strides: readonly number[];
  padding: PaddingMode;
  dilations?: readonly number[];
  format: LayerDataFormat;
}

/**
 * The shape with the number of places that windows have along each space axis.
 * Errors, in the layer's name: a window that does not fit.
 */
export function slideOver(who: string, shape: Shape, windows: Windows): Shape {
  const {size, strides, padding, dilations, format} = windows;
  return mapSpace(shape, size.length, format, (length, i) => {
    if (length === null) return null;
    const covers = (size[i]! - 1) * (dilations?.[i] ?? 1) + 1;
    if (padding !== 'valid') return Math.ceil(length / strides[i]!);
    if (covers > length) {
      throw new TensorError(
          'shape', `${who}: a window of [${size}] that covers ${covers} ` +
              `does not fit into the length ${length} of axis ` +
              `${spaceAxes(size.length, format)[i]}, input shape ` +
              formatShape(shape));
    }
    return Math.ceil((length - covers + 1) / strides[i]!);
  });
}

/** The axes of an image's rows and columns (or of a row) in a data format. */
export function spaceAxes(rank: number, format: LayerDataFormat): number[] {
  const first = format === 'channelsFirst' ? 2 : 1;
  return Array.from({length: rank}, (_, i) => first + i);
}

/** The shape with each length along the space axes mapped. */
export function mapSpace(
    shape: Shape, rank: number, format: LayerDataFormat,
    f: (length: number | null, i: number) => number | null): Shape {
  const mapped = [...shape];
  spaceAxes(rank, format).forEach((axis, i) => {
    mapped[axis] = f(shape[axis] ?? null, i);
  });
  return mapped;
}

/** The one tensor that was given. Errors: none or several. */
export function oneTensor(who: string, inputs: Tensor | Tensor[]): Tensor {
  if (isTensor(inputs)) return inputs;
  if (Array.isArray(inputs) && inputs.length === 1) return inputs[0]!;
  throw new TensorError(
      'argument', `${who}: expected one tensor, got ` +
          (Array.isArray(inputs) ? String(inputs.length) : typeof inputs));
}

/** The one shape that was given, of a rank. Errors: another rank. */
export function shapeOfRank(
    who: string, shapes: Shape | Shape[], rank: number): Shape {
  const shape = oneShape(shapes, who);
  if (shape.length !== rank) {
    throw new TensorError(
        'shape', `${who}: the input must have rank ${rank}, its shape is ` +
            formatShape(shape));
  }
  return shape;
}

/** A row `[b, w, c]` (`[b, c, w]`) as an image of height 1. */
export function asImage(row: Tensor, format: LayerDataFormat): Tensor {
  return expandDims(row, format === 'channelsFirst' ? 2 : 1);
}

/** The row that an image of height 1 is. */
export function asRow(image: Tensor, format: LayerDataFormat): Tensor {
  const shape = [...image.shape as number[]];
  shape.splice(format === 'channelsFirst' ? 2 : 1, 1);
  return reshape(image, shape);
}
