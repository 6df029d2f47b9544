/** An axis, several, or (null, undefined) all of them. */
export type AxisLike = number | readonly number[] | null | undefined;

/** What C++ takes for no axis at all (`core/base/shape.cc`). */
const noAxis = -(2 ** 31);

/** Axes as C++ takes them: an empty list means all. */
export function axes(axis: AxisLike): readonly number[] {
  if (axis === undefined || axis === null) return [];
  if (Array.isArray(axis) && axis.length === 0) return [noAxis];
  return typeof axis === 'number' ? [axis] : axis;
}
