// Recurrent layers: states, masks, dropout, GRU's resetAfter, stacked and own cells.
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { Activation } from '../../../js/src/layers/activations.js';
import { RNNCell } from '../../../js/src/layers/families/cells.js';
import { GRUCell, LSTMCell } from '../../../js/src/layers/families/gated_cells.js';
import { GRU, LSTM, RNN, SimpleRNN } from '../../../js/src/layers/families/rnn.js';
import { StackedRNNCells } from '../../../js/src/layers/families/stacked_cells.js';
import { input } from '../../../js/src/layers/input.js';
import { model as functional } from '../../../js/src/layers/model.js';
import { registerClass } from '../../../js/src/layers/serialization.js';
import { SymbolicTensor } from '../../../js/src/layers/symbolic.js';
import {
  compare, compareWithDifferences, copyWeights, expectClose, made, numbers, theirLayer, theirs, useCpu, valueAndGradients,
} from './beside_tfjs.js';

beforeAll(useCpu);

const kinds: [string, any, number][] = [
  ['SimpleRNN', SimpleRNN, 1],
  ['LSTM', LSTM, 2],
  ['GRU', GRU, 1],
];

describe.each(kinds)('states of %s', (name, cls, count) => {
  test('stateful: two halves are the whole', () => {
    const layer = new cls({ units: 4, stateful: true, returnSequences: true, name: 'kept' });
    const before = tf.memory().numTensors;
    tf.tidy(() => {
      const x = made(tf, [2, 6, 3]) as tf.Tensor3D;
      const halves = [tf.slice(x, [0, 0, 0], [2, 3, 3]), tf.slice(x, [0, 3, 0], [2, 3, 3])];
      const run = (): number[] => halves.flatMap((half) => [...tf.unstack(layer.apply(half) as tf.Tensor)[1]!.dataSync()]);
      const twice = run();
      layer.resetStates();
      expect(run()).toEqual(twice);
      expect(layer.states.map((s: tf.Tensor) => s.shape)).toEqual(Array.from({ length: count }, () => [2, 4]));
      layer.resetStates();
      const whole = [...tf.unstack(layer.apply(x) as tf.Tensor)[1]!.dataSync()];
      expectClose(twice, whole, 1e-6);
    });
    // What stays is weights and states, and goes with the layer.
    expect(tf.memory().numTensors - before).toBe(3 + count);
    layer.dispose();
    expect(tf.memory().numTensors).toBe(before);
  });

  test('stateful: beside TensorFlow.js, and states that are set', () => {
    const args = { units: 4, stateful: true, returnState: true, batchInputShape: [2, 3, 3], name: 'kept' };
    const [ours, reference] = [new cls(args), theirLayer(name, args) as any];
    theirs.tidy(() => tf.tidy(() => {
      const run = (api: any, layer: any, seed: number): Float32Array[] =>
        layer.apply(made(api, [2, 3, 3], seed)).map((t: tf.Tensor) => t.dataSync());
      run(tf, ours, 1);
      run(theirs, reference, 1);
      copyWeights(ours, reference);
      for (const layer of [ours, reference]) layer.resetStates();
      const check = (seed: number): void => {
        const expected = run(theirs, reference, seed);
        run(tf, ours, seed).forEach((y, i) => expectClose(y, expected[i]!));
      };
      check(1);
      check(2);
      const set = (api: any, layer: any): void => layer.resetStates(Array.from({ length: count }, (_, i) => made(api, [2, 4], 30 + i)));
      set(tf, ours);
      set(theirs, reference);
      check(3);
      ours.setStates(Array.from({ length: count }, (_, i) => made(tf, [2, 4], 30 + i)));
      set(theirs, reference);
      check(4);
    }));
    expect(ours.getConfig()).toMatchObject({ stateful: true, batchInputShape: [2, 3, 3] });
    ours.dispose();
    theirs.dispose(reference.getStates());
    for (const weight of reference.weights) weight.dispose();
  });

  test('stateful: what goes wrong', () => {
    const layer = new cls({ units: 4, stateful: true, name: 'kept' });
    tf.tidy(() => {
      expect(() => layer.resetStates()).toThrow('it needs to know its batch size');
      expect(layer.getStates()).toEqual(Array.from({ length: count }, () => null));
      layer.apply(tf.ones([2, 3, 3]));
      expect(() => layer.apply(tf.ones([3, 3, 3]))).toThrow('expected shape=[2,null,3], found shape=[3,3,3]');
      expect(() => layer.resetStates(tf.ones([2, 5]))).toThrow(count === 1 ? 'State 0 is incompatible with layer kept: expected shape=2,4' : 'expects 2 state(s), but it received 1');
    });
    expect(() => new cls({ units: 4, stateful: true }).build([null, 3, 3])).toThrow('it needs to know its batch size');
    expect(() => new cls({ units: 4 }).resetStates()).toThrow('non-stateful');
    layer.dispose();
  });

  test('training through a stateful layer', () => {
    const layer = new cls({ units: 2, stateful: true });
    tf.tidy(() => {
      const x = made(tf, [2, 3, 3]);
      layer.apply(x);
      layer.resetStates();
      const variables = layer.trainableWeights.map((w: any) => w.variable);
      const loss = (): tf.Scalar => tf.sum(layer.apply(x, { training: true }) as tf.Tensor);
      const first = tf.variableGrads(loss, variables);
      layer.resetStates();
      const again = tf.variableGrads(loss, variables);
      expect(first.value.dataSync()).toEqual(again.value.dataSync());
      for (const key of Object.keys(first.grads)) expect(first.grads[key]!.dataSync()).toEqual(again.grads[key]!.dataSync());
    });
    layer.dispose();
  });

  test('initial states in a model', () => {
    const build = (api: any, layer: any): any => {
      const x = api.input({ shape: [5, 3], name: 'x' });
      const states = Array.from({ length: count }, (_, i) => api.input({ shape: [4], name: `s${i}` }));
      const outputs = layer.apply(x, { initialState: states });
      return api.model({ inputs: [x, ...states], outputs });
    };
    const args = { units: 4, returnState: true, returnSequences: true, name: 'kept' };
    const [ours, reference] = [new cls(args), theirLayer(name, args) as any];
    const ourModel = build({ input, model: functional }, ours);
    const theirModel = build(theirs, reference);
    copyWeights(ours, reference);
    theirs.tidy(() => tf.tidy(() => {
      const values = (api: any): any => [made(api, [2, 5, 3]), ...Array.from({ length: count }, (_, i) => made(api, [2, 4], 8 + i))];
      const expected = theirModel.predict(values(theirs)).map((t: tf.Tensor) => t.dataSync());
      const got = ourModel.apply(values(tf)) as tf.Tensor[];
      got.forEach((y, i) => expectClose(y.dataSync(), expected[i]));
      expect(ourModel.outputs.map((y: SymbolicTensor) => y.shape)).toEqual(theirModel.outputs.map((y: any) => y.shape));
    }));
    ourModel.dispose();
    theirModel.dispose();
  });

  test('initial states that do not fit', () => {
    const layer = new cls({ units: 4, name: 'kept' });
    tf.tidy(() => {
      const x = tf.ones([2, 3, 3]);
      const states = Array.from({ length: count }, () => tf.ones([2, 4]));
      expect(() => layer.apply(x, { initialState: [...states, ...states] })).toThrow(`kept has ${count} state(s) of size`);
      expect(() => layer.apply(x, { initialState: states.map(() => tf.ones([2, 3])) })).toThrow('is not compatible with cell.stateSize');
      expect(() => layer.apply([x, ...states], { initialState: states })).toThrow('initialState cannot be given beside it');
      expect(() => layer.apply(x, { constants: [x] })).toThrow('constants are not supported');
    });
    layer.dispose();
  });
});

describe('masks', () => {
  test('a step masked before any other gives zeros, and the states stay', () => {
    const layer = new GRU({ units: 2, returnSequences: true, returnState: true });
    tf.tidy(() => {
      const x = made(tf, [2, 3, 3]);
      const h = made(tf, [2, 2], 5) as tf.Tensor;
      const mask = tf.tensor2d([0, 0, 0, 0, 1, 0], [2, 3], 'bool');
      const [y, last] = layer.apply(x, { mask, initialState: [h] }) as tf.Tensor[];
      const [rows, states] = [y!.arraySync() as number[][][], last!.arraySync() as number[][]];
      expect(rows[0]).toEqual([[0, 0], [0, 0], [0, 0]]);
      expect(states[0]).toEqual((h.arraySync() as number[][])[0]);
      expect(rows[1]![0]).toEqual([0, 0]);
      expect(rows[1]![2]).toEqual(rows[1]![1]);
      expect(states[1]).toEqual(rows[1]![1]);
    });
    layer.dispose();
  });

  test('numbers are a mask, too: all but 0 is kept', () => {
    const layer = new SimpleRNN({ units: 2 });
    tf.tidy(() => {
      const x = made(tf, [1, 3, 3]);
      const [a, b] = [tf.tensor2d([[1, 0.5, 0]]), tf.tensor2d([1, 1, 0], [1, 3], 'bool')].map(
        (mask) => (layer.apply(x, { mask }) as tf.Tensor).arraySync());
      expect(a).toEqual(b);
    });
    layer.dispose();
  });

  test('zeroOutputForMask gives zeros where the mask is 0, and the states stay', () => {
    const layer = new LSTM({ units: 2, returnSequences: true, returnState: true, zeroOutputForMask: true });
    const plain = new LSTM({ units: 2, returnSequences: true, returnState: true });
    tf.tidy(() => {
      const x = made(tf, [1, 4, 3]);
      const mask = tf.tensor2d([1, 0, 1, 0], [1, 4], 'bool');
      const [y, h, c] = layer.apply(x, { mask }) as tf.Tensor[];
      plain.apply(x);
      plain.setWeights(layer.getWeights());
      const [z, h2, c2] = plain.apply(x, { mask }) as tf.Tensor[];
      const [got, all] = [y!.arraySync() as number[][][], z!.arraySync() as number[][][]];
      expect(got[0]).toEqual([all[0]![0], [0, 0], all[0]![2], [0, 0]]);
      expect([h!.arraySync(), c!.arraySync()]).toEqual([h2!.arraySync(), c2!.arraySync()]);
    });
    expect(layer.getConfig()['zeroOutputForMask']).toBe(true);
    expect('zeroOutputForMask' in plain.getConfig()).toBe(false);
    layer.dispose();
    plain.dispose();
  });

  test('what the layer says of its own mask', () => {
    tf.tidy(() => {
      const mask = tf.ones([1, 3], 'bool');
      const x = tf.ones([1, 3, 3]);
      const of = (args: object): unknown => new LSTM({ units: 2, ...args }).computeMask(x, mask);
      expect(of({})).toBeNull();
      expect(of({ returnSequences: true })).toBe(mask);
      expect(of({ returnSequences: true, returnState: true })).toEqual([mask, null, null]);
      expect(of({ returnState: true })).toEqual([null, null, null]);
    });
  });
});

describe('dropout', () => {
  // The share that is dropped is the last features, so that nothing is left to chance.
  const dropoutFunc = (api: any) => (ones: any, rate: number): any => {
    const [batch, features] = ones.shape as [number, number];
    const kept = Math.round(features * (1 - rate));
    return api.tensor(Float32Array.from({ length: batch * features }, (_, i) => (i % features < kept ? 1 / (1 - rate) : 0)), [batch, features]);
  };

  test.each<[string, any, object]>([
    ['SimpleRNN, inputs', SimpleRNN, { dropout: 0.25 }],
    ['SimpleRNN, state', SimpleRNN, { recurrentDropout: 0.5 }],
    ['LSTM, inputs', LSTM, { dropout: 0.25 }],
    ['LSTM, both', LSTM, { dropout: 0.5, recurrentDropout: 0.25 }],
    ['GRU, inputs', GRU, { dropout: 0.25 }],
  ])('%s', (_, cls, args) => {
    const common = { units: 4, returnSequences: true, ...args };
    compare({
      cls, args: { ...common, dropoutFunc: dropoutFunc(tf) }, theirArgs: { ...common, dropoutFunc: dropoutFunc(theirs) },
      inputShape: [2, 3, 4], kwargs: () => ({ training: true }),
      // Read back, both drop at random.
      reread: false,
    });
  });

  test('outside training nothing is dropped', () => {
    compare({ cls: LSTM, args: { units: 3, dropout: 0.5, recurrentDropout: 0.5 }, inputShape: [2, 3, 4] });
  });

  test('the same features at every step, others in the next batch', () => {
    const layer = new SimpleRNN({ units: 64, dropout: 0.5, activation: 'linear', useBias: false, recurrentInitializer: 'zeros', kernelInitializer: 'identity', returnSequences: true });
    tf.tidy(() => {
      const x = tf.ones([2, 3, 64]);
      const first = tf.unstack(layer.apply(x, { training: true }) as tf.Tensor, 1).map((t) => [...t.dataSync()]);
      const second = tf.unstack(layer.apply(x, { training: true }) as tf.Tensor, 1).map((t) => [...t.dataSync()]);
      expect(new Set(first[0])).toEqual(new Set([0, 2]));
      expect(first[1]).toEqual(first[0]);
      expect(first[2]).toEqual(first[0]);
      expect(second[0]).not.toEqual(first[0]);
      expect(first[0]!.slice(0, 64)).not.toEqual(first[0]!.slice(64));
    });
    layer.dispose();
  });

  test.each([false, true])('of GRU\'s state, not of what stays of it: resetAfter %s', (resetAfter) => {
    const layer = new GRU({ units: 4, recurrentDropout: 0.5, dropoutFunc: dropoutFunc(tf), resetAfter, returnSequences: true, recurrentActivation: 'sigmoid', biasInitializer: 'ones' });
    tf.tidy(() => {
      const x = made(tf, [2, 4, 3]);
      layer.apply(x);
      const got = layer.apply(x, { training: true }) as tf.Tensor;
      expectClose(got.dataSync(), naiveGRU(layer, x as tf.Tensor3D, resetAfter, [2, 2, 0, 0]));
    });
    layer.dispose();
  });

  test('rates are brought into [0, 1]', () => {
    const layer = new LSTM({ units: 2, dropout: 1.5, recurrentDropout: -1 });
    expect(layer.getConfig()).toMatchObject({ dropout: 1, recurrentDropout: 0 });
  });
});

/** GRU by the formulas, one number at a time. */
function naiveGRU(layer: any, x: tf.Tensor3D, resetAfter: boolean, keep: number[]): number[] {
  const [kernel, recurrent, bias] = layer.getWeights().map((w: tf.Tensor) => w.arraySync()) as any[];
  const u = keep.length;
  const [inputBias, stateBias] = resetAfter ? bias : [bias, new Array(3 * u).fill(0)];
  const sigmoid = (v: number): number => 1 / (1 + Math.exp(-v));
  const dot = (vector: number[], matrix: number[][], column: number): number => vector.reduce((sum, v, i) => sum + v * matrix[i]![column]!, 0);
  const out: number[] = [];
  for (const row of x.arraySync()) {
    let h = new Array<number>(u).fill(0);
    for (const step of row) {
      const seen = h.map((v, i) => v * keep[i]!);
      const gate = (j: number): number => sigmoid(dot(step, kernel, j) + inputBias[j] + dot(seen, recurrent, j) + stateBias[j]);
      const z = h.map((_, i) => gate(i));
      const r = h.map((_, i) => gate(u + i));
      const g = h.map((_, i) => Math.tanh(dot(step, kernel, 2 * u + i) + inputBias[2 * u + i] + (resetAfter ?
        r[i]! * (dot(seen, recurrent, 2 * u + i) + stateBias[2 * u + i]) :
        dot(seen.map((v, k) => v * r[k]!), recurrent, 2 * u + i))));
      h = h.map((v, i) => z[i]! * v + (1 - z[i]!) * g[i]!);
      out.push(...h);
    }
  }
  return out;
}

describe("GRU's resetAfter", () => {
  test.each([true, false])('%s: the formulas, one number at a time', (resetAfter) => {
    const layer = new GRU({ units: 3, resetAfter, returnSequences: true, recurrentActivation: 'sigmoid' });
    tf.tidy(() => {
      const x = made(tf, [2, 4, 2]) as tf.Tensor3D;
      layer.apply(x);
      const shapes = layer.getWeights().map((w) => w.shape);
      expect(shapes).toEqual([[2, 9], [3, 9], resetAfter ? [2, 9] : [9]]);
      layer.setWeights(shapes.map((s, i) => made(tf, s, 40 + i)));
      expectClose((layer.apply(x) as tf.Tensor).dataSync(), naiveGRU(layer, x, resetAfter, [1, 1, 1]));
      compareWithDifferences(layer, [x], {}, 1e-2, 2e-3);
    });
    expect(layer.getConfig()['resetAfter']).toBe(resetAfter);
    expect((GRU.fromConfig(GRU, layer.getConfig()) as GRU).getConfig()).toEqual(layer.getConfig());
    layer.dispose();
  });

  test('without bias', () => {
    const layer = new GRU({ units: 3, resetAfter: true, useBias: false });
    tf.tidy(() => {
      const x = made(tf, [2, 4, 2]);
      layer.apply(x);
      compareWithDifferences(layer, [x], {}, 1e-2, 2e-3);
      expect(layer.getWeights().length).toBe(2);
    });
    layer.dispose();
  });
});

describe('LSTM', () => {
  test('unitForgetBias opens the forget gate', () => {
    const compareBias = (args: object): number[] => {
      const layer = new LSTM({ units: 2, ...args });
      layer.build([null, 3, 1]);
      const values = [...layer.getWeights()[2]!.dataSync()];
      layer.dispose();
      return values;
    };
    expect(compareBias({ unitForgetBias: true })).toEqual([0, 0, 1, 1, 0, 0, 0, 0]);
    expect(compareBias({ unitForgetBias: false })).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    compare({ cls: LSTM, args: { units: 2, unitForgetBias: true }, inputShape: [2, 3, 2] });
  });

  test('implementation 0 is what old files call 1', () => {
    expect(new LSTM({ units: 2, implementation: 0 }).getConfig()['implementation']).toBe(1);
  });
});

describe('stacked cells', () => {
  const args = (api: any): any => ({
    cell: [api.gruCell({ units: 3, name: 'a' }), api.lstmCell({ units: 4, name: 'b' })],
    returnState: true, returnSequences: true, name: 'stack',
  });

  test.each([false, true])('beside TensorFlow.js; with a mask: %s', (withMask) => {
    const ours = new RNN(args({ gruCell: (a: any) => new GRUCell(a), lstmCell: (a: any) => new LSTMCell(a) }));
    const reference = theirs.layers.rnn(args(theirs.layers)) as any;
    expect(ours.cell).toBeInstanceOf(StackedRNNCells);
    theirs.tidy(() => tf.tidy(() => {
      const run = (api: any, layer: any): ReturnType<typeof valueAndGradients> => valueAndGradients(
        api, layer, [made(api, [2, 4, 3])], withMask ? { mask: api.tensor2d([1, 1, 0, 1, 1, 0, 0, 0], [2, 4], 'bool') } : {});
      run(theirs, reference);
      run(tf, ours);
      // TensorFlow.js counts state sizes in its own order for the weights: by shapes they are ours.
      const shapes = ours.getWeights().map((w) => w.shape);
      expect(reference.cell.getWeights().map((w: any) => w.shape)).toEqual(shapes);
      ours.setWeights(shapes.map((s, i) => made(tf, s, 60 + i)));
      reference.trainableWeights.forEach((w: any, i: number) => w.write(made(theirs, shapes[i]!, 60 + i)));
      const [got, expected] = [run(tf, ours), run(theirs, reference)];
      expect(got.shapes).toEqual(expected.shapes);
      got.values.forEach((y, i) => expectClose(y, expected.values[i]!));
      got.grads.forEach((g, i) => expectClose(g, expected.grads[i]!, 4e-5));
      expect(ours.computeOutputShape([2, 4, 3])).toEqual(reference.computeOutputShape([2, 4, 3]));
    }));
    // Their config makes our layer, and ours theirs.
    const plain = (config: unknown): any => {
      const copy = JSON.parse(JSON.stringify(config));
      delete copy.cell.config.name;
      return copy;
    };
    const again = RNN.fromConfig(RNN, plain(reference.getConfig())) as RNN;
    expect(plain(again.getConfig())).toEqual(plain(ours.getConfig()));
    const theirClass = reference.constructor;
    expect(plain(theirClass.fromConfig(theirClass, plain(ours.getConfig())).getConfig())).toMatchObject(plain({ ...ours.getConfig() }));
    ours.dispose();
    again.dispose();
    for (const weight of reference.weights) weight.dispose();
  });

  test('the cell by itself, its weights and what is wrong', () => {
    const cells = [new GRUCell({ units: 3 }), new LSTMCell({ units: 4, kernelRegularizer: 'l2' })];
    const stack = new StackedRNNCells({ cells });
    stack.build([null, 2]);
    expect(stack.stateSize).toEqual([4, 4, 3]);
    tf.tidy(() => {
      const outputs = stack.call([tf.ones([1, 2]), tf.ones([1, 4]), tf.ones([1, 4]), tf.ones([1, 3])], {});
      expect(outputs.map((t) => t.shape)).toEqual([[1, 4], [1, 4], [1, 4], [1, 3]]);
    });
    expect(stack.weights.length).toBe(6);
    expect(stack.losses.length).toBe(1);
    stack.trainable = false;
    expect([stack.trainableWeights.length, stack.nonTrainableWeights.length, cells[0]!.trainable]).toEqual([0, 6, false]);
    expect(stack.dispose().numDisposedVariables).toBe(6);
    expect(() => new StackedRNNCells({ cells: [] })).toThrow('cells must be a list of cells, got an empty list');
  });
});

/** h' = h + mean(x); the output is twice that. */
class Summing extends RNNCell {
  static override className = 'TestSumming';
  readonly stateSize = 1;

  override call(inputs: tf.Tensor | tf.Tensor[]): tf.Tensor[] {
    const [x, h] = inputs as tf.Tensor[];
    const next = tf.add(h!, tf.mean(x!, 1, true));
    return [tf.mul(next, 2), next];
  }
}

describe('cells of one\'s own', () => {
  test('one that only has `call`', () => {
    const layer = new RNN({ cell: new Summing(), returnSequences: true, returnState: true });
    tf.tidy(() => {
      const x = tf.tensor3d([[[1, 3], [2, 2], [5, 7]]]);
      const [y, h] = layer.apply(x) as tf.Tensor[];
      expect(y!.arraySync()).toEqual([[[4], [8], [20]]]);
      expect(h!.arraySync()).toEqual([[10]]);
      const mask = tf.tensor2d([0, 1, 0], [1, 3], 'bool');
      const [z, k] = layer.apply(x, { mask }) as tf.Tensor[];
      expect(z!.arraySync()).toEqual([[[0], [4], [4]]]);
      expect(k!.arraySync()).toEqual([[2]]);
    });
    registerClass(Summing);
    const again = RNN.fromConfig(RNN, JSON.parse(JSON.stringify(layer.getConfig()))) as RNN;
    expect(again.cell).toBeInstanceOf(Summing);
    layer.dispose();
    again.dispose();
  });

  test('a step that a subclass changes is the one that runs', () => {
    class Louder extends GRUCell {
      static override className = 'TestLouder';

      override call(inputs: tf.Tensor | tf.Tensor[], kwargs: any): tf.Tensor[] {
        return super.call(inputs, kwargs).map((t) => tf.mul(t, 2));
      }
    }
    const layer = new RNN({ cell: new Louder({ units: 2 }) });
    const plain = new RNN({ cell: new GRUCell({ units: 2 }) });
    tf.tidy(() => {
      const x = made(tf, [1, 1, 3]);
      const y = layer.apply(x) as tf.Tensor;
      plain.apply(x);
      plain.setWeights(layer.getWeights());
      expectClose(y.dataSync(), tf.mul(plain.apply(x) as tf.Tensor, 2).dataSync());
    });
    layer.dispose();
    plain.dispose();
  });

  test('what is wrong', () => {
    expect(() => new RNN({})).toThrow('RNN: the cell is missing');
    expect(() => new RNN({ cell: {} as RNNCell })).toThrow('must have an attribute `stateSize`');
    expect(() => new LSTM({ units: 0 })).toThrow('LSTMCell: units must be a positive integer, got 0');
    expect(() => new GRU({} as any)).toThrow('GRUCell: units must be a positive integer, got undefined');
    expect(() => new GRU({ units: 1, resetAfter: 'yes' } as any)).toThrow("resetAfter must be true or false, got 'yes'");
    const layer = new GRU({ units: 1, name: 'g' });
    tf.tidy(() => {
      expect(() => layer.apply(tf.ones([2, 3]))).toThrow('Input 0 is incompatible with layer g: expected ndim=3, found ndim=2');
      expect(() => layer.apply(tf.ones([2, 0, 3]))).toThrow('the sequences have no steps');
    });
    layer.dispose();
  });
});

describe('weights, losses and memory', () => {
  test('names are those of TensorFlow.js', () => {
    const [ours, reference] = [new LSTM({ units: 2, name: 'weighty' }), theirLayer('LSTM', { units: 2, name: 'weighty' }) as any];
    tf.tidy(() => void ours.apply(tf.ones([1, 2, 3])));
    theirs.tidy(() => void reference.apply(theirs.ones([1, 2, 3])));
    expect(ours.weights.map((w) => w.originalName)).toEqual(reference.weights.map((w: any) => w.originalName));
    ours.dispose();
    for (const weight of reference.weights) weight.dispose();
  });

  test('regularizers count, and `trainable` holds for the cell', () => {
    const layer = new LSTM({ units: 1, kernelInitializer: 'ones', kernelRegularizer: { className: 'L2', config: { l2: 0.5 } } });
    layer.build([null, 2, 3]);
    tf.tidy(() => expect(layer.calculateLosses().map((l) => l.dataSync()[0])).toEqual([6]));
    expect([layer.trainableWeights.length, layer.countParams()]).toEqual([3, 20]);
    layer.trainable = false;
    expect([layer.trainableWeights.length, layer.nonTrainableWeights.length]).toEqual([0, 3]);
    layer.trainable = true;
    expect(layer.trainableWeights.length).toBe(3);
    expect(layer.dispose()).toEqual({ refCountAfterDispose: 0, numDisposedVariables: 3 });
  });

  test('given weights are taken', () => {
    tf.tidy(() => {
      const weights = [tf.ones([3, 2]), tf.ones([2, 2]), tf.zeros([2])];
      const layer = new SimpleRNN({ units: 2, weights });
      layer.apply(tf.ones([1, 2, 3]));
      expect([...layer.getWeights()[0]!.dataSync()]).toEqual([1, 1, 1, 1, 1, 1]);
      layer.dispose();
    });
  });

  test('tensors do not pile up with the steps', () => {
    let most = 0;
    class Watching extends Activation {
      static override className = 'testWatching';

      apply(x: tf.Tensor): tf.Tensor {
        most = Math.max(most, tf.memory().numTensors);
        return tf.tanh(x);
      }
    }
    const layer = new LSTM({ units: 2, activation: new Watching() });
    const peak = (time: number, mask: boolean): number => tf.tidy(() => {
      const x = tf.zeros([1, time, 3]);
      const kwargs = mask ? { mask: tf.ones([1, time], 'bool') } : {};
      most = 0;
      layer.apply(x, kwargs);
      return most;
    });
    peak(1, false);
    // The inputs of the steps are there at first, one each (and masks); nothing comes on top.
    expect(peak(120, false) - peak(20, false)).toBe(100);
    expect(peak(120, true) - peak(20, true)).toBeLessThanOrEqual(200);
    layer.dispose();
  });

  test('an error in the middle leaves nothing', () => {
    let left = 3;
    class Failing extends RNNCell {
      static override className = 'TestFailing';
      readonly stateSize = 1;

      override call(inputs: tf.Tensor | tf.Tensor[]): tf.Tensor[] {
        const [x, h] = inputs as tf.Tensor[];
        const y = tf.add(h!, tf.sum(x!));
        if (--left === 0) throw new Error('mine');
        return [y, y];
      }
    }
    const layer = new RNN({ cell: new Failing() });
    const x = tf.ones([1, 5, 2]);
    const before = tf.memory().numTensors;
    expect(() => layer.apply(x)).toThrow('mine');
    expect(tf.memory().numTensors).toBe(before);
    x.dispose();
    layer.dispose();
  });

  test('outputs and states are tensors of their own', () => {
    const layer = new GRU({ units: 2, returnState: true });
    const x = tf.tensor(numbers(12), [2, 2, 3]);
    const [y, h] = layer.apply(x) as tf.Tensor[];
    y!.dispose();
    expect(h!.isDisposed).toBe(false);
    tf.dispose([x, h]);
    layer.dispose();
  });
});
