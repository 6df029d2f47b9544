/** The optimizers. Each says what it remembers and which C++ op is its step. */
import {TensorError} from '../errors.js';
import {isLoaded, wasm} from '../module.js';
import {op} from '../op.js';
import type {Arg} from '../op.js';
import {keep} from '../scope.js';
import type {Tensor} from '../tensor.js';
import {Optimizer} from './optimizer.js';
import type {OptimizerConfig} from './optimizer.js';

const defaultEpsilon = 1e-7;

const number = (config: OptimizerConfig, name: string): number =>
  config[name] as number;

/** Stochastic gradient descent: `v -= learningRate * g`. */
export class SGDOptimizer extends Optimizer {
  static override readonly className: string = 'SGD';

  constructor(protected learningRate: number) {
    super();
  }

  /** Changes the learning rate of the steps to come. */
  setLearningRate(learningRate: number): void {
    this.learningRate = learningRate;
  }

  protected slotNames(): readonly string[] {
    return [];
  }

  protected update(
      arg: Arg, v: Tensor, _slots: readonly Tensor[], g: Tensor): number {
    return wasm.sgdUpdate(arg('v', v), arg('gradient', g), this.learningRate);
  }

  getConfig(): OptimizerConfig {
    return {learningRate: this.learningRate};
  }

  static fromConfig(
      cls: typeof SGDOptimizer, config: OptimizerConfig): SGDOptimizer {
    return new cls(number(config, 'learningRate'));
  }
}

/** Gradient descent with momentum, Nesterov's if asked for. */
export class MomentumOptimizer extends Optimizer {
  static override readonly className: string = 'Momentum';
  // TensorFlow.js keeps the momentum as a tensor, and programs that count
  // tensors count it.
  #m: Tensor | undefined;

  constructor(
      protected learningRate: number, private momentum: number,
      private readonly useNesterov = false) {
    super();
    if (isLoaded()) this.#m = keep(op('scalar', () => wasm.scalar(momentum, 2)));
  }

  override dispose(): void {
    super.dispose();
    this.#m?.dispose();
  }

  setLearningRate(learningRate: number): void {
    this.learningRate = learningRate;
  }

  setMomentum(momentum: number): void {
    this.momentum = momentum;
  }

  protected slotNames(): readonly string[] {
    return ['momentum'];
  }

  protected update(
      arg: Arg, v: Tensor, [m]: readonly Tensor[], g: Tensor): number {
    return wasm.momentumUpdate(
        arg('v', v), arg('m', m!), arg('gradient', g), this.learningRate,
        this.momentum, this.useNesterov ? 1 : 0);
  }

  getConfig(): OptimizerConfig {
    return {
      learningRate: this.learningRate,
      momentum: this.momentum,
      useNesterov: this.useNesterov,
    };
  }

  static fromConfig(
      cls: typeof MomentumOptimizer,
      config: OptimizerConfig): MomentumOptimizer {
    return new cls(
        number(config, 'learningRate'), number(config, 'momentum'),
        config['useNesterov'] as boolean);
  }
}

/** Adagrad: steps shrink with the sum of squared gradients. */
export class AdagradOptimizer extends Optimizer {
  static override readonly className: string = 'Adagrad';

  constructor(
      protected learningRate: number,
      private readonly initialAccumulatorValue = 0.1) {
    super();
  }

  protected slotNames(): readonly string[] {
    return ['accumulator'];
  }

  protected override initial(): number {
    return this.initialAccumulatorValue;
  }

  protected update(
      arg: Arg, v: Tensor, [acc]: readonly Tensor[], g: Tensor): number {
    return wasm.adagradUpdate(
        arg('v', v), arg('accumulator', acc!), arg('gradient', g),
        this.learningRate);
  }

  getConfig(): OptimizerConfig {
    return {
      learningRate: this.learningRate,
      initialAccumulatorValue: this.initialAccumulatorValue,
    };
  }

  static fromConfig(
      cls: typeof AdagradOptimizer, config: OptimizerConfig): AdagradOptimizer {
    return new cls(
        number(config, 'learningRate'),
        number(config, 'initialAccumulatorValue'));
  }
}

/** Adadelta: steps scaled by the ratio of past steps to past gradients. */
export class AdadeltaOptimizer extends Optimizer {
  static override readonly className: string = 'Adadelta';
  readonly #epsilon: number;

  constructor(
      protected learningRate = 0.001, private readonly rho = 0.95,
      epsilon: number | null = null) {
    super();
    this.#epsilon = epsilon ?? defaultEpsilon;
  }

  protected slotNames(): readonly string[] {
    return ['accum_grad', 'accum_var'];
  }

  protected update(
      arg: Arg, v: Tensor, [grads, updates]: readonly Tensor[],
      g: Tensor): number {
    return wasm.adadeltaUpdate(
        arg('v', v), arg('accum_grad', grads!), arg('accum_var', updates!),
        arg('gradient', g), this.learningRate, this.rho, this.#epsilon);
  }

  getConfig(): OptimizerConfig {
    return {
      learningRate: this.learningRate, rho: this.rho, epsilon: this.#epsilon,
    };
  }

  static fromConfig(
      cls: typeof AdadeltaOptimizer,
      config: OptimizerConfig): AdadeltaOptimizer {
    return new cls(
        number(config, 'learningRate'), number(config, 'rho'),
        number(config, 'epsilon'));
  }
}

/** RMSProp, centered if asked for, with momentum. */
export class RMSPropOptimizer extends Optimizer {
  static override readonly className: string = 'RMSProp';
  readonly #epsilon: number;

  constructor(
      protected learningRate: number, private readonly decay = 0.9,
      private readonly momentum = 0, epsilon: number | null = null,
      private readonly centered = false) {
    super();
    if (learningRate === null || learningRate === undefined) {
      throw new TensorError(
          'argument', 'learningRate for RMSPropOptimizer must be defined.');
    }
    this.#epsilon = epsilon ?? defaultEpsilon;
  }

  protected slotNames(): readonly string[] {
    return this.centered ? ['rms', 'momentum', 'mg'] : ['rms', 'momentum'];
  }

  protected update(
      arg: Arg, v: Tensor, [rms, momentum, mg]: readonly Tensor[],
      g: Tensor): number {
    return wasm.rmspropUpdate(
        arg('v', v), arg('rms', rms!), mg ? arg('mg', mg) : 0,
        arg('momentum', momentum!), arg('gradient', g), this.learningRate,
        this.decay, this.momentum, this.#epsilon);
  }

  getConfig(): OptimizerConfig {
    return {
      learningRate: this.learningRate,
      decay: this.decay,
      momentum: this.momentum,
      epsilon: this.#epsilon,
      centered: this.centered,
    };
  }

  static fromConfig(
      cls: typeof RMSPropOptimizer, config: OptimizerConfig): RMSPropOptimizer {
    return new cls(
        number(config, 'learningRate'), number(config, 'decay'),
        number(config, 'momentum'), number(config, 'epsilon'),
        config['centered'] as boolean);
  }
}

/** Adam: first and second moments of the gradient, corrected for their start. */
export class AdamOptimizer extends Optimizer {
  static override readonly className: string = 'Adam';
  readonly #epsilon: number;

  constructor(
      protected learningRate = 0.001, protected readonly beta1 = 0.9,
      protected readonly beta2 = 0.999, epsilon: number | null = null) {
    super();
    this.#epsilon = epsilon ?? defaultEpsilon;
  }

  /** Changes the learning rate of the steps to come. */
  setLearningRate(learningRate: number): void {
    this.learningRate = learningRate;
  }

  protected slotNames(): readonly string[] {
    return ['m', 'v'];
  }

  protected update(
      arg: Arg, v: Tensor, [m1, m2]: readonly Tensor[], g: Tensor): number {
    const step = this.iterations_ + 1;
    return wasm.adamUpdate(
        arg('v', v), arg('m', m1!), arg('v', m2!), arg('gradient', g),
        this.learningRate, this.beta1, this.beta2, this.beta1 ** step,
        this.beta2 ** step, this.#epsilon);
  }

  getConfig(): OptimizerConfig {
    return {
      learningRate: this.learningRate,
      beta1: this.beta1,
      beta2: this.beta2,
      epsilon: this.#epsilon,
    };
  }

  static fromConfig(
      cls: typeof AdamOptimizer, config: OptimizerConfig): AdamOptimizer {
    return new cls(
        number(config, 'learningRate'), number(config, 'beta1'),
        number(config, 'beta2'), number(config, 'epsilon'));
  }
}

/** Adamax: Adam with the largest gradient so far in place of the second moment. */
export class AdamaxOptimizer extends Optimizer {
  static override readonly className: string = 'Adamax';
  readonly #epsilon: number;

  constructor(
      protected learningRate = 0.002, private readonly beta1 = 0.9,
      private readonly beta2 = 0.999, epsilon: number | null = null,
      private readonly decay = 0) {
    super();
    this.#epsilon = epsilon ?? defaultEpsilon;
  }

  protected slotNames(): readonly string[] {
    return ['m', 'v'];
  }

  protected update(
      arg: Arg, v: Tensor, [m, norm]: readonly Tensor[], g: Tensor): number {
    const rate = this.learningRate / (1 + this.decay * this.iterations_);
    return wasm.adamaxUpdate(
        arg('v', v), arg('m', m!), arg('norm', norm!), arg('gradient', g),
        rate, this.beta1, this.beta2, this.beta1 ** (this.iterations_ + 1),
        this.#epsilon);
  }

  getConfig(): OptimizerConfig {
    return {
      learningRate: this.learningRate,
      beta1: this.beta1,
      beta2: this.beta2,
      epsilon: this.#epsilon,
      decay: this.decay,
    };
  }

  static fromConfig(
      cls: typeof AdamaxOptimizer, config: OptimizerConfig): AdamaxOptimizer {
    return new cls(
        number(config, 'learningRate'), number(config, 'beta1'),
        number(config, 'beta2'), number(config, 'epsilon'),
        number(config, 'decay'));
  }
}
