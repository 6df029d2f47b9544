/** Values on their way into tensors. */
import { describe, expect, test } from '@jest/globals';
import { tensor, tensor2d, tidy } from '../../js/src/index.js';
import type { DataType } from '../../js/src/index.js';

describe('flat values fill a given shape', () => {
  const row: [DataType, number[]][] = [
    ['float32', [1.5, 2, 3, 4, 5, 6]],
    ['int32', [1, 2, 3, 4, 5, 6]],
    ['bool', [1, 0, 0, 1, 1, 0]],
  ];
  test.each(row)('%s', (dtype, values) => {
    const nested = tidy(() => tensor2d(values, [3, 2], dtype).arraySync());
    expect(nested).toEqual([values.slice(0, 2), values.slice(2, 4), values.slice(4)]);
  });
});

test('a number, boolean or bigint becomes a scalar of its value', () => {
  const values = tidy(() => [
    // A block of memory that has been in use.
    tensor([9, 9]), tensor(2), tensor(2.5, [], 'float32'), tensor(3, undefined, 'int32'), tensor(true),
    tensor(10n as never, [], 'int32'), tensor(4n as never), tensor(0n as never, [1], 'bool'),
  ].map((t) => t.arraySync()));
  expect(values.slice(1)).toEqual([2, 2.5, 3, 1, 10, 4, [0]]);
});
