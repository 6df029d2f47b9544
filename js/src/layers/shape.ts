/** Shapes with unknown dimensions, and what layers ask of them. */
import {TensorError, shown} from '../errors.js';

/** Lengths of dimensions; null where any length will do. */
export type Shape = (number | null)[];

/** True for a list of shapes, as layers with several inputs get it. */
export function isShapeList(shapes: Shape | Shape[]): shapes is Shape[] {
  return Array.isArray(shapes) && shapes.length > 0 && Array.isArray(shapes[0]);
}

/** The shapes as a list, whether one was given or several. */
export function shapeList(shapes: Shape | Shape[]): Shape[] {
  return isShapeList(shapes) ? shapes : [shapes];
}

/** The one shape that was given. Errors: several. */
export function oneShape(shapes: Shape | Shape[], who = 'layer'): Shape {
  const list = shapeList(shapes);
  if (list.length !== 1) {
    throw new TensorError(
        'shape', `${who}: expected one input, got ${list.length}`);
  }
  return list[0]!;
}

/** `[2,null]`, as messages and summaries show a shape. */
export function formatShape(shapes: Shape | Shape[] | undefined): string {
  return shapes === undefined ? '?' : JSON.stringify(shapes);
}

/**
 * Throws unless `shape` is a list of whole numbers, 0 or more, and nulls.
 * `what` of `who` is what messages call it.
 */
export function checkShape(who: string, what: string, shape: unknown): void {
  const good = Array.isArray(shape) && shape.every((n: unknown) =>
    n === null || Number.isInteger(n) && (n as number) >= 0);
  if (good) return;
  throw new TensorError(
      'shape', `${who}: ${what} must be a list of whole numbers, null for any ` +
          `length, got ${shown(shape)}`);
}

/** True when both have the same lengths, unknown ones included. */
export function sameShape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((n, d) => n === b[d]);
}

/** How many elements a shape has. Errors: an unknown dimension. */
export function sizeOf(shape: Shape): number {
  return shape.reduce<number>((product, n) => {
    if (n === null || n === undefined) {
      throw new TensorError(
          'shape', `the size of ${formatShape(shape)} is unknown`);
    }
    return product * n;
  }, 1);
}

/** The item of a one-item list, else the list. */
export function single<T>(items: T[]): T | T[] {
  return items.length === 1 ? items[0]! : items;
}

/** The value as a list. */
export function toList<T>(value: T | T[]): T[] {
  return Array.isArray(value) ? value : [value];
}
