// Turns pen strokes into a picture like those the network has learned from:
// MNIST's digits fill a box of 20 x 20 and lie with their centre of mass in
// the middle of 28 x 28. The strokes are fitted as lines and inked afterwards,
// so a small digit and a large one come out equally thick.
import { PIXELS, SIZE } from './digits.js';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** One movement of the pen, from touching down to lifting off. */
export type Stroke = readonly Point[];

const BOX = 20;
/** Half the width of the pen, in pixels of the small picture. */
const RADIUS = 1.15;
/** Over how many pixels the ink's edge fades. */
const FADE = 1.1;

interface Segment {
  a: Point;
  b: Point;
}

function segmentsOf(strokes: readonly Stroke[]): Segment[] {
  return strokes.flatMap((stroke) =>
    stroke.map((b, i) => ({ a: stroke[Math.max(0, i - 1)]!, b })),
  );
}

function distance({ a, b }: Segment, x: number, y: number): number {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const length = dx * dx + dy * dy;
  const along = length && ((x - a.x) * dx + (y - a.y) * dy) / length;
  const t = Math.min(1, Math.max(0, along));
  return Math.hypot(x - a.x - t * dx, y - a.y - t * dy);
}

function ink(segments: readonly Segment[]): Uint8Array {
  const picture = new Uint8Array(PIXELS);
  for (let i = 0; i < PIXELS; i++) {
    const x = (i % SIZE) + 0.5;
    const y = Math.floor(i / SIZE) + 0.5;
    let nearest = Infinity;
    for (const s of segments) nearest = Math.min(nearest, distance(s, x, y));
    const cover = (RADIUS - nearest) / FADE + 0.5;
    picture[i] = Math.round(255 * Math.min(1, Math.max(0, cover)));
  }
  return picture;
}

function moved(
  segments: readonly Segment[],
  change: (p: Point) => Point,
): Segment[] {
  return segments.map(({ a, b }) => ({ a: change(a), b: change(b) }));
}

/** The middle of the ink, each pixel weighing as much as it is dark. */
export function centreOfMass(picture: Uint8Array): Point {
  let mass = 0;
  let x = 0;
  let y = 0;
  picture.forEach((value, i) => {
    mass += value;
    x += value * ((i % SIZE) + 0.5);
    y += value * (Math.floor(i / SIZE) + 0.5);
  });
  return { x: x / mass, y: y / mass };
}

/**
 * Inks the strokes, whatever their unit, into 28 x 28 bytes. Without any
 * stroke the picture is blank.
 */
export function pictureOf(strokes: readonly Stroke[]): Uint8Array {
  const points = strokes.flat();
  if (points.length === 0) return new Uint8Array(PIXELS);
  const xs = points.map((p) => p.x);
  const ys = points.map((p) => p.y);
  const left = Math.min(...xs);
  const top = Math.min(...ys);
  const width = Math.max(...xs) - left;
  const height = Math.max(...ys) - top;
  const longest = Math.max(width, height);
  const scale = longest && (BOX - 2 * RADIUS) / longest;
  const middle = SIZE / 2;
  const fitted = moved(segmentsOf(strokes), (p) => ({
    x: middle + (p.x - left - width / 2) * scale,
    y: middle + (p.y - top - height / 2) * scale,
  }));
  const centre = centreOfMass(ink(fitted));
  return ink(
    moved(fitted, (p) => ({
      x: p.x + middle - centre.x,
      y: p.y + middle - centre.y,
    })),
  );
}
