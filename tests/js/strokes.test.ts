// The picture that the demo makes of a drawing must look like MNIST's.
import { describe, expect, test } from '@jest/globals';

import { PIXELS, SIZE } from '../../demo/src/digits.js';
import { centreOfMass, pictureOf } from '../../demo/src/strokes.js';
import type { Stroke } from '../../demo/src/strokes.js';

/** First and last row and column with ink in them. */
function boxOf(picture: Uint8Array) {
  const inked = [...picture.keys()].filter((i) => picture[i]! > 0);
  const columns = inked.map((i) => i % SIZE);
  const rows = inked.map((i) => Math.floor(i / SIZE));
  return {
    left: Math.min(...columns), right: Math.max(...columns),
    top: Math.min(...rows), bottom: Math.max(...rows),
  };
}

const seven: Stroke[] = [
  [{ x: 0.3, y: 0.2 }, { x: 0.7, y: 0.2 }, { x: 0.4, y: 0.8 }],
];

const changed = (scale: number, shift: number): Stroke[] =>
  seven.map((stroke) =>
    stroke.map(({ x, y }) => ({ x: x * scale + shift, y: y * scale + shift })),
  );

describe('pictureOf', () => {
  test('is blank without strokes', () => {
    expect(pictureOf([])).toEqual(new Uint8Array(PIXELS));
  });

  test('puts the centre of mass in the middle', () => {
    const { x, y } = centreOfMass(pictureOf(seven));
    expect(Math.abs(x - SIZE / 2)).toBeLessThan(0.1);
    expect(Math.abs(y - SIZE / 2)).toBeLessThan(0.1);
  });

  test('makes the longer side 20 pixels, faded edges aside', () => {
    const { top, bottom } = boxOf(pictureOf(seven));
    expect(bottom - top + 1).toBeGreaterThanOrEqual(20);
    expect(bottom - top + 1).toBeLessThanOrEqual(22);
  });

  test.each([[0.1, 0.6], [0.5, 0], [40, -7]])(
    'does not depend on size and place: times %d plus %d',
    (scale, shift) => {
      const expected = pictureOf(seven);
      pictureOf(changed(scale, shift)).forEach((value, i) => {
        expect(Math.abs(value - expected[i]!)).toBeLessThanOrEqual(1);
      });
    },
  );

  test('shows a mere touch as a dot in the middle', () => {
    const picture = pictureOf([[{ x: 0.1, y: 0.9 }]]);
    const box = boxOf(picture);
    expect(picture[14 * SIZE + 14]).toBeGreaterThan(128);
    expect(box.right - box.left).toBeLessThan(6);
    expect(box.left + box.right).toBe(SIZE - 1);
    expect(box.top + box.bottom).toBe(SIZE - 1);
  });

  test('keeps a straight line narrow', () => {
    const line = [[{ x: 0.5, y: 0.1 }, { x: 0.5, y: 0.9 }]];
    const { left, right } = boxOf(pictureOf(line));
    expect(right - left + 1).toBeLessThanOrEqual(4);
  });
});
