// Curves of several lives. Where a session was restored from step n, what the
// lives before it have done after n is lost.
import type { Table } from '../charts.js';
import type { Histogram, Life, Point } from './directory.js';

/** Batches are small and their figures jumpy; this much of the past stays. */
const INERTIA = 0.85;

export interface Curve {
  kept: Point[];
  /** Pieces, each of which ended with a crash. */
  lost: Point[][];
}

/** The step after which the life's points are lost; infinity for none. */
function lostAfter(lives: readonly Life[], index: number): number {
  return Math.min(...lives.slice(index + 1).map(({ from }) => from), Infinity);
}

/** What the lives tell under a tag. */
export function curveOf(lives: readonly Life[], tag: string): Curve {
  const kept: Point[] = [];
  const lost: Point[][] = [];
  lives.forEach((life, i) => {
    const points = life.scalars.get(tag) ?? [];
    const limit = lostAfter(lives, i);
    const last = kept.at(-1)?.step ?? -1;
    kept.push(...points.filter(({ step }) => step <= limit && step > last));
    const gone = points.filter(({ step }) => step > limit);
    if (gone.length > 0) lost.push(gone);
  });
  return { kept, lost };
}

/** Histograms under a tag that were not lost. */
export function histogramsOf(lives: readonly Life[], tag: string): Histogram[] {
  return lives.flatMap((life, i) =>
    (life.histograms.get(tag) ?? []).filter(({ step }) => step <= lostAfter(lives, i)));
}

/** Steps of checkpoints that were not lost. */
export function savesOf(lives: readonly Life[]): number[] {
  const all = lives.flatMap(({ saves }, i) =>
    saves.filter((step) => step <= lostAfter(lives, i)));
  return [...new Set(all)];
}

/** A plain mean at first, so that the first value does not weigh longer. */
export function smoothed(points: readonly Point[]): Point[] {
  let value = 0;
  return points.map((point, i) => {
    const inertia = Math.min(INERTIA, 1 - 1 / (i + 1));
    value = inertia * value + (1 - inertia) * point.value;
    return { step: point.step, value };
  });
}

/** The value at a step or, failing that, the last one before. */
export function valueAt(points: readonly Point[], step: number): number | undefined {
  return points.findLast((point) => point.step <= step)?.value;
}

/**
 * Lists of points as one table. Where a list has no point at a step, its line
 * goes on; between the pieces of a list of lists there is a gap.
 */
export function tableOf(...columns: (readonly Point[] | readonly (readonly Point[])[])[]): Table {
  const pieces = columns.map((column) =>
    (Array.isArray(column[0]) ? column : [column]) as readonly (readonly Point[])[]);
  const steps = [...new Set(pieces.flat(2).map(({ step }) => step))].sort((a, b) => a - b);
  const row = new Map(steps.map((step, i) => [step, i]));
  return [steps, ...pieces.map((list) => {
    const values: (number | null | undefined)[] = steps.map(() => undefined);
    for (const piece of list) {
      for (const { step, value } of piece) values[row.get(step)!] = value;
    }
    list.slice(1).forEach((piece, i) => {
      if (piece.length === 0) return;
      const from = row.get(list[i]!.at(-1)!.step)! + 1;
      for (let at = from; at < row.get(piece[0]!.step)!; at++) values[at] ??= null;
    });
    return values;
  })];
}
