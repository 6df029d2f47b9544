// Graphs of layers beside TensorFlow.js': the same order, tables, JSON, numbers.
import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';
import { theirs, useCpu } from './beside_tfjs.js';

type Api = typeof tf;
const reference = theirs as unknown as Api;
type Symbolic = tf.SymbolicTensor;

beforeAll(useCpu);
beforeEach(() => tf.keras.backend.clear_session());
afterEach(() => {
  jest.restoreAllMocks();
});

let counter = 0;
/** Settings with a name that both libraries then use. */
const named = <T extends object>(args: T, name?: string): T & { name: string } => ({ ...args, name: name ?? `layer${counter++}` });

interface Row {
  name: string;
  make(api: Api): tf.LayersModel;
}

const apply = (layer: { apply(x: any): unknown }, x: unknown): any => layer.apply(x);

const rows: Row[] = [
  {
    name: 'a chain',
    make: (api) => api.sequential(named({ layers: [
      api.layers.dense(named({ units: 3, inputShape: [4], activation: 'relu' } as const)),
      api.layers.dropout(named({ rate: 0.5 })),
      api.layers.dense(named({ units: 2, useBias: false, kernelRegularizer: 'l1l2' } as const)),
    ] })),
  },
  {
    name: 'a chain over images',
    make: (api) => api.sequential(named({ layers: [
      api.layers.conv2d(named({ filters: 2, kernelSize: 3, inputShape: [7, 5, 1], dataFormat: 'channelsLast' } as const)),
      api.layers.maxPooling2d(named({ poolSize: [2, 2] as [number, number] })),
      api.layers.batchNormalization(named({})),
      api.layers.flatten(named({})),
      api.layers.dense(named({ units: 2, activation: 'softmax' } as const)),
    ] })),
  },
  {
    name: 'branches that meet',
    make: (api) => {
      const x = api.input(named({ shape: [4] }));
      const left = apply(api.layers.dense(named({ units: 3 })), x);
      const deep = apply(api.layers.dense(named({ units: 3, activation: 'tanh' } as const)), left);
      const y = apply(api.layers.add(named({})), [left, deep]);
      return api.model(named({ inputs: x, outputs: apply(api.layers.dense(named({ units: 1 })), y) }));
    },
  },
  {
    name: 'two inputs, a shared layer, two outputs',
    make: (api) => {
      const [a, b] = [api.input(named({ shape: [4] })), api.input(named({ shape: [4] }))];
      const shared = api.layers.dense(named({ units: 3 }));
      const [p, q] = [apply(shared, a), apply(shared, b)];
      const joined = apply(api.layers.concatenate(named({})), [p, q]);
      return api.model(named({ inputs: [a, b], outputs: [apply(api.layers.dense(named({ units: 2 })), joined), q] }));
    },
  },
  {
    name: 'models in a model',
    make: (api) => {
      const chain = api.sequential(named({ layers: [api.layers.dense(named({ units: 3, inputShape: [4] }))] }));
      const u = api.input(named({ shape: [3] }));
      const inner = api.model(named({ inputs: u, outputs: apply(api.layers.dense(named({ units: 2 })), u) }));
      const [x, z] = [api.input(named({ shape: [4] })), api.input(named({ shape: [4] }))];
      const first = apply(inner, apply(chain, x));
      const second = apply(inner, apply(chain, z));
      return api.model(named({ inputs: [x, z], outputs: apply(api.layers.multiply(named({})), [first, second]) }));
    },
  },
  {
    name: 'a model first in a chain',
    make: (api) => {
      const inner = api.sequential(named({ layers: [api.layers.dense(named({ units: 3, inputShape: [4] }))] }));
      return api.sequential(named({ layers: [inner, api.layers.dense(named({ units: 2 }))] }));
    },
  },
  {
    name: 'an input layer first in a chain',
    make: (api) => api.sequential(named({ layers: [
      api.layers.inputLayer(named({ inputShape: [4], dtype: 'int32' } as const)), api.layers.dense(named({ units: 2 })),
    ] })),
  },
  {
    name: 'masks and a recurrent layer',
    make: (api) => api.sequential(named({ layers: [
      api.layers.embedding(named({ inputDim: 7, outputDim: 3, maskZero: true, inputLength: 5 })),
      api.layers.lstm(named({ units: 2, returnSequences: true })),
      api.layers.timeDistributed(named({ layer: api.layers.dense(named({ units: 2 })) }) as any),
      api.layers.gru(named({ units: 2 })),
    ] })),
  },
];

/** The model in both libraries, with the same names and weights. */
function both(row: Row): [tf.LayersModel, tf.LayersModel] {
  const start = counter;
  const theirModel = row.make(reference);
  counter = start;
  const ourModel = row.make(tf);
  tf.tidy(() => ourModel.setWeights(theirModel.getWeights().map((w) => tf.tensor(w.dataSync(), w.shape))));
  return [ourModel, theirModel];
}

const tableOf = (model: tf.LayersModel, ...args: [number?, number[]?]): string[] => {
  const lines: string[] = [];
  model.summary(args[0], args[1], (line) => lines.push(String(line)));
  return lines;
};

const inputsFor = (api: Api, model: tf.LayersModel): tf.Tensor[] => model.inputs.map(({ shape, dtype }, k) => {
  const full = shape.map((n) => n ?? 3);
  const size = full.reduce((a, b) => a * b, 1);
  const whole = dtype === 'int32' || model.layers[0]!.getClassName() === 'Embedding';
  return api.tensor(Array.from({ length: size }, (_, i) => (whole ? (i * 5) % 7 : Math.sin(i + k))), full, 'float32');
});

const outputsOf = (api: Api, model: tf.LayersModel): { shape: number[]; values: number[] }[] => api.tidy(() => {
  const y = model.predict(inputsFor(api, model));
  return (Array.isArray(y) ? y : [y]).map((t) => ({ shape: t.shape, values: Array.from(t.dataSync()) }));
});

function expectSame(a: ReturnType<typeof outputsOf>, b: ReturnType<typeof outputsOf>): void {
  expect(a.map(({ shape }) => shape)).toEqual(b.map(({ shape }) => shape));
  a.forEach(({ values }, k) => values.forEach((v, i) => expect(v).toBeCloseTo(b[k]!.values[i]!, 5)));
}

describe.each(rows)('$name', (row) => {
  test('computes the same, with the same shapes and names', () => {
    const [ours, other] = both(row);
    expectSame(outputsOf(tf, ours), outputsOf(reference, other));
    const facts = (m: tf.LayersModel): unknown => ({
      layers: m.layers.map(({ name }) => name), inputs: m.inputs.map(({ shape }) => shape),
      outputs: m.outputs.map(({ shape }) => shape), inputNames: m.inputNames, params: m.countParams(),
      weights: m.weights.map(({ originalName, shape }) => [originalName, shape]),
      trainable: m.trainableWeights.length, output: m.outputs.map(({ dtype }) => dtype),
    });
    expect(facts(ours)).toEqual(facts(other));
    ours.dispose();
    other.dispose();
  });

  test('reads and writes the same JSON', async () => {
    const [ours, other] = both(row);
    const plain = (m: tf.LayersModel): any => {
      // What is null was not given.
      const { keras_version: _, backend: __, ...rest } = JSON.parse(
        m.toJSON(), (_key, value: unknown) => value ?? undefined) as Record<string, unknown>;
      return rest;
    };
    expect(plain(ours)).toMatchObject(plain(other));
    const weights = (api: Api): tf.Tensor[] => other.getWeights().map((w) => api.tensor(w.dataSync(), w.shape));
    const expected = outputsOf(reference, other);
    const theirCopy = await (theirs.models as any).modelFromJSON(JSON.parse(ours.toJSON()));
    reference.tidy(() => theirCopy.setWeights(weights(reference)));
    expectSame(outputsOf(reference, theirCopy), expected);
    for (const json of [other.toJSON(), JSON.parse(other.toJSON()), { modelTopology: JSON.parse(ours.toJSON()) }, { model_config: ours.toJSON() }]) {
      const copy = await tf.models.modelFromJSON(json);
      tf.tidy(() => copy.setWeights(weights(tf)));
      expectSame(outputsOf(tf, copy), expected);
      expect(plain(copy)).toEqual(plain(ours));
      copy.dispose();
    }
    for (const m of [ours, other, theirCopy]) m.dispose();
  });

  test('is freed whole by dispose, and not twice', () => {
    const [ours, other] = both(row);
    const count = new Set(ours.getWeights()).size;
    expect(ours.dispose()).toEqual({ refCountAfterDispose: 0, numDisposedVariables: count });
    expect(() => ours.dispose()).toThrow(/is already disposed/);
    expect(() => tf.tidy(() => ours.apply(inputsFor(tf, other)))).toThrow(/is already disposed/);
    other.dispose();
  });
});

describe('summary', () => {
  test.each(rows.filter(({ name }) => !name.startsWith('models in')))('$name, as TensorFlow.js prints it', (row) => {
    const [ours, other] = both(row);
    for (const args of [[], [60], [70, [0.3, 0.6, 0.8, 0.9, 1]], [50, [20, 30, 40, 45, 50]]] as [number?, number[]?][]) {
      expect(tableOf(ours, ...args)).toEqual(tableOf(other, ...args));
    }
    ours.layers[1]!.trainable = false;
    other.layers[1]!.trainable = false;
    expect(tableOf(ours)).toEqual(tableOf(other));
    ours.dispose();
    other.dispose();
  });

  test('prints to the console', () => {
    const print = jest.spyOn(console, 'log').mockImplementation(() => {});
    const model = tf.sequential({ layers: [tf.layers.dense({ units: 2, inputShape: [3] })] });
    model.summary();
    expect(print.mock.calls[3]![0]).toBe(
      'dense_Dense1 (Dense)        [[null,3]]                [null,2]                  8         ');
    model.dispose();
  });

  test('a model without shapes yet shows its layers', () => {
    const model = tf.keras.Sequential([tf.keras.layers.Dense(2)]);
    expect(tableOf(model)[3]).toMatch(/^dense \(Dense\) +\? +\? +0 +$/);
  });

  test('models in a model show what they take there', () => {
    const [ours, other] = both(rows.find(({ name }) => name === 'models in a model')!);
    const line = tableOf(ours).find((text) => text.includes('(Sequential)'))!;
    expect(line).toMatch(/\[\[null,4\]\],\[\[null,4\]\] +\[null,3\] +15 /);
    ours.dispose();
    other.dispose();
  });
});

describe('Sequential', () => {
  test('without an input shape takes that of its first input', () => {
    const model = tf.keras.Sequential([tf.keras.layers.Dense(3), tf.keras.layers.Dense(2)]);
    expect([model.built, model.inputs.length, model.countParams()]).toEqual([false, 0, 0]);
    expect(() => model.outputShape).toThrow(/is not built yet/);
    const y = tf.tidy(() => model.apply(tf.ones([5, 4])) as tf.Tensor);
    expect(y.shape).toEqual([5, 2]);
    expect(model.inputs[0]!.shape).toEqual([null, 4]);
    expect(model.countParams()).toBe(3 * 4 + 3 + 3 * 2 + 2);
    y.dispose();
    const read = tf.tidy(() => (model.predict(tf.ones([1, 4])) as tf.Tensor).shape);
    expect(read).toEqual([1, 2]);
    model.dispose();
  });

  test('build(shape), predict, and use in a graph put it together', () => {
    const make = (): tf.Sequential => tf.sequential({ layers: [tf.layers.dense({ units: 2 })] });
    const built = make();
    built.build([null, 3]);
    const predicted = make();
    tf.tidy(() => { predicted.predict(tf.ones([2, 3])); });
    const applied = make();
    const x = tf.input({ shape: [3] });
    expect((applied.apply(x) as Symbolic).shape).toEqual([null, 2]);
    const nested = tf.sequential({ layers: [make(), tf.layers.dense({ units: 1 })] });
    nested.build([null, 3]);
    expect([built, predicted, applied, nested].map((m) => m.countParams())).toEqual([8, 8, 8, 11]);
    for (const m of [built, predicted, applied, nested]) m.dispose();
  });

  test('add and pop', () => {
    const model = tf.sequential();
    model.add(tf.layers.dense({ units: 3, inputShape: [2] }));
    expect(model.outputShape).toEqual([null, 3]);
    model.add(tf.layers.dense({ units: 1 }));
    expect(model.outputShape).toEqual([null, 1]);
    const last = model.pop();
    expect(model.outputShape).toEqual([null, 3]);
    model.add(tf.layers.dense({ units: 5 }));
    expect(tf.tidy(() => (model.predict(tf.ones([1, 2])) as tf.Tensor).shape)).toEqual([1, 5]);
    last.dispose();
    model.dispose();
    const empty = tf.sequential();
    expect(() => empty.pop()).toThrow('There are no layers in the model.');
    empty.add(tf.layers.dense({ units: 1, inputShape: [1] }));
    empty.pop().dispose();
    expect(empty.layers).toEqual([]);
    empty.add(tf.layers.dense({ units: 1, inputShape: [4] }));
    expect(empty.inputs[0]!.shape).toEqual([null, 4]);
    empty.dispose();
  });

  test('what does not fit is refused and leaves nothing', () => {
    expect(() => tf.sequential({ layers: [{} as tf.layers.Layer] })).toThrow(/a Sequential takes layers/);
    const twice = tf.layers.dense({ units: 2, inputShape: [2] });
    const model = tf.sequential({ layers: [twice] });
    expect(() => model.add(twice)).toThrow(/The name "dense_Dense1" is used 2 times/);
    const before = tf.memory().numTensors;
    expect(() => model.add(tf.layers.conv2d({ filters: 1, kernelSize: 1 }))).toThrow(/expected ndim=4, found ndim=2/);
    expect(tf.memory().numTensors).toBe(before);
    expect(model.layers.length).toBe(1);
    const a = tf.input({ shape: [2] });
    const b = tf.input({ shape: [2] });
    const two = tf.model({ inputs: [a, b], outputs: tf.layers.add().apply([a, b]) as Symbolic });
    expect(() => tf.sequential({ layers: [two] })).toThrow(/has 2 inputs/);
    tf.tidy(() => expect(() => model.apply(tf.ones([1, 2, 3]))).toThrow(/shape/));
    model.dispose();
  });
});

describe('the first layer of another model', () => {
  test('keeps its one output, and the models share it', async () => {
    const base = tf.sequential({ layers: [tf.layers.dense({ units: 2, inputShape: [3] }), tf.layers.dense({ units: 2 })] });
    const first = base.layers[0]!;
    const output = first.output as Symbolic;
    const model = tf.sequential();
    model.add(first);
    model.add(tf.layers.dense({ units: 1 }));
    expect(first.output).toBe(output);
    expect(first.inboundNodes.length).toBe(1);
    expect(model.inputs[0]!.shape).toEqual([null, 3]);
    const part = tf.model({ inputs: model.inputs, outputs: first.output });
    const copy = await tf.models.modelFromJSON(model.toJSON());
    tf.tidy(() => {
      const x = tf.ones([1, 3]);
      copy.setWeights(model.getWeights());
      const expected = (model.layers[1]!.apply(part.predict(x) as tf.Tensor) as tf.Tensor).dataSync();
      expect((model.predict(x) as tf.Tensor).dataSync()).toEqual(expected);
      expect((copy.predict(x) as tf.Tensor).dataSync()).toEqual(expected);
      expect((base.predict(x) as tf.Tensor).shape).toEqual([1, 2]);
    });
    base.dispose();
    part.dispose();
    tf.tidy(() => expect((model.predict(tf.ones([1, 3])) as tf.Tensor).shape).toEqual([1, 1]));
    model.dispose();
    copy.dispose();
    expect(first.isDisposed).toBe(true);
  });

  test('a layer from the middle is applied anew', () => {
    const base = tf.sequential({ layers: [tf.layers.dense({ units: 2, inputShape: [3] }), tf.layers.dense({ units: 4 })] });
    const model = tf.sequential({ layers: [base.layers[1]!] });
    expect(model.inputs).toEqual([]);
    model.build([null, 2]);
    expect(model.outputs[0]!.shape).toEqual([null, 4]);
    expect(base.layers[1]!.inboundNodes.length).toBe(2);
    base.dispose();
    model.dispose();
  });
});

describe('functional models', () => {
  const dense = (units: number, name?: string): tf.layers.Layer => tf.layers.dense(name === undefined ? { units } : { units, name });

  test.each<[string, () => unknown, RegExp]>([
    ['no inputs', () => tf.model({} as never), /needs `inputs` and `outputs`/],
    ['tensors', () => tf.model({ inputs: 1 as never, outputs: 2 as never }), /inputs must be one or several SymbolicTensors/],
    ['an input twice', () => {
      const x = tf.input({ shape: [2] });
      return tf.model({ inputs: [x, x], outputs: x });
    }, /is redundant. All inputs should only appear once/],
    ['an input that is none', () => {
      const y = tf.layers.flatten().apply(tf.input({ shape: [2] })) as Symbolic;
      return tf.model({ inputs: y, outputs: y });
    }, /must come from tf.input/],
    ['an input that is missing', () => {
      const [x, z] = [tf.input({ shape: [2] }), tf.input({ shape: [2], name: 'other' })];
      return tf.model({ inputs: x, outputs: tf.layers.add().apply([x, z]) as Symbolic });
    }, /Graph disconnected: cannot obtain value for tensor other at layer "other"/],
    ['one name twice', () => {
      const x = tf.input({ shape: [2] });
      const y = tf.layers.flatten({ name: 'same' }).apply(x) as Symbolic;
      return tf.model({ inputs: x, outputs: tf.layers.flatten({ name: 'same' }).apply(y) as Symbolic });
    }, /The name "same" is used 2 times/],
    ['an input without a shape', () => tf.input({}), /either a `shape` or a `batchShape`/],
    ['an input layer without a shape', () => tf.layers.inputLayer({}), /either a `batchInputShape` or an `inputShape`/],
    ['an input layer with two shapes', () => tf.layers.inputLayer({ inputShape: [1], batchInputShape: [1, 1] }), /not both/],
    ['a call of an input layer', () => (tf.layers.inputLayer({ inputShape: [1] }) as tf.layers.Layer).apply(tf.scalar(1)), /Cannot pass any input to an InputLayer/],
    ['a mix of tensors', () => tf.layers.add().apply([tf.input({ shape: [1] }), tf.scalar(1)] as never), /must be all SymbolicTensors or all Tensors/],
    ['no tensors', () => tf.layers.flatten().apply('x' as never), /must be all SymbolicTensors or all Tensors/],
  ])('refuses %s', (_, make, message) => {
    tf.engine().startScope();
    expect(make).toThrow(message);
    tf.engine().endScope();
  });

  test('refuses inputs of other numbers and shapes, and casts other dtypes', () => {
    const x = tf.input({ shape: [2] });
    const model = tf.model({ inputs: x, outputs: dense(1).apply(x) as Symbolic });
    tf.tidy(() => {
      expect(() => model.apply(tf.ones([1, 3]))).toThrow(/needs an input of the shape \[null,2\] at input1, but was given \[1,3\]/);
      expect(() => model.apply([tf.ones([1, 2]), tf.ones([1, 2])])).toThrow(/has 1 inputs, but was given 2/);
      const [a] = (model.apply(tf.tensor2d([[1, 2]], [1, 2], 'int32')) as tf.Tensor).dataSync();
      const [b] = (model.apply(tf.tensor2d([[1, 2]])) as tf.Tensor).dataSync();
      expect(a).toBe(b);
    });
    model.dispose();
  });

  test('shared layers live until their last model is freed', () => {
    const x = tf.input({ shape: [3] });
    const shared = dense(2, 'shared');
    const y = shared.apply(x) as Symbolic;
    const first = tf.model({ inputs: x, outputs: dense(1).apply(y) as Symbolic });
    const second = tf.model({ inputs: x, outputs: dense(1).apply(y) as Symbolic });
    const part = tf.model({ inputs: first.inputs, outputs: first.layers[1]!.output });
    expect(first.dispose()).toEqual({ refCountAfterDispose: 0, numDisposedVariables: 2 });
    tf.tidy(() => expect((second.predict(tf.ones([1, 3])) as tf.Tensor).shape).toEqual([1, 1]));
    expect(second.dispose().numDisposedVariables).toBe(2);
    tf.tidy(() => expect((part.predict(tf.ones([1, 3])) as tf.Tensor).shape).toEqual([1, 2]));
    expect(part.dispose().numDisposedVariables).toBe(2);
    expect(shared.isDisposed).toBe(true);
  });

  test('a siamese model frees its shared layer', () => {
    const [a, b] = [tf.input({ shape: [3] }), tf.input({ shape: [3] })];
    const shared = dense(2);
    const y = tf.layers.add().apply([shared.apply(a), shared.apply(b)] as Symbolic[]) as Symbolic;
    expect(tf.model({ inputs: [a, b], outputs: y }).dispose().numDisposedVariables).toBe(2);
  });

  test('outputs that are inputs, or the same twice, in a model and in one around it', () => {
    const u = tf.input({ shape: [2] });
    const double = tf.layers.activation({ activation: 'relu' }).apply(u) as Symbolic;
    const inner = tf.model({ inputs: u, outputs: [u, double, double] });
    const x = tf.input({ shape: [2] });
    const [a, b, c] = inner.apply(x) as Symbolic[];
    const y = tf.layers.add().apply([a!, b!]) as Symbolic;
    const outer = tf.model({ inputs: x, outputs: [tf.layers.add().apply([y, c!]) as Symbolic, a!, c!] });
    const data = tf.ones([1, 2]);
    for (const model of [inner, outer]) {
      const outputs = model.apply(data) as tf.Tensor[];
      expect(outputs.map((t) => t.dataSync()[0])).toEqual(model === inner ? [1, 1, 1] : [3, 1, 1]);
      outputs.forEach((t) => t.dispose());
    }
    class Twice extends tf.layers.Layer {
      static override readonly className = 'TwiceSame';
      override call(t: tf.Tensor | tf.Tensor[]): tf.Tensor[] {
        const z = tf.mul(Array.isArray(t) ? t[0]! : t, 2);
        return [z, z];
      }
    }
    const pair = new Twice().apply(data) as tf.Tensor[];
    expect(pair[0]).not.toBe(pair[1]);
    tf.dispose([pair, data]);
  });

  test('getLayer', () => {
    const model = tf.sequential({ layers: [tf.layers.dense({ units: 1, name: 'a', inputShape: [1] }), dense(1, 'b')] });
    expect(model.getLayer('b').name).toBe('b');
    expect(model.getLayer(0).name).toBe('a');
    expect(() => model.getLayer('c')).toThrow('No such layer: c');
    expect(() => model.getLayer(2)).toThrow('Was asked to retrieve layer at index 2, but model only has 2 layer(s).');
    expect(() => model.getLayer(undefined as never)).toThrow('Provide either a layer name or layer index');
    model.dispose();
  });

  test('trainable reaches every layer, and what is frozen is counted so', () => {
    const model = tf.sequential({ layers: [tf.layers.dense({ units: 2, inputShape: [1] }), tf.layers.batchNormalization()] });
    expect([model.trainableWeights.length, model.nonTrainableWeights.length]).toEqual([4, 2]);
    model.layers[0]!.trainable = false;
    expect([model.trainableWeights.length, model.nonTrainableWeights.length]).toEqual([2, 4]);
    model.trainable = false;
    expect([model.trainableWeights.length, model.nonTrainableWeights.length]).toEqual([0, 6]);
    expect(model.layers.map(({ trainable }) => trainable)).toEqual([false, false]);
    model.trainable = true;
    expect([model.trainableWeights.length, model.nonTrainableWeights.length]).toEqual([4, 2]);
    model.dispose();
  });

  test('a layer that knows no masks ends them, with one warning', () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
    class Plain extends tf.layers.Layer {
      static override readonly className = 'Plain';
      override call(x: tf.Tensor | tf.Tensor[], kwargs: tf.Kwargs): tf.Tensor | tf.Tensor[] {
        expect(kwargs['mask']).toBeUndefined();
        return x;
      }
    }
    const model = tf.sequential({ layers: [tf.layers.masking({ inputShape: [2, 1] }), new Plain({}), tf.layers.simpleRNN({ units: 1 })] });
    for (let i = 0; i < 2; i++) tf.tidy(() => { model.predict(tf.zeros([1, 2, 1])); });
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]![0]).toMatch(/plain_Plain1 \(Plain\) does not support masks/);
    model.dispose();
  });

  test('calls in a graph keep the arguments they were made with', () => {
    class Scale extends tf.layers.Layer {
      static override readonly className = 'ScaleBy';
      override call(x: tf.Tensor | tf.Tensor[], kwargs: tf.Kwargs): tf.Tensor {
        return tf.mul(Array.isArray(x) ? x[0]! : x, (kwargs['factor'] as number | undefined) ?? 1);
      }
    }
    tf.serialization.registerClass(Scale);
    const x = tf.input({ shape: [1] });
    const layer = new Scale({});
    const y = layer.apply(layer.apply(x, { factor: 3 }), { factor: 5 }) as Symbolic;
    const model = tf.model({ inputs: x, outputs: y });
    const copy = tf.keras.models.model_from_json(model.toJSON());
    tf.tidy(() => {
      for (const m of [model, copy]) expect((m.predict(tf.ones([1, 1])) as tf.Tensor).dataSync()[0]).toBe(15);
    });
  });

  test('a stateful model remembers between predictions, and forgets when told', () => {
    const model = tf.sequential({ layers: [tf.layers.simpleRNN({
      units: 1, stateful: true, kernelInitializer: 'ones', recurrentInitializer: 'ones', activation: 'linear', batchInputShape: [1, 1, 1],
    })] });
    expect([model.stateful, model.layers[0]!.stateful]).toEqual([true, true]);
    expect(() => { model.stateful = false; }).toThrow(/is stateful if a layer of it is/);
    const step = (): number => tf.tidy(() => (model.predict(tf.fill([1, 1, 1], 2)) as tf.Tensor).dataSync()[0]!);
    expect([step(), step(), step()]).toEqual([2, 4, 6]);
    model.resetStates();
    expect(step()).toBe(2);
    model.dispose();
  });

  test('values that nobody needs any more are freed on the way', () => {
    const model = tf.sequential({ layers: [tf.layers.flatten({ inputShape: [1000] })] });
    for (let i = 0; i < 10; i++) model.add(tf.layers.reLU());
    let peak = 0;
    class Watch extends tf.layers.Layer {
      static override readonly className = 'Watch';
      override call(x: tf.Tensor | tf.Tensor[]): tf.Tensor | tf.Tensor[] {
        peak = tf.memory().numTensors;
        return x;
      }
    }
    model.add(new Watch({}));
    const x = tf.ones([1, 1000]);
    const before = tf.memory().numTensors;
    (model.apply(x) as tf.Tensor).dispose();
    expect(peak - before).toBeLessThanOrEqual(2);
    x.dispose();
  });

  test('a thousand layers deep', () => {
    const x = tf.input({ shape: [1] });
    let y = x;
    for (let i = 0; i < 1000; i++) y = tf.layers.reLU().apply(y) as Symbolic;
    const model = tf.model({ inputs: x, outputs: y });
    expect(model.layers.length).toBe(1001);
    tf.tidy(() => expect((model.apply(tf.ones([1, 1])) as tf.Tensor).dataSync()[0]).toBe(1));
  });
});

describe('JSON that is no model', () => {
  test.each<[string, unknown, RegExp]>([
    ['no JSON', '{', /not JSON/],
    ['no class', {}, /no class_name/],
    ['null', null, /no class_name/],
    ['an unknown class', { class_name: 'Nonsense', config: {} }, /Unknown layer: Nonsense/],
    ['an unknown layer', { class_name: 'Sequential', config: { layers: [{ class_name: 'Nonsense', config: {} }] } }, /Unknown layer: Nonsense/],
    ['a layer', { class_name: 'Dense', config: { units: 1, batch_input_shape: [null, 1] } }, /describes a Dense, which is no model/],
    ['an initializer', { class_name: 'Zeros', config: {} }, /describes a Zeros, which is no model/],
    ['no layers', { class_name: 'Sequential', config: {} }, /must have a list `layers`/],
    ['no graph', { class_name: 'Model', config: { layers: [] } }, /must have `layers`, `inputLayers` and `outputLayers`/],
    ['a lost layer', {
      class_name: 'Model',
      config: {
        layers: [{ class_name: 'InputLayer', name: 'x', config: { batch_input_shape: [null, 1], name: 'x' }, inbound_nodes: [] }],
        input_layers: [['x', 0, 0]], output_layers: [['y', 0, 0]],
      },
    }, /refers to the layer "y", which it does not describe/],
    ['a circle', {
      class_name: 'Model',
      config: {
        layers: [
          { class_name: 'Dense', name: 'x', config: { units: 1, name: 'x', batch_input_shape: [null, 1] }, inbound_nodes: [[['y', 0, 0]]] },
          { class_name: 'Dense', name: 'y', config: { units: 1, name: 'y' }, inbound_nodes: [[['x', 0, 0]]] },
        ],
        input_layers: [['x', 0, 0]], output_layers: [['y', 0, 0]],
      },
    }, /gives no inputs for the layers "x", "y"/],
    ['two layers of one name, one of them with weights', {
      class_name: 'Sequential',
      config: { layers: [
        { class_name: 'Dense', config: { units: 1, name: 'x', batch_input_shape: [null, 1] } },
        { class_name: 'Dense', config: { units: 1, name: 'x' } },
      ] },
    }, /The name "x" is used 2 times/],
    ['a graph with layers of one name', {
      class_name: 'Model',
      config: {
        layers: [
          { class_name: 'InputLayer', name: 'i', config: { batch_input_shape: [null, 1], name: 'i' }, inbound_nodes: [] },
          { class_name: 'Dense', name: 'x', config: { units: 1, name: 'same' }, inbound_nodes: [[['i', 0, 0, {}]]] },
          { class_name: 'Dense', name: 'y', config: { units: 1, name: 'same' }, inbound_nodes: [[['x', 0, 0, {}]]] },
        ],
        input_layers: [['i', 0, 0]], output_layers: [['y', 0, 0]],
      },
    }, /The name "same" is used 2 times/],
    ['a layer that fails', {
      class_name: 'Sequential',
      config: { layers: [
        { class_name: 'Dense', config: { units: 1, name: 'x', batch_input_shape: [null, 1] } },
        { class_name: 'Conv2D', config: { filters: 1, kernel_size: 1, name: 'y' } },
      ] },
    }, /expected ndim=4/],
  ])('%s', async (_, json, message) => {
    await expect(tf.models.modelFromJSON(json)).rejects.toThrow(message);
  });
});

describe("Keras 3's JSON", () => {
  const policy = { module: 'keras', class_name: 'DTypePolicy', config: { name: 'float32' }, registered_name: null };
  const layer = (class_name: string, config: object, more: object = {}): object =>
    ({ module: 'keras.layers', class_name, config: { trainable: true, dtype: policy, ...config }, registered_name: null, ...more });
  const tensor = (name: string, node = 0): object => ({
    class_name: '__keras_tensor__', config: { shape: [null, 3], dtype: 'float32', keras_history: [name, node, 0] },
  });
  const denseConfig = (name: string): object => ({
    name, units: 3, activation: 'hard_sigmoid', use_bias: true,
    kernel_initializer: { module: 'keras.initializers', class_name: 'GlorotUniform', config: { seed: null }, registered_name: null },
    bias_initializer: { module: 'keras.initializers', class_name: 'Zeros', config: {}, registered_name: null },
    kernel_regularizer: { module: 'keras.regularizers', class_name: 'L2', config: { l2: 0.01 }, registered_name: null },
  });

  test('a Sequential', async () => {
    const model = await tf.models.modelFromJSON({
      module: 'keras', class_name: 'Sequential', registered_name: null,
      config: { name: 'sequential', trainable: true, dtype: policy, layers: [
        layer('InputLayer', { batch_shape: [null, 3], dtype: 'float32', sparse: false, name: 'input_layer' }),
        layer('Dense', denseConfig('dense')),
      ], build_input_shape: [null, 3] },
    });
    expect(model.layers.map(({ name }) => name)).toEqual(['input_layer', 'dense']);
    expect(model.layers[1]!.getConfig()['activation']).toBe('hardSigmoid');
    expect(model.countParams()).toBe(12);
    model.dispose();
  });

  test('a Sequential without an input shape but that it was built with', async () => {
    const model = await tf.models.modelFromJSON({
      class_name: 'Sequential',
      config: { name: 's', layers: [layer('Dense', denseConfig('dense'))], build_input_shape: [null, 5] },
    });
    expect(model.countParams()).toBe(18);
    model.dispose();
  });

  test('a functional model, with a Sequential in it applied twice', async () => {
    const model = await tf.models.modelFromJSON({
      module: 'keras.src.models.functional', class_name: 'Functional', registered_name: 'Functional',
      config: {
        name: 'functional', trainable: true,
        layers: [
          layer('InputLayer', { batch_shape: [null, 3], name: 'x' }, { name: 'x', inbound_nodes: [] }),
          layer('Sequential', { name: 'inner', layers: [
            layer('InputLayer', { batch_shape: [null, 3], name: 'i' }), layer('Dense', denseConfig('dense')),
          ] }, { name: 'inner', inbound_nodes: [
            { args: [tensor('x')], kwargs: { training: false, mask: null } },
            { args: [tensor('inner')], kwargs: {} },
          ] }),
          layer('Add', { name: 'add' }, { name: 'add', inbound_nodes: [
            { args: [[tensor('inner', 0), tensor('inner', 1)]], kwargs: {} },
          ] }),
        ],
        input_layers: ['x', 0, 0], output_layers: [['add', 0, 0]],
      },
    });
    expect(model.layers.map(({ name }) => name)).toEqual(['x', 'inner', 'add']);
    expect(model.outputs[0]!.shape).toEqual([null, 3]);
    tf.tidy(() => {
      const x = tf.ones([1, 3]);
      const inner = model.getLayer('inner');
      const once = inner.apply(x) as tf.Tensor;
      const expected = tf.add(once, inner.apply(once) as tf.Tensor).dataSync();
      expect(Array.from((model.predict(x) as tf.Tensor).dataSync())).toEqual(Array.from(expected));
    });
    model.dispose();
  });
});
