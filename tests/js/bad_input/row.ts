import type * as tf from '../../../js/src/index.js';

/** A wrong call, and what its error has to say. */
export interface Row {
  name: string;
  /** Tensors made beforehand and freed afterwards. */
  given?: () => tf.Tensor[];
  run: (...given: any[]) => unknown;
  error: RegExp;
}

/** A message that holds the op's name and every one of the values, in any order. */
export function says(op: string, ...values: (string | number)[]): RegExp {
  const literal = (value: string | number) => String(value).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const parts = [op, ...values].map((part) => `(?=[^]*(?<![\\w.])${literal(part)}(?![\\w]))`);
  return new RegExp(`^${parts.join('')}`, 'i');
}
