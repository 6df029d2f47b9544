// The digits themselves: what the packed file holds, and how it is split.
// Nothing here needs the library, so the page may import it too.
export const SIZE = 28;
export const PIXELS = SIZE * SIZE;
export const CLASSES = 10;

/** Pictures of 28 x 28 bytes one after the other, with a label each. */
export interface Digits {
  readonly pixels: Uint8Array;
  readonly labels: Uint8Array;
  readonly count: number;
}

/** A stream of numbers in [0, 1) that depends on the seed alone. */
export function random(seed: number): () => number {
  // Mulberry32: 32 bits of state are plenty to shuffle with.
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** 0, 1, … count-1 in an order that depends on the seed alone. */
export function shuffled(count: number, seed: number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  const next = random(seed);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

/** The digits of these indices, in their order. */
export function pick(from: Digits, indices: Uint32Array): Digits {
  const pixels = new Uint8Array(indices.length * PIXELS);
  const labels = new Uint8Array(indices.length);
  indices.forEach((index, i) => {
    const start = index * PIXELS;
    pixels.set(from.pixels.subarray(start, start + PIXELS), i * PIXELS);
    labels[i] = from.labels[index]!;
  });
  return { pixels, labels, count: indices.length };
}

/**
 * Splits the packed file (labels, then pictures, sorted by class) into
 * shuffled training and held-out digits. The held-out ones are the same
 * whatever `trainCount` is, so accuracies can be compared.
 */
export function splitDigits(
  file: Uint8Array,
  { trainCount = 8000, heldOutCount = 2000, seed = 1 } = {},
): { train: Digits; heldOut: Digits } {
  const count = file.length / (1 + PIXELS);
  if (!Number.isInteger(count) || trainCount + heldOutCount > count) {
    throw new Error(
      `splitDigits: ${file.length} bytes do not hold ` +
        `${trainCount} + ${heldOutCount} digits`,
    );
  }
  const labels = file.subarray(0, count);
  const all = { labels, pixels: file.subarray(count), count };
  const order = shuffled(count, seed);
  return {
    heldOut: pick(all, order.subarray(0, heldOutCount)),
    train: pick(all, order.subarray(heldOutCount, heldOutCount + trainCount)),
  };
}
