// Bidirectional and TimeDistributed beside TensorFlow.js'.
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { gatherCosts } from '../../../js/src/layers/activity.js';
import { Bidirectional } from '../../../js/src/layers/families/bidirectional.js';
import { Conv2D } from '../../../js/src/layers/families/conv.js';
import { GRUCell } from '../../../js/src/layers/families/gated_cells.js';
import { Dense } from '../../../js/src/layers/families/core.js';
import { Dropout } from '../../../js/src/layers/families/noise.js';
import { BatchNormalization } from '../../../js/src/layers/families/normalization.js';
import { GlobalAveragePooling1D } from '../../../js/src/layers/families/pooling.js';
import { GRU, LSTM, SimpleRNN } from '../../../js/src/layers/families/rnn.js';
import { TimeDistributed } from '../../../js/src/layers/families/time_distributed.js';
import { input } from '../../../js/src/layers/input.js';
import { Layer } from '../../../js/src/layers/layer.js';
import { model as functional } from '../../../js/src/layers/model.js';
import { Sequential } from '../../../js/src/layers/sequential.js';
import { compare, copyWeights, expectClose, made, theirLayer, theirs, useCpu, valueAndGradients } from './beside_tfjs.js';

beforeAll(useCpu);

const shape = [2, 4, 3];
const classes: Record<string, any> = { SimpleRNN, LSTM, GRU };

/** Both libraries' wrappers of a recurrent layer, with the same weights. */
function both(name: string, inner: object, outer: object = {}): [Bidirectional, any] {
  const own = new classes[name]({ name: 'inner', ...inner });
  const ours = new Bidirectional({ layer: own, name: 'both', ...outer });
  const reference = theirs.layers.bidirectional({ layer: theirLayer(name, { name: 'inner', ...inner }) as any, name: 'both', ...outer });
  return [ours, reference];
}

const plain = (config: unknown): any => JSON.parse(JSON.stringify(config));

function freeTheirs(reference: any): void {
  for (const weight of reference.weights) weight.dispose();
}

function compareBoth(ours: Layer, reference: any, inputShapes: number[][], kwargs: (api: any) => object = () => ({})): void {
  theirs.tidy(() => tf.tidy(() => {
    const run = (api: any, layer: any): ReturnType<typeof valueAndGradients> =>
      valueAndGradients(api, layer, inputShapes.map((s, i) => made(api, s, 5 + i)), kwargs(api) as any);
    run(theirs, reference);
    run(tf, ours);
    // Random variances would be negative.
    if ((ours as any).layer.getClassName() !== 'BatchNormalization') copyWeights(ours, reference);
    if (ours.stateful) for (const layer of [ours, reference]) layer.resetStates();
    const [expected, got] = [run(theirs, reference), run(tf, ours)];
    expect(got.shapes).toEqual(expected.shapes);
    got.values.forEach((y, i) => expectClose(y, expected.values[i]!));
    expect(got.grads.length).toBe(expected.grads.length);
    got.grads.forEach((g, i) => expectClose(g, expected.grads[i]!, 4e-5));
  }));
}

describe('Bidirectional', () => {
  const modes = ['concat', 'sum', 'mul', 'ave', null];
  const inner: [string, object][] = [
    ['last output', {}],
    ['sequences', { returnSequences: true }],
    ['state', { returnState: true }],
    ['sequences and state', { returnSequences: true, returnState: true }],
  ];

  describe.each(inner)('%s', (_, args) => {
    test.each(modes)('%s', (mergeMode) => {
      const [ours, reference] = both('LSTM', { units: 3, ...args }, { mergeMode });
      compareBoth(ours, reference, [shape]);
      const open = [null, 4, 3];
      expect(ours.computeOutputShape(open)).toEqual(reference.computeOutputShape(open));
      const count = (mask: unknown): unknown => (Array.isArray(mask) ? mask.map((m) => m === null) : mask === null);
      tf.tidy(() => theirs.tidy(() => {
        expect(count(ours.computeMask(tf.ones(shape), tf.ones([2, 4])))).toEqual(count(reference.computeMask(theirs.ones(shape), theirs.ones([2, 4]))));
      }));
      expect(plain(ours.getConfig())).toMatchObject({ ...plain(reference.getConfig()), mergeMode });
      const again = Bidirectional.fromConfig(Bidirectional, plain(reference.getConfig())) as Bidirectional;
      expect(again.getConfig()).toEqual(ours.getConfig());
      const theirClass = reference.constructor;
      expect(theirClass.fromConfig(theirClass, plain(ours.getConfig())).getConfig().mergeMode).toBe(mergeMode);
      ours.dispose();
      again.dispose();
      freeTheirs(reference);
    });
  });

  test.each(['SimpleRNN', 'GRU'])('%s', (name) => {
    const [ours, reference] = both(name, { units: 3, returnSequences: true, returnState: true });
    compareBoth(ours, reference, [shape]);
    ours.dispose();
    freeTheirs(reference);
  });

  test.each([false, true])('a mask; sequences: %s', (returnSequences) => {
    const [ours, reference] = both('GRU', { units: 3, returnSequences });
    compareBoth(ours, reference, [shape], (api) => ({ mask: api.tensor2d([1, 1, 0, 1, 1, 1, 0, 0], [2, 4], 'bool') }));
    ours.dispose();
    freeTheirs(reference);
  });

  test('initial states, as values and as inputs', () => {
    const [ours, reference] = both('LSTM', { units: 3, returnState: true });
    const states = (api: any): any[] => [1, 2, 3, 4].map((seed) => made(api, [2, 3], seed));
    compareBoth(ours, reference, [shape], (api) => ({ initialState: states(api) }));
    tf.tidy(() => {
      const x = made(tf, shape, 5);
      const [a, b] = [ours.apply(x, { initialState: states(tf) }), ours.apply([x, ...states(tf)])] as tf.Tensor[][];
      a!.forEach((y, i) => expect(y.arraySync()).toEqual(b![i]!.arraySync()));
      expect(() => ours.apply(x, { initialState: states(tf).slice(1) })).toThrow('containing the states of the underlying RNNs, got 3');
    });
    ours.dispose();
    freeTheirs(reference);
  });

  test('initial states in a model', () => {
    const [ours] = both('GRU', { units: 3 });
    const x = input({ shape: [4, 3] });
    const states = [input({ shape: [3] }), input({ shape: [3] })];
    const y = ours.apply(x, { initialState: states }) as any;
    const model = functional({ inputs: [x, ...states], outputs: y });
    tf.tidy(() => {
      const values = [made(tf, shape), made(tf, [2, 3], 2), made(tf, [2, 3], 3)] as tf.Tensor[];
      const expected = ours.apply(values[0]!, { initialState: values.slice(1) }) as tf.Tensor;
      expect((model.apply(values) as tf.Tensor).arraySync()).toEqual(expected.arraySync());
      expect(() => ours.apply(x, { initialState: [states[0]!, values[1]!] })).toThrow('a mix of symbolic and non-symbolic');
    });
    model.dispose();
  });

  test('a layer that goes backwards, and one of its own for the way back', () => {
    const [ours, reference] = both('GRU', { units: 3, goBackwards: true, returnSequences: true });
    compareBoth(ours, reference, [shape]);
    ours.dispose();
    freeTheirs(reference);

    const own = new Bidirectional({
      layer: new GRU({ units: 3, name: 'f' }), backwardLayer: new SimpleRNN({ units: 3, goBackwards: true, name: 'b' }),
    });
    tf.tidy(() => {
      const x = made(tf, shape);
      const y = own.apply(x) as tf.Tensor;
      const parts = [own.forwardLayer, own.backwardLayer].map((layer) => layer.apply(x) as tf.Tensor);
      expect(y.arraySync()).toEqual(tf.concat(parts, 1).arraySync());
    });
    expect([own.forwardLayer.name, own.backwardLayer.name]).toEqual(['forward_f', 'backward_b']);
    const again = Bidirectional.fromConfig(Bidirectional, plain(own.getConfig())) as Bidirectional;
    expect(again.backwardLayer).toBeInstanceOf(SimpleRNN);
    own.dispose();
    again.dispose();
    expect(() => new Bidirectional({ layer: new GRU({ units: 1 }), backwardLayer: new GRU({ units: 1 }) })).toThrow('goes the same way');
  });

  test('a config as Keras 3 saves it, with both copies', () => {
    const [ours] = both('GRU', { units: 2 });
    const config = {
      ...plain(ours.getConfig()),
      layer: { className: 'GRU', config: plain(ours.forwardLayer.getConfig()) },
      backwardLayer: { className: 'GRU', config: plain(ours.backwardLayer.getConfig()) },
    };
    const again = Bidirectional.fromConfig<Bidirectional>(Bidirectional, config);
    expect([again.forwardLayer.name, again.backwardLayer.name]).toEqual(['forward_inner', 'backward_inner']);
    expect([again.forwardLayer.goBackwards, again.backwardLayer.goBackwards]).toEqual([false, true]);
    ours.dispose();
    again.dispose();
  });

  test('a cell that only the caller knows', () => {
    class Own extends GRUCell {
      static override className = 'TestOwnCell';
    }
    const config = {
      layer: { className: 'RNN', config: { cell: { className: 'TestOwnCell', config: { units: 2 } } } }, mergeMode: 'sum',
    };
    const layer = Bidirectional.fromConfig<Bidirectional>(Bidirectional, config, { TestOwnCell: Own });
    expect(layer.forwardLayer.cell).toBeInstanceOf(Own);
    expect(() => Bidirectional.fromConfig(Bidirectional, config)).toThrow('Unknown cell: TestOwnCell');
    layer.dispose();
  });

  test('stateful', () => {
    const [ours, reference] = both('GRU', { units: 2, stateful: true, batchInputShape: [2, 4, 3] });
    const before = tf.memory().numTensors;
    compareBoth(ours, reference, [shape]);
    expect(ours.stateful).toBe(true);
    ours.resetStates();
    tf.tidy(() => expect(ours.forwardLayer.states.map((s) => [...s!.dataSync()])).toEqual([[0, 0, 0, 0]]));
    expect(tf.memory().numTensors - before).toBe(6 + 2);
    ours.dispose();
    expect(tf.memory().numTensors).toBe(before);
    theirs.dispose([...reference.forwardLayer.getStates(), ...reference.backwardLayer.getStates()]);
    freeTheirs(reference);
  });

  test('names, trainable, losses, weights', () => {
    const [ours, reference] = both('LSTM', { units: 2, kernelRegularizer: 'l1l2' });
    tf.tidy(() => void ours.apply(tf.ones(shape)));
    theirs.tidy(() => void reference.apply(theirs.ones(shape)));
    expect(ours.weights.map((w) => w.originalName)).toEqual(reference.weights.map((w: any) => w.originalName));
    expect(ours.losses.length).toBe(2);
    ours.trainable = false;
    expect([ours.trainableWeights.length, ours.nonTrainableWeights.length, ours.forwardLayer.trainable]).toEqual([0, 6, false]);
    ours.trainable = true;
    expect(ours.trainableWeights.length).toBe(6);
    expect(ours.dispose().numDisposedVariables).toBe(6);
    freeTheirs(reference);
  });

  test('what is wrong', () => {
    expect(() => new Bidirectional({ layer: new GRU({ units: 1 }), mergeMode: 'max' as 'sum' })).toThrow('"max" is not a valid mergeMode. Valid values are sum, mul, concat, ave, null.');
    expect(() => new Bidirectional({ layer: new Dense({ units: 1 }) as any })).toThrow('expected a recurrent layer');
    expect(() => new Bidirectional({} as any)).toThrow('expected a recurrent layer, got undefined');
  });
});

describe('TimeDistributed', () => {
  test.each<[string, () => Layer, () => any, number[]]>([
    ['Dense', () => new Dense({ units: 4, activation: 'softmax', name: 'd' }), () => theirs.layers.dense({ units: 4, activation: 'softmax', name: 'd' }), [2, 3, 5]],
    ['Conv2D', () => new Conv2D({ filters: 2, kernelSize: 2, name: 'c' }), () => theirs.layers.conv2d({ filters: 2, kernelSize: 2, name: 'c' }), [2, 3, 4, 5, 2]],
    ['LSTM', () => new LSTM({ units: 2, name: 'l' }), () => theirs.layers.lstm({ units: 2, name: 'l' }), [2, 3, 4, 2]],
    ['LSTM, sequences', () => new LSTM({ units: 2, returnSequences: true, name: 'l' }), () => theirs.layers.lstm({ units: 2, returnSequences: true, name: 'l' }), [2, 3, 4, 2]],
    ['BatchNormalization', () => new BatchNormalization({ name: 'n' }), () => theirs.layers.batchNormalization({ name: 'n' }), [2, 3, 4]],
    ['TimeDistributed', () => new TimeDistributed({ layer: new Dense({ units: 2, name: 'd' }), name: 't' }),
      () => theirs.layers.timeDistributed({ layer: theirs.layers.dense({ units: 2, name: 'd' }), name: 't' }), [2, 3, 4, 2]],
  ])('%s', (_, ourInner, theirInner, inputShape) => {
    const ours = new TimeDistributed({ layer: ourInner(), name: 'each' });
    const reference = theirs.layers.timeDistributed({ layer: theirInner(), name: 'each' }) as any;
    compareBoth(ours, reference, [inputShape]);
    const open = [null, ...inputShape.slice(1)];
    expect(ours.computeOutputShape(open)).toEqual(reference.computeOutputShape(open));
    expect(plain(ours.getConfig())).toMatchObject(plain(reference.getConfig()));
    const again = TimeDistributed.fromConfig(TimeDistributed, plain(reference.getConfig())) as TimeDistributed;
    expect(plain(again.getConfig())).toEqual(plain(ours.getConfig()));
    const theirClass = reference.constructor;
    expect(theirClass.fromConfig(theirClass, plain(ours.getConfig())).getConfig().name).toBe('each');
    ours.dispose();
    freeTheirs(reference);
  });

  test('a model, and unknown numbers of steps', () => {
    const inner = new Sequential({ layers: [new Dense({ units: 3, inputShape: [4] }), new Dropout({ rate: 0.5 })] });
    const layer = new TimeDistributed({ layer: inner });
    expect(layer.computeOutputShape([null, null, 4])).toEqual([null, null, 3]);
    tf.tidy(() => {
      const x = made(tf, [2, 5, 4]) as tf.Tensor3D;
      const y = layer.apply(x) as tf.Tensor;
      const expected = tf.stack(tf.unstack(x, 1).map((step) => inner.apply(step) as tf.Tensor), 1);
      expectClose(y.dataSync(), expected.dataSync(), 1e-6);
      // Other lengths are welcome.
      expect((layer.apply(tf.ones([3, 7, 4])) as tf.Tensor).shape).toEqual([3, 7, 3]);
    });
    layer.dispose();
  });

  test('layers of other classes see one step at a time', () => {
    const seen: number[][] = [];
    class Whole extends Layer {
      static override className = 'TestWhole';

      override call(inputs: tf.Tensor | tf.Tensor[]): tf.Tensor {
        const x = inputs as tf.Tensor;
        seen.push(x.shape);
        return tf.softmax(tf.transpose(x)).transpose();
      }
    }
    const layer = new TimeDistributed({ layer: new Whole() });
    tf.tidy(() => {
      const x = made(tf, [2, 3, 4]) as tf.Tensor;
      const y = layer.apply(x) as tf.Tensor;
      expect(seen).toEqual([[2, 4], [2, 4], [2, 4]]);
      expectClose(tf.sum(y, 0).dataSync(), new Float32Array(12).fill(1));
    });
    layer.dispose();
  });

  test('masks beyond batch and time are the wrapped layer\'s', () => {
    const layer = new TimeDistributed({ layer: new GlobalAveragePooling1D() });
    tf.tidy(() => {
      const x = tf.tensor4d([1, 2, 3, 4, 5, 6], [1, 2, 3, 1]);
      const mask = tf.tensor3d([1, 1, 0, 0, 1, 1], [1, 2, 3], 'bool');
      expect((layer.apply(x, { mask }) as tf.Tensor).arraySync()).toEqual([[[1.5], [5.5]]]);
      expect((layer.apply(x, { mask: tf.ones([1, 2], 'bool') }) as tf.Tensor).arraySync()).toEqual([[[2], [5]]]);
    });
    layer.dispose();
  });

  test('trainable, losses, disposal are the wrapped layer\'s', () => {
    const inner = new Dense({ units: 2, kernelRegularizer: 'l2' });
    const layer = new TimeDistributed({ layer: inner });
    tf.tidy(() => void layer.apply(tf.ones([1, 2, 3])));
    expect([layer.losses.length, layer.trainableWeights.length, layer.countParams()]).toEqual([1, 2, 8]);
    layer.trainable = false;
    expect([inner.trainable, layer.trainableWeights.length, layer.nonTrainableWeights.length]).toEqual([false, 0, 2]);
    expect(layer.dispose().numDisposedVariables).toBe(2);
    expect(inner.isDisposed).toBe(true);
    expect(new TimeDistributed({ layer: new Dense({ units: 1 }), trainable: false }).trainable).toBe(false);
  });

  test('what is wrong', () => {
    expect(() => new TimeDistributed({} as any)).toThrow('TimeDistributed: expected a layer to wrap, got undefined');
    const layer = new TimeDistributed({ layer: new Dense({ units: 1 }) });
    expect(() => layer.computeOutputShape([null, 3])).toThrow('TimeDistributed layer expects an input shape >= 3D, but received input shape [null,3]');
    tf.tidy(() => expect(() => layer.apply(tf.ones([2, 3]))).toThrow('expected min_ndim=3, found ndim=2'));
    layer.dispose();
  });
});

test('what wrapped layers\' outputs cost is counted', () => {
  const activityRegularizer = { className: 'L2', config: { l2: 1 } };
  const layers: [Layer, number][] = [
    [new TimeDistributed({ layer: new Dense({ units: 2, activityRegularizer }) }), 1],
    [new Bidirectional({ layer: new GRU({ units: 2, activityRegularizer }) }), 2],
  ];
  for (const [layer, count] of layers) {
    tf.tidy(() => {
      const x = made(tf, shape);
      const { result, costs } = gatherCosts(() => layer.apply(x, { training: true }) as tf.Tensor);
      expect(costs.length).toBe(count);
      const total = costs.reduce((sum, cost) => sum + cost.dataSync()[0]!, 0);
      expect(total).toBeCloseTo(tf.sum(tf.square(result)).dataSync()[0]!, 4);
      tf.dispose(costs);
    });
    layer.dispose();
  }
});

test('wrappers by TensorFlow.js\' factory, beside one another', () => {
  compare({
    cls: TimeDistributed, args: { layer: new Dense({ units: 2, name: 'x' }) },
    theirArgs: { layer: theirs.layers.dense({ units: 2, name: 'x' }) }, inputShape: [1, 2, 3],
  });
});
