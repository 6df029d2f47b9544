// One layer beside TensorFlow.js' own on its cpu backend: the same weights, the
// same inputs, and then values, gradients, shapes and configs.
import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import type * as Theirs from '@tensorflow/tfjs';
import * as tf from '../../../js/src/index.js';
import type { Kwargs, Layer } from '../../../js/src/layers/layer.js';
import type { SerializableConstructor } from '../../../js/src/layers/serialization.js';

export type TheirLayer = Theirs.layers.Layer;
export const theirs = createRequire(import.meta.url)('@tensorflow/tfjs') as typeof Theirs;

export async function useCpu(): Promise<void> {
  await theirs.setBackend('cpu');
}

/** Numbers in (-1, 1), the same for the same seed. */
export function numbers(count: number, seed = 1): Float32Array {
  let state = seed * 2654435761 >>> 0;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

const sizeOf = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);

/** A tensor of such numbers in either library. */
export function made<T extends { tensor: unknown }>(api: T, shape: readonly number[], seed = 1): any {
  return (api.tensor as any)(numbers(sizeOf(shape), seed), shape, 'float32');
}

export function expectClose(ours: ArrayLike<number>, expected: ArrayLike<number>, tolerance = 1e-5): void {
  expect(ours.length).toBe(expected.length);
  for (let i = 0; i < ours.length; i++) {
    const [a, b] = [ours[i]!, expected[i]!];
    if (!(Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(b)))) {
      throw new Error(`at ${i} of ${ours.length}: ${a}, expected ${b}`);
    }
  }
}

const factoryNames: Record<string, string> = {
  LSTM: 'lstm', GRU: 'gru', SimpleRNN: 'simpleRNN', RNN: 'rnn', LSTMCell: 'lstmCell', GRUCell: 'gruCell',
  SimpleRNNCell: 'simpleRNNCell', Cropping2D: 'cropping2D', StackedRNNCells: 'stackedRNNCells',
  PReLU: 'prelu', ELU: 'elu',
};

/** TensorFlow.js' layer of a class name. */
export function theirLayer(className: string, args: object): TheirLayer {
  const name = factoryNames[className] ?? className[0]!.toLowerCase() + className.slice(1).replace(/(\d)D/, '$1d');
  return (theirs.layers as any)[name](args) as TheirLayer;
}

/** Gives both layers the same weights, from a seed. */
export function copyWeights(ours: Layer, reference: TheirLayer, seed = 7): void {
  const shapes = reference.getWeights().map((w) => w.shape);
  expect(ours.getWeights().map((w) => w.shape)).toEqual(shapes);
  const give = (api: typeof tf, layer: { setWeights(w: any): void }): void => {
    const values = shapes.map((shape, i) => made(api, shape, seed + i));
    layer.setWeights(values);
    api.dispose(values);
  };
  give(tf, ours);
  give(theirs as unknown as typeof tf, reference);
}

/** What a call gives, and the gradients of a sum of it, weighted at random, at inputs and weights. */
export function valueAndGradients(
  api: typeof tf, layer: any, inputs: readonly tf.Tensor[], kwargs: Kwargs = {}, differentiate = true,
): { values: Float32Array[]; shapes: number[][]; grads: Float32Array[] } {
  return api.tidy(() => {
    const variables = (layer.trainableWeights as { read(): tf.Tensor }[]).map((w) => w.read());
    const call = (xs: readonly tf.Tensor[]): tf.Tensor[] => {
      const y = layer.apply(xs.length === 1 ? xs[0] : [...xs], { ...kwargs }) as tf.Tensor | tf.Tensor[];
      return Array.isArray(y) ? y : [y];
    };
    const loss = (...args: tf.Tensor[]): tf.Tensor => {
      const outputs = call(args.slice(0, inputs.length));
      const terms = outputs.map((y, i) => api.sum(api.mul(y, made(api, y.shape, 100 + i))));
      return terms.reduce((a, b) => api.add(a, b));
    };
    const outputs = call(inputs);
    const { grads } = differentiate ? api.valueAndGrads(loss)([...inputs, ...variables]) : { grads: [] };
    const read = (t: tf.Tensor): Float32Array => t.dataSync<'float32'>();
    return { values: outputs.map(read), shapes: outputs.map((y) => y.shape as number[]), grads: grads.map(read) };
  });
}

export interface Beside {
  cls: SerializableConstructor<Layer>;
  args: object;
  /** With the batch; several for layers with several inputs. */
  inputShape: readonly number[] | readonly (readonly number[])[];
  /** Their settings, where they are others. */
  theirArgs?: object;
  kwargs?: (api: typeof tf) => Kwargs;
  /** Settings in which configs may differ. */
  unlike?: readonly string[];
  tolerance?: number;
  /** TensorFlow.js has no gradient here: ours is compared with differences, exact for linear layers; a number is their step. */
  differences?: boolean | number;
  /** Settings that TensorFlow.js forgets to save. */
  unsaved?: object;
  /** False where layers made of configs give other values: those that drop at random. */
  reread?: boolean;
}

/** Compares the gradients at inputs and weights with differences along random directions. */
export function compareWithDifferences(layer: Layer, inputs: readonly tf.Tensor[], kwargs: Kwargs = {}, step = 0.5, tolerance = 1e-4): void {
  tf.tidy(() => {
    const { grads } = valueAndGradients(tf, layer, inputs, kwargs);
    const loss = (xs: readonly tf.Tensor[]): number => tf.tidy(() => {
      const y = layer.apply(xs.length === 1 ? xs[0]! : [...xs], { ...kwargs }) as tf.Tensor | tf.Tensor[];
      return (Array.isArray(y) ? y : [y]).reduce(
        (sum, out, i) => sum + tf.sum(tf.mul(out, made(tf, out.shape, 100 + i))).dataSync()[0]!, 0);
    });
    const check = (i: number, x: tf.Tensor, lossAt: (moved: tf.Tensor) => number): void => {
      const direction = made(tf, x.shape, 50 + i) as tf.Tensor;
      const along = (factor: number): number => lossAt(tf.add(x, tf.mul(direction, factor)));
      const slope = (along(step) - along(-step)) / (2 * step);
      const values = direction.dataSync();
      const expected = grads[i]!.reduce((sum, g, j) => sum + g * values[j]!, 0);
      expectClose([expected], [slope], tolerance);
    };
    inputs.forEach((x, i) => check(i, x, (moved) => loss(inputs.map((other, j) => (j === i ? moved : other)))));
    layer.trainableWeights.forEach((w, i) => {
      const before = tf.clone(w.read());
      check(inputs.length + i, before, (moved) => {
        w.variable.assign(moved);
        return loss(inputs);
      });
      w.variable.assign(before);
    });
  });
}

const plain = (config: unknown): any => JSON.parse(JSON.stringify(config));

/** Compares all there is; frees both layers. */
export function compare(row: Beside): void {
  const { cls, args, kwargs, tolerance = 1e-5 } = row;
  const shapes = (Array.isArray(row.inputShape[0]) ? row.inputShape : [row.inputShape]) as readonly number[][];
  const reference = theirLayer(cls.className, { ...(row.theirArgs ?? args), name: 'same' });
  const ours = new (cls as any)({ ...args, name: 'same' }) as Layer;
  theirs.tidy(() => {
    tf.tidy(() => {
      const run = (api: any, layer: any) => valueAndGradients(
        api, layer, shapes.map((s, i) => made(api, s, 11 + i)), kwargs?.(api), !row.differences);
      run(theirs, reference);
      run(tf, ours);
      copyWeights(ours, reference);
      const expected = run(theirs, reference);
      const got = run(tf, ours);
      expect(got.shapes).toEqual(expected.shapes);
      got.values.forEach((y, i) => expectClose(y, expected.values[i]!, tolerance));
      expect(got.grads.length).toBe(expected.grads.length);
      got.grads.forEach((g, i) => expectClose(g, expected.grads[i]!, tolerance * 4));
      if (row.differences) {
        const near = typeof row.differences === 'number' ? [row.differences, 5e-3] : [];
        compareWithDifferences(ours, shapes.map((s, i) => made(tf, s, 11 + i)), kwargs?.(tf), ...near);
      }
      const single = <T>(list: readonly T[]): T | readonly T[] => (list.length === 1 ? list[0]! : list);
      const open = single(shapes.map((s) => [null, ...s.slice(1)]));
      expect(plain(ours.computeOutputShape(open as any))).toEqual(plain(reference.computeOutputShape(open as any)));

      // Theirs reads our config, we read theirs, and both say the same.
      const [mine, other] = [plain(ours.getConfig()), plain(reference.getConfig())];
      for (const key of row.unlike ?? []) {
        delete mine[key];
        delete other[key];
      }
      expect(mine).toMatchObject(other);
      const theirClass = reference.constructor as any;
      const fromOurs = theirClass.fromConfig(theirClass, plain(ours.getConfig()));
      const fromTheirs = cls.fromConfig!(cls, { ...plain(reference.getConfig()), ...row.unsaved });
      const again: [any, any][] = [[theirs, fromOurs], [tf, fromTheirs]];
      for (const [api, layer] of again) {
        run(api, layer);
        const values = reference.getWeights().map((w) => (api.tensor)(w.dataSync(), w.shape));
        layer.setWeights(values);
        const result = run(api, layer);
        if (row.reread !== false) result.values.forEach((y, i) => expectClose(y, expected.values[i]!, tolerance));
        layer.dispose();
      }
    });
  });
  ours.dispose();
  reference.dispose();
}
