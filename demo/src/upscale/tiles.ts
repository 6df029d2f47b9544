// How a picture is cut so that memory does not grow with it. Nothing here
// needs the library.

/** How far the network looks around a pixel of the input. */
export const REACH = 10;

/** A rectangle of the picture. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** One piece of work. */
export interface Tile {
  /** What of the picture this tile answers for. */
  inner: Box;
  /** The same with what the network must see around it. */
  outer: Box;
}

/**
 * Tiles of at most `size` pixels a side, row by row. Each pixel belongs to one
 * inner box. Outer boxes reach `REACH` further and end where the picture ends,
 * so the pieces put together are exactly what the whole would have given.
 */
export function tilesOf(width: number, height: number, size: number): Tile[] {
  const tiles: Tile[] = [];
  const columns = cuts(width, size);
  for (const [y, bottom] of cuts(height, size)) {
    for (const [x, right] of columns) {
      const [left, top] = [Math.max(0, x - REACH), Math.max(0, y - REACH)];
      tiles.push({
        inner: { x, y, width: right - x, height: bottom - y },
        outer: {
          x: left, y: top,
          width: Math.min(width, right + REACH) - left,
          height: Math.min(height, bottom + REACH) - top,
        },
      });
    }
  }
  return tiles;
}

/** Even parts, as few as `size` allows: no sliver is left at the end. */
function cuts(length: number, size: number): [number, number][] {
  const count = Math.ceil(length / size);
  const at = (i: number): number => Math.round((i * length) / count);
  return Array.from({ length: count }, (_, i) => [at(i), at(i + 1)]);
}
