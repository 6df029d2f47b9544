/** `tf.train`: the optimizers by name. */
import {
  AdadeltaOptimizer, AdagradOptimizer, AdamOptimizer, AdamaxOptimizer,
  MomentumOptimizer, RMSPropOptimizer, SGDOptimizer,
} from './optimizers.js';

/**
 * Stochastic gradient descent.
 *
 * ```js
 * const w = tf.variable(tf.scalar(4));
 * const optimizer = tf.train.sgd(0.25);
 * optimizer.minimize(() => w.square());
 * w.arraySync(); // => 2
 * w.dispose();
 * ```
 */
function sgd(learningRate: number): SGDOptimizer {
  return new SGDOptimizer(learningRate);
}

/**
 * Gradient descent with momentum.
 *
 * ```js
 * const w = tf.variable(tf.scalar(4));
 * const optimizer = tf.train.momentum(0.25, 0.5);
 * optimizer.minimize(() => w.square());
 * w.arraySync(); // => 2
 * tf.dispose(w);
 * optimizer.dispose();
 * ```
 */
function momentum(
    learningRate: number, momentum: number,
    useNesterov = false): MomentumOptimizer {
  return new MomentumOptimizer(learningRate, momentum, useNesterov);
}

/**
 * Adagrad.
 *
 * ```js
 * tf.train.adagrad(0.1).getConfig().initialAccumulatorValue; // => 0.1
 * ```
 */
function adagrad(
    learningRate: number, initialAccumulatorValue = 0.1): AdagradOptimizer {
  return new AdagradOptimizer(learningRate, initialAccumulatorValue);
}

/**
 * Adadelta.
 *
 * ```js
 * tf.train.adadelta().getConfig().rho; // => 0.95
 * ```
 */
function adadelta(
    learningRate = 0.001, rho = 0.95,
    epsilon: number | null = null): AdadeltaOptimizer {
  return new AdadeltaOptimizer(learningRate, rho, epsilon);
}

/**
 * RMSProp.
 *
 * ```js
 * tf.train.rmsprop(0.1).getConfig().decay; // => 0.9
 * ```
 */
function rmsprop(
    learningRate: number, decay = 0.9, momentum = 0,
    epsilon: number | null = null, centered = false): RMSPropOptimizer {
  return new RMSPropOptimizer(
      learningRate, decay, momentum, epsilon, centered);
}

/**
 * Adam.
 *
 * ```js
 * const w = tf.variable(tf.scalar(4));
 * const optimizer = tf.train.adam(0.5);
 * optimizer.minimize(() => w.square());
 * Math.round(w.arraySync() * 1e4) / 1e4; // => 3.5
 * tf.dispose(w);
 * optimizer.dispose();
 * ```
 */
function adam(
    learningRate = 0.001, beta1 = 0.9, beta2 = 0.999,
    epsilon: number | null = null): AdamOptimizer {
  return new AdamOptimizer(learningRate, beta1, beta2, epsilon);
}

/**
 * Adamax.
 *
 * ```js
 * tf.train.adamax().getConfig().learningRate; // => 0.002
 * ```
 */
function adamax(
    learningRate = 0.002, beta1 = 0.9, beta2 = 0.999,
    epsilon: number | null = null, decay = 0): AdamaxOptimizer {
  return new AdamaxOptimizer(learningRate, beta1, beta2, epsilon, decay);
}

/** Makers of optimizers. */
export const train =
    {sgd, momentum, adagrad, adadelta, rmsprop, adam, adamax};
