/** Activation functions by name. */
import {elu, relu, relu6, selu, sigmoid, softplus} from '../ops/activation.js';
import {add, div, mul} from '../ops/binary.js';
import {clone} from '../ops/creation.js';
import {erf, exp, tanh} from '../ops/math.js';
import {logSoftmax, softmax} from '../ops/normalization.js';
import {abs, clipByValue, square} from '../ops/unary.js';
import {tidy} from '../scope.js';
import type {Tensor} from '../tensor.js';
import {knownClasses, resolve} from './identifiers.js';
import type {Identifier} from './identifiers.js';
import {Serializable, registerClass} from './serialization.js';
import type {
  ConfigDict, CustomObjects, SerializableConstructor,
} from './serialization.js';

/** A function of tensors that a name stands for. */
export abstract class Activation extends Serializable {
  static override readonly className: string = 'Activation';

  /** The function; softmaxes take an axis, `elu` and `swish` a factor. */
  abstract apply(x: Tensor, option?: number): Tensor;

  /** The name it is saved under. */
  get name(): string {
    return this.getClassName();
  }

  getConfig(): ConfigDict {
    return {};
  }
}

/** A name, settings or an object: what layers take for an activation. */
export type ActivationIdentifier = Identifier<Activation>;

type Body = (x: Tensor, option?: number) => Tensor;

/** A class of activations; they have no settings. */
export interface ActivationClass extends SerializableConstructor<Activation> {
  new (): Activation;
}

function define(name: string, body: Body): ActivationClass {
  return class extends Activation {
    static override readonly className: string = name;

    apply(x: Tensor, option?: number): Tensor {
      return tidy(() => body(x, option));
    }
  };
}

export const Elu = define('elu', (x, alpha = 1) =>
  // Below 0 relu(x) is 0, above elu is x: one alpha serves both.
  (alpha === 1 ? elu(x) :
    add(mul(add(elu(x), mul(relu(x), -1)), alpha), relu(x))));
export const Selu = define('selu', (x) => selu(x));
export const Relu = define('relu', (x) => relu(x));
export const Relu6 = define('relu6', (x) => relu6(x));
export const Linear = define('linear', (x) => clone(x));
export const Sigmoid = define('sigmoid', (x) => sigmoid(x));
export const HardSigmoid = define('hardSigmoid', (x) =>
  clipByValue(add(mul(x, 0.2), 0.5), 0, 1));
export const Softplus = define('softplus', (x) => softplus(x));
export const Softsign = define('softsign', (x) => div(x, add(abs(x), 1)));
export const Tanh = define('tanh', (x) => tanh(x));
export const Softmax = define('softmax', (x, axis = -1) => softmax(x, axis));
export const LogSoftmax =
    define('logSoftmax', (x, axis = -1) => logSoftmax(x, axis));
export const Gelu = define('gelu', (x) =>
  mul(mul(x, 0.5), add(erf(mul(x, Math.SQRT1_2)), 1)));
// Hendrycks and Gimpel's approximation, as GPT-2 uses it.
export const GeluNew = define('gelu_new', (x) => {
  const inner = mul(x, add(mul(square(x), 0.044715), 1));
  return mul(mul(x, 0.5), add(tanh(mul(inner, Math.sqrt(2 / Math.PI))), 1));
});
export const Mish = define('mish', (x) => mul(x, tanh(softplus(x))));
export const Swish = define('swish', (x, alpha = 1) =>
  mul(x, sigmoid(alpha === 1 ? x : mul(x, alpha))));
export const Exponential = define('exponential', (x) => exp(x));

const classes = [
  Elu, Exponential, Gelu, GeluNew, HardSigmoid, Linear, LogSoftmax, Mish, Relu,
  Relu6, Selu, Sigmoid, Softmax, Softplus, Softsign, Swish, Tanh,
];
for (const cls of classes) registerClass(cls);

const known = knownClasses<Activation>(
    classes, {silu: Swish});

/**
 * The activation an identifier means; `linear` for none. Errors: an unknown
 * name.
 */
export function getActivation(
    identifier: ActivationIdentifier | null | undefined,
    customObjects?: CustomObjects): Activation {
  if (identifier === null || identifier === undefined) return new Linear();
  return resolve('activation', identifier, known, customObjects);
}

/** The name an activation is saved under. */
export function serializeActivation(activation: Activation): string {
  return activation.getClassName();
}
