// The base class, as layers of one's own see it.
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';

type Call = tf.Tensor | tf.Tensor[];
const first = (x: Call): tf.Tensor => (Array.isArray(x) ? x[0]! : x);

/** Multiplies by a weight; options make it misbehave. */
class Scale extends tf.layers.Layer {
  static override readonly className: string = 'Scale';
  readonly #factor: number;
  w: tf.LayerVariable | undefined;

  constructor(args: tf.LayerArgs & { factor?: number } = {}) {
    super(args);
    this.#factor = args.factor ?? 2;
    this.supportsMasking = true;
  }

  override build(shape: tf.Shape | tf.Shape[]): void {
    const size = (shape as tf.Shape).at(-1)!;
    this.w = this.addWeight(
      'w', [size], 'float32', tf.initializers.constant({ value: this.#factor }), tf.regularizers.l2({ l2: 0.5 }), true,
      tf.constraints.minMaxNorm({ minValue: 0, maxValue: 100 }));
    this.addWeight('count', [], 'int32', tf.initializers.zeros(), null, false);
    super.build(shape);
  }

  override call(x: Call, kwargs: tf.Kwargs): Call {
    this.invokeCallHook(x, kwargs);
    return tf.mul(tf.add(first(x), tf.scalar(0)), this.w!.read());
  }

  override getConfig(): tf.serialization.ConfigDict {
    return { factor: this.#factor, ...super.getConfig() };
  }
}

beforeEach(() => {
  tf.keras.backend.clear_session();
  tf.serialization.registerClass(Scale);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const oneShot = <T>(f: () => T): T => tf.tidy(f);

describe('a layer of one\'s own', () => {
  test('makes its weights at the first call, and leaves only its answer', () => {
    const layer = new Scale({ factor: 3 });
    expect(layer.built).toBe(false);
    const x = tf.ones([2, 4]);
    const { numTensors } = tf.memory();
    const y = layer.apply(x) as tf.Tensor;
    expect(tf.memory().numTensors).toBe(numTensors + 3);
    expect(y.arraySync()).toEqual([[3, 3, 3, 3], [3, 3, 3, 3]]);
    expect(layer.weights.map(({ name, shape, dtype, trainable }) => [name, shape, dtype, trainable])).toEqual([
      ['scale_Scale1/w', [4], 'float32', true], ['scale_Scale1/count', [], 'int32', false],
    ]);
    expect(layer.countParams()).toBe(5);
    tf.dispose([x, y]);
    expect(layer.dispose()).toEqual({ refCountAfterDispose: 0, numDisposedVariables: 2 });
    expect(() => layer.dispose()).toThrow("Layer 'scale_Scale1' is already disposed.");
  });

  test('its losses', () => {
    const layer = new Scale({ factor: 3 });
    layer.build([null, 2]);
    layer.addLoss([() => tf.scalar(1)]);
    expect(oneShot(() => layer.calculateLosses().map((loss) => loss.dataSync()[0]))).toEqual([9, 1]);
    const model = tf.sequential({ layers: [new Scale({ inputShape: [2], factor: 1 }), layer] });
    expect(oneShot(() => model.calculateLosses().map((loss) => loss.dataSync()[0]))).toEqual([1, 9, 1]);
    model.dispose();
  });

  test('survives JSON', async () => {
    const model = tf.sequential({ layers: [new Scale({ inputShape: [2], factor: 5 })] });
    const copy = await tf.models.modelFromJSON(model.toJSON());
    expect(copy.layers[0]).toBeInstanceOf(Scale);
    expect(oneShot(() => (copy.predict(tf.ones([1, 2])) as tf.Tensor).arraySync())).toEqual([[5, 5]]);
    model.dispose();
    copy.dispose();
  });

  test('must have a name to be registered', () => {
    class Nameless extends tf.serialization.Serializable {
      static override readonly className = '';
      override getConfig(): tf.serialization.ConfigDict {
        return {};
      }
    }
    expect(() => tf.serialization.registerClass(Nameless)).toThrow(/no static className/);
    expect(() => tf.serialization.registerClass(undefined as never)).toThrow(/no static className/);
    expect(tf.serialization.SerializationMap.getMap().classNameMap['Scale']).toBe(Scale);
    expect(tf.serialization.getRegisteredName(Scale)).toBe('Custom>Scale');
  });

  test('that answers with its input gives the caller a tensor of his own', () => {
    class Same extends tf.layers.Layer {
      static override readonly className = 'Same';
    }
    const x = tf.ones([2]);
    const y = new Same().apply(x) as tf.Tensor;
    expect(y).not.toBe(x);
    y.dispose();
    expect(x.isDisposed).toBe(false);
    x.dispose();
  });

  test('that answers with a weight or a kept tensor keeps it', () => {
    const layer = new Scale();
    layer.call = () => [layer.w!.read(), kept];
    const kept = tf.keep(tf.scalar(7));
    const x = tf.ones([1, 2]);
    const answer = layer.apply(x) as tf.Tensor[];
    tf.dispose(answer);
    expect(layer.w!.isDisposed).toBe(false);
    expect(kept.isDisposed).toBe(false);
    tf.dispose([x, kept]);
    layer.dispose();
  });

  test.each<[string, (layer: Scale) => void]>([
    ['build', (layer) => {
      const { build } = layer;
      layer.build = (shape) => {
        build.call(layer, shape);
        throw new Error('stop');
      };
    }],
    ['call', (layer) => { layer.call = (x) => { tf.mul(first(x), 2); throw new Error('stop'); }; }],
  ])('that fails in %s leaves nothing', (where, break_) => {
    const layer = new Scale();
    const x = tf.ones([1, 2]);
    break_(layer);
    const { numTensors } = tf.memory();
    expect(() => layer.apply(x)).toThrow('stop');
    if (where === 'call') layer.dispose();
    expect(tf.memory().numTensors).toBe(numTensors);
    expect(layer.weights.filter((w) => !w.isDisposed)).toEqual([]);
    x.dispose();
  });

  test('may be built again after it failed', () => {
    const layer = new Scale();
    const { build } = layer;
    layer.build = () => {
      build.call(layer, [null, 2]);
      throw new Error('stop');
    };
    const x = tf.input({ shape: [2] });
    expect(() => layer.apply(x)).toThrow('stop');
    layer.build = build;
    layer.apply(x);
    expect(layer.countParams()).toBe(3);
    layer.dispose();
  });

  test('refuses a second weight of one name', () => {
    const layer = new Scale();
    layer.build([null, 2]);
    expect(() => layer.build([null, 2])).toThrow('Duplicate weight name w for layer scale_Scale1');
    layer.dispose();
  });

  test('takes values with it, and values later', () => {
    const weights = [tf.tensor1d([4, 5]), tf.scalar(1, 'int32')];
    const layer = new Scale({ weights });
    layer.build([null, 2]);
    const taken = new Scale({ weights, inputShape: [2] });
    const model = tf.sequential({ layers: [taken] });
    expect(taken.getWeights()[0]!.arraySync()).toEqual([4, 5]);
    expect(taken.getWeights(true).length).toBe(1);
    expect(() => layer.setWeights([weights[0]!])).toThrow(/with a weight list of length 1, but the layer was expecting 2 weights/);
    expect(() => layer.setWeights([weights[1]!, weights[0]!])).toThrow('Layer weight shape 2 not compatible with provided weight shape ');
    expect(layer.getWeights()[0]!.arraySync()).toEqual([2, 2]);
    layer.setWeights(weights);
    expect(layer.getWeights()[0]!.arraySync()).toEqual([4, 5]);
    tf.dispose(weights);
    expect(layer.getWeights()[0]!.arraySync()).toEqual([4, 5]);
    layer.dispose();
    model.dispose();
  });

  test('a weight holds its constraint, and refuses other shapes and a second end', () => {
    const layer = new Scale();
    layer.build([null, 2]);
    const big = tf.tensor1d([300, 400]);
    layer.w!.write(big);
    expect(Array.from(layer.w!.read().dataSync()).map(Math.round)).toEqual([60, 80]);
    const wrong = tf.ones([3]);
    expect(() => layer.w!.write(wrong)).toThrow('write: the weight w has the shape [2], the new value [3]');
    tf.dispose([big, wrong]);
    const weight = layer.w!;
    layer.dispose();
    expect(() => weight.read()).toThrow('LayersVariable w is already disposed.');
    expect(() => weight.dispose()).toThrow('LayersVariable w is already disposed.');
  });

  test('its hook hears of calls', () => {
    const layer = new Scale({ inputShape: [1] });
    const hook = jest.fn();
    layer.setCallHook(hook);
    const model = tf.sequential({ layers: [layer] });
    tf.tidy(() => { model.predict(tf.ones([1, 1])); });
    expect(hook).toHaveBeenCalledTimes(1);
    layer.clearCallHook();
    tf.tidy(() => { model.predict(tf.ones([1, 1])); });
    expect(hook).toHaveBeenCalledTimes(1);
    model.dispose();
  });

  test('has states to reset only if it says so', () => {
    expect(() => new Scale().resetStates()).toThrow(/non-stateful Layer object: scale_Scale1/);
    const layer = new Scale();
    layer.stateful = true;
    expect(() => layer.resetStates()).not.toThrow();
  });

  test('may be used by `using`', () => {
    {
      using layer = new Scale();
      layer.build([null, 3]);
    }
    expect(tf.memory().numTensors).toBe(0);
  });
});

describe('what it was applied to', () => {
  test('input, output, shapes: of one application, or by number', () => {
    const layer = tf.layers.flatten();
    expect(() => layer.input).toThrow(/is not connected, no input to return/);
    expect(() => layer.outputShape).toThrow(/has never been called and thus has no defined output shape/);
    const x = tf.input({ shape: [2, 3] });
    const y = layer.apply(x);
    expect(layer.input).toBe(x);
    expect(layer.output).toBe(y);
    expect(layer.outputShape).toEqual([null, 6]);
    const z = tf.input({ shape: [5, 3] });
    layer.apply(z);
    expect(() => layer.input).toThrow(/multiple inbound nodes, hence the notion of "layer input" is ill-defined. Use `getInputAt\(nodeIndex\)`/);
    expect(() => layer.output).toThrow(/"layer output"/);
    expect(() => layer.outputShape).toThrow(/multiple inbound nodes with different output shapes/);
    expect(layer.getInputAt(1)).toBe(z);
    expect(layer.getOutputAt(0)).toBe(y);
    expect(() => layer.getOutputAt(2)).toThrow(/It has 2 nodes/);
    expect(x.sourceLayer.outboundNodes.map(({ outboundLayer }) => outboundLayer)).toEqual([layer]);
  });

  test('symbolic tensors know where they come from', () => {
    const x = tf.input({ batchShape: [4, 3], dtype: 'int32', name: 'x' });
    expect([x.name, x.shape, x.rank, x.dtype, x.nodeIndex, x.tensorIndex]).toEqual(['x', [4, 3], 2, 'int32', 0, 0]);
    const y = tf.layers.flatten({ name: 'f' }).apply(x) as tf.SymbolicTensor;
    expect([y.name, y.inputs, y.sourceLayer.name]).toEqual(['f/f', [x], 'f']);
    expect(y.id).toBeGreaterThan(x.id);
  });
});

describe('InputSpec', () => {
  const check = (spec: ConstructorParameters<typeof tf.InputSpec>[0], shape: number[]): (() => void) => () => {
    const layer = new Scale({ name: 'l' });
    layer.inputSpec = [new tf.InputSpec(spec)];
    const x = tf.input({ batchShape: shape });
    layer.call = (y) => y;
    layer.build = () => { layer.built = true; };
    layer.apply(x);
  };

  test.each<[ConstructorParameters<typeof tf.InputSpec>[0], number[], string]>([
    [{ ndim: 3 }, [1, 2], 'expected ndim=3, found ndim=2'],
    [{ maxNDim: 1 }, [1, 2], 'expected max_ndim=1, found ndim=2'],
    [{ minNDim: 3 }, [1, 2], 'expected min_ndim=3, found ndim=2'],
    [{ axes: { [-1]: 3 } }, [1, 2], 'expected axis -1 of input shape to have value 3 but got shape [1,2]'],
    [{ axes: { 0: 3 } }, [1, 2], 'expected axis 0 of input shape to have value 3'],
    [{ shape: [null, 4] }, [1, 2], 'expected shape=[null,4], found shape=[1,2]'],
    [{ shape: [null, 4, 1] }, [1, 2], 'expected ndim=3'],
  ])('%j refuses %j', (spec, shape, message) => {
    expect(check(spec, shape)).toThrow(`Input 0 is incompatible with layer l: ${message}`);
  });

  test.each<[ConstructorParameters<typeof tf.InputSpec>[0], number[]]>([
    [{}, [1, 2]], [{ ndim: 2, minNDim: 1, maxNDim: 2 }, [1, 2]], [{ axes: { [-1]: 2, 0: 1 } }, [1, 2]], [{ shape: [null, 2] }, [1, 2]],
  ])('%j takes %j', (spec, shape) => {
    expect(check(spec, shape)).not.toThrow();
  });

  test('counts the inputs', () => {
    const layer = tf.layers.dense({ units: 1, name: 'd' });
    layer.inputSpec = [new tf.InputSpec({ ndim: 2 })];
    const x = tf.input({ shape: [2] });
    layer.apply(x);
    expect(() => layer.apply([x, x])).toThrow('Layer d expects 1 inputs, but it received 2 input tensors.');
    layer.dispose();
  });
});

describe('what is wrong is said', () => {
  class Odd extends tf.layers.Layer {
    static override readonly className: string = 'Odd';
    constructor(readonly result: unknown, name = 'odd') {
      super({ name });
    }

    override call(): Call {
      return this.result as Call;
    }
  }

  test.each<[unknown, string]>([
    [undefined, 'undefined'], [null, 'null'], [3, '3'], [[1, 2], '[1,2]'], [[[1]], '[[1]]'], ['y', "'y'"], [{ a: 1 }, 'an object'],
  ])('a call that returns %j', (result, shown) => {
    tf.tidy(() => {
      expect(() => new Odd(result).apply(tf.ones([1])))
        .toThrow(`odd: call() of Odd must return a tensor or a list of tensors, got ${shown}`);
    });
  });

  test('in a model, too', () => {
    const model = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [2] }), new Odd(undefined)] });
    tf.tidy(() => expect(() => model.predict(tf.ones([1, 2]))).toThrow('odd: call() of Odd must return'));
    model.dispose();
  });

  test.each<[unknown, string]>([
    [undefined, 'takes a list of 2 tensors, got undefined'], [3, 'got 3'], [{}, 'got {}'], ['w', "got 'w'"],
    [[[[1, 2]], [1]], 'takes a list of 2 tensors, got [[[1,2]],[1]]'], [[null, undefined], 'got [null,undefined]'],
  ])('setWeights(%j)', (values, message) => {
    const model = tf.sequential({ layers: [tf.layers.dense({ name: 'd', units: 1, inputShape: [2] })], name: 'm' });
    const before = model.getWeights().map((w) => w.arraySync());
    expect(() => model.setWeights(values as never)).toThrow(`setWeights: the layer "m" takes a list of 2 tensors`);
    expect(() => model.layers[0]!.setWeights(values as never)).toThrow(message);
    expect(model.getWeights().map((w) => w.arraySync())).toEqual(before);
    model.dispose();
  });

  test('setWeights of other shapes names the layer', () => {
    const model = tf.sequential({ layers: [tf.layers.dense({ name: 'd', units: 1, inputShape: [2] })], name: 'm' });
    tf.tidy(() => expect(() => model.layers[0]!.setWeights([tf.ones([3, 1]), tf.ones([1])]))
      .toThrow('setWeights: the layer "d": Layer weight shape 2,1 not compatible with provided weight shape 3,1'));
    model.dispose();
  });
});

describe('settings', () => {
  test.each<[tf.LayerArgs, unknown]>([
    [{}, { name: 'x', trainable: true }],
    [{ inputShape: [2] }, { batchInputShape: [null, 2], dtype: 'float32' }],
    [{ inputShape: [2], batchSize: 3 }, { batchInputShape: [3, 2] }],
    [{ batchInputShape: [5, 2], dtype: 'int32', trainable: false }, { batchInputShape: [5, 2], dtype: 'int32', trainable: false }],
    [{ inputDType: 'bool', inputShape: [1] }, { dtype: 'bool' }],
    [{ dtype: { className: 'DTypePolicy', config: { name: 'mixed_float16' } } as never }, { dtype: 'float32' }],
  ])('%j', (args, config) => {
    expect(tf.layers.flatten({ name: 'x', ...args }).getConfig()).toMatchObject(config as object);
  });

  test.each<[string, unknown]>([
    ['dense', 3], ['dense', 'a/b'], ['flatten', {}], ['lstm', 'x/'], ['conv2d', true],
  ])('tf.layers.%s refuses the name %j', (layer, name) => {
    const make = (tf.layers as any)[layer] as (args: object) => unknown;
    expect(() => make({ units: 1, filters: 1, kernelSize: 1, name })).toThrow(`the name must be a string without '/', got ${JSON.stringify(name)}`);
  });

  test.each<[string, (name: any) => unknown]>([
    ['input', (name) => tf.input({ shape: [1], name })],
    ['sequential', (name) => tf.sequential({ name })],
    ['model', (name) => {
      const x = tf.input({ shape: [1] });
      return tf.model({ inputs: x, outputs: x, name });
    }],
  ])('tf.%s refuses names', (_, make) => {
    for (const name of [3, 'a/b']) expect(() => make(name)).toThrow("the name must be a string without '/'");
  });

  test('a file may have names with a slash, but only strings', async () => {
    const config = (name: unknown): object => ({ class_name: 'Sequential', config: { name: 's', layers: [
      { class_name: 'Dense', config: { name, units: 1, batch_input_shape: [null, 2] } }] } });
    const model = await tf.models.modelFromJSON(config('block/conv'));
    expect(model.layers[0]!.name).toBe('block/conv');
    model.dispose();
    await expect(tf.models.modelFromJSON(config(3))).rejects.toThrow("Dense: the name must be a string without '/', got 3");
  });

  test.each<[string, () => unknown, string]>([
    ['below zero', () => tf.input({ shape: [-1] }), 'input: shape must be a list of whole numbers, null for any length, got [-1]'],
    ['a fraction', () => tf.input({ shape: [1.5] }), 'got [1.5]'],
    ['a number', () => tf.input({ shape: 3 as never }), 'input: shape must be a list of whole numbers, null for any length, got 3'],
    ['with the batch', () => tf.input({ batchShape: [null, '2' as never] }), "batchInputShape must be a list of whole numbers, null for any length, got [null,'2']"],
    ['of a layer', () => tf.layers.dense({ name: 'd', units: 1, inputShape: [2, -3] }), 'd: inputShape must be a list of whole numbers, null for any length, got [2,-3]'],
    ['of a layer, with the batch', () => tf.layers.dense({ name: 'd', units: 1, batchInputShape: [NaN, 3] }), 'd: batchInputShape must be'],
    ['a batch size', () => tf.layers.dense({ name: 'd', units: 1, inputShape: [3], batchSize: -2 }), 'd: [batchSize] must be'],
    ['an input layer', () => tf.layers.inputLayer({ inputShape: [-1] }), 'InputLayer: inputShape must be'],
  ])('a shape that is none: %s', (_, make, message) => {
    expect(make).toThrow(message);
  });

  test('tf.input without settings', () => {
    expect(() => (tf.input as () => unknown)()).toThrow('Please provide to Input either a `shape` or a `batchShape`');
  });

  test.each(Object.keys(tf.layers).filter((name) => /^[a-z]/.test(name)))('tf.layers.%s without settings works or says what it needs', (name) => {
    const make = (tf.layers as any)[name] as (args?: unknown) => { dispose(): unknown };
    for (const args of [[], [null], [{}]]) {
      let layer;
      try {
        layer = make(...args as []);
      } catch (error) {
        expect(error).toBeInstanceOf(tf.TensorError);
      }
      layer?.dispose();
    }
  });

  test('tf.layers.dense without settings', () => {
    expect(() => (tf.layers.dense as () => unknown)()).toThrow('units must be a positive integer, got undefined');
  });

  test('an unknown dtype', () => {
    expect(() => tf.layers.flatten({ dtype: 'float7' as never })).toThrow(/unknown name 'float7'/);
  });
});
