/** Comparisons for tests, as TensorFlow.js shows them in `tf.test_util`. */
import {TensorError} from './errors.js';
import {flatten, isTypedArray} from './util.js';

/** How far apart floats may be and still count as equal. */
export const testEpsilon = (): number => 1e-3;

type Values = unknown;

function items(x: Values): unknown[] {
  return flatten(x);
}

function fail(message: string): never {
  throw new TensorError('argument', message);
}

function compare(
    actual: Values, expected: Values,
    equal: (a: unknown, b: unknown) => boolean): void {
  const typed = (x: Values): string | undefined =>
    isTypedArray(x) ? x.constructor.name : undefined;
  const [a, b] = [typed(actual), typed(expected)];
  if (a !== undefined && b !== undefined && a !== b) {
    fail(`Arrays are of different type. Actual: ${a}. Expected: ${b}`);
  }
  const [xs, ys] = [items(actual), items(expected)];
  if (xs.length !== ys.length) {
    fail(`Arrays have different lengths actual: ${xs.length} vs expected: ` +
        `${ys.length}.\nActual: ${String(xs)}.\nExpected: ${String(ys)}.`);
  }
  xs.forEach((x, i) => {
    if (!equal(x, ys[i])) {
      fail(`Arrays differ: actual[${i}] = ${String(x)}, expected[${i}] = ` +
          `${String(ys[i])}.\nActual:   ${String(xs)}.\nExpected: ${String(ys)}.`);
    }
  });
}

function close(a: number, b: number, epsilon: number): boolean {
  if (Number.isFinite(a) && Number.isFinite(b)) return Math.abs(a - b) <= epsilon;
  return Object.is(a, b);
}

/** Throws unless two arrays are equal within `epsilon`. */
export function expectArraysClose(
    actual: Values, expected: Values, epsilon = testEpsilon()): void {
  compare(actual, expected, (a, b) => close(Number(a), Number(b), epsilon));
}

/** Throws unless two arrays are equal. */
export function expectArraysEqual(actual: Values, expected: Values): void {
  compare(actual, expected, (a, b) =>
    typeof a === 'string' || typeof b === 'string' ? a === b :
      Number(a) === Number(b) || Object.is(Number(a), Number(b)));
}

/** Throws unless two numbers are equal within `epsilon`. */
export function expectNumbersClose(
    actual: number, expected: number, epsilon = testEpsilon()): void {
  if (!close(actual, expected, epsilon)) {
    fail(`Numbers differ: actual === ${actual}, expected === ${expected}`);
  }
}

/** Throws unless every value is in [low, high]. */
export function expectValuesInRange(
    actual: ArrayLike<number>, low: number, high: number): void {
  Array.from(actual).forEach((x) => {
    if (!(x >= low && x <= high)) {
      fail(`Value out of range:${x} low: ${low}, high: ${high}`);
    }
  });
}
