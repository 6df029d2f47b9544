/** Order statistics of a sample. */

/** The value below which the share `q` of `values` lies, between neighbours by straight line. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * q;
  const low = Math.floor(place);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low]! + (sorted[high]! - sorted[low]!) * (place - low);
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export interface Summary {
  median: number;
  p10: number;
  p90: number;
}

export function summary(values: readonly number[]): Summary {
  return { median: median(values), p10: quantile(values, 0.1), p90: quantile(values, 0.9) };
}
