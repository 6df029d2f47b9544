// Normalization layers beside TensorFlow.js': at rest, and training.
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { BatchNormalization, LayerNormalization } from '../../../js/src/layers/families/normalization.js';
import { compare, compareWithDifferences, copyWeights, expectClose, made, theirLayer, theirs, useCpu, valueAndGradients } from './beside_tfjs.js';

beforeAll(useCpu);

type Row = [string, object, number[]];
const settings = {
  betaInitializer: 'ones', gammaInitializer: { className: 'Constant', config: { value: 0.5 } }, betaRegularizer: 'l1l2',
  gammaRegularizer: { className: 'L1L2', config: { l1: 0.2, l2: 0 } },
};

const batch: Row[] = [
  ['default', {}, [4, 5]],
  ['sequences', {}, [3, 4, 5]],
  ['images', {}, [2, 3, 5, 4]],
  ['momentum, epsilon', { momentum: 0.7, epsilon: 0.1 }, [4, 5]],
  ['initializers, regularizers, constraints', {
    ...settings, betaConstraint: 'nonNeg', gammaConstraint: 'maxNorm', movingMeanInitializer: 'ones',
    movingVarianceInitializer: { className: 'Constant', config: { value: 2 } },
  }, [4, 5]],
  ['one example', {}, [1, 3]],
];

// The kept variance must be positive: copied weights are not.
const nonNegative = { movingVarianceInitializer: 'ones' };

/** The weights of both layers from the same positive numbers. */
function sameWeights(ours: BatchNormalization, reference: any): void {
  const shapes = reference.getWeights().map((w: any) => w.shape) as number[][];
  for (const [api, layer] of [[tf, ours], [theirs, reference]] as any[]) {
    const values = shapes.map((shape, i) => api.tidy(() => api.add(api.abs(made(api, shape, 20 + i)), 0.1)));
    layer.setWeights(values);
    api.dispose(values);
  }
}

describe('BatchNormalization', () => {
  test.each(batch)('%s', (_name, args, shape) => {
    const reference = theirLayer('BatchNormalization', { ...nonNegative, ...args, name: 'same' });
    const ours = new BatchNormalization({ ...args, name: 'same' });
    theirs.tidy(() => tf.tidy(() => {
      const run = (api: any, layer: any, training: boolean) =>
        valueAndGradients(api, layer, [made(api, shape, 3)], { training });
      run(tf, ours, false);
      run(theirs, reference, false);
      const initial = (layer: any): number[][] => layer.getWeights().map((w: any) => [...w.dataSync()]);
      initial(reference).forEach((w, i) => expectClose(initial(ours)[i]!, w));
      sameWeights(ours, reference);
      for (const training of [false, true, true, false]) {
        const expected = run(theirs, reference, training);
        const got = run(tf, ours, training);
        expectClose(got.values[0]!, expected.values[0]!, 2e-5);
        expect(got.grads.length).toBe(expected.grads.length);
        got.grads.forEach((g, i) => expectClose(g, expected.grads[i]!, 1e-4));
        // The kept statistics moved, twice a run: for the value and the gradient.
        initial(reference).forEach((w, i) => expectClose(initial(ours)[i]!, w));
      }
      expect(ours.computeOutputShape([null, ...shape.slice(1)])).toEqual([null, ...shape.slice(1)]);
      const plain = (config: unknown): any => JSON.parse(JSON.stringify(config));
      expect(plain(ours.getConfig())).toEqual(plain({ ...reference.getConfig() }));
      const again = BatchNormalization.fromConfig(BatchNormalization, plain(reference.getConfig())) as BatchNormalization;
      expect(plain(again.getConfig())).toEqual(plain(ours.getConfig()));
      const cls = reference.constructor as any;
      expect(plain(cls.fromConfig(cls, plain(ours.getConfig())).getConfig())).toEqual(plain(ours.getConfig()));
    }));
    expect(ours.weights.map((w) => w.originalName)).toEqual(reference.weights.map((w: any) => w.originalName));
    ours.dispose();
    reference.dispose();
  });

  // There TensorFlow.js has other numbers or none: its layer for channels that
  // are last, with an offset of 0 and a factor of 1, says what must come out.
  type Options = { axis?: number; center?: boolean; scale?: boolean };
  test.each<[string, Options, number[]]>([
    ['images, channels first', { axis: 1 }, [2, 3, 5, 4]],
    ['sequences, channels first', { axis: 1 }, [2, 3, 5]],
    ['axis from the end', { axis: -2 }, [2, 3, 5]],
    ['no center', { center: false }, [4, 5]],
    ['no scale', { scale: false }, [2, 3, 5, 4]],
    ['neither, channels first', { center: false, scale: false, axis: 1 }, [2, 3, 5, 4]],
  ])('%s', (_name, options, shape) => {
    const { axis = -1, center = true, scale = true } = options;
    const [at, rank] = [axis < 0 ? axis + shape.length : axis, shape.length];
    const order = [...shape.keys()].filter((d) => d !== at).concat(at);
    const back = [...shape.keys()].map((d) => order.indexOf(d));
    const reference = theirLayer('BatchNormalization', { momentum: 0.9 });
    const ours = new BatchNormalization({ momentum: 0.9, ...options });
    theirs.tidy(() => tf.tidy(() => {
      const x = made(tf, shape, 3);
      const y = theirs.transpose<any>(made(theirs, shape, 3), order);
      reference.apply(y);
      ours.apply(x);
      const channels = [shape[at]!];
      const [gamma, beta, mean] = [1, 2, 3].map((seed) => [...made(tf, channels, seed).dataSync()]);
      const variance = channels[0]! === 3 ? [1, 2, 3] : Array.from({ length: channels[0]! }, (_, i) => i + 0.5);
      ours.setWeights([...scale ? [gamma!] : [], ...center ? [beta!] : [], mean!, variance].map((w) => tf.tensor1d(w)));
      reference.setWeights([
        scale ? gamma! : gamma!.map(() => 1), center ? beta! : beta!.map(() => 0), mean!, variance,
      ].map((w) => theirs.tensor1d(w)));
      for (const training of [false, true, true, false]) {
        const expected = theirs.transpose<any>(reference.apply(y, { training }) as any, back);
        expectClose((ours.apply(x, { training }) as tf.Tensor).dataSync(), expected.dataSync(), 2e-5);
        const kept = [ours.getWeights(), reference.getWeights() as unknown as tf.Tensor[]].map((ws) => ws.slice(-2).map((w) => [...w.dataSync()]));
        kept[0]!.forEach((w, i) => expectClose(w, kept[1]![i]!));
        compareWithDifferences(ours, [x], { training }, 1e-2, 1e-2);
        // Differences move the kept statistics of ours.
        [2, 1].forEach((from) => ours.weights.at(-from)!.write(tf.tensor1d(kept[1]![2 - from]!)));
      }
      expect(ours.inputSpec![0]!.axes).toEqual({ [at]: shape[at] });
      expect(rank).toBe(ours.inputSpec![0]!.ndim);
      expect(JSON.parse(JSON.stringify(ours.getConfig()))).toMatchObject({ axis, center, scale });
    }));
    ours.dispose();
    reference.dispose();
  });

  test('a layer that is not trainable never learns from a batch', () => {
    tf.tidy(() => {
      const layer = new BatchNormalization({ trainable: false });
      const x = tf.tensor2d([[1], [3]]);
      expectClose((layer.apply(x, { training: true }) as tf.Tensor).dataSync(), [1, 3], 1e-3);
      expect(layer.getWeights().map((w) => w.arraySync())).toEqual([[1], [0], [0], [1]]);
      layer.trainable = true;
      expectClose((layer.apply(x, { training: true }) as tf.Tensor).dataSync(), [-1, 1], 1e-3);
      expectClose(layer.getWeights()[2]!.dataSync(), [0.02]);
      layer.dispose();
    });
  });

  test('steps that a mask leaves out do not count', () => {
    tf.tidy(() => {
      const layer = new BatchNormalization({ momentum: 0 });
      const x = tf.tensor3d([[[1, 10], [3, 30], [100, -100]], [[5, 50], [7, 7], [8, 8]]]);
      const mask = tf.tensor2d([[1, 1, 0], [1, 0, 0]], [2, 3], 'bool');
      layer.apply(x, { training: true, mask });
      const kept = layer.getWeights().slice(2).map((w) => w.dataSync());
      expectClose(kept[0]!, [3, 30]);
      expectClose(kept[1]!, [8 / 3, 800 / 3]);
      const open = new BatchNormalization();
      const all = tf.ones([2, 3], 'bool');
      const y = layer.apply(x, { training: true, mask: all }) as tf.Tensor;
      expectClose(y.dataSync(), (open.apply(x, { training: true }) as tf.Tensor).dataSync(), 1e-4);
      expect(() => layer.apply(x, { training: true, mask: tf.ones([2]) })).toThrow(/one dimension less.*\[2\].*\[2,3,2\]/);
      // The statistics move while differences are taken, but nothing reads them.
      compareWithDifferences(layer, [made(tf, [2, 3, 2])], { training: true, mask }, 1e-2, 2e-3);
      layer.dispose();
      open.dispose();
    });
  });

  test('the axis as TensorFlow saves it', () => {
    const layer = new BatchNormalization({ axis: [3] as any });
    expect(layer.getConfig()['axis']).toBe(3);
  });
});

const layerRows: Row[] = [
  ['default', {}, [4, 5]],
  ['sequences', {}, [3, 4, 5]],
  ['images', { axis: [1, 2, 3] }, [2, 3, 5, 4]],
  ['two axes of images', { axis: [-1, -2] }, [2, 3, 4, 4]],
  ['one axis in the middle', { axis: 1 }, [2, 3, 5]],
  ['epsilon', { epsilon: 0.1 }, [4, 5]],
  ['initializers and regularizers', settings, [4, 5]],
];

describe('LayerNormalization', () => {
  test.each(layerRows)('%s', (_name, args, inputShape) =>
    compare({ cls: LayerNormalization, args, inputShape, tolerance: 2e-5, unlike: ['axis'] }));

  test.each([{ center: false }, { scale: false, axis: 1 }, { center: false, scale: false, axis: [1, 2] }])('%j, whose gradient it lacks', (args) => {
    const reference = theirLayer('LayerNormalization', args);
    const ours = new LayerNormalization(args);
    theirs.tidy(() => tf.tidy(() => {
      const x = made(tf, [2, 3, 5], 3);
      const y = made(theirs, [2, 3, 5], 3);
      reference.apply(y);
      ours.apply(x);
      copyWeights(ours, reference);
      expectClose((ours.apply(x) as tf.Tensor).dataSync(), (reference.apply(y) as any).dataSync(), 2e-5);
      compareWithDifferences(ours, [x], {}, 1e-2, 1e-2);
    }));
    ours.dispose();
    reference.dispose();
  });

  test('constraints, which TensorFlow.js lacks', () => {
    tf.tidy(() => {
      const layer = new LayerNormalization({ gammaConstraint: 'nonNeg', betaConstraint: 'unitNorm' });
      layer.build([null, 2]);
      layer.setWeights([tf.tensor1d([-1, 2]), tf.tensor1d([3, 4])]);
      expectClose(layer.getWeights()[0]!.dataSync(), [0, 2]);
      expectClose(layer.getWeights()[1]!.dataSync(), [0.6, 0.8]);
      expect(layer.getConfig()).toMatchObject({ gammaConstraint: { className: 'NonNeg' } });
      layer.dispose();
    });
  });

  test('values that are all the same stay 0', () => {
    tf.tidy(() => {
      const layer = new LayerNormalization();
      expect((layer.apply(tf.fill([1, 3], 7)) as tf.Tensor).arraySync()).toEqual([[0, 0, 0]]);
      expect((layer.apply(tf.zeros([0, 3])) as tf.Tensor).shape).toEqual([0, 3]);
      layer.dispose();
    });
  });
});

test('both pass masks on', () => {
  expect([new BatchNormalization(), new LayerNormalization()].map((l) => l.supportsMasking)).toEqual([true, true]);
});

test.each<[string, () => unknown, RegExp]>([
  ['unknown channels', () => new BatchNormalization({ axis: 1 }).build([null, null, 4]), /Axis 1 of input tensor should have a defined dimension.*\[null,null,4\]/],
  ['two axes of a batch', () => new BatchNormalization({ axis: [1, 2] as any }), /axis must be an integer, got \[1,2\]/],
  ['another axis', () => new LayerNormalization({ axis: 3 }).build([null, 3, 4]), /Invalid axis: 3/],
  ['half an axis', () => new LayerNormalization({ axis: 1.5 }), /integer.*1.5/],
  ['an axis twice', () => new LayerNormalization({ axis: [1, -2] }).build([null, 3, 4]), /duplicate axes in: 1,-2/],
  ['unknown lengths', () => new LayerNormalization().build([null, null]), /must be known.*\[null,null\]/],
  ['rms scaling', () => new LayerNormalization({ rmsScaling: true } as any), /rmsScaling is not supported/],
])('%s is refused', (_name, f, message) => {
  expect(f).toThrow(message);
});
