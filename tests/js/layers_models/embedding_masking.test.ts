// Embedding and Masking beside TensorFlow.js'.
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { Embedding } from '../../../js/src/layers/families/embedding.js';
import { Masking } from '../../../js/src/layers/families/masking.js';
import { compare, copyWeights, expectClose, theirLayer, theirs, useCpu, valueAndGradients } from './beside_tfjs.js';

beforeAll(useCpu);

const plain = (config: unknown): any => JSON.parse(JSON.stringify(config));

describe('Embedding', () => {
  test.each<[string, object, number[][] | number[]]>([
    ['default', { inputDim: 7, outputDim: 3 }, [[1, 6, 0, 1], [2, 2, 5, 4]]],
    ['vectors', { inputDim: 7, outputDim: 3 }, [1, 6, 0]],
    ['one of one', { inputDim: 1, outputDim: 1 }, [[0]]],
    ['maskZero', { inputDim: 7, outputDim: 3, maskZero: true }, [[1, 6, 0, 1], [2, 0, 0, 0]]],
    ['inputLength', { inputDim: 7, outputDim: 2, inputLength: 3 }, [[1, 2, 3]]],
    ['lengths', { inputDim: 7, outputDim: 2, inputLength: [3] }, [[1, 2, 3]]],
    ['inputShape', { inputDim: 7, outputDim: 2, inputShape: [3] }, [[1, 2, 3]]],
    ['batchSize', { inputDim: 7, outputDim: 2, batchSize: 1 }, [[1, 2, 3]]],
    ['initializer, regularizer, constraint', {
      inputDim: 5, outputDim: 2, embeddingsInitializer: 'ones', embeddingsRegularizer: 'l1l2',
      embeddingsConstraint: { className: 'UnitNorm', config: { axis: 1 } },
    }, [[1, 2, 3]]],
  ])('%s', (_name, args, ids) => {
    const reference = theirLayer('Embedding', { ...args, name: 'same' });
    const ours = new Embedding({ ...args, name: 'same' } as any);
    theirs.tidy(() => tf.tidy(() => {
      const input = (api: any, dtype = 'int32') => api.tensor(ids, undefined, dtype);
      reference.apply(input(theirs));
      ours.apply(input(tf));
      copyWeights(ours, reference);
      // Gradients of the embeddings only: whole numbers have none.
      const run = (api: any, layer: any) => valueAndGradients(
        api, { apply: () => layer.apply(input(api)), trainableWeights: layer.trainableWeights }, []);
      const [got, expected] = [run(tf, ours), run(theirs, reference)];
      expect(got.shapes).toEqual(expected.shapes);
      expectClose(got.values[0]!, expected.values[0]!);
      expectClose(got.grads[0]!, expected.grads[0]!);
      const cast = (ours.apply(input(tf, 'float32')) as tf.Tensor).dataSync();
      expectClose(cast, expected.values[0]!);
      const open = [null, ...expected.shapes[0]!.slice(1, -1)];
      expect(ours.computeOutputShape(open)).toEqual(reference.computeOutputShape(open));
      const masks = [ours.computeMask(input(tf)), reference.computeMask(input(theirs)) as any];
      expect(masks[0]?.arraySync()).toEqual(masks[1]?.arraySync());
      expect(plain(ours.getConfig())).toMatchObject(plain(reference.getConfig()));
      const [mine, other] = [Embedding, reference.constructor] as any[];
      expect(plain(mine.fromConfig(mine, plain(reference.getConfig())).getConfig())).toMatchObject(plain(reference.getConfig()));
      expect(plain(other.fromConfig(other, plain(ours.getConfig())).getConfig())).toMatchObject(plain(reference.getConfig()));
    }));
    expect(ours.supportsMasking).toBe('maskZero' in args);
    ours.dispose();
    reference.dispose();
  });

  test('lengths of several dimensions, some of them open', () => {
    const layer = new Embedding({ inputDim: 5, outputDim: 2, inputLength: [3, null] });
    expect(layer.batchInputShape).toEqual([null, 3, null]);
    expect(layer.computeOutputShape([2, null, 4])).toEqual([2, 3, 4, 2]);
  });

  test.each<[string, () => unknown, RegExp]>([
    ['no numbers', () => new Embedding({ inputDim: 0, outputDim: 2 }), /inputDim must be a positive integer, got 0/],
    ['no vectors', () => new Embedding({ inputDim: 3 } as any), /outputDim must be a positive integer, got undefined/],
    ['another length', () => new Embedding({ inputDim: 3, outputDim: 2, inputLength: 4 }).computeOutputShape([2, 3]), /"inputLength" is 4, but received input shape has shape \[2,3\]/],
    ['another rank', () => new Embedding({ inputDim: 3, outputDim: 2, inputLength: [4, 2] }).computeOutputShape([2, 3]), /"inputLength" is 4,2/],
    ['a number out of range', () => {
      const layer = new Embedding({ inputDim: 5, outputDim: 2 });
      try {
        layer.apply(tf.tensor2d([[1, 7]]));
      } finally {
        layer.dispose();
      }
    }, /index.*7.*\[0, 4\]/],
    ['NaN', () => {
      const layer = new Embedding({ inputDim: 5, outputDim: 2, name: 'words' });
      try {
        layer.apply(tf.tensor2d([[1, NaN]]));
      } finally {
        layer.dispose();
      }
    }, /words: an index of the embedding is NaN, it must be from 0 to 4/],
  ])('%s is refused', (_name, f, message) => {
    tf.tidy(() => void expect(f).toThrow(message));
  });
});

describe('Masking', () => {
  test.each<[string, object, number[]]>([
    ['default', {}, [2, 3, 4]],
    ['maskValue', { maskValue: 0.5 }, [2, 3, 4]],
    ['images', {}, [2, 3, 2, 4]],
  ])('%s', (_name, args, inputShape) => compare({ cls: Masking, args, inputShape, differences: true }));

  test('marks steps, and sets them to 0', () => {
    tf.tidy(() => {
      const x = tf.tensor3d([[[1, 1], [1, 0], [0, 0]], [[1, 1], [1, 1], [2, 1]]]);
      const layer = new Masking({ maskValue: 1 });
      const mask = layer.computeMask(x);
      expect(mask.dtype).toBe('bool');
      expect(mask.arraySync()).toEqual([[0, 1, 1], [0, 0, 1]]);
      expect((layer.apply(x) as tf.Tensor).arraySync()).toEqual([[[0, 0], [1, 0], [0, 0]], [[0, 0], [0, 0], [2, 1]]]);
      const reference = theirLayer('Masking', { maskValue: 1 });
      const theirMask = theirs.tidy(() => (reference.computeMask(theirs.tensor(x.arraySync())) as any).arraySync());
      expect(mask.arraySync()).toEqual(theirMask);
    });
  });
});
