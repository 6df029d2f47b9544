/**
 * Bad input: every wrong call throws an error that says what is wrong with which values, leaves no
 * tensor behind, and the library goes on working.
 */
import { describe, expect, test } from '@jest/globals';
import * as tf from '../../js/src/index.js';
import type { Row } from './bad_input/row.js';
import { rows as shapes } from './bad_input/shapes.js';
import { rows as types } from './bad_input/types.js';
import { rows as values } from './bad_input/values.js';

function check({ given, run, error }: Row): void {
  const inputs = given?.() ?? [];
  const before = tf.memory();
  let thrown: unknown;
  try {
    run(...inputs);
  } catch (caught) {
    thrown = caught;
  }
  const after = tf.memory();
  tf.dispose(inputs);

  expect(thrown).toBeInstanceOf(Error);
  expect((thrown as Error).name).toBe('TensorError');
  expect((thrown as Error).message).toMatch(error);
  expect(after.numTensors).toBe(before.numTensors);
  expect(after.numBytes).toBe(before.numBytes);

  const product = tf.tidy(() =>
    tf
      .matMul(
        [
          [1, 2],
          [3, 4],
        ],
        [
          [5, 6],
          [7, 8],
        ],
      )
      .arraySync(),
  );
  expect(product).toEqual([
    [19, 22],
    [43, 50],
  ]);
}

describe.each([
  ['shapes', shapes],
  ['dtypes, ranks and axes', types],
  ['sizes, disposed and foreign tensors', values],
])('%s', (_, rows) => {
  test.each(rows.map((row) => [row.name, row] as const))('%s', (_name, row) => check(row));
});
