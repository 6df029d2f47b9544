/** Options of convolutions and pooling, as users write them and C++ reads. */
import {TensorError} from '../errors.js';
import {list} from '../op.js';

/** Pads of one dimension: before and after. */
export type PadPair = [number, number];
/** Pads of all four dimensions, in the order of the data format. */
export type ExplicitPadding = [PadPair, PadPair, PadPair, PadPair];
/** How an image is padded. */
export type Pad = 'valid' | 'same' | number | ExplicitPadding;
/** How a fractional output size becomes whole. */
export type RoundingMode = 'floor' | 'round' | 'ceil';
/** Order of an image's dimensions. */
export type DataFormat = 'NHWC' | 'NCHW';

export interface WindowOptions {
  strides: number | readonly number[];
  pad: Pad;
  dataFormat?: DataFormat;
  dilations?: number | readonly number[];
  dimRoundingMode?: RoundingMode | null;
}

/** `[height, width]` from a number or a pair. */
export function pair(
    value: number | readonly number[], op: string, name: string):
    [number, number] {
  if (typeof value === 'number') return [value, value];
  const given: readonly number[] = Array.isArray(value) ? value : [];
  const [a, b, c] = given;
  if (given.length === 1) return [a!, a!];
  if (given.length === 2) return [a!, b!];
  // [1, height, width, 1], as TensorFlow writes strides.
  if (given.length === 4 && a === 1) return [b!, c!];
  throw new TensorError(
      'argument', `${op}: ${name} must be a number or [height, width], got ` +
          `${JSON.stringify(value)}`);
}

/** Writes the options for C++ (`WindowOptions::from`). */
export function windowList(op: string, o: WindowOptions): number {
  const format = o.dataFormat ?? 'NHWC';
  if (format !== 'NHWC' && format !== 'NCHW') {
    throw new TensorError(
        'argument', `${op}: Unknown dataFormat ${String(format)}, it is ` +
            'NHWC or NCHW');
  }
  return list([
    ...pair(o.strides, op, 'strides'),
    ...pair(o.dilations ?? 1, op, 'dilations'),
    ...padding(op, o.pad, format, o.dimRoundingMode),
    roundingNumber(op, o.dimRoundingMode),
    format === 'NCHW' ? 1 : 0,
  ]);
}

function roundingNumber(
    op: string, mode: RoundingMode | null | undefined): number {
  if (mode === undefined || mode === null) return 0;
  const n = ['trunc', 'floor', 'ceil', 'round'].indexOf(mode);
  if (n < 1) {
    throw new TensorError(
        'argument', `${op}: Unknown roundingMode ${String(mode)}`);
  }
  return n;
}

function padding(
    op: string, pad: Pad, format: DataFormat,
    rounding: RoundingMode | null | undefined): number[] {
  const whole = (n: unknown): boolean => Number.isInteger(n);
  const flat = Array.isArray(pad) ? pad.flat() : [pad];
  if (rounding !== undefined && rounding !== null && !flat.every(whole)) {
    throw new TensorError(
        'argument', `Error in ${op}: pad must be an integer when using ` +
            `dimRoundingMode ${rounding} but got pad ` +
            `${flat.find((n) => !whole(n))}.`);
  }
  if (pad === 'valid') return [0, 0, 0, 0, 0];
  if (pad === 'same') return [1, 0, 0, 0, 0];
  if (typeof pad === 'number') return [2, pad, pad, pad, pad];
  if (Array.isArray(pad) && pad.length === 4) {
    const [rows, columns] =
      format === 'NHWC' ? [pad[1], pad[2]] : [pad[2], pad[3]];
    return [2, ...rows, ...columns];
  }
  throw new TensorError(
      'argument', `${op}: Unknown padding parameter: ${JSON.stringify(pad)}`);
}
