/** Optimizers by name, with the settings Keras gives them. */
import {TensorError} from '../../errors.js';
import {Optimizer} from '../../train/optimizer.js';
import type {OptimizerConfig} from '../../train/optimizer.js';
import {
  AdadeltaOptimizer, AdagradOptimizer, AdamOptimizer, AdamaxOptimizer,
  MomentumOptimizer, RMSPropOptimizer, SGDOptimizer,
} from '../../train/optimizers.js';
import {deserialize} from '../serialization.js';

const makers: Readonly<Record<string, () => Optimizer>> = {
  sgd: () => new SGDOptimizer(0.01),
  momentum: () => new MomentumOptimizer(0.01, 0.9),
  adagrad: () => new AdagradOptimizer(0.01),
  adadelta: () => new AdadeltaOptimizer(1, 0.95),
  adam: () => new AdamOptimizer(0.001, 0.9, 0.999),
  adamax: () => new AdamaxOptimizer(0.002, 0.9, 0.999),
  rmsprop: () => new RMSPropOptimizer(0.001, 0.9, 0),
};

/**
 * The optimizer that `identifier` names in any spelling ('adam', 'RMSProp').
 * Errors: an unknown name, something else than a name or an optimizer.
 */
export function getOptimizer(identifier: string | Optimizer): Optimizer {
  if (identifier instanceof Optimizer) return identifier;
  if (typeof identifier !== 'string') {
    throw new TensorError(
        'argument', 'User-defined optimizer must be an instance of ' +
            `tf.Optimizer, got ${String(identifier)}`);
  }
  const key = identifier.toLowerCase();
  if (!Object.hasOwn(makers, key)) {
    throw new TensorError(
        'argument', `Unknown Optimizer ${identifier}; optimizers are ` +
            Object.keys(makers).join(', '));
  }
  return makers[key]!();
}

const number = (config: OptimizerConfig, names: string[], otherwise: number)
    : number => {
  for (const name of names) {
    if (typeof config[name] === 'number') return config[name];
  }
  return otherwise;
};

/**
 * An optimizer from its saved class name and config, ours or Keras', or of a
 * class of your own that is registered. Errors: an unknown name.
 */
export function optimizerFromConfig(
    className: string, config: OptimizerConfig): Optimizer {
  const rate = (otherwise: number): number =>
    number(config, ['learningRate', 'learning_rate', 'lr'], otherwise);
  const epsilon = number(config, ['epsilon'], 1e-7);
  const beta1 = number(config, ['beta1', 'beta_1'], 0.9);
  const beta2 = number(config, ['beta2', 'beta_2'], 0.999);
  const momentum = number(config, ['momentum'], 0);
  const rho = (otherwise: number): number =>
    number(config, ['rho', 'decay'], otherwise);
  switch (className.toLowerCase()) {
    case 'sgd':
      return momentum === 0 ? new SGDOptimizer(rate(0.01)) :
        new MomentumOptimizer(
            rate(0.01), momentum, Boolean(config['nesterov']));
    case 'momentum':
      return new MomentumOptimizer(
          rate(0.01), momentum,
          Boolean(config['useNesterov'] ?? config['use_nesterov']));
    case 'adagrad':
      return new AdagradOptimizer(rate(0.01), number(config, [
        'initialAccumulatorValue', 'initial_accumulator_value'], 0.1));
    case 'adadelta':
      return new AdadeltaOptimizer(
          rate(1), number(config, ['rho'], 0.95), epsilon);
    case 'adam':
      return new AdamOptimizer(rate(0.001), beta1, beta2, epsilon);
    case 'adamax':
      return new AdamaxOptimizer(
          rate(0.002), beta1, beta2, epsilon, number(config, ['decay'], 0));
    case 'rmsprop':
      return new RMSPropOptimizer(
          rate(0.001), rho(0.9), momentum, epsilon,
          Boolean(config['centered']));
    default:
      return deserialize('optimizer', {className, config});
  }
}
