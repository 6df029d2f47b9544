/** An axis, several, or (null, undefined) all of them. */
export type AxisLike = number | readonly number[] | null | undefined;

/** Axes as C++ takes them: none means all. */
export function axes(axis: AxisLike): readonly number[] {
  if (axis === undefined || axis === null) return [];
  return typeof axis === 'number' ? [axis] : axis;
}
