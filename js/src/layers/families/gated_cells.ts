/** The steps of LSTM and GRU. */
import {TensorError, shown} from '../../errors.js';
import {add, mul, sub} from '../../ops/binary.js';
import {concat, split, unstack} from '../../ops/concat.js';
import {fill} from '../../ops/creation.js';
import type {Tensor} from '../../tensor.js';
import type {DataType} from '../../types.js';
import {getActivation, serializeActivation} from '../activations.js';
import type {Activation, ActivationIdentifier} from '../activations.js';
import {Initializer} from '../initializers.js';
import {registerClass} from '../serialization.js';
import type {ConfigDict} from '../serialization.js';
import {bareActivation} from './activation_ops.js';
import type {CellRun} from './cell_run.js';
import {masked, product, projection} from './cell_run.js';
import {KernelCell} from './cells.js';
import type {KernelCellArgs} from './cells.js';

/** What LSTM's and GRU's cells take. */
export interface GatedCellArgs extends KernelCellArgs {
  /** The gates' activation. */
  recurrentActivation?: ActivationIdentifier | null;
  /** 1 or 2; kept for configs, the results are the same. */
  implementation?: number;
}

/** What LSTMCell takes. */
export interface LSTMCellArgs extends GatedCellArgs {
  /** Starts the forget gate's bias at 1. */
  unitForgetBias?: boolean;
}

/** What GRUCell takes. */
export interface GRUCellArgs extends GatedCellArgs {
  /** Applies the reset gate after the product with the state, not before. */
  resetAfter?: boolean;
}

abstract class GatedCell extends KernelCell {
  protected readonly recurrentActivation: Activation;
  protected readonly implementation: number | undefined;

  constructor(args: GatedCellArgs) {
    super(args);
    this.recurrentActivation = getActivation(
        args.recurrentActivation === undefined ? 'hardSigmoid' :
          args.recurrentActivation);
    // 0 is what old files call 1.
    this.implementation = args.implementation === 0 ? 1 : args.implementation;
  }

  override getConfig(): ConfigDict {
    return {
      ...super.getConfig(),
      recurrentActivation: serializeActivation(this.recurrentActivation),
      implementation: this.implementation,
    };
  }
}

/** The biases of the four gates, the forget gate's being 1. */
class ForgetGateOpen extends Initializer {
  static override className = 'ForgetGateOpen';
  readonly #others: Initializer;

  constructor(others: Initializer) {
    super();
    this.#others = others;
  }

  apply(shape: number[], dtype?: DataType): Tensor {
    const units = shape[0]! / 4;
    return concat([
      this.#others.apply([units], dtype), fill([units], 1, dtype),
      this.#others.apply([2 * units], dtype),
    ]);
  }

  override getConfig(): ConfigDict {
    return {};
  }
}

/**
 * LSTM: gates i, f, o and candidate g of `x * kernel + h * recurrent_kernel +
 * bias` (in the order i, f, g, o) give `c' = f c + i g`, `h' = o
 * activation(c')`. Weights: kernel `[features, 4 * units]`, recurrent_kernel
 * `[units, 4 * units]`, bias `[4 * units]`.
 *
 * ```js
 * const cell = tf.layers.lstmCell({units: 4});
 * const [y, h, c] =
 *   cell.apply([tf.ones([2, 3]), tf.zeros([2, 4]), tf.zeros([2, 4])]);
 * [y.shape, h.shape, c.shape]; // => [[2, 4], [2, 4], [2, 4]]
 * cell.dispose();
 * ```
 */
export class LSTMCell extends GatedCell {
  static override className = 'LSTMCell';
  protected readonly gates = 4;
  protected readonly unitForgetBias: boolean | undefined;

  constructor(args: LSTMCellArgs) {
    super(args);
    this.unitForgetBias = args.unitForgetBias;
  }

  get stateSize(): number[] {
    return [this.units, this.units];
  }

  protected override biasInitializerInUse(): Initializer {
    return this.unitForgetBias ? new ForgetGateOpen(this.biasInitializer) :
      this.biasInitializer;
  }

  protected run(training: boolean, batch: number): CellRun {
    const {units} = this;
    const act = bareActivation(this.activation);
    const gateAct = bareActivation(this.recurrentActivation);
    // The candidate last: one activation serves the three gates before it.
    const reordered = (weight: Tensor): Tensor => {
      const axis = weight.rank - 1;
      const [i, f, g, o] = split(weight, 4, axis);
      return concat([i!, f!, o!, g!], axis);
    };
    const kernel = reordered(this.kernel!.read());
    const recurrent = reordered(this.recurrentKernel!.read());
    const bias = this.bias && reordered(this.bias.read());
    const [inputMask, stateMask] = this.dropoutMasks(training, batch);
    return {
      project: (x) =>
        [projection(masked(x, inputMask), kernel, bias ?? undefined)],
      step: ([x], [h, c]) => {
        const z = product(masked(h!, stateMask), recurrent, x);
        const [gates, candidate] = split(z, [3 * units, units], 1);
        const [i, f, o] = split(gateAct(gates!), 3, 1);
        const g = act(candidate!);
        const nextC = add(mul(f!, c!), mul(i!, g));
        const nextH = mul(o!, act(nextC));
        return [nextH, nextH, nextC];
      },
    };
  }

  override getConfig(): ConfigDict {
    return {...super.getConfig(), unitForgetBias: this.unitForgetBias};
  }
}

/**
 * GRU: gates z, r and candidate g; `h' = z h + (1 - z) g`. The candidate is
 * that of `r h`, or, with `resetAfter`, takes `r (h * recurrent_kernel + bias)`
 * with biases of the state's own. Weights: kernel `[features, 3 * units]`,
 * recurrent_kernel `[units, 3 * units]`, bias `[3 * units]`, with `resetAfter`
 * `[2, 3 * units]`. Dropout of the state concerns the gates and the candidate,
 * not what of h stays.
 *
 * ```js
 * const cell = tf.layers.gruCell({units: 4, resetAfter: true});
 * cell.build([null, 3]);
 * cell.getWeights().map((w) => w.shape); // => [[3, 12], [4, 12], [2, 12]]
 * cell.dispose();
 * ```
 */
export class GRUCell extends GatedCell {
  static override className = 'GRUCell';
  protected readonly gates = 3;
  protected readonly resetAfter: boolean;

  constructor(args: GRUCellArgs) {
    super(args);
    const given: unknown = args.resetAfter;
    if (given !== undefined && given !== null && typeof given !== 'boolean') {
      throw new TensorError(
          'argument', 'GRUCell: resetAfter must be true or false, got ' +
              shown(given));
    }
    this.resetAfter = args.resetAfter ?? false;
  }

  get stateSize(): number {
    return this.units;
  }

  protected override biasShape(): number[] {
    const width = 3 * this.units;
    return this.resetAfter ? [2, width] : [width];
  }

  protected run(training: boolean, batch: number): CellRun {
    const {units} = this;
    const halves = [2 * units, units];
    const kernel = this.kernel!.read();
    const [inputMask, stateMask] = this.dropoutMasks(training, batch);
    const biases = this.bias && (this.resetAfter ?
      unstack(this.bias.read()) : [this.bias.read()]);
    const project = (x: Tensor): Tensor[] => {
      const y = projection(masked(x, inputMask), kernel, biases?.[0]);
      return split(y, halves, y.rank - 1);
    };
    const mix = (gates: Tensor, h: Tensor, candidate: (r: Tensor) => Tensor):
        Tensor[] => {
      const [z, r] = split(gates, 2, 1);
      const g = candidate(r!);
      const next = add(g, mul(z!, sub(h, g)));
      return [next, next];
    };
    if (this.resetAfter) {
      const recurrent = this.recurrentKernel!.read();
      const act = bareActivation(this.activation);
      const gateAct = bareActivation(this.recurrentActivation);
      return {
        project,
        step: ([x, xCandidate], [h]) => {
          const [inner, innerCandidate] = split(
              product(masked(h!, stateMask), recurrent, biases?.[1]), halves,
              1);
          const gates = gateAct(add(x!, inner!));
          return mix(gates, h!, (r) =>
            act(add(xCandidate!, mul(r, innerCandidate!))));
        },
      };
    }
    const [recurrent, recurrentCandidate] =
      split(this.recurrentKernel!.read(), halves, 1);
    return {
      project,
      step: ([x, xCandidate], [h]) => {
        const visible = masked(h!, stateMask);
        const gates =
          product(visible, recurrent!, x, this.recurrentActivation);
        return mix(gates, h!, (r) => product(
            mul(r, visible), recurrentCandidate!, xCandidate,
            this.activation));
      },
    };
  }

  override getConfig(): ConfigDict {
    return {...super.getConfig(), resetAfter: this.resetAfter};
  }
}

for (const type of [LSTMCell, GRUCell]) registerClass(type);
