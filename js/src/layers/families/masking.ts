/** Steps of sequences that later layers are to skip. */
import {mul} from '../../ops/binary.js';
import {cast} from '../../ops/creation.js';
import {notEqual} from '../../ops/logical.js';
import {any} from '../../ops/reduce.js';
import {tidy} from '../../scope.js';
import type {Tensor} from '../../tensor.js';
import {Layer} from '../layer.js';
import type {Kwargs, LayerArgs} from '../layer.js';
import {registerClass} from '../serialization.js';
import type {ConfigDict} from '../serialization.js';
import {oneTensor} from './windows.js';

/** Settings of {@link Masking}. */
export interface MaskingArgs extends LayerArgs {
  /** Steps with nothing but this value are skipped. */
  maskValue?: number;
}

/**
 * Marks the steps of `[b, steps, ...]` whose features are all `maskValue`: sets
 * them to 0 and tells later layers to skip them.
 */
export class Masking extends Layer {
  static override readonly className: string = 'Masking';
  readonly #maskValue: number;

  constructor(args: MaskingArgs = {}) {
    super(args);
    this.#maskValue = args.maskValue ?? 0;
    this.supportsMasking = true;
  }

  #keeps(inputs: Tensor | Tensor[], keepDims: boolean): Tensor {
    const x = oneTensor('Masking', inputs);
    return tidy(() => any(notEqual(x, this.#maskValue), -1, keepDims));
  }

  override computeMask(inputs: Tensor | Tensor[]): Tensor {
    return this.#keeps(inputs, false);
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor {
    this.invokeCallHook(inputs, kwargs);
    const x = oneTensor('Masking', inputs);
    return mul(x, cast(this.#keeps(x, true), x.dtype));
  }

  override getConfig(): ConfigDict {
    return {maskValue: this.#maskValue, ...super.getConfig()};
  }
}

registerClass(Masking);
