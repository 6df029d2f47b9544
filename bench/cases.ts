/**
 * The table of what is measured. A case makes its inputs once and gives a function whose result is
 * compared between the libraries, then timed; `per` ops in one call count as one each.
 */
import { cases as arrays } from './cases_arrays.js';
import { cases as elementwise } from './cases_elementwise.js';
import { cases as layers } from './cases_layers.js';
import { cases as linear } from './cases_linear.js';
import { cases as overhead } from './cases_overhead.js';
import type { Library, Tensor } from './library.js';

export interface Case {
  name: string;
  /** Makes the inputs; the function it returns runs the ops and gives a tensor to compare. */
  prepare: (tf: Library) => () => Tensor;
  /** Ops in one call (1 unless given). */
  per?: number;
  /** Their backend; `wasm` unless it cannot do this. */
  theirs?: 'wasm' | 'cpu';
  /** Measured only with --all. */
  extra?: boolean;
}

export const cases: Case[] = [...linear, ...elementwise, ...overhead, ...arrays, ...layers];
