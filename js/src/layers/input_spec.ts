/** What a layer demands of its inputs. */
import {TensorError} from '../errors.js';
import type {DataType} from '../types.js';
import {formatShape} from './shape.js';
import type {Shape} from './shape.js';

/** Settings of an {@link InputSpec}. */
export interface InputSpecArgs {
  dtype?: DataType;
  /** Lengths, null for any. */
  shape?: Shape;
  ndim?: number;
  maxNDim?: number;
  minNDim?: number;
  /** Lengths that certain axes must have; negative ones count from the end. */
  axes?: {[axis: number]: number};
}

/** Rank, lengths and dtype that an input must have. */
export class InputSpec {
  readonly dtype: DataType | undefined;
  readonly shape: Shape | undefined;
  readonly ndim: number | undefined;
  readonly maxNDim: number | undefined;
  readonly minNDim: number | undefined;
  readonly axes: {[axis: number]: number};

  constructor(args: InputSpecArgs) {
    this.dtype = args.dtype;
    this.shape = args.shape;
    this.ndim = args.shape ? args.shape.length : args.ndim;
    this.maxNDim = args.maxNDim;
    this.minNDim = args.minNDim;
    this.axes = args.axes ?? {};
  }

  /** Throws, in the layer's name, unless an input of `shape` fits. */
  check(layer: string, index: number, shape: Shape): void {
    const fail = (what: string): never => {
      throw new TensorError(
          'shape',
          `Input ${index} is incompatible with layer ${layer}: ${what}`);
    };
    const rank = shape.length;
    if (this.ndim !== undefined && rank !== this.ndim) {
      fail(`expected ndim=${this.ndim}, found ndim=${rank}, ` +
          `shape ${formatShape(shape)}`);
    }
    if (this.maxNDim !== undefined && rank > this.maxNDim) {
      fail(`expected max_ndim=${this.maxNDim}, found ndim=${rank}`);
    }
    if (this.minNDim !== undefined && rank < this.minNDim) {
      fail(`expected min_ndim=${this.minNDim}, found ndim=${rank}.`);
    }
    for (const [key, wanted] of Object.entries(this.axes)) {
      const axis = Number(key);
      const found = shape[axis >= 0 ? axis : rank + axis];
      if (wanted !== null && found !== null && found !== wanted) {
        fail(`expected axis ${axis} of input shape to have value ${wanted} ` +
            `but got shape ${formatShape(shape)}.`);
      }
    }
    this.shape?.forEach((wanted, axis) => {
      const found = shape[axis];
      if (wanted !== null && found !== null && found !== wanted) {
        fail(`expected shape=${formatShape(this.shape)}, ` +
            `found shape=${formatShape(shape)}.`);
      }
    });
  }
}
