/**
 * Runs in the browser: loads both libraries and times one case on them in turns. The driver calls
 * `bench.measure`, in a fresh page for every case.
 */
import { cases, type Case } from './cases.js';
import type { Library, Tensor } from './library.js';
import { median, summary, type Summary } from './statistics.js';

export interface Options {
  /** Milliseconds of warm-up for each library, so that its code is optimized. */
  warmUp: number;
  /** Pairs of samples wanted at least. */
  pairs: number;
  /** Milliseconds to go on for beyond that, up to `MOST_PAIRS`. */
  time: number;
  /** Milliseconds after which no more pairs are taken in any case. */
  timeBox: number;
}

export interface Result {
  name: string;
  /** Largest difference of the outputs, relative to the largest value. */
  error: number;
  pairs: number;
  /** Microseconds for one op. */
  ours: Summary;
  theirs: Summary;
  /** Median over the pairs of our time divided by theirs. */
  ratio: number;
}

// Long enough for the clock's steps of 5 us not to matter, short enough to fit between two turns
// of other programs on a busy machine: with 8 ms, a library measured against itself gave 1.3.
const SAMPLE_MS = 2;
const MOST_PAIRS = 500;

function run(f: () => Tensor, times: number): void {
  for (let i = 0; i < times; i++) f().dispose();
}

function timed(f: () => Tensor, times: number): number {
  const start = performance.now();
  run(f, times);
  return performance.now() - start;
}

/** Runs `f` for `ms` and gives how many calls make a sample. */
function warmUp(f: () => Tensor, ms: number): number {
  const end = performance.now() + ms;
  let times = 1;
  let last = timed(f, times);
  do {
    if (last < SAMPLE_MS) times = Math.ceil(times * Math.min(4, SAMPLE_MS / Math.max(last, 0.01)));
    last = timed(f, times);
  } while (performance.now() < end);
  return Math.max(1, Math.round((times * SAMPLE_MS) / last));
}

function values(f: () => Tensor): ArrayLike<number> {
  const result = f();
  const copy = result.dataSync().slice();
  result.dispose();
  return copy;
}

/** Largest difference relative to the largest value; infinite when sizes or NaNs differ. */
function difference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Infinity;
  let most = 0;
  let scale = 0;
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i]!, b[i]!];
    if (Number.isNaN(x) !== Number.isNaN(y)) return Infinity;
    if (Number.isNaN(x)) continue;
    most = Math.max(most, Math.abs(x - y));
    scale = Math.max(scale, Math.abs(y));
  }
  return scale > 0 ? most / scale : most;
}

function compare(one: Case, ours: Library, theirs: Library, options: Options): Result {
  const [f, g] = [one.prepare(ours), one.prepare(theirs)];
  const error = difference(values(f), values(g));
  const timesF = warmUp(f, options.warmUp);
  const timesG = warmUp(g, options.warmUp);
  const per = one.per ?? 1;
  const micro = (ms: number, times: number) => (ms * 1000) / (times * per);
  const pairs: [number, number][] = [];
  const start = performance.now();
  const goesOn = () => {
    const elapsed = performance.now() - start;
    if (pairs.length < options.pairs) return elapsed < options.timeBox || pairs.length === 0;
    return elapsed < options.time && pairs.length < MOST_PAIRS;
  };
  while (goesOn()) {
    // ABBA: whoever runs second in a pair may find warmer caches.
    if (pairs.length % 2 === 0) {
      const a = micro(timed(f, timesF), timesF);
      pairs.push([a, micro(timed(g, timesG), timesG)]);
    } else {
      const b = micro(timed(g, timesG), timesG);
      pairs.push([micro(timed(f, timesF), timesF), b]);
    }
  }
  return {
    name: one.name,
    error,
    pairs: pairs.length,
    ours: summary(pairs.map(([a]) => a)),
    theirs: summary(pairs.map(([, b]) => b)),
    ratio: median(pairs.map(([a, b]) => a / b)),
  };
}

let ours: Library;
let theirs: Library;

type Variant = 'simd' | 'relaxed';

/** What our package exports beyond TensorFlow.js's API. */
interface Extras {
  ready(options: { variant?: Variant }): Promise<unknown>;
  getVariant(): Variant;
}

let chosenVariant: Variant | undefined;

async function loadOurs(url: string, variant?: Variant): Promise<Library> {
  const module = (await import(url)) as Library & Extras;
  await module.ready({ variant });
  chosenVariant = module.getVariant();
  return module;
}

const bench = {
  /**
   * Loads our library from a URL ('' for TensorFlow.js again, a control), in a variant or the one it
   * picks, and a backend of TensorFlow.js.
   */
  async load(
    url: string,
    variant: Variant | undefined,
    backend: 'wasm' | 'cpu',
  ): Promise<Record<string, unknown>> {
    const reference = await import('./tfjs.js');
    theirs = await reference.load(backend);
    ours = url ? await loadOurs(url, variant) : theirs;
    return {
      isolated: globalThis.crossOriginIsolated,
      agent: navigator.userAgent,
      theirs: reference.describe(),
      variant: url ? chosenVariant : undefined,
    };
  },
  names: (all: boolean) =>
    cases
      .filter((one) => all || !one.extra)
      .map(({ name, theirs: backend = 'wasm' }) => ({ name, backend })),
  measure(name: string, options: Options): Result {
    const one = cases.find((candidate) => candidate.name === name);
    if (!one) throw new Error(`bench: no case is called ${name}`);
    return compare(one, ours, theirs, options);
  },
};

export type Bench = typeof bench;
Object.assign(globalThis, { bench });
